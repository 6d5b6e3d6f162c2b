"""Pack the checker into one script for the page: Python for the browser, kb's own code, and the site's facts.

A page in a folder on disk can load a script, but no other kind of file. The script is a call of `kbPython("…")`. Its
text is a line of JSON (the parts with their lengths), followed by the gzipped parts. Each byte is one character, so
only four byte values need escapes. The page declares the encoding `x-user-defined` for the script.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib
import io
import json
import zipfile
from pathlib import Path

import kb
from kb import paths
from kb.decks.games import with_decks
from kb.decks.party import party_of
from kb.files.folders import workshop
from kb.files.safe_yaml import load_yaml
from kb.registry import About
from kb.site.addresses import Addresses
from kb.site.checker import pyodide
from kb.site.checker.questions import scored_games
from kb.site.decks.page import COMPILED, environment_of
from kb.site.library import Library

PURE = ("yaml", "jinja2", "markupsafe")
"""Packages that the page's Python imports. All of them work without their compiled parts."""
HEAD = b"/* kb \0 bytes: neither text nor to be changed */kbPython("
"""The start of the script. The null byte keeps other programs from converting its line ends."""


def checked(library: Library) -> list[About]:
    """Return the site's games with deck rules. Games from other packages are left out, because the browser does not
    have their code.
    """
    return [about for about in with_decks() if about.id in library.games and not about.foreign]


def at_tables(library: Library) -> list[About]:
    """Return the site's games where kb can check a party's decks together."""
    return [about for about in checked(library) if party_of(about.id)]


def pack(library: Library, addresses: Addresses, site: Path, folder: Path) -> Path | None:
    """Write the checker's script into `folder`, and return its path. The file is named by a hash of its content.

    `site` is the folder with templates and theme. Return None if Python for the browser is missing, or if no game has
    deck checks or scores. Raises SiteError if Python for the browser is not the expected package.
    """
    package = pyodide.package()
    if package is None or not (checked(library) or scored_games(library.games)):
        return None
    script = in_script({**pyodide.files(package), "kb.zip": engine(checker_data(library, addresses), site)})
    folder.mkdir(parents=True)
    path = folder / f"{hashlib.sha256(script).hexdigest()[:12]}.js"
    path.write_bytes(script)
    return path


def checker_data(library: Library, addresses: Addresses) -> str:
    """Return the data for `kb.site.checker.worker.Checker` as JSON: the records of games with deck rules, all entries
    as citations, and addresses.
    """
    entries = sorted(library.entries.values(), key=lambda entry: entry.id)
    contents = {
        "records": {
            about.id: {kind: records for (game, kind), records in library.records.items() if game == about.id}
            for about in checked(library)
        },
        "cites": [[entry.id, entry.title, entry.citation] for entry in entries],
        "links": {
            **{entry.id: addresses.entry(entry.id) for entry in entries},
            **{card_id: addresses.card(card_id) for card_id, card in library.cards.items() if addresses.has_page(card)},
        },
    }
    return json.dumps(contents, ensure_ascii=False, separators=(",", ":"))


def engine(data: str, site: Path) -> bytes:
    """Return a zip with kb's Python code, the packages that it imports, the `data`, and the files that draw a deck's
    page.

    Templates are compiled to Python. The packages include their bytecode, which Python uses if it matches the source.
    """
    own = Path(kb.__file__).parent
    sources = [
        path
        for folder in (own, *(Path(str(importlib.import_module(name).__file__)).parent for name in PURE))
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".py", ".txt", ".yaml") and "_data" not in path.parts
    ]
    drawn = [
        site / "templates" / "deck" / "deck.css",
        *sorted((site / "theme" / "icons").glob("*.svg")),
        *(site / "theme" / "assets" / "kb" / name for name in ("kb.css", "look.css")),
    ]
    paths.cache_dir().mkdir(parents=True, exist_ok=True)
    with (
        zipfile.ZipFile(packed := io.BytesIO(), "w") as archive,  # not compressed, because the script will be
        zipfile.ZipFile(pyodide.COMPILED) as code,
        workshop(paths.cache_dir() / "templates") as workspace,
    ):
        archive.writestr("data.json", data)
        for path in sources:
            top = own if path.is_relative_to(own) else next(each for each in path.parents if each.name in PURE)
            content = path.read_bytes()
            if path.name == "game.yaml":  # the page's Python reads JSON ten times as fast
                content = json.dumps(load_yaml(content.decode("utf-8"))).encode()
            archive.writestr(zipfile.ZipInfo(path.relative_to(top.parent).as_posix()), content)
        for name in code.namelist():
            if name.startswith(PURE):
                archive.writestr(zipfile.ZipInfo(name), code.read(name))
        for path in drawn:
            archive.writestr(zipfile.ZipInfo(f"site/{path.relative_to(site).as_posix()}"), path.read_bytes())
        templates = workspace / "compiled"
        environment_of(site).compile_templates(
            templates, zip=None, filter_func=lambda name: name.startswith("deck/") and name.endswith(".j2")
        )
        for path in sorted(templates.iterdir()):
            archive.writestr(zipfile.ZipInfo(f"site/{COMPILED}/{path.name}"), path.read_bytes())
    return packed.getvalue()


def in_script(parts: dict[str, bytes]) -> bytes:
    """Return a JavaScript file that contains the `parts`, each gzipped. Keys are the parts' names."""
    packed = {name: gzip.compress(content, 7, mtime=0) for name, content in parts.items()}
    head = {"lock": pyodide.LOCK, "parts": [[name, len(content)] for name, content in packed.items()]}
    raw = b"\n".join([json.dumps(head).encode("ascii"), b"".join(packed.values())])
    for sign, written in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n"), (b"\r", b"\\r")):
        raw = raw.replace(sign, written)
    return HEAD + b'"' + raw + b'")\n'
