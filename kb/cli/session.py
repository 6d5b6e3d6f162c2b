"""Sessions for commands, and the options that several commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from kb import registry
from kb.api.session import Session
from kb.cli.completion import editions, games, products
from kb.cli.terminal import Progress, warn
from kb.settings import chosen_game, damage


def session_here(own: bool = True) -> Session:
    """Return a session that shows its progress to the user. With `own`, it includes the user's imports."""
    if wrong := damage():
        warn(wrong)
    return Session(chosen=chosen_game(), own=own, progress=Progress("Building the catalog"), say=cache(warn))


Within = Annotated[
    str | None,
    typer.Option(
        "--in",
        metavar="GAME",
        autocompletion=games,
        help="Search only this game, set or folder; `all` searches everything.",
    ),
]

ByRules = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="EDITION",
        autocompletion=editions,
        help="Edition of the rules [default: the one set by kb use, or the newest].",
    ),
]


Owned = Annotated[
    list[str] | None,
    typer.Option(
        "--owned",
        metavar="PRODUCT",
        autocompletion=products,
        help="A product you own, by code or name (repeat, or use commas).",
    ),
]
PageOut = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FILE.html", help="Write to this file instead of standard output."),
]
FileOut = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write to this file instead of standard output.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]


def with_step_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the check options that games allow for upgrade steps to a command (see `with_check_options`)."""
    return with_check_options(command, steps=True)


def with_check_options(command: Callable[..., int], steps: bool = False) -> Callable[..., int]:
    """Add the check options of all games to a command, or with `steps` only those for upgrade steps. The command's
    `**options` gets the options that the user set, by name.
    """
    by_games = game_options(steps)
    signature = inspect.signature(command, eval_str=True)
    *own, _options = signature.parameters.values()

    @wraps(command)
    def run(**values: Any) -> int:
        options = {name: value for name in by_games if (value := values.pop(name))}
        return command(**values, **options)

    run.__signature__ = signature.replace(parameters=[*own, *by_games.values()])  # type: ignore[attr-defined]
    return run


def game_options(steps: bool = False) -> dict[str, inspect.Parameter]:
    """Return the check options of all games as parameters of a command, by name; with `steps`, only those for upgrade
    steps. If two games have an option of the same name, the first game determines its type.
    """
    helps: dict[str, str] = {}
    by_name: dict[str, inspect.Parameter] = {}
    for about in registry.games().values():
        for option in about.options:
            helps[option.name] = f"{helps.get(option.name, '')} {about.short}: {option.help}".lstrip()
    for option in (each for about in registry.games().values() for each in about.options if each.steps or not steps):
        kind: Any = bool if not option.metavar else list[str] | None if option.many else str | None
        said = typer.Option(
            f"--{option.name}",
            metavar=option.metavar or None,
            help=helps[option.name],
            autocompletion=products if option.metavar == "PRODUCT" else None,
        )
        default = False if kind is bool else None
        parameter = inspect.Parameter(
            option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, said]
        )
        by_name.setdefault(option.name, parameter)
    return by_name
