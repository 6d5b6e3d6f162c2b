"""Loads the card facts of the Pathfinder Adventure Card Game and checks that they agree with each other."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from kb.files.read import LARGEST_CARDS, read_bounded
from kb.games.pathfinder.records import (
    CARD_TYPES,
    MAY_BE_LEFT_OUT,
    AdventureRecord,
    BoonRecord,
    CharacterRecord,
    DeckRecord,
    PathRecord,
    SetRecord,
    sentence,
)
from kb.sources.arrays import ArrayError, elements
from kb.sources.problems import Problems

RecordT = TypeVar("RecordT", bound=SetRecord)
BOON_FILES = (*CARD_TYPES, "type-unknown")
OTHER_FILES = ("characters", "suggested_decks", "adventures")


@dataclass(slots=True)
class PathfinderFacts:
    """Plain records by kind, as they stand in the files. `paths` are the Adventure Paths."""

    cards: list[dict[str, Any]] = field(default_factory=list)
    characters: list[dict[str, Any]] = field(default_factory=list)
    decks: list[dict[str, Any]] = field(default_factory=list)
    adventures: list[dict[str, Any]] = field(default_factory=list)
    paths: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Located:
    """A record as read, and where it stands."""

    value: Any
    path: Path
    line: int


def load_pathfinder(root: Path, problems: Problems) -> PathfinderFacts:
    """Read `root`/pathfinder (`root` is the folder `cards`).

    Every problem of every file goes to `problems` with the line of its record; records without a problem of their own
    are returned all the same.
    """
    facts = PathfinderFacts()
    for folder in sorted(path for path in (root / "pathfinder").iterdir() if path.is_dir()):
        _SetLoader(folder, problems).load(facts)
    return facts


class _SetLoader:
    """Loads one set's folder."""

    def __init__(self, folder: Path, problems: Problems) -> None:
        self.folder = folder
        self.problems = problems
        self.boons: dict[str, BoonRecord] = {}
        self.boon_places: dict[str, _Located] = {}
        self.boon_names: dict[str, str] = {}  # by the name in small letters
        self.character_names: dict[str, str] = {}
        self.characters: dict[str, CharacterRecord] = {}
        self.character_lines: dict[str, int] = {}

    def load(self, facts: PathfinderFacts) -> None:
        for path in sorted(self.folder.glob("*.json")):
            if path.stem not in BOON_FILES + OTHER_FILES:
                self.problems.add(
                    path, 0, f"no such file is known here; known are {', '.join(BOON_FILES + OTHER_FILES)}"
                )
        for kind in BOON_FILES:
            for at, boon in self.read(kind, BoonRecord):
                self.add_boon(at, boon, kind, facts)
        for at, character in self.read("characters", CharacterRecord):
            if self.is_new(at, character.name, self.character_names):
                self.characters[character.name] = character
                self.character_lines[character.name] = at.line
                facts.characters.append(at.value)
        self.check_owners()
        self.check_must_hold()
        self.load_decks(facts)
        self.load_adventures(facts)

    def read(self, stem: str, model: type[RecordT]) -> Iterator[tuple[_Located, RecordT]]:
        path = self.folder / f"{stem}.json"
        if path.is_file():
            for at in self.records(path):
                if record := self.valid(at, model):
                    yield at, record

    def records(self, path: Path) -> Iterator[_Located]:
        """The elements of a JSON array with the line at which each begins. Stops at the first syntax error."""
        try:
            text = read_bounded(path, LARGEST_CARDS).decode("utf-8")
        except OSError as error:
            self.problems.add(path, 0, f"cannot be read: {error.strerror}")
            return
        except UnicodeDecodeError as error:
            self.problems.add(path, 0, f"is not UTF-8 (byte {error.start})")
            return
        try:
            for line, value in elements(text):
                yield _Located(value, path, line)
        except ArrayError as error:
            (self.problems.add_cut_off if error.cut_off else self.problems.add)(path, error.line, error.what)

    def valid(self, at: _Located, model: type[RecordT]) -> RecordT | None:
        label = _label(at.value)
        try:
            record = model.model_validate(at.value)
        except ValidationError as error:
            for problem in error.errors():
                self.problems.add(at.path, at.line, f"{label} {sentence(dict(problem))}")
            return None
        if record.set != self.folder.name:
            self.problems.add(
                at.path, at.line, f"{label} is of set {record.set!r} in the folder of {self.folder.name!r}"
            )
            return None
        return record

    def is_new(self, at: _Located, name: str, known: dict[str, str]) -> bool:
        if twin := known.get(name.casefold()):
            self.problems.add(at.path, at.line, f"{name} is there twice in set {self.folder.name} (as {twin})")
            return False
        known[name.casefold()] = name
        return True

    def add_boon(self, at: _Located, boon: BoonRecord, kind: str, facts: PathfinderFacts) -> None:
        if (boon.type or "type-unknown") != kind:
            self.problems.add(at.path, at.line, f"{boon.name} has the type {boon.type} in the file of {kind} cards")
        elif self.is_new(at, boon.name, self.boon_names):
            self.boons[boon.name] = boon
            self.boon_places[boon.name] = at
            facts.cards.append({**MAY_BE_LEFT_OUT, **at.value})

    def check_owners(self) -> None:
        for boon in self.boons.values():
            if boon.owner is not None and boon.owner not in self.characters:
                at = self.boon_places[boon.name]
                hint = _hint(boon.owner, self.characters)
                self.problems.add(
                    at.path, at.line, f"{boon.name} is owned by {boon.owner}, who is not a character of the set{hint}"
                )

    def check_must_hold(self) -> None:
        for character in self.characters.values():
            for name in character.must_hold:
                if name not in self.boons:
                    self.problems.add(
                        self.folder / "characters.json",
                        self.character_lines[character.name],
                        f"{character.name} must hold {name}, which is not a card of the set{_hint(name, self.boons)}",
                    )

    def load_decks(self, facts: PathfinderFacts) -> None:
        seen: dict[str, DeckRecord] = {}
        for at, deck in self.read("suggested_decks", DeckRecord):
            if deck.character in seen:
                self.problems.add(at.path, at.line, f"the suggested deck of {deck.character} is there twice")
                continue
            seen[deck.character] = deck
            before = len(self.problems.found)
            self.check_deck(at, deck)
            if len(self.problems.found) == before:
                facts.decks.append(at.value)

    def check_deck(self, at: _Located, deck: DeckRecord) -> None:
        def note(message: str) -> None:
            self.problems.add(at.path, at.line, f"the suggested deck of {deck.character} {message}")

        character = self.characters.get(deck.character)
        if character is None:
            note(f"belongs to someone who is not a character of the set{_hint(deck.character, self.characters)}")
            return
        counts: Counter[str] = Counter()
        for card in deck.cards:
            counts[card.type] += card.count
            boon = self.boons.get(card.name)
            if boon is None:
                note(f"names {card.name}, which is not a card of the set{_hint(card.name, self.boons)}")
                continue
            if boon.type != card.type:
                note(f"calls {card.name} a card of type {card.type}; it is of type {boon.type}")
            if not boon.basic and boon.owner != deck.character:
                note(f"holds {card.name}, which is neither Basic nor owned by {deck.character}")
            copies = [number for product, number in boon.copies.items() if product in ("B", "C")]
            in_box = sum(number or 0 for number in copies)
            if copies and None not in copies and in_box < card.count:
                note(f"holds {card.count} copies of {card.name}; base set and Character Add-On Deck hold {in_box}")
        self.count_as(character, deck, counts)
        for kind, line in character.cards_list.items():
            if counts[kind] != line.base:
                note(f"has {counts[kind]} cards of type {kind}; the Cards List says {line.base}")
        for name in set(character.must_hold) - {card.name for card in deck.cards}:
            note(f"lacks {name}, which it must hold")

    def count_as(self, character: CharacterRecord, deck: DeckRecord, counts: Counter[str]) -> None:
        """Move what is too much of a type to the type it counts as for this character."""
        for rule in character.counts_as:
            free = sum(
                card.count
                for card in deck.cards
                if card.type == rule.type
                and (boon := self.boons.get(card.name))
                and rule.without_trait not in (boon.traits or ())
            )
            moved = min(free, max(0, counts[rule.type] - character.cards_list[rule.type].base))
            counts[rule.type] -= moved
            counts[rule.counts_as] += moved

    def load_adventures(self, facts: PathfinderFacts) -> None:
        adventures: list[tuple[_Located, AdventureRecord]] = []
        paths: list[tuple[_Located, PathRecord]] = []
        for at in self.records(self.folder / "adventures.json") if (self.folder / "adventures.json").is_file() else ():
            if isinstance(at.value, dict) and at.value.get("record") == "path":
                if path := self.valid(at, PathRecord):
                    paths.append((at, path))
                    facts.paths.append(at.value)
            elif adventure := self.valid(at, AdventureRecord):
                adventures.append((at, adventure))
                facts.adventures.append(at.value)
        for position, (at, adventure) in enumerate(adventures):
            if any(adventure.deck == other.deck for _, other in adventures[:position]):
                self.problems.add(
                    at.path, at.line, f"{adventure.name} has the adventure deck number {adventure.deck} of another"
                )
            self.check_loot(at, adventure)
        for at, path in paths:
            members = [adventure.name for _, adventure in adventures if adventure.path == path.name]
            if members != path.adventures:
                self.problems.add(
                    at.path, at.line, f"{path.name} lists other adventures than those that name it as their path"
                )

    def check_loot(self, at: _Located, adventure: AdventureRecord) -> None:
        rewards = [(adventure.name, adventure.gives), *((part.name, part.gives) for part in adventure.scenarios)]
        for giver, gives in rewards:
            for name in gives.loot:
                boon = self.boons.get(name)
                if boon is None or not boon.loot or adventure.deck not in boon.copies:
                    why = "is not a card of the set" if boon is None else f"is not loot of deck {adventure.deck}"
                    self.problems.add(at.path, at.line, f"{giver} gives {name}, which {why}{_hint(name, self.boons)}")


def _label(value: Any) -> str:
    if not isinstance(value, dict):
        return "a record that is not an object"
    if "character" in value:
        return f"the suggested deck of {value['character']}"
    return str(value.get("name", "a record without a name"))


def _hint(name: str, known: Any) -> str:
    close = difflib.get_close_matches(name, list(known), 1, 0.7)
    return f"; did you mean {close[0]}?" if close and close[0] != name else ""
