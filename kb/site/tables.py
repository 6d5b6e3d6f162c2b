"""Tables that the page draws as they are needed: columns, filters and rows as data, whichever game they are of."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from markupsafe import Markup

from kb.frozen import frozen

Cell = Any
"""What stands in a column, by its kind: `link` a list of text, address and an addition; `links` a list of such lists; `number` a number,
a word or None; `words` a list of words, each with a colour of its own; `icons` a list of an icon and how often; `text` a text or a list."""


@frozen
class Column:
    """A column: its heading, what its cells are, and whether rows can be sorted by it. With `icon` the heading is that drawing."""

    words: str
    kind: str = "text"
    sorts: bool = True
    icon: str = ""


@frozen
class Filter:
    """A choice above the table: it leaves the rows whose value number `at` fits.

    `kind` is `one` (the value is the choice, or a list with it), `most` (the value is a number up to the choice), `bit` (the value is
    a `mask`, the choice one of `values` by its position) or `flag` (a box: the value is a list with the filter's `key`).
    """

    key: str
    words: str
    at: int
    values: Sequence[tuple[str, str]] = ()
    kind: str = "one"


@frozen
class Table:
    """A table. A row has a cell for each column, then values that only filters read; addresses in it are from the top of the site.

    `what` names the rows ("cards"), `anchors` gives each row an id of the page, `note` stands below the filters, `icons` are the
    drawings that cells use. `told`: the last column but one is a sentence, so that a row is a block on a phone.
    """

    what: str
    columns: Sequence[Column]
    filters: Sequence[Filter] = ()
    rows: Sequence[list[Cell]] = ()
    anchors: Sequence[str] = ()
    note: str = ""
    icons: Sequence[str] = ()
    told: bool = False

    def data(self, link: Callable[[str], str]) -> Markup:
        """What the page's script reads (table.js), fit to stand within a page; `link` gives an address as seen from the page."""
        filters = [
            [choice.key, choice.kind, choice.at, [value for value, _words in choice.values]] for choice in self.filters
        ]
        rows = ",".join(as_json(self._row(row, link)) for row in self.rows)
        anchors = f',"anchors":{as_json(list(self.anchors))}' if self.anchors else ""
        columns = as_json([column.kind for column in self.columns])
        text = f'{{"columns":{columns},"filters":{as_json(filters)},"rows":[{rows}]{anchors}}}'
        return Markup(text.replace("<", "\\u003c").replace("\u2028", " ").replace("\u2029", " "))

    def links(self, link: Callable[[str], str]) -> list[tuple[str, str]]:
        """Text and address of the first link of each row: what a browser without scripts shows."""
        return [
            (" · ".join(filter(None, (row[0][0], *row[0][2:]))), link(row[0][1]))
            for row in self.rows
            if isinstance(row[0], list) and row[0][1]
        ]

    def _row(self, row: list[Cell], link: Callable[[str], str]) -> list[Cell]:
        return [
            self._cell(cell, self.columns[at].kind if at < len(self.columns) else "", link)
            for at, cell in enumerate(row)
        ]

    def _cell(self, cell: Cell, kind: str, link: Callable[[str], str]) -> Cell:
        if kind == "link" and cell[1]:
            return [cell[0], link(cell[1]), *cell[2:]]
        if kind == "links":
            return [[text, link(address) if address else ""] for text, address in cell]
        return cell


def as_json(value: object) -> str:
    """A value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def mask(positions: Iterable[int]) -> str:
    """A set of positions as the page reads it: a hexadecimal number, its lowest figure first."""
    bits = sum(1 << position for position in set(positions))
    return f"{bits:x}"[::-1] if bits else ""


def values(listed: Iterable[Any]) -> list[tuple[str, str]]:
    """The choices of a filter from values: each is shown as its own text."""
    return [(str(value), str(value)) for value in listed]
