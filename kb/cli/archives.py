"""`kb deck judge` and `kb deck stats`: an archive of decks judged into a file of verdicts, and what they come to."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kb.cli.deck_files import files_named, refuse_old, write_new
from kb.cli.session import options, session_here, with_frame
from kb.cli.terminal import AsJson, Progress, print_json, print_table, tell, warn
from kb.files.outputs import plain_name
from kb.files.swap import written
from kb.plural import counted

if TYPE_CHECKING:
    from kb.judge.stats import JudgedJson, Pair, Stats


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
        told: JudgedJson = {**sums, "earlier": before, "seconds": round(took, 3), "out": str(out)}  # type: ignore[typeddict-item]
        print_json(told)
        return
    if before:
        tell(f"{before:,} of the decks were judged by an earlier run.")
    tell(
        f"{counted_here(sums['decks'])}: {sums['legal']:,} legal, {sums['illegal']:,} not legal, {sums['unreadable']:,} not readable. "
        f"Wrote {out}."
    )


MOST_SHOWN = 12
OWN = "own"


@with_frame
def stats(
    archive: Annotated[
        str,
        typer.Argument(metavar="ARCHIVE", help="Verdicts of kb deck judge, or an archive of decks, which is judged."),
    ],
    query: Query = None,
    column: Column = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="RULES",
            help="Compare with other verdicts on the same decks, with an option (taboo=9), or with none of them (own).",
        ),
    ] = None,
    listed: Annotated[
        Path | None, typer.Option("--list", metavar="FILE", help="Write the decks that are broken, JSON, one a line.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE", help="Draw it: an .svg file, or an .html page.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite these files.")] = False,
    as_json: AsJson = False,
    **frame: Any,
) -> None:
    """Count decks: how many are legal, what is found most, and with --against which ones other rules break, by which cards.

    Exit code 0: counted; 2: the decks or verdicts cannot be read, or a file not be written.

    Examples:
        kb deck stats decks.jsonl
        kb deck stats decks.jsonl --taboo latest --against taboo=none
    """
    from kb.judge.read import ArchiveError
    from kb.judge.stats import Stats, page, svg

    if picture is not None and picture.suffix not in (".svg", ".html"):
        raise ArchiveError(f"{picture}: a picture is an .svg or an .html file.")
    if listed is not None and against is None:
        raise ArchiveError("--list names the decks that other rules break: it needs --against.")
    read = [*files_named(archive), *filter(None, [against])]
    for file in filter(None, (listed, picture)):
        refuse_old(file, force, read)  # before hours of counting, not after them
    if listed is not None and picture is not None and plain_name(listed) == plain_name(picture):
        raise ArchiveError(f"--list and --picture are both to be written to {picture}; name two files.")
    stats = Stats()
    bar = Progress("Counting")
    with session_here() as session, written(listed) if listed else nullcontext() as broken:
        for verdict, before in pairs(session, archive, query, column, against, frame):
            told = stats.add(verdict, before)
            if told is not None and broken is not None:
                broken.write(f"{json.dumps(told, ensure_ascii=False)}\n".encode("utf-8", "backslashreplace"))
            if not stats.sums["decks"] % 500:
                bar(f"{stats.sums['decks']:,} decks", 0.0)
    bar("done", 1.0)
    if picture is not None:
        write_new(picture, (svg if picture.suffix == ".svg" else page)(stats), force, read, quiet=as_json)
    if as_json:
        print_json(stats.as_json())
    else:
        print_stats(stats)


def pairs(
    session: Any, archive: str, query: str | None, column: str | None, against: str | None, frame: dict[str, Any]
) -> Iterable[Pair]:
    """The verdicts on an archive, with those to compare. Raises ArchiveError."""
    from kb.judge.read import ArchiveError, open_archive
    from kb.judge.stats import holds_verdicts, judged_twice, paired

    if holds_verdicts(archive):
        if frame:
            raise ArchiveError(
                f"{archive} holds verdicts: options such as --{next(iter(frame))} are for judging decks."
            )
        if against is not None and not Path(against).is_file():
            raise ArchiveError(f"{archive} holds verdicts: --against must be a file of verdicts on the same decks.")
        return paired(archive, against)
    other = None if against is None else frame_named(against)
    return judged_twice(open_archive(archive, query, column), session.catalog, frame, other)


def frame_named(text: str) -> dict[str, Any]:
    """The options that `taboo=9,start` names; none for `own`. Raises ArchiveError."""
    from kb.judge.read import ArchiveError

    known = options()
    found: dict[str, Any] = {}
    for part in [] if text == OWN else text.split(","):
        name, _, value = (each.strip() for each in part.partition("="))
        if name not in known or (known[name][0] is bool) == bool(value):
            names = ", ".join(name if kind is bool else f"{name}=…" for name, (kind, _) in known.items())
            raise ArchiveError(
                f"--against {text}: decks are compared with `own` (as they stand) or with options: {names}. "
                "Verdicts are compared with verdicts, so that both must be files of them."
            )
        if known[name][0] is bool:
            found[name] = True
        elif known[name][0] == str | None:
            found[name] = value
        else:
            found.setdefault(name, []).append(value)
    return found


def print_stats(stats: Stats) -> None:
    """The counts as tables."""
    from kb.judge.stats import in_order

    sums = stats.sums
    judged = sums["legal"] + sums["illegal"]
    tell(f"{counted_here(sums['decks'])}: {sums['legal']:,} legal ({share(sums['legal'], judged)}), {sums['illegal']:,} not legal, "
         f"{sums['unreadable']:,} not readable.")  # fmt: skip
    found = [(severity, code, number) for (severity, code), number in in_order(stats.findings, MOST_SHOWN)]
    rows = [(f"{number:,}", share(number, judged), severity, code) for severity, code, number in found]
    table("Found most", ("decks", "share", "", "check"), rows)
    people = sorted(stats.characters.items(), key=lambda each: (-each[1][0], each[0]))[:MOST_SHOWN]
    rows4 = [(f"{decks:,}", share(legal, decks), name) for name, (decks, legal) in people]
    table("Whose decks", ("decks", "legal", "character"), rows4)
    if stats.compared:
        tell()
        tell(f"{stats.broken:,} of {stats.before:,} legal decks are no longer legal ({share(stats.broken, stats.before)}); "
             f"{stats.mended:,} have become legal.")  # fmt: skip
        culprits = [(f"{number:,}", card) for card, number in in_order(stats.culprits, MOST_SHOWN)]
        table("By these cards", ("decks", "card"), culprits)
        table(
            "By these checks", ("decks", "check"), [(f"{n:,}", code) for code, n in in_order(stats.causes, MOST_SHOWN)]
        )


def counted_here(number: int) -> str:
    """`1 deck`, `12,000 decks`."""
    return counted(number, "deck") if number < 1000 else f"{number:,} decks"


def share(part: int, whole: int) -> str:
    """A part in per cent; a dash of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def table(title: str, head: tuple[str, ...], rows: list[Any]) -> None:
    """A table below its title; nothing without rows."""
    if rows:
        tell()
        tell(f"{title}:")
        print_table([head, *rows], 2)
