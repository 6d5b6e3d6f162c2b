"""`kb deck check`, `kb deck new`, `kb deck show`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kb.cli.files import write_new
from kb.cli.terminal import Progress, is_terminal, print_json, rich_console, tell, visible, warn

if TYPE_CHECKING:
    from kb.catalog.reader import Catalog
    from kb.citation import Citation
    from kb.decks.deckfile import DeckFile
    from kb.decks.games import Decks, DeckView
    from kb.decks.report import Finding, Report

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
COLOURS = {"error": "bold red", "warning": "yellow", "note": "cyan"}
LEGAL, FINDINGS, UNREADABLE = 0, 1, 2


def register(main: typer.Typer) -> None:
    """Add `deck` to the main command."""
    main.add_typer(app)


@contextmanager
def catalog_here() -> Iterator[Catalog]:
    """The catalog, with a progress bar and warnings for people."""
    from kb.catalog.store import open_catalog

    with open_catalog(Progress("Building the catalog"), warn) as catalog:
        yield catalog


class Table:
    """The games of one run: each game's module and facts are loaded once, when a file needs them."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.loaded: dict[str, tuple[Decks, Any]] = {}

    def game(self, game_id: str) -> tuple[Decks, Any]:
        """A game's deck rules and its facts."""
        from kb.decks.games import decks_of

        if game_id not in self.loaded:
            module = decks_of(game_id)
            self.loaded[game_id] = (module, module.load_facts(lambda kind: self.catalog.records(game_id, kind)))
        return self.loaded[game_id]

    def game_of(self, file: DeckFile) -> tuple[Decks, Any]:
        """Module and facts of the game that a deck file is of. Raises DeckFileError."""
        from kb.decks.games import game_of

        return self.game(game_of(file).id)


def read_all(files: list[str]) -> Iterator[DeckFile | None]:
    """Every deck file that the arguments name; None for one that cannot be read (which is said on standard error)."""
    from kb.decks.deckfile import deck_paths, read_deck_file, standard_input
    from kb.decks.nodes import DeckFileError

    for argument in files:
        if argument == "-":
            yield from decks_of(standard_input)
            continue
        try:
            paths = deck_paths([argument])
        except DeckFileError as error:
            warn(str(error))
            yield None
            continue
        for path in paths:
            try:
                yield read_deck_file(path)
            except DeckFileError as error:
                warn(str(error))
                yield None


def decks_of(read: Callable[[], Iterator[DeckFile]]) -> Iterator[DeckFile | None]:
    """The decks that `read` yields; None once it can read no further."""
    from kb.decks.nodes import DeckFileError

    try:
        yield from read()
    except DeckFileError as error:
        warn(str(error))
        yield None


@app.command()
def check(
    files: Files,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: a list with one object a deck.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=64, help="Processes to share the files among.")] = 1,
    standalone: Annotated[
        bool, typer.Option("--standalone", help="Arkham: a single scenario, not a campaign.")
    ] = False,
    start: Annotated[bool, typer.Option("--start", help="Arkham: the deck that begins a campaign.")] = False,
    taboo: Annotated[
        str | None, typer.Option("--taboo", metavar="LIST", help="Arkham: taboo list by number, latest or none.")
    ] = None,
    environment: Annotated[
        str | None, typer.Option("--environment", metavar="NAME", help="Arkham: current, limited or legacy.")
    ] = None,
    expansions: Annotated[
        list[str] | None,
        typer.Option("--expansion", metavar="NAME", help="Arkham: an expansion of the limited environment."),
    ] = None,
    owned: Annotated[
        list[str] | None,
        typer.Option("--owned", metavar="PRODUCT", help="Arkham: a product owned (repeat, or commas)."),
    ] = None,
    ultimatums: Annotated[
        list[str] | None, typer.Option("--ultimatum", metavar="NAME", help="Arkham: an ultimatum in force (repeat).")
    ] = None,
    boons: Annotated[
        list[str] | None, typer.Option("--boon", metavar="NAME", help="Arkham: a boon in force (repeat).")
    ] = None,
) -> None:
    """Check decks by the rules of their game; every finding cites its rule and says what would be legal.

    Standard input (-) may hold one deck, or JSON decks one a line. Exit code 0: all decks are legal (there may be warnings
    and notes); 1: a deck breaks a rule; 2: a file cannot be read (those that can are checked all the same).
    """
    options = {
        "standalone": standalone, "start": start, "taboo": taboo, "environment": environment, "expansions": expansions,
        "owned": owned, "ultimatums": ultimatums, "boons": boons,
    }  # fmt: skip
    options = {name: value for name, value in options.items() if value}
    reports, unreadable = check_all(files, options, jobs)
    with catalog_here() as catalog:
        cites = catalog.citations({cite for report in reports for finding in report.findings for cite in finding.cites})
    if as_json:
        from kb.decks.contract import contract

        print_json([contract(report, cites) for report in reports])
    else:
        print_reports(reports, cites)
    raise typer.Exit(UNREADABLE if unreadable else LEGAL if all(report.legal for report in reports) else FINDINGS)


def check_all(files: list[str], options: dict[str, Any], jobs: int) -> tuple[list[Report], bool]:
    """Reports on all decks, in order, and whether something could not be read (which is said on standard error)."""
    if jobs > 1:
        from kb.cli.deck_jobs import check_in_processes

        return check_in_processes(files, options, jobs)
    reports: list[Report] = []
    unreadable = False
    with catalog_here() as catalog:
        table = Table(catalog)
        for file in read_all(files):
            report = check_one(file, table, options)
            if report is None:
                unreadable = True
            else:
                reports.append(report)
    return reports, unreadable


def check_one(file: DeckFile | None, table: Table, options: dict[str, Any]) -> Report | None:
    """The report on a deck file; None when it cannot be read."""
    from kb.decks.contract import check_file
    from kb.decks.nodes import DeckFileError

    if file is None:
        return None
    try:
        return check_file(file, table.game, options)
    except DeckFileError as error:
        warn(str(error))
        return None


def print_reports(reports: Iterable[Report], cites: dict[str, Citation]) -> None:
    """Reports for people: coloured on a terminal, plain when piped."""
    for report in reports:
        many = {level: sum(finding.severity == level for finding in report.findings) for level in COLOURS}
        counted = ", ".join(f"{number} {level}{'s' if number > 1 else ''}" for level, number in many.items() if number)
        verdict = "legal" if report.legal else "not legal"
        style = "bold green" if report.legal else "bold red"
        print_line(
            ("bold", f"{report.file}: "),
            ("", f"{report.character} is "),
            (style, verdict),
            ("", f" ({counted})." if counted else "."),
        )
        for line in report.details.get("lines", ()):
            print_line(("dim", f"  {line}"))
        for finding in report.findings:
            print_finding(finding, cites)
        for line in report.details.get("not_checked", ()):
            print_line(("dim", f"  Not checked: {line}"))


def print_finding(finding: Finding, cites: dict[str, Citation]) -> None:
    """One finding: what is wrong, what to do, and the rule."""
    print_line(("", "  "), (COLOURS[finding.severity], finding.severity), ("", f"  {finding.message}"))
    if finding.fix:
        print_line(("", f"    Fix: {finding.fix}"))
    from kb.decks.contract import cited

    first, *others = [cited(cite, cites) for cite in finding.cites]
    source = f", {first['source']}" if first["source"] else ""
    print_line(("dim", f"    Rule: {first['title']}{source} ({first['id']})"))
    if others:
        print_line(("dim", f"    See also: {', '.join(other['id'] for other in others)}"))


def print_line(*parts: tuple[str, str]) -> None:
    """A line of styled parts; styles only on a terminal."""
    if not is_terminal():
        tell("".join(text for _, text in parts))
        return
    from rich.text import Text

    rich_console().print(Text.assemble(*((visible(text), style) for style, text in parts)), soft_wrap=True)


@app.command()
def show(files: Files) -> None:
    """Draw a deck's composition as a small table: cards per type beside the list. Exit code 2 when a file cannot be read."""
    from kb.decks.nodes import DeckFileError

    unreadable = False
    with catalog_here() as catalog:
        table = Table(catalog)
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


def print_view(view: DeckView) -> None:
    """A deck's table: with rich on a terminal, in aligned columns when piped."""
    if is_terminal():
        from rich.table import Table as RichTable
        from rich.text import Text

        title = Text(visible(view.heading))
        drawn = RichTable(*view.columns, title=title, title_justify="left", box=None, header_style="bold")
        for row in view.rows:
            drawn.add_row(*(Text(visible(cell)) for cell in row))
        rich_console().print(drawn)
        return
    tell(view.heading)
    rows = [view.columns, *view.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(view.columns))]
    for row in rows:
        cells = (visible(cell).ljust(width) for cell, width in zip(row, widths, strict=True))
        tell("  " + "  ".join(cells).rstrip())


@app.command()
def new(
    character: Annotated[str, typer.Argument(metavar="CHARACTER", help="A character, such as Lini.")],
    set_id: Annotated[
        str | None, typer.Option("--set", metavar="SET", help="The set, where a name is in several: rotr or mm.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write to this file instead of standard output.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Write a character's suggested deck as a deck file. Exit code 2 when there is no such character or the file exists."""
    from kb.decks.games import NewDeckError, with_decks

    with catalog_here() as catalog:
        table = Table(catalog)
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
