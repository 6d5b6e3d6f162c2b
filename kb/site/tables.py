"""Tables that the page draws on demand: columns, filters and rows as data, for any game."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from markupsafe import Markup

from kb.frozen import frozen

Cell = Any
"""The content of a column, by its kind: `link` is a list of text, address and an addition; `links` a list of such
lists; `number` a number, a word or None; `words` a list of words with a colour each; `icons` a list of pairs of
icon and count; `text` a text or a list.
"""


@frozen
class TableColumn:
    """A column: its heading, the kind of its cells, and whether rows can be sorted by it. With `icon`, the heading is
    that drawing.
    """

    words: str
    kind: str = "text"
    sorts: bool = True
    icon: str = ""


@frozen
class Filter:
    """A choice above the table: it keeps the rows whose value number `at` matches.

    `kind` is `one` (the value is the choice, or a list with it), `most` (the value is a number up to the choice), `bit`
    (the value is a `mask`, the choice one of `values` by its position) or `flag` (a box: the value is a list with the
    filter's `key`).
    """

    key: str
    words: str
    at: int
    values: Sequence[tuple[str, str]] = ()
    kind: str = "one"


@frozen
class SiteTable:
    """A table. A row has a cell for each column, then values that only filters use; its addresses are from the top of
    the site.

    `what` names the rows ("cards"), `anchors` gives each row an id on the page, `note` is shown below the filters,
    `icons` are the drawings that cells use. `told`: the second last column is a sentence, so that a row is a block on a
    phone.
    """

    what: str
    columns: Sequence[TableColumn]
    filters: Sequence[Filter] = ()
    rows: Sequence[list[Cell]] = ()
    anchors: Sequence[str] = ()
    note: str = ""
    icons: Sequence[str] = ()
    told: bool = False

    def data(self, link: Callable[[str], str]) -> Markup:
        """Return the data of the page's script (table.js), safe within a page; `link` returns an address relative to
        the page.
        """
        filters = [
            [choice.key, choice.kind, choice.at, [value for value, _words in choice.values]] for choice in self.filters
        ]
        rows = ",".join(as_json(self._row(row, link)) for row in self.rows)
        anchors = f',"anchors":{as_json(list(self.anchors))}' if self.anchors else ""
        columns = as_json([column.kind for column in self.columns])
        text = f'{{"columns":{columns},"filters":{as_json(filters)},"rows":[{rows}]{anchors}}}'
        return Markup(text.replace("<", "\\u003c").replace("\u2028", " ").replace("\u2029", " "))

    def links(self, link: Callable[[str], str]) -> list[tuple[str, str]]:
        """Return text and address of the first link of each row, for browsers without scripts."""
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
    """Return a value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def mask(positions: Iterable[int]) -> str:
    """Return a set of positions for the page: a hexadecimal number, its lowest digit first."""
    bits = sum(1 << position for position in set(positions))
    return f"{bits:x}"[::-1] if bits else ""


def values(listed: Iterable[Any]) -> list[tuple[str, str]]:
    """Return the choices of a filter, one for each value in `listed`, labelled with the value itself."""
    return [(str(value), str(value)) for value in listed]
