"""Prints the answer to a question: the sentence that answers first, then as much of its rule as fits, its source and neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kb.cli.hits import print_hits, screenful, title_of
from kb.cli.layout import columns, fitted, rows
from kb.cli.terminal import dim, is_terminal, laid_out, readable, strong, styled, tell
from kb.cli.whole import STANDS, lines_of, listed, said_in
from kb.markup import plain
from kb.retrieval.answer import MARK

if TYPE_CHECKING:
    from kb.api.searching import Answer
    from kb.retrieval.engine import Hit

# Lines of an answer on a terminal, and the fewest that a rule gets of them.
LINES, LEAST = 20, 3


def print_answer(answer: Answer, above: int, whole: bool, spoilers: bool | None) -> None:
    """An answer for people, or the nearest hits when none answers for certain; `above` are the lines that stand there already."""
    hits = answer.results.hits
    if answer.entry is None:
        tell("Not sure; the nearest are:" if hits else "No entry answers that. Try other words.")
        print_hits(hits, spoilers, None if whole else screenful(above + 1))
        return
    best, *others = hits
    if best.spoiler and spoilers is None:
        tell(f"The answer gives away {best.spoiler}: ask again with --spoilers, or see kb show {best.id}.")
    elif whole:
        for line in lines_of(dict(answer.entry)):
            tell(line)
    else:
        print_short(dict(answer.entry), best, others, above, spoilers)
        return
    for twin in best.twins:
        tell(f"\nThe same rule: {strong(twin.title)}  {dim(f'{twin.id} · {twin.source}')}")
    if others:
        tell("\nOr perhaps:")
    for hit in others:
        tell(neighbour(hit, spoilers))


def print_short(entry: dict[str, object], best: Hit, others: Sequence[Hit], above: int, spoilers: bool | None) -> None:
    """The sentence that answers, the rule as far as there is room, its source and neighbours: LINES lines on a terminal."""
    below = links(best, others, spoilers)
    if "body" not in entry:
        for line in lines_of(entry):
            tell(line)
    else:
        about = dim(f"{entry['kind']} · {entry['source']} · {entry['id']}")
        head = [styled(best.snippet), "", strong(str(entry["title"])), about]
        head += [
            f"Superseded. Follow the later official text: {item['title']} ({item['id']})."
            for item in listed(entry, "superseded_by")
        ]
        for line in head:
            tell(line, hang=0)
        if isinstance(entry["stands"], dict):
            head.append(STANDS[entry["stands"]["is"]].format(entry["stands"]["edition"]))
            tell(head[-1])
        body = str(entry["body"])
        if is_terminal():
            room = min(LINES, rows() - 1) - above - height(head) - height(below) - 2
            print_cut(laid_out(without_said(body, best.snippet)), room, str(entry["id"]))
        else:
            tell("\n" + readable(body))
    tell()
    for line in below:
        tell(line)


def without_said(body: str, snippet: str) -> str:
    """A body without its first paragraph where the answer has said all of that."""
    first, _, rest = body.strip().partition("\n\n")
    said = " ".join("".join(sign for sign in snippet if sign not in MARK).split())
    return rest if rest.strip() and " ".join(plain(first).split()) in said else body


def links(best: Hit, others: Sequence[Hit], spoilers: bool | None) -> list[str]:
    """The same rule in another set, and what else may have been meant."""
    same = [f"Also     {strong(twin.title)}  {dim(twin.id)}" for twin in best.twins[:1]]
    differs = [said_in(twin.edition, twin.differs) for twin in best.twins[:1] if twin.edition and twin.differs]
    return [*differs, *same, *(neighbour(hit, spoilers) for hit in others[: 2 - len(same)])]


def neighbour(hit: Hit, spoilers: bool | None) -> str:
    """Another hit in a line."""
    return f"Perhaps  {strong(title_of(hit, hit.spoiler is not None and spoilers is None))}  {dim(hit.id)}"


def print_cut(lines: list[str], room: int, entry_id: str) -> None:
    """Print an empty line and as many lines as there is room for, and how to see the others."""
    if len(lines) <= max(LEAST, room):
        tell("\n".join(["", *lines]))
        return
    more = f"more lines: --all, or kb show {entry_id}"
    left = room - height([f"… {len(lines)} {more}"])
    shown = lines[: max(LEAST, left)] if left > 0 else []
    while shown and not shown[-1].strip():
        shown.pop()
    if shown:
        tell("\n".join(["", *shown]))
    tell(dim(f"… {len(lines) - len(shown)} {more}"))


def height(lines: list[str]) -> int:
    """How many lines these take on the terminal."""
    return sum(fitted(line, 2, columns()).count("\n") + 1 for line in lines)
