"""The keys of records in words, for the tables of the documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from importlib import import_module
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from kb.records.fields import without_none


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a record for the documentation."""

    name: str
    values: str
    needed: bool
    meaning: str


def keys_of(shape: type[Any]) -> Iterator[Key]:
    """The keys of a type of records in their order, with those of its inlined parts."""
    if not is_dataclass(shape):
        yield from _of_model(shape)
        return
    hints = get_type_hints(shape)
    for each in fields(shape):
        if each.metadata.get("inline"):
            yield from keys_of(without_none(hints[each.name]))
        elif "meaning" in each.metadata:
            name = each.metadata["name"] or each.name
            yield Key(name, _in_words(hints[each.name]), each.default is MISSING, each.metadata["meaning"])


def _of_model(shape: type[Any]) -> Iterator[Key]:
    """The keys of a type of records that is a model of Pydantic."""
    for name, each in shape.model_fields.items():
        yield Key(each.alias or name, _in_words(each.annotation), each.is_required(), each.description or "")


_BLOCK = re.compile(r"(<!-- keys: ([\w.]+):(\w+) -->\n).*?(<!-- end of keys -->)", re.S)


def filled(text: str) -> str:
    """A text with the table of keys in each of its blocks, from `<!-- keys: MODULE:TYPE -->` to `<!-- end of keys -->`."""

    def block(found: re.Match[str]) -> str:
        return f"{found[1]}{table(getattr(import_module(found[2]), found[3]))}{found[4]}"

    return _BLOCK.sub(block, text)


def table(shape: type[Any]) -> str:
    """The keys of a type of records as a table in Markdown; a needed key is bold."""
    rows = "".join(
        f"| {f'**`{each.name}`**' if each.needed else f'`{each.name}`'} | {each.values} | {each.meaning} |\n"
        for each in keys_of(shape)
    )
    return f"| key | values | meaning |\n| --- | --- | --- |\n{rows}"


def _in_words(hint: Any) -> str:
    """The values that a key may have, in words for a table."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " or ".join(_in_words(each) for each in args if each is not NoneType)
    if origin is Annotated:
        return _in_words(args[0])
    if origin is Literal:
        return ", ".join(f"`{each}`" for each in args if each)
    if origin in (tuple, frozenset, list):
        return "two numbers" if args == (int, int) else f"list: {_in_words(args[0])}"
    if origin is not None:
        return f"{_in_words(args[0])} → {_in_words(args[1])}"
    plain = {str: "text", int: "number", bool: "true or false"}
    return plain.get(hint) or "a record (below)"
