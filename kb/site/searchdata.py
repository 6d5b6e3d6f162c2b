"""Writes what the site's search reads: titles, names, questions and texts of all entries, names and types of all cards."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from kb.catalog.reader import EntryView
from kb.markup import plain
from kb.search import engine, index, ranking
from kb.search.analysis import STOP
from kb.site.addresses import Addresses
from kb.site.library import Library

PART = re.compile(r"^#+\s*(.*?)\s*(?:\{#[^}]*\})?\s*$", re.M)


def write_search_data(library: Library, addresses: Addresses, lexicon: dict[str, Any], path: Path) -> None:
    """Write `path`: one JavaScript file that calls `kbSearchData(...)`, which also works from a folder without a server.

    `places` are games and sets, `entries` rows of [title, address, kind, place, source, standing, names, questions, text, cards,
    spoiler, parts, further places, older wordings], `cards` rows of [name, address, words, place].
    """
    places = list(dict.fromkeys([*library.games, *library.shelves]))
    titles = {**library.games, **{shelf.id: shelf.title for shelf in library.shelves.values()}}
    data = {
        "places": [[place, titles[place]] for place in places],
        "rules": rules(),
        "synonyms": lexicon["synonyms"],
        "called": lexicon.get("called", {}),
        "entries": [entry_row(library, addresses, places, entry) for entry in library.entries.values()],
        "cards": list(card_rows(library, addresses, places)),
    }
    text = (
        json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        .replace("</", "<\\/")
        .replace("\u2028", " ")
        .replace("\u2029", " ")
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"kbSearchData({text})\n", encoding="utf-8")


def rules() -> dict[str, Any]:
    """What the search of the command line was tuned to: the site's ranks by the same figures."""
    return {
        "weights": index.WEIGHTS,
        "length_share": index.LENGTH_SHARE,
        "usual_length": index.USUAL_LENGTH,
        "stop": sorted(STOP),
        "saturation": engine.SATURATION,
        "synonym": engine.SYNONYM,
        "candidates": engine.CANDIDATES,
        "standing": ranking.STANDING,
        "name": ranking.NAME,
        "asked": ranking.ASKED,
        "card": ranking.CARD,
        "exact": ranking.EXACT,
        "named": ranking.NAMED,
        "preferred": engine.PREFERRED,
    }


def entry_row(library: Library, addresses: Addresses, places: list[str], entry: EntryView) -> list[Any]:
    """An entry as the search reads it."""
    cards = [library.names[card] for card in entry.listed("cards") if card in library.names]
    return [
        entry.title,
        addresses.entry(entry.id),
        entry.kind,
        places.index(library.shelf_of(entry.id)),
        entry.citation,
        ranking.standing_of(
            entry.kind, entry.authority, bool(entry.listed("cards")), bool(entry.listed("superseded_by"))
        ),
        entry.listed("aliases"),
        entry.listed("asked"),
        " ".join(plain(entry.body).split()),
        cards,
        entry.spoiler or "",
        PART.findall(entry.body),
        [places.index(scope) for scope in entry.listed("scope") if scope in places],
        " ".join(str(older["text"]) for older in entry.listed("history")),
    ]


def card_rows(library: Library, addresses: Addresses, places: list[str]) -> Any:
    """Cards that are shown somewhere, reprints left out."""
    for card_id, card in library.cards.items():
        address = addresses.card(card_id)
        if address is None or addresses.original(card_id) != card_id:
            continue
        place = f"{card['game']}/{card['set']}"
        level = card.get("level")
        words = [
            card.get("subtitle"),
            card.get("type"),
            *(card.get("traits") or ()),
            f"level {level}" if level else None,
        ]
        yield [
            card["name"],
            address,
            " · ".join(str(word) for word in words if word),
            places.index(place if place in places else card["game"]),
        ]
