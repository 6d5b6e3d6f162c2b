"""Short ways to make the deck after a scenario and to judge the step to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kb.decks.upgrades import StepReport
from kb.games.arkham.decks.model import Deck
from kb.games.arkham.decks.profile import profile_of
from kb.games.arkham.decks.upgrade.campaign import NamedDeck, judge_step
from tests.games.arkham.decks.conftest import FACTS, by_code, named, plain

WENDY = named("Wendy Adams")
ADAPTABLE, VERSATILE, RABBIT_HOLE, ARCANE_RESEARCH, DEJA_VU, SHREWD = map(
    named,
    (
        "Adaptable",
        "Versatile",
        "Down the Rabbit Hole",
        "Arcane Research",
        "Déjà Vu",
        "Shrewd Analysis",
    ),
)


def judge(old: Deck, new: Deck, **given: Any) -> StepReport:
    return judge_step(NamedDeck("old", old), NamedDeck("new", new), FACTS, **given)


def cost(old: Deck, new: Deck) -> int:
    return judge(old, new).cost


def filler(old: Deck, number: int, kept: tuple[str, ...] = ()) -> dict[str, int]:
    """The deck's level 0 cards that make up its size, less `number` copies (as slots to change)."""
    profile = profile_of(FACTS, old)
    left, result = number, {}
    for code, copies in sorted(old.cards.items()):
        card = profile.status(code).card
        if left and code not in kept and profile.status(code).counts and card and card.level == 0 and not card.sheet:
            take = min(left, copies)
            result[code] = copies - take
            left -= take
    assert not left, "the deck has not so many level 0 cards"
    return result


def spare(new: Deck, number: int) -> dict[str, int]:
    """`number` copies of plain level 0 cards that the deck has no copy of but may have."""
    profile = profile_of(FACTS, new)
    titles = {card.title for code in new.cards if (card := FACTS.card(code))}
    left, result = number, {}
    for code in sorted(FACTS._cards, reverse=True):
        entry = profile.status(code)
        card = entry.card
        easy = plain(entry) and entry.counts and card is not None and card.level == 0
        if left and easy and card and card.code == card.root and card.title not in titles and not card.surcharge:
            titles.add(card.title)
            result[code] = min(entry.limit, left)
            left -= result[code]
    assert not left
    return result


def put(old: Deck, *parts: dict[str, int], **fields: Any) -> Deck:
    """The deck after a step: other numbers of copies, other fields."""
    slots = dict(old.cards)
    for part in parts:
        slots |= by_code(part)
    return replace(old, cards={code: copies for code, copies in slots.items() if copies}, **fields)
