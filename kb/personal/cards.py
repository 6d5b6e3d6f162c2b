"""Import tables of cards, as CSV or JSON, into the user's own data. Error messages name the line."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from kb import registry
from kb.files.bounded import Limits, TooMuchWorkError, bounded
from kb.files.text import writable
from kb.frozen import frozen
from kb.own_records import BROUGHT, CARD, CHARACTER, COPIES
from kb.personal.store import Imported, ImportStore, NotTakenError
from kb.shapes import Jsonable
from kb.sources.arrays import ArrayError, elements
from kb.sources.cards import cards_of, own_part
from kb.sources.own import CardList, kept, removing
from kb.sources.own_cards import MOST_ROWS, Known, OwnCardError, OwnCards
from kb.sources.problems import Problems

LONGEST = 200
MOST_TOLD = 20
RULES_TEXT = frozenset({
    "ability", "abilities", "backtext", "cardtext", "checktoacquiretext", "customizationtext", "description", "effect", "effects",
    "flavor", "flavortext", "flavour", "flavourtext", "power", "powers", "powertext", "realtext", "recovery", "rules", "rulestext",
    "text", "thischaracter",
})  # fmt: skip
"""Names of columns with rules text, as reduced by `plain`. These columns are left out, because kb imports only facts.
"""
YES, NO = frozenset({"yes", "y", "true", "x", "1"}), frozenset({"no", "n", "false", "0", "-"})
NO_FACT = re.compile("^[=@]|[\x00-\x08\x0a-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""A pattern for values that cannot be facts: spreadsheet formulas, line breaks and invisible characters."""
Tell = Callable[[int, str], None]
"""A function that records an error: the line, and a sentence without its final full stop."""
Found = Iterator[tuple[int, dict[str, Any]]]
"""The rows of a file, each with its line number."""


@dataclass(slots=True)
class Rows:
    """The rows of a table with their line numbers, the columns left out because they contain rules text (`texts`), and
    the unknown columns.
    """

    rows: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    texts: dict[str, None] = field(default_factory=dict)
    unknown: dict[str, None] = field(default_factory=dict)


def plain(name: str) -> str:
    """Return the name of a column in lower case with letters and digits only, to compare different spellings."""
    return re.sub(r"[^a-z0-9]+", "", name.casefold())


def of_csv(text: str, _part: OwnCards, wrong: Tell) -> Found:
    """Yield the rows of a CSV file, each with its line. Cells are separated by commas, semicolons or tabs.

    The first line names the columns. Errors are passed to `wrong`, and reading stops at a row that cannot be parsed.
    """
    sign = max(",;\t", key=text.lstrip().partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True)
    header: list[str] = []
    begins = 1
    try:
        for cells in reader:
            line, begins = begins, reader.line_num + 1
            if len(cells) > len(header) > 0:
                wrong(
                    line,
                    f"the row has {len(cells)} cells, but the first line has {len(header)} columns; "
                    "put a cell with a comma in quotes",
                )
            elif header:
                yield line, {name: cell.strip() for name, cell in zip(header, cells, strict=False) if cell.strip()}
            elif any(cell.strip() for cell in cells):
                header = cells
    except csv.Error as error:
        wrong(
            begins,
            f"the row cannot be read as comma-separated values ({error}); check for a quotation mark that is not closed",
        )


def of_json(text: str, part: OwnCards, wrong: Tell) -> Found:
    """Yield the rows of a JSON array of objects, each with its line. Errors are passed to `wrong`.

    The file can also be from another program, if the game recognizes it. In that case, each row comes with its number
    instead of its line.
    """
    if text.lstrip().startswith("{"):
        try:
            yield from enumerate(map(dict, part.foreign(json.loads(text)) or ()), 1)
        except (ValueError, RecursionError) as error:
            wrong(1, f"the file is not JSON: {error}")
        return
    try:
        for line, value in elements(text):
            if isinstance(value, dict):
                yield line, value
            else:
                wrong(line, "a card must be an object with its facts")
    except ArrayError as error:
        wrong(error.line, f"the file {error.what}")


def rows_of(records: Found, part: OwnCards, wrong: Tell, file: Path) -> Rows:
    """Convert the values of each row to the types of their columns. Return the rows and the columns that were left out.

    Values that cannot be facts are passed to `wrong`. Raises NotTakenError if there are too many rows.
    """
    columns = {plain(each): column for column in part.columns for each in (column.name, *column.also)}
    taken = Rows()
    for number, (line, record) in enumerate(records):
        if number == MOST_ROWS:
            raise NotTakenError(f"{file}: the table has more than {MOST_ROWS:,} rows.")
        row: dict[str, Any] = {}
        for name, value in record.items():
            column = columns.get(plain(name))
            shown = " ".join(name.split())[:60]
            if column is None and name not in part.further:
                (taken.texts if plain(name) in RULES_TEXT else taken.unknown)[shown] = None
            elif fault := no_fact(value):
                wrong(line, f"`{shown}` {fault}")
            elif column is None:
                row[name] = value
            elif value is not None and value != "":
                try:
                    row[column.name] = value_of(value, column.kind)
                except ValueError as error:
                    wrong(line, f"`{column.name}` {error}")
        if row:
            taken.rows.append((line, row))
    return taken


def no_fact(value: Any) -> str:
    """Return the reason why a value cannot be a fact, as the end of a sentence. Empty if it can be one."""
    if isinstance(value, dict | list):
        return next(filter(None, map(no_fact, [*value, *(value.values() if isinstance(value, dict) else ())])), "")
    if isinstance(value, str) and len(value) > LONGEST:
        return f"is {len(value):,} characters long; kb imports facts, not rules text"
    if isinstance(value, str) and NO_FACT.search(value):
        return f"is {value[:40]!r}: formulas, line breaks and hidden characters are not allowed"
    return ""


def value_of(value: Any, kind: str) -> Any:
    """Convert a cell or a JSON value to the type of a column. Raises ValueError with the end of a sentence if that is
    impossible.
    """
    text = " ".join(str(value).split())
    if kind == "list":
        parts = value if isinstance(value, list) else re.split(r"[,;|/]|\.\s", text)
        return [part for part in (" ".join(str(each).split()).strip(".") for each in parts) if part]
    if kind == "yes or no" and text.casefold() in YES | NO:
        return text.casefold() in YES
    if kind == "number":
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**6:
            return value
        # Spreadsheets write 3 as 3.0 or 3,0 if other cells in the column are empty.
        if whole := re.fullmatch(r"([0-9]{1,6})(?:[.,]0+)?", text):
            return int(whole[1])
    if kind == "text" and isinstance(value, str | int) and not isinstance(value, bool):
        return text
    raise ValueError(f"is {str(value)[:40]!r}; it must be {'a whole number' if kind == 'number' else kind}")


LARGEST_TABLE = 20_000_000
READING = Limits(seconds=60, memory=2_000_000_000)
"""The limits for reading a table."""
MOST_PROBLEMS = 10_000
READERS = {".csv": of_csv, ".tsv": of_csv, ".json": of_json}
CARDS = ImportStore(CardList, "kb import cards", "list", "No cards have been imported.")


@frozen
class ImportedCards(Imported):
    """An imported table of cards."""

    rows: int
    """Number of imported rows."""


@frozen
class LeftOut(Jsonable):
    """Columns that were not imported."""

    texts: tuple[str, ...]
    """Columns with rules text."""
    unknown: tuple[str, ...]
    """Columns that kb does not know."""


@frozen
class TakenCards(ImportedCards):
    """The result of importing a table of cards."""

    cards: int
    """Number of cards that were new to kb."""
    characters: int
    """Number of characters that were new to kb."""
    counted: int
    """Number of known cards whose copies the table counts."""
    left_out: LeftOut
    """Columns that were left out."""
    private: bool = True
    """Always true: only searches and deck checks on this machine use them."""


def in_short(table: CardList) -> ImportedCards:
    """Return a table's entry for the list of imports."""
    return ImportedCards(table.id, table.title, table.game, table.file, len(table.rows))


def own_cards_of(game: str) -> OwnCards:
    """Return the game's part that reads the user's own cards. Raises NotTakenError if the game has none."""
    part = own_part(cards_of(game))
    if part is None:
        able = [about.title for about in registry.games().values() if own_part(cards_of(about.id))]
        about = registry.about(game)
        raise NotTakenError(
            f"{about.title if about else game} does not support cards of your own; {', '.join(able)} do."
        )
    return part


def read_table(file: Path, game: str, _tell: object) -> tuple[str, Rows, list[tuple[int, str]]]:
    """Read the table in `file`. Return its SHA-256, its rows, and its errors, each with a line number. Raises
    NotTakenError and OSError.
    """
    part, raw = own_cards_of(game), CARDS.read(file, LARGEST_TABLE)
    problems: list[tuple[int, str]] = []

    def wrong(line: int, sentence: str) -> None:
        if len(problems) == MOST_PROBLEMS:
            raise NotTakenError(f"{file}: more than {MOST_PROBLEMS:,} problems; line {line}: {sentence}.")
        problems.append((line, sentence))

    read = rows_of(READERS[file.suffix.casefold()](CARDS.text(raw, file), part, wrong), part, wrong, file)
    return hashlib.sha256(raw).hexdigest(), read, problems


def import_cards(
    file: Path, data: Path, game: str, known: Known, title: str | None = None, name: str | None = None
) -> TakenCards:
    """Read the table in `file` and store it below `data` as a list of the user's own cards of `game`.

    An older list with the same `name` is replaced. By default, the name is made from the title, and the title from the
    file name. `known` are the records that kb ships. Raises NotTakenError with all wrong lines, or if the name belongs
    to another list, and OSError if the list cannot be written. After an error, nothing has changed.
    """
    part = own_cards_of(game)
    target, title = CARDS.place(data, file, game, title if title is not None else file.stem, name)
    if file.suffix.casefold() not in READERS:
        raise NotTakenError(f"{file}: kb reads cards from .csv, .tsv and .json.")
    try:
        digest, read, lines = bounded(read_table, file, game, limits=READING)
    except TooMuchWorkError as error:
        raise NotTakenError(f"{file}: {error} Import only part of the file.") from None
    problems = Problems(file.parent)
    wrong: Tell = partial(problems.add, file)
    for line, sentence in lines:
        wrong(line, sentence)
    index = part.index(known)
    counts = _check(read, part, index, _others(data, game, target.stem, part, index), wrong)
    if messages := [f"{problem}." for problem in problems.told()]:
        more = [f"… and {len(messages) - MOST_TOLD} more."] if len(messages) > MOST_TOLD else []
        raise NotTakenError("\n".join([*messages[:MOST_TOLD], *more]))
    if not read.rows:
        raise NotTakenError(
            f"{file}: the table has no cards; known columns are {', '.join(each.name for each in part.columns)}."
        )
    listed = CardList(
        id=target.stem,
        game=game,
        title=title,
        file=writable(file.name)[:300],
        sha256=digest,
        rows=[row for _line, row in read.rows],
    )
    CARDS.keep(listed, target, data)
    left_out = LeftOut(tuple(read.texts), tuple(read.unknown))
    return TakenCards(listed.id, title, game, listed.file, len(listed.rows), *counts, left_out)


def _check(read: Rows, part: OwnCards, index: Any, others: Mapping[str, str], wrong: Tell) -> tuple[int, int, int]:
    """Pass the errors of the rows to `wrong`. Return the numbers of new cards, of new characters, and of known cards
    whose copies are counted.
    """
    seen: dict[str, int] = {}
    counts: Counter[str] = Counter()
    for line, row in read.rows:
        try:
            made = part.records(row, index, strict=True)
        except OwnCardError as error:
            wrong(line, str(error))
            continue
        for kind, record in made:
            if kind not in (*BROUGHT, COPIES):
                continue
            key = part.named(record) if kind in BROUGHT else str(record["card"])
            if key in seen:
                wrong(line, f"{record['name']} is already on line {seen[key]}; write one row with all its copies")
            elif kind in BROUGHT and key in others:
                wrong(
                    line,
                    f"{record['name']} is already in your list {others[key]}; remove this row, or run `{removing(others[key])}`",
                )
            seen.setdefault(key, line)
            counts[kind] += 1
    return counts[CARD], counts[CHARACTER], counts[COPIES]


def _others(data: Path, game: str, list_id: str, part: OwnCards, index: Any) -> dict[str, str]:
    """Return, for each card in the game's lists other than `list_id`, the id of the list that contains it. The keys
    are the results of `OwnCards.named`.
    """
    list_by_card: dict[str, str] = {}
    for listed in kept(CardList, data):
        for row in listed.rows if listed.game == game and listed.id != list_id else ():
            try:
                made = part.records(row, index, strict=False)
            except OwnCardError:
                continue
            list_by_card.update({part.named(record): listed.id for kind, record in made if kind in BROUGHT})
    return list_by_card


def template(part: OwnCards) -> str:
    """Return an example of a table as CSV: the columns and a few rows."""
    out = io.StringIO()
    writer = csv.DictWriter(out, [column.name for column in part.columns], restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(part.samples)
    return out.getvalue()
