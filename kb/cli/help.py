"""Plain-text help, made from the docstrings of commands. A docstring contains the description and, after a line
`Examples:`, the examples.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

Function = TypeVar("Function", bound=Callable[..., Any])
TYPE = re.compile(r" ?<[^<>]+>")
"""Typer's text for an option or argument without a metavar: `<str>`, `<list[str]>`."""
LIMITS = re.compile(r"(?:; )?[\d.]+<=x(?:<=[\d.]+)?|(?:; )?x<=[\d.]+")
"""The smallest and largest value of a number in Typer's text. Help leaves them out, because the message about a wrong
value states them.
"""
AS_WRITTEN = "\b\n"
"""A mark before a paragraph that keeps the formatter from wrapping its lines."""


class Command(TyperCommand):
    """A command whose help lists its arguments and options without Python types and without old names."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the sections "Arguments" and "Options"."""
        write_parameters(self, ctx, formatter)


class CommandGroup(TyperGroup):
    """A group of commands. Its help lists the commands with short descriptions, under the headings of `sections` if it
    has any.
    """

    sections: Mapping[str, tuple[str, ...]] = {}

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, then the commands section by section. Commands that are in no section come last."""
        write_parameters(self, ctx, formatter)
        every = {
            name: each for name in self.list_commands(ctx) if (each := self.get_command(ctx, name)) and not each.hidden
        }
        named = {name for names in self.sections.values() for name in names}
        rest = tuple(name for name in every if name not in named)
        for heading, names in {**self.sections, ("Others" if self.sections else "Commands"): rest}.items():
            rows = [(name, every[name].short_help or every[name].help or "") for name in names if name in every]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)


class Asking(CommandGroup):
    """A group of commands that accepts a question without a command: `kb mulligan` means `kb ask mulligan`.

    A first word begins a question if it is not a command and does not resemble one. `kb help deck` prints the help of
    `kb deck`.
    """

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the arguments name, as Typer does. For a mistyped command, Typer suggests one."""
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
    """A Typer app whose commands show their docstrings unchanged as help. Brackets are not markup, and each example is
    on a separate line.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(rich_markup_mode=None, **{"cls": CommandGroup, **settings})

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Function], Function]:
        """Return a decorator that adds a command, like `Typer.command`. The help text is the function's docstring."""

        def add(function: Function) -> Function:
            help_text = shown(function)
            chosen = {"cls": Command, "short_help": first_sentence(help_text), **settings}
            return super(Commands, self).command(name, help=help_text, **chosen)(function)

        return add


def shown(function: Callable[..., Any]) -> str:
    """Return the docstring of a function with a mark for the formatter. The formatter wraps paragraphs but keeps the
    lines of the examples.
    """
    return (inspect.getdoc(function) or "").replace("Examples:\n", f"{AS_WRITTEN}Examples:\n")


def first_sentence(text: str) -> str:
    """Return the first sentence of a help text."""
    return " ".join(text.partition("\n\n")[0].split()).partition(". ")[0].rstrip(".") + "."


def write_parameters(command: Any, ctx: Any, formatter: Any) -> None:
    """Write the arguments of a command, then its options."""
    for heading, kind in (("Arguments", "argument"), ("Options", "option")):
        rows = [row for each in command.get_params(ctx) if each.param_type_name == kind for row in rows_of(each, ctx)]
        if rows:
            with formatter.section(heading):
                formatter.write_dl(rows)


def rows_of(parameter: Any, ctx: Any) -> Iterator[tuple[str, str]]:
    """Yield one row for a parameter, with its names and its explanation. Yield nothing if the parameter is hidden."""
    if record := parameter.get_help_record(ctx):
        names, explained = record
        for old in old_names(parameter):
            names = names.replace(f", {old}", "", 1)
        yield TYPE.sub("", names), LIMITS.sub("", explained).removesuffix("[]").rstrip()


def old_names(parameter: Any) -> list[str]:
    """Return the old names of an option: its long names except the first. Scripts may use them, but help does not show
    them.
    """
    return [name for name in parameter.opts if name.startswith("--")][1:]
