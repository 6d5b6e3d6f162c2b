"""Reads a Pathfinder deck file: from a parsed file and the facts to a `Deck`, or all that is wrong with the file."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from kb.decks.deckfile import DeckFile
from kb.decks.names import did_you_mean, either, name_key, split_quantity
from kb.decks.nodes import (
    DeckFileError,
    DeckProblem,
    Mapping,
    Node,
    Scalar,
    Sequence,
    key_name,
    scalars_below,
    split_commas,
)
from kb.games.pathfinder.decks.cards import TYPE_NAMES, CardReader
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import (
    ADVENTURES,
    CARD_TYPES,
    PLURALS,
    SET_NAMES,
    SET_TITLES,
    SKILLS,
    Character,
    Deck,
    Stage,
)

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


PILE_KEYS = ("from_box", "left_over", "had", "received", "gave")
KEYS = (
    "game", "set", "character", "role", "adventure", "after_scenario", "stage", "card_feats", "skill_feats", "power_feats",
    "deck_adjustments", "cohorts", "owns", "party", "after_death", "cards", *PILE_KEYS, *CARD_TYPES, *PLURALS.values(), "player", "notes",
)  # fmt: skip
PLAYED_KEYS = ("card_feats", "skill_feats", "power_feats", "role", "after_scenario", "from_box", "left_over", "had")
OWNED = {
    "base": "B", "baseset": "B", "b": "B", "addon": "C", "characteraddon": "C", "characteraddondeck": "C", "c": "C",
    "promo": "P", "promos": "P", "promotionalcards": "P", "p": "P", "classdeck": "class decks", "classdecks": "class decks",
}  # fmt: skip


def product_names() -> dict[str, str]:
    """What products and sets are called, as names are compared."""
    return {**OWNED, **{number: number for number in ADVENTURES}, **{set_id: set_id for set_id in SET_TITLES}}


def read_deck(file: DeckFile, facts: Facts, without_cards: bool = False) -> Deck:
    """The deck that a file describes; it may have no cards only if they are said to stand elsewhere.

    Raises DeckFileError with every problem of the file and its line.
    """
    return _DeckReader(file, facts, without_cards).read()


class _DeckReader(Values):
    """Reads one deck from the values of its file."""

    def __init__(self, file: DeckFile, facts: Facts, without_cards: bool) -> None:
        super().__init__(file)
        self.facts = facts
        self.without_cards = without_cards

    def read(self) -> Deck:
        self.check_keys()
        character = read_character(self, self.facts)
        if character is None:
            raise DeckFileError(self.file.name, self.problems)
        cards = CardReader(self.facts, character.set, self.note)
        deck_cards, cohorts = cards.deck(self.file)
        piles = {key: cards.pile(self.file.get(key)) for key in PILE_KEYS}
        named = self.file.top_keys()
        deck = Deck(
            character=character,
            stage=self.stage(),
            adventure=self.adventure(),
            cards=deck_cards,
            after_scenario=self.after_scenario(character.set),
            card_feats=checked(self, "card_feats", card_type, character.base),
            skill_feats=checked(self, "skill_feats", skill, lambda _: 0),
            power_feats=self.number("power_feats", HIGHEST_COUNT),
            role=self.text("role"),
            deck_adjustments=adjustments(self),
            cohorts=(*self.texts("cohorts"), *cohorts),
            from_box=piles["from_box"] if "from_box" in named else None,
            left_over=piles["left_over"],
            had=piles["had"] if "had" in named else None,
            received=piles["received"],
            gave=piles["gave"],
            owns=self.owns(character.set),
            party=tuple(self.texts("party")),
            after_death=self.flag("after_death"),
            contradictions=tuple(dict.fromkeys(cards.contradictions)),
        )
        if not deck_cards and not self.problems and not self.without_cards:
            self.note(0, "names no cards; list them under `cards:`, one a line.")
        if self.problems:
            raise DeckFileError(self.file.name, self.problems)
        return deck

    def check_keys(self) -> None:
        seen: dict[str, Scalar] = {}
        for key, _ in self.file.root.pairs:
            name = key_name(key.text)
            if name in seen:
                self.note(key, f"The key `{key.text}` is there twice (first in line {seen[name].line}).")
            elif name == "members":
                self.note(key, "This is a table and no deck; `kb party rebuild` rebuilds its decks.")
            elif name not in KEYS:
                hint = did_you_mean(name, KEYS) or f" Known are {', '.join(KEYS[:14])}, cards, {', '.join(PILE_KEYS)}."
                self.note(key, f"Unknown key `{key.text}`.{hint}")
            seen[name] = key

    def stage(self) -> Stage:
        node = self.scalar("stage")
        if node is None:
            return "rebuilt" if any(key in self.file.top_keys() for key in PLAYED_KEYS) else "new"
        if name_key(node.text) in ("new", "rebuilt"):
            return "new" if name_key(node.text) == "new" else "rebuilt"
        self.note(node, f"Unknown stage {node.text!r}. Write `new` (a new deck) or `rebuilt` (between scenarios).")
        return "new"

    def adventure(self) -> str:
        node = self.scalar("adventure")
        if node is None:
            if self.stage() == "rebuilt":
                self.note(
                    self.file.root, "Which adventure is being played? Write `adventure: B` or a number from 1 to 6."
                )
            return "B"
        names = {adventure.name: adventure.deck for found in self.facts.adventures.values() for adventure in found}
        known = {**names, **{number: number for number in ADVENTURES}, "base": "B", "0": "B"}
        known.update({f"{word}{number}": number for word in ("adventure ", "deck ") for number in ADVENTURES})
        return self.find(node, known, "adventure", "Write B or a number from 1 to 6.") or "B"

    def after_scenario(self, set_id: str) -> int | None:
        adventure = self.facts.adventure(set_id, self.adventure()) if "after_scenario" in self.file.top_keys() else None
        if adventure is None:
            return None
        node = self.scalar("after_scenario")
        names = [part.name for part in adventure.scenarios]
        if node is None or re.fullmatch(r"[-+\d.]+", node.text.strip()):
            return self.number("after_scenario", len(names))
        known = {name_key(name): number for number, name in enumerate(names, 1)}
        if name_key(node.text) not in known:
            hint = (
                did_you_mean(node.text, names) or f" Its scenarios are {', '.join(names)}: write a name, a number or 0."
            )
            self.note(node, f"Adventure {adventure.deck} has no scenario {node.text!r}.{hint}")
        return known.get(name_key(node.text))

    def owns(self, set_id: str) -> frozenset[str] | None:
        """Owned products; the base set is always among them, and adventure deck 1 comes in its box.

        The name of a set stands for everything of it; that of the deck's own set too.
        """
        if self.file.get("owns") is None:
            return None
        known = product_names()
        owned = {"B", "1"}
        for node in self.scalars("owns"):
            bare = Scalar(re.sub(r"^(adventure )?deck\s+(?=\d)", "", node.text, flags=re.I), node.line)
            product = self.find(bare, known, "product", "Write base, add-on, 1 to 6, promo, class decks, rotr or mm.")
            owned |= {product} if product else set()
        if set_id in owned:
            owned |= {*ADVENTURES, "C"}
        return frozenset(owned)


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
