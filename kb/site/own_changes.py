"""The page of what changed in our entries of a game (`content/<game>/changes.yaml`)."""

from __future__ import annotations

from kb.site.library import Library
from kb.site.pages import Page, Writer

TITLE = "What changed in these pages"


def write_own_changes(writer: Writer, game: str) -> None:
    """Write the page `GAME/news/index`, where something is told."""
    told = [change[1:] for change in writer.library.own_changes if change[0] == game]
    if told:
        context = {"game": game, "title": TITLE, "told": told}
        description = "Corrections and additions to the entries, the newest first."
        writer.write(Page(f"{game}/news/index", TITLE, "own-changes.md.j2", description, game, game, context=context))


def place(library: Library, game: str) -> list[tuple[str, str, str]]:
    """The page among the places of its game (see kb.site.places)."""
    days = [change[1] for change in library.own_changes if change[0] == game]
    return [(f"{game}/news/index", TITLE, f"last on {days[0]}")] if days else []
