"""Put the name of the repository's owner into every file that names it: `python tools/set_owner.py NAME`.

`server.json` holds the current name (OWNER until the first publication), so the script can be run again after a move.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILES = ("pyproject.toml", "README.md", "CITATION.cff", "server.json")
NAME = re.compile(r"[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}")
"""A name that GitHub allows for a user or organization."""


def owner(root: Path) -> str:
    """Return the current owner: the part of the server's name between `io.github.` and the slash."""
    name: str = json.loads((root / "server.json").read_text(encoding="utf-8"))["name"]
    return name.removeprefix("io.github.").partition("/")[0]


def set_owner(root: Path, new: str) -> list[str]:
    """Replace the current owner in all files below `root`; return the names of the changed files."""
    old, changed = re.escape(owner(root)), []
    places = re.compile(rf"(io\.github\.|github\.com/){old}(?=/kb)|(?<=https://){old}(?=\.github\.io/kb)")
    for name in FILES:
        path = root / name
        text = path.read_text(encoding="utf-8")
        replaced = places.sub(lambda match: f"{match[1] or ''}{new}", text)
        if replaced != text:
            path.write_text(replaced, encoding="utf-8")
            changed.append(name)
    return changed


if __name__ == "__main__":
    if len(sys.argv) != 2 or not NAME.fullmatch(sys.argv[1]):
        sys.exit("Usage: python tools/set_owner.py NAME (letters, digits and single hyphens)")
    print("Changed:", ", ".join(set_owner(ROOT, sys.argv[1])) or "nothing")
