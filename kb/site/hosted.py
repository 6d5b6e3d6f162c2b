"""Additional files of a site on a server.

For phones, these are the manifest for installation and the edition for offline readers. For programs, they are the
export under `api/` and `llms.txt`, which describes the site to AI assistants.

The edition is a file that contains the whole site. It is named by a hash of its content, so that equal sites give equal
bytes.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import struct
from mimetypes import guess_type
from pathlib import Path

from kb.catalog.reader import Catalog
from kb.export.json_types import LICENCE
from kb.export.write import Export, game_file
from kb.files.folders import files_below
from kb.registry import games
from kb.site.folder import site_folder, templates_of
from kb.site.library import Library
from kb.site.tables import as_json

WORKER = "service-worker.js"
WHOLE = "assets/kb/along.bin"
LEFT = ("assets/kb/python/", "assets/kb/single.", "api/", "llms.txt", "sitemap.xml", "404.html", ".", WORKER, WHOLE)
"""Name prefixes of the files that are not part of the edition.

The checker is stored separately (checker-worker.js), and no page loads the other files.
"""
FIRST = (
    "index.html",
    "manifest.webmanifest",
    "assets/stylesheets/",
    "assets/javascripts/bundle",
    "assets/javascripts/workers/",
    "assets/kb/kb.",
    "assets/kb/look.",
    "assets/kb/instead",
    "search/",
)
"""Name prefixes of the files that the service worker stores at once: the home page, and common styles and scripts."""
UNFILLED = 'const EDITION = "unbuilt", FIRST = [];'
SHARE = 64
"""The number of files in each part of the edition."""
MANIFEST = "manifest.webmanifest"
PAPER = "#fdfcf9"
ICONS = [
    (f"assets/kb/{name}.png", f"{size}x{size}", "image/png", use)
    for name, size, use in (("icon-192", 192, "any"), ("icon-512", 512, "any"), ("icon-cut", 512, "maskable"))
]
"""Our logo in several sizes: address, size, type and purpose. A phone crops a maskable icon to its own shape."""


def write_edition(site: Path) -> None:
    """Write the edition for offline readers and the service worker into the folder `site` of a built site.

    The edition begins with the length of its header in four bytes. The header (JSON, gzipped) contains the edition's
    name and a list of parts: for each part its length and, for each of its files, address, type and length. The parts
    follow, each gzipped.
    """
    names = sorted(name for name in files_below(site) if not name.startswith(LEFT) and not name.endswith(".map"))
    worker = (site / WORKER).read_text(encoding="utf-8")
    hasher = hashlib.sha256(worker.encode("utf-8"))
    packed: list[bytes] = []
    parts: list[tuple[int, list[tuple[str, str | None, int]]]] = []
    for share in (names[at : at + SHARE] for at in range(0, len(names), SHARE)):
        files = [(site / name).read_bytes() for name in share]
        packed.append(gzip.compress(b"".join(files), 6, mtime=0))
        listed = [(name, guess_type(name, strict=False)[0], len(data)) for name, data in zip(share, files, strict=True)]
        parts.append((len(packed[-1]), listed))
        hasher.update(packed[-1])
    edition = hasher.hexdigest()[:12]
    head = as_json({"edition": edition, "parts": parts})
    begun = gzip.compress(head.encode("utf-8"), 9, mtime=0)
    (site / WHOLE).write_bytes(b"".join([struct.pack(">I", len(begun)), begun, *packed]))
    first = [name for name in names if name.startswith(FIRST)]
    filled = f"const EDITION = {json.dumps(edition)}, FIRST = {json.dumps(first)};"
    (site / WORKER).write_text(worker.replace(UNFILLED, filled), encoding="utf-8")


def write_manifest(site: Path, name: str, logo: str) -> None:
    """Write the manifest of the built site in the folder `site`. `name` is the site's name.

    The icon is `logo` (an address) if that is an SVG from the host site; otherwise it is kb's logo.
    """
    own = logo.endswith(".svg") and not logo.startswith("assets/kb/")
    manifest = {
        "name": name,
        "short_name": name[:12].rstrip(),
        "lang": "en",
        # Both are relative to the manifest, which is at the top of the site.
        "start_url": "index.html",
        "scope": "./",
        "display": "standalone",
        "theme_color": PAPER,
        "background_color": PAPER,
        "icons": [
            {"src": address, "sizes": sizes, "type": kind, "purpose": use}
            for address, sizes, kind, use in ([(logo, "any", "image/svg+xml", "any")] if own else ICONS)
        ],
    }
    (site / MANIFEST).write_text(json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


FOLDER = "api"
LLMS = "llms.txt"


def write_data(catalog: Catalog, library: Library, site: Path, name: str, address: str) -> None:
    """Write the export under `api/` and `llms.txt` into the folder `site`, for the games of `library` and without the
    user's own data.

    `name` is the site's name, and `address` its URL (empty if unknown).
    """
    index = Export(site / FOLDER, {game: game_file(catalog, game) for game in sorted(library.games)}).close()
    taglines = {game.id: game.tagline for game in games().values()}
    shown = [
        {
            "id": game,
            "title": title,
            "tagline": taglines.get(game, ""),
            "volumes": [volume for volume in library.volumes.values() if volume.game == game and volume.id != game],
            **index.games[game].as_json({}),
        }
        for game, title in library.games.items()
    ]
    template = templates_of(site_folder(), autoescape=False).get_template(f"{LLMS}.j2")
    text = template.render(name=name, at=address, games=shown, data=FOLDER, licence=LICENCE)
    (site / LLMS).write_text(text.strip() + "\n", encoding="utf-8")
