"""What a deck file says of the character card: boxes checked for feats, and what the role card changes in the Cards List."""

from __future__ import annotations

import re
from collections.abc import Callable

from kb.decks.nodes import Node, Scalar, Sequence
from kb.games.pathfinder.decks.cards import TYPE_NAMES
from kb.games.pathfinder.decks.deckfile.values import HIGHEST_COUNT, Values
from kb.games.pathfinder.decks.model import SKILLS


def checked(
    values: Values, key: str, find: Callable[[Values, Scalar], str | None], base: Callable[[str], int]
) -> dict[str, tuple[int, ...]]:
    """Checked boxes as positions from the left: a number of boxes, or the list of what is printed in them."""
    found: dict[str, tuple[int, ...]] = {}
    for label, value in values.pairs(key):
        line = find(values, label)
        if line is None:
            continue
        if line in found:
            values.note(label, f"`{key}` names {line} twice.")
        if isinstance(value, Sequence):
            printed = [_printed(values, item, key) for item in value.items]
            boxes = sorted({number - base(line) for number in printed if number is not None})
            if any(box < 1 for box in boxes):
                values.note(value, f"`{key}` lists a box of {line} that no card has; the first is {base(line) + 1}.")
            found[line] = tuple(box for box in boxes if box > 0)
        else:
            number = values.count(value, f"{key}: {label.text}", HIGHEST_COUNT)
            found[line] = tuple(range(1, (number or 0) + 1))
    return {line: boxes for line, boxes in found.items() if boxes}


def _printed(values: Values, node: Node, key: str) -> int | None:
    """What is printed in a box: `2` or `+2`."""
    bare = Scalar(node.text.lstrip("+"), node.line) if isinstance(node, Scalar) else node
    return values.count(bare, key, HIGHEST_COUNT)


def adjustments(values: Values) -> dict[str, int]:
    """What the role card changes in the Cards List, by card type."""
    found: dict[str, int] = {}
    for label, value in values.pairs("deck_adjustments"):
        kind = card_type(values, label)
        if isinstance(value, Scalar) and re.fullmatch(r"[+-]?\d{1,2}", value.text):
            if kind and int(value.text):
                found[kind] = int(value.text)
        else:
            values.note(value, "`deck_adjustments` must be like `{item: 1, blessing: -1}`.")
    return found


def card_type(values: Values, node: Scalar) -> str | None:
    """The card type that a node names, by its singular or plural."""
    return values.find(node, TYPE_NAMES, "card type")


def skill(values: Values, node: Scalar) -> str | None:
    """The skill that a node names."""
    return values.find(node, {name: name for name in SKILLS}, "skill")
