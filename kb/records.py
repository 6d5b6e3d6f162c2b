"""Typed records: a frozen dataclass lists the keys of a record with their types and, below each key, its meaning.

    @record
    class Product(Record):
        '''A product.'''

        code: str
        '''Short name of the product.'''
        year: int | None = key(default=None, ge=1900)
        '''Year in which it was first sold.'''

    build(Product, {"code": "core"})

Pydantic reads the same description when the catalog is built (`kb.sources.validation.faults`). After that, records need
only the standard library, because deck rules also run in a browser.

`python -m kb.cli.keys README.md …` updates the tables of keys in these files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import cache, partial
from types import NoneType, UnionType
from typing import (
    Any,
    ClassVar,
    Literal,
    NoReturn,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

T = TypeVar("T")


class _Nothing(dict[Any, Any]):
    """An immutable empty mapping, which can therefore be a default value."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return 0

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TypeError("the empty mapping cannot be changed")


NOTHING: Mapping[Any, Any] = _Nothing()


class Record:
    """Base class of records. A record may contain neither empty texts nor keys that its class does not describe."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {
        "extra": "forbid",
        "strict": True,
        "str_min_length": 1,
        "str_strip_whitespace": True,
    }


class Texts(Record):
    """Base class of records of printed texts, which may be empty."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {
        "extra": "forbid",
        "strict": True,
        "use_attribute_docstrings": True,
    }


def key(*, name: str | None = None, default: Any = MISSING, small: bool = False, **bounds: int) -> Any:
    """Define a key of a record. `name` is its name if that differs from the attribute, and `default` is its value if
    the key is missing.

    `ge` and `le` limit a number; with `small`, text values are converted to lower case.
    """
    return field(default=default, metadata={"alias": name, "small": small, **bounds})


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(key, field))
def record(shape: type[T]) -> type[T]:
    """Make a class a type of records: a frozen dataclass with keyword arguments."""
    return dataclass(frozen=True, slots=True, kw_only=True)(shape)


def build(shape: type[T], record: Mapping[str, Any]) -> T:
    """Return the object of type `shape` for a `record` that has been validated. A null value counts as missing, unless
    the type of the key includes None.
    """
    made = {}
    for attribute, name, may_be_none, convert in _keys(cast(Any, shape)):
        value = record.get(name)
        if value is not None:
            made[attribute] = convert(value)
        elif may_be_none and name in record:
            made[attribute] = None
    return shape(**made)


def fits(hint: Any, value: Any) -> bool:
    """Return True if a JSON value matches the type `hint`. Null is accepted for a key with a default."""
    origin, args = get_origin(hint), get_args(hint)
    if is_dataclass(hint):
        hints, known = get_type_hints(hint), {name_of(each): each for each in fields(hint)}
        return (
            isinstance(value, Mapping)
            and value.keys() <= known.keys()
            and all(
                each.default is not MISSING
                if (member := value.get(name)) is None
                else fits(hints[each.name], member) and _within(member, each.metadata)
                for name, each in known.items()
            )
        )
    if origin is Literal:
        return isinstance(value, str | int) and value in args
    if origin in (Union, UnionType):
        return any(fits(each, value) for each in args)
    if origin in (tuple, frozenset, list):
        return isinstance(value, list) and all(fits(args[0], each) for each in value)
    if origin is not None:
        return isinstance(value, Mapping) and all(
            isinstance(name, str) and fits(args[1], each) for name, each in value.items()
        )
    return type(value) is hint and (hint is not str or bool(value.strip()))


def _within(value: Any, bounds: Mapping[str, Any]) -> bool:
    """Return True if a number is within the limits (`ge`, `le`) of its key; always True for other values."""
    return not isinstance(value, int) or bounds.get("ge", value) <= value <= bounds.get("le", value)


@cache
def _keys(shape: Any) -> list[tuple[str, str, bool, Callable[[Any], Any]]]:
    hints = get_type_hints(shape)
    return [
        (
            each.name,
            name_of(each),
            NoneType in get_args(hints[each.name]),
            _converter(hints[each.name], each.metadata.get("small", False)),
        )
        for each in fields(shape)
    ]


def name_of(each: Field[Any]) -> str:
    """Return the JSON key of a field of a dataclass."""
    return str(each.metadata.get("alias") or each.name)


def _converter(hint: Any, small: bool) -> Callable[[Any], Any]:
    """Return the function that converts a JSON value to the type `hint`; with `small`, texts become lower case."""
    origin, args = get_origin(hint), get_args(hint)
    if is_dataclass(hint):
        return partial(build, cast(Any, hint))
    if origin in (Union, UnionType):
        return _converter(args[0], small)
    if origin in (tuple, frozenset):
        one = _converter(args[0], small)
        return lambda value: origin(map(one, value))
    if origin is not None and origin is not Literal:
        of_key, of_value = int if args[0] is int else str, _converter(args[1], small)
        return lambda value: {of_key(name): of_value(each) for name, each in value.items()}
    return str.casefold if small else lambda value: value
