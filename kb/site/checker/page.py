"""Writes "Check a deck" and "Rebuild the party" and, where Python for the browser is at hand, the script that they load on a click."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from kb.decks.games import decks_of
from kb.decks.party import rebuilding_of
from kb.games import About
from kb.site.addresses import Addresses
from kb.site.checker import pyodide
from kb.site.checker.desk import CHECKER, first_decks
from kb.site.checker.games import at_tables, checked
from kb.site.checker.pack import Pack, pack_checker
from kb.site.library import Library, Record
from kb.site.pages import Page, Writer

FOLDER = "assets/kb/python"
PARTY = "party"


@contextmanager
def packing(
    library: Library, addresses: Addresses, site: Path, docs: Path, known: str
) -> Iterator[Future[Pack | None]]:
    """The checker's script, packed below `docs` beside what is done meanwhile: Python for the browser starts in a process of its own.

    `known` is the script's name where it surely is as before.
    """
    with ThreadPoolExecutor(1) as beside:
        yield beside.submit(
            lambda: pack_checker(library, addresses, site, docs / FOLDER, known) if checked(library) else None
        )


def packed_name(docs: Path) -> str:
    """The name of the script below `docs`; empty where there is none."""
    return next((path.name for path in (docs / FOLDER).glob("*.js")), "")


def write_checker(writer: Writer, pack: Pack | None) -> bool:
    """Write the pages; whether there is a packed checker. Without Pyodide or Node there is none, and they say how their host adds them.

    Only games of the site are named; where none judges a table, the second page is not written.
    """
    games, tables = checked(writer.library), at_tables(writer.library)
    writer.write(
        Page(
            CHECKER.removesuffix(".html"),
            "Check a deck",
            "check.md.j2",
            "Paste a deck: what is wrong with it, which rule says so and what would mend it. Nothing leaves your browser.",
            layout="check",
            engine="checker" if pack else "",
            context={
                **packed(pack),
                "games": games,
                "examples": [deck for game in games for deck in examples(writer.library, game, 1)] if pack else [],
                "party": PARTY if tables else "",
            },
        )
    )
    if not tables:
        return pack is not None
    writer.write(
        Page(
            PARTY,
            "Rebuild the party",
            "party.md.j2",
            "After a scenario: who gives which card to whom, what the box adds, what goes back, and whether the decks of a table "
            "go together. Nothing leaves your browser.",
            layout="check",
            engine="party" if pack else "",
            context={
                **packed(pack),
                "games": tables,
                "rebuilding": [game for game in tables if rebuilding_of(game.id)],
                "table": "".join(part.example() for game in tables if (part := rebuilding_of(game.id))) if pack else "",
                "examples": [(game, decks) for game in tables if (decks := two_decks(writer.library, game))]
                if pack
                else [],
            },
        )
    )
    return pack is not None


def packed(pack: Pack | None) -> dict[str, object]:
    """What a page says of the packed checker."""
    return {
        "pack": f"{FOLDER}/{pack.file.name}" if pack else "",
        "size": pack.size if pack else 0,
        "pyodide": pyodide.VERSION,
    }


def two_decks(library: Library, game: About) -> list[dict[str, str]]:
    """Two decks of a game to try together, as the files of a table."""
    return [{"name": f"{name}.yaml", "text": text} for name, text in examples(library, game, 2)]


def examples(library: Library, game: About, many: int) -> Iterator[tuple[str, str]]:
    """Decks to try of a game that can begin some: whose they are, and their texts."""

    def records(kind: str) -> list[Record]:
        return library.records.get((game.id, kind), [])

    module = decks_of(game.id)
    yield from islice(first_decks(module, module.load_facts(records), records), many)
