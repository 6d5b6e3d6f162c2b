"""Reads the items and secrets of a sheet: lines such as `Rusty Sword (WEAPON, facedown)`, or keys for each card."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kb.decks import nodes
from kb.decks.fields import Fields
from kb.decks.names import name_key
from kb.decks.nodes import Node, Scalar
from kb.games.tainted_grail.decks.model import ITEM_KEYWORDS, SECRET_KEYWORDS, Item, character_named

HIGHEST_SECRET = 9999
SHORTHAND = re.compile(r"^(.*\S)\s*\(([^()]*)\)$")
# Words of the shorthand that are no keywords: `C` is the mark of craftable items, which no check asks for.
OTHER_WORDS = ("facedown", "faceup", "c")


def read_items(fields: Fields) -> tuple[Item, ...]:
    """The items under `items:`."""
    return tuple(_possessions(fields, "items", "item", ITEM_KEYWORDS))


def read_secrets(fields: Fields) -> tuple[Item, ...]:
    """The secrets under `secrets:`; a bare number is a secret too."""
    return tuple(_possessions(fields, "secrets", "secret", (*ITEM_KEYWORDS, *SECRET_KEYWORDS)))


def _possessions(fields: Fields, key: str, what: str, keywords: tuple[str, ...]) -> Iterable[Item]:
    for node in fields.listed(key):
        if isinstance(node, nodes.Mapping):
            yield _described(Fields(node, fields.problems, f"{key}: "), what, keywords)
        elif not isinstance(node, Scalar):
            fields.note(node, f"`{key}` must list each {what} as a line such as `Rusty Sword (WEAPON)`.")
        elif node.text.count("(") != node.text.count(")"):
            fields.note(node, f"{node.text!r} has a bracket too many or too few; put the line in quotes.")
        else:
            yield _shorthand(fields, node, what, keywords)


def _shorthand(fields: Fields, node: Scalar, what: str, keywords: tuple[str, ...]) -> Item:
    parted = SHORTHAND.match(node.text)
    name, inside = (parted[1], parted[2]) if parted else (node.text, "")
    words = [word for word in re.split(r"[\s,]+", inside) if word]
    number = re.fullmatch(r"#?(\d{1,4})", name) if what == "secret" else None
    return Item(
        name=f"secret {number[1]}" if number else name,
        keywords=_keywords(
            fields, [Scalar(word, node.line) for word in words if name_key(word) not in OTHER_WORDS], keywords
        ),
        facedown=any(name_key(word) == "facedown" for word in words),
        number=int(number[1]) if number else None,
    )


def _described(fields: Fields, what: str, keywords: tuple[str, ...]) -> Item:
    own = ("number", "owner") if what == "secret" else ()
    fields.check_keys(("name", "keyword", "keywords", "facedown", *own))
    number = fields.number("number", HIGHEST_SECRET) if own else None
    owner = fields.text("owner") if own else None
    name = fields.text("name")
    if name is None and number is None:
        fields.note(
            fields.mapping, f"This {what} has no name; give it {'a `name` or a `number`' if own else 'a `name`'}."
        )
    known = character_named(owner or "")
    return Item(
        name=name or f"secret {number}",
        keywords=_keywords(fields, [*fields.listed("keyword"), *fields.listed("keywords")], keywords),
        facedown=fields.flag("facedown"),
        number=number,
        owner=known.name if known else owner,
    )


def _keywords(fields: Fields, found: Iterable[Node], known: tuple[str, ...]) -> tuple[str, ...]:
    chosen = (fields.choose(node, {word: word for word in known}, "keyword") for node in found)
    return tuple(dict.fromkeys(word for word in chosen if word is not None))
