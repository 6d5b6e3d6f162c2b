"""`kb import`: takes data that you own into your own data folder; games bring more commands. Nothing leaves the machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kb import paths
from kb.api.searching import scope_called
from kb.cli.completion import games
from kb.cli.help import Commands
from kb.cli.session import session_here
from kb.cli.terminal import AsJson, Progress, print_found, say, tell
from kb.errors import KbError
from kb.personal import cards as own
from kb.personal.rulebooks import RULEBOOKS, TakenRulebook, import_rulebook, in_short
from kb.plural import counted
from kb.sources.own import Book, CardList, kept

if TYPE_CHECKING:
    from kb.api.session import Session
    from kb.personal.cards import ImportedCards, TakenCards
    from kb.personal.rulebooks import Rulebook
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
Listing = Annotated[bool, typer.Option("--list", help="List what has been imported so.")]
Remove = Annotated[str | None, typer.Option("--remove", metavar="NAME", help="Remove what was imported by this name.")]
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
    listing: Listing = False,
    remove: Remove = None,
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
        print_kept([in_short(book) for book in kept(Book, data)], "passage", RULEBOOKS.none, as_json)
    elif file is None or game is None or title is None:
        raise KbError(
            'Say which file, of which game, and what it is called: kb import rulebook FILE --game GAME --title "TEXT"'
        )
    else:
        book = import_rulebook(file, data, game_called(game), title, name, progress(file))
        took = f"Took {counted(len(book.passages), 'passage')} of {book.title} ({book.id})."
        said = f"{took} Private: only searches on this machine find them."
        print_found(TakenRulebook(in_short(book)), [said], as_json)


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
    listing: Listing = False,
    remove: Remove = None,
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
        print_kept([own.in_short(listed) for listed in kept(CardList, data)], "row", own.CARDS.none, as_json)
    elif file is None or game is None:
        raise KbError("Say which file, and of which game: kb import cards FILE --game GAME")
    else:
        with session_here(own=False) as session:
            known_game, catalog = scope_of(session, game), session.catalog
            known = {kind: catalog.records(of, kind) for of, kind in catalog.kinds() if of == known_game}
        taken = own.import_cards(file, data, known_game, known, title, name)
        print_found(taken, taken_lines(taken), as_json)


def remove_kept(shelf: ImportStore, name: str, data: Path) -> None:
    """Remove an imported rulebook or table by its name, and say so."""
    shelf.remove(name, data)
    tell(f"Removed {name}.")


def print_kept(rows: Sequence[Rulebook | ImportedCards], of: str, none: str, as_json: bool) -> None:
    """List what has been imported; `of` is what each has so many of, `none` what is said where there is nothing."""
    said = (
        f"{row.name}: {row.title} ({row.game}), {counted(getattr(row, f'{of}s'), of)} of {row.file}" for row in rows
    )
    print_found(rows, said if rows else [none], as_json)


def taken_lines(taken: TakenCards) -> Iterator[str]:
    """What an import of cards took and left out."""
    brought = [
        counted(number, what) for number, what in ((taken.cards, "card"), (taken.characters, "character")) if number
    ]
    parts = [f"{' and '.join(brought)} that kb did not know"] if brought else []
    parts += [f"copies of {counted(taken.counted, 'card')} that it knows"] if taken.counted else []
    yield f"Took {' and '.join(parts) or 'what kb did not know of its cards'} ({taken.table.title}, {taken.table.name})."
    if taken.left_out.texts:
        yield f"Left out {', '.join(taken.left_out.texts)}: kb takes facts, no rules text."
    if taken.left_out.unknown:
        shown = f"--template {taken.table.game} shows them"
        yield f"Left out {', '.join(taken.left_out.unknown)}: no column of this name is known ({shown})."
    yield "Private: only searches and deck checks on this machine see them."


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
