"""The user's imported rulebooks and lists of cards, as stored in the user's data folder. These imports are shown only
on this machine.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import Field

from kb.files.folders import is_plain
from kb.files.text import read_bounded
from kb.frozen import frozen
from kb.own_records import BROUGHT
from kb.sources.entries import OutlineHeading, SourceRecord, Text, Title
from kb.sources.own_cards import MOST_ROWS, Known, OwnCardError, OwnCards
from kb.sources.own_cards import Record as CardRecord
from kb.sources.problems import Problems
from kb.sources.validation import validate

RULEBOOKS, CARD_LISTS = "rulebooks", "own-cards"
LARGEST = 40_000_000
MOST_PASSAGES = 20_000

FileName = Annotated[str, Field(max_length=500)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


@frozen
class OwnPassage(SourceRecord):
    """A section of an imported rulebook: its heading, the page that it begins on in the user's copy, and its text as
    plain paragraphs.
    """

    title: Title
    text: Annotated[str, Field(min_length=1, max_length=20_000)]
    page: int | None = None


@frozen
class Book(SourceRecord):
    """An imported rulebook, as stored. `file` is the name of the original file, and `sha256` is the hash of that file."""

    id: Text
    game: Text
    title: Title
    file: FileName
    sha256: Digest
    passages: Annotated[list[OwnPassage], Field(max_length=MOST_PASSAGES)]


@frozen
class CardList(SourceRecord):
    """An imported list of the user's own cards, as stored. `file` is the name of the original file, and `sha256` is the
    hash of that file.
    """

    id: Text
    game: Text
    title: Title
    file: FileName
    sha256: Digest
    rows: Annotated[list[dict[str, Any]], Field(max_length=MOST_ROWS)]


@frozen
class LoadedPassage:
    """A passage of an imported rulebook for the catalog. `covers` are the ids of the headings in kb's outlines that
    have the same title.
    """

    id: str
    game: str
    book: str
    title: str
    source: str
    text: str
    covers: tuple[str, ...]


Kept = TypeVar("Kept", bound=Book | CardList)
FOLDERS: dict[type, tuple[str, str]] = {
    Book: (RULEBOOKS, "imported rulebook"),
    CardList: (CARD_LISTS, "list of your own cards"),
}
"""For each type of import: its folder in the user's data, and its name in messages."""


def kept_files(shape: type[Kept], own: Path) -> list[Path]:
    """Return the stored files of one type of import (`shape`) below `own`, sorted by name."""
    folder = own / FOLDERS[shape][0]
    return sorted(path for path in folder.glob("*.json") if is_plain(path.stem)) if folder.is_dir() else []


def lost_links(own: Path) -> list[Path]:
    """Return the broken symbolic links in the user's data folder and its subfolders. kb ignores them."""
    return sorted(path for path in own.rglob("*") if path.is_symlink() and not path.exists())


def read_kept(shape: type[Kept], path: Path, problems: Problems) -> Kept | None:
    """Return the content of a stored import. If it cannot be read, add a problem and return None."""
    try:
        raw = json.loads(read_bounded(path, LARGEST))
    except (OSError, ValueError, RecursionError) as error:
        what = f"this {FOLDERS[shape][1]} cannot be read ({error}); import it again, or remove the file"
        problems.add(path, 0, what)
        return None
    return validate(shape, raw, path, lambda *_way: 0, problems)


def kept(shape: type[Kept], own: Path, problems: Problems | None = None) -> Iterator[Kept]:
    """Yield all stored imports of one type (`shape`) below `own`. Unreadable imports are skipped and added to
    `problems`.
    """
    problems = Problems(own) if problems is None else problems
    for path in kept_files(shape, own):
        if not path.exists():  # a broken link, which `lost_links` reports
            continue
        if (imported := read_kept(shape, path, problems)) is not None:
            yield imported


def load_passages(
    own: Path, games: Collection[str], outline: Mapping[str, tuple[str, OutlineHeading]], problems: Problems
) -> list[LoadedPassage]:
    """Return the passages of every imported rulebook below `own`. Books of games that are not in `games` are skipped.

    `outline` has the headings of kb's documents by id, each with its game. Unreadable books are added to `problems`.
    """
    passages: list[LoadedPassage] = []
    headings: dict[tuple[str, str], list[str]] = {}
    for heading_id, (game, heading) in outline.items():
        headings.setdefault((game, plain_title(heading.title)), []).append(heading_id)
    for book in kept(Book, own, problems):
        for number, passage in enumerate(book.passages if book.game in games else (), 1):
            at = f", p. {passage.page}" if passage.page else ""
            passages.append(
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
    return passages


def plain_title(title: str) -> str:
    """Return a heading in lower case, without numbering and punctuation, to compare the headings of different copies of
    a book.
    """
    words = re.findall(r"[a-z0-9]+", title.casefold().replace("'", "").replace("’", ""))
    while words and (words[0].isdigit() or words[0] in {"chapter", "part", "section", "appendix"}):
        words.pop(0)
    return " ".join(words)


def own_records(game: str, part: OwnCards, known: Known, own: Path, problems: Problems) -> dict[str, list[CardRecord]]:
    """Return the records of all lists of the user's own cards for a game, by kind.

    If several lists contain the same card, the record of the first list is used, and the copies in all lists are
    added up. `known` are the records that kb ships. Rows with errors are added to `problems`. Each record has the id
    of its list in `list`, and the title of its list in `own`.
    """
    by_kind: dict[str, list[CardRecord]] = {}
    taken: set[str] = set()
    index: Any = None
    for listed in kept(CardList, own, problems):
        if listed.game != game:
            continue
        index = part.index(known) if index is None else index
        for number, row in enumerate(listed.rows, 1):
            try:
                made = part.records(row, index, strict=False)
            except OwnCardError as error:
                what = f"row {number}: {error}; import the list again, or remove it: {removing(listed.id)}"
                problems.add(own / CARD_LISTS / f"{listed.id}.json", 0, what)
                continue
            for kind, record in made:
                if kind in BROUGHT:
                    if (name := part.named(record)) in taken:
                        continue
                    taken.add(name)
                by_kind.setdefault(kind, []).append({**record, "list": listed.id, "own": listed.title})
    return by_kind


def removing(name: str) -> str:
    """Return the command that removes the imported list of cards called `name`."""
    return f"kb import cards --remove {name}"
