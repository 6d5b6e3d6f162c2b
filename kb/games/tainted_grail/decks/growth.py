"""Prices advancement in experience (EXP). Checks that the EXP spent is enough, and that skills match the attributes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kb.citation import Cites
from kb.decks.names import name_key
from kb.decks.problems import At, Problem, Problems
from kb.decks.remedies import Advice, Fill, Remedy, Remove, Set
from kb.errors import KbError
from kb.frozen import frozen
from kb.games.tainted_grail.decks.character_sheet import (
    ATTRIBUTES,
    OTHER_PAIRS,
    PAIRS,
    POOL_CARDS,
    DeckName,
    Mode,
    Pairs,
    Sheet,
    entry,
    rule,
)
from kb.plural import counted
from kb.shapes import Jsonable, key

FIRST_SKILL = 3


@frozen
class Prices:
    """A list of EXP costs for attribute points and cards.

    The cost of an attribute point depends on the pair of opposed attributes that it belongs to. `points` are the
    costs of the pair's 1st, 2nd … point. After the end of `points`, each point costs `rise` more than the one before
    it. `card` is the cost of one card from the advancement pool. The player chooses this card from `drawn` cards.
    `attribute_cite` and `card_cite` are the rules entries that state these costs.
    """

    points: tuple[int, ...]
    rise: int
    card: int
    drawn: int
    attribute_cite: str
    card_cite: str

    def point(self, number: int) -> int:
        """Return the cost of the point that raises the total of a pair to `number`, which is at least 1."""
        beyond = max(0, number - len(self.points))
        return self.points[min(number, len(self.points)) - 1] + beyond * self.rise

    def pair(self, before: int, after: int) -> int:
        """Return the cost of all points that raise the total of a pair from `before` to `after`."""
        return sum(map(self.point, range(before + 1, after + 1)))


# The numbers come from the chapters "Character Advancement" and "Challenge Mode" of the rules.
STANDARD = Prices((2, 4, 6, 8, 10), 0, 2, 3, "tainted-grail/advancing-attributes", "tainted-grail/advancing-decks")
CHALLENGE = Prices(
    (5, 10, 15, 20, 25, 30),
    5,
    5,
    2,
    "tainted-grail/challenge-mode-advancement",
    "tainted-grail/challenge-mode-advancement",
)


def prices_in(sheet: Sheet, mode: Mode) -> Prices:
    """Return the price list of a mode, given the sheet's challenge rules. Story mode has the standard prices."""
    return CHALLENGE if mode == "challenge" and "advancement" in sheet.challenge_rules else STANDARD


def prices_now(sheet: Sheet) -> Prices:
    """Return the price list that applies in the current mode of the sheet."""
    return prices_in(sheet, sheet.mode)


def prices_ever(sheet: Sheet) -> tuple[Prices, ...]:
    """Return the price lists of the sheet's current and earlier modes, without repeats, cheapest first."""
    price_lists = {prices_in(sheet, mode) for mode in (sheet.mode, *sheet.earlier_modes)}
    return tuple(sorted(price_lists, key=lambda prices: prices.card))


def pairs_of(sheet: Sheet) -> Pairs:
    """Return the pairs of opposed attributes that the sheet gives, or the default pairs `PAIRS` if it gives none."""
    return sheet.pairs or PAIRS


def next_point(sheet: Sheet, pair: tuple[str, str]) -> int:
    """Return the EXP cost of the next point in either attribute of `pair`."""
    return prices_now(sheet).point(sum((sheet.attributes or {}).get(name, 0) for name in pair) + 1)


def skills_for(before: int, after: int) -> int:
    """Return the number of skill cards gained by raising an attribute from `before` to `after`.

    The 3rd and each later point of an attribute brings one skill card.
    """
    return max(0, after - max(before, FIRST_SKILL - 1))


@frozen
class PairCost:
    """The points bought for a pair of opposed attributes: they raise its total from `before` to `after` for `cost` EXP."""

    pair: tuple[str, str]
    before: int
    after: int
    cost: int


def attribute_costs(sheet: Sheet, prices: Prices, pairs: Pairs) -> list[PairCost]:
    """Return, for each pair, the minimum EXP that its attribute points could have cost.

    The calculation assumes that the points paid for were the cheapest ones: the story took away points before the
    first purchase, and granted points after the last one. The list is empty if the sheet does not give both the
    starting and the current attributes.
    """
    if sheet.starting is None or sheet.attributes is None:
        return []
    costs = []
    for pair in pairs:
        before = sum(min(sheet.starting[name], sheet.attributes[name]) for name in pair)
        points = (sheet.attributes[name] - sheet.starting[name] - sheet.granted.get(name, 0) for name in pair)
        bought = sum(max(0, each) for each in points)
        costs.append(PairCost(pair, before, before + bought, prices.pair(before, before + bought)))
    return costs


def cards_bought(sheet: Sheet) -> int:
    """Return the number of gained cards that must have been bought, because the story did not grant them."""
    return sum(max(0, len(deck.gained) - sheet.granted.get(deck.name, 0)) for deck in sheet.decks)


def least_cost(sheet: Sheet, prices: Prices, pairs: Pairs) -> int:
    """Return the minimum EXP that the attribute points and gained cards on the sheet could have cost."""
    return sum(each.cost for each in attribute_costs(sheet, prices, pairs)) + cards_bought(sheet) * prices.card


def itemised(costs: list[PairCost], prices: Prices, cards: int) -> str:
    """Return a bill in words, such as `aggression and empathy from 2 to 4 points 14, 3 cards 6`."""
    parts = [
        f"{' and '.join(each.pair)} from {each.before} to {each.after} points {each.cost}"
        for each in costs
        if each.cost
    ]
    return ", ".join([*parts, *([f"{counted(cards, 'card')} {cards * prices.card}"] if cards else [])])


@rule("setting-up-your-character", "advancing-attributes", family="experience", severity="warning")
def starting_attributes_are_known(sheet: Sheet) -> Problems:
    """The sheet lists the starting attributes printed on the back of the character tile."""
    if sheet.starting is None:
        yield Problem(
            "The sheet does not give the starting attributes, which are printed on the character tile. kb cannot check what the "
            "attributes cost.",
            at=At("starting_attributes"),
            remedies=(
                Set("starting_attributes", why="to the numbers on the tile, for example {aggression: 2, courage: 1}"),
            ),
        )


@rule("advancing-attributes", "advancing-decks", "challenge-mode-advancement", family="experience")
def experience_spent(sheet: Sheet) -> Problems:
    """The EXP spent is enough to pay for all attribute points and cards gained since the start.

    A point costs 2, 4, 6, 8, then 10, depending on the total of its pair; a card costs 2. In challenge mode, a point
    costs 5, 10, 15, 20, 25, 30 and then 5 more each time; a card costs 5. If the mode has changed, kb uses the cheapest
    price list that applied.
    """
    prices, pairs, cards = prices_ever(sheet)[0], pairs_of(sheet), cards_bought(sheet)
    cost = least_cost(sheet, prices, pairs)
    if cost == 0 or (sheet.experience_spent is not None and sheet.experience_spent >= cost):
        return
    bill = itemised(attribute_costs(sheet, prices, pairs), prices, cards)
    cites = ("challenge-mode-advancement",) if prices is CHALLENGE else ("advancing-attributes", "advancing-decks")
    spent = sheet.experience_spent
    shortfall = "The sheet does not say how much was spent." if spent is None else f"Only {spent} were spent."
    remedies: tuple[Remedy, ...] = (Set("experience_spent", why="to the EXP spent so far, so that kb can check it"),)
    if spent is not None:
        remedies = (
            Set("experience_spent", str(cost), why="if the sheet is right"),
            Advice(f"take back attribute points or cards worth {cost - spent} EXP"),
            Set("granted", why="to the points and cards that the story gave without EXP"),
        )
    yield Problem(
        f"The attributes and cards on the sheet cost at least {cost} EXP ({bill}). {shortfall}",
        severity="note" if spent is None else None,
        cites=tuple(map(entry, cites)),
        count=cost,
        limit=spent,
        at=At("experience_spent"),
        remedies=remedies,
    )


@rule("advance-your-character", "advancing-attributes", "advancing-decks", family="experience", severity="note")
def experience_accounted_for(sheet: Sheet) -> Problems:
    """The attribute points and gained cards on the sheet account for all EXP spent."""
    lists = prices_ever(sheet)
    if sheet.experience_spent is None or sheet.starting is None or len(lists) > 1:
        return
    cost = least_cost(sheet, lists[0], pairs_of(sheet))
    if sheet.experience_spent > cost:
        yield Problem(
            f"{sheet.experience_spent} EXP were spent, but the attributes and cards on the sheet account for only {cost}.",
            count=sheet.experience_spent,
            limit=cost,
            at=At("experience_spent"),
            remedies=(
                Set("experience_spent", str(cost), why="if the sheet is complete"),
                Advice("add the missing attribute points or cards"),
            ),
        )


@rule("attributes", "advancing-attributes", family="experience", severity="note")
def pairs_are_known(sheet: Sheet) -> Problems:
    """If the costs depend on the pairs of attributes, the sheet lists the pairs, because the source does not make
    them clear.
    """
    if sheet.pairs is not None:
        return
    prices = prices_ever(sheet)[0]
    first, second = (least_cost(sheet, prices, pairs) for pairs in (PAIRS, OTHER_PAIRS))
    if first != second:
        listed = ", ".join("-".join(pair) for pair in PAIRS)
        yield Problem(
            f"The rules list the attributes without saying which form a pair. With the pairs {listed}, "
            f"the advancement on this sheet costs {first} EXP; with the other pairs, {second}.",
            at=At("pairs"),
            remedies=(Set("pairs", f"[{listed}]", why="if the character tray shows these pairs"),),
        )


@rule("advancing-attributes", "setting-up-your-character", family="experience", severity="warning")
def attributes_never_fall(sheet: Sheet) -> Problems:
    """No attribute is below its starting value, because the rules only raise attributes."""
    if sheet.starting is None or sheet.attributes is None:
        return
    for name in ATTRIBUTES:
        if sheet.attributes[name] < sheet.starting[name]:
            yield Problem(
                f"{name.capitalize()} is {sheet.attributes[name]}, but it began at {sheet.starting[name]}.",
                count=sheet.attributes[name],
                limit=sheet.starting[name],
                at=At("attributes", name),
                remedies=(Set(f"attributes.{name}", str(sheet.starting[name]), why="unless a story card took points"),),
            )


@rule("skills", "attributes", "saving-your-character", family="feat")
def skills(sheet: Sheet) -> Problems:
    """An attribute has one skill for its 3rd and each later point. No skill card is listed twice.

    The rules do not say whether an attribute that starts at 3 or more brings skills. kb accepts both readings.
    """
    if sheet.attributes is not None:
        for name in ATTRIBUTES:
            value, number_of_skills = sheet.attributes[name], len(sheet.skills.get(name, ()))
            most = skills_for(0, value)
            least = skills_for(sheet.starting[name], value) if sheet.starting else 0
            if not least <= number_of_skills <= most:
                expected = (
                    counted(most, "skill")
                    if least == most
                    else f"{least} {'or' if most == least + 1 else 'to'} {most} skills"
                )
                also = "" if least == most else "; the rules do not say whether starting points bring any"
                remedy: Remedy = Fill(least - number_of_skills, "skill card", pile=f"skills.{name}")
                if number_of_skills > most:
                    remedy = Remove(number_of_skills - most, of=sheet.skills.get(name, ()), pile=f"skills.{name}")
                yield Problem(
                    f"{name.capitalize()} {value} comes with {expected} (one for each point from the 3rd{also}). The sheet lists "
                    f"{number_of_skills}.",
                    cards=sheet.skills.get(name, ()),
                    count=number_of_skills,
                    limit=least if number_of_skills < least else most,
                    at=At("skills", name),
                    remedies=(remedy,),
                )
    written = {name_key(skill): skill for number_of_skills in sheet.skills.values() for skill in number_of_skills}
    counts = Counter(name_key(skill) for number_of_skills in sheet.skills.values() for skill in number_of_skills)
    for skill, number in counts.items():
        if number > 1:
            yield Problem(
                f"Skill {written[skill]} is listed {number} times. Each skill card exists once.",
                cards=(written[skill],),
                count=number,
                limit=1,
                at=At("skills"),
                remedies=(Remove(number - 1, of=(written[skill],) * number, pile="skills"),),
            )


@rule("challenge-mode-advancement", "game-modes", family="campaign", severity="note")
def mode_has_changed(sheet: Sheet) -> Problems:
    """After a change of mode, kb does not know which price list applied to which advancement."""
    if len(prices_ever(sheet)) > 1:
        now = "challenge" if prices_now(sheet) is CHALLENGE else "standard"
        yield Problem(
            "The mode changed between chapters, and the costs with it. kb compares the experience spent with the cheaper list. "
            f"From now on the {now} costs apply.",
        )


class AdvanceError(KbError, ValueError):
    """Raised if an advancement is impossible. Its message is shown to users."""


@frozen
class GrowthStep(Jsonable):
    """One step of an advancement: an attribute raised, or a card gained."""

    what: str = key(name="step")
    """The step in words."""
    cost: int
    """The cost of the step in EXP."""
    cites: Cites
    """The rules entries that state the cost."""
    skills: int = 0
    """The number of skill cards that the step brings."""


@frozen
class GrowthPlan:
    """The steps of an advancement, in order. `experience` is the EXP available; None if the sheet does not give it."""

    steps: tuple[GrowthStep, ...]
    experience: int | None

    @property
    def cost(self) -> int:
        """The cost of all steps together, in EXP."""
        return sum(step.cost for step in self.steps)

    @property
    def enough(self) -> bool | None:
        """True if the EXP available pays for all steps; None if the available EXP is unknown."""
        return None if self.experience is None else self.experience >= self.cost


def plan(
    sheet: Sheet, raises: Iterable[tuple[str, int | None]], cards: Iterable[DeckName], experience: int | None
) -> GrowthPlan:
    """Plan an advancement of the character on `sheet` and return its steps with their costs.

    `raises` are attributes with their new values; None raises an attribute by 1. `cards` names a deck for each card to
    gain. `experience` is the EXP available.

    Raises AdvanceError if the sheet gives no attributes, if an attribute already has its new value or more, or if a
    pool has no card left.
    """
    now = dict(sheet.attributes or {})
    steps: list[GrowthStep] = []
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
    return GrowthPlan(tuple(steps), experience)


def next_steps(sheet: Sheet) -> list[GrowthStep]:
    """Return every possible next step: one more point for each attribute, and one more card for each deck."""
    names = ATTRIBUTES if sheet.attributes is not None else ()
    decks = [deck.name for deck in sheet.decks if len(deck.gained) < POOL_CARDS]
    plans = [plan(sheet, [(name, None)], (), None) for name in names] + [
        plan(sheet, (), [deck], None) for deck in decks
    ]
    return [step for each in plans for step in each.steps]


def raised(sheet: Sheet, now: dict[str, int], name: str, to: int, prices: Prices) -> GrowthStep:
    """Return the step that raises the attribute `name` to the value `to`. `now` contains the current attributes."""
    pair = next(pair for pair in pairs_of(sheet) if name in pair)
    before = sum(now[each] for each in pair)
    after = before + to - now[name]
    ordinal = nth(after) if after == before + 1 else f"{nth(before + 1)} to {nth(after)}"
    skills = skills_for(now[name], to)
    return GrowthStep(
        what=f"{name} from {now[name]} to {to} ({ordinal} point of {' and '.join(pair)})",
        cost=prices.pair(before, after),
        cites=(prices.attribute_cite, *(("tainted-grail/skills",) if skills else ())),
        skills=skills,
    )


def gained(deck: DeckName, prices: Prices, left: int) -> GrowthStep:
    """Return the step that gains a card for `deck` from its advancement pool, which has `left` cards."""
    draw = f"draw {prices.drawn} from the pool, pick 1"
    if left < prices.drawn:
        draw = "the last of the pool" if left == 1 else f"draw the last {left} from the pool, pick 1"
    return GrowthStep(f"a {deck} card ({draw})", prices.card, (prices.card_cite,))


def nth(number: int) -> str:
    """Return the ordinal of a number, such as `1st`, `2nd` or `11th`."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number % 100 not in (11, 12, 13) else "th"
    return f"{number}{ending}"
