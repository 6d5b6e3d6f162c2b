"""What commands on decks share: exit codes, what is said of decks that cannot be read, the files that arguments name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.terminal import warn
from kb.registry import games

if TYPE_CHECKING:
    from kb.decks.deckfile import DeckFile
    from kb.decks.nodes import DeckFileError

LEGAL, FINDINGS, UNREADABLE = 0, 1, 2

Fetch = Annotated[
    bool, typer.Option("--fetch", help="Where an address is given: ask its site's public API for the deck.")
]


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


def read_all(files: Iterable[str | DeckFile | DeckFileError]) -> Iterator[DeckFile | None]:
    """Every deck file that the arguments name; None for one that cannot be read (which is said on standard error)."""
    from kb.decks.nodes import DeckFileError
    from kb.decks.reading import read_each

    for file in read_each(files):
        if isinstance(file, DeckFileError):
            warn(str(file))
            yield None
        else:
            yield file


def fetched(files: Iterable[str], fetch: bool) -> list[str | DeckFile | DeckFileError]:
    """What arguments name: files as they are, and for the address of a deck's page the deck, or why there is none.

    Without `fetch` nothing is asked: an address gives the sentence that says what would be asked of whom.
    """
    from kb.decks.nodes import DeckFileError

    found: list[str | DeckFile | DeckFileError] = []
    for name in files:
        if os.path.exists(name) or not ("://" in name or interface_of(name)):  # noqa: PTH110 (False for a name too long)
            found.append(name)
            continue
        try:
            found += _decks_at(name, fetch)
        except DeckFileError as error:
            found.append(error)
    return found


def interface_of(page: str) -> str | None:
    """What a site's public API calls the deck that a page shows; None for pages of which no game knows that."""
    bare = re.split("[?#]", re.sub("^https?://", "", page, flags=re.IGNORECASE))[0]
    for about in games().values():
        for pattern, asked in about.addresses.items():
            if shown := re.fullmatch(f"(?i:{pattern})(?:/.*)?", bare, re.ASCII):
                return f"https://{shown.expand(asked)}"
    return None


def _decks_at(page: str, fetch: bool) -> list[DeckFile]:
    """The deck that a page shows. Raises DeckFileError."""
    from kb.decks.deckfile import A_PAGE, refusal

    url = interface_of(page)
    if url is None:
        hosts = sorted({asked.split("/")[0] for about in games().values() for asked in about.addresses.values()})
        raise refusal(
            page, f"is no page of a deck that kb knows; it asks {' and '.join(hosts)} alone." if fetch else A_PAGE
        )
    if not fetch:
        host = url.split("/")[2]
        raise refusal(
            page, f"is the address of a page, and kb asks nobody unbidden. With `--fetch` it asks {host} for {url}."
        )
    from kb.cli.fetch import decks_at

    return decks_at(page, url)
