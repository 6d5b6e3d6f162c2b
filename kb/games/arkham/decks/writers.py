"""Writes a deck in the formats that are read: ArkhamDB and arkham.build JSON, a text list, our YAML.

What is written is read again; what then differs from the deck is what the format cannot hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kb.decks.deckfile import parse_deck
from kb.decks.nodes import DeckFileError
from kb.games.arkham.decks.adapter import read_deck
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.json_deck import (
    BUILD_ONLY,
    FAN_MADE,
    arkham_build_text,
    arkhamdb_text,
    fan_made,
    foreign_meta,
    with_fan_made,
)
from kb.games.arkham.decks.list_deck import list_text
from kb.games.arkham.decks.model import CARRIED, KEYS, Deck
from kb.games.arkham.decks.yaml_deck import yaml_text

WRITERS: Mapping[str, Callable[[Deck, Facts], str]] = {
    "arkhamdb": arkhamdb_text,
    "arkham.build": arkham_build_text,
    "text": list_text,
    "yaml": yaml_text,
}
FORMATS = tuple(WRITERS)
# keys of a JSON deck that are written from the deck itself, or are of no account: what a site works out, a copy of `description_md`
_TOLD = {*(row.json for row in KEYS), "investigator_name", "problem", "description"}


@dataclass(frozen=True, slots=True)
class Written:
    """A deck's text in a format, and what of the deck the format cannot hold (in words)."""

    text: str
    lost: tuple[str, ...]


def write_deck(deck: Deck, to: str, facts: Facts) -> Written:
    """The deck in one of FORMATS. Raises KeyError for another format."""
    facts = with_fan_made(facts, deck)
    text = WRITERS[to](deck, facts)
    return Written(text, tuple(_lost(deck, text, to, facts)))


def _lost(deck: Deck, text: str, to: str, facts: Facts) -> Iterator[str]:
    """What reading the text again does not give back."""
    try:
        again = read_deck(parse_deck(text, "deck.txt" if to == "text" else "deck"), facts)
    except DeckFileError as error:
        yield f"the deck as a whole, which cannot be read again: {error}"
        return
    for row in KEYS:
        if _order_apart(getattr(deck, row.field)) != _order_apart(getattr(again, row.field)):
            yield row.called
    if to in ("text", "yaml"):
        kept = _TOLD | ({*CARRIED, FAN_MADE, "fan_made_content"} if to == "yaml" else set())
        yield from (f"`{key}`" for key, value in deck.rest.items() if value and key not in kept)
        yield from (f"`{key}` of `meta`" for key in foreign_meta(deck) if key not in kept)
    elif to == "arkhamdb":
        yield from (f"`{key}`, which only arkham.build knows" for key in BUILD_ONLY if deck.rest.get(key))
        if made := [card["name"] for card in fan_made(deck) if card["code"] in (*deck.cards, deck.investigator)]:
            yield f"fan-made cards, which ArkhamDB does not know: {', '.join(map(str, made))}"
    if to == "arkham.build" and deck.rest.get(FAN_MADE):
        yield "the facts of fan-made cards"
    for oddity in deck.oddities:
        yield f"what could not be read: {oddity}"


def _order_apart(value: Any) -> Any:
    """A value without the order of its codes, which means nothing."""
    if isinstance(value, tuple):
        return sorted(value, key=repr)
    return {key: _order_apart(part) for key, part in value.items()} if isinstance(value, Mapping) else value
