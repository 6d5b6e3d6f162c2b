"""Reads fan-made cards in arkham.build's form, from decks and project files, as rows of the user's own cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kb.games.arkham.imports.arkhamdb import TAGS, card_facts
from kb.sources.own_cards import OwnCardError, Record

_REAL = ("text", "traits", "slot", "back_text")
_OFFICIAL = re.compile(r"\d{5}[a-z]?")
_SAID = {"id", "name", "error", "size"}
"""Keys of a deckbuilding option whose values are only texts for people, or that concern only a deck size."""
_READ = _SAID | {
    "not", "faction", "trait", "type", "uses", "slot", "tag", "level", "base_level", "permanent", "limit", "atleast", "ignore_match",
    "faction_select", "deck_size_select", "option_select",
}  # fmt: skip
"""Keys of a deckbuilding option that kb uses."""
_AT_LEAST = {"min", "factions"}


def project_cards(document: Any) -> list[Any] | None:
    """Return the list of cards in `document` if it is the JSON of an arkham.build project; otherwise None."""
    data = document.get("data") if isinstance(document, dict) and "meta" in document else None
    cards = data.get("cards") if isinstance(data, dict) else None
    return cards if isinstance(cards, list) else None


def row_of(raw: Any) -> Record:
    """Return a card in arkham.build's form as a row of the user's own cards.

    `raw` comes from a file or from the API of arkham.build. Raises OwnCardError if it does not describe a card.
    """
    if not isinstance(raw, dict):
        raise OwnCardError("a card must be an object with its facts")
    card = {key: value for key, value in raw.items() if value not in (None, "", [])}
    card |= {name: card[f"real_{name}"] for name in _REAL if f"real_{name}" in card}
    card.setdefault("alternate_of", card.get("alternate_of_code"))
    unread: list[str] = []
    try:
        if isinstance(only := card.get("restrictions"), dict):
            card["restrictions"] = ",".join(
                f"{kind}:{value}" for kind, values in only.items() for value in values or ()
            )
        if isinstance(tags := card.get("tags"), list):
            card["tags"] = ".".join(map(str, tags))
        for name in ("deck_options", "side_deck_options"):
            card[name] = list(_options(card.get(name, ()), unread))
        row = card_facts({"pack_code": "", **card})
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError):
        raise OwnCardError("its facts do not describe a card") from None
    if unread and "deck" in row:
        row["deck"]["unread"] = list(dict.fromkeys(unread))
    if not _OFFICIAL.fullmatch(str(row.get("alternate_of", ""))):
        row.pop("alternate_of", None)
    left = {"pack", "position", "quantity", "duplicate_of", "back", "encounter", "errata_date"}
    return {key: value for key, value in row.items() if key not in left} | {"copies": row.get("quantity", 1)}


def _options(theirs: Any, unread: list[str]) -> Iterator[Record]:
    """Yield arkham.build's deckbuilding options (`theirs`) with the conditions that kb supports.

    Other conditions are appended to `unread`. An option with such conditions also loses its limit, its minimum and its
    tags. If it forbids cards, the whole option is left out.
    """
    for raw_option in theirs:
        option = {key: value for key, value in raw_option.items() if value not in (None, "", [], {})}
        more = [key for key in option if key not in _READ]
        more += [f"tag {tag}" for tag in option.get("tag", ()) if tag not in TAGS]
        more += [f"atleast {key}" for key in option.get("atleast", ()) if key not in _AT_LEAST]
        unread += map(str, more)
        if more and option.get("not"):
            continue
        left = {"limit", "atleast", "tag"} if more else set()
        if isinstance(size := option.get("deck_size_select"), str):
            option["deck_size_select"] = [size]
        readable = {key: value for key, value in option.items() if key in _READ and key not in left}
        yield readable if readable.keys() - _SAID or not more else {"level": {"min": 0, "max": 5}}
