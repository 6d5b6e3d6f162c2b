"""Cards and copies that the user has imported: kept as rows, made into records by their game, shown on this machine only."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from pydantic import Field

from kb.errors import KbError
from kb.files.inside import is_plain
from kb.files.read import read_bounded
from kb.load.entries import Strict, Text, Title
from kb.load.frontmatter import validate
from kb.load.problems import Problems

FOLDER = "own-cards"
PREFIX = "own:"
"""Kinds of records that begin so are the user's own: a catalog that is read for others has none of them."""
CARD, COPIES, FACTS = f"{PREFIX}card", f"{PREFIX}copies", f"{PREFIX}facts"
"""A card that kb does not know; how many copies of a card that it knows are owned; what kb does not know of such a card."""
LARGEST = 40_000_000
MOST_ROWS = 20_000
MOST_COPIES = 999

Record = dict[str, Any]
Known = Mapping[str, Sequence[Record]]


class OwnCardError(KbError, ValueError):
    """What is wrong with a row, as sentences without their final stop."""

    def __init__(self, *wrong: str) -> None:
        super().__init__("; ".join(wrong))
        self.wrong = wrong


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table of one's own cards: what it holds, and other names that people give it."""

    name: str
    meaning: str
    kind: Literal["text", "number", "yes or no", "list"] = "text"
    also: tuple[str, ...] = ()


class OwnCards(Protocol):
    """What a game offers whose players may bring cards of their own: `own` of its part `cards`."""

    columns: Sequence[Column]
    samples: Sequence[Mapping[str, str]]
    """Rows that a template shows, by column."""
    further: frozenset[str]
    """Keys that a row in JSON may have besides the columns."""

    def index(self, known: Known) -> Any:
        """What `records` looks cards up in, made of the records that the game ships."""

    def records(self, row: Mapping[str, Any], index: Any, strict: bool) -> list[tuple[str, Record]]:
        """The records that a row makes, by kind: a CARD; or COPIES (`card`: its id, `copies`) and FACTS of a card that is known.

        `strict`: what contradicts the facts that kb knows raises OwnCardError as well; else the known facts count.
        """

    def named(self, record: Record) -> str:
        """What a CARD is called by that no two cards of one's own may share."""


class CardList(Strict):
    """A list of one's own cards as it is kept. `file` is the name of the file that it was read from, `sha256` of its bytes."""

    id: Text
    game: Text
    title: Title
    file: str = Field(max_length=500)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    rows: list[dict[str, Any]] = Field(max_length=MOST_ROWS)


def list_files(own: Path) -> list[Path]:
    """The files of the lists that are kept, in the order of their names."""
    folder = own / FOLDER
    return sorted(path for path in folder.glob("*.json") if is_plain(path.stem)) if folder.is_dir() else []


def read_list(path: Path, problems: Problems) -> CardList | None:
    """A list as it is kept; None when it cannot be read, which is noted."""
    try:
        raw = json.loads(read_bounded(path, LARGEST))
    except (OSError, ValueError, RecursionError) as error:
        problems.add(
            path, 0, f"this list of your own cards cannot be read ({error}); import it again, or remove the file"
        )
        return None
    return validate(CardList, raw, path, lambda *_way: 0, problems)


def own_records(game: str, part: OwnCards, known: Known, own: Path, problems: Problems) -> dict[str, list[Record]]:
    """The records of all lists of a game, by kind. Of cards that two lists have the first list's counts, and copies add up.

    `known` are the game's own records. A row that cannot be read goes to `problems`. Each record names its list (`list`: the
    id, `own`: the title).
    """
    found: dict[str, list[Record]] = {}
    taken: set[str] = set()
    index: Any = None
    for path in list_files(own):
        listed = read_list(path, problems)
        if listed is None or listed.game != game:
            continue
        index = part.index(known) if index is None else index
        for number, row in enumerate(listed.rows, 1):
            try:
                made = part.records(row, index, strict=False)
            except OwnCardError as error:
                problems.add(
                    path, 0, f"row {number}: {error}; import the list again, or remove it: {removing(listed.id)}"
                )
                continue
            for kind, record in made:
                if kind == CARD and (name := part.named(record)) in taken:
                    continue
                if kind == CARD:
                    taken.add(name)
                found.setdefault(kind, []).append({**record, "list": listed.id, "own": listed.title})
    return found


def removing(name: str) -> str:
    """The command that removes a list."""
    return f"kb import cards --remove {name}"


def lists(own: Path) -> Iterator[CardList]:
    """The lists that are kept; those that cannot be read are left out (`kb doctor` names them)."""
    problems = Problems(own)
    for path in list_files(own):
        if (found := read_list(path, problems)) is not None:
            yield found
