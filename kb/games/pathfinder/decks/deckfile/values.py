"""The values that stand under the keys of a Pathfinder deck file; what is wrong with them is noted with its line."""

from __future__ import annotations

import re
from typing import TypeVar

from kb.decks.deckfile import DeckFile
from kb.decks.names import did_you_mean, name_key
from kb.decks.nodes import DeckProblem, Mapping, Node, Scalar, Sequence, split_commas

Value = TypeVar("Value")

HIGHEST_COUNT = 99


class Values:
    """Reads the keys of one file, collecting problems instead of stopping at the first."""

    def __init__(self, file: DeckFile) -> None:
        self.file = file
        self.problems: list[DeckProblem] = []

    def note(self, node: Node | int, message: str) -> None:
        """Note a problem at a node's line."""
        self.problems.append(DeckProblem(node if isinstance(node, int) else node.line, message))

    def scalar(self, key: str) -> Scalar | None:
        """The single value of a key, None when it is missing or empty."""
        node = self.file.get(key)
        if isinstance(node, Scalar):
            return node if node.text and node.text not in ("~", "null") else None
        if node is not None:
            self.note(node, f"`{key}` must be a single value.")
        return None

    def text(self, key: str) -> str | None:
        """The text of a key."""
        node = self.scalar(key)
        return node.text if node else None

    def texts(self, key: str) -> list[str]:
        """The values of a key that holds a list (a single value will do)."""
        return [node.text for node in self.scalars(key)]

    def scalars(self, key: str) -> list[Scalar]:
        """The same as nodes, without the empty ones."""
        node = self.file.get(key)
        found: list[Scalar] = []
        for item in node.items if isinstance(node, Sequence) else split_commas(node) if node is not None else ():
            if not isinstance(item, Scalar):
                self.note(item, f"`{key}` must be a list of names.")
            elif item.text and item.text != "~":
                found.append(item)
        return found

    def number(self, key: str, highest: int) -> int | None:
        """A whole number from 0 to `highest`; None when it is not said."""
        node = self.scalar(key)
        return None if node is None else self.count(node, key, highest)

    def flag(self, key: str) -> bool | None:
        """Yes or no; None when it is not said."""
        node = self.scalar(key)
        return None if node is None else self.find(node, {"yes": True, "no": False, "true": True, "false": False}, key)

    def count(self, node: Node, label: str, highest: int) -> int | None:
        """A node as a whole number from 0 to `highest`."""
        if isinstance(node, Scalar) and re.fullmatch(r"[0-9]{1,3}", node.text) and int(node.text) <= highest:
            return int(node.text)
        self.note(node, f"`{label}` must be a whole number from 0 to {highest}.")
        return None

    def find(self, node: Scalar, known: dict[str, Value], label: str, hint: str = "") -> Value | None:
        """The value whose name is written in `node`; a number counts only as it stands, so `-1` and `(1)` are none."""
        by_key = {name_key(name): value for name, value in known.items()}
        key = name_key(node.text)
        if key in by_key and (not key.isdigit() or key == node.text.strip()):
            return by_key[key]
        names: dict[Value, str] = {}
        for name, value in known.items():
            names.setdefault(value, name)
        listed = ", ".join(names.values())
        shown = did_you_mean(node.text, names.values()) or f" {hint or f'Known are {listed}.'}"
        self.note(node, f"Unknown {label} {node.text!r}.{shown}")
        return None

    def pairs(self, key: str) -> list[tuple[Scalar, Node]]:
        """The lines of a key such as `card_feats`: a mapping, or `weapon 1, ally 2` in a plain text list."""
        node = self.file.get(key)
        if node is None or (isinstance(node, Scalar) and node.text in ("", "~", "0", "none", "null")):
            return []
        if isinstance(node, Mapping):
            return list(node.pairs)
        found: list[tuple[Scalar, Node]] = []
        for item in node.items if isinstance(node, Sequence) else split_commas(node):
            parts = re.fullmatch(r"([A-Za-z]+)\s*:?\s*\+?(-?\d+)", item.text) if isinstance(item, Scalar) else None
            if parts is None:
                example = "Strength: 2, Wisdom: 1" if key == "skill_feats" else "weapon: 1, ally: 2"
                self.note(item, f"`{key}` must be like `{{{example}}}`.")
            else:
                found.append((Scalar(parts[1], item.line), Scalar(parts[2], item.line)))
        return found
