"""Takes a rulebook into the user's own data, lists those that are there, and removes them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, TypedDict

from kb.files.inside import inside, is_plain
from kb.files.outputs import refuse_inputs
from kb.files.private import keep_private
from kb.files.read import TooLargeError, read_bounded
from kb.files.swap import locked, write_whole
from kb.files.text import NotTextError, decoded, writable
from kb.personal.lines import Line, RulebookError
from kb.personal.passages import passages
from kb.personal.pdf import of_pdf
from kb.personal.texts import of_html, of_markdown, of_text
from kb.sources.books import FOLDER, Book, book_files, read_book
from kb.sources.problems import Problems

LARGEST_PDF = 300_000_000
LARGEST_TEXT = 20_000_000
READERS: dict[str, Callable[[str], Iterable[Line]]] = {
    ".txt": of_text, ".md": of_markdown, ".markdown": of_markdown, ".html": of_html, ".htm": of_html,
}  # fmt: skip


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
    book_id = name if name is not None else _name_of(title)
    if not is_plain(book_id):
        raise RulebookError(
            f"{book_id!r} cannot name a rulebook: use letters, digits and . _ + - (for instance `--name core-rules`)."
        )
    title = writable(title.strip())[:200]
    if not title:
        raise RulebookError("The rulebook needs a title: --title TEXT.")
    target = inside(data, f"{FOLDER}/{book_id}.json")
    refuse_inputs(target, [file])
    older = read_book(target, Problems(data)) if target.exists() else None
    if older is not None and (older.game != game or (name is None and older.title != title)):
        raise RulebookError(
            f"There is another rulebook {book_id} ({older.title}, {older.game}): give this one a name of its own with --name, "
            f"or `kb import rulebook --remove {book_id}` first."
        )
    suffix = file.suffix.casefold()
    if suffix != ".pdf" and suffix not in READERS:
        raise RulebookError(f"{file}: kb reads rulebooks in .pdf, .txt, .md and .html.")
    try:
        raw = read_bounded(file, LARGEST_PDF if suffix == ".pdf" else LARGEST_TEXT)
    except TooLargeError as error:
        raise RulebookError(f"{file}: {error.strerror}.") from error
    lines = of_pdf(raw, progress) if suffix == ".pdf" else READERS[suffix](_text(raw, file))
    book = Book(
        id=book_id,
        game=game,
        title=title,
        file=writable(file.name)[:300],
        sha256=hashlib.sha256(raw).hexdigest(),
        passages=passages(Line(writable(line.text), line.page, line.level, line.ends) for line in lines),
    )
    with locked(target):
        keep_private(data)
        target.parent.mkdir(exist_ok=True)
        write_whole(target, json.dumps(book.model_dump(), ensure_ascii=False).encode("utf-8"))
        keep_private(data)
    return book


def rulebooks(data: Path) -> list[Book]:
    """The rulebooks that are kept; those that cannot be read are left out (`kb doctor` names them)."""
    problems = Problems(data)
    return [book for path in book_files(data) if (book := read_book(path, problems)) is not None]


def remove_rulebook(name: str, data: Path) -> None:
    """Remove a rulebook. Raises RulebookError when there is none of that name."""
    known = [path.stem for path in book_files(data)]
    if name not in known:
        there = f"There are {', '.join(known)}." if known else "No rulebook has been imported."
        raise RulebookError(f"There is no imported rulebook {name!r}. {there}")
    target = inside(data, f"{FOLDER}/{name}.json")
    with locked(target):
        target.unlink(missing_ok=True)


def _name_of(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")[:80] or "rulebook"


def _text(raw: bytes, file: Path) -> str:
    try:
        return decoded(raw)
    except NotTextError as error:
        raise RulebookError(f"{file}: {error}") from error


class RulebookJson(TypedDict):
    """A rulebook that was imported."""

    name: Annotated[str, "Its short name."]
    title: Annotated[str, "What it is called."]
    game: Annotated[str, "Id of the game."]
    file: Annotated[str, "The file it was read from."]
    passages: Annotated[int, "How many passages it has."]


class TakenRulebookJson(RulebookJson):
    """What an import of a rulebook took."""

    private: Annotated[bool, "Always true: only searches on this machine find it."]


def book_json(book: Book) -> RulebookJson:
    """A rulebook as `kb import rulebook --list --json` prints it."""
    return {
        "name": book.id,
        "title": book.title,
        "game": book.game,
        "file": book.file,
        "passages": len(book.passages),
    }


def taken_json(book: Book) -> TakenRulebookJson:
    """A rulebook that was just taken, as `kb import rulebook --json` prints it."""
    return {**book_json(book), "private": True}
