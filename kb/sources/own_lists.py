"""Lists of cards and copies that the user has imported: kept as rows, made into records by their game, shown on this machine only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import Field

from kb.files.inside import is_plain
from kb.files.read import read_bounded
from kb.own_records import BROUGHT
from kb.sources.entries import Text, Title
from kb.sources.own_cards import MOST_ROWS, Known, OwnCardError, OwnCards, Record
from kb.sources.problems import Problems
from kb.sources.strict import Strict
from kb.sources.validation import validate

FOLDER = "own-cards"
LARGEST = 40_000_000


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
                if kind in BROUGHT and (name := part.named(record)) in taken:
                    continue
                if kind in BROUGHT:
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
