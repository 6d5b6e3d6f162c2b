"""`kb deck`: check, show and create decks, list their cards by product, and write a page about a deck."""

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
from kb.cli.session import FileOut, Force, Owned, PageOut, session_here, with_check_options
from kb.cli.terminal import AsJson, JsonList, print_found, strong, warn
from kb.cli.upgrade import upgrade
from kb.errors import KbError
from kb.plural import counted

if TYPE_CHECKING:
    from kb.decks.party import Pull, Take


PAPERS = ("a4", "letter")


def pull(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="DECK...", help="Deck files for one game, a folder that contains them, or - for standard input."
        ),
    ],
    owned: Owned = None,
    slips: Annotated[
        Path | None,
        typer.Option("--print", metavar="FILE.html", help="Write card-sized dividers and proxies to print."),
    ] = None,
    whole: Annotated[
        bool, typer.Option("--all", help="Print proxies for every card, not only for missing cards.")
    ] = False,
    paper: Annotated[str, typer.Option("--paper", metavar="NAME", help="Paper size: a4 or letter.")] = "a4",
    force: Force = False,
    as_json: AsJson = False,
    fetch: Fetch = False,
) -> int:
    """List the cards to take from each product to build several decks, and the cards you are short of.

    Products that supply the most cards are listed first. If decks compete for a card, the deck named earlier gets it.
    Without --owned, kb uses `owns:` in the decks, or assumes one copy of every product. The exit code is 1 if cards
    are missing.

    Examples:
        kb deck pull lini.yaml kyra.yaml
        kb deck pull lini.yaml kyra.yaml --print slips.html
    """
    from kb.api.decks import Party
    from kb.site.decks.stand_ins import stand_ins

    if paper.casefold() not in PAPERS:
        raise KbError(f"Unknown paper size {paper!r}. Use {' or '.join(PAPERS)}.")
    with session_here() as session:
        pulled = Party(*fetched(files, fetch), session=session).pull(owned=owned or ())
    if slips is not None:
        html = stand_ins(pulled, "letter" if paper.casefold() == "letter" else "a4", whole)
        write_new(slips, html, force, files_named(*files), quiet=as_json)
    print_found(pulled, pull_lines(pulled), as_json, session.cites)
    return FINDINGS if pulled.missing else LEGAL


def pull_lines(pulled: Pull) -> Iterator[str]:
    """Yield the cards to take from each product, and the missing cards, as lines."""
    decks = pulled.decks
    counts = f"{counted(len(decks), 'deck')}, {counted(pulled.copies, 'card')} from {counted(len(pulled.products), 'product')}"
    yield f"{counts} (owned: {pulled.owned})."
    several = len(decks) > 1
    for product, takes in pulled.products.items():
        yield strong(f"{product}: {counted(sum(take.copies for take in takes), 'card')}")
        for take in takes:
            yield f"  {take_line(take, several)}"
    if pulled.missing:
        yield strong(f"Missing: {counted(sum(take.copies for take in pulled.missing), 'card')}")
        for take in pulled.missing:
            owned = take.card.copies - take.copies
            yield f"  {take_line(take, several)}: the decks need {take.card.copies}, your products have {owned}."


def take_line(take: Take, several: bool) -> str:
    """Return the line for copies of a card. If there are `several` decks, it says how many copies each deck gets: `2x
    Mace (Kyra 1, Seelah 1)`.
    """
    copies = f"{take.copies}x " if take.copies > 1 else ""
    names = ", ".join(f"{deck} {number}" if take.copies > 1 else deck for deck, number in take.decks.items())
    unsure = " (number of copies in the box unknown)" if take.uncertain else ""
    return f"{copies}{take.card.name}" + (f" ({names})" if several else "") + unsure


def page(
    deck: Annotated[str, typer.Argument(metavar="DECK", help="A deck file, or - for standard input.")],
    out: PageOut = None,
    force: Force = False,
    fetch: Fetch = False,
) -> None:
    """Write a deck as one HTML page to share or print: verdict, rules, charts and cards.

    The page works offline and loads nothing.

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
    help="Check, create and show decks.",
    no_args_is_help=True,
)

Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="Deck files, a folder that contains them, or - for standard input."),
]


@app.command()
@with_check_options
def check(
    files: Files,
    as_json: AsJson = False,
    fetch: Fetch = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help='For each finding, also list the related rules, under "See also".')
    ] = False,
    **options: Any,
) -> int:
    """Check decks by the rules of their game. Each problem cites its rule and suggests a fix.

    If you give a folder, kb checks the deck files in it and its subfolders, and names files that look like decks but
    have no key of one. Lists in .md, .text and .o8d files need the line `Investigator:` or `Character:`.

    Standard input (-) can be one deck, a JSON list of decks, or one JSON deck per line. If a file cannot be read, the
    others are still checked, and the exit code is 2.

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
        for report in session.check_decks(fetched(files, fetch), **options):
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
    """Show how many cards of each type a deck has, next to the numbers that its character allows.

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
    """Save the path of a deck if it is the only one checked, so that the command `kb` alone can suggest it."""
    from kb.settings import keep

    with suppress(OSError, ValueError):
        if len(files) == 1 and Path(files[0]).is_file():
            keep("deck", str(Path(files[0]).resolve()))


@app.command()
def new(
    character: Annotated[
        str,
        typer.Argument(
            metavar="CHARACTER", autocompletion=characters, help="A character or investigator, such as Lini."
        ),
    ],
    set_id: Annotated[
        str | None,
        typer.Option(
            "--in", "--set", metavar="SET", autocompletion=products, help="The character's game, set or product."
        ),
    ] = None,
    out: FileOut = None,
    force: Force = False,
) -> None:
    """Write a character's suggested deck as a deck file.

    Examples:
        kb deck new Lini --out new.yaml
        kb deck new Ezren --in mm
    """
    from kb.api.decks import Deck

    with session_here() as session:
        text = Deck.new(character, set=set_id, session=session).text
    write_new(out, text, force, inputs=())


app.command()(page)
app.command("party", hidden=True)(check_together)  # the old name of `kb party check`
app.command()(pull)
app.command()(upgrade)
app.command()(judge)
app.command()(stats)
