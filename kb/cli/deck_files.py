"""What commands on decks share: exit codes, what is said of decks that cannot be read, the files that arguments name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from kb.cli.terminal import warn

if TYPE_CHECKING:
    from kb.decks.deckfile import DeckFile

LEGAL, FINDINGS, UNREADABLE = 0, 1, 2


@contextmanager
def readable() -> Iterator[None]:
    """Stops with exit code 2 over decks that cannot be read or judged together, and says why."""
    from kb.decks.nodes import DeckFileError
    from kb.decks.party import PartyError

    try:
        yield
    except (DeckFileError, PartyError) as error:
        warn(str(error))
        raise typer.Exit(UNREADABLE) from None


def files_named(*arguments: str) -> list[str]:
    """The files that arguments name: of a folder the deck files in it and below. Stops with exit code 2 over a folder without any."""
    from kb.decks.deckfile import deck_paths

    with readable():
        return deck_paths([*arguments])


def read_all(files: list[str]) -> Iterator[DeckFile | None]:
    """Every deck file that the arguments name; None for one that cannot be read (which is said on standard error)."""
    from kb.decks.nodes import DeckFileError
    from kb.decks.reading import read_each

    for file in read_each(files):
        if isinstance(file, DeckFileError):
            warn(str(file))
            yield None
        else:
            yield file
