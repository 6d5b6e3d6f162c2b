"""Describes the keys of a file format in one place: the fields of a dataclass. The reader, the form and the manual
use these descriptions.

    @frozen
    class Position:
        '''A final position.'''

        round: int | None = key("number", "8", "the last round", most=9, asks="Which round was the last?")
        notes: str = key("text", "a long evening", "your own notes", str)

`KeyReader.values` reads the keys from a file and reports problems with their lines. `python -m kb.cli.keys PAGE …`
writes the tables of keys in the manual.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field, fields
from typing import Any

from kb.decks.fields import Fields
from kb.frozen import frozen


@frozen
class Key:
    """A description of one key of a file.

    `name` is the key and `example` an example of its value. `says` describes the purpose of the key, and `note` adds a
    remark to that description. `choices` are the allowed values (empty: any value).

    `kind` is the name of the KeyReader method that reads the value (empty: it is not read by a method). The method gets
    the name and, if they are set, `most` (the largest number) and `choices`. `needs` is the message for a file without
    the key, if the key is required. Otherwise `default` says what its absence means. `asks` is the question or label
    for the key in a form (empty: the form does not ask).

    In a campaign, `tells` is the text about the value in the timeline, with `{}` in place of the value. `cite` is the
    entry that the timeline cites for it. If the value lists names, the text is repeated for each name.
    """

    name: str
    example: str
    says: str
    choices: tuple[str, ...] = ()
    kind: str = ""
    most: int = 0
    needs: str = ""
    default: str = ""
    asks: str = ""
    tells: str = ""
    cite: str = ""
    note: str = ""

    @property
    def comment(self) -> str:
        """Return the purpose of the key with its note in brackets, for people who write the file."""
        return f"{self.says} ({self.note})" if self.note else self.says


def key(kind: str, example: str, says: str, empty: Callable[[], Any] | None = None, **more: Any) -> Any:
    """Define a dataclass field that describes a key of a file.

    `kind`, `example` and `says` are attributes of `Key`, and `more` contains further ones (`name` defaults to the name
    of the field). `empty` is a function that returns the value for a file without the key (default: None).
    """
    metadata = {"kind": kind, "example": example, "says": says, **more}
    return field(default_factory=empty, metadata=metadata) if empty else field(default=None, metadata=metadata)


def described(shape: type[Any]) -> Mapping[str, Key]:
    """Map the name of each field of the dataclass `shape` to the description of its key. Fields without a description
    are left out.
    """
    return {each.name: Key(**{"name": each.name, **each.metadata}) for each in fields(shape) if "says" in each.metadata}


class KeyReader(Fields):
    """Reads a mapping whose keys are described by dataclass fields. A subclass for a file format adds a method for each
    `kind` of value.
    """

    def values(self, shape: type[Any], also: Collection[str] = (), without: Collection[str] = ()) -> dict[str, Any]:
        """Return the values of the keys that `shape` describes, by the name of their field. Missing keys are left out.

        Unknown keys are reported, except the keys in `also`; the keys in `without` count as unknown. An invalid value
        is reported and left out.
        """
        keys = {name: key for name, key in described(shape).items() if key.name not in without}
        self.check_keys([*(key.name for key in keys.values()), *also])
        return self.read(keys)

    def read(self, keys: Mapping[str, Key]) -> dict[str, Any]:
        """Return the values of `keys`, by the name of their field. Missing keys are left out. An invalid value is
        reported and left out.
        """
        read = {
            name: getattr(self, key.kind)(key.name, *filter(None, (key.most, key.choices)))
            for name, key in keys.items()
            if key.kind and self.get(key.name) is not None
        }
        return {name: value for name, value in read.items() if value is not None}
