"""The documents of loaded sources, for what is measured without a catalog."""

from __future__ import annotations

from collections.abc import Iterator

from kb.catalog.build import card_documents, entry_document, passage_document
from kb.catalog.counterparts import placed, sets_of
from kb.retrieval.document import Document
from kb.sources.cards import LoadedCards
from kb.sources.references import Content


def documents(content: Content, facts: LoadedCards) -> Iterator[Document]:
    """A document for every entry, every card and every passage."""
    names, sets, places = {card.id: card.name for card in facts.cards}, sets_of(content), placed(content)
    yield from (entry_document(entry, names, sets, places.get(entry.id)) for entry in content.entries)
    yield from card_documents(facts.cards)
    yield from map(passage_document, content.passages)
