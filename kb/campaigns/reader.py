"""Reads a campaign's file by the description of its keys. It reports every problem with its line and keeps the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from kb.campaigns.campaign import Folder
from kb.decks import nodes
from kb.decks.deckfile import DECK_SUFFIXES, DeckFile, refusal
from kb.decks.fields import Fields
from kb.decks.file_keys import Key, KeyReader, described
from kb.decks.names import did_you_mean, name_key
from kb.decks.nodes import DeckFileError, Node, Scalar, key_name

SETUP_KEYS = (
    Key("game", "", "the game"),
    Key("name", "The Tuesday table", "name of the campaign"),
    Key("players", "[Ann, Ben]", "names of the players, for your own records"),
)
DATE = "date"
GAME_KEYS = (
    Key(DATE, "2026-11-01", "date played"),
    Key("notes", "a note", "shown in the timeline"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """The content of a game's file. `lines` are the lines of its keys, and of `key name` for names below a key."""

    lines: Mapping[str, int] = field(default_factory=dict)

    def line(self, *names: str) -> int:
        """Return the line of the first of these keys (or `key name`) that is in the file (see `line_in`)."""
        return line_in(self.lines, *names)


def line_in(lines: Mapping[str, int], *names: str) -> int:
    """Return the line of the first of these keys (or `key name`) found, or else the line of the first key alone; 0 if
    none is found.
    """
    keys = [name_key(name) for name in (*names, *(name.partition(" ")[0] for name in names))]
    return next((lines[key] for key in keys if key in lines), 0)


Record = TypeVar("Record", bound=GameRecord)


class Reader(KeyReader):
    """Reads one file and collects its problems in `problems`. A game adds a method for each of its kinds of value.

    `setup` is the beginning of the campaign and `state` its current state; both are None for `campaign.yaml`. `people`
    maps the names that the file may use (normalized) to the people; None if the file defines them itself.
    """

    deck_is = "keys"
    of_places: tuple[str, ...] = ()
    """Keys below which names are not names of people."""

    def __init__(self, file: DeckFile, folder: Folder, facts: Any, setup: Any = None, state: Any = None) -> None:
        super().__init__(file.root, [])
        self.file = file
        self.folder = folder
        self.facts = facts
        self.people: Mapping[str, str] | None = None

    def setup(self) -> Any:
        """Return the beginning of the campaign from `campaign.yaml`."""
        raise NotImplementedError

    def game(self, record: type[Record]) -> Record | None:
        """Return a game from its file; None if required keys are missing."""
        keys = described(record)
        values = self.values(record, also=[key.name for key in GAME_KEYS])
        missing = [key.needs for key in keys.values() if key.needs and self.get(key.name) is None]
        for needs in missing:
            self.note(0, needs)
        if missing or any(name not in values for name, key in keys.items() if key.needs):
            return None
        return record(**values, lines=self.lines())

    def lines(self) -> dict[str, int]:
        """Return the first line of each key, and of `key name` for names below it."""
        first_lines: dict[str, int] = {}
        for key, value in self.file.root.pairs:
            first_lines.setdefault(name_key(key.text), key.line)
            for label, _ in value.pairs if isinstance(value, nodes.Mapping) else ():
                first_lines.setdefault(name_key(f"{key.text} {label.text}"), label.line)
        return first_lines

    def who(self, node: Scalar, key: str) -> str | None:
        """Return the person's full name. Report an unknown name, unless the person joins in this file."""
        if self.people is None or key in self.of_places:
            return node.text
        new = {name_key(each): each for each in self.words("joined")} if key in ("joined", "decks") else {}
        known = {**new, **self.people}
        if name_key(node.text) in known:
            return known[name_key(node.text)]
        names = list(dict.fromkeys(known.values()))
        hint = did_you_mean(node.text, names) or (f" In the party: {', '.join(names)}." if names else "")
        self.note(node, f"{node.text!r} is not in the party.{hint}")
        return node.text

    def by_person(self, key: str) -> list[tuple[str, Scalar, Node]]:
        """Return the name, the node of the name and the value for each person under a key."""
        by_name: dict[str, tuple[str, Scalar, Node]] = {}
        below = self.below(key)
        for label, value in below.mapping.pairs if below else ():
            if name := self.who(label, key):
                if name in by_name:
                    self.note(label, f"`{key}` names {name} twice.")
                else:
                    by_name[name] = (name, label, value)
        return list(by_name.values())

    def each_below(
        self, key: str, known: Iterable[str], example: str, meant: Callable[[str], str] = str
    ) -> Iterator[tuple[str, Fields]]:
        """Yield the fields for each person under a key; every field must be one of `known`. `example` shows the right
        form in messages, and `meant` returns the field that another name means.
        """
        for name, _, value in self.by_person(key):
            if isinstance(value, nodes.Mapping):
                pairs = tuple((replace(label, text=meant(label.text)), each) for label, each in value.pairs)
                below = Fields(nodes.Mapping(pairs, value.line), self.problems, f"{key}: {name}: ")
                below.check_keys(known)
                yield name, below
            else:
                self.note(value, f"`{key}: {name}` must be like `{example}`.")

    def text(self, key: str) -> str:
        """Return a single value."""
        return super().text(key) or ""

    def names(self, key: str) -> tuple[str, ...]:
        """Return the people listed under a key."""
        people = (self.who(node, key) for node in self.scalars(key))
        return tuple(dict.fromkeys(name for name in people if name))

    def texts(self, key: str) -> dict[str, str]:
        """Return a single value for each person."""
        values: dict[str, str] = {}
        for name, _, value in self.by_person(key):
            if isinstance(value, Scalar) and value.text:
                values[name] = value.text
            else:
                self.note(value, f"`{key}: {name}` must be a single value.")
        return values

    def numbers(self, key: str, most: int) -> dict[str, int]:
        """Return a whole number for each person."""
        return {name: self.count(value, f"{key}: {name}", most) or 0 for name, _, value in self.by_person(key)}

    def decks(self, key: str) -> dict[str, Any]:
        """Return decks by owner, from files of the folder or from keys in this file. Leave out a deck that cannot be
        read.
        """
        decks: dict[str, Any] = {}
        for name, label, value in self.by_person(key):
            path = deck_path(value)
            try:
                decks[name] = self.deck(self.folder.deck(path) if path else self.deck_here(label, value), name)
            except DeckFileError as error:
                for problem in error.problems:
                    if path is None and problem.line:
                        self.problems.append(problem)
                    else:
                        self.note(value, f"{path or label.text}: {problem.message}")
        return decks

    def deck(self, file: DeckFile, name: str) -> Any:
        """Return a person's deck from its file. Raises DeckFileError."""
        raise NotImplementedError

    def deck_here(self, label: Scalar, value: Node) -> DeckFile:
        """Return the deck whose keys are in this file. Raises DeckFileError."""
        if not isinstance(value, nodes.Mapping):
            said = f"the deck of {label.text} must be a file in this folder, or {self.deck_is}."
            raise refusal(self.file.name, said, value.line)
        there = {key_name(key.text) for key, _ in value.pairs}
        more = [
            (Scalar(key, value.line), Scalar(text, value.line))
            for key, text in self.deck_keys(label.text).items()
            if text and key not in there
        ]
        root = nodes.Mapping((*more, *value.pairs), value.line)
        return DeckFile(self.file.name, "yaml", lambda: root, "")

    def deck_keys(self, name: str) -> dict[str, str]:
        """Return the keys that a deck in this file may leave out."""
        raise NotImplementedError


def deck_path(value: Node) -> str | None:
    """Return the file of the folder that a node names; None if the node is the deck itself."""
    return value.text if isinstance(value, Scalar) and value.text.endswith(DECK_SUFFIXES) else None


def text_of(file: DeckFile | None, key: str) -> str:
    """Return a single value of a file; empty if there is none."""
    node = file.get(key) if file is not None else None
    return node.text if isinstance(node, Scalar) else ""
