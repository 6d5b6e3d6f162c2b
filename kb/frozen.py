"""The decorator for immutable dataclasses (facts, decks, findings and others), and an immutable empty mapping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar, dataclass_transform

from kb.shapes import key

Made = TypeVar("Made")


@dataclass_transform(frozen_default=True, field_specifiers=(field, key))
def frozen(kind: type[Made]) -> type[Made]:
    """Make a class a frozen dataclass with slots. Use `dataclasses.replace` to get a changed copy."""
    return dataclass(frozen=True, slots=True)(kind)


class _Nothing(dict[Any, Any]):
    """An immutable empty mapping, which can therefore be a default value."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return 0

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TypeError("the empty mapping cannot be changed")


NOTHING: Mapping[Any, Any] = _Nothing()
