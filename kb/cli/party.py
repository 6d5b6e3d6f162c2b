"""`kb party`: write a party file, and rebuild and check the decks of one party, for games with a `party` part."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.deck_files import (
    FINDINGS,
    LEGAL,
    Fetch,
    fetched,
    finding_lines,
    located_lines,
    report_lines,
    unfolded,
    write_new,
)
from kb.cli.help import Commands
from kb.cli.session import FileOut, Force, Owned, Yes, session_here
from kb.cli.terminal import AsJson, at_a_terminal, coloured, dim, print_found, strong, sure
from kb.errors import KbError
from kb.files.outputs import refuse_inputs
from kb.plural import counted

if TYPE_CHECKING:
    from kb.citation import Citation
    from kb.decks.party import PartyReport, Rebuilding

NAMELESS = "party"  # the file name for a member whose name has no plain letters
app = Commands(
    name="party",
    help="Rebuild and check a party's decks together.",
    no_args_is_help=True,
)


@app.command()
def rebuild(
    table: Annotated[
        str, typer.Argument(metavar="PARTY", help="The party file, a folder of decks, or - for standard input.")
    ],
    as_json: AsJson = False,
    fill: Annotated[
        bool,
        typer.Option("--fill", help="Also choose the cards from the box, starting with cards in the suggested decks."),
    ] = False,
    write: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", "--write", metavar="FOLDER", help="Write a deck file for each member into this folder."
        ),
    ] = None,
    force: Force = False,
    yes: Yes = False,
) -> int:
    """Rebuild the decks of a party after a scenario: trades, cards from the box, cards to return.

    The plan grants as many wishes as possible and otherwise moves as few cards as possible. If a deck is complete and
    its player has no wish, the plan does not change it. On a terminal, the command shows the changes and asks before
    it writes decks.

    Examples:
        kb party rebuild table.yaml
        kb party rebuild decks
        kb party rebuild table.yaml --fill --out decks --force
    """
    from kb.api.decks import Party

    with session_here() as session:
        rebuilt = Party(table, session=session).rebuild(fill=fill)
        print_found(rebuilt, rebuilding_lines(rebuilt, session.cites), as_json, session.cites)
    if write is not None:
        if (
            at_a_terminal()
            and not (yes or as_json)
            and not sure(f"Write {counted(len(rebuilt.decks), 'deck')} to {write}?")
        ):
            raise KbError("Nothing was written.")
        write_decks(write, rebuilt.decks, table, force, quiet=as_json)
    return LEGAL if rebuilt.legal else FINDINGS


@app.command("new")
def new(
    files: Annotated[
        list[str], typer.Argument(metavar="DECK...", help="The decks in one party, or a folder that contains them.")
    ],
    out: FileOut = None,
    force: Force = False,
) -> None:
    """Write a party file from decks, with the members and their cards. Fill in what happened, then rebuild.

    Examples:
        kb party new decks --out tonight.yaml
        kb party new kyra.yaml lini.yaml
    """
    from kb.api.decks import Party

    with session_here() as session:
        text = Party(*(each for name in files for each in unfolded(name)), session=session).table()
    write_new(out, text, force, inputs=files)


@app.command()
def check(
    files: Annotated[
        list[str],
        typer.Argument(metavar="DECK...", help="The deck files for one party, a folder that contains them, or -."),
    ],
    owned: Owned = None,
    out: Annotated[
        list[str] | None,
        typer.Option(
            "--gone",
            "--out",
            metavar="NAME",
            help="An investigator killed or driven insane earlier in this campaign (repeatable).",
        ),
    ] = None,
    as_json: AsJson = False,
    fetch: Fetch = False,
) -> int:
    """Check each deck of a party, and all of them together: shared copies, party size and more.

    Examples:
        kb party check lini.yaml kyra.yaml
        kb party check decks --json
    """
    from kb.api.decks import Party

    with session_here() as session:
        report = Party(*fetched(files, fetch), session=session).check(owned=owned or (), out=out or ())
        print_found(report, party_lines(report, session.cites), as_json, session.cites)
    return LEGAL if report.legal else FINDINGS


def rebuilding_lines(rebuilt: Rebuilding, cites: Mapping[str, Citation]) -> Iterator[str]:
    """Yield lines: the steps of a rebuilding with their rules, then the findings on the party file."""
    for step in rebuilt.steps:
        yield strong(f"{step.title}:")
        for line in step.lines:
            yield f"  {line}"
        yield dim(f"  Rule: {cites[step.cite].in_words}")
    yield from located_lines(rebuilt.file, rebuilt.findings, cites)


def party_lines(report: PartyReport, cites: Mapping[str, Citation]) -> Iterator[str]:
    """Yield the report on each deck, then the report on the party."""
    for each in report.reports:
        yield from report_lines(each, cites)
    yield f"{strong(counted(len(report.reports), 'deck'))} {coloured(report.verdict, 'green' if report.legal else 'red')}."
    for located in report.findings:
        yield from finding_lines(located.finding, cites)


def write_decks(folder: Path, decks: Mapping[str, str], table: str, force: bool, quiet: bool) -> None:
    """Write a deck file for each member to `folder`. If one of the files exists and `force` is False, write nothing and
    raise KbError.

    Raises OutputError if one of the files is the input `table`.
    """
    from kb.files.folders import inside
    from kb.sources.cards import slug

    try:
        files = {inside(folder, f"{slug(member) or NAMELESS}.yaml"): text for member, text in decks.items()}
        for path in files:
            refuse_inputs(path, [table])
        if not force and (there := [str(path) for path in files if os.path.lexists(path)]):
            raise KbError(f"{', '.join(there)}: already exists. Use --force to overwrite. Nothing was written.")
        if files:
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KbError(f"Cannot write to {folder}: {error.strerror or error}.") from None
    for path, text in files.items():
        write_new(path, text, force, [table], quiet=quiet)
