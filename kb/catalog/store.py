"""Opens the catalog in the cache folder. If the catalog is outdated or damaged, it is rebuilt first.

There are two catalogs. The public one contains only the sources. If the user imported data, a second one contains the
sources and that data. Only its user can read the folder of the second one. Requests from others never open it, and its
tables are never on a server.

Layout: `<cache>/<key>/current.json` names the folder of the current build. `build-*/` contain `catalog.sqlite` (unless
KB_DATABASE_URL names a server) and `index/`. `<cache>/own-<key>/` is the same with the user's own data. A build is made
in a new folder, then `current.json` is swapped, so a failed build leaves the old one in use.
"""

from __future__ import annotations

import hashlib
import json
import marshal
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from errno import ENAMETOOLONG, ENOENT, ENOTDIR
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from kb import paths, registry
from kb.catalog.postgres import DatabaseError, driver_url
from kb.errors import KbError
from kb.files.folders import inside
from kb.files.swap import recover_all, write_whole
from kb.files.text import TooLargeError, read_bounded
from kb.frozen import frozen
from kb.version import __version__

if TYPE_CHECKING:
    from kb.catalog.reader import Catalog

LARGEST_STATE, LARGEST_SOURCE = 10_000_000, 64_000_000
CURRENT, DATABASE, INDEX = "current.json", "catalog.sqlite", "index"
SEAL = "checksum"
SCHEMA = "38"
OWN = "own-"
LOCK = "lock"
"""The file in a catalog's folder that a process locks while it builds the catalog."""
FOLDERS = ("content", "cards")
SUFFIXES = (".md", ".yaml", ".yml", ".tsv", ".json")
# The coarsest resolution of file times (FAT) is two seconds.
TICK = 2_000_000_000
# Seconds for which an older build stays, for processes that are reading it.
KEPT = 60

Progress = Callable[[str, float], None]
Say = Callable[[str], None]
Seen = tuple[str, int, int, int, int]
"""The state of a file: its path, size, two times (in ns) and inode. These values show whether the file has changed,
so kb does not need to open it.
"""


@frozen
class Current:
    """The content of `current.json`.

    `folder` is the folder of the build in use. `fingerprint` and `hash` identify its sources, and `built` is the time
    when it was built by kb's `version`. `seen` is the time when the sources were checked (in ns). `sums` maps each path
    in the folder to the checksum of the file. `places` (the folders of the sources) and `schema` (of the catalog)
    identify the installation that the build serves.
    """

    folder: str
    fingerprint: str
    hash: str
    built: str
    version: str
    seen: int
    sums: dict[str, int]
    places: list[str]
    schema: str


def open_catalog(progress: Progress | None = None, say: Say | None = None, *, own: bool = False) -> Catalog:
    """Open the catalog. If the sources have changed or a file of the catalog is damaged, rebuild it first. With `own`,
    open the catalog that includes the user's imported data.

    `progress(step, share)` is called during a build. `say(sentence)` is called if the catalog is damaged, or if a build
    fails and the old catalog stays in use. Raises SourceError if the sources have errors and there is no older catalog,
    and DatabaseError if KB_DATABASE_URL cannot be used.
    """
    data = own_data() if own else None
    current = up_to_date(data, progress, say)
    catalog = open_built(data, current)
    if database_url(data) and not catalog.holds(
        current.hash
    ):  # another installation may have emptied or filled the server
        catalog.close()
        catalog = open_built(data, refresh(data, progress, say, force=True))
    return catalog


def open_index(progress: Progress | None = None, say: Say | None = None, *, own: bool = False) -> Path:
    """Return the folder of the catalog's search index, for searches, which need no database. The arguments and errors
    are the same as for `open_catalog`.
    """
    data = own_data() if own else None
    return home(data) / up_to_date(data, progress, say, f"{INDEX}/").folder / INDEX


def build_catalog(progress: Progress | None = None) -> Catalog:
    """Build the catalog even if the sources have not changed, and open it. If the user imported data, also build the
    catalog that includes the imported data.

    Raises SourceError if the sources have errors.
    """
    current = refresh(None, progress, None, force=True)
    if own := own_data():
        refresh(own, progress, None, force=True)
    return open_built(None, current)


def open_built(own: Path | None, current: Current) -> Catalog:
    """Open the catalog of the build `current`. If the catalog includes the user's imported data, `own` is the folder
    of these data.
    """
    from kb.catalog.reader import Catalog

    built = home(own) / current.folder
    return Catalog(database_url(own) or f"sqlite:///{built / DATABASE}", built / INDEX, current.built, current.hash)


def damaged(own: Path | None = None) -> list[str]:
    """Return the changed or missing files of the catalog in use, without building anything. With `own`, the catalog is
    the one that includes the user's data.
    """
    folder = home(own)
    try:
        sealed = read_sealed(folder / CURRENT)
        if sealed["version"] != __version__:
            return []  # written by another version of kb
        return (
            differing(folder, Current(**sealed))
            if inside(folder, sealed["folder"]).is_dir()
            else [str(sealed["folder"])]
        )
    except OSError as error:
        # Nothing has been built, or the folder cannot be read.
        return [] if error.errno in {ENOENT, ENOTDIR, ENAMETOOLONG} else [CURRENT]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return [CURRENT]


def emptied() -> bool:
    """Return True if the tables that kb wrote to the server are missing or incomplete. Build nothing."""
    current = read_current(home()) if database_url() else None
    if current is None:
        return False
    with open_built(None, current) as catalog:
        return not catalog.holds(current.hash)


def database_url(own: Path | None = None) -> str | None:
    """Return the URL in `KB_DATABASE_URL` with the driver that kb uses. Return None if it is not set, or if the user's
    `own` data are involved: kb then uses a SQLite file.
    """
    url = "" if own else os.environ.get("KB_DATABASE_URL", "").strip()
    return driver_url(url) if url else None


def home(own: Path | None = None) -> Path:
    """Return the folder of this installation's catalog or, with `own`, of the catalog that includes the user's data.
    Each combination of source folders and database has its own folder.
    """
    key = hashlib.blake2b("\0".join([*source_places(), database_url(own) or "", SCHEMA]).encode(), digest_size=6)
    return paths.cache_dir() / f"{OWN if own else ''}{key.hexdigest()}"


def source_places() -> list[str]:
    """Return the folders whose content the catalog of this installation contains."""
    return [str(place) for place in (paths.sources_root(), *paths.game_folders())]


def own_data() -> Path | None:
    """Return the folder of the user's imported data, after repairing an interrupted import. If there are no such data,
    remove old copies of them from the cache and return None.
    """
    folder = paths.user_data_dir()
    recover_all(folder)
    if any(True for _file in own_files(folder)):
        return folder
    for left in paths.cache_dir().glob(f"{OWN}*"):
        import shutil

        shutil.rmtree(left, ignore_errors=True)
    return None


def up_to_date(own: Path | None, progress: Progress | None, say: Say | None, below: str = "") -> Current:
    """Return the build in use; if necessary, rebuild the catalog first. Only files whose paths begin with `below` are
    checked for damage.
    """
    folder = home(own)
    current = read_current(folder)
    changed = differing(folder, current, below) if current else []
    if changed and say:
        say(f"The catalog was damaged ({', '.join(changed[:5])}); it is being rebuilt.")
    if current is None or changed or not is_built_from(current, source_files(own)):
        current = refresh(own, progress, say)
    return current


def refresh(own: Path | None, progress: Progress | None, say: Say | None, force: bool = False) -> Current:
    """Build the catalog under a lock, unless another process has built it meanwhile. With `own`, include the user's
    data; with `force`, build in any case. Return the build in use.

    Raises SourceError if the sources have errors, and DatabaseError if the cache cannot be written.
    """
    from kb.files.folders import keep_private
    from kb.files.swap import hold_lock

    folder, old = home(own), None  # old: the build to use if the sources cannot be read
    try:
        if own:
            keep_private(own)
            keep_private(folder)
        folder.mkdir(parents=True, exist_ok=True)
        with hold_lock(folder / LOCK):
            old = None if force else read_current(folder)
            if old and differing(folder, old):
                old = None
            current = refreshed(folder, old, own, progress)
        if own:
            keep_private(folder)
        return current
    except DatabaseError:
        raise
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        problems = [f"The sources cannot be read: {error.strerror or error}{where}."]
        old = None if force else read_current(folder)
        if old is None and error.filename and Path(os.fsdecode(error.filename)).is_relative_to(paths.sources_root()):
            raise
        if old is None:
            raise DatabaseError(
                f"The catalog cannot be written to {folder}: {error.strerror or error}{where}. "
                "Free some space, or set KB_HOME to another folder."
            ) from error
    except Exception as error:
        if old is None:
            raise
        bug = f"The sources cannot be read: {type(error).__name__}: {str(error)[:300]} (this is a bug in kb)"
        problems = (
            str(error).split("\n") if isinstance(error, KbError) else [bug]
        )  # KbError: also from a game of another package
    if say:
        more = f" (kb doctor lists {len(problems) - 3} more)" if len(problems) > 3 else ""
        summary = "\n".join(problems[:3])
        say(f"The sources have errors, so kb keeps using the previous catalog:\n{summary}{more}")
    return old


def refreshed(folder: Path, old: Current | None, own: Path | None, progress: Progress | None) -> Current:
    """Return the build in use in a locked folder. Unless the `old` build matches the sources, build the catalog first.
    Raises the errors of a build.
    """
    seen, files = time.time_ns(), source_files(own)
    if old and is_built_from(old, files):
        return old
    fingerprint, hashed = fingerprint_of(files), content_hash(files, own)
    if old and old.hash == hashed:
        return swap(folder, replace(old, fingerprint=fingerprint, seen=seen))
    made = new_build(folder, own, hashed, progress)
    sums = {path.relative_to(made).as_posix(): checksum(path) for path in sorted(made.rglob("*")) if path.is_file()}
    day = time.strftime("%Y-%m-%dT%H:%M:%S")
    return swap(folder, Current(made.name, fingerprint, hashed, day, __version__, seen, sums, source_places(), SCHEMA))


def new_build(folder: Path, own: Path | None, hashed: str, progress: Progress | None) -> Path:
    """Build the index and the tables in a new folder and return it. `hashed` is the hash of the sources. Raises
    SourceError and OSError; after an error, the folder is removed.
    """
    import shutil

    from kb.catalog.build import build

    target = folder / f"build-{hashed[:12]}-{time.time_ns():x}"
    target.mkdir()
    try:
        report = progress or (lambda _step, _share: None)
        url = database_url(own) or f"sqlite:///{target / DATABASE}"
        build(target / INDEX, url, paths.sources_root(), own, hashed, report)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise
    return target


def swap(folder: Path, current: Current) -> Current:
    """Put the build `current` into use atomically, then remove older builds. Return `current`."""
    import shutil

    write_sealed(folder / CURRENT, asdict(current))
    for old in folder.glob("build-*"):
        if old.name != current.folder and time.time() - old.stat().st_mtime > KEPT:
            shutil.rmtree(old, ignore_errors=True)
    return current


def read_current(folder: Path) -> Current | None:
    """Return the build in use; None if there is no usable one. Use `differing` to check whether its files are
    undamaged.
    """
    try:
        current = Current(**read_sealed(folder / CURRENT))
        known = current.version == __version__ and inside(folder, current.folder).is_dir()
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    return current if known else None


def checksum(path: Path) -> int:
    """Return the CRC-32 of a file's content. Raises OSError."""
    crc = 0
    with path.open("rb", buffering=0) as file:
        while data := file.read(1 << 20):
            crc = crc32(data, crc)
    return crc


def differing(folder: Path, current: Current, below: str = "") -> list[str]:
    """Return the files of a build that have changed, and files in its index that are not part of the build. Check
    only files whose paths begin with `below`.
    """
    built, changed = folder / current.folder, set[str]()
    for name, known in current.sums.items():
        if name.startswith(below):
            try:
                if checksum(built / name) != known:
                    changed.add(name)
            except OSError:
                changed.add(name)
    index_files = {f"{INDEX}/{path.name}" for path in (built / INDEX).iterdir()} if (built / INDEX).is_dir() else set()
    return sorted(changed | (index_files - current.sums.keys()))


def write_sealed(path: Path, value: dict[str, Any]) -> None:
    """Write an object as JSON, completely or not at all, with a checksum that `read_sealed` verifies."""
    write_whole(path, json.dumps({**value, SEAL: seal(value)}).encode("utf-8"))


def read_sealed(path: Path) -> dict[str, Any]:
    """Return the object that `write_sealed` wrote to `path`. Raises OSError, and ValueError or RecursionError for any
    other content.
    """
    value = json.loads(read_bounded(path, LARGEST_STATE))
    if not isinstance(value, dict) or value.pop(SEAL, None) != seal(value):
        raise ValueError(f"{path.name} is not as it was written")
    return value


def seal(value: dict[str, Any]) -> int:
    """Return the checksum (CRC-32) of a JSON object, independent of the order of its keys."""
    return crc32(json.dumps(value, sort_keys=True).encode("utf-8"))


def source_files(own: Path | None) -> list[Seen]:
    """Return the state of every source file, in a stable order. The files include the files of games from other
    packages, and the user's `own` data.
    """
    files: list[Seen] = []
    for root in source_roots():
        below: list[Seen] = []
        for top in FOLDERS:
            for folder, _folders, names in os.walk(root / top, followlinks=True):
                for path in (os.path.join(folder, name) for name in names if name.endswith(SUFFIXES)):  # noqa: PTH118 - there are thousands
                    try:
                        status = os.stat(path)  # noqa: PTH116
                    except OSError:  # a link to itself, which the loader reports
                        continue
                    if stat.S_ISREG(status.st_mode):
                        below.append(seen_file(path, status))
        files += sorted(below)
    return [*files, *(own_files(own) if own else ())]


def source_roots() -> list[Path]:
    """Return the folders with sources: kb's own folder, and the folders of games from other packages."""
    return [paths.sources_root(), *registry.sources()]


def own_files(folder: Path) -> Iterator[Seen]:
    """Yield the state of each file of imported data in the user's `folder`, in a stable order."""
    for path in sorted(folder.rglob("*.json")) if folder.is_dir() else []:
        with suppress(OSError):  # a broken link, which is reported when it is read
            yield seen_file(str(path), path.stat())


def seen_file(path: str, status: os.stat_result) -> Seen:
    """Return the state of a file: its path, and the size, times and inode in `status`."""
    return path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def fingerprint_of(files: list[Seen]) -> str:
    """Return a hash that changes if a file is added, removed or moved, or if its size or time changes."""
    # Version 2 of the marshal format contains only the values.
    return hashlib.blake2b(marshal.dumps(files, 2), digest_size=16).hexdigest()


def is_built_from(current: Current, files: list[Seen]) -> bool:
    """Return True if it is certain that `current` was built from these `files`; no file is opened.

    A file that changed shortly before or after it was checked may have changed again within the resolution of file
    times. A time in the future does not count as recent, because the next write gives the file another time.
    """
    first, last = current.seen - TICK, current.seen + TICK
    return current.fingerprint == fingerprint_of(files) and not any(
        first <= modified <= last or first <= changed <= last for _path, _size, modified, changed, _number in files
    )


def content_hash(files: list[Seen], own: Path | None) -> str:
    """Return a hash of the relative paths and contents of all source files. A file with a new time but the same content
    does not change it. Raises OSError if a file cannot be read.

    Pipes and endless files are not read; the loader reports them.
    """
    digest = hashlib.blake2b(digest_size=16)
    tops = [os.path.join(top, "") for top in (*source_roots(), *([own] if own else []))]  # noqa: PTH118 - there are thousands of paths
    for path, *_state in files:
        place = next(path[len(top) :] for top in tops if path.startswith(top)).replace(os.sep, "/")
        try:
            data = read_bounded(Path(path), LARGEST_SOURCE)
        except TooLargeError:
            data = b""
        except OSError:
            if Path(path).is_file():
                raise
            data = b""
        digest.update(os.fsencode(place) + b"\0" + hashlib.blake2b(data, digest_size=16).digest())
    return digest.hexdigest()
