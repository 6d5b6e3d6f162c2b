"""`kb export`: everything as files for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kb.cli.session import session_here
from kb.cli.terminal import AsJson, Progress, print_json, tell


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("export")(export)


def export(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to; an older export there is replaced.")],
    since: Annotated[
        Path | None,
        typer.Option(
            "--since", metavar="FOLDER", help="Also say what changed since this older export.", show_default=False
        ),
    ] = None,
    with_own: Annotated[
        bool,
        typer.Option(
            "--with-own", help="Also your own rulebooks and cards, which are else left out: mind their licence."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write all entries, rulings, checks and card facts as JSON with its schema, and as one SQLite file.

    Your own rulebooks and cards are not in it, unless you ask for them. Equal sources give equal files.

    Examples:
        kb export data
        kb export new --since data
    """
    from kb.export.write import write_export

    shown = Progress("Exporting")
    with session_here(own=False) as session, session_here() as private:
        own = private.catalog if with_own else None
        index = write_export(session.catalog, folder, since, lambda share: shown("writing", share), own)
    if as_json:
        print_json(index)
        return
    counts = index["games"].values()
    tell(
        f"Wrote {sum(count['entries'] for count in counts)} entries, {sum(count['cards'] for count in counts)} cards and "
        f"{sum(count['checks'] for count in counts)} checks to {folder}, in {len(index['files']) + 1} files."
    )
    if with_own:
        tell(
            "Your own rulebooks and cards are in it. The licence of the files does not cover them: publish only what you may."
        )
    if since:
        tell(f"{folder / 'CHANGES.md'} says what changed since {since}.")
