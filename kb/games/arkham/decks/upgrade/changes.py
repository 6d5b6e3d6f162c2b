"""What changed between two decks - copies that stayed, left and came, boxes of upgrade sheets - and what a purchase is and costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from kb.frozen import frozen
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import GRIMOIRE
from kb.games.arkham.decks.model import Card, Deck, Pile
from kb.games.arkham.decks.profile import Denial, Kind, Profile, Status, profile_of
from kb.games.arkham.schema.options import Discount, Names
from kb.records import NOTHING

DECK, EXTRA = "deck", "extra deck"
_MOST_COPIES = 30
_NEVER_PURCHASED = (Kind.SIGNATURE, Kind.BASIC, Kind.WEAKNESS, Kind.STORY, Kind.UNKNOWN)
_WITHOUT_PRICE = (Denial.TYPE, Denial.BONDED, Denial.SIGNATURE)


@frozen
class Change:
    """Copies of one card (by first printing) in one pile: before, exiled of them, and after.

    card: as the deck after has it, with its taboo list and boxes, which `before_label` names as it was. `status` is what the rules say of the
    card in the deck after, `was` in the deck before. beside: copies that may stay
    uncounted besides a higher level version (new ones). granted: uncounted copies that a campaign gave. forced: copies
    that the changed deck may no longer hold.
    """

    pile: str
    card: Card
    status: Status
    was: Status
    before: int
    after: int
    exiled: int = 0
    beside: int = 0
    granted: int = 0
    forced: int = 0

    @property
    def before_label(self) -> str:
        """The card as it was before the step, with the boxes marked then."""
        return self.was.label

    @property
    def swappable(self) -> bool:
        """Whether copies of the deck before may be swapped out: purchasable, not permanent, level 0 with the boxes marked then."""
        was = self.was.card or self.card
        return self.pile == DECK and self.purchasable and was.level == 0 and "permanent" not in was.keywords

    @property
    def left(self) -> int:
        """Copies that were left after the scenario."""
        return self.before - self.exiled

    @property
    def kept(self) -> int:
        """Copies that stayed."""
        return min(self.left, self.after)

    @property
    def gone(self) -> int:
        """Copies that left the deck, exile apart."""
        return self.left - self.kept

    @property
    def stock(self) -> int:
        """Copies that could stay or be upgraded."""
        return self.left - self.forced

    @property
    def goal(self) -> int:
        """Copies in the deck after, without those that a campaign gave."""
        return max(0, self.after - self.granted)

    @property
    def come(self) -> int:
        """Copies that came into the deck, by purchase or otherwise."""
        return self.after - self.kept - self.granted

    @property
    def purchasable(self) -> bool:
        """Whether copies of the card come by purchase: it has a level and is no weakness, signature or story card."""
        return (
            self.card.level is not None
            and self.status.kind not in _NEVER_PURCHASED
            and self.status.denial not in _WITHOUT_PRICE
        )


@frozen
class Sheet:
    """An upgrade sheet with its marked boxes (experience spent) before and after; blank before when no copy was left."""

    pile: str
    card: Card
    before: Mapping[int, int]
    after: Mapping[int, int]
    left: int
    come: int
    exiled: int

    @property
    def spent(self) -> int:
        """Experience in the sheet after the step."""
        return sum(self.after.values())

    @property
    def more(self) -> int:
        """Boxes marked in this step."""
        return sum(max(0, boxes - self.before.get(index, 0)) for index, boxes in self.after.items())

    @property
    def erased(self) -> int:
        """Boxes that were marked and are not any more."""
        return sum(max(0, boxes - self.after.get(index, 0)) for index, boxes in self.before.items())


@dataclass(slots=True)
class Changes:
    """All that changed between two decks, unknown codes apart. holes: by pile, how many cards must be purchased to reach the deck size.

    not_held: exiled codes of which the deck had no copy left.
    """

    old: Deck
    new: Deck
    facts: Facts
    was: Profile
    now: Profile
    cards: list[Change] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    holes: dict[str, int] = field(default_factory=dict)
    not_held: list[str] = field(default_factory=list)

    def purchases(self) -> Iterator[Change]:
        """Changes by which purchasable cards came."""
        return (change for change in self.cards if change.come > 0 and change.purchasable)

    def held(self) -> Iterator[tuple[Card, int, int]]:
        """The cards of the deck with the copies left after the scenario and the copies in the deck after the step."""
        for change in self.cards:
            if change.pile == DECK:
                yield change.card, change.left, change.after


def changes_between(old: Deck, new: Deck, facts: Facts) -> Changes:
    """Compare two decks. Copies named in the exile list of the deck after have left the deck before."""
    found = Changes(old, new, facts, profile_of(facts, old), profile_of(facts, new))
    exiled = Counter(map(facts.root, new.exiled))
    for pile, before, after in ((DECK, old.cards, new.cards), (EXTRA, old.extra, new.extra)):
        rows = list(_pile(found, pile, _copies(before, facts), _copies(after, facts), exiled))
        found.cards += _with_forced(rows, new, facts)
        found.sheets += _sheets(found, pile)
        found.holes[pile] = _holes(found, pile)
    found.not_held = list(exiled.elements())
    return found


def _pile(
    found: Changes, pile: str, before: Counter[str], after: Counter[str], exiled: Counter[str]
) -> Iterator[Change]:
    """The changes of one pile; copies exiled from it are taken off `exiled`."""
    facts, was, now = found.facts, found.was, found.now
    if pile == EXTRA:
        was, now = was.extra or was, now.extra or now
    beside = _copies(found.new.ignored, facts) - _copies(found.old.ignored, facts) if pile == DECK else Counter[str]()
    printed = {facts.root(code): code for code in (*_codes(found.old, pile), *_codes(found.new, pile))}
    for root in dict.fromkeys([*before, *after]):
        had, has = before[root], after[root]
        lost = min(had, exiled[root])
        exiled[root] -= lost
        code = printed[root]
        status, older = _status(now, found.new, code), _status(was, found.old, code)
        if (card := status.card) is None:
            continue
        uncounted = min(beside[root], has)
        keeps = not now.keeps_lower.isdisjoint(card.traits)
        kept = min(had - lost, has)
        yield Change(
            pile=pile,
            card=card,
            status=status,
            was=older,
            before=had,
            after=has,
            exiled=lost,
            beside=uncounted if keeps else 0,
            granted=0 if keeps else min(uncounted, has - kept),
        )


def _codes(deck: Deck, pile: str) -> Pile:
    return deck.cards if pile == DECK else deck.extra


def _status(profile: Profile, deck: Deck, code: str) -> Status:
    """The status of a card with the boxes that the deck has marked on its sheet."""
    facts = profile.facts
    marked = (marks for other, marks in deck.customizations.items() if facts.root(other) == facts.root(code))
    marks = next(marked, None)
    return profile.upgraded(code, marks) if marks else profile.status(code)


def _with_forced(rows: list[Change], new: Deck, facts: Facts) -> list[Change]:
    """The changes with the copies that had to leave: cards no longer allowed, or more than the deck after may hold of a title.

    Fewer may be there by a limit of a card that came, or as the only copy that a card asks for (branded). Copies that are
    upgraded make no room; of the others those of the lowest level go first. Source: ruling 1.18.
    """
    titles: dict[str, list[int]] = {}
    for place, change in enumerate(rows):
        if change.was.kind is Kind.PLAYER and change.gone and change.status.kind is Kind.DENIED:
            rows[place] = replace(change, forced=change.gone)
        elif Kind.PLAYER in (change.was.kind, change.status.kind):
            titles.setdefault(change.card.title, []).append(place)
    alone = {
        named.title
        for code, chosen in new.attachments.items()
        if (card := facts.card(code)) and card.special.attach and card.special.attach.only_copy
        for each in chosen
        if (named := facts.card(each))
    }
    for title, places in titles.items():
        changes = [rows[place] for place in places]
        gone, come = sum(each.gone for each in changes), sum(each.come for each in changes)
        if not gone:
            continue
        before = min((each.was.limit for each in changes if each.before), default=0)
        most = min((each.status.limit for each in changes if each.after), default=before)
        most = 1 if title in alone else most
        stay = sum(each.kept for each in changes) + come + max(0, gone - come)
        forced = min(max(0, gone - come), stay - most) if most < before else 0
        for place in sorted(places, key=lambda place: rows[place].card.level or 0):
            if out := min(rows[place].gone, max(0, forced)):
                rows[place] = replace(rows[place], forced=out)
                forced -= out
    return rows


def _sheets(found: Changes, pile: str) -> Iterator[Sheet]:
    """The upgrade sheets of the customizable cards of a pile that are in the deck after the step."""
    before, after = _marks(found.old, found.facts), _marks(found.new, found.facts)
    for change in found.cards:
        card = change.card
        if not card.sheet or change.pile != pile or change.after <= 0:
            continue
        marked = after.get(card.root, NOTHING)
        past = before.get(card.root, NOTHING) if change.left > 0 else NOTHING
        if marked or past:
            yield Sheet(pile, card, past, marked, change.left, change.come, change.exiled)


def _holes(found: Changes, pile: str) -> int:
    """How many cards must be purchased so that the deck has its size: for what was exiled or forced out, and for growth.

    Never more than are really missing; what was missing before the step is made good for nothing by the Grimoire only
    (9.002: "for any reason"). Source: rulings 1.18, 1.37 (a card purchased in this step changes the size at once).
    """
    was, now = found.was, found.now
    if pile == EXTRA:
        if was.extra is None or now.extra is None:
            return 0
        was, now = was.extra, now.extra
    rows = [change for change in found.cards if change.pile == pile and change.was.counts]
    lost = sum(change.exiled + change.forced for change in rows)
    held = sum(change.before - _uncounted(found.old, change, found.facts) for change in rows)
    missing = now.size - held + lost
    return max(0, missing if found.new.rules == GRIMOIRE else min(lost + now.size - was.size, missing))


def _uncounted(deck: Deck, change: Change, facts: Facts) -> int:
    if change.pile == EXTRA:
        return 0
    return sum(copies for code, copies in deck.ignored.items() if facts.root(code) == change.card.root)


def _marks(deck: Deck, facts: Facts) -> dict[str, dict[int, int]]:
    """Experience spent by upgrade, by first printing of the card."""
    return {
        facts.root(code): {mark.index: mark.spent for mark in marks if mark.spent > 0}
        for code, marks in deck.customizations.items()
    }


def _copies(cards: Pile, facts: Facts) -> Counter[str]:
    """Copies by first printing. Numbers that make no sense are left out or cut; checks of the deck report them."""
    counts: Counter[str] = Counter()
    for code, copies in cards.items():
        counts[facts.root(code)] += max(0, copies)
    return Counter({root: min(copies, _MOST_COPIES) for root, copies in counts.items() if copies})


MINIMUM = 1


class How(Enum):
    """How something is purchased."""

    NEW = "new card"
    AGAIN = "purchased again after exile"
    UPGRADE = "upgrade"
    BOXES = "boxes of an upgrade sheet"
    SHEET = "new card with marked boxes"
    COPY = "further copy of a card with marked boxes"


class Free(Enum):
    """Why a purchase costs less than its price, discounts apart."""

    NO = ""
    REFILL = "fills the deck to its size"
    SWAP = "swapped"
    MYRIAD = "further copy of a myriad card"
    SECOND = "second copy upgraded"
    BOXES = "a copy comes with the boxes marked"


@frozen
class Purchase:
    """One purchase at its price before discounts. source: the lower version (an upgrade). beside: which stays in the deck.

    copies: how many the price is for. level: that of the card when
    it is purchased. makes_room: the lower version counted towards the deck size, the card does not.
    """

    pile: str
    card: Card
    how: How
    price: int
    source: Card | None = None
    beside: bool = False
    copies: int = 1
    exiled: bool = False
    level: int = 0

    @property
    def makes_room(self) -> bool:
        """Whether the purchase leaves the deck one card short of its size."""
        return (
            self.source is not None
            and not self.beside
            and "permanent" in self.card.keywords
            and "permanent" not in self.source.keywords
        )

    @property
    def upgrades(self) -> bool:
        """Whether it counts as upgrading a card."""
        return self.how in (How.UPGRADE, How.BOXES)

    @property
    def enables(self) -> bool:
        """Whether the card changes what follows in the same step: deck size, options, swaps, discounts (ruling 1.37)."""
        special, buying = self.card.special, self.card.special.buying
        return bool(special.deck_size or special.gains or buying.swaps or buying.second_free or buying.discount)


@frozen
class Bill:
    """What one purchase costs in the end; `off` is what discounts took off, those of the cards `by`. out: by label, the card swapped out
    for it. place: its place among the first upgrades, for which discounts hold (-1: none)."""

    purchase: Purchase
    cost: int
    free: Free = Free.NO
    off: int = 0
    by: str = ""
    out: str = ""
    place: int = -1

    @property
    def trouble(self) -> int:
        """What tells apart ways that cost the same: fewer purchases, and rather an upgrade than a new card."""
        return 2 if self.purchase.upgrades else 4 if self.free is Free.SWAP else 3


@frozen
class Terms:
    """On which terms purchases of a step are made, from the cards in the deck.

    dearer: what every new card costs more. swaps: how many level 0 cards may be swapped. on_upgrades: discounts on upgrades, one for
    each copy of a card that gives one. off_again: how much less a card purchased again after exile can cost, and all of them. second_free:
    subtitles of cards of which a second copy is upgraded for nothing. givers: what cards give ("dearer", "swaps", "again", "second"; a
    place among the discounts on upgrades) and their names.
    """

    dearer: int = 0
    swaps: int = 0
    on_upgrades: tuple[Discount, ...] = ()
    off_again: tuple[int, int] = (0, 0)
    second_free: Names = frozenset()
    givers: tuple[tuple[str | int, str], ...] = ()

    def given_by(self, *what: str | int) -> str:
        """Names of the cards that give something, for people."""
        return " and ".join(sorted({name for gift, name in self.givers if gift in what}))

    def of_new(self, card: Card, again: bool = False) -> int:
        """Experience for a new copy: what it costs and what new cards cost more, at least 1 (rulings 1.8)."""
        dearer = 0 if again else self.dearer
        return max(MINIMUM, card.cost_of_a_copy + dearer)


def terms_of(changes: Changes) -> Terms:
    """The terms of a step. What a card gives "after each scenario" needs a scenario with it; the rest works at once (1.37)."""
    dearer = swaps = less_again = most_again = 0
    on_upgrades: list[Discount] = []
    second_free: Names = frozenset()
    givers: list[tuple[str | int, str]] = []
    for card, left, after in changes.held():
        buying, discount = card.special.buying, card.special.buying.discount
        dearer += buying.dearer * left
        swaps += buying.swaps * after
        givers += [("dearer", card.name)] * bool(buying.dearer and left) + [("swaps", card.name)] * bool(
            buying.swaps and after
        )
        if buying.second_free and after:
            second_free |= buying.second_free
            givers.append(("second", card.name))
        for _ in range(after if discount and discount.at_once else left):
            if discount and discount.when == "upgrade":
                givers.append((len(on_upgrades), card.name))
                on_upgrades.append(discount)
            elif discount:
                givers.append(("again", card.name))
                less_again, most_again = less_again + discount.less, most_again + discount.less * discount.cards
    return Terms(dearer, swaps, tuple(on_upgrades), (less_again, most_again), second_free, tuple(givers))


def upgrade_price(source: Card, card: Card) -> int:
    """Experience for an upgrade before discounts: the difference, at least 1 (Rules Reference, "Experience")."""
    return max(MINIMUM, card.cost_of_a_copy - source.cost_of_a_copy)


def is_upgrade(source: Card, card: Card) -> bool:
    """Whether a card is a higher level version of another: same title, higher level, or exceptional at the same level (FAQ)."""
    if source.title != card.title or source.level is None or card.level is None or source.sheet or card.sheet:
        return False
    return source.level < card.level or (
        source.level == card.level
        and "exceptional" in card.keywords
        and "exceptional" not in source.keywords
        and source.root != card.root
    )


def refill_price(card: Card) -> int:
    """What a level 0 card costs that fills the deck: nothing but what a taboo list adds."""
    return max(0, card.surcharge)
