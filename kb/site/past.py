"""What is known of the last build of a site, so that the next one makes only the pages that come out otherwise.

A page is taken over when all that it is made from is the same and its file is, byte for byte, the one that kb wrote. What is kept lies
in kb's cache, one file for each folder with a site; without it everything is built.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import io
import json
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path

from kb import paths, registry
from kb.catalog.reader import Catalog
from kb.files.read import read_bounded
from kb.files.swap import write_whole
from kb.site.checker import pyodide
from kb.site.identity import Identity
from kb.site.library import Library
from kb.site.memory import give_back

LARGEST = 64_000_000
DIGEST = 16
"""Bytes of the digest of a file."""
SUFFIX = ".html"
LIBRARIES = ("jinja2", "markdown", "markdown-it-py", "markupsafe", "mdit-py-plugins", "mkdocs", "pyyaml")
# Of an entry: its text is looked at by itself, its line is shown nowhere.
APART = {"entry": {"body", "line"}}


@dataclass(frozen=True, slots=True)
class Made:
    """How a page was made: the digest of what MkDocs was given, the navigation beside it, the entries whose texts it holds."""

    source: str
    nav: str
    reads: list[str]


@dataclass(frozen=True, slots=True)
class Past:
    """A build: the digest of all that pages are rendered from but the texts of entries (`basis`), of those (`bodies`), of what stands
    around each page (`frame`, `navs`), the `pages` by address, and the entries whose texts were read for no page in particular; of each
    of its `files` the digest, where one was needed, and the mark (kb.site.standing)."""

    basis: str = ""
    bodies: dict[str, str] = field(default_factory=dict)
    frame: str = ""
    navs: dict[str, str] = field(default_factory=dict)
    pages: dict[str, Made] = field(default_factory=dict)
    outside: list[str] = field(default_factory=list)
    files: dict[str, tuple[str, str]] = field(default_factory=dict)
    data: str = ""
    whole: str = ""
    checker: str = ""


def place(out: Path) -> Path:
    """Where the past of the site in a folder is kept."""
    return paths.cache_dir() / "sites" / f"{digest(os.fsencode(out.absolute()))}.json"


def read_past(out: Path) -> Past:
    """What is known of the site in a folder; nothing where nothing was kept."""
    try:
        past = past_in(read_bounded(place(out), LARGEST))
        give_back()  # it was told in more room than it takes
        return past
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Past()


def keep_past(out: Path, past: Past) -> None:
    """Keep what is known of the site in a folder. Where the cache cannot be written the next build is a whole one."""
    with contextlib.suppress(OSError):
        place(out).parent.mkdir(parents=True, exist_ok=True)
        write_whole(place(out), (piece.encode("utf-8") for piece in in_pieces(past)))


def told_of(past: Past) -> bytes:
    """A build as JSON."""
    whole = io.BytesIO()
    whole.writelines(piece.encode("utf-8") for piece in in_pieces(past))
    return whole.getvalue()


def in_pieces(past: Past) -> Iterator[str]:
    """The same page by page and file by file."""
    before = "{"
    for item in fields(past):
        value = getattr(past, item.name)
        yield f"{before}{as_json(item.name)}:"
        if isinstance(value, dict):
            within = "{"
            for key, told in value.items():
                listed = [told.source, told.nav, told.reads] if isinstance(told, Made) else told
                yield f"{within}{as_json(key)}:{as_json(listed)}"
                within = ","
            yield "}" if value else "{}"
        else:
            yield as_json(value)
        before = ","
    yield "}"


as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""JSON in few letters."""


def past_in(text: bytes) -> Past:
    """The build that was told (`told_of`). Raises ValueError, TypeError, KeyError and AttributeError for what is none."""
    told = json.loads(text)
    once: dict[str, str] = {}  # thousands of pages hold the texts of the same entries
    pages = {
        path: Made(source, once.setdefault(nav, nav), [once.setdefault(entry, entry) for entry in reads])
        for path, (source, nav, reads) in told["pages"].items()
    }
    files = {name: (str(known), str(mark)) for name, (known, mark) in told["files"].items()}
    return Past(**{**told, "pages": pages, "files": files})


class Readings:
    """Writes down which entries' texts each page is rendered from."""

    def __init__(self) -> None:
        self.outside: set[str] = set()
        self._page: set[str] | None = None

    def note(self, entry: str) -> None:
        """The text of an entry is read."""
        (self.outside if self._page is None else self._page).add(entry)

    @contextlib.contextmanager
    def page(self) -> Iterator[set[str]]:
        """While a page is rendered; gives the entries whose texts it holds."""
        before, self._page = self._page, set()
        try:
            yield self._page
        finally:
            self._page = before

    def watch(self, library: Library) -> None:
        """From now on the library's entries tell when their text is read."""
        library.entries.bodies.read = self.note


def changed_texts(past: Past, now: Past) -> set[str] | None:
    """The entries whose texts are otherwise than in a build; None when more than texts of entries has changed."""
    if past.basis != now.basis or past.bodies.keys() != now.bodies.keys():
        return None
    return {entry for entry, text in now.bodies.items() if past.bodies[entry] != text}


def unchanged(past: Past, changed: set[str] | None, there: Iterable[str]) -> set[str]:
    """The pages, among those that are `there`, that surely come out as before; none when more than texts of entries has `changed`."""
    if changed is None or not changed.isdisjoint(past.outside):
        return set()
    return {path for path in there if changed.isdisjoint(past.pages[path].reads)}


def same_pages(past: Past, now: Past, there: Iterable[str]) -> set[str]:
    """The pages, among those that are `there`, of which MkDocs would make the same file again."""
    if past.frame != now.frame:
        return set()
    return {
        path
        for path in there
        if (made := now.pages.get(path))
        and (made.source, made.nav) == (past.pages[path].source, past.pages[path].nav)
        and past.navs.get(made.nav) == now.navs.get(made.nav)
    }


def around_pages(staging: Path, site: Path) -> tuple[str, dict[str, str]]:
    """The digest of what stands around every page (theme, settings, what MkDocs is), and of each navigation."""
    theme, navs = staging / "theme", staging / "theme" / "nav"
    found = hashlib.blake2b(repr([sys.version, versions()]).encode(), digest_size=16)
    for path in [
        *sorted(theme.rglob("*")),
        staging / "mkdocs.yml",
        site / "mkdocs.yml",
        Path(__file__).with_name("raw.py"),
    ]:
        if path.is_file() and path.parent != navs:
            found.update(
                f"{path.relative_to(theme) if path.is_relative_to(theme) else path.name}\0{file_digest(path)}\n".encode()
            )
    return found.hexdigest(), {path.stem: file_digest(path) for path in navs.glob("*.html")}


def versions() -> list[str]:
    """The versions of the libraries that make pages."""
    return [importlib.metadata.version(name) for name in LIBRARIES]


def basis_of(catalog: Catalog, site: Path, identity: Identity, notice: Path | None) -> str:
    """The digest of all that pages are rendered from, but for the texts of entries: tables, templates, kb itself and its libraries."""
    found = hashlib.blake2b(digest_size=16)

    def add(*told: object) -> None:
        found.update(repr(told).encode("utf-8", "surrogatepass"))

    add(sys.version, versions())
    add(identity.told(), os.fspath(pyodide.package() or ""), bool(pyodide.node()))
    for table, row in catalog.everything(APART):
        add(table, row)
    for path in program_files(site):
        add(os.fspath(path), file_digest(path))
    add(file_digest(notice) if notice else "")
    return found.hexdigest()


def program_files(site: Path) -> list[Path]:
    """The files that make pages of the catalog: kb's own, those of games of other packages, templates, theme and manual."""
    tops = [Path(__file__).resolve().parent.parent, *registry.sources(), *paths.game_folders()]
    found = {
        path
        for top in tops
        for path in top.rglob("*")
        if "__pycache__" not in path.parts
        and not {"content", "cards", "_data"} & set(path.relative_to(top).parts[:1])
        and path.is_file()
    }
    return sorted(found | {path for path in site.rglob("*") if path.is_file()})


def body_digests(library: Library) -> dict[str, str]:
    """The digest of each entry's text."""
    return {key: digest(entry.body.encode("utf-8", "surrogatepass")) for key, entry in library.entries.items()}


def file_digest(path: Path) -> str:
    """The digest of a file. Raises OSError."""
    return digest(path.read_bytes())


def digest(data: bytes) -> str:
    """A short name for some bytes."""
    return hashlib.blake2b(data, digest_size=DIGEST).hexdigest()
