"""`kb deck check`, `kb deck show`, `kb deck new`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kb.cli.archives import judge, stats
from kb.cli.completion import characters, products
from kb.cli.deck_files import (
    FINDINGS,
    LEGAL,
    UNREADABLE,
    Fetch,
    fetched,
    files_named,
    report_lines,
    view_lines,
    write_new,
)
from kb.cli.help import Commands
from kb.cli.party import check as check_together
from kb.cli.session import FileOut, Force, Owned, PageOut, session_here, with_frame
from kb.cli.terminal import AsJson, JsonList, print_found, strong, warn
from kb.errors import KbError
from kb.plural import counted

if TYPE_CHECKING:
    from kb.decks.party import Pull, Take


PAPERS = ("a4", "letter")


def pull(
    files: Annotated[list[str], typer.Argument(metavar="DECK...", help="Decks of one game; a folder, or - .")],
    owned: Owned = None,
    slips: Annotated[
        Path | None,
        typer.Option("--print", metavar="FILE.html", help="Write card-sized dividers and stand-ins to print."),
    ] = None,
    whole: Annotated[
        bool, typer.Option("--all", help="Stand-ins for every card of the decks, not only for missing ones.")
    ] = False,
    paper: Annotated[str, typer.Option("--paper", metavar="NAME", help="a4 or letter.")] = "a4",
    force: Force = False,
    as_json: AsJson = False,
    fetch: Fetch = False,
) -> int:
    """List which cards to take from which product for several decks of one collection, and which there are too few of.

    Products that hold most of the cards come first; decks are served in the order given. Without --owned it is what the
    decks say (`owns:`), else one of every product. Exit code 0: all cards are there; 1: some are missing; 2: a
    deck cannot be read, or the page not written.

    Examples:
        kb deck pull lini.yaml kyra.yaml
        kb deck pull lini.yaml kyra.yaml --print slips.html --all --force
    """
    from kb.api.decks import Party
    from kb.site.decks.stand_ins import stand_ins

    if paper.casefold() not in PAPERS:
        raise KbError(f"There is no paper {paper!r}; there are {', '.join(PAPERS)}.")
    with session_here() as session:
        pulled = Party(*fetched(files, fetch), session=session).pull(owned=owned or ())
    if slips is not None:
        html = stand_ins(pulled, "letter" if paper.casefold() == "letter" else "a4", whole)
        write_new(slips, html, force, files_named(*files), quiet=as_json)
    print_found(pulled, pull_lines(pulled), as_json, session.cites)
    return FINDINGS if pulled.missing else LEGAL


def pull_lines(pulled: Pull) -> Iterator[str]:
    """The cards to take, product by product, and which are missing."""
    decks = pulled.collection.decks
    counts = f"{counted(len(decks), 'deck')}, {counted(pulled.copies, 'card')} from {counted(len(pulled.products), 'product')}"
    yield f"{counts} (owned: {pulled.collection.owned})."
    several = len(decks) > 1
    for product, takes in pulled.products.items():
        yield strong(f"{product}: {sum(take.copies for take in takes)} cards")
        for take in takes:
            yield f"  {take_line(take, several)}"
    if pulled.missing:
        yield strong(f"Missing: {sum(take.copies for take in pulled.missing)} cards")
        for take in pulled.missing:
            owned = take.card.copies - take.copies
            yield f"  {take_line(take, several)}: the decks want {take.card.copies}, the products have {owned}."


def take_line(take: Take, several: bool) -> str:
    """A line for some copies of a card; with `several` decks, how many go to each: `2x Mace (Kyra 1, Seelah 1)`."""
    copies = f"{take.copies}x " if take.copies > 1 else ""
    names = ", ".join(f"{deck} {number}" if take.copies > 1 else deck for deck, number in take.decks.items())
    unsure = ", if there are so many: copies unknown" if take.uncertain else ""
    return f"{copies}{take.card.name}" + (f" ({names})" if several else "") + unsure


def page(
    deck: Annotated[str, typer.Argument(metavar="DECK", help="A deck file of any game; - for standard input.")],
    out: PageOut = None,
    force: Force = False,
    fetch: Fetch = False,
) -> None:
    """Write a deck as one HTML page to share or print: its verdict with the rules it cites, charts and cards.

    The page is complete in itself and loads nothing. Exit code 0: written, whatever the verdict; 2: the deck cannot be read,
    or the file exists.

    Examples:
        kb deck page lini.yaml --out lini.html
        kb deck page lini.yaml --out lini.html --force
    """
    from kb.decks.games import game_of
    from kb.decks.reading import only_deck, read_each
    from kb.site.places import deck_page

    file = only_deck(deck, list(read_each(fetched([deck], fetch))))
    with session_here() as session:
        game = game_of(file).id
        module, facts = session.deck_rules.game(game)
        report = module.check(file, facts)
        html = deck_page(file, module, facts, report, session.cites, lambda kind: session.catalog.records(game, kind))
    write_new(out, html, force, files_named(deck))


app = Commands(
    name="deck",
    help="Check decks by the rules, begin new ones, look at them.",
    no_args_is_help=True,
)

Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="Deck files; a folder stands for those in it, - for standard input."),
]


@app.command()
@with_frame
def check(
    files: Files,
    as_json: AsJson = False,
    fetch: Fetch = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Name the further rules of each finding (See also).")
    ] = False,
    **frame: Any,
) -> int:
    """Check decks by the rules of their game; every finding cites its rule and says what would be legal.

    Of a folder the deck files are checked, in it and below.

    Standard input (-) may hold one deck, a list of JSON decks, or JSON decks one a line. Exit code 0: all decks are legal
    (there may be warnings and notes); 1: a deck breaks a rule; 2: a file cannot be read (those that can are checked all
    the same).

    Examples:
        kb deck check lini.yaml
        kb deck check decks --json
    """
    from kb.decks.contract import Unreadable
    from kb.decks.nodes import DeckFileError

    remember(files)
    worst, shown_rules = LEGAL, list[str]()
    shown = JsonList(as_json)
    with session_here() as session:
        for report in session.check_decks(fetched(files, fetch), **frame):
            if isinstance(report, DeckFileError):
                worst = UNREADABLE
                warn(str(report))
                shown.add(Unreadable(report.file, report.problems), (), session.cites)
            else:
                worst = max(worst, LEGAL if report.legal else FINDINGS)
                shown.add(report, report_lines(report, session.cites, shown_rules, verbose), session.cites)
        shown.close()
    return worst


@app.command()
def show(
    files: Files,
    as_json: AsJson = False,
    fetch: Fetch = False,
) -> int:
    """Draw a deck's composition as a small table: cards per type beside the list. Exit code 2 when a file cannot be read.

    Examples:
        kb deck show lini.yaml
        kb deck show decks
    """
    from kb.api.decks import Deck
    from kb.decks.games import ShownDeck
    from kb.decks.nodes import DeckFileError

    shown, unreadable = JsonList(as_json), False
    with session_here() as session:
        for file in session.read_decks(fetched(files, fetch)):
            try:
                if isinstance(file, DeckFileError):
                    raise file
                view = Deck(file, session=session).composition()
                shown.add(ShownDeck(file.name, view), view_lines(view), session.cites)
            except DeckFileError as error:
                warn(str(error))
                unreadable = True
        shown.close()
    return UNREADABLE if unreadable else LEGAL


def remember(files: list[str]) -> None:
    """Remember the deck that is checked, when it is one file, so that `kb` alone can name it."""
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
    out: FileOut = None,
    force: Force = False,
) -> None:
    """Write a character's suggested deck as a deck file. Exit code 2 when there is no such character or the file exists.

    Examples:
        kb deck new Lini --out new.yaml
        kb deck new Ezren --set mm
    """
    from kb.api.decks import Deck

    with session_here() as session:
        text = Deck.new(character, set=set_id, session=session).text
    write_new(out, text, force, inputs=())


app.command()(page)
app.command("party")(check_together)
app.command()(pull)
app.command()(judge)
app.command()(stats)
