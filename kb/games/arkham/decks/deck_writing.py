"""Writes decks in every format. To find data that a format cannot store, the written text is read again and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kb.decks.deckfile import parse_deck
from kb.decks.nodes import DeckFileError
from kb.frozen import frozen
from kb.games.arkham.decks.deck import CARRIED, KEYS, ArkhamDeck
from kb.games.arkham.decks.deck_reading import read_deck
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.formats import (
    BUILD_ONLY,
    FAN_MADE_CONTENT,
    arkham_build_text,
    arkhamdb_text,
    foreign_meta,
    meta_of,
)
from kb.games.arkham.decks.text_list import list_text
from kb.games.arkham.decks.yaml_deck import yaml_text

WRITERS: Mapping[str, Callable[[ArkhamDeck, ArkhamFacts], str]] = {
    "arkhamdb": arkhamdb_text,
    "arkham.build": arkham_build_text,
    "text": list_text,
    "yaml": yaml_text,
}

FORMATS = tuple(WRITERS)

# Keys of a JSON deck that are never reported as lost. They are written from the fields of the deck, computed by a site, or a
# copy of `description_md`.
_TOLD = {*(row.json for row in KEYS), "investigator_name", "problem", "description"}


@frozen
class WrittenDeck:
    """The `text` of a deck in some format, and the data that is `lost` because the format cannot store it (in words)."""

    text: str
    lost: tuple[str, ...]


def write_deck(deck: ArkhamDeck, to: str, facts: ArkhamFacts) -> WrittenDeck:
    """Return the deck in the format `to`, which is one of FORMATS. Raises KeyError for any other format."""
    facts = facts.with_cards_of(deck)
    text = WRITERS[to](deck, facts)
    return WrittenDeck(text, tuple(_lost(deck, text, to, facts)))


def _lost(deck: ArkhamDeck, text: str, to: str, facts: ArkhamFacts) -> Iterator[str]:
    """Yield the names of the deck's data that are missing when `text`, the deck in the format `to`, is read again."""
    try:
        again = read_deck(parse_deck(text, "deck.txt" if to == "text" else "deck"), facts)
    except DeckFileError as error:
        yield f"the whole deck, because the result cannot be read: {error}"
        return
    for row in KEYS:
        if _order_apart(getattr(deck, row.field)) != _order_apart(getattr(again, row.field)):
            yield row.called
    if to in ("text", "yaml"):
        carried = _TOLD | ({*(key.name for key in CARRIED), FAN_MADE_CONTENT} if to == "yaml" else {"rules"})
        yield from (f"`{key}`" for key, value in deck.rest.items() if value and key not in carried)
        yield from (f"`{key}` of `meta`" for key in foreign_meta(deck) if key not in carried)
    elif to == "arkhamdb":
        yield from (f"`{key}`, which only arkham.build supports" for key in BUILD_ONLY if deck.rest.get(key))
        if made := [each.name for each in deck.brought if each.code in (*deck.cards, deck.investigator)]:
            yield f"fan-made cards, which ArkhamDB does not support: {', '.join(made)}"
    if to in ("text", "arkham.build") and deck.brought and FAN_MADE_CONTENT not in meta_of(deck):
        yield "the facts of fan-made cards"
    for oddity in deck.oddities:
        yield f"values that could not be read: {oddity.removesuffix('.')}"


def _order_apart(value: Any) -> Any:
    """Return `value` with the codes in it sorted, so that two values with the same codes are equal."""
    if isinstance(value, tuple):
        return sorted(value, key=repr)
    return {key: _order_apart(part) for key, part in value.items()} if isinstance(value, Mapping) else value
