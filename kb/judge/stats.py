"""Counts verdicts: how many decks are legal, what is found most, and what other rules would break, by which cards."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, NotRequired, TypedDict

from kb.catalog.reader import Catalog
from kb.decks.deckfile import LINES_SUFFIXES
from kb.decks.reading import bounded_lines
from kb.decks.report import Severity
from kb.judge.read import PARQUET_SUFFIXES, Archive, ArchiveError, cannot_read, open_parquet, parquet_cells
from kb.judge.verdicts import Frame, Judge

Verdict = Mapping[str, Any]
Pair = tuple[Verdict, Verdict | None]
"""A verdict, and the one on the same deck by the rules that it is compared with."""
LISTED = 20
# Of what decks make up themselves (names, codes that no card has) no more is counted: it would fill the memory.
MOST, LONGEST = 20_000, 200
_KEYS = {"row", "part", "legal", "findings"}


class SumsJson(TypedDict):
    """How many decks there are of which kind."""

    decks: Annotated[int, "Decks in all."]
    legal: Annotated[int, "Those that are legal."]
    illegal: Annotated[int, "Those that are not."]
    unreadable: Annotated[int, "Those that cannot be read."]


class CodeCountJson(TypedDict):
    """In how many decks a check finds something."""

    code: Annotated[str, "The check by a stable name: game/check."]
    decks: Annotated[int, "In how many decks."]


class FindingCountJson(CodeCountJson):
    """In how many decks a check finds something, by severity."""

    severity: Annotated[Severity, "An error makes the deck illegal."]


class CardCountJson(TypedDict):
    """How many decks break a rule by a card."""

    card: Annotated[str, "The card."]
    decks: Annotated[int, "In how many decks an error names it."]


class CharacterCountJson(TypedDict):
    """How many decks are of a character."""

    character: Annotated[str, "Whose decks."]
    decks: Annotated[int, "How many."]
    legal: Annotated[int, "How many of them are legal."]


class BrokenDeckJson(TypedDict):
    """A deck that was legal by the other rules."""

    row: Annotated[int, "Row of the archive."]
    part: Annotated[int | None, "Which deck of the row, where it holds several."]
    id: Annotated[str | None, "Its id, where it has one."]
    character: Annotated[str | None, "Whose it is."]
    codes: Annotated[list[str], "The checks that find something now."]
    cards: Annotated[list[str], "The cards to blame."]


class ComparedJson(TypedDict):
    """What other rules change."""

    legal_before: Annotated[int, "Decks that the other rules find legal."]
    broken: Annotated[int, "How many of them are no longer legal."]
    mended: Annotated[int, "How many have become legal."]
    codes: Annotated[list[CodeCountJson], "The checks that find something now, the most frequent first."]
    cards: Annotated[list[CardCountJson], "The cards to blame, the most frequent first."]
    first: Annotated[list[BrokenDeckJson], "The first decks that are broken."]


class StatsJson(SumsJson):
    """What verdicts on decks come to."""

    findings: Annotated[list[FindingCountJson], "What is found, the most frequent first."]
    cards: Annotated[list[CardCountJson], "Cards that errors name, the most frequent first."]
    characters: Annotated[list[CharacterCountJson], "Whose decks, the most frequent first."]
    compared: NotRequired[Annotated[ComparedJson, "Only with --against."]]


class JudgedJson(SumsJson):
    """What judging an archive came to."""

    earlier: Annotated[int, "How many of the decks were judged by an earlier run."]
    seconds: Annotated[float, "How long this run took."]
    out: Annotated[str, "The file of verdicts."]


@dataclass
class Stats:
    """What verdicts come to. `findings`, `cards` count decks: one in which a check finds three things counts once for it.

    sums: decks, legal, illegal, unreadable. findings: by severity and code. cards: named by errors. characters: decks, and
    those that are legal. Where verdicts are compared: `broken` decks were legal and no longer are, `mended` the other way round;
    `causes` are the codes, `culprits` the cards of errors that were not there before, `examples` the first broken decks.
    """

    sums: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("decks", "legal", "illegal", "unreadable"), 0))
    findings: Counter[tuple[str, str]] = field(default_factory=Counter)
    cards: Counter[str] = field(default_factory=Counter)
    characters: dict[str, list[int]] = field(default_factory=dict)
    compared: bool = False
    before: int = 0
    broken: int = 0
    mended: int = 0
    causes: Counter[str] = field(default_factory=Counter)
    culprits: Counter[str] = field(default_factory=Counter)
    examples: list[BrokenDeckJson] = field(default_factory=list)

    def add(self, verdict: Verdict, before: Verdict | None = None) -> BrokenDeckJson | None:
        """Count one deck. What is told of it when it is broken: its row, id, character, and the cards and codes to blame."""
        legal = verdict["legal"]
        self.sums["decks"] += 1
        self.sums["unreadable" if legal is None else "legal" if legal else "illegal"] += 1
        _count(self.findings, {(each["severity"], each["code"]) for each in verdict["findings"]})
        _count(self.cards, _cards(_errors(verdict)))
        name = (verdict["character"] or "")[:LONGEST]
        if name and (name in self.characters or len(self.characters) < MOST):
            counted = self.characters.setdefault(name, [0, 0])
            counted[0] += 1
            counted[1] += bool(legal)
        return self._compare(verdict, before) if before is not None else None

    def _compare(self, verdict: Verdict, before: Verdict) -> BrokenDeckJson | None:
        self.compared = True
        self.before += before["legal"] is True
        self.mended += before["legal"] is False and verdict["legal"] is True
        if before["legal"] is not True or verdict["legal"] is not False:
            return None
        known = {(each["code"], each["message"]) for each in _errors(before)}
        new = [each for each in _errors(verdict) if (each["code"], each["message"]) not in known]
        told: BrokenDeckJson = {
            "row": verdict["row"],
            "part": verdict["part"],
            "id": verdict["id"],
            "character": verdict["character"],
            "codes": list(dict.fromkeys(each["code"] for each in new)),
            "cards": _cards(new),
        }
        self.broken += 1
        _count(self.causes, told["codes"])
        _count(self.culprits, told["cards"])
        if len(self.examples) < LISTED:
            self.examples.append(told)
        return told

    def as_json(self) -> StatsJson:
        """All of it for scripts, the most frequent first."""
        told: StatsJson = {
            "decks": self.sums["decks"],
            "legal": self.sums["legal"],
            "illegal": self.sums["illegal"],
            "unreadable": self.sums["unreadable"],
            "findings": [
                {"code": code, "severity": severity, "decks": number}
                for (severity, code), number in in_order(self.findings)
            ],
            "cards": [{"card": card, "decks": number} for card, number in in_order(self.cards)],
            "characters": [
                {"character": name, "decks": decks, "legal": legal}
                for name, (decks, legal) in sorted(self.characters.items(), key=lambda each: (-each[1][0], each[0]))
            ],
        }
        if self.compared:
            told["compared"] = {
                "legal_before": self.before,
                "broken": self.broken,
                "mended": self.mended,
                "codes": [{"code": code, "decks": number} for code, number in in_order(self.causes)],
                "cards": [{"card": card, "decks": number} for card, number in in_order(self.culprits)],
                "first": self.examples,
            }
        return told


def in_order(counter: Counter[Any], most: int | None = None) -> list[tuple[Any, int]]:
    """What was counted, the most frequent first, then by name."""
    return sorted(counter.items(), key=lambda each: (-each[1], each[0]))[:most]


def _count(counter: Counter[Any], found: Iterable[Any]) -> None:
    for each in found:
        if each in counter or len(counter) < MOST:
            counter[each] += 1


def _errors(verdict: Verdict) -> list[Mapping[str, Any]]:
    return [each for each in verdict["findings"] if each["severity"] == "error"]


def _cards(findings: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(card[:LONGEST] for each in findings for card in each["cards"] or ()))


def holds_verdicts(name: str) -> bool:
    """Whether a file is one of verdicts rather than of decks. Raises ArchiveError when it cannot be read."""
    first: Any = None
    if name.endswith(PARQUET_SUFFIXES):
        first = next(parquet_cells(name, open_parquet(name)), None)
    elif name.endswith(LINES_SUFFIXES):
        with closing(_parsed_lines(name)) as lines:  # type: ignore[type-var]
            first = next(lines, None)
    return isinstance(first, dict) and first.keys() >= _KEYS


def is_verdict(found: Any) -> bool:
    """Whether a value is a verdict as `kb deck judge` writes it, in all that is counted."""
    return (
        isinstance(found, dict)
        and found.keys() >= {*_KEYS, "id", "character"}
        and isinstance(found["character"], str | None)
        and isinstance(found["legal"], bool | None)
        and isinstance(found["findings"], list)
        and all(map(_is_finding, found["findings"]))
    )


def _is_finding(found: Any) -> bool:
    return (
        isinstance(found, dict)
        and all(isinstance(found.get(key), str) for key in ("code", "severity", "message"))
        and isinstance(cards := found.get("cards", 0), list | None)
        and all(isinstance(card, str) for card in cards or ())
    )


def read_verdicts(name: str) -> Iterator[Verdict]:
    """The verdicts of a file, one after the other. Raises ArchiveError for what is no verdict."""
    parquet = name.endswith(PARQUET_SUFFIXES)
    for number, found in enumerate(parquet_cells(name, open_parquet(name)) if parquet else _parsed_lines(name), 1):
        if not is_verdict(found):
            raise ArchiveError(f"{name}:{number}: is no verdict as `kb deck judge` writes it; judge the archive again.")
        yield found


def _parsed_lines(name: str) -> Iterator[Any]:
    """What each line of a file holds; None where that is no JSON."""
    try:
        with Path(name).open("rb") as file:
            for line in bounded_lines(file):
                try:
                    yield json.loads(line)
                except (ValueError, RecursionError):
                    yield None
    except OSError as error:
        raise cannot_read(name, error) from None


def paired(name: str, other: str | None) -> Iterator[Pair]:
    """The verdicts of a file, each with that on the same deck in the other file. Raises ArchiveError when they are of other decks."""
    with closing(read_verdicts(name)) as verdicts:  # type: ignore[type-var]
        if other is None:
            yield from ((verdict, None) for verdict in verdicts)
            return
        for verdict, before in zip_longest(verdicts, read_verdicts(other)):
            if verdict is None or before is None or any(verdict[key] != before[key] for key in ("row", "part", "id")):
                raise ArchiveError(f"{name} and {other} are not the verdicts on the same decks, in the same order.")
            yield verdict, before


def judged_twice(archive: Archive, catalog: Catalog, frame: Frame, other: Frame | None) -> Iterator[Pair]:
    """The decks of an archive judged as options say, and once more as others say (None: once only)."""
    now = Judge(catalog.records, frame)
    then = None if other is None else Judge(catalog.records, other)
    for row in archive.rows:
        verdicts = [verdict for verdict, _ in now.verdicts(row)]
        before = [verdict for verdict, _ in then.verdicts(row)] if then is not None else [None] * len(verdicts)
        yield from zip(verdicts, before, strict=True)
