"""Builds records from source files with Pydantic: dataclasses, whose types define the values of their fields."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args, get_type_hints

from kb.records import name_of
from kb.sources.problems import Problems, near

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")


def validate(shape: type[T], raw: Any, path: Path, line_of: Callable[..., int], problems: Problems) -> T | None:
    """Return the value `raw` as a `shape` (a dataclass of plain types); None if there are errors.

    Every error becomes a problem of the file `path`, at the line that `line_of(*way)` returns for its key.
    """
    from pydantic import ValidationError

    try:
        return cast("T", adapter(cast("Any", shape)).validate_python(raw))
    except ValidationError as error:
        for item in error.errors(include_url=False):
            problems.add(path, line_of(*item["loc"]), fault(shape, item))
        return None


@cache
def adapter(shape: Any) -> TypeAdapter[Any]:
    """Return the Pydantic validator of a shape, created once."""
    from pydantic import TypeAdapter

    return TypeAdapter(shape)


def hint(shape: Any, way: Sequence[int | str]) -> str:
    """Return the similar key for the unknown one at the end of `way`, or else the known keys, if the record is a
    dataclass.
    """
    for part in way[:-1]:
        shape = record_in(get_type_hints(shape).get(str(part))) or shape
    if not is_dataclass(shape):
        return ""
    known = sorted(map(name_of, fields(shape)))
    return near(str(way[-1]), known) or f"; valid keys: {', '.join(known)}"


def record_in(hint: Any) -> Any:
    """Return the record that a type is, or contains as a list or alternative; None if there is none."""
    return hint if is_dataclass(hint) else next(filter(None, map(record_in, get_args(hint))), None)


MUST_BE = {
    "string_too_short": "a text that is not empty",
    "tuple_type": "a list", "frozen_set_type": "a list", "list_type": "a list",
    "dict_type": "a mapping of keys to values", "dataclass_type": "a mapping of keys to values", "model_type": "a mapping of keys to values",
    "int_type": "a whole number", "int_parsing": "a whole number", "int_from_float": "a whole number",
    "greater_than": "a whole number above {gt}", "greater_than_equal": "a whole number of at least {ge}",
    "less_than_equal": "a whole number of at most {le}",
    "string_type": "a text", "bool_type": "true or false", "literal_error": "one of {expected}",
}  # fmt: skip
"""The required kind of value, by the kinds of Pydantic's errors."""


def faults(shape: Any, record: object) -> list[str]:
    """Return the errors in a record of `cards/` by its type, in sentences without their final stop."""
    from pydantic import ValidationError

    try:
        adapter(shape).validate_json(json.dumps(without_nulls(shape, record), default=str))
    except ValidationError as error:
        return list({place_of(item["loc"]): fault(shape, item) for item in error.errors(include_url=False)}.values())
    except RecursionError:
        return ["is nested too deeply"]
    return []


def without_nulls(shape: Any, record: object) -> object:
    """Return a record without null keys, which count as absent, unless their type includes None."""
    if not is_dataclass(shape) or not isinstance(record, Mapping):
        return record
    return {name: value for name, value in record.items() if value is not None or name in nullable(cast("Any", shape))}


@cache
def nullable(shape: Any) -> set[str]:
    """Return the keys of a record that may be null."""
    types = get_type_hints(shape)
    return {name_of(each) for each in fields(shape) if NoneType in get_args(types[each.name])}


def place_of(way: Sequence[int | str]) -> str:
    """Return the key of an error, such as `deck.options.0.level`, without Pydantic's names of types."""
    return ".".join(str(part) for part in way if part != "int" and "[" not in str(part))


def fault(shape: Any, item: Any) -> str:
    """Return a validation error as a sentence for the author of the file."""
    kind, context, place = item["type"], dict(item.get("ctx", {})), place_of(item["loc"])
    named = f"`{place}`" if place else "this"
    if kind == "missing":
        return f"{named} is missing"
    if kind in {"extra_forbidden", "unexpected_keyword_argument"}:
        return f"{named} is not a key of this record{hint(shape, item['loc'])}"
    if kind == "value_error":
        return f"{named}: {context['error']}" if place else str(context["error"])
    if kind in MUST_BE:
        context["expected"] = ", ".join(re.findall(r"[^', ]+(?=')", context.get("expected", "")))
        meant = near(str(item["input"]), context["expected"].split(", ")) if kind == "literal_error" else ""
        meant = f" ({meant.removeprefix('; ')})" if meant else ""
        return f"{named} is {item['input']!r:.60}{meant}; it must be {MUST_BE[kind].format(**context)}"
    return f"{named} is {item['input']!r:.60}: {item['msg']}"
