"""What investigators and special cards ask of decks: options, choices, requirements, effects.

Everything is frozen. Classes, traits, types and slots are written small.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, Protocol

CLASSES = ("guardian", "seeker", "rogue", "mystic", "survivor")
Names = frozenset[str]
NO_NAMES: Names = frozenset()


class _Nothing(dict[Any, Any]):
    """The empty mapping, which can stand as a default because it cannot be changed."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return 0

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TypeError("the empty mapping cannot be changed")


NOTHING: Mapping[Any, Any] = _Nothing()


class _Described(Protocol):
    """What `Wanted` looks at of a card (see kb.games.arkham.decks.model.Card)."""

    @property
    def classes(self) -> Names: ...
    @property
    def level(self) -> int | None: ...
    @property
    def permanent(self) -> bool: ...
    @property
    def slots(self) -> tuple[str, ...]: ...
    @property
    def tags(self) -> Names: ...
    @property
    def traits(self) -> Names: ...
    @property
    def type(self) -> str: ...
    @property
    def uses(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an option, a limit or a requirement asks of a card: all of what is given, any name of each set."""

    classes: Names = NO_NAMES
    traits: Names = NO_NAMES
    types: Names = NO_NAMES
    uses: Names = NO_NAMES
    tags: Names = NO_NAMES
    slots: Names = NO_NAMES
    level: tuple[int, int] | None = None
    permanent: bool | None = None

    def admits(self, card: _Described) -> bool:
        """Whether the card is of the kind. A card without a level is of no level (rules: bonded, story assets)."""
        if self.level is not None and (card.level is None or not self.level[0] <= card.level <= self.level[1]):
            return False
        return (
            (not self.classes or not self.classes.isdisjoint(card.classes))
            and (not self.traits or not self.traits.isdisjoint(card.traits))
            and (not self.types or card.type in self.types)
            and (not self.uses or card.uses in self.uses)
            and (not self.tags or not self.tags.isdisjoint(card.tags))
            and (not self.slots or not self.slots.isdisjoint(card.slots))
            and (self.permanent is None or card.permanent == self.permanent)
        )


@dataclass(frozen=True, slots=True)
class AtLeast:
    """At least `number` cards of a kind; with `classes`, that many of each of `classes` classes."""

    number: int
    wanted: Wanted
    classes: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that a player settles at deck creation. `name` is the key in a deck's choices.

    Exactly one of `classes`, `sizes` and `options` is given; `options` maps an id to the option it stands for and to
    what it adds to the deck size.
    """

    name: str
    classes: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    options: Mapping[str, tuple[Wanted, int]] = NOTHING

    @property
    def values(self) -> tuple[str, ...]:
        """The values that may be chosen."""
        return self.classes or tuple(map(str, self.sizes)) or tuple(self.options)


@dataclass(frozen=True, slots=True)
class Option:
    """One deckbuilding option. Earlier options of a list are the "unless" of a later one that `forbids`.

    limit: how many cards it lets in (0: any number). other: a card takes one of these slots only when no other option
    lets it in; without it, a card of the kind takes a slot whatever else lets it in (rulings 1.15, 1.16).
    only_counts: lets nothing in, only says how many cards of a kind there must be.
    """

    wanted: Wanted
    forbids: bool = False
    limit: int = 0
    other: bool = True
    at_least: AtLeast | None = None
    only_counts: bool = False
    choice: Choice | None = None


@dataclass(frozen=True, slots=True)
class FromCards:
    """Between `least` and `most` cards out of `codes`, at most `each` copies of one of them.

    at_start: how many of them a deck begins a campaign with (0: as many as later). per_experience: how much must be earned
    in total for each one more (0: nothing).
    """

    codes: tuple[str, ...]
    least: int
    most: int
    each: int
    at_start: int = 0
    per_experience: int = 0


@dataclass(frozen=True, slots=True)
class SignatureCount:
    """How many copies of a signature card a deck holds where that is not the limit on the card."""

    code: str
    by_size: Mapping[int, int] = NOTHING
    as_many_as: tuple[str, ...] = ()
    least: int = 0
    most: int = 0


@dataclass(frozen=True, slots=True)
class Build:
    """What the back of an investigator says: deck size, options, required cards, random basic weaknesses.

    `slots` lists, for each required card, the card and those that may stand in its place.
    """

    size: int
    options: tuple[Option, ...]
    slots: tuple[tuple[str, ...], ...]
    random_weaknesses: int


@dataclass(frozen=True, slots=True)
class Attach:
    """Cards of the deck that are set beside it (market deck, attached events, branded spell).

    includes: code of a card that must be among them.
    """

    called: str
    wanted: Wanted
    exactly: int = 0
    at_most: int = 0
    different: bool = False
    only_copy: bool = False
    includes: str = ""


@dataclass(frozen=True, slots=True)
class Discount:
    """The first `cards` cards that are upgraded (or exiled and purchased again) are cheaper by `less` experience each."""

    when: Literal["upgrade", "repurchase"]
    cards: int
    less: int
    traits: Names = NO_NAMES
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class Buying:
    """What a card changes about purchasing between scenarios.

    swaps: level 0 cards that may be swapped for others. discount: see there; without `at_once` it needs a scenario played
    with the card. dearer: what every new card costs more. second_free: subtitles of cards of which a second copy is
    upgraded for nothing. earns: experience it adds to what a scenario gives; earns_nothing: none can be earned any more.
    marks_boxes: it may mark boxes of upgrade sheets during a scenario. frozen: the deck cannot be changed. trauma: points of
    trauma by kind for each copy purchased, removed below 0. one_class: on the back of an investigator, that cards above
    level 0 are purchased and upgraded from one class a step.
    """

    swaps: int = 0
    discount: Discount | None = None
    dearer: int = 0
    second_free: Names = NO_NAMES
    earns: int = 0
    earns_nothing: bool = False
    marks_boxes: bool = False
    frozen: bool = False
    trauma: Mapping[str, int] = NOTHING
    one_class: bool = False


NO_BUYING = Buying()


@dataclass(frozen=True, slots=True)
class Special:
    """What a card changes about decks, beyond what any card has; see the head of cards/arkham/special.yaml."""

    deck_size: int = 0
    gains: Option | None = None
    forbids: Option | None = None
    single_copies: bool = False
    subtitle_limit: int = 0
    trait_limit: tuple[str, int] | None = None
    at_least: tuple[AtLeast, ...] = ()
    at_creation: bool = False
    stands_for_basic: str = ""
    beyond_size: int = 0
    attach: Attach | None = None
    experience: int = 0
    starting_experience: int = 0
    keeps_lower: Names = NO_NAMES
    front_cards: tuple[FromCards, ...] = ()
    back_cards: tuple[FromCards, ...] = ()
    back_at_least: tuple[AtLeast, ...] = ()
    counts: tuple[SignatureCount, ...] = ()
    replaces_signatures: bool = False
    buying: Buying = NO_BUYING


NOT_SPECIAL = Special()
