"""Typer's own help for the commands of kb: the docstring says what a command does, and after a line `Examples:` stand commands to try."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from kb.errors import KbError

EXAMPLES = "Examples:"
Function = TypeVar("Function", bound=Callable[..., Any])


class NamelessError(KbError):
    """A file or folder was named by nothing; the message is a sentence."""


class Command(TyperCommand):
    """A command that refuses an empty name of a file: a script's empty variable is not this folder."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As Typer's own. Raises NamelessError."""
        if any(not word or word.endswith("=") for word in args):
            given, _, _ = self.make_parser(ctx).parse_args(args=list(args))
            types = get_type_hints(self.callback)
            for each in self.params:
                value = given.get(each.name or "")
                if "Path" in str(types.get(each.name or "")) and (
                    value == "" or (isinstance(value, list | tuple) and "" in value)
                ):
                    called = each.opts[0] if each.param_type_name == "option" else getattr(each, "metavar", each.name)
                    raise NamelessError(f"{called}: '' is no name of a file or folder; write . for this folder.")
        return super().parse_args(ctx, args)


class Asking(TyperGroup):
    """A group in which what is no command, and is not nearly one, is a question: `kb mulligan`, `kb "how do i win"`; `kb help deck` is help."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """As Typer's own, which says what a mistyped command may have meant."""
        first = args[0] if args else ""
        if first and not first.startswith("-") and self.get_command(ctx, first) is None:
            if first == "help":
                if len(args) == 1:
                    from kb.cli.terminal import put

                    put(ctx.get_help())
                    raise typer.Exit(0)
                return super().resolve_command(ctx, [*args[1:], "--help"])
            if is_question(first, self.list_commands(ctx)):
                return super().resolve_command(ctx, ["ask", *args])
        return super().resolve_command(ctx, args)


def is_question(word: str, commands: list[str]) -> bool:
    """Whether what stands in the place of a command begins a question: several words, a word that questions begin with, or none that is
    nearly a command."""
    from difflib import get_close_matches

    from kb.retrieval.analysis import STOP

    return " " in word or word.casefold() in STOP or not get_close_matches(word.casefold(), commands)


class Commands(typer.Typer):
    """A Typer that takes the help of a command, its line in a list, and its examples from the docstring of the function."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(rich_markup_mode="rich", **settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Function], Function]:
        """As Typer's own."""

        def add(function: Function) -> Function:
            told = described(function)
            short = told["help"].partition("\n")[0].partition(". ")[0].rstrip(".") + "."
            given: dict[str, Any] = {"cls": Command, "short_help": short, **told, **settings}
            return super(Commands, self).command(name, **given)(function)

        return add

    def callback(self, **settings: Any) -> Callable[[Function], Function]:
        """As Typer's own."""

        def add(function: Function) -> Function:
            return super(Commands, self).callback(**described(function) | settings)(function)

        return add


def described(function: Callable[..., Any]) -> dict[str, str]:
    """The paragraphs of a docstring as `help`, and its examples as `epilog`."""
    prose, _, examples = (inspect.getdoc(function) or "").replace("[", "\\[").partition(EXAMPLES)
    lines = [line.strip() for line in examples.splitlines() if line.strip()]
    return {
        "help": "\n\n".join(" ".join(part.split()) for part in prose.split("\n\n") if part.strip()),
        "epilog": "\n\n".join([EXAMPLES, *lines]) if lines else "",
    }
