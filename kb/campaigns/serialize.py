"""A replayed campaign as lines for people that fit a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from kb.campaigns.model import Change, Replay
from kb.decks.nodes import place

NARROWEST = 30


def problem_lines(replay: Replay) -> Iterator[str]:
    """Everything that cannot be read, each as `file:line: sentence`."""
    for step in replay.steps:
        for problem in step.problems:
            yield f"{place(step.file, problem.line)}: {problem.message}"
    for name, message in replay.strays:
        yield f"{name} {message}"


def timeline(replay: Replay, width: int) -> Iterator[tuple[str, str]]:
    """A campaign for a terminal of `width` columns: lines with a style (`title`, `game`, `who`, `plain`, `bad`, `soft`)."""
    yield from wrapped("title", "", replay.title, width)
    for label, value in replay.facts:
        yield from wrapped("plain", f"{label}: ", value, width)
    for step in replay.steps:
        yield "plain", ""
        number = f"{step.number}. " if step.number else ""
        told = ", ".join(part for part in (step.outcome, step.date) if part)
        yield from wrapped("game", number, f"{step.title}{f' ({told})' if told else ''}", width)
        for problem in step.problems:
            yield from wrapped("bad", "   ", f"not read: line {problem.line}: {problem.message}" if problem.line
                               else f"not read: {problem.message}", width)  # fmt: skip
        for change in together(step.changes):
            yield from wrapped("plain", "   ", f"{change.who}: {change.text}" if change.who else change.text, width)
        wrong = [each for each in step.findings if each.finding.severity != "note"]
        for each in wrong:
            yield from wrapped("bad", "   ! ", each.finding.message, width)
        if step.notes:
            yield from wrapped("soft", "   ", step.notes, width)
    if replay.decks:
        yield "plain", ""
        yield "game", "Now"
    for deck in replay.decks:
        yield from wrapped("who", "   ", deck.heading, width)
        for kind, lines in deck.piles:
            names = ", ".join(f"{line.copies}x {line.name}" if line.copies > 1 else line.name for line in lines)
            yield from wrapped("plain", f"     {kind}: ", names or "none", width)


def together(changes: Iterable[Change]) -> Iterator[Change]:
    """Changes of one person in a row as one line."""
    gathered: list[Change] = []
    for change in changes:
        if gathered and change.who and gathered[-1].who == change.who:
            gathered[-1] = Change(change.who, f"{gathered[-1].text}; {change.text}")
        else:
            gathered.append(Change(change.who, change.text))
    yield from gathered


def wrapped(style: str, begin: str, text: str, width: int) -> Iterator[tuple[str, str]]:
    """A line, broken at `width` columns; what is broken off stands below its beginning."""
    indent = " " * (len(begin) - len(begin.lstrip()) + 2) if begin.strip() == "" or len(begin) > 6 else " " * len(begin)
    for line in textwrap.wrap(
        " ".join(text.split()), max(NARROWEST, width), initial_indent=begin, subsequent_indent=indent,
        break_on_hyphens=False,
    ):  # fmt: skip
        yield style, line
