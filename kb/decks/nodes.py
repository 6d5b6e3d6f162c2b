"""Nodes of a parsed deck file, which have line numbers, and the error for a deck file that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from kb.decks.remedies import Remedy, in_words
from kb.errors import KbError
from kb.files.text import one_line
from kb.frozen import frozen
from kb.shapes import Jsonable, key


@frozen
class Scalar:
    """A single value: its `text` as written and its `line`. A `quoted` value is always text, never a number."""

    text: str
    line: int
    quoted: bool = False


@frozen
class Sequence:
    """A list of nodes; `line` is its first line."""

    items: tuple[Node, ...]
    line: int


@frozen
class Mapping:
    """A mapping: pairs of keys and values in the order of the file. No key occurs twice."""

    pairs: tuple[tuple[Scalar, Node], ...]
    line: int


Node = Scalar | Sequence | Mapping


@frozen
class DeckProblem(Jsonable):
    """A reason why a deck file cannot be read.

    For an unknown name, `typed` is the name as written and `meant` lists names that it may mean. `cite` is the entry
    that states the rule, if there is one, and `remedies` are changes that fix the problem.
    """

    line: int = key("or null")
    """Line of the file, from 1."""
    message: str
    """The problem, in a sentence."""
    typed: str = key("hidden", default="")
    meant: tuple[str, ...] = key("hidden", default=())
    cite: str = key("hidden", default="")
    remedies: tuple[Remedy, ...] = key("hidden", default=())

    @property
    def told(self) -> str:
        """Return the message, the entry that states the rule, and the remedies, as the terminal prints them."""
        cite = f" ({self.cite})" if self.cite else ""
        fix = in_words(self.remedies)
        return f"{self.message}{cite}{f' {fix}' if fix else ''}"


MOST_SHOWN = 100
LONGEST_KEPT = 100  # characters of a key; no game has longer keys, and caching them would fill the memory
LONGEST_TOLD = 1_000
WHOLE = re.compile(r"[-+]?[0-9]{1,9}")


class DeckFileError(KbError):
    """A deck file cannot be read; `problems` lists everything that is wrong with it."""

    def __init__(self, file: str, problems: list[DeckProblem]) -> None:
        self.file = file = one_line(file)
        trimmed = [replace(each, message=shortened(each.message)) for each in problems]
        self.problems = sorted(trimmed, key=lambda problem: problem.line)
        super().__init__(self.told(place))

    def told(self, at: Callable[[str, int], str]) -> str:
        """Return all problems as text, one on each line. `at(file, line)` returns the location in words, such as
        `deck.yaml:3`.
        """
        lines = [f"{at(self.file, item.line)}: {item.told}" for item in self.problems[:MOST_SHOWN]]
        if len(self.problems) > MOST_SHOWN:
            lines.append(f"{self.file}: {len(self.problems) - MOST_SHOWN} more problems like these.")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[type[DeckFileError], tuple[str, list[DeckProblem]]]:
        """Let pickle build the error again in another process."""
        return DeckFileError, (self.file, self.problems)


def shortened(message: str) -> str:
    """Cut the middle out of a message with more than LONGEST_TOLD characters, so that a long quotation does not hide
    the advice.
    """
    return message if len(message) <= LONGEST_TOLD else f"{message[:400]} … {message[-300:]}"


def place(file: str, line: int) -> str:
    """Return `file:line`, or only the file if there is no line."""
    return f"{file}:{line}" if line else file


def key_name(text: str) -> str:
    """Return a key normalized for comparison: `Card feats` becomes `card_feats`."""
    return _known_name(text) if len(text) <= LONGEST_KEPT else _name(text)


def _name(text: str) -> str:
    return re.sub(r"[\s-]+", "_", text.strip().casefold())


_known_name = lru_cache(maxsize=4096)(_name)  # every deck of a long list has the same keys


def whole(text: str) -> int | None:
    """Parse a whole number of up to nine digits, with or without a sign; return None for other texts. No game counts
    higher.
    """
    bare = text.strip()  # strips more characters than int() does, which would fail on them
    return int(bare) if WHOLE.fullmatch(bare) else None


def plain_value(node: Node) -> Any:
    """Convert a node to plain Python values. Unquoted whole numbers, booleans and null are converted as in YAML."""
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
    """Convert plain Python values to nodes without line numbers. This is the inverse of `plain_value`."""
    if isinstance(value, dict):
        return Mapping(tuple((Scalar(str(key), 0), node_of(each)) for key, each in value.items()), 0)
    if isinstance(value, list | tuple):
        return Sequence(tuple(map(node_of, value)), 0)
    if isinstance(value, str):
        text = value.strip()
        return Scalar(text, 0, quoted=plain_value(Scalar(text, 0)) != text)
    return Scalar("" if value is None else str(value).lower() if isinstance(value, bool) else str(value), 0)


def scalars_below(node: Node | None) -> Iterator[Scalar]:
    """Yield all single values and keys inside a node, in the order of the file."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from scalars_below(item)
    elif isinstance(node, Mapping):
        for key, value in node.pairs:
            yield key
            yield from scalars_below(value)
