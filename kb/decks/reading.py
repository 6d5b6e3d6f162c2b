"""Reads the deck files that a command line or a script names, one after the other; one that cannot be read stops none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from kb.decks.bundles import bounded_lines, decks_in, each_line, standard_input
from kb.decks.contract import check_file
from kb.decks.deckfile import LARGEST_FILE, LINES_SUFFIXES, DeckFile, deck_paths, deck_text, too_large, unread
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.report import Report
from kb.decks.table import Table


def read_each(files: Iterable[str]) -> Iterator[DeckFile | DeckFileError]:
    """Every deck in files, folders and standard input (`-`); for one that cannot be read what is wrong with it."""
    for argument in files:
        if argument == "-":
            yield from standard_input()
            continue
        try:
            paths = deck_paths([argument])
        except DeckFileError as error:
            yield error
            continue
        for path in paths:
            if path.endswith(LINES_SUFFIXES):
                yield from _lines_of(path)
                continue
            try:
                found = list(decks_in(deck_text(path), path))
            except DeckFileError as error:
                yield error
            else:
                yield from found


def _lines_of(path: str) -> Iterator[DeckFile | DeckFileError]:
    """The decks of a file of JSON Lines, one after the other."""
    try:
        with Path(path).open("rb") as file:
            yield from each_line(bounded_lines(file), path)
    except (OSError, ValueError) as error:
        yield unread(path, error)


def check_one(file: DeckFile | DeckFileError, table: Table, options: Mapping[str, Any]) -> Report | DeckFileError:
    """The report on a deck file, or why there is none."""
    if isinstance(file, DeckFileError):
        return file
    try:
        return check_file(file, table.game, options)
    except DeckFileError as error:
        return error


def one_deck(name: str | None, text: str | None) -> DeckFile:
    """The deck in a file, or in a text. Raises DeckFileError, also when there are several; TypeError when neither or both are given."""
    if text is not None and len(text) > LARGEST_FILE:
        raise too_large("text")
    if (name is None) == (text is None):
        raise TypeError("give the name of a file, or text=…")
    files = list(decks_in(text, "text") if text is not None else read_each([name or ""]))
    shown = name or "The text"
    if len(files) != 1:
        raise DeckFileError(shown, [DeckProblem(0, f"holds {len(files)} decks; this is done with one.")])
    if isinstance(files[0], DeckFileError):
        raise files[0]
    return files[0]
