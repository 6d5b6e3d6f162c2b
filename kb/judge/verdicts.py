"""Judge the rows of an archive: the rules of a run, and the verdict on each deck."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from kb.catalog.reader import Catalog
from kb.decks.contract import check_one
from kb.decks.deckfile import DeckFile
from kb.decks.games import DeckRules, with_decks
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.problems import Severity
from kb.decks.reading import decks_in_bytes
from kb.judge.archive import ArchiveError, ArchiveRow
from kb.version import __version__

MOST_NAMED = 20


@dataclass(frozen=True)
class JudgedFinding:
    """A finding, as stored in a verdict. The rule that the finding cites can be looked up by the finding's code."""

    code: str
    severity: Severity
    message: str
    fix: str = ""
    cards: list[str] | None = None
    count: int | None = None
    limit: int | None = None


@dataclass(frozen=True)
class Verdict:
    """The result for a deck: a line in a file of verdicts.

    `row` is the number of the archive's row. `part` is the number of the deck in the row, if the row contains several
    decks. `legal` is None if the deck cannot be read; `problems` then has the reasons.
    """

    row: int
    part: int | None = None
    id: str | None = None
    game: str | None = None
    character: str | None = None
    legal: bool | None = None
    findings: list[JudgedFinding] = field(kw_only=True)
    problems: list[str] = field(default_factory=list)


WHOLE = Verdict(0, 0, "", "", "", True, findings=[JudgedFinding("", "note", "", "", [""], 0, 0)], problems=[""])
"""A verdict that has a value for every field. The column types of a Parquet file are inferred from it."""
encoded = json.JSONEncoder(ensure_ascii=False, check_circular=False, default=vars).encode


@dataclass(frozen=True)
class JudgeRules:
    """The data that workers need to judge decks: card facts by game and kind, and the options of `kb deck check`.

    `version` is the kb version, and `digest` identifies the data.
    """

    version: str
    digest: str
    options: Mapping[str, Any] = field(compare=False)
    facts: Mapping[tuple[str, str], list[dict[str, Any]]] = field(compare=False, repr=False)


def rules_of(catalog: Catalog, options: Mapping[str, Any]) -> JudgeRules:
    """Return the data for judging decks from every game with deck rules. The facts come from the catalog."""
    judged = {about.id for about in with_decks()}
    facts = {(game, kind): catalog.records(game, kind) for game, kind in catalog.kinds() if game in judged}
    identity = json.dumps([__version__, catalog.hash, dict(options)], sort_keys=True)
    return JudgeRules(__version__, hashlib.blake2b(identity.encode()).hexdigest(), dict(options), facts)


@lru_cache(maxsize=2)
def _deck_rules(rules: JudgeRules) -> DeckRules:
    """Return the deck rules and facts for `rules`. Each process loads the rules and facts once.

    Raises ArchiveError if this process runs another kb version.
    """
    if rules.version != __version__:
        raise ArchiveError(f"These decks are judged by kb {rules.version}; a worker has kb {__version__}.")
    return DeckRules(lambda game, kind: rules.facts.get((game, kind), []))


def judge_rows(rows: Iterable[ArchiveRow], rules: JudgeRules) -> tuple[bytes, list[str]]:
    """Judge the decks in `rows`. Return the verdicts as JSON Lines in the order of the rows, and messages about the
    first unreadable decks.
    """
    lines: list[str] = []
    unreadable: list[str] = []
    for row in rows:
        files = list(decks_in_bytes(row.raw, row.name))  # a line may contain a list of decks
        for number, file in enumerate(files, 1):
            verdict = _verdict(file, row, number if len(files) > 1 else None, rules)
            lines.append(f"{encoded(verdict)}\n")
            if len(unreadable) < MOST_NAMED:
                unreadable += [f"{row.name}: {problem}" for problem in verdict.problems[:1]]
    return "".join(lines).encode("utf-8", "replace"), unreadable


def _verdict(file: DeckFile | DeckFileError, row: ArchiveRow, part: int | None, rules: JudgeRules) -> Verdict:
    own = file.loaded.get("id") if isinstance(file, DeckFile) and file.loaded else None
    named = row.id or (None if own is None else str(own))
    deck_rules = _deck_rules(rules)
    try:
        report = check_one(file, deck_rules, rules.options)
    except Exception as error:  # a bug in kb: one failed deck must not stop the run
        message = f"This is a bug in kb: {type(error).__name__}: {str(error)[:300]}."
        report = DeckFileError(row.name, [DeckProblem(0, message)])
    if isinstance(report, DeckFileError):
        problems = [f"line {each.line}: {each.message}" if each.line > 1 else each.message for each in report.problems]
        return Verdict(row.number, part, named, findings=[], problems=problems[:MOST_NAMED])
    findings = [
        JudgedFinding(each.code, each.severity, each.message, each.fix, list(each.cards), each.count, each.limit)
        for each in report.findings
    ]
    return Verdict(row.number, part, named, report.game, report.character, report.legal, findings=findings)
