"""Prints what a search has found: on a terminal as much as fits the screen, piped in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.cli.layout import columns, rows, wrapped
from kb.cli.terminal import dim, is_terminal, strong, styled, tell, visible
from kb.cli.whole import said_in
from kb.plural import counted
from kb.retrieval.answer import MARK

if TYPE_CHECKING:
    from kb.retrieval.engine import Hit

INDENT = "    "
# Lines of the answer that a hit after the first shows on a terminal.
GLANCE = 2
BOLD = "\x1b[1m"


def print_hits(hits: tuple[Hit, ...], spoilers: bool | None, room: int | None = None) -> int:
    """Print hits, best first; how many were printed. With `room` only those that fit in so many lines, the first in any case."""
    if room is None or not is_terminal():
        for number, hit in enumerate(hits, 1):
            print_hit(number, hit, spoilers)
        return len(hits)
    used = 0
    for number, hit in enumerate(hits, 1):
        lines = glance(number, hit, spoilers, whole=number == 1)
        if number > 1 and used + len(lines) > room:
            return number - 1
        used += len(lines)
        for line in lines:
            tell(line)
    return len(hits)


def screenful(above: int = 0) -> int:
    """Lines for hits on the screen: what was printed above them, a line below and the prompt are left."""
    return max(1, rows() - above - 2)


def print_hit(number: int, hit: Hit, spoilers: bool | None) -> None:
    """One hit: title, kind and source, id, and the sentence that answers; then the same rule in other sets."""
    masked = hit.spoiler is not None and spoilers is None
    tell(f"{number:>2}  {strong(title_of(hit, masked))}  {dim(about(hit))}")
    tell(f"{INDENT}{dim(hit.id)}" if not masked else f"{INDENT}{dim('--spoilers shows it.')}")
    if hit.snippet and not masked:
        tell(f"{INDENT}{styled(hit.snippet)}", hang=0)
    for twin in hit.twins:
        differs = said_in(twin.edition, twin.differs) if twin.edition and twin.differs else twin.differs
        tell(f"{INDENT}{dim('also')} {dim(twin.id)}{': ' + differs if differs else ''}", hang=2)


def glance(number: int, hit: Hit, spoilers: bool | None, whole: bool) -> list[str]:
    """The lines of one hit on a screen that has room for several: the answer of the first is `whole`."""
    width = columns()
    masked = hit.spoiler is not None and spoilers is None
    if masked:
        head = [f"{number:>2}  {strong(title_of(hit, True))}  {dim('--spoilers shows it.')}"]
    else:
        head = [f"{number:>2}  {strong(hit.title)}", f"{INDENT}{dim(f'{about(hit)} · {hit.id}')}"]
    lines = [part for line in head for part in wrapped(line, width, 2).split("\n")]
    if hit.snippet and not masked:
        answer = wrapped(INDENT + styled(visible_marks(hit.snippet)), width, 0).split("\n")
        lines += answer if whole else best_lines(answer)
    if hit.twins and not masked:
        lines += wrapped(f"{INDENT}{dim('also ' + ', '.join(twin.id for twin in hit.twins))}", width, 2).split("\n")
    return lines


def best_lines(lines: list[str]) -> list[str]:
    """The GLANCE neighbouring lines that hold most of the matched words; dots stand for what is left out."""
    if len(lines) <= GLANCE:
        return lines
    starts = range(len(lines) - GLANCE + 1)
    first = max(starts, key=lambda at: (sum(line.count(BOLD) for line in lines[at : at + GLANCE]), -at))
    shown = lines[first : first + GLANCE]
    if first:
        shown[0] = INDENT + "… " + shown[0].lstrip(" ").partition(" ")[2]
    if first + GLANCE < len(lines):
        shown[-1] = shown[-1].rstrip().rpartition(" ")[0] + " …"
    return shown


def visible_marks(snippet: str) -> str:
    """A snippet whose marks stay and whose other control characters are written out."""
    return "".join(sign if sign in MARK else visible(sign) for sign in snippet)


def title_of(hit: Hit, masked: bool) -> str:
    """The title, or of what it gives away."""
    return f"Spoiler for {hit.spoiler}" if masked else hit.title


def about(hit: Hit) -> str:
    """Kind and source of a hit, and whether it is not official."""
    told = "not official" in hit.source or not hit.standing.startswith("community-consensus")
    unofficial = "" if told else " · not official"
    return f"{hit.kind} · {hit.source}{unofficial}"


def rest_of(shown: int, found: int, total: int) -> str:
    """What to do for more than is shown."""
    more = f"--limit {min(200, max(found, shown * 2))}"
    return dim(f"{shown} of {counted(total, 'hit')}. {more} shows more; kb search alone searches as you type.")
