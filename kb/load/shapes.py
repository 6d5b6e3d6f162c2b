"""Makes records of what a source file says: dataclasses, whose types say what may stand in their fields.

What is written plainly, as all but broken files are, is read here, in a few steps and without Pydantic: loading that takes as long as taking in
a changed entry. Whatever else there is Pydantic reads, by the same types, and says what is wrong with it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from kb.errors import KbError
from kb.load.problems import Problems

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")
Read = Callable[[Any], Any]
BLANKS = " \t\n"
FAR = 2**53
SHORT = 64


class OddError(KbError):
    """A value that is not written plainly; Pydantic knows whether it is right."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a text must be: without blanks around it (`strip`), of `least` to `most` characters, all of them as a `pattern` says."""

    most: int | None = None
    least: int | None = None
    strip: bool = False
    pattern: str | None = None

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> Any:
        """The same for Pydantic."""
        from pydantic_core import core_schema

        return core_schema.str_schema(
            strip_whitespace=self.strip, min_length=self.least, max_length=self.most, pattern=self.pattern
        )

    def read(self, value: Any) -> str:
        """A text as it should be. Raises OddError for any that Pydantic might see otherwise."""
        if type(value) is not str or (self.pattern and not (value.isascii() and fits(self.pattern, value))):
            raise OddError
        if not value.isascii():
            try:
                value.encode("utf-8")  # half characters are no text
            except UnicodeEncodeError:
                raise OddError from None
        text: str = value
        if self.strip:
            text = value.strip()
            if text is not value and text != value.strip(
                BLANKS
            ):  # of rarer blanks Python and Pydantic have lists of their own
                raise OddError
        if len(text) < (self.least or 0) or (self.most is not None and len(text) > self.most):
            raise OddError
        # Tens of thousands of entries say the same names of documents, headings and cards: each is held once.
        return sys.intern(text) if len(text) < SHORT else text


def fits(pattern: str, value: str) -> bool:
    """Whether a text is all that a pattern says."""
    return re.fullmatch(pattern, value) is not None


@dataclass(frozen=True, slots=True)
class Before:
    """What makes of a given value the one that the type describes. It raises ValueError with a sentence."""

    change: Callable[[Any], Any]

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """The same for Pydantic."""
        from pydantic_core import core_schema

        return core_schema.no_info_before_validator_function(self.change, handler(source))


def validate(shape: type[T], given: Any, path: Path, line_of: Callable[..., int], problems: Problems) -> T | None:
    """What `given` says as a `shape` (a dataclass of plain types, or a model of Pydantic's); None where something is wrong.

    Every error becomes a problem of the file `path`, at the line that `line_of(*way)` gives for its key.
    """
    kind: Any = shape
    if is_record(kind):
        try:
            return cast("T", reader_of(kind)(given))
        except OddError:
            pass
    from pydantic import ValidationError

    try:
        return cast("T", adapter(kind).validate_python(given))
    except ValidationError as error:
        for item in error.errors(include_url=False):
            where = ".".join(str(part) for part in item["loc"])
            problems.add(path, line_of(*item["loc"]), sentence(shape, where, item))
        return None


def is_record(shape: Any) -> bool:
    """Whether a type (or a value) is of dataclasses."""
    return is_dataclass(shape)


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
    if not is_record(shape):
        return {name: told.annotation for name, told in shape.model_fields.items()}
    hints = get_type_hints(shape)
    return {part.name: hints[part.name] for part in fields(shape)}


def record_in(hint: Any) -> Any:
    """The record that a type is, or that it lists or may be; None when there is none."""
    if is_record(hint) or hasattr(hint, "model_fields"):
        return hint
    return next(filter(None, map(record_in, get_args(hint))), None)


@cache
def reader_of(shape: Any) -> Read:
    """What makes a record of a mapping that is written plainly."""
    hints = get_type_hints(shape, include_extras=True)
    readers = {part.name: reader(hints[part.name]) for part in fields(shape)}
    needed = {part.name for part in fields(shape) if default_of(part) is MISSING}

    def read(value: Any) -> Any:
        if type(value) is not dict or not readers.keys() >= value.keys() >= needed:
            raise OddError
        return shape(**{key: readers[key](each) for key, each in value.items()})

    return read


def reader(hint: Any) -> Read:
    """What reads a value of a type."""
    kind, parts = get_origin(hint), get_args(hint)
    if kind is Annotated:
        return annotated(parts[0], parts[1])
    if kind in (Union, UnionType) and NoneType in parts:
        (rest,) = (part for part in parts if part is not NoneType)
        read = reader(rest)
        return lambda value: None if value is None else read(value)
    if kind is Literal:
        return one_of(frozenset(parts))
    if kind is list:
        one = reader(parts[0])
        return lambda value: [one(each) for each in exactly(list, value)]
    if is_record(hint):
        return reader_of(hint)
    if kind is dict:
        return mapping
    return {str: Words().read, bool: lambda value: exactly(bool, value), int: number}[hint]


def annotated(hint: Any, told: Words | Before) -> Read:
    """What reads a value of a type of which more is told."""
    if isinstance(told, Words):
        return told.read
    read = reader(hint)

    def changed(value: Any) -> Any:
        try:
            return read(told.change(value))
        except ValueError:
            raise OddError from None

    return changed


def one_of(values: frozenset[str]) -> Read:
    """What reads one of some texts."""

    def read(value: Any) -> Any:
        if type(value) is not str or value not in values:
            raise OddError
        return value

    return read


def exactly(kind: type[T], value: Any) -> T:
    """A value of just this type."""
    if type(value) is not kind:
        raise OddError
    return value


def number(value: Any) -> int:
    """A whole number of no unusual size."""
    if not -FAR < exactly(int, value) < FAR:
        raise OddError
    return cast("int", value)


def mapping(value: Any) -> dict[str, Any]:
    """Any values by names."""
    if not all(type(key) is str and key.isascii() for key in exactly(dict, value)):
        raise OddError
    return dict(value)


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
    return without_defaults(value) if is_record(value) else value
