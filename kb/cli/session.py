"""kb held open for one command, and the options that several commands have."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from kb import registry
from kb.api.session import Session
from kb.cli.completion import editions, games, products
from kb.cli.terminal import Progress, warn
from kb.settings import chosen_game, damage


def session_here(own: bool = True) -> Session:
    """A session that tells people what it does; without `own` what they have imported is not opened."""
    if wrong := damage():
        warn(wrong)
    return Session(chosen=chosen_game(), own=own, progress=Progress("Building the catalog"), say=warn)


Within = Annotated[
    str | None,
    typer.Option(
        "--in",
        metavar="GAME",
        autocompletion=games,
        help="Only in this game, set or folder, by any of its names; all: everywhere.",
    ),
]

ByRules = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="EDITION",
        autocompletion=editions,
        help="By this edition of a game's rules; else by the one chosen (kb use --rules), else the newest.",
    ),
]


Owned = Annotated[
    list[str] | None,
    typer.Option(
        "--owned",
        metavar="PRODUCT",
        autocompletion=products,
        help="A product owned, by code or name (repeat, or commas).",
    ),
]
PageOut = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FILE.html", help="Write to this file instead of standard output."),
]
FileOut = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write to this file instead of standard output.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before anything is written (for scripts).")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite what is there.")]


def with_frame(command: Callable[..., int]) -> Callable[..., int]:
    """A command whose `**frame` gets the options of all games: those that were given, by name."""

    @wraps(command)
    def run(**values: Any) -> int:
        frame = {name: value for name, value in values.items() if name not in own and value}
        return command(**{name: value for name, value in values.items() if name in own}, **frame)

    hints = get_type_hints(command, include_extras=True)
    listed = [each for each in inspect.signature(command).parameters.values() if each.kind is not each.VAR_KEYWORD]
    own = {parameter.name for parameter in listed}
    parameters = [parameter.replace(annotation=hints[parameter.name]) for parameter in listed]
    parameters += [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=False if kind is bool else None,
            annotation=Annotated[kind, option],
        )
        for name, (kind, option) in options().items()
    ]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def options() -> dict[str, tuple[Any, Any]]:
    """Type and Typer option of every option of a frame. Where two games have one of a name, the first says what it takes."""
    by_name: dict[str, tuple[Any, Any]] = {}
    for about in registry.games().values():
        for option in about.frame:
            help_text = f"{about.short}: {option.help}"
            if option.name in by_name:
                by_name[option.name][1].help += f" {help_text}"
                continue
            kind: Any = bool if not option.metavar else list[str] | None if option.many else str | None
            by_name[option.name] = (
                kind,
                typer.Option(
                    f"--{option.name}",
                    metavar=option.metavar or None,
                    help=help_text,
                    autocompletion=products if option.metavar == "PRODUCT" else None,
                ),
            )
    return by_name
