"""How findings name cards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.model import Card
from kb.games.arkham.decks.profile import profile_of
from kb.games.arkham.decks.status import Status
from kb.games.arkham.decks.tally import Row, Tally
from kb.games.arkham.decks.tally import tally as count_up
from kb.plural import counted

C = TypeVar("C")


def label(status: Status, facts: Facts) -> str:
    """Name of a card with its code; scenario cards by their name, unknown ones by the code alone."""
    if status.card is not None:
        return status.card.label
    name = facts.encounter(status.code)
    return f"{name} [{status.code}]" if name else f"[{status.code}]"


def labels(rows: Iterable[Row], facts: Facts) -> tuple[str, ...]:
    """Names of the cards of rows, with codes."""
    return tuple(label(status, facts) for status, _ in rows)


def with_copies(rows: Iterable[Row], facts: Facts) -> str:
    """`2 Machete [01020], 1 Beat Cop [01018]`."""
    return ", ".join(f"{copies} {label(status, facts)}" for status, copies in rows)


def last(rows: Iterable[tuple[C, int]], copies: int) -> list[tuple[C, int]]:
    """The last rows, as many as hold so many copies: those that leave first."""
    found = []
    for each, number in reversed(list(rows)):
        found.append((each, min(number, copies)))
        copies -= found[-1][1]
    return found


def out(tally: Tally, fix: str, rows: Iterable[Row | tuple[Card, int]]) -> str:
    """A fix that takes copies of cards out, with what the deck size asks for then, if it was right until now."""
    left = dict(tally.deck.cards)
    for status, copies in rows:
        left[status.code] = max(0, left.get(status.code, 0) - copies)
    deck = replace(tally.deck, cards=left)
    after = count_up(deck, profile_of(tally.profile.facts, deck), tally.frame)
    over = max(0, tally.size - tally.profile.size)
    lacking = max(0, tally.profile.size - tally.size)
    more = after.profile.size - after.size
    if more > lacking:
        return f"{fix} Put {counted(more - lacking, 'other card')} in."
    return f"{fix} Take {counted(-more - over, 'other card')} out too." if -more > over else fix


def trauma(card: Card, copies: int) -> str:
    """What copies of a card do to trauma when they are purchased: `1 mental trauma is suffered when … is purchased.`"""
    (kind, points), *_ = card.special.buying.trauma.items()
    which = "physical or mental" if kind == "either" else kind
    number = abs(points) * copies
    done = "suffered" if points > 0 else "removed"
    bought = "is purchased" if copies == 1 else f"is purchased {copies} times"
    return f"{number} {which} trauma is {done} when {card.label} {bought}."
