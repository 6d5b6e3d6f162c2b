"""The edition of a site for readers without a network: the whole of it in one file, and the worker that keeps pages in the browser.

An edition is named by its content: equal sources give equal bytes.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import struct
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

from kb.files.read import read_bounded
from kb.site.checker.script import GZIP
from kb.site.hosted.manifest import NAME as MANIFEST
from kb.site.past import DIGEST, digest
from kb.site.searchdata import DATA as SEARCH_DATA
from kb.site.searchdata import PARTS as SEARCH_PARTS
from kb.site.standing import Finished

WORKER = "service-worker.js"
WHOLE = "assets/kb/along.bin"
ASSETS = "assets/kb"
LEFT = ("assets/kb/python/", "assets/kb/single.", "api/", "llms.txt", "sitemap.xml", ".")
"""Where files begin that nobody takes along: the checker is kept by itself (checker-worker.js), the others no page asks for."""
FIRST_PAGES = ("index.html", "search.html", "along.html")
"""Pages that the worker keeps from the start, with the style and the scripts of all."""
UNFILLED = 'const EDITION = "unbuilt", STAMP = "", FIRST = [], PARTS = [];'
LARGEST = 256_000_000
PIECE = 1 << 20
SHARE = 64
"""How many files a part of the whole has on average."""

PACKERS = min(4, os.cpu_count() or 1)

NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Part:
    """Files gzipped together, to so many bytes: their addresses and lengths, and a key that changes with what is in them."""

    key: str
    length: int
    files: list[tuple[str, int]]


def frame_stamp(assets: Path) -> str:
    """A name for the style and scripts in a folder that changes with them: pages ask for them by it."""
    digest = hashlib.sha256()
    for path in frame_files(assets):
        digest.update(f"{path.name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:8]


def frame_files(assets: Path) -> list[Path]:
    """The style and scripts that pages share; what the search reads changes with the content."""
    return sorted(path for path in assets.iterdir() if path.suffix in (".css", ".js") and path.name != SEARCH_DATA)


def write_edition(finished: Finished, digests: Mapping[str, str], before: Mapping[str, memoryview] = NOTHING) -> str:
    """Write the whole edition and the worker into a built site, whose style, scripts and pictures are new; returns the digest of the whole.

    `digests` are those of the files that it holds; `before` are parts that were packed before (`packed_before`): packing them takes
    longer than all the rest.
    """
    site = finished.new
    stamp = frame_stamp(site / ASSETS)
    told = hashlib.sha256((site / WORKER).read_bytes())
    parts: list[Part] = []
    written = hashlib.blake2b(digest_size=DIGEST)
    with tempfile.TemporaryFile() as packed, (site / WHOLE).open("wb") as file:
        for part, data in packed_now(finished, digests, before):
            packed.write(data)
            parts.append(part)
            told.update(part.key.encode())
        edition = told.hexdigest()[:12]
        packed.seek(0)
        for piece in chain([head(parts, edition, stamp)], iter(lambda: packed.read(PIECE), b"")):
            written.update(piece)
            file.write(piece)
    within = f"{ASSETS}/{SEARCH_PARTS}/"
    search = sorted(name.removeprefix(within).removesuffix(".js") for name in digests if name.startswith(within))
    filled = (
        f"const EDITION = {json.dumps(edition)}, STAMP = {json.dumps(stamp)}, FIRST = {json.dumps(first(site, stamp))}, "
        f"PARTS = {json.dumps(search)};"
    )
    worker = (site / WORKER).read_text(encoding="utf-8")
    (site / WORKER).write_text(worker.replace(UNFILLED, filled), encoding="utf-8")
    return written.hexdigest()


def taken_along(names: Iterable[str]) -> list[str]:
    """Those of the files of a site that a reader takes along, as addresses, in order."""
    return sorted(name for name in names if name not in (WORKER, WHOLE, "404.html") and not name.startswith(LEFT))


def first(site: Path, stamp: str) -> list[str]:
    """What the worker keeps before anything was read."""
    frame = [
        f"{ASSETS}/{path.name}?{stamp}" for path in frame_files(site / ASSETS) if not path.name.startswith("single.")
    ]
    pictures = [f"{ASSETS}/{path.name}" for path in sorted((site / ASSETS).glob("*-logo.*"))]
    return [*FIRST_PAGES, *frame, f"{ASSETS}/favicon.svg", *pictures, MANIFEST]


def packed_now(
    finished: Finished, digests: Mapping[str, str], before: Mapping[str, memoryview]
) -> Iterator[tuple[Part, bytes | memoryview]]:
    """The parts of a site's whole edition, of the files that have `digests`. They are read when their part was not packed before."""

    def packed(names: list[str]) -> tuple[Part, bytes | memoryview]:
        paths = [finished.path(name) for name in names]
        key = digest("".join(f"{name}\0{digests[name]}\n" for name in names).encode())
        data = before.get(key) or squeezed(paths)
        return Part(
            key, len(data), [(name, path.stat().st_size) for name, path in zip(names, paths, strict=True)]
        ), data

    with ThreadPoolExecutor(PACKERS) as packers:  # zlib lets others run meanwhile
        yield from packers.map(packed, split(sorted(digests)))


def squeezed(paths: Iterable[Path]) -> bytes:
    """Files gzipped together; one at a time is in memory."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, GZIP)
    return b"".join([*(squeeze.compress(path.read_bytes()) for path in paths), squeeze.flush()])


def head(parts: list[Part], edition: str, stamp: str) -> bytes:
    """What the whole edition begins with: the length of the rest of the head in four bytes, then JSON, gzipped. The parts follow.

    It names edition, stamp and, for each part, its length, the addresses and lengths of its files, and its key.
    """
    told = {
        "edition": edition,
        "stamp": stamp,
        "parts": [[part.length, part.files, part.key] for part in parts],
    }
    packed = gzip.compress(json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8"), 9, mtime=0)
    return struct.pack(">I", len(packed)) + packed


def packed_before(site: Path, known: str) -> dict[str, memoryview]:
    """The parts of a site's whole edition by their keys; none when it is not the one with the digest `known`."""
    try:
        data = read_bounded(site / WHOLE, LARGEST)
        if digest(data) != known:
            return {}
        at = 4 + struct.unpack_from(">I", data)[0]
        found, view = {}, memoryview(data)
        for length, _files, key in json.loads(gzip.decompress(data[4:at]))["parts"]:
            found[key] = view[at : at + length]
            at += length
    except (OSError, ValueError, KeyError, TypeError, EOFError, struct.error, zlib.error):
        return {}
    return found


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
