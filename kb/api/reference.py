"""The manual's page on the library: every public name of `kb` with its arguments and docstring.

`python -m kb.api.reference > site/using/api.md` rewrites the page; a test compares it with the docstrings.
"""

from __future__ import annotations

import inspect
import re
import sys
from typing import Any

import kb
from kb.registry import Option, games

HEAD = """# The library

This page describes every public class and function of `import kb`. For a guide, see [Python](python.md).
For input and output, see [Keys of deck files](deck-files.md) and [JSON](json.md).

| errors | functions | classes |
| --- | --- | --- |
"""
CHECK_OPTIONS = """## Check options

`Deck.check`, `Deck.upgrade_to`, `Deck.plan` and `check_decks` accept these options of the deck's game as keyword
arguments. Another option, or a value of another type, raises DeckFileError.

| game | option | type | meaning |
| --- | --- | --- | --- |
"""
PACKAGE = re.compile(r"\b(?:kb|typing|collections\.abc|pathlib)(?:\.\w+)*\.(?=[A-Z])")
QUOTED = re.compile(r"(: |-> )'([^']*)'")
"""Matches a type in a signature that is still text because it has not been evaluated."""


def page() -> str:
    """Return the reference of the library as one page of Markdown."""
    names = sorted(name for name in kb.__all__ if not name.startswith("_"))
    objects = {name: getattr(kb, name) for name in names}
    errors = [name for name, obj in objects.items() if is_error(obj)]
    classes = [name for name, obj in objects.items() if inspect.isclass(obj) and name not in errors]
    functions = [name for name in names if name not in errors and name not in classes]
    listed = (", ".join(f"[{name}](#{name.lower()})" for name in group) for group in (errors, functions, classes))
    parts = [f"{HEAD}| {' | '.join(listed)} |\n"]
    for group in (functions, classes, errors):
        for name in group:
            parts.append(
                described_class(name, objects[name])
                if inspect.isclass(objects[name])
                else described(name, objects[name], 2)
            )
    return "\n".join([*parts, check_options()])


def check_options() -> str:
    """Return the section on check options as Markdown: the options of kb's own games, from their `game.yaml`."""
    rows = [
        f"| {about.short} | `{option.name}` | `{value_of(option)}` | {option.help} |\n"
        for about in games().values()
        if not about.foreign
        for option in about.options
    ]
    return f"{CHECK_OPTIONS}{''.join(rows)}"


def value_of(option: Option) -> str:
    """Return the Python type of the values of a check option."""
    return "bool" if not option.metavar else "list[str]" if option.many else "str"


def is_error(obj: Any) -> bool:
    """Return True if a public name is an exception."""
    return inspect.isclass(obj) and issubclass(obj, Exception)


def described(name: str, function: Any, level: int, of: str = "") -> str:
    """Return a heading, the call and the docstring of a function or method as Markdown; `of` is its class."""
    call = PACKAGE.sub("", QUOTED.sub(r"\1\2", str(inspect.signature(function))))
    call = re.sub(r"^\((?:self|cls)(?:, )?", "(", call)
    title = f"{'#' * level} {of}.{name}" if of else f"{'#' * level} {name}"
    return f"{title}\n\n```python\n{name}{call}\n```\n\n{words(function)}\n"


def described_class(name: str, cls: type) -> str:
    """Return a heading, the docstring, the attributes and the public methods of a class as Markdown."""
    parts = [f"## {name}\n\n{words(cls)}\n"]
    if is_error(cls):
        return parts[0]
    fields = [key for key in getattr(cls, "__dataclass_fields__", {}) if not key.startswith("_")]
    if fields:
        dataclass_fields = cls.__dataclass_fields__  # type: ignore[attr-defined]
        rows = "".join(
            f"| `{key}` | `{PACKAGE.sub('', str(dataclass_fields[key].type)).replace('|', chr(92) + '|')}` |\n"
            for key in fields
        )
        parts.append(f"| attribute | type |\n| --- | --- |\n{rows}")
    for key, member in vars(cls).items():
        member = getattr(member, "__func__", member)
        if key.startswith("_"):
            continue
        if isinstance(member, property):
            parts.append(f"### {name}.{key}\n\n{words(member)}\n")
        elif inspect.isfunction(member):
            parts.append(described(key, member, 3, name))
    return "\n".join(parts)


def words(obj: Any) -> str:
    """Return the docstring of an object as Markdown, with its examples as code blocks."""
    lines: list[str] = []
    example = False
    for line in (inspect.getdoc(obj) or "").splitlines():
        if line.startswith(">>>") and not example:
            lines, example = [*lines, "```pycon"], True
        elif example and not line.strip():
            lines, example = [*lines, "```"], False
        lines.append(line)
    return "\n".join([*lines, "```"] if example else lines)


if __name__ == "__main__":
    sys.stdout.write(page())
