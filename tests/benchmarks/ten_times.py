"""Writes sources of N times the repository's content and cards. Run: python tests/benchmarks/ten_times.py FOLDER [N]

Then `KB_SOURCES=FOLDER KB_HOME=… kb build`, and the like. Each copy of an entry stands in a folder of its own within its game, with its links
leading to copies where they led beside it. Copies of cards have names and codes of their own, in the sets and packs that are there.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FORMERLY = re.compile(r"^formerly:.*(?:\n[ -].*)*\n", re.M)


def main(folder: Path, times: int) -> None:
    """Write the sources into a new folder."""
    shutil.copytree(ROOT / "content", folder / "content")
    shutil.copytree(ROOT / "cards", folder / "cards")
    for game in sorted(path for path in (ROOT / "content").iterdir() if path.is_dir()):
        for number in range(1, times):
            copy_entries(game, folder / "content" / game.name / f"copy-{number}")
    for file in sorted((ROOT / "cards").glob("arkham/player/*.json")) + sorted(
        (ROOT / "cards").glob("arkham/encounter/*.json")
    ):
        copies = list(cards_of_arkham(file, times))
        write(folder / "cards" / file.relative_to(ROOT / "cards"), copies)
    for file in sorted((ROOT / "cards").glob("pathfinder/*/*.json")):
        if file.stem not in ("characters", "suggested_decks", "adventures"):
            write(folder / "cards" / file.relative_to(ROOT / "cards"), list(cards_of_pathfinder(file, times)))


def copy_entries(game: Path, folder: Path) -> None:
    """Copy the entries and lists of a game."""
    for path in sorted(game.rglob("*")):
        if path.suffix not in (".md", ".yaml") or path.name in (
            "README.md",
            "game.yaml",
            "sources.yaml",
            "synonyms.yaml",
        ):
            continue
        text = FORMERLY.sub("", path.read_text(encoding="utf-8"))
        target = folder / path.relative_to(game)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def cards_of_arkham(file: Path, times: int) -> Iterator[dict[str, Any]]:
    """The cards of a file, and copies with codes of their own."""
    for record in json.loads(file.read_text(encoding="utf-8")):
        yield record
        for number in range(1, times):
            renamed = {
                key: value
                for key, value in record.items()
                if key not in ("duplicate_of", "alternate_of", "back", "restrictions")
            }
            yield {**renamed, "code": f"{record['code']}c{number}", "name": f"{record['name']} copy {number}"}


def cards_of_pathfinder(file: Path, times: int) -> Iterator[dict[str, Any]]:
    """The cards of a file, and copies with names of their own."""
    for record in json.loads(file.read_text(encoding="utf-8")):
        yield record
        for number in range(1, times):
            yield {**record, "name": f"{record['name']} copy {number}"}


def write(path: Path, records: list[dict[str, Any]]) -> None:
    """Write records, one a line."""
    lines = ",\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10)
