"""Typer's own help for the commands of kb: the docstring says what a command does, and after a line `Examples:` stand commands to try."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, TypeVar

import typer
from typer.core import TyperGroup

Function = TypeVar("Function", bound=Callable[..., Any])


class Asking(TyperGroup):
    """A group in which what is no command, and is not nearly one, is a question: `kb mulligan`, `kb "how do i win"`; `kb help deck` is help."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """As Typer's own, which says what a mistyped command may have meant."""
        first = args[0] if args else ""
        if first == "help":
            if len(args) == 1:
                from kb.cli.terminal import put

                put(ctx.get_help())
                raise typer.Exit(0)
            args = [*args[1:], "--help"]
        elif first and not first.startswith("-") and self.get_command(ctx, first) is None:
            from difflib import get_close_matches

            from kb.retrieval.analysis import STOP

            word = first.casefold()
            if " " in word or word in STOP or not get_close_matches(word, self.list_commands(ctx)):
                args = ["ask", *args]
        return super().resolve_command(ctx, args)


class Commands(typer.Typer):
    """A Typer whose commands show their docstrings as they are written: brackets are no markup, and each example has a line of its own."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(rich_markup_mode="rich", **settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Function], Function]:
        """Like `Typer.command`, with the docstring as the help text."""

        def add(function: Function) -> Function:
            help_text = shown(function)
            short = help_text.partition("\n")[0].partition(". ")[0].rstrip(".") + "."
            return super(Commands, self).command(name, help=help_text, short_help=short, **settings)(function)

        return add


def shown(function: Callable[..., Any]) -> str:
    """A docstring as Typer takes it: a paragraph in a line, each example in a line of its own."""
    return re.sub(r"(?<=\S)\n(?=\S)", " ", inspect.getdoc(function) or "").replace("[", "\\[")
