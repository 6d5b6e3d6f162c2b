"""What a site carries for programs: the export under `api/`, and `llms.txt`, which says to assistants what is where."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from kb.catalog.reader import Catalog
from kb.export.again import write_again
from kb.export.changes import INDEX
from kb.export.gather import game_parts
from kb.export.shapes import LICENCE, IndexFileJson
from kb.export.write import Export
from kb.files.folders import files_below
from kb.registry import games
from kb.site.folder import site_folder
from kb.site.identity import Identity
from kb.site.library import Shelf

FOLDER = "api"
LLMS = "llms.txt"


@dataclass(frozen=True, slots=True)
class Older:
    """A built `site` that differs only by the texts of the entries `changed`, the `digest` that `write_data` gave for its export, and
    its files that are as they were written (`there`)."""

    site: Path
    digest: str
    changed: Collection[str]
    there: Collection[str]


def write_data(
    catalog: Catalog,
    titles: Mapping[str, str],
    shelves: Collection[Shelf],
    site: Path,
    identity: Identity,
    older: Older | None = None,
) -> tuple[str, set[str]]:
    """Write both into the folder `site`: of the games that are in it (`titles` by id, with their `shelves`), and nothing of the user's own.
    Returns the digest of the export, and the files of the site that were left out, as they stay."""
    site.mkdir(exist_ok=True)
    folder = site / FOLDER
    begin = f"{FOLDER}/"
    there = {name.removeprefix(begin) for name in older.there if name.startswith(begin)} if older else set()
    again = write_again(catalog, older.site / FOLDER, older.digest, older.changed, folder, there) if older else None
    index = again or write_whole(catalog, titles, folder)
    left = (there & index["files"].keys()) - files_below(folder) if again else set()
    told = {game.id: game.tagline for game in games().values()}
    shown = [
        {
            "id": game,
            "title": title,
            "tagline": told.get(game, ""),
            "shelves": [shelf for shelf in shelves if shelf.game == game and shelf.id != game],
            **index["games"][game],
        }
        for game, title in titles.items()
    ]
    environment = Environment(
        loader=FileSystemLoader(site_folder() / "templates"), trim_blocks=True, lstrip_blocks=True
    )
    template = environment.get_template(f"{LLMS}.j2")
    text = template.render(name=identity.name, at=identity.url, games=shown, data=FOLDER, licence=LICENCE)
    (site / LLMS).write_text(text.strip() + "\n", encoding="utf-8")
    return sha256((folder / INDEX).read_bytes()).hexdigest(), {f"{begin}{name}" for name in left}


def write_whole(catalog: Catalog, chosen: Iterable[str], folder: Path) -> IndexFileJson:
    """Write the export of some games, without the database; no whole game is in memory."""
    export = Export(folder)
    for game in sorted(chosen):
        export.add(game, game_parts(catalog, game))
    return export.close()
