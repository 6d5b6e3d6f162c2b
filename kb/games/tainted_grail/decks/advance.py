"""What an advancement costs: attribute points and cards, and whether the experience suffices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from kb.errors import KbError
from kb.games.tainted_grail.decks.growth import Prices, pairs_of, prices_now, skills_for
from kb.games.tainted_grail.decks.model import ATTRIBUTES, DECK_NAMES, OTHER_PAIRS, PAIRS, POOL_CARDS, DeckName, Sheet


class AdvanceError(KbError, ValueError):
    """A step that cannot be taken; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Step:
    """One purchase: what it is in words, its cost in EXP, the entries that state it, the skill cards that come with it."""

    what: str
    cost: int
    cites: tuple[str, ...]
    skills: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps in order. `experience` is what there is to spend; None when the sheet does not say."""

    steps: tuple[Step, ...]
    experience: int | None

    @property
    def cost(self) -> int:
        """Cost of all steps together."""
        return sum(step.cost for step in self.steps)

    @property
    def enough(self) -> bool | None:
        """Whether the experience suffices; None when it is not known."""
        return None if self.experience is None else self.experience >= self.cost


def plan(
    sheet: Sheet, raises: Iterable[tuple[str, int | None]], cards: Iterable[DeckName], experience: int | None
) -> Plan:
    """The steps that raise attributes to the given values (None: by 1) and gain a card for each name of a deck.

    Raises AdvanceError when the sheet gives no attributes, an attribute has the value already, or a pool is empty.
    """
    now = dict(sheet.attributes or {})
    steps: list[Step] = []
    prices = prices_now(sheet)
    for name, wanted in raises:
        if not now:
            raise AdvanceError(
                "The sheet gives no attributes; write them under `attributes:` or `starting_attributes:`."
            )
        to = now[name] + 1 if wanted is None else wanted
        if to <= now[name]:
            raise AdvanceError(f"{name.capitalize()} is {now[name]} already; it cannot be raised to {to}.")
        steps.append(raised(sheet, now, name, to, prices))
        now[name] = to
    left = {deck.name: POOL_CARDS - len(deck.gained) for deck in sheet.decks}
    for card in cards:
        if left[card] < 1:
            raise AdvanceError(f"No card is left in the {card} advancement pool: all {POOL_CARDS} are gained.")
        steps.append(gained(card, prices, left[card]))
        left[card] -= 1
    return Plan(tuple(steps), experience)


def other_reading(sheet: Sheet, raises: Iterable[tuple[str, int | None]]) -> int | None:
    """What raising attributes costs if the other pairs oppose each other, where that differs and the sheet leaves it open.

    Without any to raise: what one point of each attribute would cost then.
    """
    if sheet.pairs is not None or not sheet.attributes:
        return None
    wanted = list(raises)
    costs = []
    for pairs in (PAIRS, OTHER_PAIRS):
        read = replace(sheet, pairs=pairs)
        steps = plan(read, wanted, (), None).steps if wanted else tuple(next_steps(read))
        costs.append([step.cost for step in steps])
    return sum(costs[1]) if costs[0] != costs[1] else None


def next_steps(sheet: Sheet) -> list[Step]:
    """Every single step that can be taken next: a point of each attribute, a card for each deck."""
    names = ATTRIBUTES if sheet.attributes is not None else ()
    points = [step for name in names for step in plan(sheet, [(name, None)], (), None).steps]
    left = {deck.name: POOL_CARDS - len(deck.gained) for deck in sheet.decks}
    return points + [gained(name, prices_now(sheet), left[name]) for name in DECK_NAMES if left[name] > 0]


def raised(sheet: Sheet, now: dict[str, int], name: str, to: int, prices: Prices) -> Step:
    """The step that raises one attribute."""
    pair = next(pair for pair in pairs_of(sheet) if name in pair)
    before = sum(now[each] for each in pair)
    after = before + to - now[name]
    ordinal = nth(after) if after == before + 1 else f"{nth(before + 1)} to {nth(after)}"
    skills = skills_for(now[name], to)
    return Step(
        what=f"{name} from {now[name]} to {to} ({ordinal} point of {' and '.join(pair)})",
        cost=prices.pair(before, after),
        cites=(prices.attribute_cite, *(("tainted-grail/skills",) if skills else ())),
        skills=skills,
    )


def gained(deck: DeckName, prices: Prices, left: int) -> Step:
    """The step that gains a card from an advancement pool with `left` cards."""
    draw = f"draw {prices.drawn} of the pool, pick 1"
    if left < prices.drawn:
        draw = "the last of the pool" if left == 1 else f"draw the last {left} of the pool, pick 1"
    return Step(f"a {deck} card ({draw})", prices.card, (prices.card_cite,))


def nth(number: int) -> str:
    """`1st`, `2nd`, `11th`."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number % 100 not in (11, 12, 13) else "th"
    return f"{number}{ending}"
