"""Reads a Tainted Grail character sheet: builds a `Sheet` from a parsed file, or reports all problems of the file.

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

A side may also give its `deck`, and its `starter` cards (default: those numbered 1 to 15).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from kb.decks import nodes
from kb.decks.deckfile import DeckFile
from kb.decks.fields import Fields, parts
from kb.decks.names import name_key, split_quantity
from kb.decks.nodes import DeckFileError, Node, Scalar, scalars_below
from kb.games.tainted_grail.decks.character_sheet import (
    ATTRIBUTES,
    BASIC_CARDS,
    CARDS_OF_A_SIDE,
    CHALLENGE_RULES,
    CHARACTERS,
    DECK_NAMES,
    ITEM_KEYWORDS,
    MODES,
    POOL,
    RESOURCES,
    SECRET_KEYWORDS,
    Cards,
    ChallengeRule,
    DeckName,
    Grade,
    GrailCard,
    GrailDeck,
    Item,
    Mode,
    Pairs,
    Sheet,
    basic_card,
    character_named,
)

HIGHEST_SECRET = 9999
MOST_COPIES = 99
LINE = re.compile(r"([^()\[\]{},]+)((?:[(\[{][^()\[\]{}]*[)\]}]\s*)*)")
# Words after the name that are not keywords. `C` marks craftable items; no check uses it.
NOT_KEYWORDS = ("facedown", "faceup", "c")
DECK_KEYS = ("starter", "gained", "deck", "out")
NUMBER = re.compile(rf"^#?(\d{{1,4}})(?:\s*[-–]\s*(\d{{1,4}}))?(?:\s*/\s*{BASIC_CARDS})?$")


KEYS = (
    "game", "character", "mode", "experience_spent", "starting_attributes", "attributes", "granted", "skills", "resources",
    "items", "secrets", "combat", "diplomacy", "challenge_rules", "earlier_modes", "free_play", "pairs", "tray", "deck_color",
    "player", "notes",
)  # fmt: skip
MODE_NAMES: dict[str, Mode] = {each: each for each in MODES} | {f"{each} mode": each for each in MODES}
RULE_NAMES: dict[str, ChallengeRule] = {each: each for each in CHALLENGE_RULES}
SHORT = {"rep": "reputation", "exp": "experience"}
HIGHEST_ATTRIBUTE = 99
HIGHEST_RESOURCE = 9999


def read_sheet(file: DeckFile) -> Sheet:
    """Return the sheet that a file describes. Raises DeckFileError with every problem of the file and its line."""
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
        earlier = self.all_of("earlier_modes", MODE_NAMES, "mode")
        combat, diplomacy = map(self.deck, DECK_NAMES)
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
            granted=self.counts("granted", (*ATTRIBUTES, *DECK_NAMES), HIGHEST_ATTRIBUTE),
            pairs=self.pairs(),
            skills=self.skills(),
            resources=self.counts("resources", (*RESOURCES, *SHORT), HIGHEST_RESOURCE),
            items=tuple(self.possessions("items", ITEM_KEYWORDS)),
            secrets=tuple(self.possessions("secrets", (*ITEM_KEYWORDS, *SECRET_KEYWORDS))),
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
                self.note(self.mapping, f"There is no character. Write `character: NAME`, such as {names}.")
            return ""
        known = character_named(node.text)
        return known.name if known else node.text

    def mode(self) -> tuple[Mode, bool]:
        """Return the mode, and whether the file names free play instead (which leaves the mode open)."""
        node = self.get("mode")
        if isinstance(node, Scalar) and name_key(node.text) == "freeplay":
            return "standard", True
        return self.one_of("mode", MODE_NAMES) or "standard", False

    def challenge_rules(self, modes: tuple[Mode, ...]) -> frozenset[ChallengeRule]:
        """Return the changes of challenge mode in use: all, unless the file lists them."""
        node = self.get("challenge_rules")
        if node is None:
            return frozenset(CHALLENGE_RULES)
        if "challenge" not in modes:
            self.note(node, "`challenge_rules` is for `mode: challenge` only.")
        return frozenset(self.all_of("challenge_rules", RULE_NAMES, "challenge rule"))

    def counts(self, key: str, known: Iterable[str], highest: int) -> dict[str, int]:
        """Return whole numbers by the names below a key; names without a number are left out."""
        fields = self.named(key, known)
        numbers = {name: fields.number(name, highest) for name in known} if fields else {}
        return {SHORT.get(name, name): number for name, number in numbers.items() if number is not None}

    def named(self, key: str, known: Iterable[str]) -> Fields | None:
        """Return the mapping under a key; report names that are not in `known`."""
        if fields := self.below(key):
            fields.check_keys(known)
        return fields

    def attributes(self, key: str) -> dict[str, int] | None:
        """Return all six attributes, missing ones as 0; None if none has a number."""
        values = self.counts(key, ATTRIBUTES, HIGHEST_ATTRIBUTE)
        return {name: values.get(name, 0) for name in ATTRIBUTES} if values else None

    def pairs(self) -> Pairs | None:
        """Return three pairs, written as `aggression-empathy` or as lists of two."""
        node = self.get("pairs")
        if node is None:
            return None
        words = (word for each in scalars_below(node) for word in re.findall(r"\w+", each.text.casefold()))
        names = [word for word in words if word != "and"]
        if sorted(names) != sorted(ATTRIBUTES):
            self.note(
                node, "`pairs` must be three pairs such as `aggression-empathy`, with each of the six attributes once."
            )
            return None
        return tuple(zip(names[::2], names[1::2], strict=True))

    def skills(self) -> dict[str, tuple[str, ...]]:
        """Return the skill cards of each attribute."""
        fields = self.named("skills", ATTRIBUTES)
        return {name: cards for name in ATTRIBUTES if fields and (cards := fields.words(name))}

    def possessions(self, key: str, keywords: tuple[str, ...]) -> Iterator[Item]:
        """Yield the things under `items` or `secrets`, from lines such as `Rusty Sword (WEAPON)` or mappings. A bare
        number is also a secret.
        """
        what = key.removesuffix("s")
        own = ("number", "owner") if what == "secret" else ()
        for node in self.listed(key):
            if isinstance(node, Scalar) and not node.text:
                continue
            keys = node if isinstance(node, nodes.Mapping) else self.as_keys(node, what)
            if keys is None:
                continue
            fields = Fields(keys, self.problems, f"{key}: ")
            fields.check_keys(("name", "count", "keyword", "keywords", "facedown", *own))
            number, owner = (fields.number("number", HIGHEST_SECRET), fields.text("owner")) if own else (None, None)
            copies, name = split_quantity(fields.text("name") or "")
            count = fields.number("count", MOST_COPIES)
            known = character_named(owner or "")
            words = (
                fields.choose(word, {each: each for each in keywords}, "keyword")
                for word in (*fields.listed("keyword"), *fields.listed("keywords"))
            )
            item = Item(
                name=name or f"secret {number}",
                keywords=tuple(dict.fromkeys(filter(None, words))),
                facedown=fields.flag("facedown"),
                number=number,
                owner=known.name if known else owner,
            )
            if not name and number is None:
                self.note(node, f"This {what} has no name; give it {'a `name` or a `number`' if own else 'a `name`'}.")
            elif not copies:
                self.note(node, f"{name}: write a number of copies from 1 to {MOST_COPIES}.")
            elif set(name.split()) & {*keywords, "facedown"}:
                self.note(node, f"{name!r}: put keywords in brackets, such as `Rusty Sword (WEAPON)`.")
            yield from [item] * (copies if count is None else count)

    def as_keys(self, node: Node, what: str) -> nodes.Mapping | None:
        """Convert `2x Rusty Sword (WEAPON, facedown)` to the keys of a mapping; report text that does not fit."""
        match = LINE.fullmatch(node.text) if isinstance(node, Scalar) else None
        if match is None:
            shown = f"{node.text!r}: write" if isinstance(node, Scalar) else "Write"
            line = "a line such as `2x Rusty Sword (WEAPON)`, or by its keys; put the line in quotes if it contains a comma"
            self.note(node, f"{shown} each {what} as {line}.")
            return None
        name, words = match[1].strip(), re.findall(r"\w+", match[2])
        number = re.fullmatch(r"#?(\d{1,4})", name) if what == "secret" else None
        keys = {
            "number" if number else "name": number[1] if number else name,
            "facedown": "yes" if "facedown" in map(name_key, words) else "no",
        }
        marks = tuple(Scalar(word, node.line) for word in words if name_key(word) not in NOT_KEYWORDS)
        pairs = [(Scalar(key, node.line), Scalar(text, node.line, quoted=True)) for key, text in keys.items()]
        return nodes.Mapping((*pairs, (Scalar("keywords", node.line), nodes.Sequence(marks, node.line))), node.line)

    def deck(self, name: DeckName) -> GrailDeck:
        """Return the cards under `combat:` or `diplomacy:`: a list is the deck; keys give starter, gained, deck or
        out.

        Without `deck`, the deck is all cards owned except those in `out`.
        """
        node = self.get(name)
        if not isinstance(node, nodes.Mapping):
            return GrailDeck(name, self.cards(node))
        fields = Fields(node, self.problems, f"{name}: ")
        fields.check_keys(DECK_KEYS)
        starter, gained, listed, out = map(fields.get, DECK_KEYS)
        if isinstance(gained, nodes.Mapping):
            graded = Fields(gained, self.problems, f"{name}: gained: ")
            graded.check_keys(POOL)
            pool = tuple(card for grade in POOL for card in self.cards(graded.get(grade), grade))
        else:
            pool = self.cards(gained)
        deck = GrailDeck(name, self.cards(listed), pool, None if starter is None else self.cards(starter))
        if listed is None:
            return replace(deck, cards=self.owned_but(deck, out))
        if out is not None:
            self.note(out, f"`{name}` has both `deck` and `out`; `out` is for sheets that do not list the deck.")
        return deck

    def cards(self, node: Node | None, grade: Grade | None = None) -> Cards:
        """Return the cards of a list, in order, one for each copy."""
        return () if node is None else tuple(card for part in parts(node) for card in self.line(part, grade))

    def line(self, node: Node, grade: Grade | None) -> Cards:
        """Parse `7`, `7/25`, `1-15`, `Cleave` or `2x Cleave` into cards."""
        wrong = ""
        if not isinstance(node, Scalar):
            wrong = "A card must be a name or the number of a basic card."
        elif match := NUMBER.match(node.text):
            first, last = int(match[1]), int(match[2] or match[1])
            if not 1 <= first <= last <= BASIC_CARDS:
                wrong = f"Basic cards are numbered 1 to {BASIC_CARDS}; {node.text!r} is not."
            elif grade == "advanced":
                wrong = f"{node.text} is the number of a basic card, not an advanced card."
            else:
                return tuple(map(basic_card, range(first, last + 1)))
        else:
            number, name = split_quantity(node.text)
            if 1 <= number <= CARDS_OF_A_SIDE:
                return (GrailCard(name, None, grade),) * number
            wrong = f"{node.text!r}: a character has 1 to {CARDS_OF_A_SIDE} cards of each kind."
        self.note(node, wrong)
        return ()

    def owned_but(self, deck: GrailDeck, out: Node | None) -> Cards:
        """Return all cards owned for a deck except those set aside."""
        left = [*deck.starter_cards, *deck.gained]
        for part in () if out is None else parts(out):
            for card in self.line(part, None):
                owned = [each for each in left if each.key == card.key]
                if owned:
                    left.remove(owned[-1])
                else:
                    message = (
                        f"{card.name} is `out` more often than it is among the starter and gained {deck.name} cards."
                    )
                    self.note(part, message)
        return tuple(left)
