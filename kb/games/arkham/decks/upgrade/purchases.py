"""The ways in which what came into a deck can have been purchased: new, again after exile, or as an upgrade."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice

from kb.games.arkham.decks.experience import cost_of_a_copy
from kb.games.arkham.decks.model import Card
from kb.games.arkham.decks.options import Discount, Names
from kb.games.arkham.decks.upgrade.changes import Change, Changes, Sheet

MINIMUM = 1
_MOST_TRIED = 500


class How(Enum):
    """How something is purchased."""

    NEW = "new card"
    AGAIN = "purchased again after exile"
    UPGRADE = "upgrade"
    BOXES = "boxes of an upgrade sheet"
    SHEET = "new card with marked boxes"
    COPY = "further copy of a card with marked boxes"


@dataclass(frozen=True, slots=True)
class Purchase:
    """One purchase at its price before discounts. source: the lower version (an upgrade). beside: which stays in the deck.

    counts: whether the card counts towards the deck size. copies: how many the price is for. makes_room: the lower
    version counted towards the deck size, the card does not.
    """

    pile: str
    card: Card
    how: How
    price: int
    source: Card | None = None
    beside: bool = False
    counts: bool = True
    copies: int = 1
    exiled: bool = False

    @property
    def makes_room(self) -> bool:
        """Whether the purchase leaves the deck one card short of its size."""
        return self.source is not None and not self.beside and self.card.permanent and not self.source.permanent

    @property
    def upgrades(self) -> bool:
        """Whether it counts as upgrading a card."""
        return self.how in (How.UPGRADE, How.BOXES)


Way = tuple[Purchase, ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms purchases of a step are made, from the cards in the deck.

    dearer: what every new card costs more. swaps: how many level 0 cards may be swapped. discounts: one for each copy of a
    card that gives one. second_free: subtitles of cards of which a second copy is upgraded for nothing. givers: what
    cards give ("swaps", "upgrade", "repurchase", "second"), their names, and the traits of cards that it is for.
    """

    dearer: int
    swaps: int
    discounts: tuple[Discount, ...]
    second_free: Names
    givers: tuple[tuple[str, str, Names], ...] = ()

    def given_by(self, what: str, traits: Names = frozenset()) -> str:
        """Names of the cards that give something (to cards with these traits), for people."""
        names = {
            name for gift, name, wanted in self.givers if gift == what and (not wanted or not wanted.isdisjoint(traits))
        }
        return " and ".join(sorted(names))

    @property
    def on_upgrades(self) -> tuple[Discount, ...]:
        """The discounts on upgrades."""
        return tuple(discount for discount in self.discounts if discount.when == "upgrade")

    @property
    def on_exiled(self) -> tuple[Discount, ...]:
        """The discounts on cards purchased again after exile."""
        return tuple(discount for discount in self.discounts if discount.when == "repurchase")


def terms_of(changes: Changes) -> Terms:
    """The terms of a step. What a card gives "after each scenario" needs a scenario with it; the rest works at once (1.37)."""
    dearer = swaps = 0
    discounts: list[Discount] = []
    second_free: Names = frozenset()
    givers: list[tuple[str, str, Names]] = []
    for card, left, after in changes.held():
        buying = card.special.buying
        if buying.swaps and after:
            givers.append(("swaps", card.name, frozenset()))
        if buying.second_free and after:
            givers.append(("second", card.name, frozenset()))
        if buying.discount and (after if buying.discount.at_once else left):
            givers.append((buying.discount.when, card.name, buying.discount.traits))
        dearer += buying.dearer * left
        swaps += buying.swaps * after
        if buying.discount:
            discounts += [buying.discount] * (after if buying.discount.at_once else left)
        if after:
            second_free |= buying.second_free
    return Terms(dearer, swaps, tuple(discounts), second_free, tuple(givers))


def ways(changes: Changes, terms: Terms) -> list[list[Way]]:
    """For each title (and upgrade sheet) that came, the ways in which it can have been purchased, the plainest first."""
    found: list[list[Way]] = []
    titles: dict[tuple[str, str], list[Change]] = {}
    sheets = {(sheet.pile, sheet.card.root): sheet for sheet in changes.sheets}
    for change in changes.cards:
        card = change.card
        if card is None or not change.purchasable:
            continue
        sheet = sheets.get((change.pile, card.root))
        if sheet is not None:
            if way := tuple(_sheet(sheet, change, terms)):
                found.append([way])
        else:
            titles.setdefault((change.pile, card.title), []).append(change)
    for rows in titles.values():
        if any(change.come > 0 for change in rows):
            found.append(_ways_of_title(rows, terms))
    return found


def _sheet(sheet: Sheet, change: Change, terms: Terms) -> Iterator[Purchase]:
    """What boxes and copies of a customizable card cost.

    New copies cost what their upgrades take, all together; boxes on the sheet of a card that is in the deck are one upgrade.
    A copy purchased again costs what the sheet indicates, or nothing when boxes are marked besides (Rules Reference,
    "Customizable"; FAQ).
    """
    card, pile, counts = sheet.card, sheet.pile, change.entry.counts
    exiled = min(sheet.come, sheet.exiled)
    extra = 0 if exiled else terms.dearer
    if not sheet.left:
        if sheet.come and sheet.spent:
            price = max(MINIMUM, sheet.spent + card.surcharge + extra)
            yield Purchase(pile, card, How.SHEET, price, counts=counts, copies=sheet.come, exiled=exiled > 0)
        elif sheet.come:
            yield from _copies(change, card, sheet.come, terms)
        return
    if sheet.more:
        yield Purchase(pile, card, How.BOXES, sheet.more, counts=counts, copies=sheet.left)
    before = sum(sheet.before.values())
    for copy in range(sheet.come):
        again = copy < exiled
        price = before + card.surcharge + (0 if again else terms.dearer)
        free = again and sheet.more > 0
        if before == 0 and not free:
            yield from _copies(change, card, 1, terms)
        else:
            yield Purchase(pile, card, How.COPY, 0 if free else max(MINIMUM, price), counts=counts, exiled=again)


def _copies(change: Change, card: Card, copies: int, terms: Terms) -> Iterator[Purchase]:
    """Copies purchased new, or again after exile."""
    for copy in range(copies):
        yield _new(change, card, copy < change.exiled, terms)


def _new(change: Change, card: Card, again: bool, terms: Terms) -> Purchase:
    price = max(MINIMUM, cost_of_a_copy(card) + (0 if again else terms.dearer))
    how = How.AGAIN if again else How.NEW
    return Purchase(change.pile, card, how, price, counts=change.entry.counts, exiled=again)


def upgrade_price(source: Card, card: Card) -> int:
    """Experience for an upgrade before discounts: the difference, at least 1 (Rules Reference, "Experience").

    Ruling 1.8 keeps its own minimum, that of new cards, away from upgrades: a discount may bring this price down to 0.
    """
    return max(MINIMUM, cost_of_a_copy(card) - cost_of_a_copy(source))


def is_upgrade(source: Card, card: Card) -> bool:
    """Whether a card is a higher level version of another: same title, higher level, or exceptional at the same level (FAQ)."""
    if source.title != card.title or source.level is None or card.level is None or source.sheet or card.sheet:
        return False
    return source.level < card.level or (
        source.level == card.level and card.exceptional and not source.exceptional and source.root != card.root
    )


@dataclass(frozen=True, slots=True)
class _Source:
    """A copy from which a version of higher level can be made. `kept`: it is in the deck after the step, too."""

    change: Change
    card: Card
    kept: bool = False
    beside: bool = False


def _ways_of_title(rows: list[Change], terms: Terms) -> list[Way]:
    """All ways of purchasing what came of one title, each once."""
    arrivals = [(change, copy) for change in rows for copy in range(change.come)]
    sources: list[_Source] = []
    turns = bool(terms.on_upgrades) or terms.dearer > 0
    for change in rows:
        card = change.was.card or change.card
        if card is None:
            continue
        now = change.card or card
        sources += [_Source(change, now, kept=True, beside=True)] * change.beside
        sources += [_Source(change, now)] * (change.gone - change.forced)
        if turns:
            sources += [_Source(change, now, kept=True)] * (change.kept - change.beside)
    found: dict[tuple[int, ...], Way] = {}
    for way in islice(_assign(arrivals, sources, terms), _MOST_TRIED):
        known = found.get(_worth(way))
        if known is None or _total(way) < _total(known):
            found[_worth(way)] = way
    return sorted(found.values(), key=lambda way: (_total(way), len(way), -sum(p.upgrades for p in way)))


def _worth(way: Way) -> tuple[int, ...]:
    """What besides its price tells ways apart: how much discounts, swaps and refills can make of them."""
    return (
        sum(purchase.upgrades for purchase in way),
        sum(purchase.source is not None and purchase.source.level == 0 for purchase in way),
        sum(purchase.card.level == 0 for purchase in way),
        sum(purchase.exiled for purchase in way),
        sum(purchase.makes_room for purchase in way),
        max((purchase.price for purchase in way if purchase.upgrades), default=0),
    )


def _total(way: Way) -> int:
    return sum(purchase.price for purchase in way)


def _assign(arrivals: list[tuple[Change, int]], sources: list[_Source], terms: Terms) -> Iterator[Way]:
    """Every way of giving each arrival a source or none. A source that stays in the deck must be purchased anew."""
    if not arrivals:
        yield ()
        return
    (change, copy), *others = arrivals
    card = change.card
    if card is None:
        return
    tried: set[tuple[str, bool, bool]] = set()
    fitting = [source for source in sources if is_upgrade(source.card, card)]
    for source in fitting:
        kind = (source.card.root, source.kept, source.beside)
        if kind in tried:
            continue
        tried.add(kind)
        rest = list(sources)
        rest.remove(source)
        purchase = _upgraded(change, card, source)
        bought = (_new(source.change, source.card, False, terms),) if source.kept and not source.beside else ()
        for way in _assign(others, rest, terms):
            yield (purchase, *bought, *way)
    if card.researched and any(not source.kept for source in fitting):
        return
    for way in _assign(others, sources, terms):
        yield (_new(change, card, copy < change.exiled, terms), *way)


def _upgraded(change: Change, card: Card, source: _Source) -> Purchase:
    price = max(MINIMUM, cost_of_a_copy(card)) if source.beside else upgrade_price(source.card, card)
    return Purchase(change.pile, card, How.UPGRADE, price, source.card, source.beside, change.entry.counts)
