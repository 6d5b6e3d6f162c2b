"""Reads the items and secrets of a sheet: lines such as `Rusty Sword (WEAPON, facedown)`, or keys for each card."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kb.decks import nodes
from kb.decks.fields import Fields
from kb.decks.names import name_key, split_quantity
from kb.decks.nodes import Node, Scalar
from kb.games.tainted_grail.decks.model import ITEM_KEYWORDS, SECRET_KEYWORDS, Item, character_named

HIGHEST_SECRET = 9999
MOST_COPIES = 99
BRACKETS = re.compile(r"[(\[{]([^()\[\]{}]*)[)\]}]")
COPIES = re.compile(r"[x×*]?\s*(\d{1,3})\s*[x×*]?", re.I)
BETWEEN_WORDS = re.compile(r"[\s,;/+&]+")
# Words beside the name that are no keywords: `C` is the mark of craftable items, which no check asks for.
OTHER_WORDS = ("facedown", "faceup", "c")
HINT = "put each card in a line of its own, or give it as {name: …, keywords: […]}"


def read_items(fields: Fields) -> tuple[Item, ...]:
    """The items under `items:`."""
    return tuple(_possessions(fields, "items", "item", ITEM_KEYWORDS))


def read_secrets(fields: Fields) -> tuple[Item, ...]:
    """The secrets under `secrets:`; a bare number is a secret too."""
    return tuple(_possessions(fields, "secrets", "secret", (*ITEM_KEYWORDS, *SECRET_KEYWORDS)))


def _possessions(fields: Fields, key: str, what: str, keywords: tuple[str, ...]) -> Iterable[Item]:
    for node in fields.listed(key):
        if isinstance(node, nodes.Mapping):
            yield from _described(Fields(node, fields.problems, f"{key}: "), what, keywords)
        elif not isinstance(node, Scalar):
            fields.note(node, f"`{key}` must list each {what} as a line such as `Rusty Sword (WEAPON)`.")
        elif any(node.text.count(left) != node.text.count(right) for left, right in ("()", "[]", "{}")):
            fields.note(node, f"{node.text!r} has a bracket too many or too few; put the line in quotes.")
        else:
            yield from _line(fields, node, what, keywords)


def _line(fields: Fields, node: Scalar, what: str, keywords: tuple[str, ...]) -> Iterable[Item]:
    """`Rusty Sword (WEAPON, facedown)`, `2x Torch`, `Sword [WEAPON]`, `Sword WEAPON`; nothing of it is passed over."""
    copies, words, rest = 1, [], node.text
    for inside in BRACKETS.findall(node.text):
        if found := COPIES.fullmatch(inside.strip()):
            copies *= int(found[1])
        else:
            words += [word for word in BETWEEN_WORDS.split(inside) if word]
    rest = " ".join(BRACKETS.sub(" ", node.text).split())
    secret = re.fullmatch(r"#?(\d{1,4})", rest.split(",")[0].strip()) if what == "secret" else None
    if secret is None:
        number, rest = split_quantity(rest)
        copies *= number
    name, bare, others = _bare_words(rest, keywords)
    if others:
        fields.note(node, f"{node.text!r} names more than one {what}: {HINT}.")
    if not 1 <= copies <= MOST_COPIES:
        fields.note(node, f"{node.text!r}: write a number of copies from 1 to {MOST_COPIES}.")
        copies = 1
    words += bare
    item = Item(
        name=f"secret {secret[1]}" if secret else name or " ".join(words),
        keywords=_keywords(
            fields, [Scalar(word, node.line) for word in words if name_key(word) not in OTHER_WORDS], keywords
        ),
        facedown=any(name_key(word) == "facedown" for word in words),
        number=int(secret[1]) if secret else None,
    )
    return [item] * copies


def _bare_words(text: str, keywords: tuple[str, ...]) -> tuple[str, list[str], list[str]]:
    """The name in a text without brackets, the keywords written beside it, and what else stands between commas.

    A keyword without brackets is told by its capitals, as the cards print it: a Holy Relic is a name.
    """
    known = (*keywords, "facedown", "faceup")
    name, *more = (part.strip() for part in text.split(","))
    inside = name.split()
    words: list[str] = []
    while len(inside) > 1 and (inside[-1] in known or inside[-1] in ("-", "–", ":")):
        words.insert(0, inside.pop())
    while len(inside) > 1 and inside[0] in known:
        words.append(inside.pop(0))
    others = []
    for part in more:
        found = [word for word in BETWEEN_WORDS.split(part) if word]
        if all(word in known for word in found):
            words += found
        else:
            others.append(part)
    return " ".join(inside), [word for word in words if word in known], others


def _described(fields: Fields, what: str, keywords: tuple[str, ...]) -> Iterable[Item]:
    own = ("number", "owner") if what == "secret" else ()
    fields.check_keys(("name", "count", "keyword", "keywords", "facedown", *own))
    number = fields.number("number", HIGHEST_SECRET) if own else None
    owner = fields.text("owner") if own else None
    name = fields.text("name")
    if name is None and number is None:
        fields.note(
            fields.mapping, f"This {what} has no name; give it {'a `name` or a `number`' if own else 'a `name`'}."
        )
    known = character_named(owner or "")
    copies, name = split_quantity(name) if name else (1, name)
    given = fields.number("count", MOST_COPIES)
    item = Item(
        name=name or f"secret {number}",
        keywords=_keywords(fields, [*fields.listed("keyword"), *fields.listed("keywords")], keywords),
        facedown=fields.flag("facedown"),
        number=number,
        owner=known.name if known else owner,
    )
    return [item] * (copies if given is None else given)


def _keywords(fields: Fields, found: Iterable[Node], known: tuple[str, ...]) -> tuple[str, ...]:
    chosen = (fields.choose(node, {word: word for word in known}, "keyword") for node in found)
    return tuple(dict.fromkeys(word for word in chosen if word is not None))
