"""The page of the manual on JSON: a table of keys for every object that a command prints, made from the types that describe it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, is_typeddict

from kb.api.schema import keys_of, name_of

HEAD = """# JSON

What commands print with `--json`, key by key; `kb serve` and `import kb` give the same objects. "or null" is said where a key may hold
nothing; a key that is not always there says so. This page is made from the types that describe the answers (`python -m kb.cli.printed`).
"""


def page(printed: Mapping[str, Sequence[Any]]) -> str:
    """The whole page. `printed` are the types of what each command prints; in `list[…]` those of which it prints a list."""
    parts = [HEAD]
    told: list[Any] = []
    for command, shapes in printed.items():
        parts.append(f"* `kb {command} --json` prints {' or '.join(map(printed_as, shapes))}.")
        for shape in shapes:
            collect(shape, told)
    parts += [section(shape) for shape in told]
    return "\n".join(parts) + "\n"


def printed_as(shape: Any) -> str:
    """What a command prints, with its article where it is a list."""
    return f"{'a ' if get_origin(shape) is list else ''}{in_words(shape)}"


def collect(shape: Any, told: list[Any]) -> None:
    """Put a described object, and those that it holds, into `told`."""
    if is_typeddict(shape):
        if shape not in told:
            told.append(shape)
            for kind, _words, _always in keys_of(shape).values():
                collect(kind, told)
        return
    for part in get_args(shape):
        collect(part, told)


def section(shape: Any) -> str:
    """A heading and the table of an object's keys."""
    rows = [
        f"\n## {name_of(shape)}\n",
        " ".join((shape.__doc__ or "").split()),
        "",
        "| key | type | what it holds |",
        "| --- | --- | --- |",
    ]
    for key, (kind, words, always) in keys_of(shape).items():
        sometimes = "" if always else " (not always there)"
        rows.append(f"| `{key}` | {in_words(kind)}{sometimes} | {words} |")
    return "\n".join(rows)


def in_words(kind: Any) -> str:
    """A type as people read it."""
    origin, args = get_origin(kind), get_args(kind)
    if is_typeddict(kind):
        return f"[{name_of(kind)}](#{name_of(kind).lower()})"
    if origin is Literal:
        return ", ".join(map(str, args))
    if origin in (Union, UnionType):
        return " or ".join(map(in_words, args))
    if origin is list:
        return f"list of {in_words(args[0])}"
    if origin is dict:
        return "object" if args[1] is Any else f"object of {in_words(args[1])}"
    return {str: "text", int: "whole number", float: "number", bool: "true or false", type(None): "null"}.get(
        kind, "any value"
    )
