"""Counts verdicts: how many decks are legal, what is found most, what other rules would break, and by which cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field
from itertools import starmap, zip_longest
from typing import Any

from kb.decks.problems import Severity
from kb.frozen import frozen
from kb.jsonable import FLAT, OPTIONAL, Jsonable
from kb.judge.archive import ArchiveError, read_archive
from kb.judge.verdicts import JudgedFinding, Verdict

Pair = tuple[Verdict, Verdict | None]
"""A verdict, and that on the same deck by other rules."""
KINDS = {True: "legal", False: "illegal", None: "unreadable"}
"""What a deck counts as, by what its verdict says of its being legal."""


@frozen
class Sums(Jsonable):
    """How many decks there are of which kind."""

    decks: int
    """Decks in all."""
    legal: int
    """Those that are legal."""
    illegal: int
    """Those that are not."""
    unreadable: int
    """Those that cannot be read."""


@frozen
class CodeCount(Jsonable):
    """In how many decks a check finds something."""

    code: str
    """The check by a stable name: game/check."""
    decks: int
    """In how many decks."""


@frozen
class FindingCount(Jsonable):
    """In how many decks a check finds something, by severity."""

    severity: Severity
    """An error makes the deck illegal."""
    code: str
    """The check by a stable name: game/check."""
    decks: int
    """In how many decks."""


@frozen
class CardCount(Jsonable):
    """How many decks break a rule by a card."""

    card: str
    """The card."""
    decks: int
    """In how many decks an error names it."""


@frozen
class CharacterCount(Jsonable):
    """How many decks are of a character."""

    character: str
    """Whose decks."""
    decks: int
    """How many."""
    legal: int
    """How many of them are legal."""


@frozen
class BrokenDeck(Jsonable):
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


@frozen
class Compared(Jsonable):
    """What other rules change."""

    legal_before: int
    """Decks that the other rules find legal."""
    broken: int
    """How many of them are no longer legal."""
    mended: int
    """How many have become legal."""
    codes: list[CodeCount]
    """The checks that find something now, the most frequent first."""
    cards: list[CardCount]
    """The cards to blame, the most frequent first."""
    first: list[BrokenDeck]
    """The decks that are broken."""


@frozen
class Counts(Jsonable):
    """What verdicts on decks come to."""

    sums: Sums = field(metadata=FLAT)
    findings: list[FindingCount]
    """What is found, the most frequent first."""
    cards: list[CardCount]
    """Cards that errors name, the most frequent first."""
    characters: list[CharacterCount]
    """Whose decks, the most frequent first."""
    compared: Compared | None = field(metadata=OPTIONAL)
    """Only with --against."""


@frozen
class Judged(Jsonable):
    """What judging an archive came to."""

    sums: Sums = field(metadata=FLAT)
    earlier: int
    """How many of the decks were judged by an earlier run."""
    seconds: float
    """How long this run took."""
    out: str
    """The file of verdicts."""


def count(pairs: Iterable[Pair]) -> Counts:
    """What verdicts come to, each given with the verdict on the same deck by other rules, or None.

    All counts are of decks: one in which a check finds three things counts once for it.
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
            known = {(each.code, each.message) for each in _errors(before)}
            new = [each for each in _errors(verdict) if (each.code, each.message) not in known]
            codes, blamed = list(dict.fromkeys(each.code for each in new)), _cards(new)
            broken.append(BrokenDeck(verdict.row, verdict.part, verdict.id, verdict.character, codes, blamed))
            causes.update(codes)
            culprits.update(blamed)
    return Counts(
        Sums(sums.total(), **{kind: sums[kind] for kind in KINDS.values()}),
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
    """What was counted, the most frequent first, then by name."""
    return sorted(counter.items(), key=lambda each: (-each[1], each[0]))


def _errors(verdict: Verdict) -> list[JudgedFinding]:
    return [each for each in verdict.findings if each.severity == "error"]


def _cards(findings: Iterable[JudgedFinding]) -> list[str]:
    return list(dict.fromkeys(card for each in findings for card in each.cards or ()))


def read_verdicts(name: str) -> Iterator[Verdict]:
    """The verdicts of a file, one after the other. Raises ArchiveError for what is no verdict."""
    from pydantic import TypeAdapter, ValidationError

    adapter = TypeAdapter(Verdict)
    for row in read_archive(name, None):
        try:
            yield adapter.validate_json(row.raw)
        except ValidationError:
            raise ArchiveError(
                f"{row.name}: is no verdict as `kb deck judge` writes it; judge the archive first: "
                f"kb deck judge {name} --out verdicts.jsonl"
            ) from None


def paired(name: str, other: str | None) -> Iterator[Pair]:
    """The verdicts of a file, each with that on the same deck in the other file. Raises ArchiveError when they are of other decks."""
    if other is None:
        yield from ((verdict, None) for verdict in read_verdicts(name))
        return
    for now, before in zip_longest(read_verdicts(name), read_verdicts(other)):
        if now is None or before is None or (now.row, now.part, now.id) != (before.row, before.part, before.id):
            raise ArchiveError(f"{name} and {other} are not verdicts on the same decks in the same order.")
        yield now, before
