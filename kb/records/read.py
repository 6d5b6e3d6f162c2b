"""Reads records into the objects that their types describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

from kb.records.fields import RecordError, Wrong, without_none
from kb.records.values import converter

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
