"""Where a search looks: the option `--in`, and what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.completion import editions, games

if TYPE_CHECKING:
    from kb.api.places import Place
    from kb.retrieval.engine import Results

Within = Annotated[
    str | None,
    typer.Option(
        "--in",
        metavar="GAME",
        autocompletion=games,
        help="Only in this game, set or folder, by any of its names; all: everywhere.",
        show_default=False,
    ),
]

ByRules = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="EDITION",
        autocompletion=editions,
        help="By this edition of a game's rules; else by the one chosen (kb use --rules), else the newest.",
        show_default=False,
    ),
]


def in_words(results: Results, place: Place) -> str | None:
    """Where was looked, when the user may wonder; None when it is what the command said."""
    if results.named:
        return f"Only in {results.scope}, which the question names. --in all searches everywhere."
    if place.chosen and results.scope == place.chosen:
        return f"In {place.chosen} (kb use). --in all searches everywhere."
    return None
