"""Packs the checker for the page: Python for the browser with kb's rules and the site's facts already in its memory.

One script, so that it loads from a folder as well as from a server: `kbPython({...})` with gzipped parts in base64.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import importlib
import io
import json
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb import paths
from kb.site.addresses import Addresses
from kb.site.checker import pyodide
from kb.site.checker.games import checked
from kb.site.folder import SiteError
from kb.site.library import Library

PURE = ("yaml", "jinja2", "markupsafe")
"""Packages that the page's Python imports; all of them work without their compiled parts."""

LOCK = {"abi_version": "2026_0", "arch": "wasm32", "platform": "emscripten_5_0_3", "python": "3.14.2"}
LONGEST_START = 600.0
"""Seconds that starting Python once may take; five on an idle machine."""


@dataclass(frozen=True, slots=True)
class Pack:
    """A packed checker: the script, and a name for it that changes with what is in it."""

    name: str
    text: str


def pack_checker(library: Library, addresses: Addresses, site: Path) -> Pack | None:
    """The checker with the facts of a library, from the cache when nothing changed; None when Python or Node is missing.

    `site` is the folder with templates and theme. Raises SiteError when the package is not the right one, or does not start.
    """
    package, node = pyodide.package(), pyodide.node()
    if package is None or node is None:
        return None
    data = json.dumps(desk_data(library, addresses), ensure_ascii=False, separators=(",", ":"))
    files = page_files(site)
    engine = engine_zip(data, files)
    recipe = (Path(__file__).parent / "snapshot.mjs").read_bytes()
    parts = (pyodide.INTEGRITY.encode(), engine, recipe)
    digest = hashlib.sha256(b"\0".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()[:12]
    kept = paths.cache_dir() / "checker" / f"{digest}.js"
    if kept.is_file():
        return Pack(kept.name, kept.read_text(encoding="ascii"))
    text = json.dumps({**started(package, node, engine), "files": files})
    made = Pack(kept.name, f"kbPython({text})\n")
    kept.parent.mkdir(parents=True, exist_ok=True)
    for old in kept.parent.glob("*.js"):
        old.unlink()
    beside = kept.with_suffix(".part")
    beside.write_text(made.text, encoding="ascii")
    beside.replace(kept)
    return made


def desk_data(library: Library, addresses: Addresses) -> dict[str, Any]:
    """What `kb.site.checker.desk.Desk` is made from: records of the games with deck rules, entries as citations, addresses."""
    records: dict[str, dict[str, list[Any]]] = {game.id: {} for game in checked(library)}
    for (game, kind), found in sorted(library.records.items()):
        if game in records:
            records[game][kind] = found
    entries = sorted(library.entries.values(), key=lambda entry: entry.id)
    return {
        "records": records,
        "cites": [[entry.id, entry.title, entry.citation] for entry in entries],
        "links": {entry.id: addresses.entry(entry.id) for entry in entries},
    }


def engine_zip(data: str, files: Mapping[str, str]) -> bytes:
    """kb's own Python, the packages it imports, the data and the files that a page is drawn from, as a zip."""
    import kb

    inside = {"data.json": data.encode("utf-8")}
    inside.update((path.removeprefix("/kb/"), text.encode("utf-8")) for path, text in files.items())
    for name, folder in [("kb", Path(kb.__file__).parent), *((name, folder_of(name)) for name in PURE)]:
        for path in folder.rglob("*"):
            if path.suffix in (".py", ".txt", ".yaml") and "_data" not in path.parts:
                inside[f"{name}/{path.relative_to(folder).as_posix()}"] = path.read_bytes()
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(inside):
            archive.writestr(zipfile.ZipInfo(name), inside[name])
    return target.getvalue()


def folder_of(package: str) -> Path:
    """Where an installed package stands."""
    return Path(str(importlib.import_module(package).__file__)).parent


def page_files(site: Path) -> dict[str, str]:
    """The files that drawing a deck's page reads, by the path that they have in the browser."""

    def found() -> Iterator[Path]:
        yield from sorted((site / "templates" / "deck").iterdir())
        yield from sorted((site / "theme" / "icons").glob("*.svg"))
        yield site / "theme" / "assets" / "kb" / "kb.css"

    return {
        "/kb/site/mkdocs.yml": "",
        **{f"/kb/site/{path.relative_to(site).as_posix()}": path.read_text(encoding="utf-8") for path in found()},
    }


def started(package: Path, node: str, engine: bytes) -> dict[str, str]:
    """Start Python once and keep its memory; the parts of the script. Raises SiteError when it does not start."""
    with tempfile.TemporaryDirectory(prefix="kb-checker-") as beside:
        folder = Path(beside)
        pyodide.unpack(package, folder)
        lock = json.dumps({"info": {**LOCK, "version": pyodide.VERSION}, "packages": {}})
        (folder / "lock.json").write_text(lock, encoding="utf-8")
        (folder / "engine.zip").write_bytes(engine)
        run(node, folder)
        with zipfile.ZipFile(none := io.BytesIO(), "w"):
            pass
        return {
            "version": pyodide.VERSION,
            "lock": lock,
            "none": base64.b64encode(none.getvalue()).decode("ascii"),
            "loader": packed((folder / "pyodide.mjs").read_bytes()),
            "asm": packed((folder / "pyodide.asm.mjs").read_bytes()),
            "wasm": packed((folder / "pyodide.asm.wasm").read_bytes()),
            "memory": packed((folder / "memory").read_bytes()),
        }


def run(node: str, folder: Path) -> Mapping[str, Any]:
    """Run the recipe in a folder with Pyodide and the engine. Raises SiteError."""
    recipe = Path(__file__).parent / "snapshot.mjs"
    command = [node, str(recipe), str(folder), str(folder), str(folder / "memory")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_START, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SiteError(f"Node could not start Python for the deck checker: {error}.") from None
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip() and len(line) < 400]
        raise SiteError(f"Python for the deck checker did not start: {' '.join(said[-4:]) or 'nothing was said'}")
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def packed(raw: bytes) -> str:
    """Gzipped, in base64; the same bytes give the same text."""
    return base64.b64encode(gzip.compress(raw, 9, mtime=0)).decode("ascii")
