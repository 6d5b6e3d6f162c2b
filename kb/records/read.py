"""Reads records into the objects that their types describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from types import NoneType, UnionType
from typing import Any, Literal, NoReturn, TypeVar, Union, get_args, get_origin, get_type_hints

from kb.records.fields import RecordError, Wrong, without_none

Convert = Callable[[Any], Any]
Read = Callable[[type[Any], object], Any]


def _fail(what: str) -> NoReturn:
    raise RecordError([Wrong("", what)])


def converter(hint: Any, told: Mapping[str, Any], read: Read) -> Convert:
    """What checks a value and makes of it what the type `hint` says, in the bounds `told`; `read` reads records within records."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        if all(get_origin(each) is Literal for each in args):  # whichever is wrong, all are named
            return _one_of(tuple(value for each in args for value in get_args(each)))
        return _either([each for each in args if each is not NoneType], told, read, none=NoneType in args)
    if origin is Literal:
        return _one_of(args)
    if origin in (tuple, frozenset):
        return _list(hint, told, read)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(args, told, read)
    if hint is str:
        return _text(told)
    if hint is int:
        return _number(told)
    if hint is bool:
        return _yes_or_no
    return lambda value: read(hint, value)


def _either(kinds: list[Any], told: Mapping[str, Any], read: Read, *, none: bool) -> Convert:
    converts = [converter(kind, told, read) for kind in kinds]

    def convert(value: Any) -> Any:
        if value is None and none:
            return None
        for each in converts[:-1]:
            try:
                return each(value)
            except RecordError:
                continue
        return converts[-1](value)

    return convert


def _one_of(values: tuple[Any, ...]) -> Convert:
    known = frozenset(values)

    def convert(value: Any) -> Any:
        if not isinstance(value, str) or value not in known:
            _fail(f"is {value!r:.60}; it must be one of {', '.join(filter(None, values))}")
        return value

    return convert


def _text(told: Mapping[str, Any]) -> Convert:
    small, empty = told["small"], told["empty"]

    def convert(value: Any) -> str:
        if not isinstance(value, str):
            _fail(f"is {value!r:.60}; it must be a text")
        if not empty and not value.strip():
            _fail("is empty")
        return value.casefold() if small else value

    return convert


def _number(told: Mapping[str, Any]) -> Convert:
    least, most = told["least"], told["most"]
    bounds = f" of {least} to {most}" if most is not None else f" of at least {least}" if least is not None else ""

    def convert(value: Any) -> int:
        right = isinstance(value, int) and not isinstance(value, bool)
        if not right or (least is not None and value < least) or (most is not None and value > most):
            _fail(f"is {value!r:.60}; it must be a whole number{bounds}")
        return int(value)

    return convert


def _yes_or_no(value: Any) -> bool:
    if not isinstance(value, bool):
        _fail(f"is {value!r:.60}; it must be true or false")
    return value


def _list(hint: Any, told: Mapping[str, Any], read: Read) -> Convert:
    origin, args = get_origin(hint), get_args(hint)
    length = None if origin is frozenset or args[-1] is Ellipsis else len(args)
    one = converter(args[0], told, read)

    def convert(value: Any) -> Any:
        if not isinstance(value, list | tuple) or (length is not None and len(value) != length):
            _fail(f"must be a list{f' of {length} values' if length else ''}")
        made = []
        for place, each in enumerate(value):
            try:
                made.append(one(each))
            except RecordError as error:
                raise RecordError(
                    [Wrong(f"{place}.{every.key}" if every.key else str(place), every.what) for every in error.wrong]
                ) from None
        return origin(made)

    return convert


def _mapping(args: tuple[Any, ...], told: Mapping[str, Any], read: Read) -> Convert:
    of_key = converter(args[0], {**told, "least": None, "most": None}, read)
    of_value = converter(args[1], told, read)

    def convert(value: Any) -> Mapping[Any, Any]:
        if not isinstance(value, Mapping):
            _fail("must be a mapping")
        # JSON, in which the catalog keeps records, has texts for keys.
        numbers = args[0] is int
        return {
            of_key(int(name) if numbers and isinstance(name, str) and name.isdecimal() else name): of_value(each)
            for name, each in value.items()
        }

    return convert


T = TypeVar("T")


def read(shape: type[T], record: object) -> T:
    """The object that a record describes. Raises RecordError, which names all that is wrong.

    A key that is null is as good as absent, unless its type has None. A shape may have a method `faults`, which yields
    sentences about what does not agree with itself.
    """
    if not isinstance(record, Mapping):
        raise RecordError([Wrong("", "a record must be a mapping of keys to values")])
    known = _shape(shape)
    wrong: list[Wrong] = []
    values: dict[str, Any] = {}
    parts: dict[str, dict[str, Any]] = {}
    for name, value in record.items():
        found = known.keys.get(name)
        if found is None:
            wrong.append(Wrong(str(name), "is not a key of such a record"))
            continue
        attribute, convert, part = found
        if value is None and (part or attribute) in known.defaults:
            continue
        try:
            (parts.setdefault(part, {}) if part else values)[attribute] = convert(value)
        except RecordError as error:
            wrong += [Wrong(f"{name}.{each.key}" if each.key else str(name), each.what) for each in error.wrong]
    for part, (kind, always) in known.parts.items():
        if always or part in parts:
            held = parts.get(part, {})
            wrong += [Wrong(name, "is missing") for name in _shape(kind).needed.values() if name not in record]
            values[part] = held if wrong else _made(kind, held, wrong)
    wrong += [Wrong(name, "is missing") for name in known.needed.values() if name not in record]
    made = None if wrong else _made(shape, values, wrong)
    if made is None:
        raise RecordError(wrong)
    return made


def _made(shape: type[T], values: Mapping[str, Any], wrong: list[Wrong]) -> T | None:
    """The object; what does not agree within it goes to `wrong`."""
    made = shape(**values)
    if (faults := getattr(made, "faults", None)) is not None:
        wrong += [Wrong("", fault) for fault in faults()]
    return None if wrong else made


@dataclass(frozen=True, slots=True)
class _Shape:
    """A type of records, made ready: by key the attribute, what converts its value, and the part it belongs to.

    needed: keys by attribute that must be there. parts: inlined ones, and whether they always are. defaults: what null leaves alone.
    """

    keys: dict[str, tuple[str, Callable[[Any], Any], str]]
    needed: dict[str, str]
    parts: dict[str, tuple[type[Any], bool]]
    defaults: set[str]


_SHAPES: dict[type[Any], _Shape] = {}


def _shape(shape: type[Any]) -> _Shape:
    known = _SHAPES.get(shape)
    if known is None:
        known = _SHAPES[shape] = _ready(shape)
    return known


def _ready(shape: type[Any]) -> _Shape:
    made = _Shape({}, {}, {}, set())
    hints = get_type_hints(shape)
    for each in fields(shape):
        told = each.metadata
        if told.get("inline"):
            kind = without_none(hints[each.name])
            made.parts[each.name] = (kind, kind is hints[each.name])
            made.defaults.add(each.name)
            made.keys.update({name: (at, convert, each.name) for name, (at, convert, _) in _shape(kind).keys.items()})
        elif "meaning" in told:
            name = told["name"] or each.name
            made.keys[name] = (each.name, converter(hints[each.name], told, read), "")
            if each.default is MISSING:
                made.needed[each.name] = name
            elif NoneType not in get_args(hints[each.name]):
                made.defaults.add(each.name)
    return made
