"""A replayed campaign as lines for people."""

from __future__ import annotations

from collections.abc import Iterator

from kb.campaigns.model import Replay, Step
from kb.decks.nodes import place


def problem_lines(replay: Replay) -> Iterator[str]:
    """Everything that cannot be read, each as `file:line: sentence`."""
    for step in replay.steps:
        for problem in step.problems:
            yield f"{place(step.file, problem.line)}: {problem.message}"
    for name, message in replay.strays:
        yield f"{name} {message}"


def timeline(replay: Replay) -> Iterator[tuple[str, str]]:
    """A campaign for a terminal: its lines, each with the style it is shown in."""
    yield "bold", replay.title
    yield from (("", f"{label}: {value}") for label, value in replay.facts)
    for step in replay.steps:
        ended = ", ".join(part for part in (step.outcome, step.date) if part)
        yield "", ""
        yield "cyan", f"{f'{step.number}. ' if step.number else ''}{step.title}{f' ({ended})' if ended else ''}"
        for problem in step.problems:
            yield "red", f"   not read: {f'line {problem.line}: ' if problem.line else ''}{problem.message}"
        yield from (("", f"   {line}") for line in lines_of(step))
        for each in step.findings:
            if each.finding.severity != "note":
                yield "red", f"   ! {each.finding.message}"
        yield from (("dim", f"   {line}") for line in step.notes.splitlines())
    if replay.decks:
        yield "", ""
        yield "cyan", "Now"
    for deck in replay.decks:
        yield "bold", f"   {deck.heading}"
        for kind, lines in deck.piles.items():
            names = (f"{line.copies}x {line.name}" if line.copies > 1 else line.name for line in lines)
            yield "", f"     {kind}: {', '.join(names)}"


def lines_of(step: Step) -> list[str]:
    """What a game changed: a line for each person, and one for each change that is for all."""
    by_person: dict[str, list[str]] = {}
    for change in step.changes:
        by_person.setdefault(change.who or change.text, []).append(change.text)
    return [who if texts == [who] else f"{who}: {'; '.join(texts)}" for who, texts in by_person.items()]
