"""Counts verdicts: how many decks are legal, what is found most, what other rules would break, by which cards; and draws it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from html import escape
from itertools import zip_longest
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from kb.catalog.reader import Catalog
from kb.decks.deckfile import LINES_SUFFIXES
from kb.decks.reading import bounded_lines
from kb.decks.report import Severity
from kb.judge.read import PARQUET_SUFFIXES, Archive, ArchiveError, cannot_read, open_parquet, parquet_cells
from kb.judge.run import Frame, Judge

Verdict = Mapping[str, Any]
Pair = tuple[Verdict, Verdict | None]
"""A verdict, and the one on the same deck by the rules that it is compared with."""
LISTED = 20
# Of what decks make up themselves (names, codes that no card has) no more is counted: it would fill the memory.
MOST, LONGEST = 20_000, 200
_KEYS = {"row", "part", "legal", "findings"}


class SumsJson(TypedDict):
    """How many decks there are of which kind."""

    decks: int
    """Decks in all."""
    legal: int
    """Those that are legal."""
    illegal: int
    """Those that are not."""
    unreadable: int
    """Those that cannot be read."""


class CodeCountJson(TypedDict):
    """In how many decks a check finds something."""

    code: str
    """The check by a stable name: game/check."""
    decks: int
    """In how many decks."""


class FindingCountJson(CodeCountJson):
    """In how many decks a check finds something, by severity."""

    severity: Severity
    """An error makes the deck illegal."""


class CardCountJson(TypedDict):
    """How many decks break a rule by a card."""

    card: str
    """The card."""
    decks: int
    """In how many decks an error names it."""


class CharacterCountJson(TypedDict):
    """How many decks are of a character."""

    character: str
    """Whose decks."""
    decks: int
    """How many."""
    legal: int
    """How many of them are legal."""


class BrokenDeckJson(TypedDict):
    """A deck that was legal by the other rules."""

    row: int
    """Row of the archive."""
    part: int | None
    """Which deck of the row, where it holds several."""
    id: str | None
    """Its id, where it has one."""
    character: str | None
    """Whose it is."""
    codes: list[str]
    """The checks that find something now."""
    cards: list[str]
    """The cards to blame."""


class ComparedJson(TypedDict):
    """What other rules change."""

    legal_before: int
    """Decks that the other rules find legal."""
    broken: int
    """How many of them are no longer legal."""
    mended: int
    """How many have become legal."""
    codes: list[CodeCountJson]
    """The checks that find something now, the most frequent first."""
    cards: list[CardCountJson]
    """The cards to blame, the most frequent first."""
    first: list[BrokenDeckJson]
    """The first decks that are broken."""


class StatsJson(SumsJson):
    """What verdicts on decks come to."""

    findings: list[FindingCountJson]
    """What is found, the most frequent first."""
    cards: list[CardCountJson]
    """Cards that errors name, the most frequent first."""
    characters: list[CharacterCountJson]
    """Whose decks, the most frequent first."""
    compared: NotRequired[ComparedJson]
    """Only with --against."""


class JudgedJson(SumsJson):
    """What judging an archive came to."""

    earlier: int
    """How many of the decks were judged by an earlier run."""
    seconds: float
    """How long this run took."""
    out: str
    """The file of verdicts."""


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
            **{key: verdict[key] for key in ("row", "part", "id", "character")},  # type: ignore[typeddict-item]
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
            **self.sums,  # type: ignore[typeddict-item]
            "findings": [
                {"code": code, "severity": severity, "decks": number}
                for (severity, code), number in in_order(self.findings)
            ],
            "cards": by_card(self.cards),
            "characters": [
                {"character": name, "decks": decks, "legal": legal}
                for name, (decks, legal) in sorted(self.characters.items(), key=lambda each: (-each[1][0], each[0]))
            ],
        }
        if self.compared:
            told["compared"] = {
                "legal_before": self.before, "broken": self.broken, "mended": self.mended,
                "codes": [{"code": code, "decks": number} for code, number in in_order(self.causes)],
                "cards": by_card(self.culprits), "first": self.examples,
            }  # fmt: skip
        return told


def by_card(counter: Counter[str]) -> list[CardCountJson]:
    """Decks by card, the most frequent first."""
    return [{"card": card, "decks": number} for card, number in in_order(counter)]


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


ROW, LABEL, BAR, NUMBER, EDGE, HEAD = 22, 300, 400, 90, 16, 34
_WIDTH = EDGE * 2 + LABEL + BAR + NUMBER
_LONGEST = 44
SHOWN = 12
Bars = list[tuple[str, int, str]]
"""Rows of a chart: what is counted, how often, and the colour by its name in the style."""

# The colours are told apart without their hue too: each bar has its name and number beside it.
STYLE = """
svg,body{background:#fff;color:#1b1b1b;font:14px system-ui,sans-serif}
text{fill:#1b1b1b}.h{font-weight:600;font-size:16px}.good{fill:#1a7f4b}.bad{fill:#b3261e}.plain{fill:#2d5fa8}.none{fill:#6b6b6b}
.rail{fill:#e9e9ec}table{border-collapse:collapse;margin:1em}td,th{padding:.2em .8em;text-align:left}td:last-child{text-align:right}
@media (prefers-color-scheme:dark){svg,body{background:#16181d;color:#ececf0}text{fill:#ececf0}.good{fill:#5ec98f}.bad{fill:#ff8a80}
.plain{fill:#8ab4f8}.none{fill:#a5a5ad}.rail{fill:#2c2f37}}
""".strip()


def charts(stats: Stats) -> list[tuple[str, Bars]]:
    """What is drawn: the verdicts, what is found most, and what is broken where rules are compared."""
    sums = stats.sums
    shown: list[tuple[str, Bars]] = [
        (f"{sums['decks']:,} decks", [("legal", sums["legal"], "good"), ("not legal", sums["illegal"], "bad"),
                                      ("not readable", sums["unreadable"], "none")])
    ]  # fmt: skip
    if stats.compared:
        title = f"{stats.broken:,} of {stats.before:,} legal decks are broken, by these cards"
        shown.append((title, [(card, number, "bad") for card, number in in_order(stats.culprits, SHOWN)]))
    errors = [(code, number) for (severity, code), number in in_order(stats.findings) if severity == "error"]
    shown.append(("Rules that are broken, by decks", [(code, number, "plain") for code, number in errors[:SHOWN]]))
    return [(title, bars) for title, bars in shown if bars]


def svg(stats: Stats) -> str:
    """The picture by itself, readable on light and dark screens."""
    parts: list[str] = []
    top = EDGE
    for title, bars in charts(stats):
        parts.append(f'<text class="h" x="{EDGE}" y="{top + 18}">{escape(title)}</text>')
        top += HEAD
        highest = max((number for _, number, _ in bars), default=0) or 1
        for label, number, tone in bars:
            parts += _bar(label, number, tone, number / highest, top)
            top += ROW
        top += EDGE
    said = "; ".join(
        f"{title}: {', '.join(f'{label} {number:,}' for label, number, _ in bars)}" for title, bars in charts(stats)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {top}" width="{_WIDTH}" height="{top}" role="img" '
        f'aria-label="{escape(said)}"><title>Decks and their verdicts</title><style>{STYLE}</style>{"".join(parts)}</svg>\n'
    )


def _bar(label: str, number: int, tone: str, share: float, top: int) -> Iterable[str]:
    short = label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"
    left = EDGE + LABEL
    yield f'<text x="{EDGE}" y="{top + 14}">{escape(short)}</text>'
    yield f'<rect class="rail" x="{left}" y="{top + 2}" width="{BAR}" height="14" rx="3"/>'
    if number:
        yield f'<rect class="{tone}" x="{left}" y="{top + 2}" width="{max(2, round(BAR * share))}" height="14" rx="3"/>'
    yield f'<text x="{left + BAR + 8}" y="{top + 14}">{number:,}</text>'


def page(stats: Stats) -> str:
    """The picture in a page, with the same numbers as tables below it."""
    tables = "".join(
        f"<table><caption>{escape(title)}</caption>"
        + "".join(f"<tr><th scope=row>{escape(label)}</th><td>{number:,}</td></tr>" for label, number, _ in bars)
        + "</table>"
        for title, bars in charts(stats)
    )
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        '<meta name="color-scheme" content="light dark"><title>Decks and their verdicts</title>'
        f"<style>{STYLE} svg{{max-width:100%;height:auto}}</style>{svg(stats)}{tables}</html>\n"
    )
