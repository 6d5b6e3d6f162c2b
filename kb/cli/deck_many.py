"""`kb deck judge`: an archive of decks judged into a file of verdicts."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kb.cli.frame import with_frame
from kb.cli.session import session_here
from kb.cli.terminal import Progress, print_json, tell, warn

if TYPE_CHECKING:
    from kb.judge.stats import JudgedJson

Archive = Annotated[
    str,
    typer.Argument(
        metavar="ARCHIVE",
        help="A .jsonl file (one deck a line), a .parquet file, a folder of deck files, a database's address, or -.",
    ),
]
Query = Annotated[
    str | None, typer.Option("--query", metavar="TEXT", help="For a database: the query that reads the decks.")
]
Column = Annotated[
    str | None,
    typer.Option("--column", metavar="NAME", help="The column that holds the deck; else `deck`, else the whole row."),
]


@with_frame
def judge(
    archive: Archive,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The verdicts: a .jsonl or .parquet file.")],
    query: Query = None,
    column: Column = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=64, help="Processes of this machine.")] = 1,
    cluster: Annotated[
        str | None,
        typer.Option("--cluster", metavar="ADDRESS", help="A Dask scheduler whose workers judge, instead of --jobs."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file of verdicts that is there.")] = False,
    anew: Annotated[bool, typer.Option("--anew", help="Begin again, where an earlier run was stopped.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the sums as JSON.")] = False,
    **frame: Any,
) -> None:
    """Judge an archive of any number of decks into a file of verdicts, one a deck, in the order of the archive.

    Needs Dask (extra `many`). A run that is stopped, even killed, goes on from there when the same command is given again: what
    is judged stands in the folder FILE.parts until FILE is whole. A deck that cannot be read is named and stands in the verdicts
    as such. Exit code 0: every deck has its verdict; 2: the archive cannot be read or the verdicts not be written.

    Examples:
        kb deck judge decks.jsonl --out verdicts.jsonl
        kb deck judge decks.jsonl --out verdicts.jsonl --force --jobs 2
    """
    from kb.judge.read import open_archive
    from kb.judge.run import How, judge_archive

    decks = open_archive(archive, query, column)
    bar = Progress("Judging")

    def show(sums: Mapping[str, int], share: float) -> None:
        bar(f"{sums['decks']:,} decks, {sums['illegal']:,} not legal", min(share, 0.999))

    began = time.monotonic()
    with session_here() as session:
        how = How(jobs, cluster, force, anew)
        sums, before = judge_archive(decks, out, session.catalog, frame, how, show, warn)
    bar("done", 1.0)
    took = time.monotonic() - began
    if as_json:
        told: JudgedJson = {
            "decks": sums["decks"],
            "legal": sums["legal"],
            "illegal": sums["illegal"],
            "unreadable": sums["unreadable"],
            "earlier": before,
            "seconds": round(took, 3),
            "out": str(out),
        }
        print_json(told)
        return
    if before:
        tell(f"{before:,} of the decks were judged by an earlier run.")
    tell(
        f"{sums['decks']:,} {'deck' if sums['decks'] == 1 else 'decks'}: "
        f"{sums['legal']:,} legal, {sums['illegal']:,} not legal, {sums['unreadable']:,} not readable. "
        f"Wrote {out}."
    )
