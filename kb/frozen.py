"""The decorator for immutable dataclasses: facts, decks, findings and others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[Made]) -> type[Made]:
    """Make a class a frozen dataclass with slots. Use `dataclasses.replace` to get a changed copy."""
    return dataclass(frozen=True, slots=True)(kind)
