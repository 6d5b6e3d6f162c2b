"""Where a search looks: the option `--in`, the game chosen by `kb use`, and both in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.terminal import warn

if TYPE_CHECKING:
    from kb.search.engine import Results, SearchIndex

EVERYWHERE = {"all", "everywhere", "*"}
Within = Annotated[
    str | None,
    typer.Option(
        "--in",
        metavar="GAME",
        help="Only in this game, set or folder, by any of its names; all: everywhere.",
        show_default=False,
    ),
]


@dataclass(frozen=True, slots=True)
class Place:
    """`within`: what `--in` names. `chosen`: the game of `kb use`, where `--in` names none. `anywhere`: `--in all`."""

    within: str | None = None
    chosen: str | None = None
    anywhere: bool = False


def place(index: SearchIndex, asked: str | None) -> Place:
    """Where to look. Stops with exit code 2 when `asked` names nothing or several folders."""
    from kb.settings import chosen_game

    if asked and asked.strip().casefold() in EVERYWHERE:
        return Place(anywhere=True)
    if asked:
        return Place(within=scope_called(index, asked))
    chosen = chosen_game()
    return Place(chosen=chosen if chosen and index.has_scope(chosen) else None)


def scope_called(index: SearchIndex, asked: str) -> str:
    """The id prefix that people call so. Stops with exit code 2 when there is none, or more than one."""
    found = index.resolve_scope(asked)
    if len(found) == 1:
        return found[0]
    if found:
        warn(f"{asked!r} can be {', '.join(found[:-1])} or {found[-1]}: say which.")
    else:
        games = "; ".join(
            f"{scope} ({', '.join(names)})" if names else scope for scope, names in index.called().items()
        )
        warn(f"Nothing lies below {asked!r}. Games and sets, with other names: {games}. Folders of a game work too.")
    raise typer.Exit(2)


def in_words(results: Results, place: Place) -> str | None:
    """Where was looked, when the user may wonder; None when it is what the command said."""
    if results.named:
        return f"Only in {results.scope}, which the question names. --in all searches everywhere."
    if place.chosen and results.scope == place.chosen:
        return f"In {place.chosen} (kb use). --in all searches everywhere."
    return None
