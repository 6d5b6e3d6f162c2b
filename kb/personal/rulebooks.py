"""Takes a rulebook into the user's own data."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypedDict

from kb.files.text import writable
from kb.personal.kept import Shelf
from kb.personal.passages import Line, RulebookError, of_html, of_markdown, of_text, passages
from kb.personal.pdf import of_pdf
from kb.sources.own import Book

LARGEST_PDF = 300_000_000
LARGEST_TEXT = 20_000_000
READERS: dict[str, Callable[[str], Iterable[Line]]] = {
    ".txt": of_text, ".md": of_markdown, ".markdown": of_markdown, ".html": of_html, ".htm": of_html,
}  # fmt: skip
RULEBOOKS = Shelf(
    Book, RulebookError, "kb import rulebook", "rulebook", "core-rules", "rulebook", "No rulebook has been imported."
)


def import_rulebook(
    file: Path,
    data: Path,
    game: str,
    title: str,
    name: str | None = None,
    progress: Callable[[float], None] | None = None,
) -> Book:
    """Read `file` and keep it in the folder `data` as a rulebook of `game`, in the place of an older one with the same `name`
    (by default made from the title; then it is that of an older one of the same title only).

    Raises RulebookError for a file that cannot be read or holds no text and for another rulebook's name, OSError when it cannot be
    kept; nothing has changed then.
    """
    target, title = RULEBOOKS.place(data, file, game, title, name)
    suffix = file.suffix.casefold()
    if suffix != ".pdf" and suffix not in READERS:
        raise RulebookError(f"{file}: kb reads rulebooks in .pdf, .txt, .md and .html.")
    raw = RULEBOOKS.read(file, LARGEST_PDF if suffix == ".pdf" else LARGEST_TEXT)
    lines = of_pdf(raw, progress) if suffix == ".pdf" else READERS[suffix](RULEBOOKS.text(raw, file))
    book = Book(
        id=target.stem,
        game=game,
        title=title,
        file=writable(file.name)[:300],
        sha256=hashlib.sha256(raw).hexdigest(),
        passages=passages(Line(writable(line.text), line.page, line.level, line.ends) for line in lines),
    )
    RULEBOOKS.keep(book, target, data)
    return book


class RulebookJson(TypedDict):
    """A rulebook that was imported."""

    name: str
    """Its short name."""
    title: str
    """What it is called."""
    game: str
    """Id of the game."""
    file: str
    """The file it was read from."""
    passages: int
    """How many passages it has."""


class TakenRulebookJson(RulebookJson):
    """What an import of a rulebook took."""

    private: bool
    """Always true: only searches on this machine find it."""


def book_json(book: Book) -> RulebookJson:
    """A rulebook as `kb import rulebook --list --json` prints it."""
    return {"name": book.id, "title": book.title, "game": book.game, "file": book.file, "passages": len(book.passages)}


def taken_json(book: Book) -> TakenRulebookJson:
    """A rulebook that was just taken, as `kb import rulebook --json` prints it."""
    return {**book_json(book), "private": True}
