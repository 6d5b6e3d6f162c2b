"""Several decks in one JSON file: a list of decks, or an object that wraps one deck or several."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kb.decks.deckfile import DeckFile, parse_deck

_WRAPPERS = ("deck", "decks", "data")


def decks_in(file_text: str, name: str) -> Iterator[DeckFile]:
    """The decks of a file's text, each by the name of the file and its number there. Raises DeckFileError.

    A list of deck objects (as a site's export of a day gives it) and an object whose only key is `deck`, `decks` or `data`
    are opened; every other text is one deck file, read as ever.
    """
    decks = _unwrapped(file_text)
    if decks is None:
        yield parse_deck(file_text, name)
        return
    for number, deck in enumerate(decks, 1):
        one = parse_deck(json.dumps(deck, ensure_ascii=False), name)
        yield replace(one, name=f"{name}[{number}]") if len(decks) > 1 else one


def _unwrapped(text: str) -> list[dict[str, Any]] | None:
    """The deck objects inside a list or a wrapper, None when the text is neither."""
    begun = text.lstrip()
    if not begun.startswith(("[", "{")) or (begun[0] == "{" and not any(f'"{key}"' in text for key in _WRAPPERS)):
        return None
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    while isinstance(data, dict) and len(data) == 1 and (key := next(iter(data))) in _WRAPPERS:
        data = data[key]
        if isinstance(data, dict) and not (len(data) == 1 and next(iter(data)) in _WRAPPERS):
            return [data]
    if isinstance(data, list) and data and all(isinstance(deck, dict) and len(deck) > 1 for deck in data):
        return data
    return None
