"""What every command on decks needs: the catalog, the files that arguments name, and a report on each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from kb.cli.terminal import Progress, warn

if TYPE_CHECKING:
    from kb.catalog.reader import Catalog
    from kb.decks.deckfile import DeckFile
    from kb.decks.nodes import DeckFileError
    from kb.decks.report import Report
    from kb.decks.table import Table

LEGAL, FINDINGS, UNREADABLE = 0, 1, 2


@contextmanager
def catalog_here() -> Iterator[Catalog]:
    """The catalog, with a progress bar and warnings for people."""
    from kb.catalog.store import open_catalog

    with open_catalog(Progress("Building the catalog"), warn) as catalog:
        yield catalog


def read_each(files: list[str]) -> Iterator[DeckFile | DeckFileError]:
    """Every deck file that the arguments name; for one that cannot be read what is wrong with it."""
    from kb.decks.bundles import decks_in, standard_input
    from kb.decks.deckfile import deck_paths, deck_text
    from kb.decks.nodes import DeckFileError

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
            try:
                found = list(decks_in(deck_text(path), path))
            except DeckFileError as error:
                yield error
            else:
                yield from found


def read_all(files: list[str]) -> Iterator[DeckFile | None]:
    """Every deck file that the arguments name; None for one that cannot be read (which is said on standard error)."""
    from kb.decks.nodes import DeckFileError

    for file in read_each(files):
        if isinstance(file, DeckFileError):
            warn(str(file))
            yield None
        else:
            yield file


def check_one(file: DeckFile | DeckFileError, table: Table, options: Mapping[str, Any]) -> Report | DeckFileError:
    """The report on a deck file, or why there is none."""
    from kb.decks.contract import check_file
    from kb.decks.nodes import DeckFileError

    if isinstance(file, DeckFileError):
        return file
    try:
        return check_file(file, table.game, options)
    except DeckFileError as error:
        return error
