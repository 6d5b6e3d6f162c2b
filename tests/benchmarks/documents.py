"""The documents of loaded sources, for what is measured without a catalog."""

from __future__ import annotations

from kb.catalog.build import documents_of, placed, sets_of
from kb.retrieval.document import Document
from kb.sources.cards import LoadedCards
from kb.sources.references import Content


def documents(content: Content, facts: LoadedCards) -> list[Document]:
    """A document for every entry, every card and every passage."""
    return documents_of(content, facts, sets_of(content), placed(content))
