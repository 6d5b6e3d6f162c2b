"""`kb import`: copy data that the user owns into the user's data folder. Games add commands. Nothing leaves the machine."""

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
    help="Import rulebooks, card texts and card lists that you own.",
    no_args_is_help=True,
)


Game = Annotated[
    str | None,
    typer.Option("--in", "--game", metavar="GAME", autocompletion=games, help="The game that the import is for."),
]
Listing = Annotated[bool, typer.Option("--list", help="List your imports.")]
Remove = Annotated[str | None, typer.Option("--remove", metavar="NAME", help="Remove this import.")]
Name = Annotated[
    str | None,
    typer.Option("--name", metavar="NAME", help="Short name [default: made from the title]."),
]


@app.command("rulebook")
def rulebook(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The rulebook: .pdf, .txt, .md or .html.")] = None,
    game: Game = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The rulebook's title.")] = None,
    name: Name = None,
    listing: Listing = False,
    remove: Remove = None,
    as_json: AsJson = False,
) -> None:
    """Make a rulebook that you own searchable, on this machine only.

    It stays private: checks never show its text, and a site or export contains it only with --with-own. An earlier book
    with the same game and title is replaced.

    Examples:
        kb import rulebook rules.pdf --in rotr --title "My rulebook"
        kb import rulebook --list
    """
    data = paths.user_data_dir()
    if remove is not None:
        remove_kept(RULEBOOKS, remove, data)
    elif listing:
        print_kept([in_short(book) for book in kept(Book, data)], "passage", RULEBOOKS.none, as_json)
    elif file is None or game is None or title is None:
        raise KbError('File, game and title are needed: kb import rulebook FILE --in GAME --title "TEXT"')
    else:
        book = import_rulebook(file, data, game_called(game), title, name, progress(file))
        took = f"Imported {counted(len(book.passages), 'passage')} of {book.title} ({book.id})."
        said = f"{took} Only searches on this machine find them."
        print_found(TakenRulebook(book.id, book.title, book.game, book.file, len(book.passages)), [said], as_json)


@app.command("cards")
def cards(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The table: .csv, .tsv or .json.")] = None,
    game: Game = None,
    title: Annotated[
        str | None,
        typer.Option("--title", metavar="TEXT", help="The list's title [default: the file name]."),
    ] = None,
    name: Name = None,
    template: Annotated[
        str | None,
        typer.Option(
            "--template",
            metavar="GAME",
            autocompletion=games,
            help="Print a sample table that has all columns.",
        ),
    ] = None,
    listing: Listing = False,
    remove: Remove = None,
    as_json: AsJson = False,
) -> None:
    """Import cards and characters that kb lacks (from Class Decks, promotional cards or your own), or the number of
    copies that you own.

    Only facts are imported: columns of rules text are skipped. Searches, kb cards and deck checks on this machine use
    them; a site or export contains them only with --with-own. An earlier list with the same game and title is replaced.

    Examples:
        kb import cards --template rotr > mine.csv
        kb import cards mine.csv --in rotr --title "Class decks"
    """
    data = paths.user_data_dir()
    if template is not None:
        say(own.template(own.own_cards_of(game_called(template))))
    elif remove is not None:
        remove_kept(own.CARDS, remove, data)
    elif listing:
        print_kept([own.in_short(listed) for listed in kept(CardList, data)], "row", own.CARDS.none, as_json)
    elif file is None or game is None:
        raise KbError("File and game are needed: kb import cards FILE --in GAME")
    else:
        with session_here(own=False) as session:
            known_game, catalog = scope_of(session, game), session.catalog
            known = {kind: catalog.records(of, kind) for of, kind in catalog.kinds() if of == known_game}
        taken = own.import_cards(file, data, known_game, known, title, name)
        print_found(taken, taken_lines(taken), as_json)


def remove_kept(store: ImportStore, name: str, data: Path) -> None:
    """Remove an imported rulebook or table by name, and print a message."""
    store.remove(name, data)
    tell(f"Removed {name}.")


def print_kept(rows: Sequence[Rulebook | ImportedCards], of: str, none: str, as_json: bool) -> None:
    """Print a list of imports. `of` is the unit for the size of an import, and `none` is the message if there are no
    imports.
    """
    said = (
        f"{row.name}: {row.title} ({row.game}), {counted(getattr(row, f'{of}s'), of)} of {row.file}" for row in rows
    )
    print_found(rows, said if rows else [none], as_json)


def taken_lines(taken: TakenCards) -> Iterator[str]:
    """Yield lines about the imported and the skipped parts of a table of cards."""
    brought = [
        counted(number, what) for number, what in ((taken.cards, "card"), (taken.characters, "character")) if number
    ]
    parts = [f"{' and '.join(brought)} that kb lacked"] if brought else []
    parts += [f"your copies of {counted(taken.counted, 'card')}"] if taken.counted else []
    yield f"Imported {' and '.join(parts) or 'missing facts about cards'} ({taken.title}, {taken.name})."
    if taken.left_out.texts:
        yield f"Skipped {', '.join(taken.left_out.texts)}: kb imports facts, not rules text."
    if taken.left_out.unknown:
        shown = f"kb import cards --template {taken.game} lists the columns"
        yield f"Skipped unknown columns: {', '.join(taken.left_out.unknown)} ({shown})."
    yield "Only searches and deck checks on this machine use them."


def progress(file: Path) -> Callable[[float], None]:
    """Return a function that shows the progress of reading a file; call it with the share done (0 to 1)."""
    shown = Progress(f"Reading {file.name}")
    return lambda share: shown("reading", share)


def game_called(name: str) -> str:
    """Return the id of the game that has this name. Stop with exit code 2 if there is none."""
    with session_here(own=False) as session:
        return scope_of(session, name)


def scope_of(session: Session, name: str) -> str:
    """Return the id of the game that has this name. Raises NoSuchPlace if there is none."""
    return scope_called(session.index, name).split("/")[0]
