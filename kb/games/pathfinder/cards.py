"""Boons and characters of the Pathfinder Adventure Card Game, the game's part `cards`: loaded, checked against each other, and as
catalog and search see them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Generic, TypeVar

from kb.files.text import LARGEST_CARDS, read_bounded
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
)
from kb.own_records import CARD, CHARACTER
from kb.sources.arrays import ArrayError, elements
from kb.sources.cards import CardFacts, Record, slug
from kb.sources.problems import Problems
from kb.sources.validation import faults

__all__ = ["facts", "load", "own"]

RecordT = TypeVar("RecordT", bound=SetRecord)
BOON_FILES = (*CARD_TYPES, "type-unknown")
FILES = (*BOON_FILES, "characters", "suggested_decks", "adventures")


@frozen
class Read(Generic[RecordT]):
    """A record, as it stands in its file and validated, and where it stands."""

    record: RecordT
    value: dict[str, Any]
    path: Path
    line: int


def load(root: Path, problems: Problems, imported: Path | None = None) -> dict[str, list[Record]]:
    """The records of `root`/pathfinder (`root` is the folder `cards`) by kind: card, character, deck, adventure, path (Adventure Paths).

    Every problem of every file goes to `problems` with the line of its record; records without a problem of their own
    are returned all the same.
    """
    found: dict[str, list[Record]] = {kind: [] for kind in ("card", "character", "deck", "adventure", "path")}
    for folder in sorted(path for path in (root / "pathfinder").iterdir() if path.is_dir()):
        _SetLoader(folder, problems).load(found)
    return found


def facts(kind: str, record: Record) -> CardFacts | None:
    """A boon, or a character (which is no card that one looks up); both may be the user's own."""
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


class _SetLoader:
    """Loads one set's folder."""

    def __init__(self, folder: Path, problems: Problems) -> None:
        self.folder = folder
        self.problems = problems
        self.boons: dict[str, Read[BoonRecord]] = {}
        self.characters: dict[str, Read[CharacterRecord]] = {}

    def load(self, found: dict[str, list[Record]]) -> None:
        for path in sorted(self.folder.glob("*.json")):
            if path.stem not in FILES:
                self.problems.add(path, 0, f"no such file is known here; known are {', '.join(FILES)}")
        boons: list[Read[BoonRecord]] = []
        for kind in BOON_FILES:
            for each in self.read(kind, BoonRecord):
                if (each.record.type or "type-unknown") == kind:
                    boons.append(each)
                else:
                    self.note(each, f"{each.record.name} has the type {each.record.type} in the file of {kind} cards")
        self.boons = {each.record.name: each for each in self.once(boons)}
        self.characters = {each.record.name: each for each in self.once(self.read("characters", CharacterRecord))}
        found["card"] += [{**MAY_BE_LEFT_OUT, **each.value} for each in self.boons.values()]
        found["character"] += [each.value for each in self.characters.values()]
        for boon in self.boons.values():
            owner = boon.record.owner
            if owner is not None and owner not in self.characters:
                hint = _hint(owner, self.characters)
                self.note(boon, f"{boon.record.name} is owned by {owner}, who is not a character of the set{hint}")
        for character in self.characters.values():
            for name in character.record.must_hold:
                if name not in self.boons:
                    hint = _hint(name, self.boons)
                    self.note(
                        character, f"{character.record.name} must hold {name}, which is not a card of the set{hint}"
                    )
        seen: set[str] = set()
        for deck in self.read("suggested_decks", DeckRecord):
            wrong = list(self.wrong_with(deck.record)) if deck.record.character not in seen else ["is there twice"]
            seen.add(deck.record.character)
            for what in wrong:
                self.note(deck, f"the suggested deck of {deck.record.character} {what}")
            found["deck"] += [] if wrong else [deck.value]
        self.load_adventures(found)

    def note(self, at: Read[Any], message: str) -> None:
        self.problems.add(at.path, at.line, message)

    def once(self, records: Iterable[Read[RecordT]]) -> Iterator[Read[RecordT]]:
        """Records without those whose name another has, in whichever letters."""
        known: dict[str, str] = {}
        for each in records:
            name = str(each.value["name"])
            if twin := known.get(name.casefold()):
                self.note(each, f"{name} is there twice in set {self.folder.name} (as {twin})")
            else:
                known[name.casefold()] = name
                yield each

    def read(self, stem: str, model: type[RecordT]) -> Iterator[Read[RecordT]]:
        """The valid records of a file."""
        for value, path, line in self.values(stem):
            if record := self.valid(value, path, line, model):
                yield Read(record, value, path, line)

    def values(self, stem: str) -> Iterator[tuple[Any, Path, int]]:
        """The elements of a file's JSON array with the line at which each begins. Stops at the first syntax error."""
        path = self.folder / f"{stem}.json"
        if not path.is_file():
            return
        try:
            for line, value in elements(read_bounded(path, LARGEST_CARDS).decode("utf-8")):
                yield value, path, line
        except OSError as error:
            self.problems.add(path, 0, f"cannot be read: {error.strerror}")
        except UnicodeDecodeError as error:
            self.problems.add(path, 0, f"is not UTF-8 (byte {error.start})")
        except ArrayError as error:
            (self.problems.add_cut_off if error.cut_off else self.problems.add)(path, error.line, error.what)

    def valid(self, value: Any, path: Path, line: int, model: type[RecordT]) -> RecordT | None:
        """A record of this set; None where something is wrong with it."""
        label = "a record that is not an object"
        if isinstance(value, dict):
            label = str(value.get("name", "a record without a name"))
            if "character" in value:
                label = f"the suggested deck of {value['character']}"
        if wrong := faults(model, value):
            for each in wrong:
                self.problems.add(path, line, f"{label}{':' if each.startswith('`') else ''} {each}")
            return None
        record = model.model_validate(value)
        if record.set != self.folder.name:
            self.problems.add(path, line, f"{label} is of set {record.set!r} in the folder of {self.folder.name!r}")
            return None
        return record

    def wrong_with(self, deck: DeckRecord) -> Iterator[str]:
        """What is wrong with the names in a suggested deck; whether it is legal the rules of decks say."""
        if deck.character not in self.characters:
            yield f"belongs to someone who is not a character of the set{_hint(deck.character, self.characters)}"
        for card in deck.cards:
            if card.name not in self.boons:
                yield f"names {card.name}, which is not a card of the set{_hint(card.name, self.boons)}"
            elif self.boons[card.name].record.type != card.type:
                yield f"calls {card.name} a card of type {card.type}; it is of type {self.boons[card.name].record.type}"

    def load_adventures(self, records: dict[str, list[Record]]) -> None:
        """The adventures, and the Adventure Paths that list them in the same file."""
        adventures: list[AdventureRecord] = []
        paths: list[Read[PathRecord]] = []
        for value, path, line in self.values("adventures"):
            if isinstance(value, dict) and value.get("record") == "path":
                if found := self.valid(value, path, line, PathRecord):
                    paths.append(Read(found, value, path, line))
                    records["path"].append(value)
            elif adventure := self.valid(value, path, line, AdventureRecord):
                records["adventure"].append(value)
                at = Read(adventure, value, path, line)
                if any(adventure.deck == other.deck for other in adventures):
                    self.note(at, f"{adventure.name} has the adventure deck number {adventure.deck} of another")
                adventures.append(adventure)
                self.check_loot(at)
        for each in paths:
            members = [adventure.name for adventure in adventures if adventure.path == each.record.name]
            if members != each.record.adventures:
                self.note(each, f"{each.record.name} lists other adventures than those that name it as their path")

    def check_loot(self, at: Read[AdventureRecord]) -> None:
        """What rewards give is loot of the adventure's deck."""
        parts: list[AdventureRecord | ScenarioPart] = [at.record, *at.record.scenarios]
        for part in parts:
            for name in part.gives.loot:
                boon = self.boons[name].record if name in self.boons else None
                if boon is None or not boon.loot or at.record.deck not in boon.copies:
                    why = "is not a card of the set" if boon is None else f"is not loot of deck {at.record.deck}"
                    self.note(at, f"{part.name} gives {name}, which {why}{_hint(name, self.boons)}")


def _hint(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), 1, 0.7)
    return f"; did you mean {close[0]}?" if close and close[0] != name else ""
