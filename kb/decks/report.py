"""Reports: all findings on one deck, and the severity counts that every window shows."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Any

from kb.decks.problems import SEVERITIES, Finding
from kb.frozen import frozen
from kb.jsonable import FLAT, OPTIONAL, Jsonable, key
from kb.plural import counted


@frozen
class Located(Jsonable):
    """A finding on a table."""

    finding: Finding = field(metadata=FLAT)
    line: int = 0
    """Its line in the table file; 0: none."""


@frozen
class Report(Jsonable):
    """All findings on one deck. A deck is legal when no finding is an error."""

    file: str
    """The deck's file; with a number where it holds several."""
    game: str
    """Id of the game."""
    character: str
    """Whose deck it is."""
    findings: tuple[Finding, ...] = ()
    """What was found."""
    details: dict[str, Any] = field(default_factory=dict, metadata=OPTIONAL)
    """What the game tells besides, such as the size of the deck."""

    @key
    def legal(self) -> bool:
        """Whether no finding is an error (warnings and notes do not make a deck illegal)."""
        return not any(finding.severity == "error" for finding in self.findings)

    @property
    def counted(self) -> str:
        """`2 errors, 1 note`; empty without findings."""
        numbers = ((sum(finding.severity == level for finding in self.findings), level) for level in SEVERITIES)
        return ", ".join(counted(number, level) for number, level in numbers if number)


KEY = re.compile(r"`(\w+)(?::|: ([^`]*))?`")
"""A key of a file in a fix, alone, with its colon, or with its value."""


def fitting(fix: str, keys: Collection[str]) -> str:
    """A fix without the ways that name a key which the file has not; empty where none is left."""
    sentences = []
    for sentence in re.split(r"(?<=\.) (?=[A-Z])", fix):
        ways = [
            way
            for way in re.split(r"(?:, or|; or) ", sentence)
            if way and all(key in keys for key, _ in KEY.findall(way))
        ]
        if ways:
            sentences.append(", or ".join(ways).rstrip(".") + ".")
    text = " ".join(sentences)
    return f"{text[:1].upper()}{text[1:]}"


def worded(finding: Finding, words: Mapping[str, str], only: bool = False) -> Finding:
    """A finding in the words of a form (see `in_words`; `only` is about its fix)."""
    return finding.altered(message=in_words(finding.problem.message, words), fix=in_words(finding.fix, words, only))


def in_words(message: str, words: Mapping[str, str], only: bool = False) -> str:
    """What a finding says, for a form: its `words` in place of the keys of the file, and without what stands in brackets for files alone;
    with `only` without the ways that name keys which have no words."""

    def chosen(match: re.Match[str]) -> str:
        name, _, value = plain(match[3]).rpartition(": ")
        choice = value if name in words.get(match[2], "") else f"{name}: {value}"
        return f"{'Choose' if match[1] == 'W' else 'choose'} {choice} at {worded(match[2])}"

    def worded(key: str) -> str:
        return f"“{words.get(key, key.replace('_', ' '))}”"

    def plain(value: str) -> str:
        return re.sub(r"[\[\]{}]", "", value).rstrip(":")

    text = re.sub(r" \((?:[^()`]*`[^`]*`)+[^()`]*\)", "", message)
    text = (fitting(text, words) or text) if only else text
    text = re.sub(r"\b([Ww])rite `(\w+): ([^`]+)`", chosen, text)
    return KEY.sub(lambda match: worded(match[1]) + (f": {plain(match[2])}" if match[2] else ""), text)
