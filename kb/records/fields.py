"""How a type of records describes its keys, and the error that names what is wrong with a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field
from types import NoneType, UnionType
from typing import Any, NoReturn, Union, get_args, get_origin

from kb.errors import KbError


class _Nothing(dict[Any, Any]):
    """The empty mapping, which can stand as a default because it cannot be changed."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return 0

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TypeError("the empty mapping cannot be changed")


NOTHING: Mapping[Any, Any] = _Nothing()


@dataclass(frozen=True, slots=True)
class Wrong:
    """One thing that is wrong with a record: in which key (`deck.options.0.level`), and what."""

    key: str
    what: str

    def __str__(self) -> str:
        return f"`{self.key}` {self.what}" if self.key else self.what


class RecordError(KbError):
    """A record that is not as its type says; `wrong` holds every fault."""

    def __init__(self, wrong: list[Wrong]) -> None:
        super().__init__("; ".join(map(str, wrong)))
        self.wrong = wrong


def key(
    meaning: str,
    *,
    name: str = "",
    default: Any = MISSING,
    least: int | None = None,
    most: int | None = None,
    small: bool = False,
    empty: bool = False,
) -> Any:
    """A key of a record: what it means, its `name` where the attribute has another, what stands for it when it is missing.

    `least` and `most` bound numbers, also those in a list; `small` writes names in small letters; `empty` allows empty texts.
    """
    told = {"meaning": meaning, "name": name, "least": least, "most": most, "small": small, "empty": empty}
    return field(default=default, metadata=told)


def inline(default: Any = MISSING) -> Any:
    """A part whose keys stand among those of the record itself. Of a part that may be None, one of its keys makes it be there."""
    return field(default=default, metadata={"inline": True})


def without_none(hint: Any) -> Any:
    """The type that an optional one has when it is not None."""
    rest = [each for each in get_args(hint) if each is not NoneType]
    return rest[0] if get_origin(hint) in (Union, UnionType) and len(rest) == 1 else hint
