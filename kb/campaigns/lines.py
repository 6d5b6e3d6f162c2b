"""The lines of a campaign's file: where its keys and what stands below them are written."""

from __future__ import annotations

from collections.abc import Mapping

from kb.decks import nodes
from kb.decks.names import name_key


def lines_of(root: nodes.Mapping) -> dict[str, int]:
    """The lines of keys, and of `key name` for what stands below them, each where it stands first; as names are compared."""
    found: dict[str, int] = {}
    for key, value in root.pairs:
        found.setdefault(name_key(key.text), key.line)
        for label, _ in value.pairs if isinstance(value, nodes.Mapping) else ():
            found.setdefault(name_key(f"{key.text} {label.text}"), label.line)
    return found


def line_in(lines: Mapping[str, int], *names: str) -> int:
    """The line of the first of these keys (or `key name`) that stands in the file; 0 when none does."""
    return next((lines[key] for key in map(name_key, names) if key in lines), 0)
