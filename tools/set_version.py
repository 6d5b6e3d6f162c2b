"""Put a version into every file that names it: `python tools/set_version.py 0.2.0`.

A release dates its section of the changelog. A development version (`0.3.0.dev0`) opens a new section.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = re.compile(r"(\d+\.\d+\.\d+)((?:a|b|rc)\d+|\.dev\d+)?")
PLACES = {
    "kb/version.py": re.compile(r'(?<=__version__ = ")[^"]+'),
    "server.json": re.compile(r'(?<="version": ")[^"]+'),
    "CITATION.cff": re.compile(r"(?<=^version: ).+$", re.MULTILINE),
}
"""The pattern of the version in each file."""
UNRELEASED = re.compile(r"^## Unreleased.*$", re.MULTILINE)


def set_version(root: Path, new: str, today: date) -> list[str]:
    """Write the version `new` into all files below `root`; return the names of the changed files."""
    version_parts(new)
    changed = [
        name for name, place in PLACES.items() if replace(root / name, lambda text, place=place: place.sub(new, text))
    ]
    if replace(root / "CHANGELOG.md", lambda text: changelog(text, new, today)):
        changed.append("CHANGELOG.md")
    return changed


def changelog(text: str, new: str, today: date) -> str:
    """Return the changelog `text` with the heading that the version `new` asks for."""
    release, rest = version_parts(new)
    if not rest:
        return UNRELEASED.sub(f"## {release} ({today.isoformat()})", text, count=1)
    heading = f"## Unreleased ({release})"
    if UNRELEASED.search(text):
        return UNRELEASED.sub(heading, text, count=1)
    return text.replace("\n## ", f"\n{heading}\n\n## ", 1)


def version_parts(version: str) -> tuple[str, str]:
    """Return the release and what makes it a pre-release (or ""); raise ValueError if `version` is not a version."""
    match = VERSION.fullmatch(version)
    if not match:
        raise ValueError(f"{version!r} is not a version such as 0.2.0, 0.2.0rc1 or 0.3.0.dev0")
    return match[1], match[2] or ""


def replace(path: Path, change: Callable[[str], str]) -> bool:
    """Write the file `path` as `change` returns it; return True if it changed."""
    text = path.read_text(encoding="utf-8")
    changed = change(text)
    if changed != text:
        path.write_text(changed, encoding="utf-8")
    return changed != text


if __name__ == "__main__":
    if len(sys.argv) != 2 or not VERSION.fullmatch(sys.argv[1]):
        sys.exit("Usage: python tools/set_version.py VERSION (such as 0.2.0, 0.2.0rc1 or 0.3.0.dev0)")
    print("Changed:", ", ".join(set_version(ROOT, sys.argv[1], date.today())) or "nothing")
