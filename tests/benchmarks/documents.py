"""Search documents made directly from loaded sources, for measurements without a catalog."""

from dataclasses import replace

from kb.catalog.build import documents_of, placed, sets_of


def documents(content, facts):
    """Return the search documents: one for each entry, card and passage."""
    return documents_of(content, facts, sets_of(content), placed(content))


def without(entry, out):
    """Return a copy of the document `entry` without the questions whose positions are in `out`."""
    left = [at for at in range(len(entry.asked)) if at not in out]
    asked, answered = (tuple(texts[at] for at in left) for texts in (entry.asked, entry.answered_by))
    return replace(entry, asked=asked, answered_by=answered)
