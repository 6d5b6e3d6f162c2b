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

    classes: frozenset[CardClass] = key("A card of one of these classes.", name="class", default=frozenset())
    traits: Names = key("With one of these traits.", name="trait", default=NO_NAMES, small=True)
    types: frozenset[CardType] = key("Of one of these types.", name="type", default=frozenset())
    uses: Names = key("With uses of one of these kinds (charges, ammo …).", default=NO_NAMES)
    tags: frozenset[Tag] = key("Whose text does one of these things.", name="tag", default=frozenset())
    slots: Names = key("That takes one of these slots.", name="slot", default=NO_NAMES, small=True)
    level: tuple[Level, Level] | None = key("Of a level from the first number to the second.", default=None)
    permanent: bool | None = key("Permanent, or not permanent.", default=None)

    @property
    def kind(self) -> dict[str, Any]:
        """What is asked, by field: another option can ask the same."""
        return {each.name: getattr(self, each.name) for each in fields(Wanted)}

    def admits(self, card: Any) -> bool:
        """Whether a card (kb.games.arkham.decks.model) is of the kind. One without a level is of no level (rules: bonded, story assets)."""
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

    number: int = key("How many cards there must be at least.", name="min", ge=1)
    of_classes: int = key("That many of each of so many classes.", name="classes", default=0, ge=1)


@record
class ChosenOption(Wanted):
    """One of the options among which a player chooses at deck creation."""

    id: str = key("What a deck file calls the choice.")
    size: int = key("What it adds to the deck size.", default=0)


@record
class Option(Wanted):
    """One deckbuilding option. Earlier options of a list are the "unless" of a later one that `forbids`.

    other: a card takes one of these slots only when no other option lets it in; without it, a card of the kind takes a slot
    whatever else lets it in (rulings 1.15, 1.16).
    """

    forbids: bool = key(
        "Cards of the kind are forbidden, unless an earlier option lets them in.", name="not", default=False
    )
    base_level: tuple[Level, Level] | None = key(
        "The printed level of a card with an upgrade sheet, from and to.", default=None
    )
    limit: int = key("How many cards it lets in; absent: any number.", default=0, ge=1)
    other: bool | None = key(
        'Whether a limited option says "other": a card takes a slot only if no other option takes it.', default=None
    )
    at_least: AtLeast | None = key("How many cards of the kind there must be.", default=None)
    only_counts: bool = key("It lets nothing in, and only says how many there must be.", default=False)
    chosen_as: str = key("The key of the choice in a deck's choices.", name="choice", default="")
    choose_class: tuple[PlayableClass, ...] = key("The classes to choose from.", default=())
    choose_size: tuple[int, ...] = key("The deck sizes to choose from.", default=())
    choose_option: tuple[ChosenOption, ...] = key("The options to choose from.", default=())

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

    def settled(self, kind: Wanted) -> Option:
        """The option once a choice made it ask for that kind."""
        return replace(self, **kind.kind, chosen_as="", choose_class=(), choose_size=(), choose_option=())


@record
class Build(Record):
    """What the back of an investigator says."""

    size: int = key("The deck size.", ge=0)
    required: tuple[tuple[str, ...], ...] = key(
        "The signature cards: for each, its code and those of the cards that may stand in its place.", name="cards"
    )
    random_weaknesses: int = key("Random basic weaknesses.", ge=0)
    options: tuple[Option, ...] = key("The deckbuilding options, in order.")
    unread: tuple[str, ...] = key(
        "What a fan-made investigator's options ask for besides, which kb does not read.", default=()
    )

    @property
    def choices(self) -> tuple[Option, ...]:
        """The options in which something is to be chosen at deck creation."""
        return tuple(option for option in self.options if option.chosen_as)


@record
class TraitLimit(Record):
    """At most `max` cards with a trait in a deck."""

    trait: str = key("The trait, in small letters.", small=True)
    max: int = key("How many cards with it a deck may hold.", ge=1)


@record
class Attach(Wanted):
    """Cards of the deck that are set beside it (market deck, attached events, branded spell)."""

    called: str = key("What these cards are called.")
    exactly: int = key("How many there are, exactly.", default=0, ge=0)
    at_most: int = key("How many there may be.", default=0, ge=0)
    different: bool = key("No two of them are the same.", default=False)
    only_copy: bool = key("The deck holds a single copy of such a card.", default=False)
    includes: str = key("Code of a card that must be among them.", default="")


@record
class FromCards(Record):
    """Between `least` and `most` cards out of `codes`, at most `each` copies of one of them."""

    codes: tuple[str, ...] = key("The codes of the cards.", name="any_of")
    least: int = key("The least number of them.", name="min", ge=0)
    most: int = key("The greatest number of them.", name="max", ge=0)
    each: int = key("Copies of one of them at most.", ge=1)
    at_start: int = key("How many a deck begins a campaign with; absent: as many as later.", default=0, ge=0)
    per_experience: int = key("What must be earned in all for each one more.", default=0, ge=1)


@record
class Demands(Record):
    """What a side of an investigator requires besides the signature cards."""

    cards: tuple[FromCards, ...] = key("Cards out of a list.", default=())
    at_least: tuple[AtLeast, ...] = key("Numbers of cards of a kind.", default=())


@record
class SignatureCount(Record):
    """How many copies of a signature card a deck holds where that is not the limit on the card."""

    code: str = key("The signature card.")
    by_size: Mapping[int, int] = key("Copies by deck size.", default=NOTHING)
    as_many_as: tuple[str, ...] = key("As many copies as there are of these cards.", default=())
    least: int = key("The least number of copies.", name="min", default=0, ge=0)
    most: int = key("The greatest number of copies.", name="max", default=0, ge=0)


@record
class Discount(Record):
    """The first `cards` cards that are upgraded (or exiled and purchased again) are cheaper by `less` experience each."""

    when: Literal["upgrade", "repurchase"] = key("When it holds.")
    cards: int = key("For how many cards.", ge=1)
    less: int = key("Experience less for each.", ge=1)
    traits: Names = key("Only for cards with one of these traits.", name="trait", default=NO_NAMES, small=True)
    at_once: bool = key("It holds in the step in which the card is purchased.", default=False)


@record
class InPlay(Wanted):
    """What playing a card may have made cheaper, which no deck shows; of an upgrade, the cards after it."""

    when: Literal["new", "upgrade", "boxes"] = key("A new card, an upgrade, or boxes of an upgrade sheet.")


@record
class Buying(Record):
    """What a card changes about purchasing between scenarios."""

    swaps: int = key("Level 0 cards that may be swapped for others.", default=0, ge=0)
    discount: Discount | None = key("What gets cheaper.", default=None)
    dearer: int = key("What every new card costs more.", default=0, ge=0)
    second_free: Names = key(
        "Subtitles of cards of which a second copy is upgraded for nothing.", default=NO_NAMES, small=True
    )
    earns: int = key("Experience that it adds to what a scenario gives.", default=0)
    earns_nothing: bool = key("No experience can be earned any more.", default=False)
    in_play: tuple[InPlay, ...] = key("What it may have made cheaper during a scenario.", default=())
    frozen: bool = key("The deck cannot be changed.", default=False)
    trauma: Mapping[Literal["physical", "mental", "either"], int] = key(
        "Points of trauma by kind for each copy purchased; below 0 they are removed.", default=NOTHING
    )
    one_class: bool = key(
        "On the back of an investigator: cards above level 0 come from one class a step.", default=False
    )


NO_DEMANDS, NO_BUYING = Demands(), Buying()


@record
class Special(Record):
    """What a card changes about decks, beyond what any card has."""

    deck_size: int = key("Cards that one copy adds to the deck size.", default=0)
    gains: Option | None = key("An option that the deck gains, once for each copy.", default=None)
    forbids: Wanted | None = key("What the deck may no longer hold.", default=None)
    single_copies: bool = key("One copy of each card by title, weaknesses and signatures apart.", default=False)
    subtitle_limit: int = key("Copies with the same title and subtitle.", default=0, ge=0)
    trait_limit: TraitLimit | None = key("How many cards with a trait a deck may hold.", default=None)
    at_least: tuple[AtLeast, ...] = key("How many cards of a kind the deck must hold.", default=())
    at_creation: bool = key("It can only be purchased when the deck is built.", default=False)
    stands_for_basic: str = key("Code of the basic weakness whose place it took during the campaign.", default="")
    beyond_size: int = key(
        "Copies that a campaign may grant, which count towards neither the deck size nor the number of copies.",
        default=0, ge=0,
    )  # fmt: skip
    attach: Attach | None = key("Cards of the deck that are set beside it.", default=None)
    experience: int = key("Experience that it gives when it is purchased or put in a new deck.", default=0)
    starting_experience: int = key("Experience with which the investigator begins a campaign.", default=0)
    keeps_lower: Names = key(
        "Traits of cards whose lower level version may stay in the deck, not counted, after an upgrade.",
        default=NO_NAMES, small=True,
    )  # fmt: skip
    front: Demands = key("What the front requires besides the signature cards.", default=NO_DEMANDS)
    back: Demands = key("What the back requires besides the signature cards.", default=NO_DEMANDS)
    counts: tuple[SignatureCount, ...] = key("How many copies of signature cards a deck holds.", default=())
    replaces_signatures: bool = key(
        "An investigator transformed into this one has a random basic weakness for each signature card.", default=False
    )
    defeated: Literal["", "killed", "replaced"] = key(
        "What becomes of an investigator who is defeated with it in the deck, or as it: killed, or its other side takes the place.",
        default="",
    )
    buying: Buying = key("What changes about purchasing between scenarios.", default=NO_BUYING)


NOT_SPECIAL = Special()


@record
class SpecialRow(Special):
    """A row of special.yaml: the card it is about, where that is said, and what is known of it by hand."""

    code: str = key("The card.")
    name: str = key("Its name, which must agree.")
    source: str = key("Where this is said.")
    limit: int | None = key("Copies by title, where the data's limit is by subtitle.", default=None, ge=0)
    duplicate_of: str = key("The first printing, where the data leaves it out.", default="")
    modified: bool = key(
        "A modified reprint: a deck holds this version of the card or the first printing's, not both.", default=False
    )
    alternate_of: str = key("The original investigator, where the data leaves it out.", default="")
    deck_options: tuple[Option, ...] | None = key("The options, where the data has them otherwise.", default=None)
    side_options: tuple[Option, ...] | None = key(
        "The options of the side deck, where the data has them otherwise.", default=None
    )
