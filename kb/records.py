"""Typed records: a frozen dataclass says which keys a record has, what may stand in them, and (below each) what they mean.

    @record
    class Product(Record):
        '''A product.'''

        code: str
        '''Short name of the product.'''
        year: int | None = key(default=None, ge=1900)
        '''Year in which it was first sold.'''

    build(Product, {"code": "core"})

Pydantic reads the same description when the catalog is built (`kb.sources.validation.faults`); what is built of records then needs
nothing but the standard library: the rules of decks run in a browser as well.

`python -m kb.cli.keys README.md …` writes the tables of keys in these files anew.
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
    """The empty mapping, which can stand as a default because it cannot be changed."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return 0

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TypeError("the empty mapping cannot be changed")


NOTHING: Mapping[Any, Any] = _Nothing()


class Record:
    """A record whose keys are described: no others may stand in it, and no text is empty."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {
        "extra": "forbid", "strict": True, "str_min_length": 1, "str_strip_whitespace": True,
    }  # fmt: skip


class Texts(Record):
    """A record of printed texts, which may be empty."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {
        "extra": "forbid",
        "strict": True,
        "use_attribute_docstrings": True,
    }


def key(*, name: str | None = None, default: Any = MISSING, small: bool = False, **bounds: int) -> Any:
    """A key of a record: its `name` where the attribute has another, and what stands for it when it is missing.

    `ge` and `le` bound a number; `small` writes names in small letters.
    """
    return field(default=default, metadata={"alias": name, "small": small, **bounds})


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(key, field))
def record(shape: type[T]) -> type[T]:
    """Makes a class a type of records: a frozen dataclass whose values are given by name."""
    return dataclass(frozen=True, slots=True, kw_only=True)(shape)


def build(shape: type[T], record: Mapping[str, Any]) -> T:
    """The object that a record describes, which was checked before. A key that is null is as good as absent, unless its type has None."""
    made = {}
    for attribute, name, may_be_none, convert in _keys(cast(Any, shape)):
        value = record.get(name)
        if value is not None:
            made[attribute] = convert(value)
        elif may_be_none and name in record:
            made[attribute] = None
    return shape(**made)


def fits(hint: Any, value: Any) -> bool:
    """Whether a value of JSON is what a type says, without saying what is wrong; it may be null where it has a default."""
    origin, args = get_origin(hint), get_args(hint)
    if is_dataclass(hint):
        hints, known = get_type_hints(hint), {name_of(each): each for each in fields(hint)}
        return isinstance(value, Mapping) and value.keys() <= known.keys() and all(
            each.default is not MISSING if (member := value.get(name)) is None else fits(hints[each.name], member)
            and _within(member, each.metadata)
            for name, each in known.items()
        )  # fmt: skip
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
    """Whether a number is within the bounds (`ge`, `le`) of its key; other values are."""
    return not isinstance(value, int) or bounds.get("ge", value) <= value <= bounds.get("le", value)


@cache
def _keys(shape: Any) -> list[tuple[str, str, bool, Callable[[Any], Any]]]:
    hints = get_type_hints(shape)
    return [
        (each.name, name_of(each), NoneType in get_args(hints[each.name]),
         _converter(hints[each.name], each.metadata.get("small", False)))
        for each in fields(shape)
    ]  # fmt: skip


def name_of(each: Field[Any]) -> str:
    """The key in JSON for a field of a dataclass."""
    return str(each.metadata.get("alias") or each.name)


def _converter(hint: Any, small: bool) -> Callable[[Any], Any]:
    """The function that converts a value of JSON to a type."""
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
