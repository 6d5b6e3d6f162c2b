"""`kb campaign`: a folder that remembers a campaign - begin it, record games, check it, look at it, make a page of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.campaign_record import record, start, undo
from kb.cli.deck_files import FINDINGS, LEGAL, UNREADABLE, files_named, readable
from kb.cli.deck_print import print_finding, print_line
from kb.cli.files import write_new
from kb.cli.help import Commands
from kb.cli.layout import columns
from kb.cli.session import session_here
from kb.cli.terminal import is_terminal, print_json, say, warn
from kb.plural import counted

if TYPE_CHECKING:
    from kb.campaigns.model import Replay
    from kb.citation import Citation

app = Commands(
    name="campaign",
    help="A campaign as a folder of plain files: record each game, check that it follows, look back.",
    no_args_is_help=True,
)
app.command("new")(start)
app.command()(record)
app.command()(undo)
STYLES = {"title": "bold", "game": "cyan", "who": "bold", "plain": "", "bad": "red", "soft": "dim"}
WIDEST = 100

FolderOf = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the campaign.")]


def register(main: typer.Typer) -> None:
    """Add `campaign` to the main command."""
    main.add_typer(app)


def replayed(folder: Path) -> tuple[Replay, dict[str, Citation]]:
    """A campaign replayed, with the entries it cites. Stops with exit code 2 when it cannot be read at all."""
    from kb.campaigns.serialize import cites_of

    with readable(), session_here() as session:
        replay = session.check_campaign(folder)
        return replay, session.cites(cites_of(replay))


@app.command()
def check(
    folder: FolderOf = Path(),
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON: legal, readable, and the findings of each file.")
    ] = False,
) -> None:
    """Replay a campaign by the rules of its game: whatever does not follow from what came before, with its rule and line.

    Exit code 0: all follows; 1: something breaks a rule; 2: a file cannot be read (the others are checked all the same).

    Examples:
        kb campaign check runelords
        kb campaign check runelords --json
    """
    from kb.campaigns.serialize import checked_json, problem_lines
    from kb.decks.nodes import place

    replay, cites = replayed(folder)
    if as_json:
        print_json(checked_json(replay, cites))
    else:
        for line in problem_lines(replay):
            warn(line)
        verdict, style = ("follows the rules", "green") if replay.legal else ("breaks rules", "red")
        print_line(("bold", f"{replay.title}: "), ("", f"{counted(len(replay.games), 'game')}, "),
                   (style, verdict), ("", "" if replay.readable else ", as far as it can be read"), ("", "."))  # fmt: skip
        for step in replay.steps:
            for each in step.findings:
                print_line(("bold", f"{place(step.file, each.line)}:"))
                print_finding(each.finding, cites)
        for line in replay.not_checked:
            print_line(("dim", f"  Not checked: {line}"))
    raise typer.Exit(UNREADABLE if not replay.readable else LEGAL if replay.legal else FINDINGS)


@app.command()
def show(
    folder: FolderOf = Path(),
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON: each game with what it changed, and the decks after it.")
    ] = False,
) -> None:
    """Show a campaign as a timeline: what each game changed for whom, and the decks as they are now.

    Exit code 2 when a file cannot be read (the others are shown all the same).

    Examples:
        kb campaign show runelords
        kb campaign show runelords --json
    """
    from kb.campaigns.serialize import shown_json, timeline

    replay, cites = replayed(folder)
    if as_json:
        print_json(shown_json(replay, cites))
    else:
        width = min(WIDEST, columns()) if is_terminal() else 80
        for style, line in timeline(replay, width):
            print_line((STYLES[style], line))
    raise typer.Exit(LEGAL if replay.readable else UNREADABLE)


@app.command()
def page(
    folder: FolderOf = Path(),
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE.html", help="Write to this file instead of standard output."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Write a campaign as one HTML page to keep or share: its games, what changed and why, decks, charts.

    The page is complete in itself and loads nothing. Exit code 0: written, whatever the verdict; 2: there is no campaign, or
    the file exists.

    Examples:
        kb campaign page runelords --out runelords.html
        kb campaign page runelords --out runelords.html --force
    """
    from kb.site.campaign import campaign_page

    html = campaign_page(*replayed(folder))
    if out is None:
        say(html)
    else:
        write_new(out, html, force, files_named(str(folder)))
