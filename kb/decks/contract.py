"""A deck check as JSON, for every window alike: the command line prints it, scripts rely on it, the page in the browser draws it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kb.citation import Citation
from kb.decks.deckfile import DeckFile, decode_deck, parse_deck
from kb.decks.games import Decks, game_of
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.report import Report

Cites = Mapping[str, Citation]
"""Entries by id; one that is missing keeps its id for a title."""

Known = dict[tuple[str, ...], list[dict[str, str]]]
"""Lists of citations as JSON, by the entries: the same ones stand in every report of a long list."""

Desk = Callable[[str], tuple[Decks, Any]]
"""A game's module and its facts, by the game's id."""


def check_text(
    text: str | bytes, name: str, desk: Desk, cites: Cites, options: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Check the deck that a file's text describes; the object that `kb deck check --json` prints for it.

    `name` is what the report calls the file, `options` the frame (those of the command line, by their names). It reads and
    writes nothing. Raises DeckFileError when the text is no deck, or when an option makes no sense for it.
    """
    file = parse_deck(decode_deck(name, text) if isinstance(text, bytes) else text, name)
    return contract(check_file(file, desk, options or {}), cites)


def check_file(file: DeckFile, desk: Desk, options: Mapping[str, Any]) -> Report:
    """The report on a deck file. Raises DeckFileError when it cannot be read, or when an option makes no sense for it."""
    about = game_of(file)
    decks, facts = desk(about.id)
    known = {option.name for option in about.frame}
    if strange := [name for name in options if name not in known]:
        given = ", ".join(f"--{name}" for name in strange)
        raise DeckFileError(file.name, [DeckProblem(0, f"{given}: not for decks of this game.")])
    return decks.check(file, facts, options)


def contract(report: Report, cites: Cites, known: Known | None = None) -> dict[str, Any]:
    """A report as the JSON that scripts rely on. known: citations worked out for other reports; those of this one are added."""
    known = {} if known is None else known
    for finding in report.findings:
        if finding.cites not in known:
            known[finding.cites] = [cited(cite, cites) for cite in finding.cites]
    details = {"details": report.details} if report.details else {}
    return {
        "file": report.file,
        "game": report.game,
        "character": report.character,
        "legal": report.legal,
        "findings": [
            {
                "check": finding.check, "family": finding.family, "severity": finding.severity, "message": finding.message,
                "cards": list(finding.cards), "cites": known[finding.cites], "fix": finding.fix,
            }
            for finding in report.findings
        ],
        **details,
    }  # fmt: skip


def unreadable(error: DeckFileError) -> dict[str, Any]:
    """The same object for a deck that cannot be read: what is wrong and where; whether it is legal nobody knows."""
    return {
        "file": error.file,
        "game": None,
        "character": None,
        "legal": None,
        "findings": [],
        "problems": [{"line": problem.line or None, "message": problem.message} for problem in error.problems],
    }


def cited(entry_id: str, cites: Cites) -> dict[str, str]:
    """A citation as JSON; an entry that the catalog lacks keeps its id for a title."""
    found = cites.get(entry_id)
    return {"id": entry_id, "title": found.title if found else entry_id, "source": found.source if found else ""}
