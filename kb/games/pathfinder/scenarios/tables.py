"""Builds the tables that `kb show` prints with a scenario, location or bane."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from kb.games.pathfinder.scenarios.records import MOST_PLAYERS, RANDOM
from kb.games.pathfinder.scenarios.setup import CountedCard, SetUp, SetUpFacts, set_up
from kb.sources.cards import FactTable

Records = Callable[[str], Sequence[Mapping[str, Any]]]
ANOTHER_WAY = "another way: read the card"


def tables(card: Mapping[str, Any], records: Records) -> Iterator[FactTable]:
    """Yield the tables of a card.

    The tables of a scenario show its locations and its set-up for each number of players. The tables of a location or
    bane show its checks and the scenarios that use it.
    """
    if card["type"] == "scenario":
        facts = SetUpFacts.of(records)
        every = [set_up(card, players, facts) for players in range(1, MOST_PLAYERS + 1)]
        yield locations_table(card, every[-1])
        yield set_up_table(every)
    elif card["type"] == "location":
        more = ("or", ANOTHER_WAY) if card.get("other_way") else None
        yield from checks_table("To close", card["close"], ("close", "other_way"), "or", "read the card", more)
        used = [each for each in records("scenario") if each["set"] == card["set"] and card["name"] in names_in(each)]
        yield scenarios_table(used)
    elif "checks" in card:
        none = "" if card["type"] == "scourge" else "none: read the card"
        yield from checks_table("To defeat", card["checks"], ("checks", "joined"), card.get("joined"), none)
        used = [each for each in records("scenario") if each["set"] == card["set"] and card["name"] in met_in(each)]
        if used:
            yield scenarios_table(used)


def checks_table(
    title: str,
    checks: Sequence[Mapping[str, Any]] | None,
    instead: tuple[str, ...],
    joined: str | None,
    none: str,
    more: tuple[str, str] | None = None,
) -> Iterator[FactTable]:
    """Yield a table of the checks on a card, if they are known.

    `instead` lists the card's facts that the table replaces. `joined` is the word between several checks: `or` or
    `then`. `none` is the only row if the card is known to have no check; if empty, there is no table then. `more` is an
    additional last row.
    """
    rows = [("" if at == 0 else joined or "or, or then", check_words(check)) for at, check in enumerate(checks or ())]
    if not rows and checks is not None and none:
        rows = [("", none)]
    if rows:
        yield FactTable(title, ("", "check"), (*rows, *([more] if more else [])), instead)


def scenarios_table(used: Iterable[Mapping[str, Any]]) -> FactTable:
    """Return a table of the scenarios in `used`, with number and name."""
    rows = tuple((f"{each['deck']}.{each['place']}", str(each["name"])) for each in used)
    return FactTable("Scenarios", ("number", "scenario"), rows)


def names_in(scenario: Mapping[str, Any]) -> set[str]:
    """Return the names of the locations that a scenario uses with 6 players."""
    return {name for group in scenario.get("locations") or () for name in group if name}


def met_in(scenario: Mapping[str, Any]) -> set[str]:
    """Return the names of all villains, henchmen and other banes in a scenario."""
    extra = ("second_list", "per_location", "extra", "replaces_blessings", "adds_to_blessings", "aside")
    return {
        *(each["name"] for each in scenario.get("villains") or ()),
        *(scenario.get("henchmen") or ()),
        *(each["card"] for key in extra for each in scenario.get(key, ())),
    }


def locations_table(card: Mapping[str, Any], whole: SetUp) -> FactTable:
    """Return a table of a scenario's locations. It gives each location's deck list, and the smallest number of
    players with which the location is used.

    `whole` is the set-up for 6 players.
    """
    groups = card.get("locations") or ()
    players = [number for number, group in enumerate(groups, 1) for _ in group]
    rows = tuple(
        (f"{number}+", each.name or "unknown", deck_list(each.cards), closing(each.close, each.other_way))
        for number, each in zip(players, whole.locations or (), strict=True)
    )
    return FactTable("Locations", ("players", "location", "deck list", "to close"), rows, ("locations",))


def set_up_table(every: Sequence[SetUp]) -> FactTable:
    """Return a table of a scenario's set-ups, one for each number of players."""
    columns = ["players", "locations", "henchmen", "draw at random"]
    rows = [[str(each.players), locations_number(each), henchmen(each), draw(each)] for each in every]
    if any(each.second_list or each.extra for each in every):
        columns.append("also in the location decks")
        for row, each in zip(rows, every, strict=True):
            row.append(", ".join(map(counted_card, (*each.second_list, *each.extra))))
    return FactTable("Set-up", tuple(columns), tuple(map(tuple, rows)))


def deck_list(cards: Mapping[str, int] | None) -> str:
    """Return a location's deck list in words, such as `4 monsters, 2 barriers`."""
    if cards is None:
        return "unknown: read the card"
    return ", ".join(f"{number} {pile_words(kind, number)}" for kind, number in cards.items() if number) or "no cards"


def locations_number(each: SetUp) -> str:
    """Return the number of locations in a set-up as text, or `unknown`."""
    return "unknown" if each.locations is None else str(len(each.locations))


def closing(checks: Sequence[Mapping[str, Any]] | None, other_way: bool = False) -> str:
    """Return the checks that close a location, in words. `other_way` is True if the card gives another way, too."""
    if checks is None:
        return "unknown"
    listed = " or ".join(map(check_words, checks))
    return f"{listed}, or {ANOTHER_WAY}" if listed and other_way else listed or "read the card"


def check_words(check: Mapping[str, Any]) -> str:
    """Return a check in words, such as `Wisdom or Divine 5 + adventure deck number`."""
    times = check.get("plus") or 0
    plus = f" + {'adventure deck number' if times == 1 else f'{times} x adventure deck number'}" if times else ""
    return f"{' or '.join(check['skills'])} {check['difficulty']}{plus}"


def villains(each: SetUp) -> str:
    """Return the villains in a set-up, in words."""
    if each.villains is None:
        return "unknown"
    return ", ".join(f"{one.name}{f' (in {one.location})' if one.location else ''}" for one in each.villains) or "none"


def henchmen(each: SetUp) -> str:
    """Return the henchmen in a set-up with their copies, in words."""
    return "unknown" if each.henchmen is None else ", ".join(map(counted_card, each.henchmen)) or "none"


def counted_card(card: CountedCard) -> str:
    """Return a card with its number of copies, such as `2 Bandit` or `3 random barriers with the trait Trap`."""
    kind = card.name.removeprefix(RANDOM) if card.name.startswith(RANDOM) else ""
    name = f"random {pile_words(kind, card.count)}" if kind else card.name
    trait = f" with the trait {card.trait}" if card.trait else ""
    return f"{card.count} {name}{trait}{f' in {card.location}' if card.location else ''}"


def pile_words(kind: str, number: int) -> str:
    """Return the name of a card type, in the singular or plural depending on `number`."""
    plural = {"armor": "armors", "ally": "allies"}.get(kind, f"{kind}s")
    return kind if number == 1 else plural


def draw(each: SetUp) -> str:
    """Return the cards to draw for the deck lists of all locations, in words, such as `14 monsters, 9 barriers`."""
    words = ", ".join(f"{number} {pile_words(kind, number)}" for kind, number in each.draw.items() if number)
    return f"{words or 'unknown'}{'' if each.complete or not words else ' and unknown cards'}"
