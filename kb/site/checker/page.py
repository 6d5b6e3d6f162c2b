"""Writes the page "Check a deck" and, where Python for the browser is at hand, the script that it loads on a click."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kb.decks.games import decks_of, with_decks
from kb.games import About
from kb.site.checker import pyodide
from kb.site.checker.desk import first_deck
from kb.site.checker.pack import pack_checker
from kb.site.library import Library, Record
from kb.site.pages import Page, Writer

FOLDER = "assets/kb/python"
ADDRESS = "check"


def write_checker(writer: Writer, site: Path, docs: Path) -> bool:
    """Write the page, and the packed checker below `docs`; whether there is one. Without Pyodide or Node the page says how its host
    adds them.

    Raises SiteError when Python for the browser does not start.
    """
    games = [game for game in with_decks() if game.id in writer.library.games]
    pack = pack_checker(writer.library, writer.addresses, site) if games else None
    if pack is not None:
        target = docs / FOLDER / pack.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(pack.text, encoding="ascii")
    writer.write(
        Page(
            ADDRESS,
            "Check a deck",
            "check.md.j2",
            "Paste a deck: what is wrong with it, which rule says so and what would mend it. Nothing leaves your browser.",
            layout="check",
            engine="checker" if pack else "",
            context={
                "pack": f"{FOLDER}/{pack.name}" if pack else "",
                "size": len(pack.text) if pack else 0,
                "games": games,
                "examples": list(examples(writer.library, games)) if pack else [],
                "pyodide": pyodide.VERSION,
            },
        )
    )
    return pack is not None


def examples(library: Library, games: list[About]) -> Iterator[tuple[str, str]]:
    """A deck to try for every game that can begin one: whose it is, and its text."""
    for game in games:

        def records(kind: str, game: str = game.id) -> list[Record]:
            return library.records.get((game, kind), [])

        module = decks_of(game.id)
        if found := first_deck(module, module.load_facts(records), records):
            yield found
