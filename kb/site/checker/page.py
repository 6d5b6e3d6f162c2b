"""Writes "Check a deck" and "Rebuild the party" and, where Python for the browser is at hand, the script that they load on a click."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import astuple
from functools import partial
from itertools import islice
from pathlib import Path

from kb.decks.deckfile import LARGEST_FILE, NOT_UTF8, TOO_LARGE
from kb.decks.form import form_of, with_form
from kb.decks.formats import MOST_LINES, TOO_LONG
from kb.decks.games import decks_of
from kb.decks.party import rebuilding_of
from kb.registry import About
from kb.site.checker import pyodide
from kb.site.checker.desk import CHECKER, first_decks
from kb.site.checker.games import at_tables, checked
from kb.site.checker.pack import Packer
from kb.site.library import Library
from kb.site.pages import Page, Writer

FOLDER = "assets/kb/python"
CHECK, PARTY, BUILD = CHECKER.removesuffix(".html"), "party", "build"
BYTES, MEGABYTES = "kb:bytes-of-the-checker", "kb:megabytes-of-the-checker"
"""Stand in the pages for the size of the script until it is packed."""


def put_script(packer: Packer, site: Path, pages: Iterable[str]) -> None:
    """Put the packed script into a built site, whose `pages` (addresses) now can say how large it is. Raises SiteError."""
    script = packer.finished()
    if script is None:
        return
    size = script.stat().st_size
    (site / FOLDER).mkdir(parents=True, exist_ok=True)
    shutil.copyfile(script, site / FOLDER / script.name)
    for address in pages:
        page = site / (f"{address}index.html" if address.endswith("/") else address)
        if page.is_file():
            text = page.read_bytes().replace(BYTES.encode(), f"{size}".encode())
            page.write_bytes(text.replace(MEGABYTES.encode(), f"{size / 1_000_000:.0f}".encode()))


def write_checker(writer: Writer, script: str) -> None:
    """Write the pages; `script` is the name of the packed checker. Without Pyodide or Node there is none, and they say how their host adds
    them.

    Only games of the site are named; where none judges a table, the second page is not written.
    """
    games, tables = checked(writer.library), at_tables(writer.library)
    writer.write(
        Page(
            CHECK,
            "Check a deck",
            "check.md.j2",
            "Paste a deck: what is wrong with it, which rule says so and what would mend it. Nothing leaves your browser.",
            layout="check",
            engine="checker" if script else "",
            context={
                **packed(script),
                "games": games,
                "examples": [deck for game in games for deck in examples(writer.library, game, 1)] if script else [],
                "party": PARTY if tables else "",
                "build": BUILD if script and any(game in with_form() for game in games) else "",
            },
        )
    )
    forms = [game for game in with_form() if game in games] if script else []
    if forms:
        writer.write(
            Page(
                BUILD,
                "Build a deck",
                "build.md.j2",
                "Choose a character, add cards by typing, and see each rule that the deck breaks beside its line. Nothing leaves your browser.",
                layout="check",
                engine="builder",
                context={
                    **packed(script),
                    "games": forms,
                    "people": {game.id: people(writer.library, game) for game in forms},
                },
            )
        )
    if tables:
        write_party(writer, script, tables)


def write_party(writer: Writer, script: str, tables: list[About]) -> None:
    """Write the page on the decks of a table, for the games that judge them together."""
    writer.write(
        Page(
            PARTY,
            "Rebuild the party",
            "party.md.j2",
            "After a scenario: who gives which card to whom, what the box adds, what goes back, and whether the decks of a table "
            "go together. Nothing leaves your browser.",
            layout="check",
            engine="party" if script else "",
            context={
                **packed(script),
                "games": tables,
                "rebuilding": [game for game in tables if rebuilding_of(game.id)],
                "table": "".join(part.example() for game in tables if (part := rebuilding_of(game.id)))
                if script
                else "",
                "examples": [(game, decks) for game in tables if (decks := two_decks(writer.library, game))]
                if script
                else [],
            },
        )
    )


def packed(script: str) -> dict[str, object]:
    """What a page says of the packed checker; how large it is stands there when it is packed (`put_script`). What is larger than `limits`
    the page refuses in these words before it loads or asks the checker, which would say the same."""
    return {
        "pack": f"{FOLDER}/{script}" if script else "",
        "size": BYTES,
        "megabytes": MEGABYTES,
        "pyodide": pyodide.VERSION,
        "limits": {
            "bytes": LARGEST_FILE,
            "large": TOO_LARGE,
            "lines": MOST_LINES,
            "long": TOO_LONG,
            "coding": NOT_UTF8,
        },
    }


def people(library: Library, game: About) -> list[tuple[str, str, str, str]]:
    """Who can begin a deck in the form: name, set, what people call them, and the group they are listed under."""
    facts = decks_of(game.id).load_facts(partial(library.of_kind, game.id))
    return [astuple(each) for each in form_of(game.id).people(facts)]


def two_decks(library: Library, game: About) -> list[dict[str, str]]:
    """Two decks of a game to try together, as the files of a table."""
    return [{"name": f"{name}.yaml", "text": text} for name, text in examples(library, game, 2)]


def examples(library: Library, game: About, many: int) -> Iterator[tuple[str, str]]:
    """Decks to try of a game that can begin some: whose they are, and their texts."""

    module, records = decks_of(game.id), partial(library.of_kind, game.id)
    yield from islice(first_decks(module, module.load_facts(records), records), many)
