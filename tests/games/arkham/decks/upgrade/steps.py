"""Functions that make the deck after a scenario and judge the upgrade from the deck before it."""

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
    """Return new numbers of copies that remove `number` level 0 cards from the deck `old`. Only cards that count
    towards the deck size are removed, and the cards of `kept` stay.
    """
    profile = profile_of(FACTS, old)
    left, result = number, {}
    for code, copies in sorted(old.cards.items()):
        card = profile.status(code).card
        if left and code not in kept and profile.status(code).counts and card and card.level == 0 and not card.sheet:
            take = min(left, copies)
            result[code] = copies - take
            left -= take
    assert not left, "the deck has too few level 0 cards"
    return result


def put(old, *parts, **fields):
    """Return the deck `old` after an upgrade: `parts` are dicts of new copies by name, `fields` are other fields of the
    deck.
    """
    slots = dict(old.cards)
    for part in parts:
        slots |= by_code(part)
    return replace(old, cards={code: copies for code, copies in slots.items() if copies}, **fields)
