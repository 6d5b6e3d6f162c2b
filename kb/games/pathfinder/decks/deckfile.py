"""Reads Pathfinder deck files. Builds a deck from a parsed file and the card facts, or reports all problems."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.fields import Fields
from kb.decks.names import as_suggestion, either, name_key, split_quantity, suggest
from kb.decks.nodes import DeckFileError, DeckProblem, Mapping, Node, Scalar, Sequence, key_name, scalars_below
from kb.games.pathfinder.decks.card_reader import DESCRIBED, TYPE_NAMES, CardReader
from kb.games.pathfinder.decks.deck import PathfinderDeck, Stage
from kb.games.pathfinder.decks.facts import (
    ADVENTURES,
    PLURALS,
    SET_NAMES,
    SET_TITLES,
    SKILLS,
    Facts,
    PathfinderCard,
    PathfinderCharacter,
)
from kb.games.pathfinder.decks.power_feats import power_feats, written
from kb.games.pathfinder.records import CARD_TYPES

HIGHEST_COUNT = 99
PILE_KEYS = ("from_box", "left_over", "had", "received", "gave")
KEYS = (
    "game", "set", "character", "role", "adventure", "after_scenario", "stage", "card_feats", "skill_feats", "power_feats",
    "deck_adjustments", "cohorts", "owns", "party", "after_death", "cards", *PILE_KEYS, "player", "notes", *CARD_TYPES, *PLURALS.values(),
)  # fmt: skip
PLAYED_KEYS = ("card_feats", "skill_feats", "power_feats", "role", "after_scenario", "from_box", "left_over", "had")
OWNED = {
    "base": "B", "baseset": "B", "b": "B", "addon": "C", "characteraddon": "C", "characteraddondeck": "C", "c": "C",
    "promo": "P", "promos": "P", "promotionalcards": "P", "p": "P", "classdeck": "class decks", "classdecks": "class decks",
}  # fmt: skip
NAMED_PRODUCTS = {**OWNED, **{each: each for each in (*ADVENTURES, *SET_TITLES)}}
PRODUCTS = ("base", "add-on", *ADVENTURES[1:], "promo", "class decks", *SET_TITLES)
PRODUCT_HINT = f"Write base, add-on, 1 to 6, promo, {either(['class decks', *SET_TITLES])}."


def read_deck(file: DeckFile, facts: Facts, without_cards: bool = False) -> PathfinderDeck:
    """Return the deck that `file` describes. `without_cards` allows a deck without cards.

    Raises DeckFileError with all problems of the file and their lines.
    """
    reader = DeckReader(with_character(file.root, facts), facts)
    deck = reader.deck()
    if deck is not None and not deck.cards and not reader.problems and not without_cards:
        reader.note(0, "has no cards; list them under `cards:`, one per line.")
    if deck is None or reader.problems:
        raise DeckFileError(file.name, reader.problems)
    return deck


def with_character(root: Mapping, facts: Facts) -> Mapping:
    """Return the keys of a deck file. If no key names the character, the first line of the list of cards may do so."""
    keys = {key_name(key.text): node for key, node in root.pairs}
    listed = keys.get("cards")
    if "character" in keys or not isinstance(listed, Sequence) or not listed.items:
        return root
    first = listed.items[0]
    if not isinstance(first, Scalar) or not facts.called(set_in_name(first.text)[0]):
        return root
    others = tuple(
        (key, Sequence(listed.items[1:], listed.line) if node is listed else node) for key, node in root.pairs
    )
    return Mapping(((Scalar("character", first.line), first), *others), root.line)


def feat_kind(key: str) -> str:
    """Return the kind of feats that a key names, such as `skill` for `skill`, `skills` and `skill_feats`."""
    return key_name(key).removesuffix("s").removesuffix("_feat")


def with_feats(root: Mapping) -> Mapping:
    """Return the keys of a deck file, with the feats under the keys that deck files use, such as `skill_feats`.

    The file may also list feats as the files of a campaign do: `feats: {skill: Wisdom}`.
    """
    pairs: list[tuple[Scalar, Node]] = []
    given = {key_name(key.text) for key, _ in root.pairs}
    for key, node in root.pairs:
        if key_name(key.text) != "feats" or not isinstance(node, Mapping):
            pairs.append((key, node))
            continue
        for kind, value in node.pairs:
            name = f"{feat_kind(kind.text)}_feats"
            known = name in KEYS and name not in given
            pairs.append((Scalar(name, kind.line) if known else Scalar(f"feats: {kind.text}", kind.line), value))
    return Mapping(tuple(pairs), root.line)


class DeckReader(Fields):
    """Reads a deck from the keys of a mapping. The reader collects all problems instead of stopping at the first one."""

    def __init__(self, root: Mapping, facts: Facts, problems: list[DeckProblem] | None = None) -> None:
        super().__init__(with_feats(root), [] if problems is None else problems)
        self.facts = facts

    def deck(self) -> PathfinderDeck | None:
        """Return the deck, without the values that cannot be read; None if its character is unknown."""
        named = {key_name(key.text): key for key, _ in self.mapping.pairs}
        if "members" in named:
            self.note(named["members"], "This is a party file, not a deck. `kb party rebuild` rebuilds its decks.")
            return None
        self.check_keys(KEYS)
        character = self.character()
        if character is None:
            return None
        reader = CardReader(self.facts, character.set, self.note)
        cards, cohorts = reader.deck(self.mapping)
        piles = {key: reader.pile(self.get(key)) for key in PILE_KEYS}
        stage = self.stage(named.keys() & PLAYED_KEYS)
        adventure = self.adventure(stage, character.set)
        powers = power_feats(self.get("power_feats"), character, self.text("role"), self.note)
        return PathfinderDeck(
            character=character,
            stage=stage,
            adventure=adventure,
            cards=cards,
            after_scenario=self.after_scenario(character.set, adventure),
            card_feats=self.checked("card_feats", self.card_type, character.base),
            skill_feats=self.checked("skill_feats", self.skill, lambda _: 0),
            powers=powers,
            role=self.text("role"),
            deck_adjustments=self.adjustments(),
            cohorts=(*self.words("cohorts"), *cohorts),
            from_box=piles["from_box"] if "from_box" in named else None,
            left_over=piles["left_over"],
            had=piles["had"] if "had" in named else None,
            received=piles["received"],
            gave=piles["gave"],
            owns=self.owns(character.set),
            party=self.words("party"),
            after_death=self.said("after_death"),
            contradictions=tuple(dict.fromkeys(reader.contradictions)),
        )

    def character(self) -> PathfinderCharacter | None:
        """Return the character that the file names; None if none fits, or if those of several sets do.

        If the file does not name the set, the result is the character from the set that contains the most cards of
        the deck.
        """
        node = self.scalar("character")
        if node is None:
            names = ", ".join(sorted({each.name for each in self.facts.characters_of()}))
            self.note(self.mapping, f"There is no character. Write `character: NAME`. Characters: {names}.")
            return None
        name, set_id = set_in_name(node.text)
        if self.get("set") is not None:
            set_id = self.one_of("set", SET_NAMES, names=SET_TITLES)
            if set_id is None:
                return None
        matches = self.facts.called(name, set_id)
        if not matches:
            known = list(dict.fromkeys(each.name for each in self.facts.characters_of(set_id)))
            where = f" of {SET_TITLES[set_id]}" if set_id else ""
            hint = as_suggestion(meant := suggest(name, known)) or f" Use one of: {', '.join(sorted(known))}."
            self.note(node, f"There is no character {node.text!r}{where}.{hint}", name, meant)
            return None
        if len(matches) > 1:  # choose the set that contains the most cards of the deck
            written = [split_quantity(each.text)[1] for each in scalars_below(self.get("cards"))]
            fits = {
                each.set: sum((each.set, name_key(card)) in self.facts.cards for card in written) for each in matches
            }
            matches = [each for each in matches if fits[each.set] == max(fits.values())]
        if len(matches) > 1:
            sets = either(sorted(each.set for each in matches))
            self.note(node, f"{matches[0].name} is in several sets. Write `set: {sets}`.")
            return None
        return matches[0]

    def stage(self, played: set[str]) -> Stage:
        """Return the stage: `new` or `rebuilt`.

        `played` are the keys in the file that are for a deck that has been played. If the file does not give the
        stage, such keys mean that the deck is rebuilt.
        """
        stages: dict[str, Stage] = {"new": "new", "rebuilt": "rebuilt"}
        hint = "Write `new` (a new deck) or `rebuilt` (between scenarios)."
        return self.one_of("stage", stages, hint=hint) or ("rebuilt" if played else "new")

    def adventure(self, stage: Stage, set_id: str) -> str:
        """Return the adventure being played; `B` if the file does not name it. For a rebuilt deck, a missing adventure
        is reported.
        """
        if stage == "rebuilt" and self.get("adventure") is None:
            self.note(self.mapping, "Which adventure is being played? Write `adventure: B` or a number from 1 to 6.")
        return self.adventure_named("adventure", set_id) or "B"

    def adventure_named(self, key: str, set_id: str) -> str | None:
        """Return the number of the adventure under `key`, a number or a name; None if it is missing or unknown."""
        names = {each.name: each.deck for each in self.facts.adventures.get(set_id, ())}
        known = {**names, **{number: number for number in ADVENTURES}, "base": "B", "0": "B"}
        known |= {f"{word} {number}": number for word in ("adventure", "deck") for number in ADVENTURES}
        return self.one_of(key, known, "adventure", names, "Write B or a number from 1 to 6.")

    def after_scenario(self, set_id: str, played: str) -> int | None:
        """Return the number of the last scenario played in the adventure `played`; None if it is missing or unknown.

        The file gives the scenario's number or name.
        """
        adventure = self.facts.adventure(set_id, played)
        if adventure is None:
            return None
        names = [part.name for part in adventure.scenarios]
        known = {name: number for number, name in enumerate(names, 1)}
        known |= {str(number): number for number in range(len(names) + 1)}
        hint = f"Its scenarios: {', '.join(names)}. Write a name, or a number from 0 to {len(names)}."
        return self.one_of("after_scenario", known, f"scenario of adventure {adventure.deck}", names, hint)

    def owns(self, set_id: str) -> frozenset[str] | None:
        """Return the products that the file lists as owned; None if it does not list any.

        The base set is always included, and so is adventure deck 1, which comes in the same box. The name of a set
        means all its products, even for the deck's own set.
        """
        if self.get("owns") is None:
            return None
        owned = {"B", "1"}
        for node in self.scalars("owns"):
            bare = Scalar(re.sub(r"^(adventure )?deck\s+(?=\d)", "", node.text, flags=re.I), node.line)
            if product := self.choose(bare, NAMED_PRODUCTS, "product", PRODUCTS, PRODUCT_HINT):
                owned.add(product)
        return frozenset(owned | {*ADVENTURES, "C"} if set_id in owned else owned)

    def pairs(self, key: str) -> list[tuple[Scalar, Node]]:
        """Return the names and values under a key such as `card_feats`.

        The file gives them as a mapping, as a list such as `weapon 1, ally 2`, or as a list that repeats a name for
        each feat.
        """
        node = self.get(key)
        if isinstance(node, Mapping):
            return list(node.pairs)
        if isinstance(node, Scalar) and node.text in ("0", "none"):
            return []
        pairs: list[tuple[Scalar, Node]] = []
        named: dict[str, list[Scalar]] = {}  # names without a number, which stand for one feat each
        for item in self.listed(key):
            parts = re.fullmatch(r"([A-Za-z]+)\s*:?\s*\+?(-?\d+)?", item.text) if isinstance(item, Scalar) else None
            if parts and not parts[2] and isinstance(item, Scalar):
                named.setdefault(name_key(item.text), []).append(item)
            elif parts is None:
                example = "Strength: 2, Wisdom: 1" if key == "skill_feats" else "weapon: 1, ally: 2"
                self.note(item, f"`{key}` must look like `{{{example}}}`.")
            else:
                pairs.append((Scalar(parts[1], item.line), Scalar(parts[2], item.line)))
        return [*pairs, *((each[0], Scalar(str(len(each)), each[0].line)) for each in named.values())]

    def checked(
        self, key: str, find: Callable[[Scalar], str | None], base: Callable[[str], int]
    ) -> dict[str, tuple[int, ...]]:
        """Return the checked feat boxes under `key`, by type or skill, as positions counted from the left.

        The file says how many boxes are checked, or lists the numbers printed in the checked boxes (`2` or `+2`).
        `find` returns the type or skill that a text names. `base` takes that type or skill, and returns the number
        printed to the left of its first box.
        """
        by_line: dict[str, tuple[int, ...]] = {}
        for label, value in self.pairs(key):
            line = find(label)
            if line is None:
                continue
            if line in by_line:
                self.note(label, f"`{key}` names {line} twice.")
            if isinstance(value, Sequence):
                bare = [
                    Scalar(each.text.lstrip("+"), each.line) if isinstance(each, Scalar) else each
                    for each in value.items
                ]
                printed = [self.count(each, key, HIGHEST_COUNT) for each in bare]
                boxes = sorted({number - base(line) for number in printed if number is not None})
                if any(box < 1 for box in boxes):
                    self.note(
                        value, f"`{key}` lists a box of {line} that does not exist; the first is {base(line) + 1}."
                    )
                by_line[line] = tuple(box for box in boxes if box > 0)
            else:
                number = self.count(value, f"{key}: {label.text}", HIGHEST_COUNT)
                by_line[line] = tuple(range(1, (number or 0) + 1))
        return {line: boxes for line, boxes in by_line.items() if boxes}

    def adjustments(self) -> dict[str, int]:
        """Return the changes that the role card makes to the Cards List, by card type."""
        by_type: dict[str, int] = {}
        for label, value in self.pairs("deck_adjustments"):
            kind = self.card_type(label)
            if not isinstance(value, Scalar) or not re.fullmatch(r"[+-]?\d{1,2}", value.text):
                self.note(value, "`deck_adjustments` must look like `{item: 1, blessing: -1}`.")
            elif kind and int(value.text):
                by_type[kind] = int(value.text)
        return by_type

    def card_type(self, node: Scalar) -> str | None:
        """Return the card type that `node` names, in the singular or plural. If it names none, report that and return
        None.
        """
        return self.choose(node, TYPE_NAMES, "card type", CARD_TYPES)

    def skill(self, node: Scalar) -> str | None:
        """Return the skill that `node` names. If it names none, report that and return None."""
        return self.choose(node, {name: name for name in SKILLS}, "skill")


def keys_of(deck: PathfinderDeck) -> dict[str, Any]:
    """Return the keys and values of a file that describes `deck`. Unknown values are left out."""
    base = deck.character.base
    keys = {
        "game": "pathfinder",
        "set": deck.set,
        "character": deck.character.name,
        "adventure": number_of(deck.adventure),
        "stage": deck.stage,
        "after_death": deck.after_death,
        "after_scenario": deck.after_scenario,
        "role": deck.role,
        "card_feats": {kind: boxes(checked, base(kind)) for kind, checked in deck.card_feats.items()},
        "skill_feats": {skill: boxes(checked, 0) for skill, checked in deck.skill_feats.items()},
        "power_feats": written(deck.powers),
        "deck_adjustments": dict(deck.deck_adjustments),
        "cohorts": list(deck.cohorts),
        "owns": None if deck.owns is None else sorted(PRODUCT_WORDS.get(each, each) for each in deck.owns),
        "party": list(deck.party),
    }
    piles = {
        key: pile
        for key in ("cards", *PILE_KEYS)
        if (pile := getattr(deck, key)) or (pile is not None and key in SAID_EMPTY)
    }
    return {key: value for key, value in keys.items() if value not in (None, {}, [])} | {
        key: listed(cards) for key, cards in piles.items()
    }


PRODUCT_WORDS = {"B": "base", "C": "add-on", "P": "promo"}
SAID_EMPTY = ("cards", "from_box", "had")  # keys for which an empty list does not mean the same as a missing list


def number_of(adventure: str) -> int | str:
    """Return the adventure as a deck file writes it: a number, or `B`."""
    return int(adventure) if adventure.isdigit() else adventure


def boxes(checked: tuple[int, ...], base: int) -> int | list[int]:
    """Return the checked boxes of a type or skill as a deck file writes them.

    The result is the number of checked boxes. If an unchecked box is to the left of a checked one, the result lists
    the numbers printed in the checked boxes. `base` is the number printed to the left of the first box.
    """
    if checked == tuple(range(1, len(checked) + 1)):
        return len(checked)
    return [base + box for box in checked]


def listed(cards: Iterable[PathfinderCard]) -> list[str | dict[str, Any]]:
    """Return the cards as a deck file lists them, with descriptions of cards that are not in the card facts."""
    lines: list[str | dict[str, Any]] = []
    for card, count in Counter(cards).items():
        described = (
            card.type and card.deck and not card.own
        )  # a card of the facts without these values is identified by its name
        if described and (card.class_deck or not card.copies):
            keys = {key: getattr(card, key) for key in DESCRIBED if key != "count"} | {"count": count}
            lines.append({key: value for key, value in keys.items() if value not in (None, False) or key == "basic"})
        else:
            lines.append(f"{count}x {card.name}" if count > 1 else card.name)
    return lines


def set_in_name(text: str) -> tuple[str, str | None]:
    """Split the name of a character such as `Mummy's Mask Ezren` or `Ezren (mm)` into the bare name and the set's id.

    The id is None if the text contains no set.
    """
    plain = text.replace("’", "'")
    for name, set_id in SET_NAMES.items():
        bare = re.sub(rf"^{re.escape(name)}\s+|\s*\(\s*{re.escape(name)}\s*\)$", "", plain, flags=re.I)
        if bare != plain:
            return bare.strip(), set_id
    return text, None
