"""Sets up a scenario for a number of players: finds the locations, villains, henchmen and blessings to take out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kb.citation import Cites
from kb.errors import KbError
from kb.frozen import frozen
from kb.games.pathfinder.scenarios.records import (
    MOST_PLAYERS,
    PILES,
    ExtraCards,
    PathfinderLocation,
    PathfinderScenario,
)
from kb.shapes import Jsonable, build, key

BLESSINGS = 30
"""The number of cards in the blessings deck (entry `create-the-blessings-deck` of both sets)."""
SCOURGE_DICE = {"B": "1d4", "1": "1d4+1", "2": "1d6", "3": "1d6+1", "4": "1d8", "5": "1d8+1", "6": "1d10"}
"""The scourge die of each adventure (entry `scourges` of Mummy's Mask)."""
STEPS = ("set-out-the-locations", "build-the-location-decks", "add-villains-and-henchmen", "create-the-blessings-deck")
"""The rules entries, in every set, that a set-up follows."""
MORE_STEPS = {"mm": ("cohorts", "scourges", "traders")}
"""Further rules entries that a set-up follows, by the id of the only set that has them."""


class SetUpError(KbError, ValueError):
    """Raised if a scenario cannot be set up for a number of players. The message says why, and what to do."""


@frozen
class CountedCard(Jsonable):
    """A card with a number of copies."""

    name: str
    """The name of a bane, or `random TYPE` for random cards of a type."""
    count: int
    """The number of copies."""
    trait: str | None = key("optional", default=None)
    """The trait that the cards must have, if any."""
    location: str | None = key("optional", default=None)
    """The location whose deck gets them; left out if they are for all locations."""


@frozen
class SetUpLocation(Jsonable):
    """A location that the players set out for a scenario."""

    name: str | None
    """The location's name; null: unknown."""
    deck: str | None
    """The first product that contains it; null: unknown."""
    cards: dict[str, int] | None
    """The deck list: the number of cards of each type; null: unknown."""
    close: list[dict[str, Any]] | None
    """The checks to close the location (one is enough); empty: see the card; null: unknown."""
    other_way: bool = key("optional", default=False)
    """True if the card also gives another way to close the location; left out otherwise."""
    note: str | None = key("optional", default=None)
    """A note on differences between the sources, if there are any."""


@frozen
class SetUpVillain(Jsonable):
    """A villain that the players take out of the box for a scenario."""

    name: str
    """The name of the villain."""
    location: str | None
    """The location whose deck it is put into; null: it is dealt at random."""


@frozen
class SetUp(Jsonable):
    """A scenario set up for a number of players: the cards that the players take out of the box."""

    id: str
    """The scenario's id."""
    name: str
    """The scenario's name."""
    set: str
    """The id of the scenario's set."""
    adventure: str
    """The name of the scenario's adventure."""
    deck: str
    """The adventure's number, or `B` for the base set."""
    place: int
    """The scenario's number within the adventure."""
    players: int
    """The number of players."""
    locations: list[SetUpLocation] | None
    """The locations that the players set out, in order; null: unknown."""
    villains: list[SetUpVillain] | None
    """The villains; empty if there are none; null: unknown."""
    henchmen: list[CountedCard] | None
    """The henchmen that are dealt to locations, with their copies; null: unknown. Random cards among them (`random ally`)
    are drawn in addition to `draw`.
    """
    left_in_the_box: list[str]
    """Henchmen of the scenario that this number of players does not need."""
    second_list: list[CountedCard]
    """Cards from the scenario's second henchman list; each location deck also gets one of them, in addition to `draw`."""
    extra: list[CountedCard]
    """Other cards that the scenario adds to location decks, in addition to `draw`."""
    draw: dict[str, int]
    """The number of cards of each type to draw at random for the deck lists of all locations together."""
    complete: bool
    """True if all locations and deck lists are known, so that `draw` is complete."""
    blessings: int
    """The number of cards in the blessings deck."""
    in_blessings: list[CountedCard]
    """The cards in the blessings deck that are not random blessings."""
    aside: list[CountedCard]
    """Cards that are placed next to the scenario."""
    scourge_die: str | None
    """The scourge die of the adventure; null if the set has no scourges."""
    changes: bool | None
    """True if the scenario card also changes the set-up in other ways; null: unknown."""
    reward: str | None
    """The reward in words; null: unknown."""
    next: str | None
    """The name of the next scenario; null: there is none."""
    note: str | None
    """A note on differences between the sources and on open questions; null: there are none."""
    source: str
    """The source of the facts."""
    cites: Cites
    """The rules entries that the set-up follows."""


@frozen
class SetUpFacts:
    """The records needed for set-ups: scenarios in the order of play, locations by set and name, adventures by set and
    deck.
    """

    scenarios: Sequence[Mapping[str, Any]]
    locations: Mapping[tuple[str, str], PathfinderLocation]
    adventures: Mapping[tuple[str, str], Mapping[str, Any]]

    @classmethod
    def of(cls, records: Any) -> SetUpFacts:
        """Return the facts in the game's records. `records(kind)` returns the records of a kind, such as `location`."""
        locations = {(each["set"], each["name"]): build(PathfinderLocation, each) for each in records("location")}
        adventures = {(each["set"], each["deck"]): each for each in records("adventure")}
        return cls(records("scenario"), locations, adventures)


def set_up(record: Mapping[str, Any], players: int, facts: SetUpFacts) -> SetUp:
    """Return the set-up of the scenario in `record` for a number of players.

    Raises SetUpError if scenarios cannot be played with that number of players.
    """
    if not 1 <= players <= MOST_PLAYERS:
        raise SetUpError(f"{players} players: a scenario is for 1 to {MOST_PLAYERS} players.")
    scenario = build(PathfinderScenario, record)
    names = locations_for(scenario, players)
    locations = [location_of(scenario.set, name, facts) for name in names] if names is not None else None
    henchmen, left, second = dealt(scenario, names, players)
    extra = [copies(each, 1 if each.location else len(names or ())) for each in scenario.extra]
    of_adventure = facts.adventures[scenario.set, scenario.deck]
    part = of_adventure["scenarios"][scenario.place - 1]
    in_blessings = [copies(each) for each in (*scenario.replaces_blessings, *scenario.adds_to_blessings)]
    blessings = BLESSINGS if scenario.blessings is None else scenario.blessings
    complete = locations is not None and all(each.cards is not None for each in locations)
    return SetUp(
        id=scenario_id(record),
        name=scenario.name,
        set=scenario.set,
        adventure=of_adventure["name"],
        deck=scenario.deck,
        place=scenario.place,
        players=players,
        locations=locations,
        villains=None
        if scenario.villains is None
        else [SetUpVillain(each.name, each.location) for each in scenario.villains],
        henchmen=henchmen,
        left_in_the_box=left,
        second_list=second,
        extra=extra,
        draw=to_draw(locations or ()),
        complete=complete,
        blessings=blessings + sum(each.count for each in scenario.adds_to_blessings),
        in_blessings=in_blessings,
        aside=[copies(each) for each in scenario.aside],
        scourge_die=SCOURGE_DICE[scenario.deck] if scenario.set in MORE_STEPS else None,
        changes=scenario.changes,
        reward=part["reward"],
        next=following(record, facts),
        note=scenario.note,
        source=scenario.source,
        cites=tuple(f"pathfinder/{scenario.set}/{step}" for step in (*STEPS, *MORE_STEPS.get(scenario.set, ()))),
    )


def scenario_id(record: Mapping[str, Any]) -> str:
    """Return the catalog id of the scenario in `record`."""
    from kb.files.text import slug

    return f"pathfinder/{record['set']}/scenarios/{slug(record['name'])}"


def locations_for(scenario: PathfinderScenario, players: int) -> list[str | None] | None:
    """Return the names of the locations that a scenario uses for a number of players, in order.

    A name is None if the location is unknown. The result is None if all locations are unknown.
    """
    if scenario.locations is None:
        return None
    return [name for group in scenario.locations[:players] for name in group]


def location_of(set_id: str, name: str | None, facts: SetUpFacts) -> SetUpLocation:
    """Return the location called `name` with its facts. If the name is None or unknown, all facts are None."""
    known = facts.locations.get((set_id, name)) if name else None
    if known is None:
        return SetUpLocation(name, None, None, None)
    close = None if known.close is None else [check_json(each) for each in known.close]
    listed = {str(kind): number for kind, number in (known.cards or {}).items()}
    cards = None if known.cards is None else {kind: listed.get(kind, 0) for kind in PILES}
    return SetUpLocation(known.name, known.deck, cards, close, known.other_way, known.note)


def check_json(check: Any) -> dict[str, Any]:
    """Return a check as a JSON object."""
    return {"skills": list(check.skills), "difficulty": check.difficulty, "plus": check.plus}


def dealt(
    scenario: PathfinderScenario, names: Sequence[str | None] | None, players: int
) -> tuple[list[CountedCard] | None, list[str], list[CountedCard]]:
    """Return three lists: the henchmen to take out of the box, the henchmen that stay in it, and cards of a second
    list.

    Each location gets one card: a villain or a henchman. After the villains, henchmen are added from the top of the
    list until there are enough cards, and the last henchman is repeated as needed (entry `add-villains-and-henchmen`).
    A villain with a fixed location is that location's card. The first list is None if a list of cards is unknown.
    """
    if names is None or scenario.henchmen is None or scenario.villains is None:
        return None, [], []
    if scenario.per_location:
        return [copies(each, len(names)) for each in scenario.per_location], [], []
    by_location = max(0, len(names) - len(scenario.villains))
    places = players if scenario.henchmen_for_each == "character" else by_location
    return *taken(scenario.henchmen, places), in_turn(scenario.second_list, len(names))


def taken(listed: Sequence[str], places: int) -> tuple[list[CountedCard], list[str]]:
    """Return the first `places` cards of a henchman list with their copies, and the names of henchmen that are not
    used.

    If the list is too short, its last card is repeated.
    """
    if not listed:
        return [], []
    used = [*listed[:places], *[listed[-1]] * (places - len(listed))]
    counts = Counter(used)
    return [CountedCard(name, number) for name, number in counts.items()], [
        name for name in listed if name not in counts
    ]


def in_turn(listed: Iterable[ExtraCards], places: int) -> list[CountedCard]:
    """Return `places` cards from a list that has a number of copies for each card. The last card is repeated as needed."""
    found = []
    rows = list(listed)
    for each in rows:
        number = places if each is rows[-1] else min(places, each.count)
        if number:
            found.append(CountedCard(each.card, number, each.trait))
        places -= number
    return found


def copies(each: ExtraCards, times: int = 1) -> CountedCard:
    """Return the cards that a scenario adds, with the number of copies multiplied by `times`."""
    return CountedCard(each.card, each.count * times, each.trait, each.location)


def to_draw(locations: Iterable[SetUpLocation]) -> dict[str, int]:
    """Return the number of cards of each type in the deck lists of all locations together.

    Random cards that the scenario adds, such as allies in place of henchmen, are not included: set-ups list them
    separately, and some must have a trait.
    """
    totals: Counter[str] = Counter()
    for location in locations:
        totals.update(location.cards or {})
    return {kind: totals[kind] for kind in PILES}


def following(record: Mapping[str, Any], facts: SetUpFacts) -> str | None:
    """Return the name of the scenario that follows the one in `record`; None if that one is the last.

    The following scenario is the next one of the Adventure Path or, outside the path, of the same adventure.
    """
    own = facts.adventures[record["set"], record["deck"]]
    order = [
        each for each in facts.adventures.values() if each["set"] == record["set"] and (each["path"] or each is own)
    ]
    names = [part["name"] for each in order for part in each["scenarios"]]
    if own["path"] is None:
        names = [part["name"] for part in own["scenarios"]]
    at = names.index(record["name"]) + 1
    return names[at] if at < len(names) else None
