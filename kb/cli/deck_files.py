"""What every command on decks needs: the catalog, the files that arguments name, and a report on each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from kb.cli.terminal import Progress, warn

if TYPE_CHECKING:
    from kb.catalog.reader import Catalog
    from kb.decks.deckfile import DeckFile
    from kb.decks.report import Report
    from kb.decks.table import Table

LEGAL, FINDINGS, UNREADABLE = 0, 1, 2


@contextmanager
def catalog_here() -> Iterator[Catalog]:
    """The catalog, with a progress bar and warnings for people."""
    from kb.catalog.store import open_catalog

    with open_catalog(Progress("Building the catalog"), warn) as catalog:
        yield catalog


def read_all(files: list[str]) -> Iterator[DeckFile | None]:
    """Every deck file that the arguments name; None for one that cannot be read (which is said on standard error)."""
    from kb.decks.deckfile import deck_paths, read_deck_file, standard_input
    from kb.decks.nodes import DeckFileError

    for argument in files:
        if argument == "-":
            yield from decks_of(standard_input)
            continue
        try:
            paths = deck_paths([argument])
        except DeckFileError as error:
            warn(str(error))
            yield None
            continue
        for path in paths:
            try:
                yield read_deck_file(path)
            except DeckFileError as error:
                warn(str(error))
                yield None


def decks_of(read: Callable[[], Iterator[DeckFile]]) -> Iterator[DeckFile | None]:
    """The decks that `read` yields; None once it can read no further."""
    from kb.decks.nodes import DeckFileError

    try:
        yield from read()
    except DeckFileError as error:
        warn(str(error))
        yield None


def check_one(file: DeckFile | None, table: Table, options: Mapping[str, Any]) -> Report | None:
    """The report on a deck file; None when it cannot be read."""
    from kb.decks.contract import check_file
    from kb.decks.nodes import DeckFileError

    if file is None:
        return None
    try:
        return check_file(file, table.game, options)
    except DeckFileError as error:
        warn(str(error))
        return None
