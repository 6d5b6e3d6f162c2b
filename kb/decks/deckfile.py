"""Reads deck files of every game into a tree of nodes that know their lines: YAML, JSON or a plain text list."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from kb.decks.formats import (
    A_PAGE,
    MOST_LINES,
    TOO_LONG,
    is_address,
    is_flow_yaml,
    is_plain_list,
    load_json,
    looks_like_text,
    parse_json,
    parse_text,
    parse_yaml,
    whole_characters,
)
from kb.decks.nodes import DeckFileError, DeckProblem, Mapping, Node, Scalar, Sequence, key_name, place, plain_value
from kb.files.text import unicode_text

__all__ = [
    "DECK_SUFFIXES",
    "DeckFile",
    "DeckFileError",
    "DeckProblem",
    "Mapping",
    "Node",
    "Scalar",
    "Sequence",
    "deck_paths",
    "deck_text",
    "decode_deck",
    "exported",
    "key_name",
    "parse_deck",
    "place",
    "plain_value",
    "read_deck_file",
]

LARGEST_FILE = 1_000_000
TOO_LARGE = f"is larger than {LARGEST_FILE:,} bytes; that is not a deck file."
NOT_UTF8 = "is not UTF-8 text; save the file as UTF-8."
DECK_SUFFIXES = (".yaml", ".yml", ".json", ".txt", ".deck")
LINES_SUFFIXES = (".jsonl", ".ndjson")
"""Files of JSON Lines: a deck in each, of any number."""

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")

Format = Literal["yaml", "json", "text"]


@dataclass(frozen=True, slots=True)
class DeckFile:
    """A deck file as read. `name` is shown in messages (`-` for standard input).

    `tree` gives the file as nodes with lines; a deck that another program exported has its plain `loaded` value as well,
    so that the tree need not be grown unless somebody asks for a line.
    """

    name: str
    format: Format
    tree: Callable[[], Mapping]
    text: str
    loaded: dict[str, Any] | None = None

    @property
    def root(self) -> Mapping:
        """The whole file as nodes."""
        return self.tree()

    def value(self) -> dict[str, Any]:
        """The whole file as plain dicts, lists, strings, numbers, booleans and None."""
        if self.loaded is not None:
            return self.loaded
        if self.format == "json":
            loaded: dict[str, Any] = load_json(self.text, dict)
            return loaded
        return {key.text: plain_value(node) for key, node in self.root.pairs}

    def key_names(self) -> frozenset[str]:
        """The keys of the top level in small letters with underscores."""
        return _named(tuple(self.loaded)) if self.loaded is not None else frozenset(self.top_keys())

    def top_keys(self) -> dict[str, Scalar]:
        """The keys of the top level as they stand there, by their names in small letters with underscores."""
        return {key_name(key.text): key for key, _ in self.root.pairs}

    def get(self, name: str) -> Node | None:
        """The value under a key of the top level, or None."""
        if self.loaded is not None and name not in self.key_names():
            return None
        return next((node for key, node in self.root.pairs if key_name(key.text) == name), None)


@lru_cache(maxsize=8)  # decks of one export have the same keys
def _named(keys: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(key_name, keys))


def deck_paths(arguments: list[str]) -> list[str]:
    """Files named by command-line arguments: a folder stands for the deck files in it and below, `-` for standard input.

    Raises DeckFileError for a folder without deck files, and for an empty name: a script's empty variable is not this folder.
    """
    found: list[str] = []
    for argument in arguments:
        if not argument:
            raise DeckFileError("''", [DeckProblem(0, "is no name of a file; write . for this folder.")])
        folder = Path(argument)
        if argument != "-" and folder.is_dir():
            inside = sorted(
                path
                for path in folder.rglob("*")
                if path.suffix in (*DECK_SUFFIXES, *LINES_SUFFIXES) and path.is_file()
            )
            if not inside:
                wanted = ", ".join(DECK_SUFFIXES)
                raise DeckFileError(argument, [DeckProblem(0, f"the folder holds no deck files ({wanted}).")])
            found.extend(str(path) for path in inside)
        else:
            found.append(argument)
    return found


def read_deck_file(name: str) -> DeckFile:
    """Read a deck file (`-`: standard input). Raises DeckFileError."""
    return parse_deck(deck_text(name), name)


def deck_text(name: str) -> str:
    """The text of a deck file (`-`: standard input). Raises DeckFileError."""
    try:
        if name == "-":
            raw = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with Path(name).open("rb") as file:
                raw = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise unread(name, error) from None
    return decode_deck(name, raw)


def unread(name: str, error: Exception) -> DeckFileError:
    """What is wrong with a file that the system does not give."""
    reason = getattr(error, "strerror", None) or str(error)
    return DeckFileError(name, [DeckProblem(0, A_PAGE if "://" in name else f"cannot be read: {reason}.")])


def decode_deck(name: str, raw: bytes) -> str:
    """The text of a deck file of these bytes. Raises DeckFileError when it is too large or neither UTF-8 nor UTF-16."""
    if len(raw) > LARGEST_FILE:
        raise too_large(name)
    try:
        return unicode_text(raw)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DeckFileError(name, [DeckProblem(line, NOT_UTF8)]) from None


def too_large(name: str) -> DeckFileError:
    """What is wrong with a file, a line or a text that is larger than any deck file."""
    return DeckFileError(name, [DeckProblem(0, TOO_LARGE)])


def parse_deck(text: str, name: str) -> DeckFile:
    """Parse the text of a deck file, whichever of the formats it is in. Raises DeckFileError."""
    if not text.strip():
        raise DeckFileError(name, [DeckProblem(0, "is empty.")])
    if not text.rstrip().isprintable() and (control := CONTROL.search(text)):  # the first is the quicker question
        line = text.count("\n", 0, control.start()) + 1
        raise DeckFileError(name, [DeckProblem(line, "holds control characters; that is not a text file.")])
    if text.count("\n") > MOST_LINES:  # told before anything is read
        raise DeckFileError(name, [DeckProblem(0, TOO_LONG)])
    if (data := exported(text)) is not None:
        return DeckFile(name, "json", lambda: _mapping(parse_json(text, name), name), text, data)
    if text.lstrip()[0] in "{[" and not is_flow_yaml(text, name):
        return _read(name, "json", _mapping(parse_json(text, name), name), text)
    if is_address(text):
        raise DeckFileError(name, [DeckProblem(0, A_PAGE)])
    if looks_like_text(text) and not name.endswith((".yaml", ".yml", ".json")):
        return _read(name, "text", parse_text(text, name), text)
    try:
        root = _mapping(parse_yaml(text, name), name)
    except DeckFileError:
        if name.endswith(".json") or not is_plain_list(text):
            raise
        return _read(name, "text", parse_text(text, name), text)
    return _read(name, "yaml", root, text)


def _read(name: str, format: Format, root: Mapping, text: str) -> DeckFile:
    return DeckFile(name, format, lambda: root, text)


def exported(text: str) -> dict[str, Any] | None:
    """A deck that another program wrote as JSON (it has the key `slots`): nobody looks for a line in it, and it reads quickly."""
    if text.lstrip()[0] != "{" or '"slots"' not in text:
        return None
    try:
        data = whole_characters(_DISTINCT.decode(text), text)
    except (ValueError, RecursionError):
        return None  # read again with care, which says what is wrong and where
    return data if isinstance(data, dict) and "slots" in data else None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


# One for all: making it takes as long as reading a small deck.
_DISTINCT = json.JSONDecoder(object_pairs_hook=_distinct)


def _mapping(node: Node, name: str) -> Mapping:
    if isinstance(node, Mapping):
        return node
    said = "a list" if isinstance(node, Sequence) else "a single text"
    hint = "a deck file has keys such as `character:` and `cards:`, or is a list of cards, one a line."
    raise DeckFileError(name, [DeckProblem(node.line, f"holds {said}; {hint}")])
