"""Writes tables that list the keys of records and files. `python -m kb.cli.keys README.md …` updates the tables in
these Markdown files.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from kb.cli.printed import in_words
from kb.decks.file_keys import Key, described
from kb.json_schema import document

BLOCK = re.compile(r"(<!-- keys: ([\w.]+):(\w+) -->\n).*?(<!-- end of keys -->)", re.S)
REFERENCE = re.compile(r"\[\w+\]\(#\w+\)")


def filled(text: str) -> str:
    """Return a text with all its tables of keys updated. A table is between `<!-- keys: MODULE:TYPE -->` and `<!-- end
    of keys -->`.
    """
    return BLOCK.sub(lambda match: f"{match[1]}{table(getattr(import_module(match[2]), match[3]))}{match[4]}", text)


def table(shape: type[Any] | tuple[Key, ...]) -> str:
    """Return the keys of `shape`, which is a type of records or of a file, as a Markdown table. Required keys of
    records are bold.
    """
    if keys := shape if isinstance(shape, tuple) else (*described(shape).values(),):
        return table_of(keys)
    schema = document(shape)
    rows = ["| key | values | meaning |", "| --- | --- | --- |"]
    for name, says in schema["properties"].items():
        if meaning := says.get("description"):
            bold = "**" if name in schema.get("required", ()) else ""
            rows.append(
                f"| {bold}`{name}`{bold} | {REFERENCE.sub('a record (below)', in_words(says))} | {' '.join(meaning.split())} |"
            )
    return "".join(f"{row}\n" for row in rows)


def table_of(keys: tuple[Key, ...]) -> str:
    """Return the keys of a file format as a Markdown table. If a key is required or has a default, the table has a
    column that says what it means if a file leaves the key out.
    """
    rows = [("key", "example", "meaning", "default"), ("---",) * 4]
    for key in keys:
        example = f"`{key.example}`" if key.example else ""
        rows.append((f"`{key.name}`", example, key.comment, "required" if key.needs else key.default))
    width = 4 if any(row[3] for row in rows[2:]) else 3
    return "".join(f"| {' | '.join(row[:width])} |\n" for row in rows)


if __name__ == "__main__":
    for readme in map(Path, sys.argv[1:]):
        readme.write_text(filled(readme.read_text(encoding="utf-8")), encoding="utf-8")
