"""What advancing costs: the experience for attribute points and cards, in standard and in challenge mode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kb.games.tainted_grail.decks.model import PAIRS, Mode, Pairs, Sheet

FIRST_SKILL = 3


@dataclass(frozen=True, slots=True)
class Prices:
    """A list of experience costs. `points` are the 1st, 2nd … point of a pair; each one after costs `rise` more.

    `card` buys one card of the advancement pool, chosen among `drawn`. `cites` are the entries that state the list.
    """

    points: tuple[int, ...]
    rise: int
    card: int
    drawn: int
    attribute_cite: str
    card_cite: str

    def point(self, number: int) -> int:
        """Cost of the point that brings a pair's total to `number` (from 1)."""
        beyond = max(0, number - len(self.points))
        return self.points[min(number, len(self.points)) - 1] + beyond * self.rise

    def pair(self, before: int, after: int) -> int:
        """Cost of raising a pair's total from `before` to `after`."""
        return sum(map(self.point, range(before + 1, after + 1)))


# Character Advancement; Challenge Mode, Character Advancement.
STANDARD = Prices((2, 4, 6, 8, 10), 0, 2, 3, "tainted-grail/advancing-attributes", "tainted-grail/advancing-decks")
CHALLENGE = Prices(
    (5, 10, 15, 20, 25, 30), 5, 5, 2,
    "tainted-grail/challenge-mode-advancement", "tainted-grail/challenge-mode-advancement",
)  # fmt: skip


def prices_in(sheet: Sheet, mode: Mode) -> Prices:
    """The list in force in a mode with the sheet's challenge rules; story mode changes nothing here."""
    return CHALLENGE if mode == "challenge" and "advancement" in sheet.challenge_rules else STANDARD


def prices_now(sheet: Sheet) -> Prices:
    """The list in force in the sheet's mode."""
    return prices_in(sheet, sheet.mode)


def prices_ever(sheet: Sheet) -> tuple[Prices, ...]:
    """The lists the character can have paid by, the cheapest first: the mode may change between chapters."""
    found = {prices_in(sheet, mode) for mode in (sheet.mode, *sheet.earlier_modes)}
    return tuple(sorted(found, key=lambda prices: prices.card))


def pairs_of(sheet: Sheet) -> Pairs:
    """The pairs of opposing attributes: as the sheet gives them, else as the source lists the words in order."""
    return sheet.pairs or PAIRS


def skills_for(before: int, after: int) -> int:
    """Skill cards that come with raising one attribute: one for the 3rd and every later point."""
    return max(0, after - max(before, FIRST_SKILL - 1))


@dataclass(frozen=True, slots=True)
class PairCost:
    """The points bought in one pair: from the total `before` to `after`, for at least `cost`."""

    pair: tuple[str, str]
    before: int
    after: int
    cost: int


def attribute_costs(sheet: Sheet, prices: Prices, pairs: Pairs) -> list[PairCost]:
    """The least that the attributes can have cost, pair by pair; nothing when the sheet does not give both states.

    Points the story granted are taken to have come last, lost points to have gone first: so the points that were paid
    for were the cheapest ones.
    """
    if sheet.starting is None or sheet.attributes is None:
        return []
    found = []
    for pair in pairs:
        before = sum(min(sheet.starting[name], sheet.attributes[name]) for name in pair)
        bought = sum(bought_points(sheet.starting, sheet.attributes, sheet.granted, pair))
        found.append(PairCost(pair, before, before + bought, prices.pair(before, before + bought)))
    return found


def bought_points(
    starting: Mapping[str, int], now: Mapping[str, int], granted: Mapping[str, int], names: Iterable[str]
) -> Iterable[int]:
    """Points of each attribute that must have been bought."""
    return (max(0, now[name] - starting[name] - granted.get(name, 0)) for name in names)


def cards_bought(sheet: Sheet) -> int:
    """Cards of both decks that must have been bought."""
    return sum(max(0, len(deck.gained) - sheet.granted.get(deck.name, 0)) for deck in sheet.decks)
