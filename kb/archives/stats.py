"""Counts verdicts: how many decks are legal, what is found most, and what other rules would break, by which cards."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from kb.archives.judging import Frame, Judge, no_sums
from kb.archives.parquet import Parquet
from kb.archives.rows import PARQUET_SUFFIXES, ArchiveError, Source, cannot_read
from kb.archives.shapes import BrokenDeckJson, StatsJson
from kb.catalog.reader import Catalog
from kb.decks.bundles import bounded_lines
from kb.decks.deckfile import LINES_SUFFIXES

Verdict = Mapping[str, Any]
Pair = tuple[Verdict, Verdict | None]
"""A verdict, and the one on the same deck by the rules that it is compared with."""
LISTED = 20
# Of what decks make up themselves (names, codes that no card has) no more is counted: it would fill the memory.
MOST, LONGEST = 20_000, 200
_KEYS = {"row", "part", "legal", "findings"}


@dataclass
class Stats:
    """What verdicts come to. `findings`, `cards` count decks: one in which a check finds three things counts once for it.

    sums: decks, legal, illegal, unreadable. findings: by severity and code. cards: named by errors. characters: decks, and
    those that are legal. Where verdicts are compared: `broken` decks were legal and no longer are, `mended` the other way round;
    `causes` are the codes, `culprits` the cards of errors that were not there before, `examples` the first broken decks.
    """

    sums: dict[str, int] = field(default_factory=no_sums)
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
    if name.endswith(PARQUET_SUFFIXES):
        return next(Parquet(name).cells(), {}).keys() >= _KEYS
    if not name.endswith(LINES_SUFFIXES):
        return False
    try:
        with Path(name).open("rb") as file:
            first: Any = json.loads(next(bounded_lines(file), b"null"))
    except OSError as error:
        raise cannot_read(name, error) from None
    except (ValueError, RecursionError):
        return False
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
    if name.endswith(PARQUET_SUFFIXES):
        for number, cells in enumerate(Parquet(name).cells(), 1):
            if not is_verdict(cells):
                raise _no_verdict(name, number)
            yield cells
        return
    try:
        with Path(name).open("rb") as file:
            for number, line in enumerate(bounded_lines(file), 1):
                try:
                    found: Any = json.loads(line)
                except (ValueError, RecursionError):
                    found = None
                if not is_verdict(found):
                    raise _no_verdict(name, number)
                yield found
    except OSError as error:
        raise cannot_read(name, error) from None


def _no_verdict(name: str, number: int) -> ArchiveError:
    return ArchiveError(f"{name}:{number}: is no verdict as `kb deck judge` writes it; judge the archive again.")


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


def judged_twice(source: Source, catalog: Catalog, frame: Frame, other: Frame | None) -> Iterator[Pair]:
    """The decks of an archive judged as options say, and once more as others say (None: once only)."""
    now = Judge(catalog.records, frame)
    then = None if other is None else Judge(catalog.records, other)
    for row in source.rows():
        verdicts = [verdict for verdict, _ in now.verdicts(row)]
        before = [verdict for verdict, _ in then.verdicts(row)] if then is not None else [None] * len(verdicts)
        yield from zip(verdicts, before, strict=True)
