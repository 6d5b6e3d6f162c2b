"""Reads decks from files, folders, standard input and texts. A file contains one deck, several decks in one JSON
value, or one deck on each line (JSON Lines).

If a deck cannot be read, the others are still read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from kb.decks.deckfile import (
    LARGEST_FILE,
    LINES_SUFFIXES,
    DeckFile,
    decode_deck,
    parse_deck,
    refusal,
    too_large,
    unread,
)
from kb.decks.folder import deck_paths
from kb.decks.nodes import DeckFileError
from kb.files.text import one_line


def read_each(files: Iterable[str | DeckFile | DeckFileError]) -> Iterator[DeckFile | DeckFileError]:
    """Yield every deck in `files`: files, folders and standard input (`-`). Instead of a deck that cannot be read,
    yield the error.

    Decks and errors among `files` are passed on unchanged.
    """
    for argument in files:
        if not isinstance(argument, str):
            yield argument
            continue
        try:
            for path in deck_paths(argument):
                yield from _decks_at(path)
        except DeckFileError as error:
            yield error


def _decks_at(path: str) -> Iterator[DeckFile | DeckFileError]:
    """Yield the decks in the file at `path` (`-`: standard input). Instead of a deck that cannot be read, yield the
    error.
    """
    if path == "-":
        yield from standard_input()
        return
    try:
        with Path(path).open("rb") as file:
            if path.lower().endswith(LINES_SUFFIXES):
                yield from each_line(bounded_lines(file), one_line(path))
            else:
                yield from decks_in_bytes(file.read(LARGEST_FILE + 1), one_line(path))
    except (OSError, ValueError) as error:
        yield unread(path, error)


def one_deck(name: str | None, text: str | None) -> DeckFile:
    """Return the deck in the file `name`, or in `text`.

    Raises DeckFileError if the deck cannot be read or there are several decks. Raises TypeError unless exactly one of
    the arguments is given.
    """
    if text is not None and len(text) > LARGEST_FILE:
        raise too_large("text")
    if (name is None) == (text is None):
        raise TypeError("give the name of a file, or text=…")
    return only_deck(name or "The text", list(decks_in(text, "text") if text is not None else read_each([name or ""])))


def only_deck(name: str, files: Sequence[DeckFile | DeckFileError]) -> DeckFile:
    """Return the only deck among `files`, which were read from `name`. Raises DeckFileError if it cannot be read, or if
    there are no or several decks.
    """
    if len(files) != 1:
        raise refusal(name, f"contains {len(files)} decks; give one.")
    if isinstance(files[0], DeckFileError):
        raise files[0]
    return files[0]


_WRAPPERS = ("deck", "decks", "data")
_DEEPEST = 4
_PASSED_OVER = 65_536


def decks_in(file_text: str, name: str) -> Iterator[DeckFile]:
    """Yield the decks in a file's text. If there are several, each deck is named after the file and the deck's number
    in that file. Raises DeckFileError if a deck cannot be read.

    A JSON list of decks (such as a site's daily export) and a JSON object that wraps decks are unpacked. Any other
    text is one deck file.
    """
    decks = _unwrapped(file_text)
    if decks is None:
        yield parse_deck(file_text, name)
        return
    for number, deck in enumerate(decks, 1):
        one = parse_deck(json.dumps(deck, ensure_ascii=False), name)
        yield replace(one, name=f"{name}[{number}]") if len(decks) > 1 else one


def deck_in(file_text: str, name: str) -> DeckFile:
    """Return the only deck in a text, with or without a JSON wrapper. Raises DeckFileError if it cannot be read or
    there are several decks.
    """
    return only_deck(name, list(decks_in(file_text, name)))


def standard_input() -> Iterator[DeckFile | DeckFileError]:
    """Yield the decks on standard input. Instead of a deck that cannot be read, yield the error.

    The input is the content of one file, or any number of JSON lines. A line is a deck named `-:LINE`, a list of decks
    or a wrapped deck.
    """
    source = sys.stdin.buffer
    first = source.readline(LARGEST_FILE + 1)
    if not first:  # do not read again: on a terminal the user would have to end the input twice
        yield from decks_in_bytes(b"", "-")
    elif _is_whole(first):
        yield from each_line(bounded_lines(source, first), "-")
    else:
        yield from decks_in_bytes(first + source.read(LARGEST_FILE + 1), "-")


def each_line(lines: Iterable[bytes], name: str) -> Iterator[DeckFile | DeckFileError]:
    """Yield the decks in `lines`, each named after the file `name` and the line's number. Skip empty lines. Instead
    of a deck that cannot be read, yield the error.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield from decks_in_bytes(line, f"{name}:{number}")


def bounded_lines(stream: IO[bytes], first: bytes = b"") -> Iterator[bytes]:
    """Yield each line of a stream, beginning with `first`, which was read before.

    If a line is longer than `LARGEST_FILE`, only its beginning is kept in memory and yielded. That beginning is still
    longer than `LARGEST_FILE`, so that the caller can detect it.
    """
    line = first or stream.readline(LARGEST_FILE + 1)
    while line:
        if len(line) > LARGEST_FILE and not line.endswith(b"\n"):
            while (more := stream.readline(_PASSED_OVER)) and not more.endswith(b"\n"):
                pass
        yield line
        line = stream.readline(LARGEST_FILE + 1)


def _is_whole(line: bytes) -> bool:
    """Return True if the first line of the input is a complete deck, list of decks or wrapped deck in JSON. More decks
    may then follow, one on each line.
    """
    return _inside(_json(line.decode("utf-8-sig", "replace")), _DEEPEST) is not None


def decks_in_bytes(raw: bytes, name: str) -> Iterator[DeckFile | DeckFileError]:
    """Yield the decks in the bytes of a file or line, or the error if they cannot be read."""
    try:
        if len(raw) > LARGEST_FILE:
            raise too_large(name)
        yield from decks_in(decode_deck(name, raw), name)
    except DeckFileError as error:
        yield error


def _unwrapped(text: str) -> list[dict[str, Any]] | None:
    """Return the decks inside a JSON list or wrapper object, as dicts; None if the text is neither."""
    if text.lstrip()[:1] == "{" and not any(f'"{key}"' in text for key in _WRAPPERS):
        return None
    data = _json(text)
    return None if _is_deck(data) else _inside(data, _DEEPEST)


def _json(text: str) -> Any:
    """Return the value of a JSON text; None if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _inside(data: Any, deep: int) -> list[dict[str, Any]] | None:
    """Return the decks in a list or under the key of a wrapper object, at most `deep` levels down; None if there are
    none.
    """
    if _is_deck(data):
        return [data]
    if isinstance(data, list) and deep:
        from_list: list[dict[str, Any]] = []
        for part in data:
            inner = _inside(part, deep - 1) or ([part] if isinstance(part, dict) and len(part) > 1 else None)
            if inner is None:
                return None
            from_list += inner
        return from_list or None
    for key in _WRAPPERS if isinstance(data, dict) and deep else ():
        below = data.get(key)
        by_id = list(below.values()) if isinstance(below, dict) else []
        decks = _inside(below, deep - 1) or (by_id if all(map(_is_deck, by_id)) else None)
        if decks and (len(data) == 1 or all(map(_is_deck, decks))):
            return decks
        if len(data) == 1 and len(by_id) > 1:
            return [below]
    return None


def _is_deck(value: Any) -> bool:
    """Return True if a value is a deck as other programs export it."""
    return isinstance(value, dict) and "slots" in value
