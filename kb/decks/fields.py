"""Reads the values of one mapping in a parsed file. All problems are collected with their lines; reading does not stop
at the first one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from kb.decks import nodes
from kb.decks.names import MOST_SUGGESTIONS, did_you_mean, name_key
from kb.decks.nodes import DeckProblem, Node, Scalar, Sequence, key_name, shortened

Value = TypeVar("Value")

EMPTY = ("", "~", "null")
YES_NO = {"yes": True, "true": True, "no": False, "false": False}


class Fields:
    """Reads the keys of one mapping and adds problems to the list `problems`. Messages put `where` before each key:
    with `combat: `, the key `gained` is shown as `combat: gained`.
    """

    def __init__(self, mapping: nodes.Mapping, problems: list[DeckProblem], where: str = "") -> None:
        self.mapping = mapping
        self.problems = problems
        self.where = where

    def note(self, node: Node | int, message: str, typed: str = "", meant: Iterable[str] = ()) -> None:
        """Add a problem with `message` at the line of `node`, which is a node or a line number. For an unknown name,
        `typed` is the name as written and `meant` lists the names that it may mean.
        """
        line = node if isinstance(node, int) else node.line
        self.problems.append(DeckProblem(line, shortened(message), typed, (*meant,)))

    def line_of(self, name: str) -> int:
        """Return the line of a key, even if it has no value; 0 if the key is missing."""
        return next((key.line for key, _ in self.mapping.pairs if key_name(key.text) == name), 0)

    def check_keys(self, known: Iterable[str], of: str = "") -> None:
        """Report keys that are not in `known`, and keys that repeat an earlier key in another spelling. If `of` is
        given, messages name it as the owner of the keys.
        """
        seen: dict[str, Scalar] = {}
        names = list(known)
        for key, _ in self.mapping.pairs:
            name = key_name(key.text)
            if name in seen:
                self.note(key, f"The key `{self.where}{key.text}` appears twice (first on line {seen[name].line}).")
            elif name not in names:
                near = did_you_mean(name, names) if len(self.problems) < MOST_SUGGESTIONS else ""
                hint = near or f" Valid keys: {', '.join(names)}."
                self.note(key, f"Unknown key `{self.where}{key.text}`{of and f' of {of}'}.{hint}")
            seen.setdefault(name, key)

    def get(self, key: str) -> Node | None:
        """Return the node that is the value of a key; None if the key is missing or empty."""
        value = next((node for name, node in self.mapping.pairs if key_name(name.text) == key), None)
        return None if isinstance(value, Scalar) and not value.quoted and value.text in EMPTY else value

    def scalar(self, key: str) -> Scalar | None:
        """Return the node of a key with a single value; None if the key is missing or empty. A list or mapping is
        reported as a problem, and the result is None.
        """
        node = self.get(key)
        if node is not None and not isinstance(node, Scalar):
            self.note(node, f"`{self.where}{key}` must be a single value.")
            return None
        return node

    def text(self, key: str) -> str | None:
        """Return the text of a key with a single value; None if there is none (see `scalar`)."""
        node = self.scalar(key)
        return node.text if node else None

    def number(self, key: str, highest: int) -> int | None:
        """Return the value of a key as a whole number from 0 to `highest`. The result is None if the key is missing or
        its value is invalid. An invalid value is reported.
        """
        node = self.get(key)
        return None if node is None else self.count(node, f"{self.where}{key}", highest)

    def count(self, node: Node, label: str, highest: int) -> int | None:
        """Return the value of `node` as a whole number from 0 to `highest`; None if it is invalid. The problem calls
        the value `label`.
        """
        if isinstance(node, Scalar) and re.fullmatch(r"[0-9]{1,4}", node.text) and int(node.text) <= highest:
            return int(node.text)
        self.note(node, f"`{label}` must be a whole number from 0 to {highest}.")
        return None

    def flag(self, key: str) -> bool:
        """Return True if the value of a key is yes. A missing key means no."""
        return bool(self.said(key))

    def said(self, key: str) -> bool | None:
        """Return True if the value of a key is yes, False if it is no, and None if the key is missing."""
        return self.one_of(key, YES_NO, names=("yes", "no"))

    def listed(self, key: str) -> tuple[Node, ...]:
        """Return the items of the list under a key, without empty items. A single value is split at its commas."""
        node = self.get(key)
        return () if node is None else parts(node)

    def scalars(self, key: str) -> list[Scalar]:
        """Return the single values in the list under a key. Other items are reported, but only once if the key is
        read twice.
        """
        values = []
        for node in self.listed(key):
            wrong = DeckProblem(node.line, f"`{key}` lists single values, such as `{key}: [A, B]`.")
            if isinstance(node, Scalar):
                values.append(node)
            elif wrong not in self.problems:
                self.problems.append(wrong)
        return values

    def words(self, key: str) -> tuple[str, ...]:
        """Return the texts of the single values in the list under a key."""
        return tuple(node.text for node in self.scalars(key))

    def all_of(self, key: str, known: Mapping[str, Value], label: str) -> tuple[Value, ...]:
        """Return the values of `known` whose names are listed under a key. An unknown name is reported; the message
        calls it a `label`.
        """
        values = (self.choose(node, known, label) for node in self.listed(key))
        return tuple(each for each in values if each is not None)

    def below(self, key: str) -> Fields | None:
        """Return the mapping under a key as `Fields`; None if the key is missing or empty. Any other value is reported
        as a problem, and the result is None.
        """
        node = self.get(key)
        if node is None:
            return None
        if isinstance(node, nodes.Mapping):
            return Fields(node, self.problems, f"{self.where}{key}: ")
        if isinstance(node, Sequence) and not node.items:
            return None
        self.note(node, f"`{self.where}{key}` must contain keys.")
        return None

    def one_of(
        self, key: str, known: Mapping[str, Value], label: str = "", names: Iterable[str] = (), hint: str = ""
    ) -> Value | None:
        """Return the value of `known` whose name is written under a key, as `choose` finds it; None if the key is
        missing.
        """
        node = self.scalar(key)
        return None if node is None else self.choose(node, known, label or key, names, hint)

    def choose(
        self, node: Node, known: Mapping[str, Value], label: str, names: Iterable[str] = (), hint: str = ""
    ) -> Value | None:
        """Return the value of `known` whose name is written in `node`. Report an unknown name and return None.

        Names are compared without case and punctuation, but a number must match exactly: `-1` and `(1)` do not mean
        `1`. The problem calls the name a `label`. It suggests similar names; if there are none, it shows `hint`, or
        else the list `names` (default: all names in `known`).
        """
        by_key = {name_key(name): value for name, value in known.items()}
        text = node.text if isinstance(node, Scalar) else ""
        written = name_key(text)
        if written in by_key and (not written.isdigit() or written == text.strip()):
            return by_key[written]
        quoted = f" {text!r}" if isinstance(node, Scalar) else ""
        candidates = list(names or known)
        near = did_you_mean(text, candidates) if len(self.problems) < MOST_SUGGESTIONS else ""
        hint = near or f" {hint or 'Use one of: ' + ', '.join(candidates) + '.'}"
        self.note(node, f"Unknown {label}{quoted}.{hint}")
        return None


def outside_brackets(text: str) -> list[str]:
    """Split a text at its commas, except commas inside brackets."""
    pieces, depth = [""], 0
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth <= 0:
            pieces.append("")
        else:
            pieces[-1] += char
    return [part.strip() for part in pieces]


def between_commas(node: Scalar) -> tuple[Scalar, ...]:
    """Split a node at the commas of its text, quoted or not, into one node for each item. Commas inside brackets do not
    count.
    """
    written = outside_brackets(node.text)
    return (node,) if len(written) == 1 or not any(written) else tuple(Scalar(part, node.line) for part in written)


def parts(node: Node) -> tuple[Node, ...]:
    """Return the items of a list node, without empty items. A single value is split at its commas.

    An item that contains several numbers, such as `["12, 13"]`, is split too.
    """
    items: tuple[Node, ...] = (node,)
    if isinstance(node, Scalar):
        items = between_commas(node)
    elif isinstance(node, Sequence):
        numbers = re.compile(r"[\d\s,#/–-]+")
        items = tuple(
            each
            for item in node.items
            for each in (between_commas(item) if isinstance(item, Scalar) and numbers.fullmatch(item.text) else (item,))
        )
    return tuple(item for item in items if not (isinstance(item, Scalar) and not item.quoted and item.text in EMPTY))
