"""Loads the boons and characters of the Pathfinder Adventure Card Game, checks them against each other, and converts
them for the catalog and the search.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from kb.frozen import frozen
from kb.games.pathfinder import own_cards as own
from kb.games.pathfinder.records import (
    CARD_TYPES,
    MAY_BE_LEFT_OUT,
    AdventureRecord,
    BoonRecord,
    CharacterRecord,
    DeckRecord,
    PathRecord,
    ScenarioPart,
    SetRecord,
    contradictions,
    slips,
)
from kb.games.pathfinder.scenarios.records import (
    PathfinderBane,
    PathfinderLocation,
    PathfinderScenario,
    wrong_with_bane,
    wrong_with_scenario,
)
from kb.own_records import CARD, CHARACTER
from kb.shapes import build
from kb.sources.arrays import records_in
from kb.sources.cards import CardFacts, Record, slug
from kb.sources.problems import Problems, near
from kb.sources.validation import faults

__all__ = ["facts", "load", "own"]

SHAPES: dict[str, type[SetRecord]] = {
    **dict.fromkeys((*CARD_TYPES, "type-unknown"), BoonRecord),
    "characters": CharacterRecord,
    "suggested_decks": DeckRecord,
    "adventures": AdventureRecord,
    "banes": PathfinderBane,
    "locations": PathfinderLocation,
    "scenarios": PathfinderScenario,
}
"""The type of the records in each file of a set. `adventures` also contains records of Adventure Paths."""
KINDS: dict[type[SetRecord], tuple[str, str]] = {
    BoonRecord: ("card", "name"),
    CharacterRecord: ("character", "name"),
    DeckRecord: ("deck", "character"),
    AdventureRecord: ("adventure", "deck"),
    PathRecord: ("path", "name"),
    PathfinderBane: ("bane", "name"),
    PathfinderLocation: ("location", "name"),
    PathfinderScenario: ("scenario", "name"),
}
"""Each type of record with its kind in the catalog, and with the key whose value is unique within a set."""
MET = {"bane": "banes", "location": "locations", "scenario": "scenarios"}
"""The kinds of cards other than boons, each with the folder that its card ids contain."""


@frozen
class PlacedRecord:
    """A valid record, its JSON value, and the file and line that it was read from."""

    record: SetRecord
    value: Record
    path: Path
    line: int

    @property
    def label(self) -> str:
        """The name that messages use for the record."""
        return label_of(self.value)

    @property
    def unique(self) -> tuple[type[SetRecord], str]:
        """The type and name of the record. No two records of a set may have the same type and name."""
        return type(self.record), str(self.value[KINDS[type(self.record)][1]]).casefold()


def load(root: Path, problems: Problems, imported: Path | None = None) -> dict[str, list[Record]]:
    """Return all records in the folder `root`/pathfinder, by kind. `root` is the `cards` folder.

    The kinds are card, character, deck, adventure, path (Adventure Path), bane, location and scenario. Problems in
    the files are added to `problems`, each with the line of its record. Records with problems are left out.
    """
    loaded: dict[str, list[Record]] = {kind: [] for kind, _ in KINDS.values()}
    for folder in sorted(path for path in (root / "pathfinder").iterdir() if path.is_dir()):
        for path in sorted(folder.glob("*.json")):
            if path.stem not in SHAPES:
                problems.add(path, 0, f"there is no such file; the files are {', '.join(SHAPES)}")
        records = [each for stem in SHAPES for each in read(folder / f"{stem}.json", problems)]
        boons = {each.record.name: each.record for each in records if isinstance(each.record, BoonRecord)}
        characters = [each.record.name for each in records if isinstance(each.record, CharacterRecord)]
        adventures = [each.record for each in records if isinstance(each.record, AdventureRecord)]
        first: dict[tuple[type[SetRecord], str], PlacedRecord] = {}
        for each in records:
            wrong = [*wrong_with(each, boons, characters, adventures), *wrong_on_the_table(each, records)]
            if (twin := first.setdefault(each.unique, each)) is not each:
                wrong.append(f"{each.label} has the same `{KINDS[type(each.record)][1]}` as {twin.label}")
            for what in wrong:
                problems.add(each.path, each.line, what)
            if not wrong:
                kind = KINDS[type(each.record)][0]
                left_out = MAY_BE_LEFT_OUT if kind == "card" else {"type": kind} if kind in MET else {}
                loaded[kind].append({**left_out, **each.value, **spoiled(each.record, adventures)})
    return loaded


def spoiled(record: SetRecord, adventures: Iterable[AdventureRecord]) -> dict[str, str]:
    """Return the key `spoiler` with an adventure's name, for a villain from an adventure after the base set.

    The villain's name gives away the story of this adventure. The result is empty for other records.
    """
    if not isinstance(record, PathfinderBane) or record.type != "villain" or record.deck == "B":
        return {}
    adventure = next((each.name for each in adventures if each.deck == record.deck), None)
    return {"spoiler": adventure} if adventure else {}


def facts(kind: str, record: Record) -> CardFacts | None:
    """Return the catalog's facts about a card or character, or None for a record of another kind.

    The search for cards leaves out the characters. A boon or character may be one that the user imported.
    """
    if kind in MET:
        return met(kind, record)
    if kind not in ("card", "character", CARD, CHARACTER):
        return None
    own, character = kind in (CARD, CHARACTER), kind in ("character", CHARACTER)
    called = " ".join(filter(None, (record["name"], record["class_deck"], record["set"]) if own else (record["name"],)))
    folder = "characters/" if character else "" if own else "cards/"
    return CardFacts(
        id=f"pathfinder/{'own-cards/' + record['list'] if own else record['set']}/{folder}{slug(called)}",
        game="pathfinder",
        set=record["set"],
        code=None,
        name=record["name"],
        subtitle=record["class"] if character else ", ".join(record.get("also_called", ())) or None,
        type=None if kind == "character" else record["type"],
        number=None if character else record["deck"],
        traits=() if character else tuple(record["traits"] or ()),
        counts="level" if character else "deck",
        character=character,
        is_card=kind != "character",
        own=record["own"] if own else "",
    )


def met(kind: str, record: Record) -> CardFacts:
    """Return the catalog's facts about a bane, location or scenario.

    The type is the bane's type, such as `monster`, or else the kind.
    """
    return CardFacts(
        id=f"pathfinder/{record['set']}/{MET[kind]}/{slug(record['name'])}",
        game="pathfinder",
        set=record["set"],
        code=None,
        name=record["name"],
        subtitle=", ".join(record.get("also_called", ())) or None,
        type=record["type"] if kind == "bane" else kind,
        number=record["deck"],
        traits=tuple(record.get("traits") or ()),
        counts="deck",
        spoiler=record.get("spoiler"),
    )


def read(path: Path, problems: Problems) -> Iterator[PlacedRecord]:
    """Yield the valid records in a file, and add the problems in other records to `problems`.

    If there is a syntax error, the rest of the file is not read.
    """
    for line, value in records_in(path, problems) if path.is_file() else ():
        is_path = isinstance(value, dict) and value.get("record") == "path"
        shape = PathRecord if is_path else SHAPES[path.stem]
        wrong = faults(shape, value)
        for each in wrong:
            problems.add(path, line, f"{label_of(value)}{':' if each.startswith('`') else ''} {each}")
        if not wrong:
            yield PlacedRecord(build(shape, value), value, path, line)


def label_of(value: Any) -> str:
    """Return the name that messages use for the record `value`, which need not be valid."""
    if not isinstance(value, dict):
        return "a record that is not an object"
    if "character" in value:
        return f"the suggested deck of {value['character']}"
    return str(value.get("name", "a record without a name"))


def wrong_with(
    at: PlacedRecord,
    boons: Mapping[str, BoonRecord],
    characters: Collection[str],
    adventures: Iterable[AdventureRecord],
) -> Iterator[str]:
    """Yield a sentence for each contradiction between a record and its folder, its file or other records in the set.
    This function does not check whether a suggested deck is legal; the deck rules do that.
    """
    record, label = at.record, at.label

    def strange(name: str, known: Collection[str], what: str) -> str:
        return "" if name in known else f"{name}, which is not a {what} of the set{near(name, list(known))}"

    lists_once = {
        key: value for key, value in at.value.items() if key != "locations"
    }  # a location may occur several times
    for each in slips(lists_once):
        yield f"{label} {each}"
    if record.set != at.path.parent.name:
        yield f"{label} is of set {record.set!r} in the folder of {at.path.parent.name!r}"
    if isinstance(record, BoonRecord):
        if (record.type or "type-unknown") != at.path.stem:
            yield f"{label} has the type {record.type} in the file of {at.path.stem} cards"
        for each in of_a_boon(record):
            yield f"{label} {each}"
        if record.owner and (name := strange(record.owner, characters, "character")):
            yield f"{label} is owned by {name}"
    elif isinstance(record, CharacterRecord):
        for each in contradictions(record):
            yield f"{label} {each}"
        for each in record.must_hold:
            if name := strange(each, boons, "card"):
                yield f"{label} must contain {name}"
    elif isinstance(record, DeckRecord):
        if name := strange(record.character, characters, "character"):
            yield f"{label} belongs to {name}"
        for card in record.cards:
            if name := strange(card.name, boons, "card"):
                yield f"{label} names {name}"
            if card.name in boons and boons[card.name].type != card.type:
                yield f"{label} calls {card.name} a card of type {card.type}; it is of type {boons[card.name].type}"
    elif isinstance(record, PathRecord):
        named = [each.name for each in adventures if each.path == record.name]
        if list(record.adventures) != named:
            yield f"{label} lists {', '.join(record.adventures)}; the adventures that name this path are {', '.join(named)}"
    elif isinstance(record, AdventureRecord):
        if [part.number for part in record.scenarios] != list(range(1, len(record.scenarios) + 1)):
            yield f"{label} has scenarios that are not numbered 1, 2, 3 …"
        met = {name for part in record.scenarios for name in part.gives.traders}
        if stray := met - {each.name for each in record.traders}:
            yield f"{label} gives the traders {', '.join(sorted(stray))}, which `traders` does not list"
        parts: list[AdventureRecord | ScenarioPart] = [record, *record.scenarios]
        for part in parts:
            for each in part.gives.loot:
                if name := strange(each, boons, "card"):
                    yield f"{part.name} gives {name}"
                if each in boons and not (boons[each].loot and record.deck in boons[each].copies):
                    yield f"{part.name} gives {each}, which is not loot of deck {record.deck}"


def wrong_on_the_table(at: PlacedRecord, records: Iterable[PlacedRecord]) -> Iterator[str]:
    """Yield a sentence for each contradiction in the record of a bane or scenario.

    A scenario is also compared with the other records of its set.
    """
    record, label = at.record, at.label
    if isinstance(record, PathfinderBane):
        yield from (f"{label} {each}" for each in wrong_with_bane(record))
    if not isinstance(record, PathfinderScenario):
        return
    of_set = [each.record for each in records]
    banes = {each.name: each for each in of_set if isinstance(each, PathfinderBane)}
    locations = {each.name: each for each in of_set if isinstance(each, PathfinderLocation)}
    yield from (f"{label} {each}" for each in wrong_with_scenario(record, banes, locations))
    adventures = (each for each in of_set if isinstance(each, AdventureRecord) and each.deck == record.deck)
    parts = [part for adventure in adventures for part in adventure.scenarios]
    if (record.place, record.name) not in [(part.number, part.name) for part in parts]:
        yield f"{label} is not scenario {record.place} of adventure {record.deck}{near(record.name, [each.name for each in parts])}"


def of_a_boon(boon: BoonRecord) -> Iterator[str]:
    """Yield the contradictions in a boon's record. Each is the end of a sentence that begins with the boon's name."""
    first = next(iter(boon.copies), None)
    if boon.deck != first:
        yield f"is first in deck {boon.deck}, but `copies` begins with {first}"
    if 0 in boon.copies.values():
        yield "has no copies in a product that `copies` names"
    if (boon.traits is None) != (boon.traits_certain is None):
        yield "must have `traits_certain` if it has `traits`, and only then"
    for flag, trait in ((boon.basic, "Basic"), (boon.elite, "Elite")):
        if boon.traits is not None and flag is not None and flag != (trait in boon.traits):
            yield f"has `{trait.lower()}: {str(flag).lower()}`, but its traits say otherwise"
    if boon.basic and (boon.elite or boon.loot):
        yield "is Basic, and Elite or Loot; a card with the trait Basic is neither"
    if boon.type is None and boon.note is None:
        yield "has no type and no `note` that says why"
