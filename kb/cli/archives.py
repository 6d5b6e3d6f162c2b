"""`kb deck judge` and `kb deck stats`: check an archive of decks, and count the verdicts."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kb.cli.deck_files import LEGAL, refuse_old, unfolded, write_new
from kb.cli.session import Force, session_here, with_check_options
from kb.cli.terminal import AsJson, Progress, print_found, table_lines, visible, warn
from kb.plural import counted

if TYPE_CHECKING:
    from kb.judge.stats import Pair, VerdictCounts


@with_check_options
def judge(
    archive: Annotated[
        str,
        typer.Argument(
            metavar="ARCHIVE", help="A .jsonl file (one deck per line), a .parquet file, a folder of deck files, or -."
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The file to write the verdicts to: .jsonl or .parquet.")
    ],
    column: Annotated[
        str, typer.Option("--column", metavar="NAME", help="The column that contains the deck, in a Parquet file.")
    ] = "deck",
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", metavar="NUMBER", min=1, max=64, help="Number of processes.")
    ] = 1,
    cluster: Annotated[
        str | None,
        typer.Option("--cluster", metavar="ADDRESS", help="Use the workers of this Dask scheduler instead of --jobs."),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
    **options: Any,
) -> int:
    """Check any number of decks and write one verdict per deck, in the order of the archive.

    --jobs and --cluster need the `many` extra (Dask). kb keeps progress in the folder FILE.parts: if a run is stopped,
    run the same command again to continue. A deck that cannot be read gets a verdict that says so.

    Examples:
        kb deck judge decks.jsonl --out verdicts.jsonl
        kb deck judge decks.jsonl --taboo latest --out latest.jsonl --jobs 2
    """
    from kb.judge.archive import read_archive
    from kb.judge.run import judge_archive
    from kb.judge.stats import Judged
    from kb.judge.verdicts import rules_of

    refuse_old(out, force, [archive])
    unfolded(archive)  # names the files of a folder that kb skips
    bar = Progress("Judging")

    def show(sums: Mapping[str, int]) -> None:
        bar(f"{sums['decks']:,} decks, {sums['illegal']:,} not legal", 0.0)

    began = time.monotonic()
    with session_here() as session:
        rules = rules_of(session.catalog, options)
        sums, before = judge_archive(read_archive(archive, column), out, rules, jobs, cluster, show, warn)
    bar("done", 1.0)
    took = time.monotonic() - began
    said = [f"{before:,} of these decks were checked in an earlier run."] if before else []
    counts = f"{sums['legal']:,} legal, {sums['illegal']:,} not legal, {sums['unreadable']:,} not readable"
    said.append(f"{counted_here(sums['decks'])}: {counts}. Wrote {out}.")
    print_found(Judged(**sums, earlier=before, seconds=round(took, 3), out=str(out)), said, as_json)
    return LEGAL


MOST_SHOWN = 12
Rows = tuple[str, tuple[str, ...], list[Any]]
"""A table's title, the names of its columns, and its rows. Each row begins with a number of decks."""


def stats(
    verdicts: Annotated[str, typer.Argument(metavar="VERDICTS", help="A file written by kb deck judge.")],
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="VERDICTS",
            help="Compare with this file: verdicts on the same decks under other rules.",
        ),
    ] = None,
    picture: Annotated[Path | None, typer.Option("--picture", metavar="FILE.svg", help="Also write a chart.")] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Count verdicts: legal decks and the most frequent problems; with --against, also the decks and cards
    whose verdicts differ under the other rules.

    Examples:
        kb deck stats verdicts.jsonl
        kb deck stats latest.jsonl --against verdicts.jsonl
    """
    from kb.judge.stats import count, paired

    read = [verdicts, *filter(None, [against])]
    if picture is not None:
        refuse_old(picture, force, read)
    counts = count(shown(paired(verdicts, against)))
    if picture is not None:
        write_new(picture, drawn(counts), force, read, quiet=as_json)
    print_found(counts, stats_lines(counts), as_json)


def shown(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield pairs of verdicts unchanged, and show a progress bar meanwhile."""
    bar = Progress("Counting")
    for number, pair in enumerate(pairs, 1):
        if not number % 5000:
            bar(f"{number:,} decks", 0.0)
        yield pair
    bar("done", 1.0)


def summary(counts: VerdictCounts) -> Iterator[str | Rows]:
    """Yield the parts of a summary of an archive's verdicts: sentences, and tables with a title."""
    compared, judged = counts.compared, counts.legal + counts.illegal
    yield (
        f"{counted_here(counts.decks)}: {counts.legal:,} legal ({share(counts.legal, judged)}), {counts.illegal:,} not legal, "
        f"{counts.unreadable:,} not readable."
    )
    found = [(each.decks, share(each.decks, judged), each.severity, each.code) for each in counts.findings]
    yield "Most frequent problems", ("decks", "share", "", "check"), found
    people = [(each.decks, share(each.legal, each.decks), each.character) for each in counts.characters]
    yield "Decks by character", ("decks", "legal", "character"), people
    if compared:
        yield (
            f"{compared.broken:,} of {compared.legal_before:,} legal decks are no longer legal "
            f"({share(compared.broken, compared.legal_before)}); {compared.mended:,} became legal."
        )
        yield "Cards that made decks illegal", ("decks", "card"), [(each.decks, each.card) for each in compared.cards]
        yield "Checks that found the errors", ("decks", "check"), [(each.decks, each.code) for each in compared.codes]


def counted_here(number: int) -> str:
    """Return a number of decks in words: `1 deck`, `12,000 decks`."""
    return counted(number, "deck") if number < 1000 else f"{number:,} decks"


def share(part: int, whole: int) -> str:
    """Return `part` as a percentage of `whole`, such as `12.5%`; a dash if `whole` is zero."""
    return f"{100 * part / whole:.1f}%" if whole else "-"


def stats_lines(counts: VerdictCounts) -> Iterator[str]:
    """Yield the counts of verdicts as lines of text and tables."""
    for number, block in enumerate(summary(counts)):
        if isinstance(block, str):
            yield f"\n{block}" if number else block
        elif block[2]:
            title, head, rows = block
            yield f"\n{title}:"
            yield from table_lines([head, *([f"{row[0]:,}", *row[1:]] for row in rows[:MOST_SHOWN])], 2)


def drawn(counts: VerdictCounts) -> str:
    """Return the tables, with bars, as the text of an .svg file. The picture loads nothing from the web."""
    from rich.bar import Bar
    from rich.console import CONSOLE_SVG_FORMAT, Console  # type: ignore[attr-defined]
    from rich.table import Table
    from rich.terminal_theme import DEFAULT_TERMINAL_THEME
    from rich.text import Text

    console = Console(record=True, width=120, file=io.StringIO(), force_terminal=True, markup=False, highlight=False)
    for block in summary(counts):
        if isinstance(block, str):
            console.print(f"\n{block}")
        elif block[2]:
            title, head, rows = block
            table = Table(*head, "", title=f"\n{title}", title_justify="left", box=None)
            for number, *cells in rows[:MOST_SHOWN]:
                bar = Bar(rows[0][0], 0, number, width=40, color="blue")
                table.add_row(f"{number:,}", *(Text(visible(cell)) for cell in cells), bar)
            console.print(table)
    own_fonts = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    return console.export_svg(title="Decks and their verdicts", theme=DEFAULT_TERMINAL_THEME, code_format=own_fonts)
