"""A purchase and its price before discounts, and on which terms a step is made."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from kb.games.arkham.decks.model import Card
from kb.games.arkham.decks.upgrade.changes import Changes
from kb.games.arkham.schema.options import Names
from kb.games.arkham.schema.special import Discount

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


@dataclass(frozen=True, slots=True)
class Purchase:
    """One purchase at its price before discounts. source: the lower version (an upgrade). beside: which stays in the deck.

    counts: whether the card counts towards the deck size. copies: how many the price is for. level: that of the card when
    it is purchased. makes_room: the lower version counted towards the deck size, the card does not.
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
    level: int = 0

    @property
    def makes_room(self) -> bool:
        """Whether the purchase leaves the deck one card short of its size."""
        return self.source is not None and not self.beside and self.card.permanent and not self.source.permanent

    @property
    def upgrades(self) -> bool:
        """Whether it counts as upgrading a card."""
        return self.how in (How.UPGRADE, How.BOXES)

    @property
    def enables(self) -> bool:
        """Whether the card changes what follows in the same step: deck size, options, swaps, discounts (ruling 1.37)."""
        special, buying = self.card.special, self.card.special.buying
        return bool(special.deck_size or special.gains or buying.swaps or buying.second_free or buying.discount)


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms purchases of a step are made, from the cards in the deck.

    dearer: what every new card costs more. swaps: how many level 0 cards may be swapped. on_upgrades: discounts on upgrades, one for
    each copy of a card that gives one. off_again: what cards purchased again after exile cost less, and how many of them. second_free:
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
                less_again, most_again = less_again + discount.less, max(most_again, discount.cards)
    return Terms(dearer, swaps, tuple(on_upgrades), (less_again, most_again), second_free, tuple(givers))


def full_price(card: Card) -> int:
    """Experience for a copy that no card makes dearer."""
    return max(MINIMUM, card.cost_of_a_copy)


def upgrade_price(source: Card, card: Card) -> int:
    """Experience for an upgrade before discounts: the difference, at least 1 (Rules Reference, "Experience")."""
    return max(MINIMUM, card.cost_of_a_copy - source.cost_of_a_copy)


def is_upgrade(source: Card, card: Card) -> bool:
    """Whether a card is a higher level version of another: same title, higher level, or exceptional at the same level (FAQ)."""
    if source.title != card.title or source.level is None or card.level is None or source.sheet or card.sheet:
        return False
    return source.level < card.level or (
        source.level == card.level and card.exceptional and not source.exceptional and source.root != card.root
    )


def refill_price(card: Card) -> int:
    """What a level 0 card costs that fills the deck: nothing but what a taboo list adds."""
    return max(0, card.surcharge)
