"""Rulebooks that the user has imported: passages of their own copy, searched beside our entries and shown nowhere else."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from kb.files.inside import is_plain
from kb.files.read import read_bounded
from kb.sources.entries import OutlineHeading, Text, Title
from kb.sources.problems import Problems
from kb.sources.strict import Strict
from kb.sources.validation import validate

FOLDER = "rulebooks"
LARGEST = 40_000_000
MOST_PASSAGES = 20_000


class Passage(Strict):
    """One section of a rulebook: its heading, the page of the copy where it begins, and its text as plain paragraphs."""

    title: Title
    page: int | None = Field(default=None, ge=1, le=100_000)
    text: str = Field(min_length=1, max_length=20_000)


class Book(Strict):
    """A rulebook as it is kept in the user's data. `file` is the name of the file that it was read from, `sha256` of its bytes."""

    id: Text
    game: Text
    title: Title
    file: str = Field(max_length=500)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    passages: list[Passage] = Field(max_length=MOST_PASSAGES)


@dataclass(frozen=True, slots=True)
class LoadedPassage:
    """A passage with its id in the catalog, and the outline ids of our documents whose heading it has."""

    id: str
    game: str
    book: str
    title: str
    source: str
    text: str
    covers: tuple[str, ...]


def load_books(
    own: Path, games: Collection[str], outline: Mapping[str, tuple[str, OutlineHeading]], problems: Problems
) -> list[LoadedPassage]:
    """The passages of every rulebook below `own`/rulebooks. A book of a game that is not among `games` is left out, what cannot be
    read goes to `problems`; `outline` are the headings of our documents by id, each with its game."""
    found: list[LoadedPassage] = []
    headings: dict[tuple[str, str], list[str]] = {}
    for heading_id, (game, heading) in outline.items():
        headings.setdefault((game, plain_title(heading.title)), []).append(heading_id)
    for path in book_files(own):
        book = read_book(path, problems)
        if book is None or book.game not in games:
            continue
        for number, passage in enumerate(book.passages, 1):
            at = f", p. {passage.page}" if passage.page else ""
            found.append(
                LoadedPassage(
                    id=f"{book.game}/rulebooks/{book.id}/{number}",
                    game=book.game,
                    book=book.title,
                    title=passage.title,
                    source=f"your copy of {book.title}{at}",
                    text=passage.text,
                    covers=tuple(headings.get((book.game, plain_title(passage.title)), ())),
                )
            )
    return found


def book_files(own: Path) -> list[Path]:
    """The files of the rulebooks that are kept, in the order of their names."""
    folder = own / FOLDER
    return sorted(path for path in folder.glob("*.json") if is_plain(path.stem)) if folder.is_dir() else []


def read_book(path: Path, problems: Problems) -> Book | None:
    """A rulebook as it is kept; None when it cannot be read, which is noted."""
    try:
        raw = json.loads(read_bounded(path, LARGEST))
    except (OSError, ValueError, RecursionError) as error:
        problems.add(path, 0, f"this imported rulebook cannot be read ({error}); import it again, or remove the file")
        return None
    return validate(Book, raw, path, lambda *_way: 0, problems)


def plain_title(title: str) -> str:
    """A heading as headings of different copies are compared: small letters, no numbering and no signs."""
    words = re.findall(r"[a-z0-9]+", title.casefold().replace("'", "").replace("’", ""))
    while words and (words[0].isdigit() or words[0] in {"chapter", "part", "section", "appendix"}):
        words.pop(0)
    return " ".join(words)
