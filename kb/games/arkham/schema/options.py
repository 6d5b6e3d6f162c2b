"""Types of deckbuilding facts: options, choices and requirements of investigators, and the rows of `special.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Literal

from kb.frozen import NOTHING
from kb.shapes import Record, key, record

CLASSES = ("guardian", "seeker", "rogue", "mystic", "survivor")
CardClass = Literal["guardian", "seeker", "rogue", "mystic", "survivor", "neutral", "mythos"]
PlayableClass = Literal["guardian", "seeker", "rogue", "mystic", "survivor"]
CardType = Literal["asset", "event", "skill", "investigator", "treachery", "enemy", "story", "location", "key"]
Tag = Literal["heals-horror", "heals-damage", "parley", "seal", "names-firearm"]
Names = frozenset[str]
NO_NAMES: Names = frozenset()
HIGHEST_LEVEL = 5
Level = Literal[0, 1, 2, 3, 4, 5]


@record
class Wanted(Record):
    """The conditions that an option, a limit or a requirement puts on a card.

    A card must meet every condition that is given. If a condition lists several values, one of them is enough.
    """

    classes: frozenset[CardClass] = key(name="class", default=frozenset())
    """Classes; the card must have one of them."""
    traits: Names = key(name="trait", default=NO_NAMES, small=True)
    """Traits; the card must have one of them."""
    types: frozenset[CardType] = key(name="type", default=frozenset())
    """Types; the card must have one of them."""
    uses: Names = NO_NAMES
    """Kinds of uses (charges, ammo …); the card must have one of them."""
    tags: frozenset[Tag] = key(name="tag", default=frozenset())
    """Effects; the card's text must have one of them."""
    slots: Names = key(name="slot", default=NO_NAMES, small=True)
    """Slots; the card must take one of them."""
    level: tuple[Level, Level] | None = None
    """The lowest and the highest level that the card may have."""
    permanent: bool | None = None
    """True: the card must be permanent; false: it must not be permanent."""

    @property
    def kind(self) -> dict[str, Any]:
        """Return the conditions as keyword arguments, so that another option can be made with them."""
        return {each.name: getattr(self, each.name) for each in fields(Wanted)}

    def admits(self, card: Any) -> bool:
        """Return True if `card` (see kb.games.arkham.decks.card) meets all conditions.

        A card without a level, such as a bonded card or story asset, never meets a condition on the level.
        """
        if self.level is not None and (card.level is None or not self.level[0] <= card.level <= self.level[1]):
            return False
        return (
            (not self.classes or not self.classes.isdisjoint(card.classes))
            and (not self.traits or not self.traits.isdisjoint(card.traits))
            and (not self.types or card.type in self.types)
            and (not self.uses or card.uses in self.uses)
            and (not self.tags or not self.tags.isdisjoint(card.tags))
            and (not self.slots or not self.slots.isdisjoint(card.slots))
            and (self.permanent is None or self.permanent == ("permanent" in card.keywords))
        )


@record
class AtLeast(Wanted):
    """A requirement of at least `number` cards that meet the conditions.

    If `of_classes` is given, that many classes need `number` cards each.
    """

    number: int = key(name="min", ge=1)
    """The minimum number of cards."""
    of_classes: int = key(name="classes", default=0, ge=1)
    """The number of classes that each need the minimum number of cards."""


@record
class ChosenOption(Wanted):
    """One of several options that a player chooses from when the deck is built."""

    id: str
    """The value that records this choice in a deck file."""
    size: int = 0
    """The number of cards that this choice adds to the deck size."""


@record
class DeckOption(Wanted):
    """One deckbuilding option of an investigator: the cards that it allows, or forbids.

    If the option forbids cards, earlier options in the list are exceptions to it. A limited option has a number of
    slots, one for each card. With `other: true`, a card takes a slot only if no other option allows the card. With
    `other: false`, a card that meets the conditions always takes a slot, even if another option allows it (rulings
    1.15, 1.16).
    """

    forbids: bool = key(name="not", default=False)
    """True: cards that meet the conditions are forbidden, unless an earlier option allows them."""
    base_level: tuple[Level, Level] | None = None
    """The lowest and the highest printed level of cards with an upgrade sheet."""
    limit: int = key(default=0, ge=1)
    """The most cards that the option allows; absent: any number."""
    other: bool | None = None
    """True if a limited option says "other": a card takes a slot only if no other option allows the card."""
    at_least: AtLeast | None = None
    """The number of cards in the deck that must meet the conditions."""
    only_counts: bool = False
    """True if the option allows no cards and only requires a number of them."""
    chosen_as: str = key(name="choice", default="")
    """The key that records the choice under `choices` in a deck file."""
    choose_class: tuple[PlayableClass, ...] = ()
    """The classes to choose from."""
    choose_size: tuple[int, ...] = ()
    """The deck sizes to choose from."""
    choose_option: tuple[ChosenOption, ...] = ()
    """The options to choose from."""

    def __post_init__(self) -> None:
        if bool(self.limit) != (self.other is not None):
            raise ValueError("`limit` and `other` must be given together")
        if sum(map(bool, (self.choose_class, self.choose_size, self.choose_option))) != bool(self.chosen_as):
            raise ValueError("a choice needs its name (`choice`) and exactly one list to choose from")

    @property
    def values(self) -> tuple[str, ...]:
        """Return the values that a deck file may record for the choice; empty if the option offers no choice."""
        sizes, options = map(str, self.choose_size), (option.id for option in self.choose_option)
        return self.choose_class or tuple(sizes) or tuple(options)

    @property
    def demand(self) -> AtLeast | None:
        """Return the required number of cards, with the conditions of this option; None if no number is required."""
        return replace(self.at_least, **self.kind) if self.at_least else None

    def settled(self, kind: Wanted) -> DeckOption:
        """Return this option after the choice is made: without the choice, and with the conditions of `kind`."""
        return replace(self, **kind.kind, chosen_as="", choose_class=(), choose_size=(), choose_option=())


@record
class Build(Record):
    """The deckbuilding requirements on the back of an investigator card."""

    size: int = key(ge=0)
    """The deck size."""
    required: tuple[tuple[str, ...], ...] = key(name="cards")
    """The signature cards: for each, the code of the card followed by the codes of possible replacements."""
    random_weaknesses: int = key(ge=0)
    """The number of random basic weaknesses."""
    options: tuple[DeckOption, ...]
    """The deckbuilding options, in the printed order."""
    unread: tuple[str, ...] = ()
    """Conditions in the options of a fan-made investigator that kb does not support."""

    @property
    def choices(self) -> tuple[DeckOption, ...]:
        """Return the options that offer a choice when the deck is built."""
        return tuple(option for option in self.options if option.chosen_as)


@record
class TraitLimit(Record):
    """A limit of at most `max` cards with a trait in a deck."""

    trait: str = key(small=True)
    """The trait, in lower case."""
    max: int = key(ge=1)
    """The maximum number of cards with this trait in a deck."""


@record
class Attach(Wanted):
    """Cards in the deck that another card sets aside (market deck, attached events, branded spell)."""

    called: str
    """The name for the cards set aside."""
    exactly: int = key(default=0, ge=0)
    """The exact number of cards to set aside."""
    at_most: int = key(default=0, ge=0)
    """The maximum number of cards to set aside."""
    different: bool = False
    """True if all cards set aside are different."""
    only_copy: bool = False
    """True if each card set aside is the only copy of its title in the deck."""
    includes: str = ""
    """Code of a card that must be set aside."""


@record
class FromCards(Record):
    """A requirement of `least` to `most` cards from the list `codes`, with at most `each` copies of one card."""

    codes: tuple[str, ...] = key(name="any_of")
    """The codes of the listed cards."""
    least: int = key(name="min", ge=0)
    """The minimum number of cards from the list."""
    most: int = key(name="max", ge=0)
    """The maximum number of cards from the list."""
    each: int = key(ge=1)
    """The maximum number of copies of one listed card."""
    at_start: int = key(default=0, ge=0)
    """The number of cards from the list in a deck that starts a campaign; absent: the same number as later."""
    per_experience: int = key(default=0, ge=1)
    """The experience to earn for each further card from the list, counted over the whole campaign."""


@record
class Demands(Record):
    """The requirements of one side of an investigator card, in addition to the signature cards."""

    cards: tuple[FromCards, ...] = ()
    """Requirements for cards from a list."""
    at_least: tuple[AtLeast, ...] = ()
    """Minimum numbers of cards that meet conditions."""


@record
class SignatureCount(Record):
    """The number of copies of a signature card that a deck needs, if it differs from the card's limit."""

    code: str
    """Code of the signature card."""
    by_size: Mapping[int, int] = NOTHING
    """The number of copies for each deck size."""
    as_many_as: tuple[str, ...] = ()
    """Codes of other cards: the deck needs as many copies as it has of these cards."""
    least: int = key(name="min", default=0, ge=0)
    """The minimum number of copies."""
    most: int = key(name="max", default=0, ge=0)
    """The maximum number of copies."""


@record
class Discount(Record):
    """A discount: the first `cards` cards that are upgraded, or purchased again after exile, cost `less` experience
    less each.
    """

    when: Literal["upgrade", "repurchase"]
    """The purchases that are cheaper: upgrades, or cards purchased again after exile."""
    cards: int = key(ge=1)
    """The number of cards that are cheaper."""
    less: int = key(ge=1)
    """The experience saved on each card."""
    traits: Names = key(name="trait", default=NO_NAMES, small=True)
    """Traits: a cheaper card must have one of these; absent: any card."""
    at_once: bool = False
    """True if the discount already applies in the step in which the card that gives it is purchased."""


@record
class InPlay(Wanted):
    """Cards whose purchase may be cheaper because a card was played in the scenario. No deck file shows which cards
    were played.

    For upgrades, the conditions are about the higher level card.
    """

    when: Literal["new", "upgrade", "boxes"]
    """The kind of purchase: a new card, an upgrade, or boxes of an upgrade sheet."""


@record
class Buying(Record):
    """The changes that a card makes to purchases between two scenarios."""

    swaps: int = key(default=0, ge=0)
    """The number of level 0 cards that may be swapped for other level 0 cards."""
    discount: Discount | None = None
    """The discount that the card gives."""
    dearer: int = key(default=0, ge=0)
    """The extra experience that every new card costs."""
    second_free: Names = key(default=NO_NAMES, small=True)
    """Subtitles: if a card with one of them is upgraded, a second copy of the card is upgraded for free."""
    earns: int = 0
    """Experience that the card adds to the experience earned in a scenario."""
    earns_nothing: bool = False
    """True if an investigator with this card can earn no more experience."""
    in_play: tuple[InPlay, ...] = ()
    """Purchases that the card may have made cheaper during a scenario."""
    frozen: bool = False
    """True if the deck cannot be changed."""
    trauma: Mapping[Literal["physical", "mental", "either"], int] = NOTHING
    """Points of trauma, by kind, for each copy purchased; below 0: trauma is removed."""
    one_class: bool = False
    """True on the back of an investigator who purchases cards above level 0 from only one class in each step."""


NO_DEMANDS, NO_BUYING = Demands(), Buying()


@record
class Special(Record):
    """The changes that a card makes to the rules of decks or of purchases."""

    deck_size: int = 0
    """The number of cards that each copy adds to the deck size."""
    gains: DeckOption | None = None
    """A deckbuilding option that the deck gains, once for each copy."""
    forbids: Wanted | None = None
    """Cards that a deck with this card may not contain."""
    single_copies: bool = False
    """True if the deck may contain only one copy of each title, except weaknesses and signature cards."""
    subtitle_limit: int = key(default=0, ge=0)
    """The most copies with the same title and subtitle."""
    trait_limit: TraitLimit | None = None
    """The most cards with a trait that the deck may contain."""
    at_least: tuple[AtLeast, ...] = ()
    """Minimum numbers of cards that meet conditions."""
    at_creation: bool = False
    """True if the card can only be purchased when the deck is built."""
    stands_for_basic: str = ""
    """Code of the basic weakness that this card replaced during the campaign."""
    beyond_size: int = key(default=0, ge=0)
    """The number of copies that a campaign may grant. Granted copies count toward neither the deck size nor the limit
    of copies.
    """
    attach: Attach | None = None
    """Cards in the deck that this card sets aside."""
    experience: int = 0
    """Experience that the card gives when it is purchased or put in a new deck."""
    starting_experience: int = 0
    """The experience that the investigator starts a campaign with."""
    keeps_lower: Names = key(default=NO_NAMES, small=True)
    """Traits of cards whose lower level version may stay in the deck after an upgrade, without being counted."""
    front: Demands = NO_DEMANDS
    """Requirements of the front of an investigator card, in addition to the signature cards."""
    back: Demands = NO_DEMANDS
    """Requirements of the back of an investigator card, in addition to the signature cards."""
    counts: tuple[SignatureCount, ...] = ()
    """The number of copies that a deck needs, for certain signature cards."""
    replaces_signatures: bool = False
    """True if an investigator transformed into this one gets a random basic weakness in place of each signature card."""
    defeated: Literal["", "killed", "replaced"] = ""
    """The fate of an investigator who is defeated with this card in the deck, or while playing as this card: `killed`,
    or `replaced` by the other side of the card.
    """
    buying: Buying = NO_BUYING
    """The changes to purchases between two scenarios."""


NOT_SPECIAL = Special()


@record
class SpecialRow(Special):
    """A row of special.yaml: the code and name of a card, the source, and facts entered by hand."""

    code: str
    """Code of the card."""
    name: str
    """Name of the card, as in the card data."""
    source: str
    """The source of the facts, such as the card text."""
    limit: int | None = key(default=None, ge=0)
    """Maximum number of copies in a deck, counted by title; for cards whose data counts copies by subtitle."""
    duplicate_of: str = ""
    """Code of the first printing, if the data omits it."""
    modified: bool = False
    """True for a modified reprint. A deck contains this version of the card or the first printing, not both."""
    alternate_of: str = ""
    """Code of the original investigator, if the data omits it."""
    deck_options: tuple[DeckOption, ...] | None = None
    """The deckbuilding options, if the data has wrong ones."""
    side_options: tuple[DeckOption, ...] | None = None
    """The options of the extra deck, if the data has wrong ones."""
