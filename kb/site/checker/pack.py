"""Packs the checker for the page: Python for the browser with kb's rules and the site's facts already in its memory.

One script (`script.py`), so that it loads from a folder as well as from a server.
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import io
import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self

from kb import paths
from kb.files.inside import is_plain
from kb.files.swap import locked
from kb.site.addresses import Addresses
from kb.site.checker import pyodide
from kb.site.checker.games import checked
from kb.site.checker.script import write_script
from kb.site.folder import SiteError
from kb.site.library import Library

PURE = ("yaml", "jinja2", "markupsafe")
"""Packages that the page's Python imports; all of them work without their compiled parts."""

LOCK = {"abi_version": "2026_0", "arch": "wasm32", "platform": "emscripten_5_0_3", "python": "3.14.2"}
PARTS = {
    "loader": "pyodide.mjs", "asm": "pyodide.asm.mjs", "wasm": "pyodide.asm.wasm", "state": "state", "pages": "pages"
}  # fmt: skip
"""What the script holds, in this order, and the files in which it stands once Python was started."""
RECIPE = ("snapshot.mjs", "layout.mjs", "script.py")
"""Files beside this one by which the script changes."""
LONGEST_START = 600.0
"""Seconds that starting Python once may take; five on an idle machine."""
SMALL = (
    "--liftoff-only", "--no-opt", "--no-maglev", "--no-sparkplug", "--wasm-wrapper-tiering-budget=1000000000",
    "--max-semi-space-size=1", "--max-old-space-size=128", "--v8-pool-size=0", "--expose-gc", "--no-node-snapshot",
)  # fmt: skip
"""What keeps Node small: what runs for seconds is compiled once, and by one compiler only; the garbage of scripts is swept soon, and
when the recipe says so. Python's own memory is none of it. An option that a Node does not know is left out."""
ROOM = {"MALLOC_MMAP_THRESHOLD_": "131072"}
"""Linux: large pieces go back to the system as soon as they are free, however many came before."""
UNKNOWN = 9
"""How a Node ends that does not know an option, which it names."""


class Packer:
    """Packs the checker in a folder beside what is done meanwhile: Python for the browser starts in a process of its own.

    `known` is the script's name where it surely is as before.
    """

    def __init__(self, folder: Path) -> None:
        self.name = self.known = ""
        self._folder = folder
        self._beside = ThreadPoolExecutor(1)
        self._script: Future[Path] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self._beside.shutdown()

    def begin(self, library: Library, addresses: Addresses, site: Path) -> str:
        """Begin, once, to pack the facts of a library; `site` is the folder with templates and theme. Returns the name of the script, which
        changes with what is in it, before it is there; empty when Python or Node is missing, or no game has deck checks."""
        package, node = pyodide.package(), pyodide.node()
        if self._script is None and package is not None and node is not None and checked(library):
            self._folder.mkdir(parents=True)
            with locked(cache()):  # another build clears it for its own
                if is_plain(self.known) and self._taken(self.known):
                    return self.name
                files = page_files(site)
                held = engine(desk_data(library, addresses), files)
                if self._taken(name_of(held)):
                    return self.name
            write_engine(self._folder, held)
            self._script = self._beside.submit(made, package, node, self._folder, files, self.name)
        return self.name

    def finished(self) -> Path | None:
        """The script, when it is packed; None where there is none. Raises SiteError when the package is not the right one, or does not
        start."""
        return self._script.result() if self._script else None

    def _taken(self, name: str) -> bool:
        """Take a script of that name from the cache, when it is there."""
        self.name, place = name, self._folder / name
        if not (cache() / name).is_file():
            return False
        shutil.copyfile(cache() / name, place)
        self._script = Future()
        self._script.set_result(place)
        return True


def cache() -> Path:
    """The folder where the last script that was packed is kept."""
    return paths.cache_dir() / "checker"


def name_of(held: Mapping[str, bytes]) -> str:
    """A name for the script that changes with what Python is to hold, and with how it is packed."""
    digest = hashlib.sha256(pyodide.INTEGRITY.encode())
    for name in RECIPE:
        digest.update((Path(__file__).parent / name).read_bytes())
    for name, content in held.items():
        digest.update(f"\0{name}\0{len(content)}\0".encode() + content)
    return f"{digest.hexdigest()[:12]}.js"


def made(package: Path, node: str, folder: Path, files: Mapping[str, str], name: str) -> Path:
    """The script of that name, packed from a folder with the engine and kept in the cache. Raises SiteError."""
    script = folder / name
    start(package, node, folder)
    describe(folder, files, script)
    with locked(cache()):
        cache().mkdir(parents=True, exist_ok=True)
        beside = (cache() / name).with_suffix(".part")
        shutil.copyfile(script, beside)
        for old in cache().glob("*.js"):
            old.unlink()
        beside.replace(cache() / name)
    return script


def desk_data(library: Library, addresses: Addresses) -> bytes:
    """What `kb.site.checker.desk.Desk` is made from, as JSON: records of the games with deck rules, entries as citations, addresses."""
    data = io.BytesIO()
    for piece in desk_pieces(library, addresses):
        data.write(piece.encode("utf-8"))
    return data.getvalue()


def desk_pieces(library: Library, addresses: Addresses) -> Iterator[str]:
    """The same in pieces: records stand in the catalog as they do here."""
    of_game = '{"records":{'
    for game in checked(library):
        yield f"{of_game}{compact(game.id)}:{{"
        of_game, of_kind = "},", ""
        for (game_id, kind), found in sorted(library.records.items(), key=lambda item: item[0]):
            if game_id == game.id:
                yield f"{of_kind}{compact(kind)}:["
                yield from (f"{',' if number else ''}{compact(record)}" for number, record in enumerate(found))
                of_kind = "],"
        yield of_kind[:1]
    entries = sorted(library.entries.values(), key=lambda entry: entry.id)
    yield '}},"cites":'
    yield compact([[entry.id, entry.title, entry.citation] for entry in entries])
    yield f',"links":{compact({entry.id: addresses.entry(entry.id) for entry in entries})}}}'


def compact(value: Any) -> str:
    """A value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def engine(data: bytes, files: Mapping[str, str]) -> dict[str, bytes]:
    """kb's own Python, the packages it imports, the data and the files that a page is drawn from, by their paths in order."""
    import kb

    inside = {"data.json": data}
    inside.update((path.removeprefix("/kb/"), text.encode("utf-8")) for path, text in files.items())
    for name, folder in [("kb", Path(kb.__file__).parent), *((name, folder_of(name)) for name in PURE)]:
        for path in folder.rglob("*"):
            if path.suffix in (".py", ".txt", ".yaml") and "_data" not in path.parts:
                inside[f"{name}/{path.relative_to(folder).as_posix()}"] = path.read_bytes()
    return dict(sorted(inside.items()))


def folder_of(package: str) -> Path:
    """Where an installed package stands."""
    return Path(str(importlib.import_module(package).__file__)).parent


def page_files(site: Path) -> dict[str, str]:
    """The files that drawing a deck's page reads, by the path that they have in the browser."""

    def found() -> Iterator[Path]:
        yield from sorted((site / "templates" / "deck").iterdir())
        yield from sorted((site / "theme" / "icons").glob("*.svg"))
        yield site / "theme" / "assets" / "kb" / "look.css"

    package = Path(__file__).resolve().parents[2]
    of_games = sorted((package / "games").glob("*/templates/deck/*.j2"))
    return {
        **{f"/kb/site/{path.relative_to(site).as_posix()}": path.read_text(encoding="utf-8") for path in found()},
        **{f"/kb/kb/{path.relative_to(package).as_posix()}": path.read_text(encoding="utf-8") for path in of_games},
    }


def write_engine(folder: Path, held: Mapping[str, bytes]) -> None:
    """Write what Python is to hold into the folder where it is started: one after another, and beside it how long each is."""
    (folder / "engine.json").write_text(json.dumps([[name, len(content)] for name, content in held.items()]), "utf-8")
    with (folder / "engine").open("wb") as file:
        file.writelines(held.values())


def start(package: Path, node: str, folder: Path) -> None:
    """Start Python once in a folder, with its engine, and keep its memory there. Raises SiteError when it does not start."""
    pyodide.unpack(package, folder)
    lock = json.dumps({"info": {**LOCK, "version": pyodide.VERSION}, "packages": {}})
    (folder / "lock.json").write_text(lock, encoding="utf-8")
    run(node, folder)


def describe(folder: Path, files: Mapping[str, str], script: Path) -> None:
    """Write the script from a folder in which Python was started."""
    with zipfile.ZipFile(none := io.BytesIO(), "w"):
        pass
    told = {
        "lock": (folder / "lock.json").read_text(encoding="utf-8"),
        "none": base64.b64encode(none.getvalue()).decode("ascii"),
        "files": files,
        **json.loads((folder / "layout.json").read_text(encoding="utf-8")),
    }
    write_script(script, told, [(part, folder / name) for part, name in PARTS.items()])


def run(node: str, folder: Path) -> Mapping[str, Any]:
    """Run the recipe in a folder with Pyodide and the engine. Raises SiteError."""
    recipe = Path(__file__).parent / "snapshot.mjs"
    command = [str(recipe), str(folder), str(folder), str(folder)]
    options: tuple[str, ...] = SMALL
    unknown = True
    try:
        while unknown:
            done = subprocess.run(
                [node, *options, *command],
                capture_output=True, text=True, timeout=LONGEST_START, check=False, env={**os.environ, **ROOM},
            )  # fmt: skip
            unknown = done.returncode == UNKNOWN and bool(options)
            known = tuple(option for option in options if option not in done.stderr.split())
            options = known if known != options else ()
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SiteError(f"Node could not start Python for the deck checker: {error}.") from None
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip() and len(line) < 400]
        raise SiteError(f"Python for the deck checker did not start: {' '.join(said[-4:]) or 'nothing was said'}")
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told
