"""The tree that a deck file is parsed into: values that know their lines, and why a file cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field, replace
from functools import lru_cache
from typing import Any

from kb.decks.remedies import Remedy, in_words
from kb.errors import KbError
from kb.frozen import frozen
from kb.jsonable import HIDDEN, OR_NULL, Jsonable


@frozen
class Scalar:
    """A single value as written. `quoted` text is never a number."""

    text: str
    line: int
    quoted: bool = False


@frozen
class Sequence:
    """A list."""

    items: tuple[Node, ...]
    line: int


@frozen
class Mapping:
    """Keys with their values, in the order of the file. Keys are distinct."""

    pairs: tuple[tuple[Scalar, Node], ...]
    line: int


Node = Scalar | Sequence | Mapping


@frozen
class DeckProblem(Jsonable):
    """Why a deck file cannot be read.

    For an unknown name, `typed` is the name as it is written and `meant` lists names that it may mean. `cite` is the entry
    that states the rule, where there is one, and `remedies` are changes that fix the problem.
    """

    line: int = field(metadata=OR_NULL)
    """Line of the file, from 1."""
    message: str
    """What is wrong, in a sentence."""
    typed: str = field(default="", metadata=HIDDEN)
    meant: tuple[str, ...] = field(default=(), metadata=HIDDEN)
    cite: str = field(default="", metadata=HIDDEN)
    remedies: tuple[Remedy, ...] = field(default=(), metadata=HIDDEN)

    @property
    def told(self) -> str:
        """The message with its rule and what to do, as the terminal prints it."""
        cite = f" ({self.cite})" if self.cite else ""
        fix = in_words(self.remedies)
        return f"{self.message}{cite}{f' {fix}' if fix else ''}"


MOST_SHOWN = 100
LONGEST_KEPT = 100  # of a key: what is longer is no key of a game, and would fill the memory
LONGEST_TOLD = 1_000
WHOLE = re.compile(r"[-+]?[0-9]{1,9}")


class DeckFileError(KbError):
    """A deck file cannot be read; `problems` lists everything that was found in it."""

    def __init__(self, file: str, problems: list[DeckProblem]) -> None:
        self.file = file
        trimmed = [replace(each, message=shortened(each.message)) for each in problems]
        self.problems = sorted(trimmed, key=lambda problem: problem.line)
        lines = [f"{place(file, item.line)}: {item.told}" for item in self.problems[:MOST_SHOWN]]
        if len(self.problems) > MOST_SHOWN:
            lines.append(f"{file}: {len(self.problems) - MOST_SHOWN} more problems like these.")
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[type[DeckFileError], tuple[str, list[DeckProblem]]]:
        """How pickle builds the error again in another process."""
        return DeckFileError, (self.file, self.problems)


def shortened(message: str) -> str:
    """A sentence without the middle of what it quotes, where that goes on for pages; its beginning and its advice stay."""
    return message if len(message) <= LONGEST_TOLD else f"{message[:400]} … {message[-300:]}"


def place(file: str, line: int) -> str:
    """`file:line`, or only the file."""
    return f"{file}:{line}" if line else file


def key_name(text: str) -> str:
    """A key in the form in which keys are compared: `Card feats` is `card_feats`."""
    return _known_name(text) if len(text) <= LONGEST_KEPT else _name(text)


def _name(text: str) -> str:
    return re.sub(r"[\s-]+", "_", text.strip().casefold())


_known_name = lru_cache(maxsize=4096)(_name)  # the same keys stand in every deck of a long list


def whole(text: str) -> int | None:
    """A whole number of up to nine digits, with or without a sign; None for anything else. No count of a game has more."""
    bare = text.strip()  # more than int() takes off: it would stumble over what is left
    return int(bare) if WHOLE.fullmatch(bare) else None


def plain_value(node: Node) -> Any:
    """A node as plain Python values; unquoted numbers, booleans and null as in YAML."""
    if isinstance(node, Mapping):
        return {key.text: plain_value(value) for key, value in node.pairs}
    if isinstance(node, Sequence):
        return [plain_value(item) for item in node.items]
    if node.quoted:
        return node.text
    if node.text in ("", "~", "null", "Null", "NULL"):
        return None
    if node.text.casefold() in ("true", "false"):
        return node.text.casefold() == "true"
    if re.fullmatch(r"[-+]?(0|[1-9]\d{0,17})", node.text):
        return int(node.text)
    return node.text


def node_of(value: Any) -> Node:
    """Return plain Python values as nodes without lines; the inverse of `plain_value`."""
    if isinstance(value, dict):
        return Mapping(tuple((Scalar(str(key), 0), node_of(each)) for key, each in value.items()), 0)
    if isinstance(value, list | tuple):
        return Sequence(tuple(map(node_of, value)), 0)
    if isinstance(value, str):
        text = value.strip()
        return Scalar(text, 0, quoted=plain_value(Scalar(text, 0)) != text)
    return Scalar("" if value is None else str(value).lower() if isinstance(value, bool) else str(value), 0)


def scalars_below(node: Node | None) -> Iterator[Scalar]:
    """All single values and keys in a node, in order."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from scalars_below(item)
    elif isinstance(node, Mapping):
        for key, value in node.pairs:
            yield key
            yield from scalars_below(value)
