"""The keys of a campaign's files: each is described once, for reader, recording and manual."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from kb.decks.names import name_key


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a campaign's files: its name, an example of what it holds, what it is for, and the values that it may have (none: any)."""

    name: str
    example: str
    says: str
    choices: tuple[str, ...] = ()


HEAD_KEYS = (
    Key("game", "", "the game"),
    Key("name", "The Tuesday table", "what you call the campaign"),
    Key("players", "[Ann, Ben]", "who plays, for you"),
)
DATE = "date"
GAME_KEYS = (
    Key(DATE, "2026-11-01", "when it was played"),
    Key("notes", "a line for the diary", "for you; the timeline shows it"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """What a game's file says. `lines` are the lines of its keys, and of `key name` for what stands below them."""

    lines: Mapping[str, int] = field(default_factory=dict)

    def line(self, *names: str) -> int:
        """The line of the first of these keys (or `key name`) that stands in the file (see `line_in`)."""
        return line_in(self.lines, *names)


def line_in(lines: Mapping[str, int], *names: str) -> int:
    """The line of the first of these keys (or `key name`), else of the first key without its name; 0 when none is there."""
    keys = [name_key(name) for name in (*names, *(name.partition(" ")[0] for name in names))]
    return next((lines[key] for key in keys if key in lines), 0)


def key(
    kind: str, example: str, says: str, empty: Callable[[], Any] | None = None, *, name: str = "", most: int = 0
) -> Any:
    """A field of a GameRecord that stands for a key of the file (`name`, where that is not the field's own name).

    `kind` is the method of the game's Reader that reads it (with `most`, the largest number, where there is one); `empty` makes the
    value of a file that does not have the key (left out: None).
    """
    told = {"kind": kind, "example": example, "says": says, "name": name, "most": most}
    return field(default_factory=empty, metadata=told) if empty else field(default=None, metadata=told)


def described(record: type[GameRecord]) -> dict[str, tuple[Key, str, int]]:
    """The fields of a record with their keys, kinds and largest numbers."""
    return {
        each.name: (Key(each.metadata["name"] or each.name, each.metadata["example"], each.metadata["says"]),
                    each.metadata["kind"], each.metadata["most"])
        for each in fields(record) if each.metadata
    }  # fmt: skip
