"""The record type of `cards/arkham/special.yaml`: what its rows may say of a card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from kb.games.arkham.schema.options import (
    NO_NAMES,
    AtLeast,
    CardType,
    Names,
    Option,
    PlayableClass,
    Wanted,
)
from kb.records import NOTHING, Record, key


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitLimit(Record):
    """At most `max` cards with a trait in a deck."""

    trait: str = key("The trait, in small letters.", small=True)
    max: int = key("How many cards with it a deck may hold.", ge=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attach(Wanted):
    """Cards of the deck that are set beside it (market deck, attached events, branded spell)."""

    called: str = key("What these cards are called.")
    exactly: int = key("How many there are, exactly.", default=0, ge=0)
    at_most: int = key("How many there may be.", default=0, ge=0)
    different: bool = key("No two of them are the same.", default=False)
    only_copy: bool = key("The deck holds a single copy of such a card.", default=False)
    includes: str = key("Code of a card that must be among them.", default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class FromCards(Record):
    """Between `least` and `most` cards out of `codes`, at most `each` copies of one of them."""

    codes: tuple[str, ...] = key("The codes of the cards.", name="any_of")
    least: int = key("The least number of them.", name="min", ge=0)
    most: int = key("The greatest number of them.", name="max", ge=0)
    each: int = key("Copies of one of them at most.", ge=1)
    at_start: int = key("How many a deck begins a campaign with; absent: as many as later.", default=0, ge=0)
    per_experience: int = key("What must be earned in all for each one more.", default=0, ge=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands(Record):
    """What a side of an investigator requires besides the signature cards."""

    cards: tuple[FromCards, ...] = key("Cards out of a list.", default=())
    at_least: tuple[AtLeast, ...] = key("Numbers of cards of a kind.", default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureCount(Record):
    """How many copies of a signature card a deck holds where that is not the limit on the card."""

    code: str = key("The signature card.")
    by_size: Mapping[int, int] = key("Copies by deck size.", default=NOTHING)
    as_many_as: tuple[str, ...] = key("As many copies as there are of these cards.", default=())
    least: int = key("The least number of copies.", name="min", default=0, ge=0)
    most: int = key("The greatest number of copies.", name="max", default=0, ge=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Discount(Record):
    """The first `cards` cards that are upgraded (or exiled and purchased again) are cheaper by `less` experience each."""

    when: Literal["upgrade", "repurchase"] = key("When it holds.")
    cards: int = key("For how many cards.", ge=1)
    less: int = key("Experience less for each.", ge=1)
    traits: Names = key("Only for cards with one of these traits.", name="trait", default=NO_NAMES, small=True)
    at_once: bool = key("It holds in the step in which the card is purchased.", default=False)


@dataclass(frozen=True, slots=True, kw_only=True)
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
    marks_boxes: bool = key("It may mark boxes of upgrade sheets during a scenario.", default=False)
    frozen: bool = key("The deck cannot be changed.", default=False)
    trauma: Mapping[Literal["physical", "mental", "either"], int] = key(
        "Points of trauma by kind for each copy purchased; below 0 they are removed.", default=NOTHING
    )
    one_class: bool = key(
        "On the back of an investigator: cards above level 0 come from one class a step.", default=False
    )


NO_DEMANDS, NO_BUYING = Demands(), Buying()


@dataclass(frozen=True, slots=True, kw_only=True)
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
    buying: Buying = key("What changes about purchasing between scenarios.", default=NO_BUYING)


NOT_SPECIAL = Special()


@dataclass(frozen=True, slots=True, kw_only=True)
class TabooBoxes(Record):
    """The boxes of one upgrade under a taboo list, where the data leaves that out."""

    list: int = key("Number of the taboo list.", ge=0)
    upgrade: int = key("Number of the upgrade on the sheet, from 1.", ge=1)
    boxes: int = key("Its boxes.", ge=0)


@dataclass(frozen=True, slots=True, kw_only=True)
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
    side_type: frozenset[CardType] | None = key("Types that the options of the side deck ask for.", default=None)
    side_class: frozenset[PlayableClass] | None = key(
        "Classes that the options of the side deck ask for.", default=None
    )
    taboo_boxes: tuple[TabooBoxes, ...] = key("Boxes under taboo lists, where the data leaves them out.", default=())
