"""`kb deck convert`: a deck in another program's format."""

from __future__ import annotations

from typing import Annotated

import typer

from kb.cli.deck_files import Fetch, fetched, files_named, write_new
from kb.cli.session import FileOut, Force, session_here
from kb.cli.terminal import warn
from kb.decks.reading import read_each
from kb.errors import KbError


def convert(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A deck file in any format that is read; - for input.")],
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help="arkhamdb, arkham.build, text or yaml.")],
    out: FileOut = None,
    force: Force = False,
    fetch: Fetch = False,
) -> None:
    """Write an Arkham Horror deck in another format; what the format cannot hold is said on standard error.

    Exit code 2 when the file cannot be read, the format is unknown or the file to write exists.

    Examples:
        kb deck convert roland.yaml --to text
        kb deck convert roland.yaml --to arkhamdb --out roland.json
    """
    from kb.games.arkham.decks.writers import FORMATS, write_deck
    from kb.games.arkham.party import GAME, named_decks

    if to not in FORMATS:
        raise KbError(f"There is no format {to!r}; there are {', '.join(FORMATS)}.")
    with session_here() as session:
        facts = session.table.game(GAME)[1]
        decks = named_decks(read_each(fetched([file], fetch)), facts)
        if len(decks) > 1:
            raise KbError(f"{file} holds {len(decks)} decks; convert them one by one.")
        written = write_deck(decks[0].deck, to, facts)
    write_new(out, written.text, force, files_named(file))
    if written.lost:
        warn(f"The format {to} cannot hold: {'; '.join(written.lost)}.")
