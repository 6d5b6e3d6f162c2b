"""The keys of records in words, for the tables of the documentation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

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
    hints = get_type_hints(shape)
    for each in fields(shape):
        if each.metadata.get("inline"):
            yield from keys_of(without_none(hints[each.name]))
        elif "meaning" in each.metadata:
            name = each.metadata["name"] or each.name
            yield Key(name, _in_words(hints[each.name]), each.default is MISSING, each.metadata["meaning"])


def _in_words(hint: Any) -> str:
    """The values that a key may have, in words for a table."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " or ".join(_in_words(each) for each in args if each is not NoneType)
    if origin is Literal:
        return ", ".join(f"`{each}`" for each in args if each)
    if origin in (tuple, frozenset):
        return "two numbers" if args == (int, int) else f"list: {_in_words(args[0])}"
    if origin is not None:
        return f"{_in_words(args[0])} → {_in_words(args[1])}"
    plain = {str: "text", int: "number", bool: "true or false"}
    return plain.get(hint) or f"see {hint.__name__}"
