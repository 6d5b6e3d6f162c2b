"""What a site carries for programs: the export under `api/`, and `llms.txt`, which says to assistants what is where."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from kb.catalog.reader import Catalog
from kb.export.shapes import LICENCE
from kb.export.write import Export, game_file
from kb.registry import games
from kb.site.folder import site_folder
from kb.site.library import Library

FOLDER = "api"
LLMS = "llms.txt"


def write_data(catalog: Catalog, library: Library, site: Path, name: str, address: str) -> None:
    """Write both into the folder `site`, of the games that are in it and nothing of the user's own; the site is called `name` and will
    stand at an `address`, when that is known."""
    index = Export(site / FOLDER, {game: game_file(catalog, game) for game in sorted(library.games)}).close()
    told = {game.id: game.tagline for game in games().values()}
    shown = [
        {
            "id": game,
            "title": title,
            "tagline": told.get(game, ""),
            "shelves": [shelf for shelf in library.shelves.values() if shelf.game == game and shelf.id != game],
            **index["games"][game],
        }
        for game, title in library.games.items()
    ]
    environment = Environment(
        loader=FileSystemLoader(site_folder() / "templates"),
        trim_blocks=True,
        lstrip_blocks=True,
        line_statement_prefix="%",
    )
    template = environment.get_template(f"{LLMS}.j2")
    text = template.render(name=name, at=address, games=shown, data=FOLDER, licence=LICENCE)
    (site / LLMS).write_text(text.strip() + "\n", encoding="utf-8")
