"""Draws the outlines of an SVG picture as a PNG: the icons of an installed site need pixels, and no library is worth that."""

from __future__ import annotations

import math
import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Point = tuple[float, float]
Colour = tuple[int, int, int]

TOKEN = re.compile(r"([MmLlHhVvAaZz])|(-?(?:\d+\.?\d*|\.\d+))")
TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "A": 7}
STEPS = 12
"""Straight pieces of which a bend of an outline is made."""
LINES = 4
"""Lines that are looked at for each row of pixels: edges are smooth."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A closed outline to be filled: polygons, of which one within another is a hole, and how much of the ink it takes."""

    polygons: tuple[tuple[Point, ...], ...]
    opacity: float


def shapes_of(svg: str) -> list[Shape]:
    """The paths of an SVG picture that is made of moves, lines and arcs alone, in their order."""
    return [
        Shape(
            tuple(tuple(polygon) for polygon in outlines(path[1])),
            float(found[1]) if (found := re.search(r'opacity="([\d.]+)"', path[0])) else 1.0,
        )
        for path in re.finditer(r'<path\b[^>]*?\bd="([^"]*)"[^>]*>', svg)
    ]


def outlines(text: str) -> Iterator[list[Point]]:
    """The polygons that the `d` of a path describes."""
    x = y = 0.0
    drawn: list[Point] = []
    for command, numbers in commands(text):
        kind, near = command.upper(), command.islower()
        if kind in "MZ" and drawn:
            yield drawn
            x, y = drawn[0] if kind == "Z" else (x, y)
            drawn = []
        if kind == "Z":
            continue
        from_x, from_y = (x, y) if near else (0.0, 0.0)
        before = (x, y)
        if kind != "V":
            x = from_x + numbers[-2 if kind != "H" else -1]
        if kind != "H":
            y = from_y + numbers[-1]
        drawn += arc(before, numbers, (x, y)) if kind == "A" else [(x, y)]
    if drawn:
        yield drawn


def commands(text: str) -> Iterator[tuple[str, list[float]]]:
    """The commands of a path with their numbers; numbers without a command repeat the one before (a line after a move)."""
    command, numbers = "", list[float]()
    for letter, number in TOKEN.findall(text):
        if letter:
            command = letter
            if letter in "Zz":
                yield letter, []
            continue
        numbers.append(float(number))
        if len(numbers) == TAKES[command.upper()]:
            yield command, numbers
            numbers = []
            command = {"M": "L", "m": "l"}.get(command, command)


def arc(start: Point, numbers: Sequence[float], end: Point) -> list[Point]:
    """Points of a circle's arc without its start; the longer way round is not known here, as no picture of ours has one."""
    radius, clockwise = numbers[0], bool(numbers[4])
    width, height = end[0] - start[0], end[1] - start[1]
    half = math.hypot(width, height) / 2
    radius = max(radius, half)
    away = math.sqrt(radius**2 - half**2) * (1 if clockwise else -1)
    middle = (
        (start[0] + end[0]) / 2 - away * height / (2 * half),
        (start[1] + end[1]) / 2 + away * width / (2 * half),
    )
    first = math.atan2(start[1] - middle[1], start[0] - middle[0])
    turn = math.atan2(end[1] - middle[1], end[0] - middle[0]) - first
    turn = turn % math.tau if clockwise else -(-turn % math.tau)
    return [
        (
            middle[0] + radius * math.cos(first + turn * step / STEPS),
            middle[1] + radius * math.sin(first + turn * step / STEPS),
        )
        for step in range(1, STEPS + 1)
    ]


def drawn(
    shapes: Sequence[Shape], box: float, size: int, share: float, ink: Colour, paper: Colour, beside: int = 0
) -> bytes:
    """A PNG of `size` pixels each way: shapes of a picture `box` wide, in the middle, as large as `share` of the square. With as many
    pixels of paper `beside` it on the left and on the right."""
    scale, edge = size * share / box, size * (1 - share) / 2
    layers = [(shape.opacity, list(edges_of(shape, scale, edge))) for shape in shapes]
    rows, shades = bytearray(), {0.0: bytes(paper)}  # most pixels have one of few shades
    for row in range(size):
        strength = [0.0] * size
        for opacity, edges in layers:
            for at, covered in enumerate(coverage(edges, row, size)):
                if covered:
                    strength[at] += (1 - strength[at]) * opacity * min(1.0, covered)
        rows.append(0)
        rows += bytes(paper) * beside
        for strong in strength:
            if strong not in shades:
                shades[strong] = bytes(round(p + (i - p) * strong) for i, p in zip(ink, paper, strict=True))
            rows += shades[strong]
        rows += bytes(paper) * beside
    return png(size + 2 * beside, size, bytes(rows))


def edges_of(shape: Shape, scale: float, away: float) -> Iterator[tuple[Point, Point]]:
    """The edges of a shape in pixels, but for level ones, which no line of pixels crosses."""
    for polygon in shape.polygons:
        points = [(x * scale + away, y * scale + away) for x, y in polygon]
        for one, two in zip(points, [*points[1:], points[0]], strict=True):
            if one[1] != two[1]:
                yield one, two


def coverage(edges: Sequence[tuple[Point, Point]], row: int, size: int) -> list[float]:
    """How much of each pixel of a row lies within the edges, an even number of which is outside."""
    covered = [0.0] * size
    for line in range(LINES):
        height = row + (line + 0.5) / LINES
        crossings = sorted(
            one[0] + (height - one[1]) * (two[0] - one[0]) / (two[1] - one[1])
            for one, two in edges
            if (one[1] <= height) != (two[1] <= height)
        )
        for left, right in zip(crossings[::2], crossings[1::2], strict=False):
            first, last = max(0, math.floor(left)), min(size - 1, math.floor(right))
            for at in range(first, last + 1):
                covered[at] += (min(right, at + 1) - max(left, at)) / LINES
    return covered


def png(width: int, height: int, rows: bytes) -> bytes:
    """A PNG of rows in red, green and blue, each behind a zero."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
