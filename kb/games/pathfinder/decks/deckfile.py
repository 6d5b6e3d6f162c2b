"""Reads Pathfinder deck files. Builds a deck from a parsed file and the card facts, or reports all problems."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.file_keys import KeyReader
from kb.decks.names import as_suggestion, either, name_key, split_quantity, suggest
from kb.decks.nodes import DeckFileError, DeckProblem, Mapping, Node, Scalar, Sequence, key_name, scalars_below
from kb.games.pathfinder.decks.card_reader import DESCRIBED, TYPE_NAMES, CardReader
from kb.games.pathfinder.decks.deck import DECK_KEYS, KEYS, PLAYED_KEYS, PathfinderDeck, Stage
from kb.games.pathfinder.decks.facts import (
    ADVENTURES,
    SET_NAMES,
    SET_TITLES,
    SKILLS,
    Cards,
    Facts,
    PathfinderCard,
    PathfinderCharacter,
)
from kb.games.pathfinder.decks.power_feats import PowerFeats, power_feats, written
from kb.games.pathfinder.records import CARD_TYPES

HIGHEST_COUNT = 99
KNOWN_KEYS = (*(key.name for key in KEYS), "player", "notes", *TYPE_NAMES)
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
            known = name in KNOWN_KEYS and name not in given
            pairs.append((Scalar(name, kind.line) if known else Scalar(f"feats: {kind.text}", kind.line), value))
    return Mapping(tuple(pairs), root.line)


class DeckReader(KeyReader):
    """Reads a deck from the keys of a mapping. The reader collects all problems instead of stopping at the first one.

    Most methods read one kind of value (see `PathfinderDeck`) and are named after it. The argument `name` of these
    methods is the key in the file. `who` is the deck's character; `set` is the character's set. `played` is the
    adventure, once it is read.
    """

    who: PathfinderCharacter
    played: str | None = None

    def __init__(
        self, root: Mapping, facts: Facts, problems: list[DeckProblem] | None = None, set_id: str = ""
    ) -> None:
        super().__init__(with_feats(root), [] if problems is None else problems)
        self.facts = facts
        self.set = set_id

    def deck(self) -> PathfinderDeck | None:
        """Return the deck, without the values that cannot be read; None if its character is unknown."""
        named = {key_name(key.text): key for key, _ in self.mapping.pairs}
        if "members" in named:
            self.note(named["members"], "This is a party file, not a deck. `kb party rebuild` rebuilds its decks.")
            return None
        self.check_keys(KNOWN_KEYS)
        character = self.character("character")
        if character is None:
            return None
        self.who, self.set = character, character.set
        self.reader = CardReader(self.facts, self.set, self.note)
        cards, cohorts = self.reader.deck(self.mapping)
        read = self.read({name: key for name, key in DECK_KEYS.items() if name not in ("character", "cards")})
        stage = read.get("stage") or ("rebuilt" if named.keys() & {*PLAYED_KEYS} else "new")
        if stage == "rebuilt" and self.get("adventure") is None:
            self.note(self.mapping, "Which adventure is being played? Write `adventure: B` or a number from 1 to 6.")
        values: dict[str, Any] = {
            "adventure": "B",
            **{key: () for key in ("from_box", "had") if key in named},  # an empty key means that there are no cards
            **read,
            "character": character,
            "stage": stage,
            "cards": cards,
            "cohorts": (*read.get("cohorts", ()), *cohorts),
            "contradictions": tuple(dict.fromkeys(self.reader.contradictions)),
        }
        return PathfinderDeck(**values)

    def character(self, name: str) -> PathfinderCharacter | None:
        """Return the character that the key `name` gives; None if none fits, or if those of several sets do.

        If the file does not name the set, the result is the character from the set that contains the most cards of
        the deck.
        """
        node = self.scalar(name)
        if node is None:
            names = ", ".join(sorted({each.name for each in self.facts.characters_of()}))
            self.note(self.mapping, f"{DECK_KEYS['character'].needs} Characters: {names}.")
            return None
        called, set_id = set_in_name(node.text)
        if self.get("set") is not None:
            set_id = self.one_of("set", SET_NAMES, names=SET_TITLES)
            if set_id is None:
                return None
        matches = self.facts.called(called, set_id)
        if not matches:
            known = list(dict.fromkeys(each.name for each in self.facts.characters_of(set_id)))
            where = f" of {SET_TITLES[set_id]}" if set_id else ""
            hint = as_suggestion(meant := suggest(called, known)) or f" Use one of: {', '.join(sorted(known))}."
            self.note(node, f"There is no character {node.text!r}{where}.{hint}", called, meant)
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

    def stage(self, name: str, stages: Iterable[Stage]) -> Stage | None:
        """Return the stage, one of `stages`; None if it is unknown."""
        hint = "Write `new` (a new deck) or `rebuilt` (between scenarios)."
        return self.one_of(name, {each: each for each in stages}, hint=hint)

    def adventure(self, name: str) -> str | None:
        """Return the number of the adventure, which the file gives as a number or a name; None if it is unknown."""
        names = {each.name: each.deck for each in self.facts.adventures.get(self.set, ())}
        known = {**names, **{number: number for number in ADVENTURES}, "base": "B", "0": "B"}
        known |= {f"{word} {number}": number for word in ("adventure", "deck") for number in ADVENTURES}
        self.played = self.one_of(name, known, "adventure", names, "Write B or a number from 1 to 6.")
        return self.played

    def scenario(self, name: str) -> int | None:
        """Return the number of the last scenario played in the file's adventure; None if it is unknown.

        The file gives the scenario's number or name. The adventure is read before, because its field comes first in
        `PathfinderDeck`.
        """
        adventure = self.facts.adventure(self.set, self.played or "B")
        if adventure is None:
            return None
        names = [part.name for part in adventure.scenarios]
        known = {name: number for number, name in enumerate(names, 1)}
        known |= {str(number): number for number in range(len(names) + 1)}
        hint = f"Its scenarios: {', '.join(names)}. Write a name, or a number from 0 to {len(names)}."
        return self.one_of(name, known, f"scenario of adventure {adventure.deck}", names, hint)

    def power_feats(self, name: str) -> PowerFeats | None:
        """Return the power feats. The role decides which boxes there are."""
        role = self.get("role")
        return power_feats(self.get(name), self.who, role.text if isinstance(role, Scalar) else None, self.note)

    def card_feats(self, name: str) -> dict[str, tuple[int, ...]]:
        """Return the checked boxes of card feats, by type."""
        return self.checked(name, self.card_type, self.who.base)

    def skill_feats(self, name: str) -> dict[str, tuple[int, ...]]:
        """Return the checked boxes of skill feats, by skill."""
        return self.checked(name, self.skill, lambda _: 0)

    def pile(self, name: str) -> Cards:
        """Return the cards that the file lists, one item for each copy."""
        return self.reader.pile(self.get(name))

    def products(self, name: str) -> frozenset[str] | None:
        """Return the products that the file lists as owned; None if it does not list any.

        The base set is always included, and so is adventure deck 1, which comes in the same box. The name of a set
        means all its products, even for the deck's own set.
        """
        if self.get(name) is None:
            return None
        owned = {"B", "1"}
        for node in self.scalars(name):
            bare = Scalar(re.sub(r"^(adventure )?deck\s+(?=\d)", "", node.text, flags=re.I), node.line)
            if product := self.choose(bare, NAMED_PRODUCTS, "product", PRODUCTS, PRODUCT_HINT):
                owned.add(product)
        return frozenset(owned | {*ADVENTURES, "C"} if self.set in owned else owned)

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

    def adjustments(self, name: str) -> dict[str, int]:
        """Return the changes that the role card makes to the Cards List, by card type."""
        by_type: dict[str, int] = {}
        for label, value in self.pairs(name):
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


PRODUCT_WORDS = {"B": "base", "C": "add-on", "P": "promo"}


def keys_of(deck: PathfinderDeck) -> dict[str, Any]:
    """Return the keys and values of a file that describes `deck`, without values that a missing key means too."""
    nothing = PathfinderDeck()
    keys: dict[str, Any] = {"game": "pathfinder", "set": deck.set}
    for name, key in DECK_KEYS.items():
        value = getattr(deck, name)
        if value != getattr(nothing, name):
            keys[key.name] = in_a_file(value, key.kind, deck.character)
    return keys


def in_a_file(value: Any, kind: str, who: PathfinderCharacter) -> Any:
    """Return a value of a deck as a deck file writes it.

    `kind` is its kind in `PathfinderDeck`, and `who` is the deck's character.
    """
    writers: dict[str, Callable[[Any], Any]] = {
        "character": lambda character: character.name,
        "adventure": number_of,
        "card_feats": lambda feats: {each: boxes(checked, who.base(each)) for each, checked in feats.items()},
        "skill_feats": lambda feats: {skill: boxes(checked, 0) for skill, checked in feats.items()},
        "power_feats": written,
        "adjustments": dict,
        "words": list,
        "products": lambda owned: sorted(PRODUCT_WORDS.get(each, each) for each in owned),
        "pile": listed,
    }
    return writers[kind](value) if kind in writers else value


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
            keys = {key.name: getattr(card, key.name) for key in DESCRIBED if key.name != "count"} | {"count": count}
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
