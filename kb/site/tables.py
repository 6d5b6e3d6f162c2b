"""Tables that a script draws on the page: columns, filters and rows as data, for any game."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from markupsafe import Markup

from kb.frozen import frozen

Cell = Any
"""The content of a cell. Its form depends on the kind of its column.

`link`: a list of text, address and any additions. `links`: a list of pairs of text and address. `number`: a number, a
word or None. `words`: a list of words, each shown in its colour. `icons`: a list of pairs of icon and count. `text`: a
text or a list.
"""


@frozen
class TableColumn:
    """A column of a table.

    `words` is its heading, `kind` the kind of its cells (see Cell). `sorts` is True if readers can sort the rows by it.
    With `icon`, that drawing is shown in place of the heading.
    """

    words: str
    kind: str = "text"
    sorts: bool = True
    icon: str = ""


@frozen
class Filter:
    """A choice above a table. It keeps the rows where the value at position `at` matches the reader's choice.

    `values` are the choices, as pairs of value and label. The `kind` says what a match is. `one`: the row's value is
    the choice, or a list that contains it. `most`: the row's value is a number, at most the chosen one. `bit`: the
    row's value is a `mask` that includes the position of the choice in `values`. `flag`: the filter is a tick box, and
    the row's value is a list that contains the filter's `key`.
    """

    key: str
    words: str
    at: int
    values: Sequence[tuple[str, str]] = ()
    kind: str = "one"


@frozen
class SiteTable:
    """A table of a page. Each row has a cell for each column, followed by values that only filters use.

    Addresses in the rows are paths from the top of the site. `what` names the rows ("cards"). `anchors` gives each row
    an id on the page. `note` is shown below the filters. `icons` are the names of the drawings that cells use. `told`
    is True if the second last column is a sentence; a row is then shown as a block on a phone.
    """

    what: str
    columns: Sequence[TableColumn]
    filters: Sequence[Filter] = ()
    rows: Sequence[list[Cell]] = ()
    anchors: Sequence[str] = ()
    note: str = ""
    icons: Sequence[str] = ()
    told: bool = False

    def sorts(self) -> list[tuple[str, str]]:
        """Return the orders to choose from, as pairs of value and label. The first one is the order of `rows`: it has
        the heading of the first column if the initials in that column are in alphabetical order.
        """
        columns = [(str(at), column.words) for at, column in enumerate(self.columns) if column.sorts]
        folded = (re.sub(r"\W", "", unicodedata.normalize("NFKD", row[0][0]).casefold()) for row in self.rows)
        initials = [
            "0" if text[:1].isdigit() else text[:1] for text in folded
        ]  # games sort signs and digits differently
        if columns[:1] == [("0", self.columns[0].words)] and initials == sorted(initials):
            return [("", columns[0][1]), *columns[1:]]
        return [("", "As listed"), *columns]

    def data(self, link: Callable[[str], str]) -> Markup:
        """Return the table's data for the page's script (table.js), as JSON that is safe inside HTML.

        `link` converts an address from the top of the site to one relative to the page.
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
        """Return the text and address of the first link in each row. Browsers without scripts show these links."""
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
    """Encode a set of positions as a hexadecimal number for the page, lowest digit first. Empty if there are no
    positions.
    """
    bits = sum(1 << position for position in set(positions))
    return f"{bits:x}"[::-1] if bits else ""


def values(listed: Iterable[Any]) -> list[tuple[str, str]]:
    """Return the choices of a filter: a pair of value and label for each item of `listed`, both with the item's text."""
    return [(str(value), str(value)) for value in listed]
