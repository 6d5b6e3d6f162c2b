"""JSON objects of Python's: the keys that a TypedDict names, filled from an object's attributes. It stands beside all rooms."""

from __future__ import annotations

from typing import Any, TypeVar, cast

Shape = TypeVar("Shape")


def json_of(shape: type[Shape], found: object, **others: Any) -> Shape:
    """The described object whose keys hold an object's attributes of these names, but for `others`."""
    return cast("Shape", {key: others[key] if key in others else getattr(found, key) for key in shape.__annotations__})
