"""Types of the JSON that kb prints: dataclasses whose fields are the keys, each with a docstring below it.

    @frozen
    class Take(Jsonable):
        '''Copies of a card to take from a product.'''

        card: str
        '''The card.'''

`as_json` returns the object to print. Pydantic makes its JSON Schema, which is used for the manual's tables, the
description of the service and the schema files of an export. Printing needs only the standard library, because kb also
checks decks in a browser.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import pairwise
from textwrap import dedent
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any, Union, cast, get_args, get_type_hints

JSON = "json"
HIDDEN: dict[str, Any] = {JSON: "hidden"}
"""Metadata of a field that is not printed."""
FLAT: dict[str, Any] = {JSON: "flat"}
"""Metadata of a field that contains an object. The keys of that object are printed among the keys of the outer object.
"""
OPTIONAL: dict[str, Any] = {JSON: "optional"}
"""Metadata of a key that is left out if its value is empty."""
OR_NULL: dict[str, Any] = {JSON: "or null"}
"""Metadata of a key that is null if its value is empty."""
NAMED: dict[str, Any] = {JSON: "named"}
"""Metadata of a field that contains an object. Only the `name` of that object is printed."""


def called(name: str, how: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """Return the metadata of a field that is printed under the key `name`; `how` is further metadata, such as OPTIONAL."""
    return {**how, "name": name}


class PrintedAs:
    """Marks a value that is printed as another type, `shape`, as in `Annotated[str, PrintedAs(Citation)]`."""

    def __init__(self, shape: Any) -> None:
        self.shape = shape

    def __get_pydantic_core_schema__(self, _source: Any, handler: Any) -> Any:
        """Return the schema that Pydantic uses for this type."""
        return handler.generate_schema(self.shape)


if TYPE_CHECKING:
    key = property
else:

    class key(property):
        """A property that is printed as a key; its docstring describes the key."""


class Jsonable:
    """A dataclass that is printed as a JSON object. The keys are its fields, followed by its properties that are
    decorated with `key`.

    Ids of entries in the fields `cites` and `cite` are printed as citations, with title and source.
    """

    __slots__ = ()

    def as_json(self, cites: Mapping[str, Jsonable]) -> dict[str, Any]:
        """Return the object to print; `cites` contains the cited entries by their ids."""
        members: dict[str, Any] = {}
        for attribute, name, how in _attributes(cast(Any, type(self))):
            value = getattr(self, attribute)
            if attribute == "cites":
                value = [cites[entry] for entry in value]
            elif attribute == "cite":
                value = cites[value] if value else None
            if how == "flat":
                members |= plain_json(value, cites)
            elif how == "named":
                members[name] = value.name
            elif value or how != "optional":
                members[name] = None if how == "or null" and not value else plain_json(value, cites)
        return members

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, handler: Any) -> Any:
        """Return the schema that Pydantic uses for this type."""
        from pydantic_core import core_schema

        keys = {
            name: core_schema.typed_dict_field(
                handler.generate_schema(kind), required=always, metadata={"pydantic_js_updates": {"description": words}}
            )
            for name, kind, words, always in _described(cls)
        }
        return core_schema.typed_dict_schema(
            keys, cls=cls, ref=f"{cls.__module__}.{cls.__qualname__}:{id(cls)}", extra_behavior="forbid"
        )


def plain_json(value: Any, cites: Mapping[str, Jsonable] = MappingProxyType({})) -> Any:
    """Convert a value to plain JSON: objects and dataclasses to mappings, tuples to lists. Fractions have at most six
    decimals. `cites` contains the cited entries by their ids.
    """
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, Jsonable):
        return value.as_json(cites)
    if is_dataclass(value):
        return {name: plain_json(getattr(value, name), cites) for name in _names(cast(Any, type(value)))}
    if isinstance(value, Mapping):
        return {name: plain_json(each, cites) for name, each in value.items()}
    return [plain_json(each, cites) for each in value] if isinstance(value, tuple | list) else value


@cache
def _names(shape: Any) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass."""
    return tuple(each.name for each in fields(shape))


@cache
def _attributes(shape: Any) -> list[tuple[str, str, str]]:
    """Return the attributes of a class that are printed as keys. Each is a tuple of the attribute, the key and its
    metadata.
    """
    attributes = [
        (each.name, each.metadata.get("name", each.name), each.metadata.get(JSON, "")) for each in fields(shape)
    ]
    properties = [name for base in shape.__mro__ for name, each in vars(base).items() if isinstance(each, key)]
    attributes.sort(
        key=lambda each: each[2] != "flat"
    )  # keys of contained objects come first, so that the object's own keys replace them
    return [each for each in attributes if each[2] != "hidden"] + [(name, name, "") for name in properties]


def _described(shape: Any) -> Iterator[tuple[str, Any, str, bool]]:
    """Yield a tuple for each key of a class: its name, its type, its meaning, and True if it is always present."""
    hints, meanings = get_type_hints(shape, include_extras=True), meanings_of(shape)
    for attribute, name, how in _attributes(shape):
        kind = hints.get(attribute) or get_type_hints(getattr(shape, attribute).fget, include_extras=True)["return"]
        if how == "flat":
            yield from _described(kind)
            continue
        if how == "optional" and NoneType in get_args(kind):  # None is left out
            kind = Union[tuple(each for each in get_args(kind) if each is not NoneType)]  # noqa: UP007
        kind = str if how == "named" else kind | None if how == "or null" else kind
        yield name, kind, meanings.get(attribute, ""), how != "optional"


def meanings_of(shape: Any) -> dict[str, str]:
    """Return the docstrings of a class's attributes and of its properties that are decorated with `key`, by name. The
    result includes inherited docstrings.
    """
    meanings: dict[str, str] = {}
    for base in reversed(shape.__mro__[:-1]):
        (tree,) = ast.parse(dedent(inspect.getsource(base))).body
        for attribute, below in pairwise(cast(ast.ClassDef, tree).body):
            if isinstance(attribute, ast.AnnAssign) and isinstance(below, ast.Expr):
                meanings[ast.unparse(attribute.target)] = inspect.cleandoc(ast.literal_eval(below.value)).strip()
        meanings |= {name: inspect.getdoc(each) or "" for name, each in vars(base).items() if isinstance(each, key)}
    return meanings
