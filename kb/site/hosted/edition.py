"""The edition of a site for readers without a network: the whole of it in one file, and the worker that keeps pages in the browser.

An edition is named by its content: equal sources give equal bytes.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from kb.files.read import read_bounded
from kb.site.hosted.manifest import NAME as MANIFEST
from kb.site.placing import files_below
from kb.site.searchdata import DATA as SEARCH_DATA
from kb.site.searchdata import PARTS as SEARCH_PARTS

WORKER = "service-worker.js"
WHOLE = "assets/kb/along.bin"
ASSETS = "assets/kb"
LEFT = ("assets/kb/python/", "assets/kb/single.", "api/", "llms.txt", "sitemap.xml", ".")
"""Where files begin that nobody takes along: the checker is kept by itself (checker-worker.js), the others no page asks for."""
FIRST_PAGES = ("index.html", "search.html", "along.html")
"""Pages that the worker keeps from the start, with the style and the scripts of all."""
UNFILLED = 'const EDITION = "unbuilt", STAMP = "", FIRST = [], PARTS = [];'
LARGEST = 256_000_000
GZIP = 31
"""How zlib is told that data are gzipped."""
SHARE = 64
"""How many files a part of the whole has on average."""

Part = tuple[bytes, list[tuple[str, int]]]
"""Files gzipped together, with their addresses and lengths."""


def frame_stamp(assets: Path) -> str:
    """A name for the style and scripts in a folder that changes with them: pages ask for them by it."""
    digest = hashlib.sha256()
    for path in frame_files(assets):
        digest.update(f"{path.name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:8]


def frame_files(assets: Path) -> list[Path]:
    """The style and scripts that pages share; what the search reads changes with the content."""
    return sorted(path for path in assets.iterdir() if path.suffix in (".css", ".js") and path.name != SEARCH_DATA)


def write_edition(site: Path, before: Path | None = None) -> str:
    """Write the whole edition and the worker into a built site; returns the edition's name.

    Parts that are the same in the whole of the site `before` are taken from there: packing them takes longer than all the rest.
    """
    stamp = frame_stamp(site / ASSETS)
    digest = hashlib.sha256((site / WORKER).read_bytes())
    parts = list(packed_now(site, packed_before(before / WHOLE) if before else {}, digest.update))
    edition = digest.hexdigest()[:12]
    (site / WHOLE).write_bytes(whole(parts, edition, stamp))
    search = sorted(path.stem for path in (site / ASSETS / SEARCH_PARTS).glob("*.js"))
    filled = (
        f"const EDITION = {json.dumps(edition)}, STAMP = {json.dumps(stamp)}, FIRST = {json.dumps(first(site, stamp))}, "
        f"PARTS = {json.dumps(search)};"
    )
    worker = (site / WORKER).read_text(encoding="utf-8")
    (site / WORKER).write_text(worker.replace(UNFILLED, filled), encoding="utf-8")
    return edition


def names(site: Path) -> Iterator[str]:
    """The files of a site that a reader takes along, as addresses."""
    for name in files_below(site):
        if name not in (WORKER, WHOLE, "404.html") and not name.startswith(LEFT):
            yield name


def first(site: Path, stamp: str) -> list[str]:
    """What the worker keeps before anything was read."""
    frame = [
        f"{ASSETS}/{path.name}?{stamp}" for path in frame_files(site / ASSETS) if not path.name.startswith("single.")
    ]
    pictures = [f"{ASSETS}/{path.name}" for path in sorted((site / ASSETS).glob("*-logo.*"))]
    return [*FIRST_PAGES, *frame, f"{ASSETS}/favicon.svg", *pictures, MANIFEST]


def packed_now(site: Path, before: Mapping[bytes, bytes], told: Callable[[bytes], None]) -> Iterator[Part]:
    """The parts of a site's whole edition; `told` is told the name and digest of each file, `before` has parts that were packed before."""
    for part in split(sorted(names(site))):
        held = [(site / name).read_bytes() for name in part]  # a part at a time: all would be 40 MB
        for name, data in zip(part, held, strict=True):
            told(f"{name}\0".encode() + sum_of(data))
        plain = b"".join(held)
        packed = before.get(sum_of(plain)) or gzip.compress(plain, 9, mtime=0)
        yield packed, [(name, len(data)) for name, data in zip(part, held, strict=True)]


def whole(parts: list[Part], edition: str, stamp: str) -> bytes:
    """The whole edition: the length of the head in four bytes, the head as JSON, then parts of several files, all gzipped.

    The head names edition, stamp and, for each part, its length and the addresses and lengths of its files.
    """
    told = {"edition": edition, "stamp": stamp, "parts": [[len(data), listed] for data, listed in parts]}
    head = gzip.compress(json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8"), 9, mtime=0)
    return struct.pack(">I", len(head)) + head + b"".join(data for data, _ in parts)


def packed_before(file: Path) -> dict[bytes, bytes]:
    """The parts of a whole edition by the digests of what is in them; none where it cannot be read."""
    try:
        data = read_bounded(file, LARGEST)
        at = 4 + struct.unpack_from(">I", data)[0]
        found = {}
        for length, files in json.loads(gzip.decompress(data[4:at]))["parts"]:
            part = data[at : at + length]
            plain = zlib.decompressobj(GZIP).decompress(part, sum(size for _name, size in files) + 1)
            found[sum_of(plain)] = part
            at += length
    except (OSError, ValueError, KeyError, TypeError, EOFError, struct.error, zlib.error):
        return {}
    return found


def sum_of(data: bytes) -> bytes:
    """The digest of what is in a part."""
    return hashlib.sha256(data).digest()


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
