"""What a command's help says, told once: printed for a terminal of any width, and as a page for `man`.

The text is the docstring of the command: its first paragraph sums it up, and after a line `Examples:` stand commands that are run by a
test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from kb.cli.layout import beside, columns, wrapped
from kb.errors import KbError

EXAMPLES = "Examples:"
# What a value is called where the option does not say it better.
TYPES = {"int": "NUMBER", "int range": "NUMBER", "float": "NUMBER", "str": "TEXT", "text": "TEXT", "path": "PATH"}
WIDEST = 100
Rows = list[tuple[str, str]]
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Told:
    """The help of a command: its words, usage, first paragraph, further ones, and rows of a name with what it means."""

    words: str
    usage: str
    summary: str
    more: tuple[str, ...]
    arguments: Rows
    options: Rows
    commands: Rows
    examples: tuple[str, ...]


def told(command: Any, words: str) -> Told:
    """What is to be said of a command that is called by these `words` (`kb deck check`)."""
    paragraphs, examples = parted(command.help or "")
    shown = [each for each in command.params if not getattr(each, "hidden", False)]
    arguments = [each for each in shown if each.param_type_name == "argument"]
    options = [each for each in shown if each.param_type_name == "option"]
    below: dict[str, Any] = getattr(command, "commands", {})
    pieces = [words, *(["[OPTIONS]"] if options else []), *(["COMMAND"] if below else [])]
    pieces += [name_of(each) if each.required else f"[{name_of(each)}]" for each in arguments]
    return Told(
        words=words,
        usage=" ".join(pieces),
        summary=paragraphs[0] if paragraphs else "",
        more=tuple(paragraphs[1:]),
        arguments=[(name_of(each), each.help or "") for each in arguments],
        options=[(flags(each), meaning(each)) for each in options] + [("-h, --help", "Show this help.")],
        commands=[(name, first_sentence(each)) for name, each in below.items() if not each.hidden],
        examples=examples or examples_below(below),
    )


def examples_below(commands: dict[str, Any]) -> tuple[str, ...]:
    """Two examples of a group's commands, of different ones where there are."""
    found = [parted(each.help or "")[1] for each in commands.values() if not each.hidden]
    firsts = [examples[0] for examples in found if examples][:2]
    return tuple(firsts) if len(firsts) == 2 else found[0][:2] if found else ()


def parted(text: str) -> tuple[list[str], tuple[str, ...]]:
    """The paragraphs of a docstring, each in one line, and the commands below its line `Examples:`."""
    prose, _, listed = text.partition(EXAMPLES)
    paragraphs = [" ".join(part.split()) for part in prose.split("\n\n")]
    return [part for part in paragraphs if part], tuple(line.strip() for line in listed.splitlines() if line.strip())


def first_sentence(command: Any) -> str:
    """The first sentence of a command's help, whole."""
    paragraphs, _ = parted(command.help or "")
    summary = paragraphs[0] if paragraphs else ""
    return summary.partition(". ")[0].rstrip(".") + "."


def name_of(argument: Any) -> str:
    """What an argument is called in the help."""
    return str(argument.metavar or argument.name.upper())


def flags(option: Any) -> str:
    """The names of an option, short before long, and what it takes."""
    names = sorted(option.opts, key=len)
    shown = ", ".join(names)
    if option.secondary_opts:
        return f"{shown} / {', '.join(option.secondary_opts)}"
    return (
        shown
        if option.is_flag
        else f"{shown} {option.metavar or TYPES.get(option.type.name, option.type.name.upper())}"
    )


def meaning(option: Any) -> str:
    """What an option does, with what holds when it is left out."""
    default = option.default
    known = option.show_default and not option.is_flag and not callable(default) and default not in (None, (), [])
    return f"{option.help or ''} [default: {default}]".strip() if known else str(option.help or "")


def printed(help_of: Told, width: int) -> str:
    """The help as lines of at most `width` columns."""
    lines = [wrapped(f"Usage: {help_of.usage}", width, 4), ""]
    for paragraph in (help_of.summary, *help_of.more):
        if paragraph:
            lines += [wrapped(f"  {paragraph}", width, 0), ""]
    for title, rows in (("Arguments", help_of.arguments), ("Commands", help_of.commands), ("Options", help_of.options)):
        if rows:
            lines += [f"{title}:", *beside(rows, width), ""]
    if help_of.examples:
        lines += [EXAMPLES, *(wrapped(f"  {example}", width, 4) for example in help_of.examples), ""]
    return "\n".join(lines).rstrip()


def words_of(context: Any) -> str:
    """The words by which a command was called."""
    return str(context.command_path)


class NamelessError(KbError):
    """A file or folder was named by nothing; the message is a sentence."""


class Command(TyperCommand):
    """A command that prints this help. An empty name of a file is refused: a script's empty variable is not this folder."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As Typer's own. Raises NamelessError."""
        left = super().parse_args(ctx, args)
        for each in self.params:
            given = ctx.params.get(each.name or "")
            if each.type.name == "path" and "" in (given if isinstance(given, list | tuple) else (given,)):
                called = name_of(each) if each.param_type_name == "argument" else each.opts[0]
                raise NamelessError(f"{called}: '' is no name of a file or folder; write . for this folder.")
        return left

    def get_help(self, ctx: Any) -> str:
        """The help, as wide as the terminal."""
        return printed(told(self, words_of(ctx)), min(WIDEST, columns()))


class Group(TyperGroup):
    """A group of commands that prints this help."""

    def get_help(self, ctx: Any) -> str:
        """The help, as wide as the terminal."""
        return printed(told(self, words_of(ctx)), min(WIDEST, columns()))


class Commands(typer.Typer):
    """A Typer whose commands and groups print this help."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(cls=Group, rich_markup_mode=None, **settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Function], Function]:
        """As Typer's own."""
        settings.setdefault("cls", Command)
        return super().command(name, **settings)


def every(command: Any, words: str) -> Iterator[tuple[str, Any]]:
    """A command and all below it that are not hidden, each with its words."""
    yield words, command
    for name, below in getattr(command, "commands", {}).items():
        if not below.hidden:
            yield from every(below, f"{words} {name}")


def man_page(command: Any, name: str, version: str) -> str:
    """The page for `man` of a program and all its commands."""
    top = told(command, name)
    lines = [
        f'.TH {name.upper()} 1 "" "{name} {version}"',
        ".SH NAME",
        f"{name} \\- {escaped(top.summary)}",
        ".SH SYNOPSIS",
        escaped(top.usage),
    ]
    for paragraph in top.more:
        lines += [".PP", escaped(paragraph)]
    lines.append(".SH COMMANDS")
    for words, each in every(command, name):
        if not getattr(each, "commands", {}):
            lines += section(told(each, words))
    lines += [".SH OPTIONS", *terms(top.options)]
    if top.examples:
        lines += [".SH EXAMPLES", ".nf", *map(escaped, top.examples), ".fi"]
    return "\n".join(lines) + "\n"


def section(help_of: Told) -> list[str]:
    """A command in the page for `man`."""
    lines = [f".SS {escaped(help_of.usage)}", escaped(help_of.summary)]
    for paragraph in help_of.more:
        lines += [".PP", escaped(paragraph)]
    lines += terms([*help_of.arguments, *help_of.options])
    if help_of.examples:
        lines += [".PP", "Examples:", ".PP", ".RS", ".nf", *map(escaped, help_of.examples), ".fi", ".RE"]
    return lines


def terms(rows: Rows) -> list[str]:
    """Names with their meaning in the page for `man`."""
    return [line for name, meaning in rows for line in (".TP", f".B {escaped(name)}", escaped(meaning))]


def escaped(text: str) -> str:
    """Text that `man` shows as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return f"\\&{text}" if text.startswith(".") else text
