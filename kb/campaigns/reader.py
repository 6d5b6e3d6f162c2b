"""Reads the files of a campaign by the descriptions of their keys. Every problem is reported with its line, and the
other values are kept.
"""

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
    """The content of a game's file. `lines` maps each key to its line number. A name below a key has its own entry:
    the key and the name, separated by a space.
    """

    lines: Mapping[str, int] = field(default_factory=dict)

    def line(self, *names: str) -> int:
        """Return the line of the first of `names` (keys, or `key name`) that is in the file; see `line_in`."""
        return line_in(self.lines, *names)


def line_in(lines: Mapping[str, int], *names: str) -> int:
    """Return the line of the first of `names` (keys, or `key name`) that is in `lines`. If none is, look up their
    keys alone, without the names below them. Return 0 if no key is in `lines` either.
    """
    keys = [name_key(name) for name in (*names, *(name.partition(" ")[0] for name in names))]
    return next((lines[key] for key in keys if key in lines), 0)


Record = TypeVar("Record", bound=GameRecord)


class Reader(KeyReader):
    """Reads one file and collects its problems in `problems`. A game adds a method for each kind of value.

    `setup` is the beginning of the campaign and `state` its current state; both are None for `campaign.yaml`. `people`
    maps the normalized names that the file may use to people's full names. `people` is None if the file itself defines
    the people.
    """

    deck_is = "keys"
    of_places: tuple[str, ...] = ()
    """Keys with names below them that are not names of people."""

    def __init__(self, file: DeckFile, folder: Folder, facts: Any, setup: Any = None, state: Any = None) -> None:
        super().__init__(file.root, [])
        self.file = file
        self.folder = folder
        self.facts = facts
        self.people: Mapping[str, str] | None = None

    def setup(self) -> Any:
        """Read `campaign.yaml` and return the beginning of the campaign."""
        raise NotImplementedError

    def game(self, record: type[Record]) -> Record | None:
        """Read a game's file and return its `record`; None if required keys are missing."""
        keys = described(record)
        values = self.values(record, also=[key.name for key in GAME_KEYS])
        missing = [key.needs for key in keys.values() if key.needs and self.get(key.name) is None]
        for needs in missing:
            self.note(0, needs)
        if missing or any(name not in values for name, key in keys.items() if key.needs):
            return None
        return record(**values, lines=self.lines())

    def lines(self) -> dict[str, int]:
        """Return the first line of each key, and of `key name` for each name below the key."""
        first_lines: dict[str, int] = {}
        for key, value in self.file.root.pairs:
            first_lines.setdefault(name_key(key.text), key.line)
            for label, _ in value.pairs if isinstance(value, nodes.Mapping) else ():
                first_lines.setdefault(name_key(f"{key.text} {label.text}"), label.line)
        return first_lines

    def who(self, node: Scalar, key: str) -> str | None:
        """Return the full name of the person in `node`, a name under `key`. Report an unknown name, unless that person
        joins in this file.
        """
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
        """Return a tuple for each person under a key: the name, the node of the name, and the node of the value."""
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
        """Yield the name and the fields of each person under a key. Report fields that are not in `known`. `example`
        shows the correct form in messages, and `meant` converts an alternative name of a field to its name.
        """
        for name, _, value in self.by_person(key):
            if isinstance(value, nodes.Mapping):
                pairs = tuple((replace(label, text=meant(label.text)), each) for label, each in value.pairs)
                below = Fields(nodes.Mapping(pairs, value.line), self.problems, f"{key}: {name}: ")
                below.check_keys(known)
                yield name, below
            else:
                self.note(value, f"`{key}: {name}` must look like `{example}`.")

    def text(self, key: str) -> str:
        """Return the text of a key with a single value; empty if there is none."""
        return super().text(key) or ""

    def names(self, key: str) -> tuple[str, ...]:
        """Return the full names of the people listed under a key, without repeats."""
        people = (self.who(node, key) for node in self.scalars(key))
        return tuple(dict.fromkeys(name for name in people if name))

    def texts(self, key: str) -> dict[str, str]:
        """Return the text of each person under a key, by name. Report values that are not single values."""
        values: dict[str, str] = {}
        for name, _, value in self.by_person(key):
            if isinstance(value, Scalar) and value.text:
                values[name] = value.text
            else:
                self.note(value, f"`{key}: {name}` must be a single value.")
        return values

    def numbers(self, key: str, most: int) -> dict[str, int]:
        """Return the whole number from 0 to `most` of each person under a key, by name. An invalid value is reported
        and counts as 0.
        """
        return {name: self.count(value, f"{key}: {name}", most) or 0 for name, _, value in self.by_person(key)}

    def decks(self, key: str) -> dict[str, Any]:
        """Return the decks under a key by owner. A deck is in a file of the folder, or its keys are in this file. A
        deck that cannot be read is reported and left out.
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
        """Return the deck of `name` from its file. Raises DeckFileError if it cannot be read."""
        raise NotImplementedError

    def deck_here(self, label: Scalar, value: Node) -> DeckFile:
        """Return the deck whose keys are in this file, as a DeckFile; `label` is its owner. Raises DeckFileError if
        `value` contains no keys.
        """
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
        """Return the keys that a deck in this file may leave out, with their values for the owner `name`."""
        raise NotImplementedError


def deck_path(value: Node) -> str | None:
    """Return the path of the deck file that a node names; None if the node contains the deck itself."""
    return value.text if isinstance(value, Scalar) and value.text.endswith(DECK_SUFFIXES) else None


def text_of(file: DeckFile | None, key: str) -> str:
    """Return the text of the top-level `key` of a file; empty if there is none."""
    node = file.get(key) if file is not None else None
    return node.text if isinstance(node, Scalar) else ""
