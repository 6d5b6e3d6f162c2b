"""Makes records of what a source file says, by Pydantic: dataclasses and models, whose types say what may stand in their fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args, get_type_hints

from kb.sources.problems import Problems

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")


def validate(shape: type[T], given: Any, path: Path, line_of: Callable[..., int], problems: Problems) -> T | None:
    """What `given` says as a `shape` (a dataclass of plain types, or a model of Pydantic's); None where something is wrong.

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
        return f"unknown key {where!r}; known are {', '.join(keys_at(shape, item['loc']))}"
    if kind in {"model_type", "dataclass_type", "dict_type"}:
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
        shape = record_in(types_of(shape).get(str(part))) or shape
    return sorted(types_of(shape))


def types_of(shape: Any) -> dict[str, Any]:
    """The types of a record's fields."""
    if not is_dataclass(shape):
        return {name: told.annotation for name, told in shape.model_fields.items()}
    hints = get_type_hints(shape)
    return {part.name: hints[part.name] for part in fields(shape)}


def record_in(hint: Any) -> Any:
    """The record that a type is, or that it lists or may be; None when there is none."""
    if is_dataclass(hint) or hasattr(hint, "model_fields"):
        return hint
    return next(filter(None, map(record_in, get_args(hint))), None)


def without_defaults(record: Any) -> dict[str, Any]:
    """A record as a mapping, without the fields that are as they would be anyway."""
    return {
        part.name: told(value) for part in fields(record) if (value := getattr(record, part.name)) != default_of(part)
    }


def default_of(part: Field[Any]) -> Any:
    """What a field is unless something is given; MISSING where something must be."""
    return part.default if part.default_factory is MISSING else part.default_factory()


def told(value: Any) -> Any:
    """A value of a record: records in it as mappings."""
    if isinstance(value, list):
        return [told(each) for each in value]
    return without_defaults(value) if is_dataclass(value) else value
