"""The documents of loaded sources, for measurements without a catalog."""

from dataclasses import replace

from kb.catalog.build import documents_of, placed, sets_of


def documents(content, facts):
    """Return a document for every entry, every card and every passage."""
    return documents_of(content, facts, sets_of(content), placed(content))


def without(entry, out):
    """Return a document without the questions at the positions `out`."""
    left = [at for at in range(len(entry.asked)) if at not in out]
    asked, answered = (tuple(texts[at] for at in left) for texts in (entry.asked, entry.answered_by))
    return replace(entry, asked=asked, answered_by=answered)
