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
from kb.games.pathfinder.decks.cards import CardReader
from kb.games.pathfinder.decks.model import ADVENTURES, CARD_TYPES, PLURALS, SET_TITLES, Character, Deck, Facts, Stage

Value = TypeVar("Value")

PILE_KEYS = ("from_box", "left_over", "had", "received", "gave")
KEYS = (
    "game", "set", "character", "role", "adventure", "after_scenario", "stage", "card_feats", "skill_feats", "power_feats",
    "deck_adjustments", "cohorts", "owns", "party", "after_death", "cards", *PILE_KEYS, *CARD_TYPES, *PLURALS.values(), "player", "notes",
)  # fmt: skip
SKILLS = ("Strength", "Dexterity", "Constitution", "Intelligence", "Wisdom", "Charisma")
PLAYED_KEYS = ("card_feats", "skill_feats", "power_feats", "role", "after_scenario", "from_box", "left_over", "had")
OWNED = {
    "base": "B", "baseset": "B", "b": "B", "addon": "C", "characteraddon": "C", "characteraddondeck": "C", "c": "C",
    "promo": "P", "promos": "P", "promotionalcards": "P", "p": "P", "classdeck": "class decks", "classdecks": "class decks",
}  # fmt: skip
HIGHEST_COUNT = 99


def product_names() -> dict[str, str]:
    """What products and sets are called, as names are compared."""
    return {**OWNED, **{number: number for number in ADVENTURES}, **{set_id: set_id for set_id in SET_TITLES}}


def read_deck(file: DeckFile, facts: Facts, without_cards: bool = False) -> Deck:
    """The deck that a file describes; it may have no cards only if they are said to stand elsewhere.

    Raises DeckFileError with every problem of the file and its line.
    """
    return _DeckReader(file, facts, without_cards).read()


class _DeckReader:
    """Reads one file, collecting problems instead of stopping at the first."""

    def __init__(self, file: DeckFile, facts: Facts, without_cards: bool) -> None:
        self.without_cards = without_cards
        self.file = file
        self.facts = facts
        self.problems: list[DeckProblem] = []

    def note(self, node: Node | int, message: str) -> None:
        """Note a problem at a node's line."""
        self.problems.append(DeckProblem(node if isinstance(node, int) else node.line, message))

    def read(self) -> Deck:
        self.check_keys()
        character = self.character()
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
            card_feats=self.feats("card_feats", self.card_type, lambda kind: character.base(kind)),
            skill_feats=self.feats("skill_feats", self.skill, lambda _: 0),
            power_feats=self.number("power_feats", HIGHEST_COUNT),
            role=self.text("role"),
            deck_adjustments=self.adjustments(),
            cohorts=(*(text for text in self.texts("cohorts")), *cohorts),
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

    def scalar(self, key: str) -> Scalar | None:
        """The single value of a key, None when it is missing or empty."""
        node = self.file.get(key)
        if isinstance(node, Scalar):
            return node if node.text and node.text not in ("~", "null") else None
        if node is not None:
            self.note(node, f"`{key}` must be a single value.")
        return None

    def text(self, key: str) -> str | None:
        node = self.scalar(key)
        return node.text if node else None

    def texts(self, key: str) -> list[str]:
        """The values of a key that holds a list (a single value will do)."""
        return [node.text for node in self.scalars(key)]

    def scalars(self, key: str) -> list[Scalar]:
        node = self.file.get(key)
        found: list[Scalar] = []
        for item in node.items if isinstance(node, Sequence) else split_commas(node) if node is not None else ():
            if not isinstance(item, Scalar):
                self.note(item, f"`{key}` must be a list of names.")
            elif item.text and item.text != "~":
                found.append(item)
        return found

    def number(self, key: str, highest: int) -> int | None:
        node = self.scalar(key)
        return None if node is None else self.count(node, key, highest)

    def flag(self, key: str) -> bool | None:
        """Yes or no; None when it is not said."""
        node = self.scalar(key)
        return None if node is None else self.find(node, {"yes": True, "no": False, "true": True, "false": False}, key)

    def count(self, node: Node, label: str, highest: int) -> int | None:
        if isinstance(node, Scalar) and re.fullmatch(r"[0-9]{1,3}", node.text) and int(node.text) <= highest:
            return int(node.text)
        self.note(node, f"`{label}` must be a whole number from 0 to {highest}.")
        return None

    def character(self) -> Character | None:
        """The character: its set as given, or else the only set it fits."""
        node = self.scalar("character")
        if node is None:
            names = ", ".join(sorted({character.name for character in self.facts.characters.values()}))
            self.note(self.file.root, f"No character is named. Write `character: NAME`; known are {names}.")
            return None
        name, set_id = self.set_in_name(node.text)
        given = self.scalar("set")
        if given is not None:
            set_id = self.find(
                given, {**{key: key for key in SET_TITLES}, **{v: k for k, v in SET_TITLES.items()}}, "set"
            )
            if set_id is None:
                return None
        found = [
            character
            for (owner, key), character in self.facts.characters.items()
            if key == name_key(name) and set_id in (None, owner)
        ]
        if not found:
            known = [
                character.name for (owner, _), character in self.facts.characters.items() if set_id in (None, owner)
            ]
            where = f" of {SET_TITLES[set_id]}" if set_id else ""
            hint = did_you_mean(name, known) or f" Known are {', '.join(sorted(known))}."
            self.note(node, f"There is no character {node.text!r}{where}.{hint}")
            return None
        if len(found) > 1:
            found = self.fitting(found) or found
        if len(found) > 1:
            self.note(
                node, f"{found[0].name} is in several sets. Write `set: {either(sorted(each.set for each in found))}`."
            )
            return None
        return found[0]

    def set_in_name(self, text: str) -> tuple[str, str | None]:
        """`Mummy's Mask Ezren` and `Ezren (mm)` name the set along with the character."""
        for set_id, title in SET_TITLES.items():
            for word in (set_id, title):
                pattern = re.compile(rf"^{re.escape(word)}\s+|\s*\(\s*{re.escape(word)}\s*\)$", re.I)
                bare = pattern.sub("", text.replace("’", "'"))
                if bare != text.replace("’", "'"):
                    return bare.strip(), set_id
        return text, None

    def fitting(self, characters: list[Character]) -> list[Character]:
        """Of the characters of one name, those of the set that knows most of the deck's cards."""
        written = [split_quantity(node.text)[1] for node in scalars_below(self.file.get("cards"))]
        known = {
            character.set: sum((character.set, name_key(name)) in self.facts.cards for name in written)
            for character in characters
        }
        return [character for character in characters if known[character.set] == max(known.values()) > 0]

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

    def card_type(self, node: Scalar) -> str | None:
        return self.find(
            node, {**{kind: kind for kind in CARD_TYPES}, **{v: k for k, v in PLURALS.items()}}, "card type"
        )

    def skill(self, node: Scalar) -> str | None:
        return self.find(node, {skill: skill for skill in SKILLS}, "skill")

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

    def feats(
        self, key: str, find: Callable[[Scalar], str | None], base: Callable[[str], int]
    ) -> dict[str, tuple[int, ...]]:
        """Checked boxes as positions from the left: a number of boxes, or the list of what is printed in them."""
        found: dict[str, tuple[int, ...]] = {}
        for label, value in self.pairs(key):
            line = find(label)
            if line is None:
                continue
            if line in found:
                self.note(label, f"`{key}` names {line} twice.")
            if isinstance(value, Sequence):
                printed = [self.printed(item, key) for item in value.items]
                boxes = sorted({number - base(line) for number in printed if number is not None})
                if any(box < 1 for box in boxes):
                    self.note(value, f"`{key}` lists a box of {line} that no card has; the first is {base(line) + 1}.")
                found[line] = tuple(box for box in boxes if box > 0)
            else:
                number = self.count(value, f"{key}: {label.text}", HIGHEST_COUNT)
                found[line] = tuple(range(1, (number or 0) + 1))
        return {line: boxes for line, boxes in found.items() if boxes}

    def printed(self, node: Node, key: str) -> int | None:
        bare = Scalar(node.text.lstrip("+"), node.line) if isinstance(node, Scalar) else node
        return self.count(bare, key, HIGHEST_COUNT)

    def adjustments(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for label, value in self.pairs("deck_adjustments"):
            card_type = self.card_type(label)
            if isinstance(value, Scalar) and re.fullmatch(r"[+-]?\d{1,2}", value.text):
                if card_type and int(value.text):
                    found[card_type] = int(value.text)
            else:
                self.note(value, "`deck_adjustments` must be like `{item: 1, blessing: -1}`.")
        return found

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
