"""Turns loaded entries and cards into documents for the search index."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from kb.catalog.counterparts import Placed, topic
from kb.retrieval.document import OWN_CARD, RULEBOOK, Document
from kb.retrieval.ranking import standing_of
from kb.sentences import sentences
from kb.sources.cards import CardFacts
from kb.sources.entries import LoadedEntry

if TYPE_CHECKING:
    from kb.sources.books import LoadedPassage

PART = re.compile(r"^#+\s*(.*?)\s*(?:\{#[^}]*\})?\s*$", re.M)


def card_documents(cards: Iterable[CardFacts]) -> Iterator[Document]:
    """A document for every card; cards of a folder that say the same (reprints) share the first one's, with all their codes."""
    alike: dict[tuple[str, str, tuple[str, ...]], list[CardFacts]] = {}
    for card in cards:
        alike.setdefault((card.id.rsplit("/", 1)[0], card_title(card), printed(card)), []).append(card)
    for first, *others in alike.values():
        yield card_document(first, [card.code for card in (first, *others) if card.code])


def entry_document(
    entry: LoadedEntry, card_names: dict[str, str], sets: Collection[str], place: Placed | None = None
) -> Document:
    """The document of an entry; `place` is its place among the editions of its game."""
    fields, edition = entry.fields, place and place.edition
    return Document(
        id=entry.id,
        game=entry.game,
        kind=fields.kind,
        title=fields.title,
        scopes=tuple(
            dict.fromkeys(
                scope
                for within in (entry.id, *(f"{item}/x" for item in fields.scope))
                for scope in (*prefixes(within), *([edition.within] if edition else []))
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
        topic=topic(entry, sets),
        differs=fields.topic_note,
        edition=edition.within if edition else None,
        counterparts=place.counterparts if place else {},
    )


def passage_document(passage: LoadedPassage) -> Document:
    """The document of a passage of the user's own rulebook. It is searched on this machine only: see `Document.own`."""
    return Document(
        id=passage.id,
        game=passage.game,
        kind=RULEBOOK,
        title=passage.title,
        scopes=tuple(prefixes(passage.id)),
        sentences=tuple(item.text for item in sentences(passage.text)),
        source=passage.source,
        covers=passage.covers,
        standing=RULEBOOK,
    )


def card_title(card: CardFacts) -> str:
    """A card's name with its subtitle."""
    return f"{card.name} ({card.subtitle})" if card.subtitle else card.name


def printed(card: CardFacts) -> tuple[str, ...]:
    """The printed words that classify a card, as a sentence."""
    words = [*([card.type] if card.type else []), *card.traits]
    if card.number is not None:
        words.append(f"{card.counts} {card.number}")
    return (f"{', '.join(words)}.".capitalize(),) if words else ()


def card_document(card: CardFacts, codes: Iterable[str]) -> Document:
    """The document of a card with all its codes: its names and printed words that classify it, no rules text."""
    return Document(
        id=card.id,
        game=card.game,
        kind="card",
        title=card_title(card),
        aliases=(card.name,) if card.subtitle else (),
        scopes=tuple(prefixes(card.id)),
        sentences=printed(card),
        source=f"your own cards: {card.own}" if card.own else f"{card.set} {card.code}" if card.code else card.set,
        standing=OWN_CARD if card.own else "card",
        codes=tuple(codes),
    )


def prefixes(entry_id: str) -> Iterator[str]:
    """The folders that an id lies in: `a/b/c` gives `a`, `a/b` (and the id itself)."""
    parts = entry_id.split("/")
    for length in range(1, len(parts) + 1):
        yield "/".join(parts[:length])
