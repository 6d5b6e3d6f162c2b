"""Writes the file that a command was asked for: whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from kb.cli.terminal import visible, warn

UNWRITTEN = 2


def write_new(out: Path, text: str, force: bool) -> None:
    """Write a new file, or over an old one with `force`. Stops with exit code 2 when that cannot be done.

    The text is written beside and then put in place: a full disk leaves neither half a file nor a damaged old one.
    """
    if not force and os.path.lexists(out):
        warn(f"{out} exists; --force overwrites it.")
        raise typer.Exit(UNWRITTEN)
    data = text.encode("utf-8", "backslashreplace")
    try:
        if out.is_symlink() or (out.exists() and not out.is_file()):
            out.write_bytes(data)  # what a link names, or a device such as /dev/stdout
        else:
            put_in_place(out, data)
    except (OSError, ValueError) as error:
        warn(f"{out} cannot be written: {getattr(error, 'strerror', None) or error}.")
        raise typer.Exit(UNWRITTEN) from None
    typer.echo(visible(f"Wrote {out}."))


def put_in_place(out: Path, data: bytes) -> None:
    """Write `data` beside `out`, then rename it. Raises OSError; then `out` is as it was."""
    beside = out.with_name(f".{out.name[:100]}.{os.getpid()}.tmp")
    try:
        beside.write_bytes(data)
        if out.exists():
            beside.chmod(out.stat().st_mode & 0o7777)
        beside.replace(out)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
