"""Reads a Pathfinder deck file: from a parsed file and the facts to a `Deck`, or all that is wrong with the file."""

from __future__ import annotations

import re

from kb.decks.deckfile import DeckFile
from kb.decks.names import did_you_mean, name_key
from kb.decks.nodes import DeckFileError, Scalar, key_name
from kb.games.pathfinder.decks.cards import CardReader
from kb.games.pathfinder.decks.deckfile import boxes
from kb.games.pathfinder.decks.deckfile.character import read_character
from kb.games.pathfinder.decks.deckfile.values import HIGHEST_COUNT, Values
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import ADVENTURES, CARD_TYPES, PLURALS, SET_TITLES, Deck, Stage

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
            card_feats=boxes.checked(self, "card_feats", boxes.card_type, character.base),
            skill_feats=boxes.checked(self, "skill_feats", boxes.skill, lambda _: 0),
            power_feats=self.number("power_feats", HIGHEST_COUNT),
            role=self.text("role"),
            deck_adjustments=boxes.adjustments(self),
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
