"""One script that holds bytes: it loads from a folder, where a page may read no other file, as well as from a server.

`kbPython("…")`: a line of JSON that tells the parts (name, bytes as they stand, bytes unpacked), then the parts one after another, gzipped.
A byte is one character of the script, so that nothing but four of them grows; the page says how it is to be read (`x-user-defined`).
"""

from __future__ import annotations

import json
import tempfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

GZIP = 31
"""How zlib is told to write what gzip reads."""
LEVEL = 7
"""Of 9 levels: the highest takes four seconds more for a hundredth less."""
PIECE = 1 << 20
"""Bytes that are squeezed at a time."""
HEAD = b"/* kb \0 bytes: neither text nor to be changed */kbPython("
"""The empty byte tells programs that look after ends of lines that this is no text."""


def write_script(script: Path, told: Mapping[str, Any], parts: Iterable[tuple[str, Path]]) -> None:
    """Write the script with what is told and the parts, which are files; the same content gives the same bytes."""
    lengths: list[tuple[str, int, int]] = []
    with tempfile.TemporaryFile() as packed:
        for name, file in parts:
            lengths.append((name, gzipped(file, packed), file.stat().st_size))
        packed.seek(0)
        with script.open("wb") as out:
            out.write(HEAD + b'"')
            first = json.dumps({**told, "parts": lengths}, ensure_ascii=True, separators=(",", ":"))
            out.write(quoted(first.encode("ascii") + b"\n"))
            while piece := packed.read(PIECE):
                out.write(quoted(piece))
            out.write(b'")\n')


def gzipped(file: Path, out: IO[bytes]) -> int:
    """Write a file gzipped, a piece at a time; how many bytes that is."""
    squeeze, written = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP), 0
    with file.open("rb") as source:
        while piece := source.read(PIECE):
            written += out.write(squeeze.compress(piece))
    return written + out.write(squeeze.flush())


def quoted(raw: bytes) -> bytes:
    """Bytes as they stand between the quotes of a script."""
    return raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n").replace(b"\r", b"\\r")
