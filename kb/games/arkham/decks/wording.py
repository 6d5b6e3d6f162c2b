"""How findings name cards."""

from __future__ import annotations

from collections.abc import Iterable

from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.model import Card
from kb.games.arkham.decks.status import Status
from kb.games.arkham.decks.tally import Row


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


def trauma(card: Card, copies: int) -> str:
    """What copies of a card do to trauma when they are purchased: `1 mental trauma is suffered when … is purchased.`"""
    (kind, points), *_ = card.special.buying.trauma.items()
    which = "physical or mental" if kind == "either" else kind
    number = abs(points) * copies
    done = "suffered" if points > 0 else "removed"
    bought = "is purchased" if copies == 1 else f"is purchased {copies} times"
    return f"{number} {which} trauma is {done} when {card.label} {bought}."
