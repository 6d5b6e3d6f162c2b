"""Identical sources give identical tables, pages and answers, byte for byte, in any folder, time zone, locale and hash seed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

# A fresh process each: hash seeds and time zones are set for a whole one. 25 hours lie between the two zones: their days differ.
WORLDS = {
    "one": {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"},
    "another place": {"PYTHONHASHSEED": "4711", "TZ": "Pacific/Pago_Pago", "LC_ALL": "C.UTF-8"},
}


def everything(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def run(world: Path, environment: dict[str, str], *args: str) -> bytes:
    """Run `kb` in a folder of its own, on its sources."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("KB_")}
    given = {**clean, **environment, "KB_SOURCES": str(world / "sources"), "KB_HOME": str(world / "home")}
    command = [sys.executable, "-m", "kb", *args]
    return subprocess.run(command, env=given, cwd=world, capture_output=True, check=True).stdout


def test_tables_site_and_answers(sources: Any, tmp_path: Path) -> None:
    sources.entry("chess/rulings/one", "Ruling", "Yes.", kind="ruling", about="[ch.castling]", formerly="[chess/old]")
    for number in range(30):
        sources.entry(
            f"chess/more/rule-{number}", f"Rule {number}", f"Piece {number} moves; see [[fork]]. A pawn stays."
        )
    made: list[dict[str, bytes]] = []
    for name, environment in WORLDS.items():
        world = tmp_path / name
        shutil.copytree(sources.root, world / "sources")
        run(world, environment, "site", "build", "--out", "site")
        run(world, environment, "site", "build", "--single", "kb.html")
        answered = run(world, environment, "search", "--json", "castling")
        catalog = next((world / "home/cache").glob("*/build-*"))
        made.append(
            {
                "catalog.sqlite": (catalog / "catalog.sqlite").read_bytes(),  # Whoosh names its files by chance
                **everything(world / "site"),
                "kb.html": (world / "kb.html").read_bytes(),
                "-": answered,
            }
        )
    first, second = made
    assert first.keys() == second.keys()
    assert [name for name in sorted(first) if first[name] != second[name]] == []
    assert {"catalog.sqlite", "index.html", ".kb-site.json"} <= first.keys()
