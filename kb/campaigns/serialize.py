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


def lines_of(step: Step) -> list[str]:
    """What a game changed: a line for each person, and one for each change that is for all."""
    by_person: dict[str, list[str]] = {}
    for change in step.changes:
        by_person.setdefault(change.who or change.text, []).append(change.text)
    return [who if texts == [who] else f"{who}: {'; '.join(texts)}" for who, texts in by_person.items()]
