"""Writes an export into a folder: beside first, then in the place of an older one."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kb import __version__
from kb.api.schema import document
from kb.catalog.reader import Catalog
from kb.export.changes import INDEX, ExportError, changes, in_words, read_games
from kb.export.database import write_database
from kb.export.gather import game_files
from kb.export.shapes import LICENCE, SHAPES, ChangesFileJson, GameFileJson, IndexFileJson
from kb.files.inside import inside
from kb.files.swap import locked, swap_in

FORMAT = 1
DATABASE = "kb.sqlite"
README = """# Data of kb

| file | what it holds |
| --- | --- |
| `index.json` | what is here: games, counts, the SHA-256 of every other file |
| `games/<game>.json` | everything of a game: documents, entries, topics, deck checks with the entries they cite, card facts |
| `entries/<id>.json` | one entry each |
| `schema/*.json` | JSON Schema of these files |
| `kb.sqlite` | the same as tables, with a full-text index; its comments explain them (`sqlite3 kb.sqlite .schema`) |
| `changes.json`, `CHANGES.md` | what changed since another export, where one was named |

Licence of the texts and of the arrangement of the facts: {texts}. Name: {attribution}. {notice}
"""


def write_export(
    catalog: Catalog,
    out: Path,
    since: Path | None = None,
    progress: Callable[[float], None] | None = None,
    own: bool = False,
) -> IndexFileJson:
    """Write everything that the catalog holds into the folder `out`, and what changed since the export in `since`; with `own` also
    what the user has imported.

    An older export in `out` is replaced whole. Raises ExportError when `out` holds something else or `since` no export,
    OSError when it cannot be written; `out` is then as it was.
    """
    out = out.absolute()
    if out.exists() and not (out.is_dir() and ((out / INDEX).is_file() or not any(out.iterdir()))):
        raise ExportError(f"{out} holds something other than an export of kb. Name an empty or new folder.")
    older = read_games(since) if since else None
    report = progress or (lambda _share: None)
    games = game_files(catalog, own)
    report(0.7)
    out.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{out.name[:80]}-", dir=out.parent))
    try:
        made = beside / "export"
        told = changes(older[1], games, (older[0], __version__)) if older else None
        index = write_files(catalog, games, made, told)
        report(0.95)
        with locked(out):
            swap_in(made, out)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    report(1.0)
    return index


def write_files(
    catalog: Catalog,
    games: Mapping[str, GameFileJson],
    folder: Path,
    told: ChangesFileJson | None = None,
    database: bool = True,
) -> IndexFileJson:
    """Write the files of an export into the new folder `folder`; without `database` no SQLite file."""
    folder.mkdir(parents=True)
    write(folder, "README.md", README.format(**LICENCE))
    for name, shape in SHAPES.items():
        write_json(folder, f"schema/{name}.json", {**document(shape), "$comment": f"Licence: {LICENCE['texts']}"})
    for game in games.values():
        write_json(folder, f"games/{game['id']}.json", game)
        for entry in game["entries"]:
            write_json(folder, f"entries/{entry['id']}.json", {"licence": LICENCE, "entry": entry})
    if database:
        about = {"version": __version__, "format": str(FORMAT), **{key: str(value) for key, value in LICENCE.items()}}
        named = [(target, entry) for entry, target, kind in catalog.links() if kind == "card"]
        write_database(folder / DATABASE, games, about, named)
    if told is not None:
        write_json(folder, "changes.json", told)
        write(folder, "CHANGES.md", in_words(told))
    index: IndexFileJson = {
        "licence": LICENCE,
        "format": FORMAT,
        "version": __version__,
        "games": {
            game["id"]: {"entries": len(game["entries"]), "cards": len(game["cards"]), "checks": len(game["checks"])}
            for game in games.values()
        },
        "files": {
            path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        },
    }
    write_json(folder, INDEX, index)
    return index


def write_json(folder: Path, name: str, value: Any) -> None:
    """Write a value as compact JSON."""
    write(folder, name, json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")


def write(folder: Path, name: str, text: str) -> None:
    """Write a file below `folder`; its name may come from data."""
    path = inside(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
