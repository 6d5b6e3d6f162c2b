"""The pages of a game's changes: changes in its FAQ, by version, and changes in kb's entries
(`content/<game>/changes.yaml`).
"""

from __future__ import annotations

from kb.catalog.queries import Changes, newer_facts
from kb.site.library import Library
from kb.site.pages import Page, Writer

OURS = "Site corrections"


def write_changes(writer: Writer, game: str) -> None:
    """Write `GAME/changes/index` if versions of the game's FAQ are known, and `GAME/news/index` if kb's entries on the
    game have changed.
    """
    library = writer.library
    if changes := library.changes.get(game):
        title = title_of(changes)
        newer = newer_facts(game, library.documents.values(), library.records.get((game, "pack"), ()))
        description = f"{title}, and earlier versions: new entries, and changed entries with their old wording."
        context = {"title": title, "told": changes, "newer": newer}
        writer.write(Page(f"{game}/changes/index", title, "changes.md.j2", description, game, context=context))
    if ours := [change[1:] for change in library.own_changes if change[0] == game]:
        context = {"title": OURS, "told": ours}
        description = "Corrections and additions to the entries, newest first."
        writer.write(Page(f"{game}/news/index", OURS, "own-changes.md.j2", description, game, context=context))


def title_of(changes: Changes) -> str:
    """Return the title of the page that shows the changes in a document."""
    newest, document = changes.newest(), changes.document
    return f"New{' and reworded' if newest.reworded else ''} in {document.called} {document.version}"


def places(library: Library, game: str) -> list[tuple[str, str, str]]:
    """Return the pages that show a game's changes, each with address, title and amount (see kb.site.places)."""
    pages = []
    if changes := library.changes.get(game):
        newest = changes.newest()
        pages.append(
            (
                f"{game}/changes/index",
                title_of(changes),
                f"{len(newest.new) + len(newest.reworded) + len(newest.changed)} known changes",
            )
        )
    if days := [change[1] for change in library.own_changes if change[0] == game]:
        pages.append((f"{game}/news/index", OURS, f"last on {days[0]}"))
    return pages
