"""What a deck check says: problems a check yields, findings with their citation, and the report on one deck."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from kb.citation import Cites
from kb.frozen import frozen
from kb.jsonable import FLAT, HIDDEN, OPTIONAL, Jsonable, key
from kb.plural import counted

Family = Literal["count", "copies", "access", "required", "choice", "pool", "feat", "experience", "campaign"]
Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)


# Nobody changes a problem or a finding; frozen, they would take several times as long to make, and checks make little else.
@dataclass(slots=True, unsafe_hash=True)
class Problem:
    """One thing that a check found.

    `message` says what is wrong in one sentence, `fix` what would make it legal; `cards` are names (with code where a
    game has codes). `severity` and `cites` replace those of the check where one finding differs. Where it is about a number,
    `count` is what there is and `limit` what the rule asks for: the most, the least or just so many, as the sentence says. `at` is the key
    of the file that it is about, or `key name`; of several the first one that is there. Each of `adds` are cards which together mend it.
    """

    message: str
    fix: str = ""
    cards: tuple[str, ...] = ()
    severity: Severity | None = None
    cites: tuple[str, ...] | None = None
    count: int | None = None
    limit: int | None = None
    at: str | tuple[str, ...] = ()
    adds: tuple[tuple[str, ...], ...] = ()


Problems = Iterator[Problem]
"""What a check yields."""


@dataclass(slots=True, unsafe_hash=True)
class Finding(Jsonable):
    """One thing that a check found: a problem together with the check, and the entries that state the rule."""

    check: str
    """Id of the check within its game."""
    family: Family
    """What it is about."""
    severity: Severity
    """An error makes the deck illegal."""
    message: str
    """What is wrong, in a sentence."""
    cards: tuple[str, ...]
    """Names of the cards that it is about (with codes where a game has codes)."""
    cites: Cites
    """The entries that state the rule, the first before all."""
    fix: str
    """What would be legal; empty when nothing is to be done."""
    game: str = field(metadata=HIDDEN)
    count: int | None = None
    """How many there are, where the finding is about a number."""
    limit: int | None = None
    """How many the rule asks for: the most, the least or just so many, as the message says."""
    at: tuple[str, ...] = field(default=(), metadata=HIDDEN)
    adds: tuple[tuple[str, ...], ...] = field(default=(), metadata=HIDDEN)

    @key
    def code(self) -> str:
        """The check by a stable name: game/check."""
        return f"{self.game}/{self.check}"


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
    return replace(finding, message=in_words(finding.message, words), fix=in_words(finding.fix, words, only))


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
