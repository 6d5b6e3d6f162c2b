"""Fits text to a terminal: words wrap, lines that go on hang, nothing is broken in the middle. Knows the marks of bold and colour."""

from __future__ import annotations

import re
import shutil
import sys
import unicodedata

MARKS = re.compile(r"\x1b\[[\d;]*m")
LEADING = re.compile(r"^((?:\x1b\[[\d;]*m)+)( +)")
# What ends a mark, with the marks that it ends.
ENDS = {"\x1b[22m": ("\x1b[1m", "\x1b[2m"), "\x1b[39m": tuple(f"\x1b[{colour}m" for colour in range(30, 38))}
NARROWEST = 20
# Where a word that is longer than a line may be parted: an id or a path after these signs.
PARTS = re.compile(r"[^/\-_,]*[/\-_,]+|[^/\-_,]+")


def columns() -> int:
    """How many characters stand in a line of the terminal."""
    return max(NARROWEST, shutil.get_terminal_size().columns)


def rows() -> int:
    """How many lines the terminal shows."""
    return max(6, shutil.get_terminal_size().lines)


def width_of(text: str) -> int:
    """How many columns a text takes: marks none, wide characters two."""
    bare = MARKS.sub("", text)
    if bare.isascii():
        return len(bare)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in bare
    )


def fitted(text: str, hang: int = 2, width: int | None = None) -> str:
    """Text as it is printed on standard output: its lines wrapped to the terminal, and as they are when it is none."""
    if width is None:
        if not sys.stdout.isatty():
            return text
        width = columns()
    return "\n".join(wrapped(line, width, hang) for line in text.split("\n"))


def wrapped(line: str, width: int, hang: int = 2) -> str:
    """A line in lines of at most `width` columns: those after the first begin `hang` columns further in than it does."""
    if width_of(line) <= width:
        return line
    line = LEADING.sub(r"\2\1", line)
    text = line.lstrip(" ")
    indent = len(line) - len(text)
    further = " " * min(indent + hang, width * 2 // 3)
    done: list[str] = []
    now, size = " " * indent, indent
    gap = ""
    for token in re.findall(r" +|[^ ]+", text):
        if token[0] == " ":
            gap = token
            continue
        for part in parted(token, width - len(further)):
            wide = width_of(part)
            if size + len(gap) + wide > width and now.strip():
                done.append(now)
                now, size, gap = further, len(further), ""
            now += gap + part
            size += len(gap) + wide
            gap = ""
    return "\n".join(closed([*done, now]))


def closed(lines: list[str]) -> list[str]:
    """Lines whose marks end with each of them and begin anew in the next: a pager shows lines by themselves."""
    done = []
    open_marks: list[str] = []
    for line in lines:
        text = line.lstrip(" ")
        done.append(" " * (len(line) - len(text)) + "".join(open_marks) + text)
        for mark in MARKS.findall(text):
            if mark in ENDS:
                open_marks = [other for other in open_marks if other not in ENDS[mark]]
            else:
                open_marks.append(mark)
        if open_marks:
            done[-1] += "".join(end for end, begun in ENDS.items() if any(mark in begun for mark in open_marks))
    return done


def parted(word: str, room: int) -> list[str]:
    """A word as it is, or in pieces that fit in `room` columns: an id after its slashes and hyphens, anything else where it must be."""
    if width_of(word) <= room:
        return [word]
    pieces = []
    for part in PARTS.findall(word):
        bare = MARKS.sub("", part)
        if len(bare) <= room or bare != part:
            pieces.append(part)
        else:
            pieces += [part[start : start + room] for start in range(0, len(part), room)]
    return pieces
