"""The page of what changed in a game's FAQ, version by version, and what of a list is new in the newest one."""

from __future__ import annotations

from kb.catalog.editions import Changes, newer_facts
from kb.catalog.reader import EntryView
from kb.site.library import Library
from kb.site.pages import Page, Writer


def write_changes(writer: Writer, game: str) -> None:
    """Write the page `GAME/changes/index`, where the game has a document whose versions are known."""
    told = writer.library.changes.get(game)
    if told is None:
        return
    title = title_of(told)
    packs = writer.library.records.get((game, "pack"), ())
    newer = newer_facts(game, writer.library.documents.values(), packs)
    writer.write(
        Page(
            f"{game}/changes/index",
            title,
            "changes.md.j2",
            f"{title}, and what earlier versions brought: new entries, and changed ones with their wording before.",
            game,
            game,
            context={"game": game, "title": title, "told": told, "newer": newer},
        )
    )


def title_of(told: Changes) -> str:
    """What the page of a document's changes is called."""
    return f"What changed in {told.document.called} v{told.document.version}"


def place(library: Library, game: str) -> list[tuple[str, str, str]]:
    """The page among the places of its game (see kb.site.places)."""
    told = library.changes.get(game)
    if told is None:
        return []
    newest = told.newest()
    return [(f"{game}/changes/index", title_of(told), f"{len(newest.new) + len(newest.changed)} known changes")]


def news(library: Library, game: str, listed: list[EntryView]) -> dict[str, object]:
    """For a list's page: the newest version of the game's FAQ, and its rows that came with it or were changed by it.

    Empty for a list of which no row says since when it stands there.
    """
    told = library.changes.get(game)
    sources = [entry.data.get("source", {}) for entry in listed]
    if told is None or not any(source.get("since") for source in sources):
        return {}
    documents = {source.get("doc") for source in sources}
    newest = next((version for version in told.versions if version.document.id in documents), told.newest())
    fresh = {entry.id for entry in (*newest.new, *(entry for entry, _before in newest.changed))}
    return {"version": newest.version, "rows": [entry for entry in listed if entry.id in fresh]}
