"""Turns loaded entries and cards into documents for the search index."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.load.cards import CardFacts, Facts
from kb.load.entries import LoadedEntry
from kb.load.references import Content
from kb.search.document import Document
from kb.search.ranking import standing_of

PART = re.compile(r"^#+\s*(.*?)\s*(?:\{#[^}]*\})?\s*$", re.M)


def documents(content: Content, facts: Facts) -> Iterator[Document]:
    """A document for every entry and every card."""
    names = {card.id: card.name for card in facts.cards}
    for entry in content.entries:
        yield entry_document(entry, names)
    for card in facts.cards:
        yield card_document(card)


def entry_document(entry: LoadedEntry, card_names: dict[str, str]) -> Document:
    """The document of an entry."""
    fields = entry.fields
    return Document(
        id=entry.id,
        game=entry.game,
        kind=fields.kind,
        title=fields.title,
        scopes=tuple(
            dict.fromkeys(
                scope for place in (entry.id, *(f"{item}/x" for item in fields.scope)) for scope in prefixes(place)
            )
        ),
        aliases=tuple(fields.aliases),
        asked=tuple(question for question, _number in entry.answers),
        answered_by=tuple(number for _question, number in entry.answers),
        parts=tuple(PART.findall(entry.body)),
        sentences=tuple(entry.sentences),
        related=tuple(dict.fromkeys(card_names[card] for card in fields.cards if card in card_names)),
        older=tuple(item.text for item in fields.history),
        source=entry.citation,
        covers=tuple(dict.fromkeys([*fields.covers, *fields.about])),
        spoiler=fields.spoiler,
        standing=standing_of(fields.kind, fields.authority, bool(fields.cards), bool(fields.superseded_by)),
    )


def card_document(card: CardFacts) -> Document:
    """The document of a card: its names and printed words that classify it, no rules text."""
    words = [*([card.type] if card.type else []), *card.traits]
    if card.number is not None:
        words.append(f"{card.counts} {card.number}")
    return Document(
        id=card.id,
        game=card.game,
        kind="card",
        title=f"{card.name} ({card.subtitle})" if card.subtitle else card.name,
        aliases=(card.name,) if card.subtitle else (),
        scopes=tuple(prefixes(card.id)),
        sentences=(f"{', '.join(words)}.".capitalize(),) if words else (),
        source=f"{card.set} {card.code}" if card.code else card.set,
        standing="card",
    )


def prefixes(entry_id: str) -> Iterator[str]:
    """The folders that an id lies in: `a/b/c` gives `a`, `a/b` (and the id itself)."""
    parts = entry_id.split("/")
    for length in range(1, len(parts) + 1):
        yield "/".join(parts[:length])
