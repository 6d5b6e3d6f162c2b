"""Create records from source files with Pydantic. Records are dataclasses, and the types of their fields define the
allowed values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

from kb.shapes import keys, types
from kb.sources.problems import Problems, near

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")


def validate(shape: type[T], raw: Any, path: Path, line_of: Callable[..., int], problems: Problems) -> T | None:
    """Convert the value `raw` to a `shape` (a dataclass of plain types). Return None if it has errors.

    Each error becomes a problem in the file `path`. `line_of(*way)` returns the line of the key with the error.
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
    """Return the Pydantic validator for the type `shape`. It is created only once."""
    from pydantic import TypeAdapter

    return TypeAdapter(shape)


def hint(shape: Any, way: Sequence[int | str]) -> str:
    """Return `; did you mean …?` for the unknown key at the end of `way`, or a list of the valid keys.

    `shape` is the type of the whole record. Empty if the key is not in a dataclass.
    """
    for part in way[:-1]:
        shape = record_in(types(shape).get(str(part))) or shape
    if not is_dataclass(shape):
        return ""
    known = sorted(each.name for each in keys(cast(Any, shape)))
    return near(str(way[-1]), known) or f"; valid keys: {', '.join(known)}"


def record_in(hint: Any) -> Any:
    """Return the dataclass in a type hint: the hint itself, or one inside a list or union. None if there is none."""
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
"""The required values in words, by the type of Pydantic's error."""


def faults(shape: Any, record: object) -> list[str]:
    """Return the errors in a record of `cards/`, as sentences without their final stop. `shape` is the record's type."""
    from pydantic import ValidationError

    try:
        adapter(shape).validate_json(json.dumps(without_nulls(shape, record), default=str))
    except ValidationError as error:
        return list({place_of(item["loc"]): fault(shape, item) for item in error.errors(include_url=False)}.values())
    except RecursionError:
        return ["is nested too deeply"]
    return []


def without_nulls(shape: Any, record: object) -> object:
    """Return a copy of a record without null values, which count as absent. A null is kept if the key's type includes
    None.
    """
    if not is_dataclass(shape) or not isinstance(record, Mapping):
        return record
    return {name: value for name, value in record.items() if value is not None or name in nullable(cast("Any", shape))}


@cache
def nullable(shape: Any) -> set[str]:
    """Return the keys of the dataclass `shape` whose values can be null."""
    return {each.name for each in keys(shape) if NoneType in get_args(types(shape)[each.attribute])}


def place_of(way: Sequence[int | str]) -> str:
    """Return the key with an error, such as `deck.options.0.level`, without Pydantic's names of types."""
    return ".".join(str(part) for part in way if part != "int" and "[" not in str(part))


def fault(shape: Any, item: Any) -> str:
    """Return a validation error of Pydantic (`item`) as a sentence for the author of the file."""
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
