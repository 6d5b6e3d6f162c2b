"""Makes records of what a source file says, by Pydantic: dataclasses, whose types say what may stand in their fields."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args, get_type_hints

from kb.records import name_of
from kb.sources.problems import Problems

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")


def validate(shape: type[T], given: Any, path: Path, line_of: Callable[..., int], problems: Problems) -> T | None:
    """What `given` says as a `shape` (a dataclass of plain types); None where something is wrong.

    Every error becomes a problem of the file `path`, at the line that `line_of(*way)` gives for its key.
    """
    from pydantic import ValidationError

    try:
        return cast("T", adapter(cast("Any", shape)).validate_python(given))
    except ValidationError as error:
        for item in error.errors(include_url=False):
            where = ".".join(str(part) for part in item["loc"])
            problems.add(path, line_of(*item["loc"]), sentence(shape, where, item))
        return None


@cache
def adapter(shape: Any) -> TypeAdapter[Any]:
    """What Pydantic makes of a shape."""
    from pydantic import TypeAdapter

    return TypeAdapter(shape)


def sentence(shape: type[Any], where: str, item: Any) -> str:
    """Say one validation error as a sentence for the writer of the file."""
    kind, given = item["type"], item.get("input")
    if kind in {"extra_forbidden", "unexpected_keyword_argument"}:
        from difflib import get_close_matches

        known = keys_at(shape, item["loc"])
        near = get_close_matches(str(item["loc"][-1]), known, 1)
        meant = f"did you mean {near[0]!r}? Known" if near else "known"
        return f"unknown key {where!r}; {meant} are {', '.join(known)}"
    if kind in {"dataclass_type", "dict_type"}:
        return f"{where or 'this'} must be keys with their values, not {str(given)[:60]!r}"
    if kind == "missing":
        return f"{where!r} is missing"
    if kind == "literal_error":
        return f"{where} is {given!r}; it must be one of {item['ctx']['expected']}"
    if kind == "value_error":
        return f"{where}: {item['ctx']['error']}"
    return f"{where}: {item['msg']} (given: {str(given)[:60]!r})"


def keys_at(shape: Any, way: Sequence[int | str]) -> list[str]:
    """The keys of the record in which `way` ends, which begins in one of this shape."""
    for part in way[:-1]:
        shape = record_in(get_type_hints(shape).get(str(part))) or shape
    return sorted(part.name for part in fields(shape))


def record_in(hint: Any) -> Any:
    """The record that a type is, or that it lists or may be; None when there is none."""
    return hint if is_dataclass(hint) else next(filter(None, map(record_in, get_args(hint))), None)


def without_defaults(record: Any) -> dict[str, Any]:
    """A record as a mapping, without the fields that are as they would be anyway."""
    found = {}
    for part in fields(record):
        default = part.default if part.default_factory is MISSING else part.default_factory()
        if (value := getattr(record, part.name)) != default:
            found[part.name] = as_plain(value)
    return found


def as_plain(value: Any) -> Any:
    """A value of a record: records in it as mappings."""
    if isinstance(value, list):
        return [as_plain(each) for each in value]
    return without_defaults(value) if is_dataclass(value) else value


SAID = {
    "missing": "is missing",
    "extra_forbidden": "is not a key of such a record",
    "unexpected_keyword_argument": "is not a key of such a record",
    "string_too_short": "is empty",
    "tuple_type": "must be a list",
    "frozen_set_type": "must be a list",
    "list_type": "must be a list",
    "dict_type": "must be a mapping",
    "dataclass_type": "must be a mapping of keys to values",
    "model_type": "must be a mapping of keys to values",
}
MUST_BE = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "greater_than": "a whole number above {gt}",
    "greater_than_equal": "a whole number of at least {ge}",
    "less_than_equal": "a whole number of at most {le}",
    "string_type": "a text",
    "bool_type": "true or false",
    "literal_error": "one of {expected}",
}
"""What is wrong with a record, by the kinds of Pydantic's errors."""


def faults(shape: Any, record: object) -> list[str]:
    """What is wrong with a record of `cards/` by the type that describes it, in sentences without their final stop."""
    from pydantic import ValidationError

    try:
        adapter(shape).validate_json(json.dumps(without_nulls(shape, record), default=str))
    except ValidationError as error:
        told = {place_of(item["loc"]): fault(place_of(item["loc"]), item) for item in error.errors(include_url=False)}
        return list(told.values())
    except RecursionError:
        return ["is nested too deeply"]
    return []


def without_nulls(shape: Any, record: object) -> object:
    """A record without the keys that are null, which are as good as absent, unless their type has None."""
    if not is_dataclass(shape) or not isinstance(record, Mapping):
        return record
    types = get_type_hints(shape)
    kept = {name_of(each) for each in fields(shape) if NoneType in get_args(types[each.name])}
    return {name: value for name, value in record.items() if value is not None or name in kept}


def place_of(way: Sequence[int | str]) -> str:
    """The key in which an error lies, such as `deck.options.0.level`, without what Pydantic says of types there."""
    return ".".join(str(part) for part in way if part != "int" and "[" not in str(part))


def fault(place: str, item: Any) -> str:
    """Say one validation error of a record as a sentence."""
    kind, context = item["type"], dict(item.get("ctx", {}))
    if kind == "value_error":
        return f"`{place}`: {context['error']}" if place else str(context["error"])
    if kind in SAID:
        return f"`{place}` {SAID[kind]}" if place else f"a record {SAID[kind]}"
    if kind in MUST_BE:
        names = (name.strip("' ") for name in re.split(r",| or ", context.get("expected", "")))
        context["expected"] = ", ".join(filter(None, names))
        return f"`{place}` is {item['input']!r:.60}; it must be {MUST_BE[kind].format(**context)}"
    return f"`{place}` is {item['input']!r:.60}: {item['msg']}"
