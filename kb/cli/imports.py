"""`kb import`: takes data that you own into your own data folder; games bring the commands. Nothing leaves the machine."""

from __future__ import annotations

import typer

app = typer.Typer(
    name="import",
    help="Take data that you have (card texts, other lists) into your own data folder.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(main: typer.Typer) -> None:
    """Add `import` to the main command."""
    main.add_typer(app)


@app.callback()
def group() -> None:
    """Take data that you have into your own data folder."""
