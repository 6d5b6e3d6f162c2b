"""Describes a kind of file once: a dataclass whose fields are its keys. Reader, form and manual take the keys from there.

    @frozen
    class Position:
        '''A final position.'''

        round: int | None = key("number", "8", "the last round", most=9, asks="Which round was the last?")
        notes: str = key("text", "a long evening", "your own notes", str)

`KeyReader.values` reads them from a file, with the line of every problem; `python -m kb.cli.keys PAGE …` writes the manual's tables.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field, fields
from typing import Any

from kb.decks.fields import Fields
from kb.frozen import frozen


@frozen
class Key:
    """A key of a file: its name, an example of its content, its purpose (`says`) with a `note`, and the values allowed
    (none: any).

    `kind` is the method of the reader that reads it (empty: none does). It gets the name and, if there are any, `most`
    (the largest number) and the `choices`. `needs` is the message for a file without the key, if the file cannot be
    read without it; `default` is what such a file means otherwise. `asks` is its question or its label in a form
    (empty: the form does not ask for it).

    In a campaign, `tells` is the text about the value (`{}`) in the timeline, which cites the entry `cite`. For a key
    that lists names, the text is repeated for each name.
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
        """Return its purpose with the note, for people who write the file."""
        return f"{self.says} ({self.note})" if self.note else self.says


def key(kind: str, example: str, says: str, empty: Callable[[], Any] | None = None, **more: Any) -> Any:
    """Return a field that describes a key of a file; `more` are further values of the Key (`name` defaults to the
    field's name).

    `empty` makes the value for a file without the key (default: None).
    """
    metadata = {"kind": kind, "example": example, "says": says, **more}
    return field(default_factory=empty, metadata=metadata) if empty else field(default=None, metadata=metadata)


def described(shape: type[Any]) -> Mapping[str, Key]:
    """Return the keys of a kind of file by the field that holds their value."""
    return {each.name: Key(**{"name": each.name, **each.metadata}) for each in fields(shape) if "says" in each.metadata}


class KeyReader(Fields):
    """Reads the keys of a mapping by their description. A file format adds a method for each of its kinds of value."""

    def values(self, shape: type[Any], also: Collection[str] = (), without: Collection[str] = ()) -> dict[str, Any]:
        """Return the values of the described keys that are there, by field.

        Other keys are reported, except those in `also`; keys in `without` count as others. A value that cannot be read
        is reported and left out.
        """
        keys = {name: key for name, key in described(shape).items() if key.name not in without}
        self.check_keys([*(key.name for key in keys.values()), *also])
        read = {
            name: getattr(self, key.kind)(key.name, *filter(None, (key.most, key.choices)))
            for name, key in keys.items()
            if key.kind and self.get(key.name) is not None
        }
        return {name: value for name, value in read.items() if value is not None}
