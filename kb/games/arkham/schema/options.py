"""What investigators and special cards ask of decks: kinds of cards, options, choices, requirements."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal, Protocol

from kb.records import Record, key

CLASSES = ("guardian", "seeker", "rogue", "mystic", "survivor")
CardClass = Literal["guardian", "seeker", "rogue", "mystic", "survivor", "neutral", "mythos"]
PlayableClass = Literal["guardian", "seeker", "rogue", "mystic", "survivor"]
CardType = Literal["asset", "event", "skill", "investigator", "treachery", "enemy", "story", "location", "key"]
Tag = Literal["heals-horror", "heals-damage", "parley", "seal", "names-firearm"]
Names = frozenset[str]
NO_NAMES: Names = frozenset()
HIGHEST_LEVEL = 5
Level = Literal[0, 1, 2, 3, 4, 5]


class _Described(Protocol):
    """What `Wanted` looks at of a card (see kb.games.arkham.decks.model.Card)."""

    @property
    def classes(self) -> tuple[CardClass, ...]: ...
    @property
    def level(self) -> int | None: ...
    @property
    def permanent(self) -> bool: ...
    @property
    def slots(self) -> tuple[str, ...]: ...
    @property
    def tags(self) -> frozenset[Tag]: ...
    @property
    def traits(self) -> Names: ...
    @property
    def type(self) -> str: ...
    @property
    def uses(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class AtLeast(Wanted):
    """At least `number` cards of a kind; with `of_classes`, that many of each of so many classes."""

    number: int = key("How many cards there must be at least.", name="min", ge=1)
    of_classes: int = key("That many of each of so many classes.", name="classes", default=0, ge=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenOption(Wanted):
    """One of the options among which a player chooses at deck creation."""

    id: str = key("What a deck file calls the choice.")
    size: int = key("What it adds to the deck size.", default=0)


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that a player settles at deck creation: one of `classes`, `sizes` or `options`, by its `name` in a deck's choices."""

    name: str
    classes: tuple[PlayableClass, ...]
    sizes: tuple[int, ...]
    options: tuple[ChosenOption, ...]

    @property
    def values(self) -> tuple[str, ...]:
        """The values that may be chosen."""
        return self.classes or tuple(map(str, self.sizes)) or tuple(option.id for option in self.options)


@dataclass(frozen=True, slots=True, kw_only=True)
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
    def choice(self) -> Choice | None:
        """What is to be chosen; None for nothing."""
        lists = self.choose_class, self.choose_size, self.choose_option
        return Choice(self.chosen_as, *lists) if self.chosen_as else None

    @property
    def demand(self) -> AtLeast | None:
        """How many cards of the option's own kind there must be, None when it does not say."""
        return replace(self.at_least, **self.kind) if self.at_least else None

    def settled(self, kind: Wanted) -> Option:
        """The option once a choice made it ask for that kind."""
        return replace(self, **kind.kind, chosen_as="", choose_class=(), choose_size=(), choose_option=())


@dataclass(frozen=True, slots=True, kw_only=True)
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
