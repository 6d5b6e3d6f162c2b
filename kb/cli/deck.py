"""`kb deck check`, `kb deck show`, `kb deck new`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from kb.cli.completion import characters, products
from kb.cli.deck_files import FINDINGS, LEGAL, UNREADABLE, read_all
from kb.cli.deck_many import judge
from kb.cli.deck_page import page
from kb.cli.deck_print import print_reports, print_view
from kb.cli.deck_pull import pull
from kb.cli.deck_stats import stats
from kb.cli.files import write_new
from kb.cli.frame import with_frame
from kb.cli.help import Commands
from kb.cli.party import check as check_together
from kb.cli.session import session_here
from kb.cli.terminal import JsonList, tell_as_is, warn

app = Commands(
    name="deck",
    help="Check decks by the rules, begin new ones, look at them.",
    no_args_is_help=True,
)

Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="Deck files; a folder stands for those in it, - for standard input."),
]


def register(main: typer.Typer) -> None:
    """Add `deck` to the main command."""
    app.command()(page)
    app.command("party")(check_together)
    app.command()(pull)
    app.command()(judge)
    app.command()(stats)
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

    Examples:
        kb deck check lini.yaml
        kb deck check decks --json
    """
    from kb.decks.nodes import DeckFileError

    remember(files)
    worst, said = LEGAL, list[str]()
    with session_here() as session:
        shown = JsonList() if as_json else None
        for found in session.check_decks(files, jobs=jobs, **frame):
            if isinstance(found, DeckFileError):
                worst = UNREADABLE
                warn(str(found))
            else:
                worst = max(worst, LEGAL if found.legal else FINDINGS)
            if shown is not None:
                shown.add(session.as_json(found))
            elif not isinstance(found, DeckFileError):
                print_reports([found], session.cites(found.cited), said)
        if shown is not None:
            shown.close()
    raise typer.Exit(worst)


@app.command()
def show(
    files: Files,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: a list with one object a deck.")] = False,
) -> None:
    """Draw a deck's composition as a small table: cards per type beside the list. Exit code 2 when a file cannot be read.

    Examples:
        kb deck show lini.yaml
        kb deck show decks
    """
    from kb.decks.contract import view_json
    from kb.decks.nodes import DeckFileError

    unreadable = False
    with session_here() as session:
        shown = JsonList() if as_json else None
        for file in read_all(files):
            try:
                if file is not None:
                    view = session.composition(file)
                    if shown is not None:
                        shown.add(view_json(file.name, view))
                    else:
                        print_view(view)
                    continue
            except DeckFileError as error:
                warn(str(error))
            unreadable = True
        if shown is not None:
            shown.close()
    raise typer.Exit(UNREADABLE if unreadable else 0)


def remember(files: list[str]) -> None:
    """Keep which deck is checked, where it is one file: `kb` alone names it."""
    from kb.settings import keep

    with suppress(OSError, ValueError):
        if len(files) == 1 and Path(files[0]).is_file():
            keep("deck", str(Path(files[0]).resolve()))


@app.command()
def new(
    character: Annotated[
        str, typer.Argument(metavar="CHARACTER", autocompletion=characters, help="A character, such as Lini.")
    ],
    set_id: Annotated[
        str | None,
        typer.Option("--set", metavar="SET", autocompletion=products, help="The set, where a name is in several."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write to this file instead of standard output.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Write a character's suggested deck as a deck file. Exit code 2 when there is no such character or the file exists.

    Examples:
        kb deck new Lini --out new.yaml
        kb deck new Ezren --set mm
    """
    from kb.decks.games import NewDeckError

    try:
        with session_here() as session:
            text = session.new_deck(character, set_id)
    except NewDeckError as error:
        warn(str(error))
        raise typer.Exit(UNREADABLE) from None
    if out is None:
        tell_as_is(text)
        return
    write_new(out, text, force, inputs=())
