"""Reads the files entries are written in, as text and as YAML: whatever is wrong with them is noted with its line."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from kb.files.read import read_bounded
from kb.files.safe_yaml import YamlError, load_yaml
from kb.sources.problems import Problems

LARGEST_FILE = 4_000_000
LONGEST_BODY = 40_000
# Control characters, and those that turn the direction of writing around: a text with them says other things than it shows.
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
FRONT, FRONT_ENDS = "---\n", re.compile(r"\n---[ \t]*\n")


def read_text(path: Path, problems: Problems) -> str | None:
    """The text of a source file; None and a noted problem when it cannot be read."""
    try:
        if path.is_file():  # anything else (a pipe, a link to nowhere) is not waited for
            text = read_bounded(path, LARGEST_FILE).decode("utf-8-sig").replace("\r\n", "\n")
            if hidden := HIDDEN.search(text):
                line, sign = text.count("\n", 0, hidden.start()) + 1, f"U+{ord(hidden[0]):04X}"
                problems.add(
                    path, line, f"the character {sign} is here, which nobody sees and no text needs; take it out"
                )
                return None
            return text
        problems.add(path, 0, "this is not a file")
    except UnicodeDecodeError as error:
        problems.add(path, 0, f"this is not UTF-8 text (byte {error.start})")
    except OSError as error:
        problems.add(path, 0, f"this cannot be read: {error.strerror}")
    return None


def read_yaml(path: Path, text: str, first_line: int, problems: Problems) -> Any:
    """The values of `text`, which begins at `first_line` of `path`; None and a noted problem when it is not YAML."""
    try:
        return load_yaml(text)
    except YamlError as error:
        problems.add(path, first_line + error.line - 1, error.what)
        return None


def front_matter(path: Path) -> str:
    """The YAML of the front matter (which begins in line 2) of a Markdown entry that was read; none when it has changed or gone since."""
    try:
        return front_matter_of(path, path.stat().st_mtime_ns)
    except OSError:
        return ""


@lru_cache(maxsize=2)  # of a broken entry hundreds of lines may be asked for
def front_matter_of(path: Path, _written: int) -> str:
    """`front_matter` of a file as it was written at a time."""
    found = parted(read_text(path, Problems(path.parent)) or "")
    return found[0] if found else ""


def parted(text: str) -> tuple[str, str] | None:
    """Front matter, and what stands below it; None where there is none."""
    ends = FRONT_ENDS.search(text, len(FRONT) - 1) if text.startswith(FRONT) else None
    return (text[len(FRONT) : ends.start() + 1], text[ends.end() :]) if ends else None


def split_markdown(path: Path, problems: Problems) -> tuple[dict[str, Any], str, int] | None:
    """Front matter, body and the body's first line of a Markdown entry; None with a noted problem when it has none."""
    text = read_text(path, problems)
    if text is None:
        return None
    found = parted(text)
    if not found:
        problems.add(path, 1, "an entry begins with front matter between two lines of ---")
        return None
    front, body = found
    if len(body) > LONGEST_BODY:
        problems.add(
            path,
            front.count("\n") + 3,
            f"the text is longer than {LONGEST_BODY:,} characters; make several entries of it",
        )
        return None
    before = len(problems.found)
    fields = read_yaml(path, front, 2, problems)
    if not isinstance(fields, dict):
        if len(problems.found) == before:
            problems.add(path, 2, "the front matter is not a list of keys and values")
        return None
    return fields, body.strip() + "\n", front.count("\n") + 3
