"""The edition of a site for readers without a network: the whole of it in one file, and the worker that keeps pages in the browser.

An edition is named by its content: equal sites give equal bytes.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import struct
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from kb.files.folders import files_below

WORKER, GZIP = "service-worker.js", 31
WHOLE = "assets/kb/along.bin"
LEFT = ("assets/kb/python/", "assets/kb/single.", "api/", "llms.txt", "sitemap.xml", "404.html", ".", WORKER, WHOLE)
"""Where files begin that nobody takes along: the checker is kept by itself (checker-worker.js), the others no page asks for."""
FIRST = ("index.html", "manifest.webmanifest")
FRAME = (
    "assets/stylesheets/",
    "assets/javascripts/",
    "assets/kb/kb.",
    "assets/kb/look.",
    "assets/kb/instead",
    "search/",
)
"""What the worker keeps from the start: the first page, and where the names of styles and scripts of all pages begin."""
UNFILLED = 'const EDITION = "unbuilt", FIRST = [];'
SHARE = 64
"""How many files a part of the whole has on average."""
PACKERS = min(4, os.cpu_count() or 1)


def write_edition(site: Path) -> None:
    """Write the whole edition and the worker into a built site; one that lacks the worker's template is left alone.

    The edition begins with the length of its head in four bytes, then the head (JSON, gzipped): the edition's name and, for each part, its
    length and the addresses and lengths of its files. The parts follow, each gzipped.
    """
    names = sorted(name for name in files_below(site) if not name.startswith(LEFT) and not name.endswith(".map"))
    told = hashlib.sha256((site / WORKER).read_bytes())
    parts: list[tuple[int, list[tuple[str, int]]]] = []

    def packed(share: list[str]) -> tuple[bytes, list[tuple[str, int]]]:
        squeeze = zlib.compressobj(6, zlib.DEFLATED, GZIP)
        pieces, listed = [], []
        for name in share:
            data = (site / name).read_bytes()
            listed.append((name, len(data)))
            pieces.append(squeeze.compress(data))
        return b"".join([*pieces, squeeze.flush()]), listed

    with tempfile.TemporaryFile() as beside, (site / WHOLE).open("wb") as file:
        with ThreadPoolExecutor(PACKERS) as packers:  # zlib lets others run meanwhile
            for data, listed in packers.map(packed, split(names)):
                beside.write(data)
                parts.append((len(data), listed))
                told.update(data)
        edition = told.hexdigest()[:12]
        head = json.dumps({"edition": edition, "parts": parts}, ensure_ascii=False, separators=(",", ":"))
        begun = gzip.compress(head.encode("utf-8"), 9, mtime=0)
        file.write(struct.pack(">I", len(begun)) + begun)
        beside.seek(0)
        while piece := beside.read(1 << 20):
            file.write(piece)
    first = [name for name in names if name in FIRST or name.startswith(FRAME)]
    worker = (site / WORKER).read_text(encoding="utf-8")
    filled = f"const EDITION = {json.dumps(edition)}, FIRST = {json.dumps(first)};"
    (site / WORKER).write_text(worker.replace(UNFILLED, filled), encoding="utf-8")


def split(files: Iterable[str]) -> Iterator[list[str]]:
    """Files in parts. Where one ends is told by a file's name alone, so that a page more changes one part and not all."""
    part: list[str] = []
    for name in files:
        part.append(name)
        if hashlib.sha256(name.encode("utf-8")).digest()[0] % SHARE == 0:
            yield part
            part = []
    if part:
        yield part
