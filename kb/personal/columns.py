"""Puts the rows of a page in the order in which people read them: by columns, from one full-width row to the next."""

from __future__ import annotations

from dataclasses import dataclass

# A gutter is a stretch that few rows reach over, with a fair share of the rows on each side of it.
STEP, REACH_OVER, EACH_SIDE, FEWEST = 2.0, 0.12, 0.12, 8


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a page: where it begins and ends (points from the left), its baseline (points from the foot), the size of its letters."""

    x: float
    end: float
    y: float
    size: float
    bold: bool
    text: str


def in_reading_order(rows: list[Row]) -> list[Row]:
    """The rows of a page, column by column; a row over several columns parts what stands above it from what stands below."""
    gutters = _gutters(rows)
    found: list[Row] = []
    band: list[Row] = []
    for row in sorted(rows, key=lambda row: (-row.y, row.x)):
        if any(row.x < gutter - 1 and row.end > gutter + 1 for gutter in gutters):
            found += _by_columns(band, gutters)
            band = []
            found.append(row)
        else:
            band.append(row)
    return found + _by_columns(band, gutters)


def _by_columns(band: list[Row], gutters: list[float]) -> list[Row]:
    def place(row: Row) -> tuple[int, float, float]:
        return sum(row.x >= gutter - 1 for gutter in gutters), -row.y, row.x

    return sorted(band, key=place)


def _gutters(rows: list[Row]) -> list[float]:
    """Where columns part: the middle of each stretch that hardly a row reaches over."""
    if len(rows) < FEWEST:
        return []
    left, right = min(row.x for row in rows), max(row.end for row in rows)
    free: list[list[float]] = []
    x = left + 0.15 * (right - left)
    while x < left + 0.85 * (right - left):
        over = sum(row.x < x < row.end for row in rows)
        before, after = sum(row.end <= x for row in rows), sum(row.x >= x for row in rows)
        if over <= REACH_OVER * len(rows) and min(before, after) >= EACH_SIDE * len(rows):
            if free and x - free[-1][-1] <= STEP * 1.5:
                free[-1].append(x)
            else:
                free.append([x])
        x += STEP
    # Rows that begin there (a ragged indent) do not make a column: the next one must begin close behind the stretch.
    return [stretch[len(stretch) // 2] for stretch in free if stretch[-1] - stretch[0] >= STEP * 2]
