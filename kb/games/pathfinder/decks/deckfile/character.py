"""Finds the character whose deck a file describes: by name, and by set where several sets have one of that name."""

from __future__ import annotations

import re

from kb.decks.names import did_you_mean, either, name_key, split_quantity
from kb.decks.nodes import scalars_below
from kb.games.pathfinder.decks.deckfile.values import Values
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import SET_NAMES, SET_TITLES, Character


def read_character(values: Values, facts: Facts) -> Character | None:
    """The character: its set as given, or else the only set it fits."""
    node = values.scalar("character")
    if node is None:
        names = ", ".join(sorted({character.name for character in facts.characters.values()}))
        values.note(values.file.root, f"No character is named. Write `character: NAME`; known are {names}.")
        return None
    name, set_id = _set_in_name(node.text)
    given = values.scalar("set")
    if given is not None:
        set_id = values.find(given, SET_NAMES, "set")
        if set_id is None:
            return None
    found = [
        character
        for (owner, key), character in facts.characters.items()
        if key == name_key(name) and set_id in (None, owner)
    ]
    if not found:
        known = list(
            {character.name: 0 for (owner, _), character in facts.characters.items() if set_id in (None, owner)}
        )
        where = f" of {SET_TITLES[set_id]}" if set_id else ""
        hint = did_you_mean(name, known) or f" Known are {', '.join(sorted(known))}."
        values.note(node, f"There is no character {node.text!r}{where}.{hint}")
        return None
    if len(found) > 1:
        found = _fitting(values, facts, found) or found
    if len(found) > 1:
        values.note(
            node, f"{found[0].name} is in several sets. Write `set: {either(sorted(each.set for each in found))}`."
        )
        return None
    return found[0]


def _set_in_name(text: str) -> tuple[str, str | None]:
    """`Mummy's Mask Ezren` and `Ezren (mm)` name the set along with the character."""
    for set_id, title in SET_TITLES.items():
        for word in (set_id, title):
            pattern = re.compile(rf"^{re.escape(word)}\s+|\s*\(\s*{re.escape(word)}\s*\)$", re.I)
            bare = pattern.sub("", text.replace("’", "'"))
            if bare != text.replace("’", "'"):
                return bare.strip(), set_id
    return text, None


def _fitting(values: Values, facts: Facts, characters: list[Character]) -> list[Character]:
    """Of the characters of one name, those of the set that knows most of the deck's cards."""
    written = [split_quantity(node.text)[1] for node in scalars_below(values.file.get("cards"))]
    known = {
        character.set: sum((character.set, name_key(name)) in facts.cards for name in written)
        for character in characters
    }
    return [character for character in characters if known[character.set] == max(known.values()) > 0]
