"""A campaign to write games into, and decks, tables and games that are mended by what the findings say."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from kb.campaigns.folder import read_folder
from kb.campaigns.model import Replay
from kb.campaigns.record import append, begin
from kb.campaigns.replay import replay_folder
from kb.decks.games import Table
from kb.decks.report import Finding

Told = TypeVar("Told")
Found = dict[tuple[str, str], Finding]


class Camp:
    """A campaign that begins with `head`."""

    def __init__(self, folder: Path, table: Table, head: str) -> None:
        self.folder, self.table = folder, table
        begin(folder, head, {})

    def play(self, text: str) -> Replay:
        append(self.folder, "game", text, {})
        return self.replay()

    def replay(self) -> Replay:
        return replay_folder(read_folder(self.folder), self.table)

    def said(self, text: str) -> list[tuple[str, str, int]]:
        """Check, severity and line of the findings of a game."""
        return [(each.finding.check, each.finding.severity, each.line) for each in self.play(text).steps[-1].findings]

    def errors(self, text: str) -> Found:
        replay = self.play(text)
        assert replay.readable, replay.steps[-1].problems
        return named((each.finding for each in replay.steps[-1].findings), "error")


def named(findings: Iterable[Finding], *severities: str) -> Found:
    """The findings of these severities by check and message."""
    return {(each.check, each.message): each for each in findings if each.severity in severities}


def mend(told: Told, judged: Callable[[Told], Found], follow: Callable[[Told, Finding], Told], known: str = "") -> Told:
    """Follow the first fix to the letter until nothing is found: each ends its finding and brings none of another check."""
    found = judged(told)
    assert found
    for _ in range(30):
        if not found:
            break
        before, (key, finding) = found, next(iter(found.items()))
        told = follow(told, finding)
        found = judged(told)
        assert key not in found, told
        assert {check for check, _ in found} <= {check for check, _ in before} or finding.check == known, finding
    assert not found
    return told
