"""Writes an export into a folder: beside first, then in the place of an older one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from kb import __version__
from kb.api.schema import document
from kb.catalog.reader import Catalog
from kb.export.changes import INDEX, LARGEST, ExportError, changes, in_words, read_games
from kb.export.database import write_database
from kb.export.gather import game_files
from kb.export.shapes import LICENCE, SHAPES, ChangesFileJson, CountsJson, GameFileJson, IndexFileJson
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
    report(0.7)
    out.parent.mkdir(parents=True, exist_ok=True)
    with workshop(out) as beside:
        made = beside / "export"
        told = changes(older[1], games, (older[0], __version__)) if older else None
        index = write_files(catalog, games, made, told)
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


def write_files(
    catalog: Catalog,
    games: Mapping[str, GameFileJson],
    folder: Path,
    told: ChangesFileJson | None = None,
) -> IndexFileJson:
    """Write the files of an export into the new folder `folder`."""
    export = Export(folder)
    for game in games.values():
        export.add(game["id"], game.items())
    about = {"version": __version__, "format": str(FORMAT), **{key: str(value) for key, value in LICENCE.items()}}
    named = [(target, entry) for entry, target, kind in catalog.links() if kind == "card"]
    write_database(folder / DATABASE, games, about, named)
    export.files[DATABASE] = hashlib.sha256((folder / DATABASE).read_bytes()).hexdigest()
    if told is not None:
        export.write("changes.json", f"{compact(told)}\n")
        export.write("CHANGES.md", in_words(told))
    return export.close()


class Export:
    """An export that is written: one game after the other, and of a game one entry or card."""

    def __init__(self, folder: Path) -> None:
        """Begin one in the new folder `folder`."""
        folder.mkdir(parents=True)
        self._folder = NewFolder(folder)
        self.files: dict[str, str] = {}
        self._games: dict[str, CountsJson] = {}
        self.write("README.md", README.format(**LICENCE))
        for name, shape in SHAPES.items():
            described = {**document(shape), "$comment": f"Licence: {LICENCE['texts']}"}
            self.write(f"schema/{name}.json", f"{compact(described)}\n")

    def add(self, game: str, parts: Iterable[tuple[str, Any]]) -> None:
        """Write the files of a game, of which entries and cards may come one after the other (kb.export.gather.game_parts)."""
        counts: CountsJson = {"entries": 0, "cards": 0, "checks": 0}
        self._put(f"games/{game}.json", self._in_pieces(parts, counts))
        self._games[game] = counts

    def write(self, name: str, text: str) -> None:
        """Write a file; its name may come from data."""
        self._put(name, [text])

    def close(self) -> IndexFileJson:
        """Write the index, which names every other file; returns it."""
        index: IndexFileJson = {
            "licence": LICENCE,
            "format": FORMAT,
            "version": __version__,
            "games": self._games,
            "files": dict(sorted(self.files.items())),
        }
        self.write(INDEX, f"{compact(index)}\n")
        return index

    def _in_pieces(self, parts: Iterable[tuple[str, Any]], counts: CountsJson) -> Iterator[str]:
        """The file of a game, an entry or card at a time: whole it would be the largest text that a build holds. Each entry is also
        written to a file of its own."""
        before = "{"
        for key, value in parts:
            yield f'{before}"{key}":'
            before = ","
            if not isinstance(value, list | Iterator):
                yield compact(value)
                continue
            number = 0
            for number, item in enumerate(value, 1):
                text = compact(item)
                if key == "entries":
                    self.write(f"entries/{item['id']}.json", entry_file(text))
                yield f"{'[' if number == 1 else ','}{text}"
            yield "]" if number else "[]"
            if key in counts:
                counts[key] = number  # type: ignore[literal-required]
        yield "}\n"

    def _put(self, name: str, pieces: Iterable[str]) -> None:
        digest = hashlib.sha256()
        path = self._folder.path(name)
        with named(path), path.open("wb") as file:
            for piece in pieces:
                data = piece.encode("utf-8")
                file.write(data)
                digest.update(data)
        self.files[name] = digest.hexdigest()


def entry_file(entry: str) -> str:
    """The file of an entry, from the entry as JSON."""
    return f'{{"licence":{compact(LICENCE)},"entry":{entry}}}\n'


def compact(value: Any) -> str:
    """A value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
