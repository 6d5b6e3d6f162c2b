"""Defines the records of scenarios, locations and banes in `cards/pathfinder/`, and checks of these records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, get_args

from kb.games.pathfinder.records import AdventureNumber, Names, SetRecord
from kb.shapes import Record, key, record

MOST_PLAYERS = 6
PlainCard = Literal["monster", "barrier"]
PileType = Literal["monster", "barrier", "weapon", "spell", "armor", "item", "ally", "blessing"]
PILES: tuple[str, ...] = get_args(PileType)
"""The card types in a location's deck list, in the order that location cards print them."""
BaneType = Literal["monster", "barrier", "henchman", "villain", "scourge"]
BANES: tuple[BaneType, ...] = get_args(BaneType)
BaneProduct = Literal["B", "C", "1", "2", "3", "4", "5", "6", "P"]
RANDOM = "random "
"""The beginning of a text that means random cards of a type, such as `random ally`."""


@record
class PathfinderCheck(Record):
    """A check. To attempt it, a character uses one of its skills."""

    skills: Names
    """The skills that the character may choose from; `Combat` for a combat check."""
    difficulty: int = key(ge=0)
    """The difficulty printed on the card, without the adventure deck number."""
    plus: int | None = key(default=None, ge=0)
    """How many times the scenario's adventure deck number is added to the difficulty; `null` or left out: unknown."""


@record
class PathfinderBane(SetRecord):
    """A bane or a scourge."""

    name: str
    """The card's name."""
    also_called: Names = ()
    """Other spellings of the name in the sources."""
    type: BaneType
    """The card's type."""
    subtype: PlainCard | None = None
    """The type that a henchman or villain also counts as; `null` or left out if it is unknown or the card is another
    bane.
    """
    deck: BaneProduct | None
    """The first product that contains it: `B` base set, `C` Character Add-On Deck, `1`–`6` adventure deck, `P` promo;
    `null`: unknown.
    """
    decks: tuple[BaneProduct, ...]
    """All products that contain it, beginning with the first product; empty: unknown."""
    traits: Names | None
    """The card's traits; `null`: unknown."""
    basic: bool | None = None
    """True if the card has the trait Basic; `null` or left out: unknown."""
    elite: bool | None = None
    """True if the card has the trait Elite; `null` or left out: unknown."""
    checks: tuple[PathfinderCheck, ...] | None
    """The checks to defeat the bane; empty if the card has none; `null`: unknown."""
    joined: Literal["or", "then"] | None = None
    """How several checks are combined: `or` if one of them is enough, `then` if all are needed. `null` or left out if
    that is unknown or there is only one check.
    """
    source: str
    """The source of the facts (see the table of sources)."""
    note: str | None = None
    """A note for readers of the record."""


@record
class PathfinderLocation(SetRecord):
    """A location with its deck list."""

    name: str
    """The location's name."""
    also_called: Names = ()
    """Other spellings of the name in the sources."""
    deck: AdventureNumber | None
    """The first product that contains it: `B` base set, `1`–`6` adventure deck; `null`: unknown."""
    cards: Mapping[PileType, int] | None
    """The deck list: the number of cards of each type; `null`: unknown."""
    close: tuple[PathfinderCheck, ...] | None
    """The checks to close the location (one is enough); empty if the card requires something else; `null`: unknown."""
    other_way: bool = False
    """True if the card also gives another way to close it. Default: false."""
    source: str
    """The source of the facts (see the table of sources)."""
    note: str | None = None
    """A note for readers of the record."""


@record
class ScenarioVillain(Record):
    """A villain of a scenario, with its location."""

    name: str
    """The name of the villain."""
    location: str | None = None
    """The location whose deck it is put into; `null` or left out: it is dealt at random."""


@record
class ExtraCards(Record):
    """Cards that a scenario adds when it is set up."""

    card: str
    """The name of a bane, or `random TYPE` for random cards of a type."""
    count: int = key(ge=1)
    """The number of cards."""
    trait: str | None = None
    """The trait that the cards must have; `null` or left out: any trait."""
    location: str | None = None
    """The location whose deck gets them; `null` or left out: each location deck gets them."""


@record
class PathfinderScenario(SetRecord):
    """A scenario, with the facts needed to set it up."""

    deck: AdventureNumber
    """The scenario's adventure: `B` for the base set, or a number."""
    place: int = key(ge=1)
    """The scenario's number within the adventure, beginning with 1."""
    name: str
    """The scenario's name."""
    villains: tuple[ScenarioVillain, ...] | None
    """The villains that are dealt to locations; empty if there are none; `null`: unknown."""
    henchmen: Names | None
    """The henchman list from the top. The last henchman is repeated as needed. `random TYPE`: a random card. `null`:
    unknown.
    """
    henchmen_for_each: Literal["location", "character"] = "location"
    """The number of villain and henchman cards: one for each `location` or one for each `character`; left out:
    `location`.
    """
    second_list: tuple[ExtraCards, ...] = ()
    """A second henchman list. Each location deck also gets a card from it. The last card is repeated as needed."""
    per_location: tuple[ExtraCards, ...] = ()
    """Cards that are dealt to location decks instead of henchmen, with the number for each location."""
    extra: tuple[ExtraCards, ...] = ()
    """Cards that location decks get in addition to their deck list and a henchman."""
    locations: tuple[tuple[str | None, ...], ...] | None = None
    """Six lists of locations: those for 1 player, then those that the 2nd to 6th player add. `null`: an unknown name."""
    blessings: int | None = key(default=None, ge=0)
    """The number of cards in the blessings deck, if it differs from the rulebook; `null` or left out: as in the
    rulebook.
    """
    replaces_blessings: tuple[ExtraCards, ...] = ()
    """Cards that replace the same number of blessings in the blessings deck."""
    adds_to_blessings: tuple[ExtraCards, ...] = ()
    """Cards that are added to the blessings deck."""
    aside: tuple[ExtraCards, ...] = ()
    """Cards that are placed next to the scenario when it is set up."""
    changes: bool | None
    """True if the scenario card also changes the set-up in ways that this record does not contain; `null`: unknown."""
    source: str
    """The source of the facts (see the table of sources)."""
    note: str | None = None
    """A note for readers of the record."""


def wrong_with_scenario(
    scenario: PathfinderScenario, banes: Mapping[str, PathfinderBane], locations: Mapping[str, PathfinderLocation]
) -> Iterator[str]:
    """Yield a problem for each name in a scenario's record that is not in its set, and for a wrong number of locations.

    Each is the end of a sentence that begins with the name of the scenario.
    """
    for villain in scenario.villains or ():
        yield from wrong_bane(villain.name, banes, ("villain", "henchman"))
        if villain.location and villain.location not in locations:
            yield f"puts {villain.name} into {villain.location}, which is not a location of the set"
    for name in scenario.henchmen or ():
        if not is_random(name):
            yield from wrong_bane(name, banes, ("henchman",))
    for each in (
        *scenario.second_list,
        *scenario.per_location,
        *scenario.extra,
        *scenario.aside,
        *scenario.replaces_blessings,
        *scenario.adds_to_blessings,
    ):
        if not is_random(each.card):
            yield from wrong_bane(each.card, banes, BANES)
    lists = scenario.locations
    if lists is not None and len(lists) != MOST_PLAYERS:
        yield f"has {len(lists)} lists of locations; it needs {MOST_PLAYERS}, one for each number of players"
    for name in (name for group in lists or () for name in group if name):
        if name not in locations:
            yield f"names the location {name}, which the set does not have"


def wrong_bane(name: str, banes: Mapping[str, PathfinderBane], kinds: tuple[BaneType, ...]) -> Iterator[str]:
    """Yield the end of a sentence if `name` is not a bane of the set, or not of one of these `kinds`."""
    if name not in banes:
        yield f"names {name}, which is not a bane of the set"
    elif banes[name].type not in kinds:
        yield f"uses {name} as a {kinds[0]}; it is a {banes[name].type}"


def is_random(name: str) -> bool:
    """Return True if `name` means random cards of a type, such as `random ally`."""
    return name.startswith(RANDOM) and name.removeprefix(RANDOM) in PILES


def wrong_with_bane(bane: PathfinderBane) -> Iterator[str]:
    """Yield the contradictions in a bane's record. Each is the end of a sentence that begins with the bane's name."""
    if (bane.deck,) != (bane.decks[:1] or (None,)):
        yield f"is first in deck {bane.deck}, but `decks` begins with {next(iter(bane.decks), None)}"
    for flag, trait in ((bane.basic, "Basic"), (bane.elite, "Elite")):
        if bane.traits is not None and flag is not None and flag != (trait in bane.traits):
            yield f"has `{trait.lower()}: {str(flag).lower()}`, but its traits say otherwise"
    if bane.joined and len(bane.checks or ()) < 2:
        yield "has `joined`, but fewer than two checks"
    if bane.subtype and bane.type not in ("henchman", "villain"):
        yield "has a `subtype`, which only henchmen and villains have"
