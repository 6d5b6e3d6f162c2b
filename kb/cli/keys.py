"""The keys of records as tables: `python -m kb.cli.keys README.md …` writes those in these files anew."""

from __future__ import annotations

import re
import sys
from dataclasses import MISSING, fields
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

from kb.cli.printed import in_words
from kb.records import name_of

BLOCK = re.compile(r"(<!-- keys: ([\w.]+):(\w+) -->\n).*?(<!-- end of keys -->)", re.S)


def filled(text: str) -> str:
    """A text with the table of keys in each of its blocks, from `<!-- keys: MODULE:TYPE -->` to `<!-- end of keys -->`."""
    return BLOCK.sub(lambda found: f"{found[1]}{table(getattr(import_module(found[2]), found[3]))}{found[4]}", text)


def table(shape: type[Any]) -> str:
    """The keys of a type of records as a table in Markdown, its own before those that it shares; a needed key is bold."""
    hints = get_type_hints(shape)
    rows = ["| key | values | meaning |", "| --- | --- | --- |"]
    for each in sorted(fields(shape), key=lambda each: each.name not in shape.__annotations__):
        if each.metadata:  # made by `key`
            bold = "**" if each.default is MISSING else ""
            meaning = each.metadata["description"]
            rows.append(f"| {bold}`{name_of(each)}`{bold} | {in_words(hints[each.name])} | {meaning} |")
    return "".join(f"{row}\n" for row in rows)


if __name__ == "__main__":
    for readme in map(Path, sys.argv[1:]):
        readme.write_text(filled(readme.read_text(encoding="utf-8")), encoding="utf-8")
