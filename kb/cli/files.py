"""Writes the file that a command was asked for: whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import typer

from kb.cli.terminal import tell, warn
from kb.files.outputs import refuse_inputs
from kb.files.swap import write_whole

UNWRITTEN = 2


def write_new(out: Path, text: str, force: bool, inputs: Iterable[str | Path], quiet: bool = False) -> None:
    """Write a new file, or over an old one with `force`, but never over one of the `inputs` (which may be folders). Stops with exit code 2
    when that cannot be done; raises OutputError.

    `quiet` says nothing of the file, where standard output holds JSON.
    The text is written beside and then put in place: a full disk leaves neither half a file nor a damaged old one.
    """
    refuse_old(out, force, inputs)
    data = text.encode("utf-8", "backslashreplace")
    try:
        if out.is_symlink() or (out.exists() and not out.is_file()):
            out.write_bytes(data)  # what a link names, or a device such as /dev/stdout
        else:
            write_whole(out, data)
    except (OSError, ValueError) as error:
        warn(f"{out} cannot be written: {getattr(error, 'strerror', None) or error}.")
        raise typer.Exit(UNWRITTEN) from None
    if not quiet:
        tell(f"Wrote {out}.")


def refuse_old(out: Path, force: bool, inputs: Iterable[str | Path]) -> None:
    """Stop with exit code 2 over a file that is there, unless it may be overwritten. Raises OutputError when it is an input."""
    refuse_inputs(out, inputs)
    if not force and os.path.lexists(out):
        warn(f"{out} exists; --force overwrites it.")
        raise typer.Exit(UNWRITTEN)
