"""Reads a Tainted Grail character sheet: from a parsed file to a `Sheet`, or all that is wrong with the file.

    game: tainted-grail
    character: Beor
    mode: standard                 # story, standard or challenge; `challenge_rules: [advancement, items]` for a part of it
    earlier_modes: [story]         # modes of earlier chapters, if the mode has changed
    free_play: no
    experience_spent: 8            # all EXP spent since the campaign began
    starting_attributes: {aggression: 2, courage: 1, practicality: 1}     # from the back of the tile; others are 0
    attributes: {aggression: 3, empathy: 1, courage: 1, practicality: 1}  # as they are now
    pairs: [aggression-empathy, courage-caution, practicality-spirituality]   # as on the tray; these are the default
    granted: {empathy: 1, combat: 1}     # points and cards that the story gave without EXP
    skills: {aggression: 12}             # the numbers of the skill cards, by attribute
    resources: {food: 4, wealth: 7, reputation: 2, magic: 3, experience: 5}
    items: [Rusty Sword (WEAPON), "Old Mace (WEAPON, facedown)", Rope]
    secrets: [{number: 14, keywords: [RELIC, PERSONAL], owner: Beor}]
    combat:
      gained: {advanced: [Cleave], basic: [17]}    # from the advancement pool; a plain list will do
      out: [3]                                     # owned, but not in the deck now
    diplomacy: 1-15                                # or the deck itself: numbers of basic cards, names

A deck may also give its `deck`, and its `starter` cards (without them, those numbered 1 to 15).
"""

from __future__ import annotations

import re

from kb.decks import nodes
from kb.decks.deckfile import DeckFile
from kb.decks.fields import Fields, parts
from kb.decks.names import name_key
from kb.decks.nodes import DeckFileError, Node, Scalar, Sequence
from kb.games.tainted_grail.decks.cards import read_deck
from kb.games.tainted_grail.decks.model import (
    ATTRIBUTES,
    CHALLENGE_RULES,
    CHARACTERS,
    DECK_NAMES,
    MODES,
    RESOURCES,
    ChallengeRule,
    Mode,
    Pairs,
    Sheet,
    character_named,
)
from kb.games.tainted_grail.decks.possessions import read_items, read_secrets

KEYS = (
    "game", "character", "mode", "experience_spent", "starting_attributes", "attributes", "granted", "skills", "resources",
    "items", "secrets", "combat", "diplomacy", "challenge_rules", "earlier_modes", "free_play", "pairs", "tray", "deck_color",
    "player", "notes",
)  # fmt: skip
MODE_NAMES: dict[str, Mode] = {each: each for each in MODES} | {f"{each} mode": each for each in MODES}
RULE_NAMES: dict[str, ChallengeRule] = {each: each for each in CHALLENGE_RULES}
ATTRIBUTE_NAMES = {name: name for name in ATTRIBUTES}
RESOURCE_NAMES = {**{name: name for name in RESOURCES}, "rep": "reputation", "exp": "experience"}
OTHER_WORDS = {
    "gold": "wealth", "money": "wealth", "coin": "wealth", "coins": "wealth", "ration": "food", "rations": "food",
    "mana": "magic", "fame": "reputation", "xp": "experience",
}  # fmt: skip
HIGHEST_ATTRIBUTE = 99
HIGHEST_RESOURCE = 9999
MOST_SKILLS = 99


def read_sheet(file: DeckFile) -> Sheet:
    """The sheet that a file describes. Raises DeckFileError with every problem of the file and its line."""
    return _SheetReader(file).read()


class _SheetReader(Fields):
    def __init__(self, file: DeckFile) -> None:
        super().__init__(file.root, [])
        self.file = file

    def read(self) -> Sheet:
        self.check_keys(KEYS)
        starting = self.attributes("starting_attributes")
        attributes = self.attributes("attributes")
        mode, free_play = self.mode()
        earlier = tuple(
            each for node in self.listed("earlier_modes") if (each := self.choose(node, MODE_NAMES, "mode")) is not None
        )
        combat, diplomacy = (read_deck(self, name) for name in DECK_NAMES)
        sheet = Sheet(
            character=self.character(),
            mode=mode,
            challenge_rules=self.challenge_rules((mode, *earlier)),
            earlier_modes=earlier,
            free_play=free_play or self.flag("free_play"),
            tray=self.text("tray"),
            deck_color=self.text("deck_color"),
            experience_spent=self.number("experience_spent", HIGHEST_RESOURCE),
            starting=starting,
            attributes=starting if attributes is None else attributes,
            granted=self.counts(
                "granted", {**ATTRIBUTE_NAMES, **{name: name for name in DECK_NAMES}}, HIGHEST_ATTRIBUTE
            ),
            pairs=self.pairs(),
            skills=self.skills(),
            resources=self.counts("resources", RESOURCE_NAMES, HIGHEST_RESOURCE),
            items=read_items(self),
            secrets=read_secrets(self),
            combat=combat,
            diplomacy=diplomacy,
        )
        if self.problems:
            raise DeckFileError(self.file.name, self.problems)
        return sheet

    def character(self) -> str:
        node = self.scalar("character")
        if node is None or not node.text:
            if self.get("character") is None or node is not None:
                names = ", ".join(each.name for each in CHARACTERS)
                self.note(self.mapping, f"No character is named. Write `character: NAME`, such as {names}.")
            return ""
        known = character_named(node.text)
        return known.name if known else node.text

    def mode(self) -> tuple[Mode, bool]:
        """The mode, and whether free play is named in its place (which says nothing of the mode)."""
        node = self.scalar("mode")
        if node is None:
            return "standard", False
        if name_key(node.text) == "freeplay":
            return "standard", True
        return self.choose(node, MODE_NAMES, "mode") or "standard", False

    def challenge_rules(self, modes: tuple[Mode, ...]) -> frozenset[ChallengeRule]:
        """The changes of challenge mode in use: all, unless the file names them."""
        node = self.get("challenge_rules")
        if node is None:
            return frozenset(CHALLENGE_RULES)
        if "challenge" not in modes:
            self.note(node, "`challenge_rules` is for `mode: challenge` only.")
        found = (self.choose(part, RULE_NAMES, "challenge rule") for part in parts(node))
        return frozenset(rule for rule in found if rule is not None)

    def counts(self, key: str, known: dict[str, str], highest: int) -> dict[str, int]:
        """A mapping of names to whole numbers; names without a number are left out."""
        fields = self.below(key)
        found: dict[str, int] = {}
        for label, node in fields.mapping.pairs if fields else ():
            if key == "resources" and (meant := OTHER_WORDS.get(name_key(label.text))):
                self.note(label, f"Unknown resource {label.text!r}. Did you mean {meant}?")
                continue
            name = self.choose(label, known, key.rstrip("s").replace("_", " "))
            if name is None or self.is_empty(node):
                continue
            if name in found:
                self.note(label, f"`{key}` names {name} twice.")
            found[name] = self.count(node, f"{key}: {label.text}", highest) or 0
        return found

    @staticmethod
    def is_empty(node: Node) -> bool:
        return isinstance(node, Scalar | Sequence) and not parts(node)

    def attributes(self, key: str) -> dict[str, int] | None:
        """All six attributes, those not named 0; None when none has a number."""
        found = self.counts(key, ATTRIBUTE_NAMES, HIGHEST_ATTRIBUTE)
        return {name: found.get(name, 0) for name in ATTRIBUTES} if found else None

    def pairs(self) -> Pairs | None:
        """Three pairs, written `aggression-empathy` or as lists of two."""
        node = self.get("pairs")
        if node is None:
            return None
        found: list[tuple[str, ...]] = []
        for part in parts(node):
            inside = [part] if isinstance(part, Scalar) else list(parts(part))
            names = [
                Scalar(text.strip(), each.line)
                for each in inside
                if isinstance(each, Scalar)
                for text in re.split(r"\s*[-–/]\s*|\s+and\s+", each.text)
            ]
            found.append(tuple(name for each in names if (name := self.choose(each, ATTRIBUTE_NAMES, "attribute"))))
        if sorted(name for pair in found for name in pair) != sorted(ATTRIBUTES) or any(len(p) != 2 for p in found):
            self.note(
                node, "`pairs` must be three pairs such as `aggression-empathy` that name all six attributes once."
            )
            return None
        return tuple((pair[0], pair[1]) for pair in found)

    def skills(self) -> dict[str, tuple[str, ...]]:
        """The skill cards of each attribute."""
        fields = self.below("skills")
        found: dict[str, tuple[str, ...]] = {}
        for label, node in fields.mapping.pairs if fields else ():
            name = self.choose(label, ATTRIBUTE_NAMES, "attribute")
            if name is None:
                continue
            if name in found:
                self.note(label, f"`skills` names {name} twice.")
            written = [part.text for part in parts(node) if isinstance(part, Scalar)]
            if isinstance(node, nodes.Mapping) or len(written) < len(parts(node)) or len(written) > MOST_SKILLS:
                self.note(node, f"`skills: {label.text}` must be the numbers of its skill cards, such as [12, 15].")
            found[name] = tuple(written)
        return found
