"""What investigators and special cards (`special.yaml`) ask of decks: kinds of cards, options, choices, requirements, limits."""

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
    """What an option, a limit or a requirement asks of a card: all of what is given, any name of each set."""

    classes: frozenset[CardClass] = key(name="class", default=frozenset())
    """A card of one of these classes."""
    traits: Names = key(name="trait", default=NO_NAMES, small=True)
    """With one of these traits."""
    types: frozenset[CardType] = key(name="type", default=frozenset())
    """Of one of these types."""
    uses: Names = NO_NAMES
    """With uses of one of these kinds (charges, ammo …)."""
    tags: frozenset[Tag] = key(name="tag", default=frozenset())
    """Whose text does one of these things."""
    slots: Names = key(name="slot", default=NO_NAMES, small=True)
    """That takes one of these slots."""
    level: tuple[Level, Level] | None = None
    """Of a level from the first number to the second."""
    permanent: bool | None = None
    """Permanent, or not permanent."""

    @property
    def kind(self) -> dict[str, Any]:
        """What is asked, by field: another option can ask the same."""
        return {each.name: getattr(self, each.name) for each in fields(Wanted)}

    def admits(self, card: Any) -> bool:
        """Whether a card (kb.games.arkham.decks.card) is of the kind. One without a level is of no level (rules: bonded, story assets)."""
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
    """At least `number` cards of a kind; with `of_classes`, that many of each of so many classes."""

    number: int = key(name="min", ge=1)
    """How many cards there must be at least."""
    of_classes: int = key(name="classes", default=0, ge=1)
    """That many of each of so many classes."""


@record
class ChosenOption(Wanted):
    """One of the options among which a player chooses at deck creation."""

    id: str
    """What a deck file calls the choice."""
    size: int = 0
    """What it adds to the deck size."""


@record
class DeckOption(Wanted):
    """One deckbuilding option. Earlier options of a list are the "unless" of a later one that `forbids`.

    other: a card takes one of these slots only when no other option lets it in; without it, a card of the kind takes a slot
    whatever else lets it in (rulings 1.15, 1.16).
    """

    forbids: bool = key(name="not", default=False)
    """Cards of the kind are forbidden, unless an earlier option lets them in."""
    base_level: tuple[Level, Level] | None = None
    """The printed level of a card with an upgrade sheet, from and to."""
    limit: int = key(default=0, ge=1)
    """How many cards it lets in; absent: any number."""
    other: bool | None = None
    """Whether a limited option says "other": a card takes a slot only if no other option takes it."""
    at_least: AtLeast | None = None
    """How many cards of the kind there must be."""
    only_counts: bool = False
    """It lets nothing in, and only says how many there must be."""
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
        """What may be chosen, as a deck's choices say it; nothing where nothing is to be chosen."""
        sizes, options = map(str, self.choose_size), (option.id for option in self.choose_option)
        return self.choose_class or tuple(sizes) or tuple(options)

    @property
    def demand(self) -> AtLeast | None:
        """How many cards of the option's own kind there must be, None when it does not say."""
        return replace(self.at_least, **self.kind) if self.at_least else None

    def settled(self, kind: Wanted) -> DeckOption:
        """The option once a choice made it ask for that kind."""
        return replace(self, **kind.kind, chosen_as="", choose_class=(), choose_size=(), choose_option=())


@record
class Build(Record):
    """What the back of an investigator says."""

    size: int = key(ge=0)
    """The deck size."""
    required: tuple[tuple[str, ...], ...] = key(name="cards")
    """The signature cards: for each, its code and those of the cards that may stand in its place."""
    random_weaknesses: int = key(ge=0)
    """Random basic weaknesses."""
    options: tuple[DeckOption, ...]
    """The deckbuilding options, in order."""
    unread: tuple[str, ...] = ()
    """What a fan-made investigator's options ask for besides, which kb does not read."""

    @property
    def choices(self) -> tuple[DeckOption, ...]:
        """The options in which something is to be chosen at deck creation."""
        return tuple(option for option in self.options if option.chosen_as)


@record
class TraitLimit(Record):
    """At most `max` cards with a trait in a deck."""

    trait: str = key(small=True)
    """The trait, in small letters."""
    max: int = key(ge=1)
    """How many cards with it a deck may hold."""


@record
class Attach(Wanted):
    """Cards of the deck that are set beside it (market deck, attached events, branded spell)."""

    called: str
    """What these cards are called."""
    exactly: int = key(default=0, ge=0)
    """How many there are, exactly."""
    at_most: int = key(default=0, ge=0)
    """How many there may be."""
    different: bool = False
    """No two of them are the same."""
    only_copy: bool = False
    """The deck holds a single copy of such a card."""
    includes: str = ""
    """Code of a card that must be among them."""


@record
class FromCards(Record):
    """Between `least` and `most` cards out of `codes`, at most `each` copies of one of them."""

    codes: tuple[str, ...] = key(name="any_of")
    """The codes of the cards."""
    least: int = key(name="min", ge=0)
    """The least number of them."""
    most: int = key(name="max", ge=0)
    """The greatest number of them."""
    each: int = key(ge=1)
    """Copies of one of them at most."""
    at_start: int = key(default=0, ge=0)
    """How many a deck begins a campaign with; absent: as many as later."""
    per_experience: int = key(default=0, ge=1)
    """What must be earned in all for each one more."""


@record
class Demands(Record):
    """What a side of an investigator requires besides the signature cards."""

    cards: tuple[FromCards, ...] = ()
    """Cards out of a list."""
    at_least: tuple[AtLeast, ...] = ()
    """Numbers of cards of a kind."""


@record
class SignatureCount(Record):
    """How many copies of a signature card a deck holds where that is not the limit on the card."""

    code: str
    """The signature card."""
    by_size: Mapping[int, int] = NOTHING
    """Copies by deck size."""
    as_many_as: tuple[str, ...] = ()
    """As many copies as there are of these cards."""
    least: int = key(name="min", default=0, ge=0)
    """The least number of copies."""
    most: int = key(name="max", default=0, ge=0)
    """The greatest number of copies."""


@record
class Discount(Record):
    """The first `cards` cards that are upgraded (or exiled and purchased again) are cheaper by `less` experience each."""

    when: Literal["upgrade", "repurchase"]
    """When it holds."""
    cards: int = key(ge=1)
    """For how many cards."""
    less: int = key(ge=1)
    """Experience less for each."""
    traits: Names = key(name="trait", default=NO_NAMES, small=True)
    """Only for cards with one of these traits."""
    at_once: bool = False
    """It holds in the step in which the card is purchased."""


@record
class InPlay(Wanted):
    """What playing a card may have made cheaper, which no deck shows; of an upgrade, the cards after it."""

    when: Literal["new", "upgrade", "boxes"]
    """A new card, an upgrade, or boxes of an upgrade sheet."""


@record
class Buying(Record):
    """What a card changes about purchasing between scenarios."""

    swaps: int = key(default=0, ge=0)
    """Level 0 cards that may be swapped for others."""
    discount: Discount | None = None
    """What gets cheaper."""
    dearer: int = key(default=0, ge=0)
    """What every new card costs more."""
    second_free: Names = key(default=NO_NAMES, small=True)
    """Subtitles of cards of which a second copy is upgraded for nothing."""
    earns: int = 0
    """Experience that it adds to what a scenario gives."""
    earns_nothing: bool = False
    """No experience can be earned any more."""
    in_play: tuple[InPlay, ...] = ()
    """What it may have made cheaper during a scenario."""
    frozen: bool = False
    """The deck cannot be changed."""
    trauma: Mapping[Literal["physical", "mental", "either"], int] = NOTHING
    """Points of trauma by kind for each copy purchased; below 0 they are removed."""
    one_class: bool = False
    """On the back of an investigator: cards above level 0 come from one class a step."""


NO_DEMANDS, NO_BUYING = Demands(), Buying()


@record
class Special(Record):
    """What a card changes about decks, beyond what any card has."""

    deck_size: int = 0
    """Cards that one copy adds to the deck size."""
    gains: DeckOption | None = None
    """An option that the deck gains, once for each copy."""
    forbids: Wanted | None = None
    """What the deck may no longer hold."""
    single_copies: bool = False
    """One copy of each card by title, weaknesses and signatures apart."""
    subtitle_limit: int = key(default=0, ge=0)
    """Copies with the same title and subtitle."""
    trait_limit: TraitLimit | None = None
    """How many cards with a trait a deck may hold."""
    at_least: tuple[AtLeast, ...] = ()
    """How many cards of a kind the deck must hold."""
    at_creation: bool = False
    """It can only be purchased when the deck is built."""
    stands_for_basic: str = ""
    """Code of the basic weakness whose place it took during the campaign."""
    beyond_size: int = key(default=0, ge=0)
    """Copies that a campaign may grant, which count towards neither the deck size nor the number of copies."""
    attach: Attach | None = None
    """Cards of the deck that are set beside it."""
    experience: int = 0
    """Experience that it gives when it is purchased or put in a new deck."""
    starting_experience: int = 0
    """Experience with which the investigator begins a campaign."""
    keeps_lower: Names = key(default=NO_NAMES, small=True)
    """Traits of cards whose lower level version may stay in the deck, not counted, after an upgrade."""
    front: Demands = NO_DEMANDS
    """What the front requires besides the signature cards."""
    back: Demands = NO_DEMANDS
    """What the back requires besides the signature cards."""
    counts: tuple[SignatureCount, ...] = ()
    """How many copies of signature cards a deck holds."""
    replaces_signatures: bool = False
    """An investigator transformed into this one has a random basic weakness for each signature card."""
    defeated: Literal["", "killed", "replaced"] = ""
    """What becomes of an investigator who is defeated with it in the deck, or as it: killed, or its other side takes the place."""
    buying: Buying = NO_BUYING
    """What changes about purchasing between scenarios."""


NOT_SPECIAL = Special()


@record
class SpecialRow(Special):
    """A row of special.yaml: the card it is about, where that is said, and what is known of it by hand."""

    code: str
    """The card."""
    name: str
    """Its name, which must agree."""
    source: str
    """Where this is said."""
    limit: int | None = key(default=None, ge=0)
    """Copies by title, where the data's limit is by subtitle."""
    duplicate_of: str = ""
    """The first printing, where the data leaves it out."""
    modified: bool = False
    """A modified reprint: a deck holds this version of the card or the first printing's, not both."""
    alternate_of: str = ""
    """The original investigator, where the data leaves it out."""
    deck_options: tuple[DeckOption, ...] | None = None
    """The options, where the data has them otherwise."""
    side_options: tuple[DeckOption, ...] | None = None
    """The options of the side deck, where the data has them otherwise."""
