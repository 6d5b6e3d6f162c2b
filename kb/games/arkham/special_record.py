"""The record type of `cards/arkham/special.yaml`: what its rows may say of a card."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from kb.games.arkham.records import (
    AtLeast,
    CardFilter,
    CardType,
    Count,
    Fields,
    OptionRecord,
    PlayableClass,
    Text,
)


class TraitLimit(Fields):
    """At most `max` cards with a trait in a deck."""

    trait: Text
    max: Annotated[int, Field(gt=0)]


class Attach(CardFilter):
    """Cards of the deck that are set beside it."""

    called: Text
    exactly: Count | None = None
    at_most: Count | None = None
    different: bool = False
    only_copy: bool = False
    includes: Text | None = None


class FromCards(Fields):
    """Between `min` and `max` cards out of a list, at most `each` copies of one of them.

    `at_start`: how many when a deck is begun; `per_experience`: what must be earned in all for each one more.
    """

    any_of: list[Text]
    min: Count
    max: Count
    each: Annotated[int, Field(gt=0)]
    at_start: Count | None = None
    per_experience: Annotated[int, Field(gt=0)] | None = None


class Demands(Fields):
    """What a side of an investigator requires besides the signature cards."""

    cards: list[FromCards] | None = None
    at_least: list[AtLeast] | None = None


class SignatureCount(Fields):
    """How many copies of a signature a deck holds: by deck size, as many as other cards, or between two numbers."""

    code: Text
    by_size: dict[int, Count] | None = None
    as_many_as: list[Text] | None = None
    min: Count | None = None
    max: Count | None = None


class Discount(Fields):
    """The first `cards` cards upgraded (or exiled and purchased again) are that much cheaper each (`less`)."""

    when: Literal["upgrade", "repurchase"]
    cards: Annotated[int, Field(gt=0)]
    less: Annotated[int, Field(gt=0)]
    trait: list[Text] | None = None
    at_once: bool | None = None


class Trauma(Fields):
    """Points of trauma that a copy gives when it is purchased; below 0 they are removed."""

    physical: int | None = None
    mental: int | None = None
    either: int | None = None


class Buying(Fields):
    """What a card changes about purchasing between scenarios."""

    swaps: Count | None = None
    discount: Discount | None = None
    dearer: Count | None = None
    second_free: list[Text] | None = None
    earns: int | None = None
    earns_nothing: bool | None = None
    marks_boxes: bool | None = None
    frozen: bool | None = None
    trauma: Trauma | None = None
    one_class: bool | None = None


class TabooBoxes(Fields):
    """The boxes of one upgrade (by its number on the sheet) under a taboo list, where the data leaves that out."""

    list: Count
    upgrade: Annotated[int, Field(gt=0)]
    boxes: Count


class SpecialRecord(Fields):
    """A row of special.yaml: what is known of a card by hand (see the head of that file)."""

    code: Text
    name: Text
    source: Text
    deck_size: int | None = None
    gains: OptionRecord | None = None
    forbids: CardFilter | None = None
    single_copies: bool | None = None
    limit: Count | None = None
    subtitle_limit: Count | None = None
    trait_limit: TraitLimit | None = None
    at_least: list[AtLeast] | None = None
    at_creation: bool | None = None
    stands_for_basic: Text | None = None
    beyond_size: Count | None = None
    attach: Attach | None = None
    experience: int | None = None
    starting_experience: int | None = None
    keeps_lower: list[Text] | None = None
    front: Demands | None = None
    back: Demands | None = None
    counts: list[SignatureCount] | None = None
    replaces_signatures: bool | None = None
    buying: Buying | None = None
    taboo_boxes: list[TabooBoxes] | None = None
    deck_options: list[OptionRecord] | None = None
    duplicate_of: Text | None = None
    alternate_of: Text | None = None
    side_type: list[CardType] | None = None
    side_class: list[PlayableClass] | None = None
