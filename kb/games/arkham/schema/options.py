"""Requirements of investigators and special cards (`special.yaml`): kinds of cards, options, choices, numbers, limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Literal

from kb.records import NOTHING, Record, key, record

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
    """The conditions that an option, a limit or a requirement puts on a card. A card must meet all conditions given;
    one value of each is enough.
    """

    classes: frozenset[CardClass] = key(name="class", default=frozenset())
    """A card of one of these classes."""
    traits: Names = key(name="trait", default=NO_NAMES, small=True)
    """A card with one of these traits."""
    types: frozenset[CardType] = key(name="type", default=frozenset())
    """A card of one of these types."""
    uses: Names = NO_NAMES
    """A card with uses of one of these kinds (charges, ammo …)."""
    tags: frozenset[Tag] = key(name="tag", default=frozenset())
    """A card whose text has one of these effects."""
    slots: Names = key(name="slot", default=NO_NAMES, small=True)
    """A card that takes one of these slots."""
    level: tuple[Level, Level] | None = None
    """A card whose level is in this range: lowest and highest."""
    permanent: bool | None = None
    """True: only permanent cards; false: only cards that are not permanent."""

    @property
    def kind(self) -> dict[str, Any]:
        """Return the conditions by field, to apply them to another option."""
        return {each.name: getattr(self, each.name) for each in fields(Wanted)}

    def admits(self, card: Any) -> bool:
        """Return True if a card (kb.games.arkham.decks.card) meets the conditions. A card without a level (bonded,
        story asset) meets no condition on the level.
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
    """At least `number` cards of a kind; with `of_classes`, that many of each of that many classes."""

    number: int = key(name="min", ge=1)
    """The minimum number of cards."""
    of_classes: int = key(name="classes", default=0, ge=1)
    """The number of classes that need that many cards each."""


@record
class ChosenOption(Wanted):
    """One of the options that a player chooses from at deck creation."""

    id: str
    """The value of the choice in a deck file."""
    size: int = 0
    """The cards that it adds to the deck size."""


@record
class DeckOption(Wanted):
    """One deckbuilding option. For an option that `forbids`, earlier options in the list are exceptions.

    other: a card takes one of these slots only if no other option allows it; if it is not set, a card of the kind
    always takes a slot, even if another option allows it (rulings 1.15, 1.16).
    """

    forbids: bool = key(name="not", default=False)
    """Cards of the kind are forbidden, unless an earlier option allows them."""
    base_level: tuple[Level, Level] | None = None
    """The lowest and highest printed level of cards with an upgrade sheet."""
    limit: int = key(default=0, ge=1)
    """The maximum number of cards that it allows; absent: any number."""
    other: bool | None = None
    """True if a limited option says "other": a card takes a slot only if no other option takes it."""
    at_least: AtLeast | None = None
    """The required number of cards of the kind."""
    only_counts: bool = False
    """It allows no cards and only requires a number."""
    chosen_as: str = key(name="choice", default="")
    """The key of the choice in a deck's choices."""
    choose_class: tuple[PlayableClass, ...] = ()
    """The classes to choose from."""
    choose_size: tuple[int, ...] = ()
    """The deck sizes to choose from."""
    choose_option: tuple[ChosenOption, ...] = ()
    """The options to choose from."""

    def __post_init__(self) -> None:
        if bool(self.limit) != (self.other is not None):
            raise ValueError("`other` belongs to a `limit`, and a `limit` needs it")
        if sum(map(bool, (self.choose_class, self.choose_size, self.choose_option))) != bool(self.chosen_as):
            raise ValueError("a choice needs its name (`choice`) and exactly one list to choose from")

    @property
    def values(self) -> tuple[str, ...]:
        """Return the possible values of the choice, as in a deck's choices; empty if there is no choice."""
        sizes, options = map(str, self.choose_size), (option.id for option in self.choose_option)
        return self.choose_class or tuple(sizes) or tuple(options)

    @property
    def demand(self) -> AtLeast | None:
        """Return the required number of cards of the option's own kind, None if there is none."""
        return replace(self.at_least, **self.kind) if self.at_least else None

    def settled(self, kind: Wanted) -> DeckOption:
        """Return the option with the kind that a choice selected."""
        return replace(self, **kind.kind, chosen_as="", choose_class=(), choose_size=(), choose_option=())


@record
class Build(Record):
    """The requirements on the back of an investigator."""

    size: int = key(ge=0)
    """The deck size."""
    required: tuple[tuple[str, ...], ...] = key(name="cards")
    """The signature cards: for each, its code and the codes of its possible replacements."""
    random_weaknesses: int = key(ge=0)
    """Random basic weaknesses."""
    options: tuple[DeckOption, ...]
    """The deckbuilding options, in order."""
    unread: tuple[str, ...] = ()
    """Conditions of a fan-made investigator's options that kb does not support."""

    @property
    def choices(self) -> tuple[DeckOption, ...]:
        """Return the options with a choice at deck creation."""
        return tuple(option for option in self.options if option.chosen_as)


@record
class TraitLimit(Record):
    """At most `max` cards with a trait in a deck."""

    trait: str = key(small=True)
    """The trait, in lower case."""
    max: int = key(ge=1)
    """The maximum number of cards with this trait in a deck."""


@record
class Attach(Wanted):
    """Cards of the deck that are set aside (market deck, attached events, branded spell)."""

    called: str
    """The name for these cards."""
    exactly: int = key(default=0, ge=0)
    """The exact number."""
    at_most: int = key(default=0, ge=0)
    """The maximum number."""
    different: bool = False
    """All of them are different."""
    only_copy: bool = False
    """The deck contains a single copy of each of them."""
    includes: str = ""
    """Code of a card that must be among them."""


@record
class FromCards(Record):
    """A requirement of between `least` and `most` of the cards `codes`, with at most `each` copies of one of them."""

    codes: tuple[str, ...] = key(name="any_of")
    """The codes of the cards."""
    least: int = key(name="min", ge=0)
    """The minimum number of them."""
    most: int = key(name="max", ge=0)
    """The maximum number of them."""
    each: int = key(ge=1)
    """The maximum number of copies of one of them."""
    at_start: int = key(default=0, ge=0)
    """The number of them in a deck that starts a campaign; absent: the same as later."""
    per_experience: int = key(default=0, ge=1)
    """The total experience to earn for one more."""


@record
class Demands(Record):
    """The requirements of a side of an investigator in addition to the signature cards."""

    cards: tuple[FromCards, ...] = ()
    """Cards from a list."""
    at_least: tuple[AtLeast, ...] = ()
    """Numbers of cards of a kind."""


@record
class SignatureCount(Record):
    """The number of copies of a signature card in a deck, if it differs from the card's limit."""

    code: str
    """The signature card."""
    by_size: Mapping[int, int] = NOTHING
    """Copies by deck size."""
    as_many_as: tuple[str, ...] = ()
    """There are as many copies as of these cards."""
    least: int = key(name="min", default=0, ge=0)
    """The minimum number of copies."""
    most: int = key(name="max", default=0, ge=0)
    """The maximum number of copies."""


@record
class Discount(Record):
    """The first `cards` cards that are upgraded (or exiled and purchased again) cost `less` experience less each."""

    when: Literal["upgrade", "repurchase"]
    """The occasion for the discount."""
    cards: int = key(ge=1)
    """The number of cards."""
    less: int = key(ge=1)
    """The experience saved on each."""
    traits: Names = key(name="trait", default=NO_NAMES, small=True)
    """Only for cards with one of these traits."""
    at_once: bool = False
    """It already applies in the step in which the card is purchased."""


@record
class InPlay(Wanted):
    """Cards that may be cheaper because a card was played, which no deck shows; for an upgrade, the cards after it."""

    when: Literal["new", "upgrade", "boxes"]
    """A new card, an upgrade, or boxes of an upgrade sheet."""


@record
class Buying(Record):
    """The changes that a card makes to purchases between scenarios."""

    swaps: int = key(default=0, ge=0)
    """Level 0 cards that may be swapped for others."""
    discount: Discount | None = None
    """The discount."""
    dearer: int = key(default=0, ge=0)
    """The extra cost of every new card."""
    second_free: Names = key(default=NO_NAMES, small=True)
    """Subtitles of cards whose second copy is upgraded for free."""
    earns: int = 0
    """Experience added to the experience from a scenario."""
    earns_nothing: bool = False
    """No more experience can be earned."""
    in_play: tuple[InPlay, ...] = ()
    """Cards that it may have made cheaper during a scenario."""
    frozen: bool = False
    """The deck cannot be changed."""
    trauma: Mapping[Literal["physical", "mental", "either"], int] = NOTHING
    """Points of trauma by kind for each copy purchased; below 0 they are removed."""
    one_class: bool = False
    """On the back of an investigator: cards above level 0 come from one class in each step."""


NO_DEMANDS, NO_BUYING = Demands(), Buying()


@record
class Special(Record):
    """The changes that a card makes to decks, beyond what ordinary cards do."""

    deck_size: int = 0
    """Cards that one copy adds to the deck size."""
    gains: DeckOption | None = None
    """An option that the deck gains, once for each copy."""
    forbids: Wanted | None = None
    """Cards that the deck may no longer contain."""
    single_copies: bool = False
    """One copy of each card by title, except weaknesses and signatures."""
    subtitle_limit: int = key(default=0, ge=0)
    """Copies with the same title and subtitle."""
    trait_limit: TraitLimit | None = None
    """The maximum number of cards with a trait in a deck."""
    at_least: tuple[AtLeast, ...] = ()
    """The required number of cards of a kind."""
    at_creation: bool = False
    """It can only be purchased when the deck is built."""
    stands_for_basic: str = ""
    """Code of the basic weakness that it replaced during the campaign."""
    beyond_size: int = key(default=0, ge=0)
    """Copies that a campaign may grant, which count toward neither the deck size nor the number of copies."""
    attach: Attach | None = None
    """Cards of the deck that are set aside."""
    experience: int = 0
    """Experience that it gives when it is purchased or put in a new deck."""
    starting_experience: int = 0
    """Experience with which the investigator starts a campaign."""
    keeps_lower: Names = key(default=NO_NAMES, small=True)
    """Traits of cards whose lower level version may stay in the deck, uncounted, after an upgrade."""
    front: Demands = NO_DEMANDS
    """The requirements of the front in addition to the signature cards."""
    back: Demands = NO_DEMANDS
    """The requirements of the back in addition to the signature cards."""
    counts: tuple[SignatureCount, ...] = ()
    """The number of copies of signature cards in a deck."""
    replaces_signatures: bool = False
    """An investigator transformed into this one has a random basic weakness for each signature card."""
    defeated: Literal["", "killed", "replaced"] = ""
    """The fate of an investigator defeated with it in the deck, or as it: killed, or replaced by its other side."""
    buying: Buying = NO_BUYING
    """The changes to purchases between scenarios."""


NOT_SPECIAL = Special()


@record
class SpecialRow(Special):
    """A row of special.yaml: the card, the source, and facts entered by hand."""

    code: str
    """The card."""
    name: str
    """Its name, which must match."""
    source: str
    """The source of the facts."""
    limit: int | None = key(default=None, ge=0)
    """Copies by title, if the data's limit is by subtitle."""
    duplicate_of: str = ""
    """The first printing, if the data omits it."""
    modified: bool = False
    """A modified reprint: a deck contains this version of the card or the first printing's, not both."""
    alternate_of: str = ""
    """The original investigator, if the data omits it."""
    deck_options: tuple[DeckOption, ...] | None = None
    """The options, if the data has different ones."""
    side_options: tuple[DeckOption, ...] | None = None
    """The options of the side deck, if the data has different ones."""
