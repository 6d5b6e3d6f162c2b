"""Writes an export into a folder: beside first, then in the place of an older one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kb import __version__
from kb.api.schema import document
from kb.catalog.reader import Catalog
from kb.export.changes import INDEX, LARGEST, ExportError, changes, in_words, read_games
from kb.export.database import write_database
from kb.export.gather import game_files
from kb.export.shapes import LICENCE, SHAPES, GameFileJson, IndexFileJson
from kb.files.folders import files_below, real_folder, workshop
from kb.files.inside import NewFolder
from kb.files.named import named
from kb.files.outputs import refuse_inputs
from kb.files.read import read_bounded
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
    own: Catalog | None = None,
) -> IndexFileJson:
    """Write everything that the catalog holds into the folder `out`, and what changed since the export in `since`; also what the
    user has imported, of the catalog `own`.

    An older export in `out` is replaced whole. Raises ExportError when `out` holds something else or `since` no export,
    OutputError when `out` is `since` or holds it, OSError when it cannot be written; `out` is then as it was.
    """
    out = real_folder(out)
    refuse_inputs(out, [since])
    check_folder(out)
    older = read_games(since) if since else None
    report = progress or (lambda _share: None)
    games = game_files(catalog, own)
    pairs = [(target, entry) for entry, target, kind in catalog.links() if kind == "card"]
    report(0.7)
    out.parent.mkdir(parents=True, exist_ok=True)
    with workshop(out) as beside:
        made = beside / "export"
        told = changes(older[1], games, (older[0], __version__)) if older else None
        export = Export(made, games)
        write_database(
            made / DATABASE,
            games,
            {"version": __version__, "format": str(FORMAT), **{key: str(value) for key, value in LICENCE.items()}},
            pairs,
        )
        export.know(DATABASE, made / DATABASE)
        if told is not None:
            export.write_json("changes.json", told)
            export.write("CHANGES.md", in_words(told))
        index = export.close()
        report(0.95)
        with locked(out):
            check_folder(out)  # again: it took seconds to come here
            swap_in(made, out)
    report(1.0)
    return index


def check_folder(out: Path) -> None:
    """Raise ExportError where `out` is no folder, or holds a file that no export of kb wrote there: it would be lost."""
    if out.exists() and not out.is_dir():
        raise ExportError(f"{out} is something other than an export of kb. Name an empty or new folder.")
    others = sorted(files_below(out) - written(out)) if out.is_dir() else []
    if others:
        listed = ", ".join(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
        raise ExportError(
            f"{out} holds something other than an export of kb ({listed}), so nothing was written. Name an empty or new folder."
        )


def written(folder: Path) -> set[str]:
    """The files that the export in a folder names as its own; none where there is no export."""
    try:
        index = json.loads(read_bounded(folder / INDEX, LARGEST))
        return {INDEX, *map(str, index["files"])} if {"licence", "format", "games"} <= index.keys() else set()
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return set()


class Export:
    """An export that is written into a new folder: first everything of the games, then what else there is, at last the index of it all."""

    def __init__(self, folder: Path, games: Mapping[str, GameFileJson]) -> None:
        folder.mkdir(parents=True)
        self._folder = NewFolder(folder)
        self._games = games
        self.files: dict[str, str] = {}
        self.write("README.md", README.format(**LICENCE))
        for name, shape in SHAPES.items():
            self.write_json(f"schema/{name}.json", {**document(shape), "$comment": f"Licence: {LICENCE['texts']}"})
        for id_, game in games.items():
            self.write_json(f"games/{id_}.json", game)
            for entry in game["entries"]:
                self.write_json(f"entries/{entry['id']}.json", {"licence": LICENCE, "entry": entry})

    def write(self, name: str, text: str) -> None:
        """Write a file; its name may come from data."""
        path = self._folder.path(name)
        with named(path):
            path.write_bytes(text.encode("utf-8"))
        self.know(name, path)

    def write_json(self, name: str, value: Any) -> None:
        """Write a file of compact JSON."""
        self.write(name, f"{json.dumps(value, ensure_ascii=False, separators=(',', ':'))}\n")

    def know(self, name: str, path: Path) -> None:
        """Take a file that is written into the index."""
        self.files[name] = hashlib.sha256(path.read_bytes()).hexdigest()

    def close(self) -> IndexFileJson:
        """Write the index, which names every other file; returns it."""
        index: IndexFileJson = {
            "licence": LICENCE,
            "format": FORMAT,
            "version": __version__,
            "games": {
                id_: {key: len(game[key]) for key in ("entries", "cards", "checks")}  # type: ignore[misc]
                for id_, game in self._games.items()
            },
            "files": dict(sorted(self.files.items())),
        }
        self.write_json(INDEX, index)
        return index
