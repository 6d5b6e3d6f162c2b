"""What a site carries for programs: the export under `api/`, and `llms.txt`, which says to assistants what is where."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from kb.catalog.reader import Catalog
from kb.export.gather import game_files
from kb.export.shapes import LICENCE
from kb.export.write import write_files
from kb.games import games
from kb.site.identity import Identity
from kb.site.library import Library

FOLDER = "api"
LLMS = "llms.txt"


def write_data(catalog: Catalog, library: Library, templates: Path, site: Path, identity: Identity) -> None:
    """Write both into a built site: of the games that are in it, and nothing of the user's own."""
    files = {game: file for game, file in game_files(catalog).items() if game in library.games}
    write_files(catalog, files, site / FOLDER, database=False)
    told = {game.id: game.tagline for game in games().values()}
    shown = [
        {
            "id": game,
            "title": title,
            "tagline": told.get(game, ""),
            "shelves": [shelf for shelf in library.shelves.values() if shelf.game == game and shelf.id != game],
            "entries": len(files[game]["entries"]),
            "cards": len(files[game]["cards"]),
            "checks": len(files[game]["checks"]),
        }
        for game, title in library.games.items()
    ]
    environment = Environment(loader=FileSystemLoader(templates), trim_blocks=True, lstrip_blocks=True)
    template = environment.get_template(f"{LLMS}.j2")
    text = template.render(name=identity.name, at=identity.url, games=shown, data=FOLDER, licence=LICENCE)
    (site / LLMS).write_text(text.strip() + "\n", encoding="utf-8")
