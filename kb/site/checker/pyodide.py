"""Python for the browser: the package Pyodide, as published on npm."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import tarfile
import zipfile
from pathlib import Path

from kb import paths
from kb.files.swap import write_whole
from kb.files.text import read_bounded
from kb.site.folder import SiteError

VERSION = "314.0.7"
LARGEST_PACKAGE = 64_000_000
PACKAGE = f"pyodide-{VERSION}.tgz"
INTEGRITY = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""The SHA-512 of the package. No other file is accepted, because the package runs on the reader's machine."""
LIBRARY = "python_stdlib.zip"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", LIBRARY)
COMPILED = Path(__file__).with_name("library.zip")
"""Bytecode of those modules in Python's standard library that the checker imports. tests/site/compile_library.py writes
it.

The published package contains only their source. Compiling it at each start would take longer than everything else.
"""
LOCK = json.dumps(
    {
        "info": {
            "abi_version": "2026_0",
            "arch": "wasm32",
            "platform": "emscripten_5_0_3",
            "python": "3.14.2",
            "version": VERSION,
        },
        "packages": {},
    }
)
"""The list of packages that Pyodide asks for. The list is empty."""


def stored() -> Path:
    """Return the path where the package is stored for later builds. The file need not exist."""
    return paths.user_data_dir() / PACKAGE


def package() -> Path | None:
    """Return the path of the package to build with, from KB_PYODIDE or else the stored one. None if there is none."""
    if named := os.environ.get("KB_PYODIDE"):
        return Path(named)
    return stored() if stored().is_file() else None


def keep(file: Path) -> None:
    """Store the package `file` for later builds. Raises SiteError if it is not the version that this kb was tested
    with.
    """
    raw = checked(file)
    stored().parent.mkdir(parents=True, exist_ok=True)
    write_whole(stored(), raw)


def checked(file: Path) -> bytes:
    """Return the bytes of the package `file`. Raises SiteError if it cannot be read or is not the expected package."""
    try:
        raw = read_bounded(file, LARGEST_PACKAGE)
    except OSError as error:
        raise SiteError(f"{file} cannot be read: {error.strerror or error}.") from None
    if base64.b64encode(hashlib.sha512(raw).digest()).decode("ascii") != INTEGRITY:
        raise SiteError(
            f"{file} is not the package {PACKAGE} as published: fetch it with `npm pack pyodide@{VERSION}`."
        )
    return raw


def files(file: Path) -> dict[str, bytes]:
    """Return the files of the package that a page needs, by name. Raises SiteError if it is not the expected package."""
    with tarfile.open(fileobj=io.BytesIO(checked(file)), mode="r:gz") as archive:
        members = {name: archive.extractfile(f"package/{name}") for name in FILES}
        parts = {name: member.read() for name, member in members.items() if member}
    return {**parts, LIBRARY: compiled(parts[LIBRARY])}


def compiled(library: bytes) -> bytes:
    """Replace the source of modules in `library` (a zip of Python's standard library) with their bytecode from
    COMPILED.
    """
    with (
        zipfile.ZipFile(io.BytesIO(library)) as source,
        zipfile.ZipFile(COMPILED) as code,
        zipfile.ZipFile(packed := io.BytesIO(), "w") as archive,
    ):
        names = set(code.namelist())
        for name in source.namelist():
            known = f"{name}c" in names
            archive.writestr(
                zipfile.ZipInfo(f"{name}c" if known else name),
                code.read(f"{name}c") if known else source.read(name),
            )
    return packed.getvalue()
