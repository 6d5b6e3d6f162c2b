"""`kb import`: takes data that you own into your own data folder; games bring more commands. Nothing leaves the machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kb import paths
from kb.api.searching import scope_called
from kb.cli.completion import games
from kb.cli.help import Commands
from kb.cli.session import session_here
from kb.cli.terminal import AsJson, Progress, print_json, say, tell
from kb.errors import KbError
from kb.personal import cards as own
from kb.personal.rulebooks import RULEBOOKS, TakenRulebook, import_rulebook, in_short
from kb.plural import counted
from kb.sources.own import Book, CardList, kept

if TYPE_CHECKING:
    from kb.api.session import Session
    from kb.personal.cards import TakenCards
    from kb.personal.store import ImportStore

app = Commands(
    name="import",
    help="Take data that you have (rulebooks, card texts, other lists) into your own data folder.",
    no_args_is_help=True,
)


Game = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", autocompletion=games, help="The game it belongs to."),
]
Name = Annotated[
    str | None,
    typer.Option("--name", metavar="NAME", help="Its short name (made from the title)."),
]


@app.command("rulebook")
def rulebook(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The rulebook: .pdf, .txt, .md or .html.")] = None,
    game: Game = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="What it is called.")] = None,
    name: Name = None,
    listing: Annotated[bool, typer.Option("--list", help="List the rulebooks that have been imported.")] = False,
    remove: Annotated[str | None, typer.Option("--remove", metavar="NAME", help="Remove an imported rulebook.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make a rulebook that you own searchable beside kb's entries, on this machine only.

    It is private: no check shows a word of it, a site or an export only when you ask for it
    (--with-own). A book of the same game and title is replaced.

    Examples:
        kb import rulebook rules.pdf --game rotr --title "My rulebook"
        kb import rulebook --list
    """
    data = paths.user_data_dir()
    if remove is not None:
        remove_kept(RULEBOOKS, remove, data)
    elif listing:
        print_kept([in_short(book).as_json({}) for book in kept(Book, data)], "passage", RULEBOOKS.none, as_json)
    elif file is None or game is None or title is None:
        raise KbError(
            'Say which file, of which game, and what it is called: kb import rulebook FILE --game GAME --title "TEXT"'
        )
    else:
        book = import_rulebook(file, data, game_called(game), title, name, progress(file))
        if as_json:
            print_json(TakenRulebook(in_short(book)).as_json({}))
            return
        took = f"Took {counted(len(book.passages), 'passage')} of {book.title} ({book.id})."
        tell(f"{took} Private: only searches on this machine find them.")


@app.command("cards")
def cards(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The table: .csv, .tsv or .json.")] = None,
    game: Game = None,
    title: Annotated[
        str | None,
        typer.Option("--title", metavar="TEXT", help="What the list is called (the file's name)."),
    ] = None,
    name: Name = None,
    template: Annotated[
        str | None,
        typer.Option(
            "--template",
            metavar="GAME",
            autocompletion=games,
            help="Print a table to begin with: columns and samples.",
        ),
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the tables that have been imported.")] = False,
    remove: Annotated[str | None, typer.Option("--remove", metavar="NAME", help="Remove an imported table.")] = None,
    as_json: AsJson = False,
) -> None:
    """Take cards and characters that kb does not know (own, promotional, of Class Decks), and how many copies of cards you own.

    Facts only: a column of rules text is left out. They are private: searches, kb cards and deck checks on this machine
    see them; a site or an export only when you ask for it (--with-own). A list of the same game and title is replaced.

    Examples:
        kb import cards --template rotr > mine.csv
        kb import cards mine.csv --game rotr --title "Class decks"
    """
    data = paths.user_data_dir()
    if template is not None:
        say(own.template(own.own_cards_of(game_called(template))))
    elif remove is not None:
        remove_kept(own.CARDS, remove, data)
    elif listing:
        print_kept(
            [own.in_short(listed).as_json({}) for listed in kept(CardList, data)], "row", own.CARDS.none, as_json
        )
    elif file is None or game is None:
        raise KbError("Say which file, and of which game: kb import cards FILE --game GAME")
    else:
        with session_here(own=False) as session:
            known_game, catalog = scope_of(session, game), session.catalog
            known = {kind: catalog.records(of, kind) for of, kind in catalog.kinds() if of == known_game}
        print_taken(own.import_cards(file, data, known_game, known, title, name), as_json)


def remove_kept(shelf: ImportStore, name: str, data: Path) -> None:
    """Remove an imported rulebook or table by its name, and say so."""
    shelf.remove(name, data)
    tell(f"Removed {name}.")


def print_kept(rows: list[dict[str, Any]], of: str, none: str, as_json: bool) -> None:
    """List what has been imported; `of` is what each has so many of, `none` what is said where there is nothing."""
    if as_json:
        print_json(rows)
        return
    for row in rows:
        number = counted(row[f"{of}s"], of)
        tell(f"{row['name']}: {row['title']} ({row['game']}), {number} of {row['file']}")
    if not rows:
        tell(none)


def print_taken(taken: TakenCards, as_json: bool) -> None:
    """Print what an import of cards took and left out."""
    if as_json:
        print_json(taken.as_json({}))
        return
    brought = [
        counted(number, what) for number, what in ((taken.cards, "card"), (taken.characters, "character")) if number
    ]
    parts = [f"{' and '.join(brought)} that kb did not know"] if brought else []
    parts += [f"copies of {counted(taken.counted, 'card')} that it knows"] if taken.counted else []
    tell(
        f"Took {' and '.join(parts) or 'what kb did not know of its cards'} ({taken.table.title}, {taken.table.name})."
    )
    if taken.left_out.texts:
        tell(f"Left out {', '.join(taken.left_out.texts)}: kb takes facts, no rules text.")
    if taken.left_out.unknown:
        shown = f"--template {taken.table.game} shows them"
        tell(f"Left out {', '.join(taken.left_out.unknown)}: no column of this name is known ({shown}).")
    tell("Private: only searches and deck checks on this machine see them.")


def progress(file: Path) -> Callable[[float], None]:
    """A progress bar for reading a file, to be called with the share that is done."""
    shown = Progress(f"Reading {file.name}")
    return lambda share: shown("reading", share)


def game_called(name: str) -> str:
    """The id of the game that people call so. Stops with exit code 2, naming the games, when there is none."""
    with session_here(own=False) as session:
        return scope_of(session, name)


def scope_of(session: Session, name: str) -> str:
    """The id of the game that people call so. Raises NoSuchPlace."""
    return scope_called(session.index, name).split("/")[0]
