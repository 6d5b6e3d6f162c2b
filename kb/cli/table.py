"""Tables in aligned columns. On a terminal that is too narrow the widest columns wrap within themselves, and at last rows are stacked."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from kb.cli.layout import columns, width_of, wrapped
from kb.cli.terminal import strong, tell, visible

GAP = 2
# A column of words is not made narrower than this.
LEAST = 10


def print_table(rows: Sequence[Sequence[str]], indent: int = 0, whole: int | None = None) -> None:
    """Print rows, the first of which has the names of the columns; the column with the number `whole` never wraps."""
    shown = [[visible(cell) for cell in row] for row in rows]
    widths = [max(width_of(row[at]) for row in shown) for at in range(len(shown[0]))]
    if not sys.stdout.isatty():
        for row in shown:
            tell((" " * indent + line_of(row, widths)).rstrip())
        return
    room = columns()
    fitting = narrowed(widths, room - indent, whole)
    if fitting is None:
        print_stacked(shown, indent, whole, room)
        return
    for number, row in enumerate(shown):
        cells = [wrapped(cell, width, 0).split("\n") for cell, width in zip(row, fitting, strict=True)]
        for at in range(max(map(len, cells))):
            parts = [cell[at] if at < len(cell) else "" for cell in cells]
            line = (" " * indent + line_of(parts, fitting)).rstrip()
            tell(strong(line) if number == 0 else line)


def line_of(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Cells side by side, each as wide as its column."""
    return (" " * GAP).join(cell + " " * (width - width_of(cell)) for cell, width in zip(cells, widths, strict=True))


def narrowed(widths: Sequence[int], room: int, whole: int | None) -> list[int] | None:
    """The widths that fit in `room`: the widest columns give first; None when they cannot."""
    found = list(widths)
    over = sum(found) + GAP * (len(found) - 1) - room
    while over > 0:
        widest = max((at for at in range(len(found)) if at != whole), key=lambda at: found[at], default=None)
        if widest is None or found[widest] <= LEAST:
            return None
        found[widest] -= 1
        over -= 1
    return found


def print_stacked(rows: Sequence[Sequence[str]], indent: int, whole: int | None, room: int) -> None:
    """Each row as its first cell with the others below it; the one that stays whole in a line of its own."""
    names, *rest = rows
    for row in rest:
        tell(wrapped(" " * indent + strong(row[0]), room))
        others = [
            f"{name} {cell}"
            for at, (name, cell) in enumerate(zip(names, row, strict=True))
            if at not in (0, whole) and cell
        ]
        if others:
            tell(wrapped(" " * (indent + 2) + " · ".join(others), room, 0))
        if whole is not None:
            tell(" " * (indent + 2) + row[whole], hang=0)
