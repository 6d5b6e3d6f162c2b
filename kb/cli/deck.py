"""`kb deck check`, `kb deck show`, `kb deck new`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kb.citation import Citation
from kb.cli.deck_files import FINDINGS, LEGAL, UNREADABLE, catalog_here, check_one, read_all, read_each
from kb.cli.deck_page import page
from kb.cli.deck_print import print_reports, print_view
from kb.cli.files import write_new
from kb.cli.frame import with_frame
from kb.cli.party import check as check_together
from kb.cli.terminal import JsonList, tell, warn

if TYPE_CHECKING:
    from kb.catalog.reader import Catalog
    from kb.decks.contract import Known
    from kb.decks.nodes import DeckFileError
    from kb.decks.report import Report

app = typer.Typer(
    name="deck",
    help="Check decks by the rules, begin new ones, look at them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="Deck files; a folder stands for those in it, - for standard input."),
]


def register(main: typer.Typer) -> None:
    """Add `deck` to the main command."""
    app.command()(page)
    app.command("party")(check_together)
    main.add_typer(app)


@app.command()
@with_frame
def check(
    files: Files,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON: a list with one object a deck, each in a line.")
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=64, help="Processes to share the files among.")] = 1,
    **frame: Any,
) -> None:
    """Check decks by the rules of their game; every finding cites its rule and says what would be legal.

    Standard input (-) may hold one deck, a list of JSON decks, or JSON decks one a line. Exit code 0: all decks are legal
    (there may be warnings and notes); 1: a deck breaks a rule; 2: a file cannot be read (those that can are checked all
    the same).
    """
    from kb.decks.nodes import DeckFileError

    worst = LEGAL
    with catalog_here() as catalog:
        cites: dict[str, Citation] = {}
        known: Known = {}
        shown = JsonList() if as_json else None
        for found in check_all(files, frame, jobs, catalog):
            if isinstance(found, DeckFileError):
                worst = UNREADABLE
                warn(str(found))
            else:
                worst = max(worst, LEGAL if found.legal else FINDINGS)
                if unknown := {cite for finding in found.findings for cite in finding.cites} - cites.keys():
                    cites.update(catalog.citations(unknown))
                    cites.update({cite: Citation(cite, cite, "") for cite in unknown - cites.keys()})
            show_result(found, cites, known, shown)
        if shown is not None:
            shown.close()
    raise typer.Exit(worst)


def show_result(
    found: Report | DeckFileError, cites: dict[str, Citation], known: Known, shown: JsonList | None
) -> None:
    """Write one deck's report as soon as it is there: as JSON, or for people (who were told what cannot be read)."""
    from kb.decks.contract import contract, unreadable
    from kb.decks.nodes import DeckFileError

    if isinstance(found, DeckFileError):
        if shown is not None:
            shown.add(unreadable(found))
    elif shown is not None:
        shown.add(contract(found, cites, known))
    else:
        print_reports([found], cites)


def check_all(
    files: list[str], options: dict[str, Any], jobs: int, catalog: Catalog
) -> Iterator[Report | DeckFileError]:
    """The report on each deck, in order, as it is ready; for a deck that cannot be read, why."""
    if jobs > 1:
        from kb.cli.deck_jobs import check_in_processes

        yield from check_in_processes(files, options, jobs)
        return
    from kb.decks.table import Table

    table = Table(catalog.records)
    for file in read_each(files):
        yield check_one(file, table, options)


@app.command()
def show(files: Files) -> None:
    """Draw a deck's composition as a small table: cards per type beside the list. Exit code 2 when a file cannot be read."""
    from kb.decks.nodes import DeckFileError
    from kb.decks.table import Table

    unreadable = False
    with catalog_here() as catalog:
        table = Table(catalog.records)
        for file in read_all(files):
            try:
                if file is not None:
                    module, facts = table.game_of(file)
                    print_view(module.show(file, facts))
                    continue
            except DeckFileError as error:
                warn(str(error))
            unreadable = True
    raise typer.Exit(UNREADABLE if unreadable else 0)


@app.command()
def new(
    character: Annotated[str, typer.Argument(metavar="CHARACTER", help="A character, such as Lini.")],
    set_id: Annotated[
        str | None, typer.Option("--set", metavar="SET", help="The set, where a name is in several.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write to this file instead of standard output.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Write a character's suggested deck as a deck file. Exit code 2 when there is no such character or the file exists."""
    from kb.decks.games import NewDeckError, with_decks
    from kb.decks.table import Table

    with catalog_here() as catalog:
        table = Table(catalog.records)
        text = None
        failed = f"There is no character {character!r} in the games with deck rules."
        for game in with_decks():
            module, facts = table.game(game.id)
            try:
                text = module.new_deck(character, set_id, facts)
            except NewDeckError as error:
                failed = str(error)
            if text is not None:
                break
    if text is None:
        warn(failed)
        raise typer.Exit(UNREADABLE)
    if out is None:
        tell(text, end=False)
        return
    write_new(out, text, force)
