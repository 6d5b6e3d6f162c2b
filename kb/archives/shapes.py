"""What judging and counting decks comes to as JSON, key by key."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from kb.decks.report import Severity


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
