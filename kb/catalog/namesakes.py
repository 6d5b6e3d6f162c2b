"""Cards of one name: the printings of a card, and its other levels and versions, so that what is ruled on one shows on all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Namesake:
    """Another card of the same name. `words` tell it apart (its subtitle, `level 2`, `number 90047`); empty for a printing of the same card."""

    id: str
    words: str


def namesakes(card: Mapping[str, Any], named: Iterable[Mapping[str, Any]]) -> list[Namesake]:
    """The other cards among `named` (cards of the same game and name): printings first, then what differs, by level and id."""
    found = [Namesake(str(other["id"]), _words(card, other)) for other in named if other["id"] != card["id"]]
    return sorted(found, key=lambda other: (bool(other.words), other.words, other.id))


def _words(card: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    if _printed(card) == _printed(other):
        return ""
    if other.get("subtitle") and other.get("subtitle") != card.get("subtitle"):
        return str(other["subtitle"])
    if other.get("level") is not None and other.get("level") != card.get("level"):
        return f"level {other['level']}"
    return f"number {other['code']}" if other.get("code") else f"the card of {other['set']}"


def _printed(card: Mapping[str, Any]) -> object:
    """What all printings of a card have in common: the number of the first."""
    return card.get("duplicate_of") or card.get("code") or card["id"]
