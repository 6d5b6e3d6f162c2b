"""The documents of loaded sources, for what is measured without a catalog."""

from kb.catalog.build import documents_of, placed, sets_of


def documents(content, facts):
    """A document for every entry, every card and every passage."""
    return documents_of(content, facts, sets_of(content), placed(content))
