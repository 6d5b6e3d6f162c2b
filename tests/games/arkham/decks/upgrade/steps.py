"""Functions that make the deck after a scenario and judge the step to it."""

from dataclasses import replace

from kb.games.arkham.decks.agreement import NamedDeck
from kb.games.arkham.decks.profile import profile_of
from kb.games.arkham.upgrades import judge_step
from tests.games.arkham.decks.conftest import FACTS, by_code, named

WENDY = named("Wendy Adams")
ARCANE_RESEARCH = named("Arcane Research")


def judge(old, new, **given):
    return judge_step(NamedDeck("old", old), NamedDeck("new", new), FACTS, **given)


def cost(old, new):
    return judge(old, new).cost


def filler(old, number, kept=()):
    """Return slot changes that remove `number` copies of level 0 cards that count towards the deck size."""
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


def put(old, *parts, **fields):
    """Return the deck after a step, with other numbers of copies and other fields."""
    slots = dict(old.cards)
    for part in parts:
        slots |= by_code(part)
    return replace(old, cards={code: copies for code, copies in slots.items() if copies}, **fields)
