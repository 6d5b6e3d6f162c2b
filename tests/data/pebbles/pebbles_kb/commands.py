"""`kb deck count`: how many stones are in a pouch."""

from __future__ import annotations

import typer

from kb.cli.deck_files import read_all


def count(files: list[str]) -> None:
    """Count the stones of pouches."""
    for file in read_all(files):
        if file is not None:
            typer.echo(f"{file.name}: {len(file.value()['pouch'])} stones")
