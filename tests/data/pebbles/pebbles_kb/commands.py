"""The command `kb deck count`, which prints the number of stones in a pouch."""

from __future__ import annotations

import typer

from kb.decks.nodes import DeckFileError
from kb.decks.reading import read_each


def count(files: list[str]) -> None:
    """Count the stones of pouches."""
    for file in read_each(files):
        if isinstance(file, DeckFileError):
            typer.echo(str(file), err=True)
        else:
            typer.echo(f"{file.name}: {len(file.value()['pouch'])} stones")
