"""The versions of a title that copies pass on their way: those of either deck, and those that may come in between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb.games.arkham.decks.model import Card
from kb.games.arkham.decks.status import Kind
from kb.games.arkham.decks.upgrade.changes import DECK, Change, Changes


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a title: copies that could stay or be upgraded, copies in the deck after, exiled copies."""

    card: Card
    change: Change | None
    counts: bool
    old: int = 0
    new: int = 0
    exiled: int = 0
    beside: int = 0
    purchasable: bool = True


def version_of(change: Change) -> Version:
    """What a change tells of the version whose copies it counts."""
    card = change.card
    assert card is not None
    return Version(
        card=card,
        change=change,
        counts=change.status.counts,
        old=change.left - change.forced,
        new=max(0, change.after - change.granted),
        exiled=change.exiled,
        beside=change.beside,
    )


def others(changes: Changes, rows: list[Change]) -> Iterator[Version]:
    """The versions that are in neither deck but may be purchased and upgraded on the way."""
    card = rows[0].card
    assert card is not None
    profile = changes.now if rows[0].pile == DECK else changes.now.extra or changes.now
    here = {change.card.root for change in rows if change.card}
    masks = {change.status.mask for change in rows if change.after}
    for other in changes.facts.named(card.name):
        if other.code != other.root or other.root in here or other.level is None or other.sheet:
            continue
        status = profile.status(other.code)
        lasting = status.card is not None and not status.card.permanent and not status.card.special.at_creation
        # a card that takes a limited slot passes only through the slot that the card after it takes
        if status.kind is Kind.PLAYER and lasting and status.card and (not status.mask or status.mask in masks):
            yield Version(status.card, None, status.counts, purchasable=not status.card.researched)
