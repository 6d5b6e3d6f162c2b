"""Takes tables of cards, CSV or JSON, into the user's own data; what is wrong names its line."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict

from kb import registry
from kb.decks.names import did_you_mean
from kb.errors import KbError
from kb.files.text import writable
from kb.own_records import BROUGHT, CHARACTER, COPIES
from kb.personal.kept import Shelf
from kb.sources.arrays import ArrayError, elements
from kb.sources.cards import cards_of, own_part
from kb.sources.own import CardList, kept, removing
from kb.sources.own_cards import MOST_ROWS, Column, Known, OwnCardError, OwnCards

LONGEST = 200
MOST_COLUMNS = 200
MOST_TOLD = 20
RULES_TEXT = frozenset({
    "ability", "abilities", "backtext", "cardtext", "checktoacquiretext", "customizationtext", "description", "effect", "effects",
    "flavor", "flavortext", "flavour", "flavourtext", "power", "powers", "powertext", "realtext", "recovery", "rules", "rulestext",
    "text", "thischaracter",
})  # fmt: skip
"""Columns of rules text, as names are compared: kb takes facts only."""
YES, NO = frozenset({"yes", "y", "true", "x", "1"}), frozenset({"no", "n", "false", "0", "-"})
SIGNS = ("=", "@")
SEPARATOR = re.compile(r'"?sep=([,;\t])"?', re.I)
"""A first line that spreadsheets write and read: what parts the cells."""
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


class TableError(KbError, ValueError):
    """The table cannot be taken; the message has a line for each thing that is wrong, with its place."""


@dataclass(slots=True)
class Rows:
    """The rows with their lines, columns that were left out because they hold rules text, and those that kb does not know."""

    rows: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


class Wrong:
    """Collects what is wrong with a file, with the lines."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[tuple[int, str]] = []

    def add(self, line: int, sentence: str) -> None:
        """Note a sentence (without its final stop) about a line."""
        self.found.append((line, f"{self.file}:{line}: {sentence}."))

    def raise_if_any(self) -> None:
        """Raise TableError with the first of them."""
        if self.found:
            more = len(self.found) - MOST_TOLD
            rest = [f"… and {more} more."] if more > 0 else []
            told = [sentence for _line, sentence in sorted(self.found)[:MOST_TOLD]]
            raise TableError("\n".join([*told, *rest]))


def plain(name: str) -> str:
    """A column's name as names are compared."""
    return re.sub(r"[^a-z0-9]+", "", name.casefold())


def read_csv(text: str, part: OwnCards, wrong: Wrong) -> Rows:
    """The rows of a CSV file parted by commas, semicolons or tabs, whose first line names the columns."""
    found = Rows()
    records = list(_records(text, wrong))
    if wrong.found:
        return found
    if not records:
        wrong.add(1, "the table is empty; its first line names the columns")
        return found
    line, header = records[0]
    columns = _columns(header, line, part, found, wrong)
    if len(records) - 1 > MOST_ROWS:
        wrong.add(records[MOST_ROWS + 1][0], f"the table has more than {MOST_ROWS:,} rows")
        return found
    for line, cells in records[1:]:
        if len(cells) > len(columns):
            wrong.add(
                line,
                f"the row has {len(cells)} cells, the first line {len(columns)} columns; a cell with a comma is quoted",
            )
            continue
        row: dict[str, Any] = {}
        before = len(wrong.found)
        for column, cell in zip(columns, cells, strict=False):
            if column is not None and cell.strip():
                _put(row, column, cell.strip(), line, wrong)
        if len(wrong.found) == before:
            found.rows.append((line, row))
    return found


def _records(text: str, wrong: Wrong) -> Iterator[tuple[int, list[str]]]:
    """The records that are not empty, each with the line at which it begins; one that cannot be read ends them."""
    lines = (line for line in text.splitlines() if line.strip())
    first = next(lines, "")
    told = SEPARATOR.fullmatch(first.strip())
    sign = told[1] if told else max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True)
    begins = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if told:
                    told = None  # this is the line that tells it
                else:
                    yield begins, cells
            begins = reader.line_num + 1
    except csv.Error as error:
        wrong.add(
            begins, f"the row cannot be read as comma-separated values ({error}); see whether a quotation mark is open"
        )


def _columns(header: list[str], line: int, part: OwnCards, found: Rows, wrong: Wrong) -> list[Column | None]:
    """The column of each cell of the first line; None for one that is left out."""
    if len(header) > MOST_COLUMNS:
        wrong.add(line, f"the table has more than {MOST_COLUMNS} columns")
        return []
    columns: list[Column | None] = []
    seen: set[str] = set()
    for name in header:
        column = _column(name, part, found, line, wrong)
        if column is not None and column.name in seen:
            wrong.add(line, f"the column `{column.name}` is there twice")
        seen.update({column.name} if column else ())
        columns.append(column)
    if not wrong.found and not seen:
        wrong.add(
            line,
            f"the first line names no column that kb knows; known are {', '.join(each.name for each in part.columns)}",
        )
    return columns


def _column(name: str, part: OwnCards, found: Rows, line: int, wrong: Wrong) -> Column | None:
    """The column that is called so; one of rules text or an unknown one is left out, one that is nearly known is an error."""
    names = {plain(each): column for column in part.columns for each in (column.name, *column.also)}
    if column := names.get(plain(name)):
        return column
    shown = " ".join(name.split())[:60]
    if plain(name) in RULES_TEXT:
        found.texts.append(shown)
    elif hint := did_you_mean(plain(name), names) if plain(name) else "":
        wrong.add(
            line, f"there is no column `{shown}`{'.' + hint.removesuffix('?') + '?' if hint else ''}".removesuffix(".")
        )
    elif shown:
        found.unknown.append(shown)
    return None


def read_json(text: str, part: OwnCards, wrong: Wrong) -> Rows:
    """The rows of a JSON array of objects, of one under the key `cards`, or of a file that the game knows otherwise."""
    found = Rows()
    if (foreign := _foreign(text, part)) is not None:
        text = foreign
    body = re.match(r'\s*\{\s*"cards"\s*:\s*(?=\[)', text)
    before = 0
    if body:
        before = text.count("\n", 0, body.end())
        text = text[body.end() :].rstrip().removesuffix("}")
    known = {column.name: column for column in part.columns}
    try:
        for line, value in elements(text):
            if len(found.rows) >= MOST_ROWS:
                wrong.add(line + before, f"the file has more than {MOST_ROWS:,} cards")
                break
            if not isinstance(value, dict):
                wrong.add(line + before, "a card must be an object with its facts")
                continue
            told = len(wrong.found)
            row = _row(value, line + before, part, known, found, wrong)
            if len(wrong.found) == told:
                found.rows.append((line + before, row))
    except ArrayError as error:
        wrong.add(error.line + before, f"the file {error.what}")
    found.texts = list(dict.fromkeys(found.texts))
    found.unknown = list(dict.fromkeys(found.unknown))
    return found


def _foreign(text: str, part: OwnCards) -> str | None:
    """The array of rows that a file of another program holds; None when it is none that the game knows."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        rows = part.foreign(json.loads(text))
    except (ValueError, RecursionError):
        return None
    return None if rows is None else "[" + ",\n".join(json.dumps(row) for row in rows) + "]"


def _row(
    value: Mapping[str, Any], line: int, part: OwnCards, known: Mapping[str, Column], found: Rows, wrong: Wrong
) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, each in value.items():
        if name not in known and name in part.further:
            if overlong := next((text for text in _texts(each) if len(text) > LONGEST), None):
                wrong.add(line, f"`{name}` holds a text of {len(overlong):,} characters; kb takes facts, no rules text")
            else:
                row[name] = each
            continue
        column = known.get(name) or _column(name, part, found, line, wrong)
        if column is not None and each is not None and each != "":
            _put(row, column, each, line, wrong)
    return row


def _texts(value: Any) -> Iterator[str]:
    """Every text within a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield str(name)
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _put(row: dict[str, Any], column: Column, given: Any, line: int, wrong: Wrong) -> None:
    """Put a value into its row, as the kind of its column."""
    texts = [given] if isinstance(given, str) else given if isinstance(given, list) else []
    for text in texts:
        if not isinstance(text, str):
            wrong.add(line, f"`{column.name}` must be a list of texts")
            return
        if len(text) > LONGEST:
            wrong.add(line, f"`{column.name}` is {len(text):,} characters long; kb takes facts, no rules text")
            return
        if text.startswith(SIGNS) or CONTROL.search(text) or "\n" in text:
            wrong.add(
                line, f"`{column.name}` is {text[:40]!r}: a formula, a line break or a hidden character is no fact"
            )
            return
    try:
        row[column.name] = _value(given, column)
    except ValueError as error:
        wrong.add(line, f"`{column.name}` {error}")


def _value(given: Any, column: Column) -> Any:
    """A cell or a JSON value as the kind of its column. Raises ValueError with the rest of a sentence."""
    text = " ".join(str(given).split())
    if column.kind == "number":
        if isinstance(given, int) and not isinstance(given, bool) and abs(given) < 10**6:
            return given
        # Spreadsheets write 3 as 3.0 or 3,0 where other cells of the column are empty.
        if whole := re.fullmatch(r"([0-9]{1,6})(?:[.,]0+)?", text):
            return int(whole[1])
        raise ValueError(f"is {str(given)[:40]!r}; it must be a whole number")
    if column.kind == "yes or no":
        if text.casefold() in YES | NO:
            return text.casefold() in YES
        raise ValueError(f"is {str(given)[:40]!r}; it must be yes or no")
    if column.kind == "list":
        if isinstance(given, list):
            return [" ".join(each.split()) for each in given]
        if not isinstance(given, str):
            raise ValueError("must be a list of texts")
        return [part for part in (each.strip().strip(".") for each in re.split(r"[,;|/]|\.\s", text)) if part]
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise ValueError("must be a text")
    return text


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
