"""The shipped card facts, and short ways to make a legal deck, to spoil it, and to see which checks find something."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kb.decks.report import Finding, Report
from kb.games.arkham.decks.check import check_deck
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import CAMPAIGN, Frame
from kb.games.arkham.decks.model import Deck
from kb.games.arkham.decks.profile import profile_of
from kb.games.arkham.decks.status import Kind
from kb.games.arkham.load import load_arkham
from kb.load.problems import Problems

CARDS = Path(__file__).resolve().parents[4] / "cards"
HAUNTED = "01098"
ROLAND, DAISY, AGNES, ZOEY, MANDY, LOLA, CAROLYN = "01001", "01002", "01004", "02001", "06002", "03006", "05001"


def load() -> Facts:
    problems = Problems(CARDS)
    records = load_arkham(CARDS, problems)
    problems.raise_if_any()
    return Facts(records)


FACTS = load()


@pytest.fixture(scope="session")
def facts() -> Facts:
    return FACTS


def deck(investigator: str = ROLAND, cards: Mapping[str, int] | None = None, **fields: Any) -> Deck:
    """A legal deck that holds `cards`: signatures, one Haunted, and level 0 cards up to the deck size.

    What is in `cards` with 0 copies is left out.
    """
    given = dict(cards or {})
    slots = {HAUNTED: 1, **given}
    begun = Deck(investigator, slots, **fields)
    profile = profile_of(FACTS, begun)
    assert profile.build is not None
    for need in profile.needs:
        if need.set in ("", "original") and need.root not in given:
            by_size = need.rule.by_size.get(profile.base_size) if need.rule and need.rule.by_size else None
            slots[need.root] = by_size or need.most
    titles = {card.title for code in slots if (card := FACTS.card(code))}
    size = sum(slots[code] for code in slots if profile.status(code).counts)
    for code in sorted(FACTS._cards):
        if size >= profile.size:
            break
        entry = profile.status(code)
        card = entry.card
        if not (entry.plain and entry.counts and card and card.level == 0 and entry.kind is Kind.PLAYER):
            continue
        if card.code == card.root and card.title not in titles and not card.unique and code not in slots:
            copies = min(entry.limit, profile.size - size)
            slots[code] = copies
            size += copies
            titles.add(card.title)
    return replace(begun, cards={code: copies for code, copies in slots.items() if copies})


def changed(old: Deck, **copies: int) -> Deck:
    """The deck with other numbers of copies; codes are written `c01020`."""
    slots = {**old.cards, **{code.removeprefix("c"): number for code, number in copies.items()}}
    return replace(old, cards={code: number for code, number in slots.items() if number})


def check(one: Deck, frame: Frame = CAMPAIGN) -> Report:
    return check_deck(one, FACTS, "deck.json", frame)


def errors(one: Deck, frame: Frame = CAMPAIGN) -> set[str]:
    """Ids of the checks that find an error."""
    return {finding.check for finding in check(one, frame).findings if finding.severity == "error"}


def found(one: Deck, name: str, frame: Frame = CAMPAIGN) -> Finding:
    """The only finding of a check."""
    (finding,) = [finding for finding in check(one, frame).findings if finding.check == name]
    return finding


def notes(one: Deck, frame: Frame = CAMPAIGN) -> set[str]:
    """Ids of the checks that find a note or a warning."""
    return {finding.check for finding in check(one, frame).findings if finding.severity != "error"}
