"""Reads and writes the power feats of a character.

The card facts contain the boxes for hand sizes and proficiencies. Other boxes are only printed on the character card. A
deck file gives the number of checked boxes, or names them:

    power_feats: 3
    power_feats: [hand size 7, light armors, add 2 to your check to acquire]
    power_feats: {hand size: [7, 8], light armors: yes, other: 1}
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from kb.decks import nodes
from kb.decks.names import either, name_key
from kb.decks.nodes import Node, Scalar, whole
from kb.frozen import frozen
from kb.games.pathfinder.decks.facts import PathfinderCharacter

OTHER = "other"
"""The key for the number of checked boxes that the file does not name."""
HAND_SIZE = "hand size"
_HAND_SIZE = re.compile(r"(?:increase (?:your )?)?hand size\s*(?:to|:|=)?\s*(\d{1,2})", re.IGNORECASE)
_PROFICIENT = re.compile(r"^(?:proficient|proficiency|proficiencies)\s*(?:with|in|:)?\s*", re.IGNORECASE)
_UNNAMED = re.compile(r"(?:power|box|feat)s? ?\d{0,2}", re.IGNORECASE)
_CHECKED = ("yes", "true", "1", "x", "on", "checked")
_UNCHECKED = ("no", "false", "0", "", "off", "none")
_HIGHEST = 99
Note = Callable[[Any, str], None]


@frozen
class PowerFeats:
    """The checked power feat boxes of a character. `number` counts all of them, `named` are those that a file names."""

    number: int
    named: tuple[str, ...] = ()

    @property
    def unnamed(self) -> int:
        """The number of checked boxes that are not named."""
        return self.number - len(self.named)


def hand_size_box(size: int | str) -> str:
    """Return the name of the box that raises the hand size to `size`."""
    return f"{HAND_SIZE} {size}"


def hand_sizes(who: PathfinderCharacter, role: str | None) -> tuple[int, ...]:
    """Return the known hand sizes that power feats can give the character, from left to right.

    A role card repeats the boxes of the character card and may add some to their right. `role` is None without a role
    card.
    """
    sizes = who.hand_size_feats or ()
    largest = most_with_role(who, role) or 0
    return (*sizes, *range(max(sizes, default=who.hand_size or largest) + 1, largest + 1))


def most_with_role(who: PathfinderCharacter, role: str | None) -> int | None:
    """Return the largest hand size on the card of a role; None if it is unknown, or if there is no role."""
    return next((most for name, most in who.role_hand_sizes.items() if name_key(name) == name_key(role or "")), None)


def known_boxes(who: PathfinderCharacter, role: str | None) -> tuple[str, ...]:
    """Return the names of the boxes that the card facts contain: hand sizes first, then proficiencies."""
    return (*map(hand_size_box, hand_sizes(who, role)), *(who.proficiency_by_feat or ()))


def on_the_card(feats: PowerFeats, who: PathfinderCharacter, role: str | None) -> list[str]:
    """Return the named boxes that are not in the card facts, in the words of the file."""
    known = known_boxes(who, role)
    return [each for each in feats.named if each not in known]


def power_feats(value: Node | None, who: PathfinderCharacter, role: str | None, note: Note) -> PowerFeats | None:
    """Return the power feats that the node `value` of a deck file gives; None if there is no such node.

    Problems are reported by calling `note(node, sentence)`.
    """
    if value is None:
        return None
    unnamed, named = 0, list[str]()
    for label, node in _entries(value):
        if label == OTHER:
            number = whole(node.text)
            if number is None or not 0 <= number <= _HIGHEST:
                note(node, f"The number of power feats must be a whole number from 0 to {_HIGHEST}.")
            unnamed += number or 0
        elif _UNNAMED.fullmatch(label):
            unnamed += 1
        else:
            box = _box(label, who, role, partial(note, node))
            if box and name_key(box) in map(name_key, named):
                note(node, f"`power_feats` names {box} twice.")
            elif box:
                named.append(box)
    return PowerFeats(unnamed + len(named), tuple(named))


def named_boxes(texts: Iterable[str], who: PathfinderCharacter, role: str | None) -> tuple[str, ...]:
    """Return the boxes that the texts name, without repeats. A text such as `power 2` names no box."""
    boxes = (_box(text, who, role, lambda _: None) for text in texts if not _UNNAMED.fullmatch(text))
    return tuple(dict.fromkeys(filter(None, boxes)))


def _entries(value: Node) -> Iterator[tuple[str, Scalar]]:
    """Yield the names of checked boxes with their nodes. The name OTHER means that the node is a number of boxes."""
    if isinstance(value, Scalar):
        if value.text.casefold() not in ("", "none"):
            yield (OTHER if re.fullmatch(r"-?\d+(\.\d+)?", value.text) else value.text), value
    elif isinstance(value, nodes.Sequence):
        for each in value.items:
            if isinstance(each, nodes.Mapping):
                yield from _entries(each)
            elif isinstance(each, Scalar):
                yield each.text, each
    else:
        for key, below in value.pairs:
            yield from _below(key, below)


def _below(key: Scalar, value: Node) -> Iterator[tuple[str, Scalar]]:
    """Yield the checked boxes in one entry of a mapping, such as `hand size: [7, 8]` or `light armors: yes`."""
    label = key.text.strip()
    parts = value.items if isinstance(value, nodes.Sequence) else (value,)
    for part in parts:
        text = part.text.strip() if isinstance(part, Scalar) else ""
        if label.casefold() == OTHER and isinstance(part, Scalar) and not isinstance(value, nodes.Sequence):
            yield OTHER, part
        elif label.casefold() == HAND_SIZE:
            yield hand_size_box(text), key
        elif text.casefold() in _CHECKED:
            yield label, key
        elif text.casefold() not in _UNCHECKED:
            yield text, key  # `power 1: recharge instead of discarding`, `proficiencies: [light armors]`


def _box(text: str, who: PathfinderCharacter, role: str | None, note: Callable[[str], None]) -> str:
    """Return the name of the box that `text` means, as in the card facts; for other boxes, `text` itself.

    If the character has no box for a hand size, that is reported, and the result is empty. If the largest hand size
    on the role card is unknown, every hand size above the known ones is accepted.
    """
    if size := _HAND_SIZE.fullmatch(text.strip()):
        sizes = hand_sizes(who, role)
        unknown = role is not None and most_with_role(who, role) is None and int(size[1]) > max(sizes, default=0)
        if who.hand_size_feats is not None and int(size[1]) not in sizes and not unknown:
            boxes = f"boxes for {either(map(str, sizes))}" if sizes else "no hand size boxes"
            card = "character card" if role is None else "role card"
            note(f"{who.name} has no box for hand size {size[1]}; the {card} has {boxes}.")
            return ""
        return hand_size_box(size[1])
    bare = _PROFICIENT.sub("", text.strip())
    known = {name_key(box): box for box in known_boxes(who, role)}
    return known.get(name_key(bare), text.strip())


def written(feats: PowerFeats | None) -> int | list[str] | dict[str, Any] | None:
    """Return power feats as a deck file writes them: a number, the names of boxes, or a mapping with both."""
    if feats is None or not feats.named:
        return None if feats is None else feats.number
    if not feats.unnamed:
        return list(feats.named)
    return {**dict.fromkeys(feats.named, "yes"), OTHER: feats.unnamed}


def as_boxes(feats: PowerFeats, who: PathfinderCharacter, role: str | None) -> dict[str, Any]:
    """Return power feats as the form edits them, with a key for each box.

    A box that the card facts contain has the value `yes`. The keys `power 1`, `power 2` and so on contain the words
    of other boxes. The key `other` contains the number of boxes that are not named.
    """
    return {
        **{box: "yes" for box in known_boxes(who, role) if box in feats.named},
        **{f"power {number}": text for number, text in enumerate(on_the_card(feats, who, role), 1)},
        **({OTHER: feats.unnamed} if feats.unnamed else {}),
    }


def collapsed(boxes: Mapping[str, Any]) -> int | list[str] | dict[str, Any]:
    """Return power feats as a deck file writes them, given the keys that the form edits (see `as_boxes`)."""
    names = [box if text == "yes" else str(text) for box, text in boxes.items() if box != OTHER]
    count = whole(str(boxes.get(OTHER) or 0)) or 0
    return written(PowerFeats(len(names) + count, tuple(names))) or 0
