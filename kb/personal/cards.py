"""Takes tables of cards into the user's own data."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from kb import registry
from kb.files.text import writable
from kb.own_records import BROUGHT, CHARACTER, COPIES
from kb.personal.card_tables import MOST_TOLD, Rows, TableError, Wrong, read_csv, read_json
from kb.personal.kept import Shelf
from kb.sources.cards import cards_of, own_part
from kb.sources.own import CardList, kept, removing
from kb.sources.own_cards import Known, OwnCardError, OwnCards

LARGEST_TABLE = 20_000_000
READERS = {".csv": read_csv, ".tsv": read_csv, ".json": read_json}
CARDS = Shelf(CardList, TableError, "kb import cards", "list", "promos", "cards", "No cards have been imported.")


@dataclass(frozen=True, slots=True)
class Taken:
    """What an import took: the list, cards and characters that kb did not know, cards whose copies it counts, and columns left out."""

    list: CardList
    cards: int
    characters: int
    counted: int
    texts: tuple[str, ...]
    unknown: tuple[str, ...]


def own_cards_of(game: str) -> OwnCards:
    """How a game takes cards of one's own. Raises TableError when it does not."""
    found = own_part(cards_of(game))
    if found is None:
        able = [about.title for about in registry.games().values() if own_part(cards_of(about.id))]
        about = registry.about(game)
        raise TableError(f"{about.title if about else game} takes no cards of your own here; {', '.join(able)} do.")
    return found


def import_cards(
    file: Path, data: Path, game: str, known: Known, title: str | None = None, name: str | None = None
) -> Taken:
    """Read `file` and keep it in the folder `data` as a list of own cards of `game`, in the place of an older one with the same
    `name` (by default made from the title, which is by default the name of the file). `known` are the game's records.

    Raises TableError with every line that is wrong and for another list's name, OSError when it cannot be kept; nothing has changed then.
    """
    part = own_cards_of(game)
    target, title = CARDS.place(data, file, game, title if title is not None else file.stem, name)
    reader = READERS.get(file.suffix.casefold())
    if reader is None:
        raise TableError(f"{file}: kb reads cards from .csv, .tsv and .json.")
    raw = CARDS.read(file, LARGEST_TABLE)
    wrong = Wrong(str(file))
    read = reader(CARDS.text(raw, file), part, wrong)
    index = part.index(known)
    counts = _check(read, part, index, _others(data, game, target.stem, part, index), wrong)
    wrong.raise_if_any()
    if not read.rows:
        raise TableError(f"{file}: there is no card in it.")
    listed = CardList(
        id=target.stem,
        game=game,
        title=title,
        file=writable(file.name)[:300],
        sha256=hashlib.sha256(raw).hexdigest(),
        rows=[row for _line, row in read.rows],
    )
    CARDS.keep(listed, target, data)
    return Taken(listed, *counts, tuple(read.texts), tuple(read.unknown))


def _check(read: Rows, part: OwnCards, index: Any, others: Mapping[str, str], wrong: Wrong) -> tuple[int, int, int]:
    """Note what is wrong with the rows; how many are new cards, new characters, and of how many known ones the copies are told."""
    seen: dict[str, int] = {}
    cards = characters = counted = 0
    for line, row in read.rows:
        if len(wrong.found) > MOST_TOLD:
            break
        try:
            made = part.records(row, index, strict=True)
        except OwnCardError as error:
            for each in error.wrong:
                wrong.add(line, each)
            continue
        for kind, record in made:
            if kind not in (*BROUGHT, COPIES):
                continue
            key = part.named(record) if kind in BROUGHT else str(record["card"])
            if key in seen:
                wrong.add(
                    line, f"{record['name']} stands already in line {seen[key]}; write one row with all its copies"
                )
            elif kind in BROUGHT and key in others:
                other = others[key]
                wrong.add(
                    line, f"{record['name']} is in your list {other} already; take it out, or `{removing(other)}`"
                )
            seen.setdefault(key, line)
            counted += kind == COPIES
            characters += kind == CHARACTER
            cards += kind in BROUGHT and kind != CHARACTER
    return cards, characters, counted


def _others(data: Path, game: str, list_id: str, part: OwnCards, index: Any) -> dict[str, str]:
    """The cards of the game's other lists, each with its list."""
    found: dict[str, str] = {}
    for listed in kept(CardList, data):
        for row in listed.rows if listed.game == game and listed.id != list_id else ():
            try:
                made = part.records(row, index, strict=False)
            except OwnCardError:
                continue
            found.update({part.named(record): listed.id for kind, record in made if kind in BROUGHT})
    return found


def template(part: OwnCards) -> str:
    """An example to begin a table with, as CSV: the columns and a few rows."""
    out = io.StringIO()
    writer = csv.DictWriter(out, [column.name for column in part.columns], restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(part.samples)
    return out.getvalue()


class CardListJson(TypedDict):
    """A table of cards that was imported."""

    name: str
    """Its short name."""
    title: str
    """What it is called."""
    game: str
    """Id of the game."""
    file: str
    """The file it was read from."""
    rows: int
    """How many rows were taken."""


class LeftOutJson(TypedDict):
    """Columns that were not taken."""

    texts: list[str]
    """Columns of rules text."""
    unknown: list[str]
    """Columns that nothing is known of."""


class TakenCardsJson(CardListJson):
    """What an import of cards took."""

    cards: int
    """Cards that kb did not know."""
    characters: int
    """Characters that kb did not know."""
    counted: int
    """Known cards of which it says how many copies there are."""
    left_out: LeftOutJson
    """Columns that were left out."""
    private: bool
    """Always true: only searches and deck checks on this machine see them."""


def as_json(listed: CardList) -> CardListJson:
    """A list as `kb import cards --list --json` prints it."""
    return {
        "name": listed.id,
        "title": listed.title,
        "game": listed.game,
        "file": listed.file,
        "rows": len(listed.rows),
    }


def taken_json(taken: Taken) -> TakenCardsJson:
    """What an import took, as `kb import cards --json` prints it."""
    return {
        **as_json(taken.list),
        "cards": taken.cards,
        "characters": taken.characters,
        "counted": taken.counted,
        "left_out": {"texts": list(taken.texts), "unknown": list(taken.unknown)},
        "private": True,
    }
