"""How kb makes what nobody changes: facts, decks, findings and the like."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[Made]) -> type[Made]:
    """A dataclass whose values are never changed (`dataclasses.replace` makes others of them), and which has no keys besides its own."""
    return dataclass(frozen=True, slots=True)(kind)
