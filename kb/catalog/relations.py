"""What belongs together: rulings on an entry, what a ruling bears on, and all that was ruled on one card."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kb.authority import RULED, rank
from kb.catalog.reader import Catalog, EntryView
from kb.citation import Citation

_COLUMNS = "e.id, e.title, e.citation, e.kind, e.authority, e.data"


def rulings_on(catalog: Catalog, entry: EntryView) -> list[Citation]:
    """The rulings on what an entry covers, and those that it links to or that link to it, in the order of authority."""
    rows = _bearing_on(catalog, entry.covers)
    rows += catalog.rows(
        f"SELECT {_COLUMNS} FROM link l JOIN entry e ON e.id = l.entry WHERE l.target = ? AND e.kind = 'ruling'",
        (entry.id,),
    )
    rows += catalog.rows(
        f"SELECT {_COLUMNS} FROM link l JOIN entry e ON e.id = l.target "
        "WHERE l.entry = ? AND l.kind = 'see' AND e.kind = 'ruling'",
        (entry.id,),
    )
    return _cited(row for row in _in_order(rows) if row[0] != entry.id)


def borne_on(catalog: Catalog, entry: EntryView) -> list[Citation]:
    """The entries on whose headings a ruling bears."""
    wanted = entry.listed("about")
    if not wanted:
        return []
    rows = catalog.rows(
        "SELECT DISTINCT e.id, e.title, e.citation FROM covers c JOIN entry e ON e.id = c.entry "
        f"WHERE c.about = 0 AND c.heading IN ({_marks(wanted)}) ORDER BY e.id",
        wanted,
    )
    return [Citation(*row) for row in rows if row[0] != entry.id]


def ruled_on(catalog: Catalog, card: dict[str, Any]) -> list[tuple[Citation, str, str]]:
    """The entries that name a card (as `Catalog.card` gives it) or another card of its name, in the order of authority.

    Each with its kind and with the level or version it is about, empty when it is about this card or a reprint of it.
    """
    about: dict[str, str] = {}
    rows: list[tuple[Any, ...]] = []
    for target, words in [(str(card["id"]), ""), *_others(catalog, card)]:
        for row in _naming(catalog, [target]):
            about.setdefault(row[0], words)
            rows.append(row)
    return [(Citation(*row[:3]), row[3], about[row[0]]) for row in _in_order(rows)]


def sharing(catalog: Catalog, entry: EntryView) -> list[Citation]:
    """The other rulings, questions, errata and taboos on the cards an entry is about (all levels and printings of them)."""
    cards: dict[str, None] = {}
    for card_id in entry.listed("cards"):
        cards[card_id] = None
        if (card := catalog.card(card_id)) is not None:
            cards |= dict.fromkeys(other for other, _words in _others(catalog, card))
    rows = _naming(catalog, list(cards)) if cards else []
    return _cited(row for row in _in_order(rows) if row[0] != entry.id and row[3] in RULED)


def of_topic(catalog: Catalog, entry: EntryView) -> list[str]:
    """The ids of the entries of a game on an entry's topic, its own among them."""
    if not entry.topic:
        return [entry.id]
    found = catalog.rows("SELECT id FROM entry WHERE game = ? AND topic = ? ORDER BY id", (entry.game, entry.topic))
    return [row[0] for row in found]


def how_often_linked(catalog: Catalog) -> dict[str, int]:
    """How many links lead to each entry."""
    return dict(catalog.rows("SELECT target, COUNT(*) FROM link WHERE kind != 'card' GROUP BY target"))


def passages_on(catalog: Catalog, headings: Iterable[str]) -> list[Citation]:
    """The passages of the user's own rulebooks whose heading is one of these of our documents."""
    wanted = list(headings)
    if not wanted:
        return []
    found = catalog.rows(
        "SELECT DISTINCT p.id, p.title, p.source FROM passagecovers c JOIN passage p ON p.id = c.passage "
        f"WHERE c.heading IN ({_marks(wanted)}) ORDER BY p.id",
        wanted,
    )
    return [Citation(*row) for row in found]


def restating(catalog: Catalog, passage_id: str) -> list[Citation]:
    """The entries that restate what a passage of the user's own rulebook has as its heading."""
    found = catalog.rows(
        "SELECT DISTINCT e.id, e.title, e.citation FROM passagecovers p JOIN covers c ON c.heading = p.heading AND c.about = 0 "
        "JOIN entry e ON e.id = c.entry WHERE p.passage = ? ORDER BY e.id",
        (passage_id,),
    )
    return [Citation(*row) for row in found]


def _others(catalog: Catalog, card: dict[str, Any]) -> list[tuple[str, str]]:
    found = catalog.rows("SELECT id FROM card WHERE game = ? AND name = ? ORDER BY id", (card["game"], card["name"]))
    named = [other for (card_id,) in found if (other := catalog.card(card_id)) is not None]
    return [(other.id, other.words) for other in namesakes(card, named)]


def _naming(catalog: Catalog, cards: list[str]) -> list[tuple[Any, ...]]:
    return catalog.rows(
        f"SELECT {_COLUMNS} FROM link l JOIN entry e ON e.id = l.entry "
        f"WHERE l.kind = 'card' AND l.target IN ({_marks(cards)})",
        cards,
    )


def _bearing_on(catalog: Catalog, headings: Iterable[str]) -> list[tuple[Any, ...]]:
    wanted = list(headings)
    if not wanted:
        return []
    return catalog.rows(
        f"SELECT {_COLUMNS} FROM covers c JOIN entry e ON e.id = c.entry "
        f"WHERE c.about = 1 AND c.heading IN ({_marks(wanted)})",
        wanted,
    )


def _marks(values: list[str]) -> str:
    return ",".join("?" * len(values))


def _in_order(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Each entry once, what counts for more first."""

    def place(row: tuple[Any, ...]) -> tuple[int, str]:
        data = row[5] if isinstance(row[5], dict) else json.loads(row[5])
        return rank(row[3], row[4], bool(data.get("superseded_by")), data.get("signed")), str(row[0])

    return sorted({row[0]: row for row in rows}.values(), key=place)


def _cited(rows: Iterable[tuple[Any, ...]]) -> list[Citation]:
    return [Citation(*row[:3]) for row in rows]


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
