"""Judges the rows of an archive: the same here, in other processes and on other machines."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from kb.catalog.reader import Catalog
from kb.decks.contract import check_one
from kb.decks.deckfile import DeckFile
from kb.decks.games import Table, with_decks
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.reading import opened
from kb.decks.report import Report
from kb.judge.read import ArchiveError, Row
from kb.registry import games
from kb.version import __version__

Frame = Mapping[str, Any]
MOST_NAMED = 20
_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


class Judge:
    """Judges rows by the options of `kb deck check` (`frame`); facts are loaded when the first deck of a game comes."""

    def __init__(self, records: Callable[[str, str], list[dict[str, Any]]], frame: Frame) -> None:
        self._table, self._frame = Table(records), frame

    def verdicts(self, row: Row) -> Iterator[tuple[dict[str, Any], Report | DeckFileError]]:
        """The verdict on each deck of a row (a line may hold a list of them), with the report that it is made of."""
        files = list(opened(row.raw, row.name))
        for part, file in enumerate(files, 1):
            try:
                found = check_one(file, self._table, self._frame)
            except Exception as error:  # a bug of kb's: one deck of a million is no reason to stop
                said = f"This is a bug in kb: {type(error).__name__}: {str(error)[:300]}."
                found = DeckFileError(row.name, [DeckProblem(0, said)])
            yield {"row": row.number, "part": part if len(files) > 1 else None, **_verdict(row, file, found)}, found


def _verdict(row: Row, file: DeckFile | DeckFileError, found: Report | DeckFileError) -> dict[str, Any]:
    """What is kept of a report: no citation, which the code of a finding leads to."""
    own = file.loaded.get("id") if isinstance(file, DeckFile) and file.loaded else None
    verdict: dict[str, Any] = {"id": row.id or (None if own is None else str(own))}
    if isinstance(found, DeckFileError):
        problems = [f"line {each.line}: {each.message}" if each.line > 1 else each.message for each in found.problems]
        unknown = dict.fromkeys(("game", "character", "legal"))
        return {**verdict, **unknown, "findings": [], "problems": problems[:MOST_NAMED]}
    findings = [
        {"code": each.code, "severity": each.severity, "message": each.message, "fix": each.fix, "cards": each.cards,
         "count": each.count, "limit": each.limit}
        for each in found.findings
    ]  # fmt: skip
    of = {"game": found.game, "character": found.character, "legal": found.legal}
    return {**verdict, **of, "findings": findings, "problems": []}


@dataclass(frozen=True, eq=False)
class Rules:
    """All that judging takes besides the program, as one value that is sent to workers: facts of cards by game and kind, and the frame."""

    version: str
    hash: str
    frame: Frame
    packed: Mapping[tuple[str, str], bytes] = field(repr=False)

    def records(self, game: str, kind: str) -> list[dict[str, Any]]:
        """The records of a kind, as the catalog gave them."""
        packed = self.packed.get((game, kind))
        return list(json.loads(zlib.decompress(packed))) if packed else []


def rules_of(catalog: Catalog, frame: Frame) -> Rules:
    """The rules of every game with decks, as the catalog holds their facts."""
    judged = {about.id for about in with_decks()}
    packed = {
        (game, kind): zlib.compress(_encode(catalog.records(game, kind)).encode(), 1)
        for game, kind in catalog.kinds()
        if game in judged
    }
    return Rules(__version__, catalog.hash, dict(frame), packed)


@lru_cache(maxsize=2)
def _judge(rules: Rules) -> Judge:
    """What judges by some rules in this process, with the facts that it has loaded. Raises ArchiveError when kb is another one here."""
    if rules.version != __version__ or not {game for game, _ in rules.packed} <= games().keys():
        raise ArchiveError(
            f"These decks are judged by kb {rules.version} and its games; a worker has kb {__version__} or lacks a game."
        )
    return Judge(rules.records, rules.frame)


def judge_rows(rules: Rules, rows: Iterable[Row]) -> tuple[bytes, list[str]]:
    """The verdicts on some rows as JSON Lines, in their order, and what is wrong with the first decks that cannot be read."""
    lines: list[str] = []
    unreadable: list[str] = []
    for row in rows:
        for verdict, found in _judge(rules).verdicts(row):
            lines.append(f"{_encode(verdict)}\n")
            if isinstance(found, DeckFileError) and len(unreadable) < MOST_NAMED:
                unreadable.append(str(found))
    return "".join(lines).encode("utf-8", "backslashreplace"), unreadable
