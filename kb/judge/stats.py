"""Count verdicts: how many decks are legal, which findings and cards are most frequent, and how the verdicts differ
from those under other rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import starmap, zip_longest
from typing import Any

from kb.decks.problems import Severity
from kb.frozen import frozen
from kb.judge.archive import ArchiveError, read_archive
from kb.judge.verdicts import JudgedFinding, Verdict
from kb.shapes import Jsonable, key

Pair = tuple[Verdict, Verdict | None]
"""A verdict, and the verdict on the same deck under other rules (or None)."""
KINDS = {True: "legal", False: "illegal", None: "unreadable"}
"""The name of a deck's result, by the value of `legal` in its verdict."""


@frozen
class Sums(Jsonable):
    """Numbers of decks by result."""

    decks: int
    """Number of all decks."""
    legal: int
    """Number of legal decks."""
    illegal: int
    """Number of illegal decks."""
    unreadable: int
    """Number of decks that cannot be read."""


@frozen
class CodeCount(Jsonable):
    """The number of decks with errors of one check."""

    code: str
    """Stable name of the check: game/check."""
    decks: int
    """Number of decks."""


@frozen
class FindingCount(Jsonable):
    """The number of decks with findings of one check and severity."""

    severity: Severity
    """Severity of the finding. An error makes the deck illegal."""
    code: str
    """Stable name of the check: game/check."""
    decks: int
    """Number of decks."""


@frozen
class CardCount(Jsonable):
    """The number of decks that break a rule because of a card."""

    card: str
    """Name of the card."""
    decks: int
    """Number of decks with an error that names the card."""


@frozen
class CharacterCount(Jsonable):
    """The number of decks of a character."""

    character: str
    """Name of the character."""
    decks: int
    """Number of decks."""
    legal: int
    """Number of legal decks of the character."""


@frozen
class BrokenDeck(Jsonable):
    """A deck that was legal under the other rules and is now illegal."""

    row: int
    """Number of the row in the archive."""
    part: int | None
    """Number of the deck within the row, if the row contains several decks."""
    id: str | None
    """Id of the deck, if it has one."""
    character: str | None
    """Character of the deck."""
    codes: list[str]
    """Checks that report errors now."""
    cards: list[str]
    """The cards that cause the findings."""


@frozen
class Compared(Jsonable):
    """How the verdicts differ from those under other rules."""

    legal_before: int
    """Number of decks that are legal under the other rules."""
    broken: int
    """Number of decks that were legal and are now illegal."""
    mended: int
    """Number of decks that were illegal and are now legal."""
    codes: list[CodeCount]
    """Checks that report errors now, most frequent first."""
    cards: list[CardCount]
    """The cards that cause the findings, most frequent first."""
    first: list[BrokenDeck]
    """The first decks that were legal and are now illegal."""


@frozen
class VerdictCounts(Sums):
    """Counts of the verdicts in a file."""

    findings: list[FindingCount]
    """The findings, most frequent first."""
    cards: list[CardCount]
    """The cards that errors name, most frequent first."""
    characters: list[CharacterCount]
    """The characters of the decks, most frequent first."""
    compared: Compared | None = key("optional")
    """The comparison with other rules. Only with --against."""


@frozen
class Judged(Sums):
    """The result of judging an archive."""

    earlier: int
    """Number of decks that an earlier run had judged."""
    seconds: float
    """Duration of this run in seconds."""
    out: str
    """The file with the verdicts."""


def count(pairs: Iterable[Pair]) -> VerdictCounts:
    """Count verdicts. Each comes with the verdict on the same deck under other rules, or None.

    All counts are numbers of decks: a check with three findings in a deck counts once.
    """
    sums, findings, cards, characters, legal, causes, culprits = (Counter[Any]() for _ in range(7))
    broken: list[BrokenDeck] = []
    compared, legal_before, mended = False, 0, 0
    for verdict, before in pairs:
        sums[KINDS[verdict.legal]] += 1
        findings.update({(each.severity, each.code) for each in verdict.findings})
        cards.update(_cards(_errors(verdict)))
        if verdict.character:
            characters[verdict.character] += 1
            legal[verdict.character] += bool(verdict.legal)
        if before is None:
            continue
        compared = True
        legal_before += before.legal is True
        mended += before.legal is False and verdict.legal is True
        if before.legal and verdict.legal is False:
            errors = _errors(verdict)  # all errors are new, because a legal deck has none
            codes, blamed = list(dict.fromkeys(each.code for each in errors)), _cards(errors)
            broken.append(BrokenDeck(verdict.row, verdict.part, verdict.id, verdict.character, codes, blamed))
            causes.update(codes)
            culprits.update(blamed)
    return VerdictCounts(
        sums.total(),
        sums["legal"],
        sums["illegal"],
        sums["unreadable"],
        [FindingCount(severity, code, decks) for (severity, code), decks in _most_common(findings)],
        list(starmap(CardCount, _most_common(cards))),
        [CharacterCount(name, decks, legal[name]) for name, decks in _most_common(characters)],
        Compared(
            legal_before,
            len(broken),
            mended,
            list(starmap(CodeCount, _most_common(causes))),
            list(starmap(CardCount, _most_common(culprits))),
            broken,
        )
        if compared
        else None,
    )


def _most_common(counter: Counter[Any]) -> list[tuple[Any, int]]:
    """Return the counted items with their counts, most frequent first. Items with equal counts are sorted by name."""
    return sorted(counter.items(), key=lambda each: (-each[1], each[0]))


def _errors(verdict: Verdict) -> list[JudgedFinding]:
    return [each for each in verdict.findings if each.severity == "error"]


def _cards(findings: Iterable[JudgedFinding]) -> list[str]:
    return list(dict.fromkeys(card for each in findings for card in each.cards or ()))


def read_verdicts(name: str) -> Iterator[Verdict]:
    """Yield the verdicts in the file `name`. Raises ArchiveError if a row is not a verdict."""
    from pydantic import TypeAdapter, ValidationError

    adapter = TypeAdapter(Verdict)
    for row in read_archive(name, None):
        try:
            yield adapter.validate_json(row.raw)
        except ValidationError:
            raise ArchiveError(
                f"{row.name}: this is not a verdict of `kb deck judge`. Judge the archive first: "
                f"kb deck judge {name} --out verdicts.jsonl"
            ) from None


def paired(name: str, other: str | None) -> Iterator[Pair]:
    """Yield the verdicts in the file `name`, each with the verdict on the same deck in the file `other` (or None).

    Raises ArchiveError if the files are not about the same decks in the same order.
    """
    if other is None:
        yield from ((verdict, None) for verdict in read_verdicts(name))
        return
    for now, before in zip_longest(read_verdicts(name), read_verdicts(other)):
        if now is None or before is None or (now.row, now.part, now.id) != (before.row, before.part, before.id):
            raise ArchiveError(f"{name} and {other} are not verdicts on the same decks in the same order.")
        yield now, before
