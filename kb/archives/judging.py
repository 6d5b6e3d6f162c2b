"""Judges rows of an archive: the same for this process, for others on this machine and for those on other machines."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from kb.archives.rows import ArchiveError, Row
from kb.catalog.reader import Catalog
from kb.decks.bundles import opened
from kb.decks.deckfile import DeckFile
from kb.decks.games import with_decks
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.reading import check_one
from kb.decks.report import Report
from kb.decks.table import Table
from kb.games import games
from kb.version import __version__

Frame = Mapping[str, Any]
MOST_NAMED = 20
_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


@dataclass(frozen=True, slots=True)
class Judged:
    """Verdicts on some rows: JSON, each in a line; how many decks of which kind; and what is wrong with the first unreadable ones."""

    lines: bytes
    sums: dict[str, int]
    unreadable: tuple[str, ...] = ()


def no_sums() -> dict[str, int]:
    """Sums before anything was judged: decks in all, and those that are legal, illegal and unreadable."""
    return dict.fromkeys(("decks", "legal", "illegal", "unreadable"), 0)


@dataclass(frozen=True)
class Rules:
    """All that judging takes besides the program, as one value that can be sent: facts of cards by game and kind, and the frame.

    `hash` is that of the sources, `version` that of kb. It is packed once and opened once in each process that judges.
    """

    version: str
    hash: str
    frame: Frame
    packed: Mapping[tuple[str, str], bytes] = field(repr=False)

    def judge(self) -> Judge:
        """What judges by these rules in this process. Raises ArchiveError when kb is another one here than where they come from."""
        if self.version != __version__ or not {game for game, _ in self.packed} <= games().keys():
            raise ArchiveError(
                f"These decks are judged by kb {self.version} and its games; a worker has kb {__version__} or lacks a game."
            )
        return Judge(self._records, self.frame)

    def _records(self, game: str, kind: str) -> list[dict[str, Any]]:
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


class Judge:
    """Judges rows in a frame; facts are loaded when the first deck of a game comes."""

    def __init__(self, records: Callable[[str, str], list[dict[str, Any]]], frame: Frame) -> None:
        self._records, self._frame = records, frame

    @cached_property
    def _table(self) -> Table:
        return Table(self._records)

    def __call__(self, rows: Iterable[Row]) -> Judged:
        """The verdicts on some rows, in their order."""
        sums = no_sums()
        lines: list[str] = []
        unreadable: list[str] = []
        for row in rows:
            for verdict, found in self.verdicts(row):
                legal = verdict["legal"]
                sums["decks"] += 1
                sums["unreadable" if legal is None else "legal" if legal else "illegal"] += 1
                if isinstance(found, DeckFileError) and len(unreadable) < MOST_NAMED:
                    unreadable.append(str(found))
                lines.append(_encode(verdict))
        text = "".join(f"{line}\n" for line in lines)
        return Judged(text.encode("utf-8", "backslashreplace"), sums, tuple(unreadable))

    def verdicts(self, row: Row) -> Iterator[tuple[dict[str, Any], Report | DeckFileError]]:
        """The verdict on each deck of a row (a line may hold a list of them), with the report that it tells of."""
        files = list(opened(row.raw, row.name))
        for part, file in enumerate(files, 1):
            found = self._checked(file)
            yield {"row": row.number, "part": part if len(files) > 1 else None, **_verdict(row, file, found)}, found

    def _checked(self, file: DeckFile | DeckFileError) -> Report | DeckFileError:
        try:
            return check_one(file, self._table, self._frame)
        except Exception as error:  # a bug of kb's: one deck of a million is no reason to stop
            said = f"This is a bug in kb: {type(error).__name__}: {str(error)[:300]}."
            return DeckFileError(file.file if isinstance(file, DeckFileError) else file.name, [DeckProblem(0, said)])


def _verdict(row: Row, file: DeckFile | DeckFileError, found: Report | DeckFileError) -> dict[str, Any]:
    """What is kept of a report: no citation, which the code of a finding leads to."""
    own = file.loaded.get("id") if isinstance(file, DeckFile) and file.loaded else None
    known = row.id or (None if own is None else str(own))
    if isinstance(found, DeckFileError):
        problems = [f"line {each.line}: {each.message}" if each.line > 1 else each.message for each in found.problems]
        return {
            "id": known,
            "game": None,
            "character": None,
            "legal": None,
            "findings": [],
            "problems": problems[:MOST_NAMED],
        }
    findings = [
        {"code": each.code, "severity": each.severity, "message": each.message, "fix": each.fix, "cards": each.cards,
         "count": each.count, "limit": each.limit}
        for each in found.findings
    ]  # fmt: skip
    return {
        "id": known,
        "game": found.game,
        "character": found.character,
        "legal": found.legal,
        "findings": findings,
        "problems": [],
    }
