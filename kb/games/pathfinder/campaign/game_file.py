"""Reads the files of a Pathfinder campaign: how it begins, and each game. Whatever is wrong is noted; the rest counts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from kb.campaigns.keys import GAME_KEYS, HEAD_KEYS
from kb.campaigns.lines import line_in, lines_of
from kb.campaigns.model import Folder
from kb.decks import nodes
from kb.decks.deckfile import DECK_SUFFIXES, DeckFile
from kb.decks.fields import Fields
from kb.decks.names import did_you_mean, name_key, split_quantity
from kb.decks.nodes import DeckFileError, DeckProblem, Node, Scalar, key_name, scalars_below
from kb.games.pathfinder.campaign.model import GAME, HEAD, Feat, Listed, Party, Person, Played, Visit
from kb.games.pathfinder.decks.cards import TYPE_NAMES, CardReader
from kb.games.pathfinder.decks.deckfile import product_names
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import (
    ADVENTURES,
    FEAT_KINDS,
    SET_NAMES,
    SET_TITLES,
    SKILLS,
    Adventure,
    Card,
    Character,
    FeatKind,
)

MOST_FEATS = 30


@dataclass(slots=True)
class Reader:
    """Reads one file. `problems` gathers what is wrong with it."""

    file: DeckFile
    facts: Facts
    set: str
    folder: Folder
    problems: list[DeckProblem] = field(default_factory=list)
    fields: Fields = field(init=False)
    cards: CardReader = field(init=False)

    def __post_init__(self) -> None:
        self.fields = Fields(self.file.root, self.problems)
        self.cards = CardReader(self.facts, self.set, self.note)

    def note(self, node: Node | int, message: str) -> None:
        """Note a problem at a node's line."""
        self.problems.append(DeckProblem(node if isinstance(node, int) else node.line, message))

    def character(self, node: Scalar) -> Character | None:
        """The character of that name in the set."""
        found = self.facts.characters.get((self.set, name_key(node.text)))
        if found is None:
            known = [each.name for (owner, _), each in self.facts.characters.items() if owner == self.set]
            hint = did_you_mean(node.text, known) or f" Known are {', '.join(sorted(known))}."
            self.note(node, f"There is no character {node.text!r} in {SET_TITLES[self.set]}.{hint}")
        return found

    def trader(self, node: Scalar) -> str:
        """The trader of that name as it is printed; sets without traders take any name, which a rule refuses."""
        known = {name: name for name in self.facts.traders(self.set)}
        return (self.fields.choose(node, known, "trader") or "") if known else node.text

    def by_person(self, key: str) -> list[tuple[str, Scalar, Node]]:
        """What stands under a key for each character: the name as printed, the node that names her, the value."""
        below = self.fields.below(key)
        found: list[tuple[str, Scalar, Node]] = []
        for label, value in below.mapping.pairs if below else ():
            if character := self.character(label):
                if any(name == character.name for name, _, _ in found):
                    self.note(label, f"`{key}` names {character.name} twice.")
                else:
                    found.append((character.name, label, value))
        return found

    def names(self, key: str) -> tuple[str, ...]:
        """The characters listed under a key."""
        found = (self.character(node) for node in self.fields.listed(key) if isinstance(node, Scalar))
        return tuple(dict.fromkeys(character.name for character in found if character))

    def piles(self, key: str) -> dict[str, tuple[Card, ...]]:
        """Cards by the character who held them; a plain list is the table's ("")."""
        node = self.fields.get(key)
        if node is None:
            return {}
        if isinstance(node, nodes.Mapping) and not any(key_name(label.text) == "name" for label, _ in node.pairs):
            return {name: self.cards.pile(value) for name, _, value in self.by_person(key)}
        return {"": self.cards.pile(node)}

    def feats(self, key: str = "feats") -> dict[str, tuple[Feat, ...]]:
        """The feats that each character chose."""
        found: dict[str, tuple[Feat, ...]] = {}
        for name, _, value in self.by_person(key):
            if not isinstance(value, nodes.Mapping):
                self.note(
                    value, f"The feats of {name} must be like `{{skill: Wisdom, power: Light Armors, card: spell}}`."
                )
                continue
            below = Fields(value, self.problems, f"{key}: {name}: ")
            below.check_keys(FEAT_KINDS)
            chosen = [
                Feat(kind, what)
                for kind in FEAT_KINDS
                for node in below.listed(kind)[:MOST_FEATS]
                if (what := self.feat(kind, node, below))
            ]
            found[name] = tuple(chosen)
        return found

    def feat(self, kind: FeatKind, node: Node, fields: Fields) -> str | None:
        """What a feat was spent on."""
        if not isinstance(node, Scalar):
            fields.note(node, f"A {kind} feat is written by its name.")
            return None
        if kind == "power":
            return node.text
        known = {skill: skill for skill in SKILLS} if kind == "skill" else dict(TYPE_NAMES)
        return fields.choose(node, known, "skill" if kind == "skill" else "card type")

    def texts(self, key: str) -> dict[str, str]:
        """A single value for each character."""
        found: dict[str, str] = {}
        for name, _, value in self.by_person(key):
            if isinstance(value, Scalar) and value.text:
                found[name] = value.text
            else:
                self.note(value, f"`{key}: {name}` must be a single value.")
        return found

    def adjustments(self) -> dict[str, dict[str, int]]:
        """What the role cards change in the Cards Lists."""
        found: dict[str, dict[str, int]] = {}
        for name, _, value in self.by_person("deck_adjustments"):
            for label, node in value.pairs if isinstance(value, nodes.Mapping) else ():
                kind = self.fields.choose(label, TYPE_NAMES, "card type")
                if not isinstance(node, Scalar) or not re.fullmatch(r"[+-]?\d{1,2}", node.text):
                    self.note(node, "`deck_adjustments` must be like `{Kyra: {item: 1, blessing: -1}}`.")
                elif kind:
                    found.setdefault(name, {})[kind] = int(node.text)
        return found

    def decks(self) -> dict[str, Listed]:
        """The decks, listed here or in files of the folder."""
        return {name: listed for name, label, value in self.by_person("decks") if (listed := self.deck(name, value))}

    def deck(self, name: str, value: Node) -> Listed | None:
        """One deck: a list of cards, a mapping with `cards` and `from_box`, or the path of a deck file."""
        if isinstance(value, Scalar) and value.text.endswith(DECK_SUFFIXES):
            return self.deck_of_file(name, value)
        if isinstance(value, Scalar) and name_key(value.text) == "suggested":
            return Listed(self.facts.suggested.get((self.set, name), ()))
        if isinstance(value, nodes.Mapping) and any(
            key_name(key.text) in ("cards", "from_box") for key, _ in value.pairs
        ):
            below = Fields(value, self.problems, f"decks: {name}: ")
            below.check_keys(("cards", "from_box"))
            return Listed(self.cards.pile(below.get("cards")), self.cards.pile(below.get("from_box")))
        return Listed(self.cards.pile(value))

    def deck_of_file(self, name: str, value: Scalar) -> Listed | None:
        """A deck from a deck file of the folder."""
        try:
            file = self.folder.deck(value.text)
        except DeckFileError as error:
            self.note(value, str(error))
            return None
        said = file.get("character")
        if isinstance(said, Scalar) and name_key(said.text) != name_key(name):
            self.note(value, f"{value.text} is a deck of {said.text}.")
        reader = CardReader(self.facts, self.set, lambda node, message: self.note(value, f"{value.text}: {message}"))
        cards, _ = reader.deck(file.root)
        return Listed(cards, reader.pile(file.get("from_box")))

    def owns(self) -> frozenset[str] | None:
        """The products in the box; the base set and adventure deck 1 are always among them."""
        if self.fields.get("owns") is None:
            return None
        owned = {"B", "1"}
        for node in self.fields.listed("owns"):
            if product := self.fields.choose(node, product_names(), "product"):
                owned |= {*ADVENTURES, "C"} if product == self.set else {product}
        return frozenset(owned)

    def lines(self) -> dict[str, int]:
        """The lines of keys, of what stands below them, and of cards, each where it stands first."""
        found = lines_of(self.file.root)
        for node in scalars_below(self.file.root):
            found.setdefault(name_key(split_quantity(node.text)[1]), node.line)
        return found


BY_NUMBER = re.compile(r"([B1-6])[.\s/-]+(\d)", re.I)


@dataclass(frozen=True, slots=True)
class Head:
    """How a campaign begins."""

    set: str
    starts: str
    owns: frozenset[str] | None
    party: Party
    name: str
    lines: Mapping[str, int]


def read_head(file: DeckFile, facts: Facts, folder: Folder) -> tuple[Head, list[DeckProblem]]:
    """How a campaign begins, and what is wrong with the file."""
    problems: list[DeckProblem] = []
    fields = Fields(file.root, problems)
    fields.check_keys([key.name for key in (*HEAD_KEYS, *HEAD)])
    node = fields.scalar("set")
    set_id = fields.choose(node, SET_NAMES, "set") if node else None
    if node is None:
        problems.append(
            DeckProblem(0, f"Which set is played? Write {' or '.join(f'`set: {each}`' for each in SET_TITLES)}.")
        )
    reader = Reader(file, facts, set_id or next(iter(SET_TITLES)), folder, problems)
    path = [each.deck for each in facts.adventures.get(reader.set, ()) if each.path]
    begins = fields.scalar("start")
    decks = {"base": "B", **{each: each for each in ADVENTURES}}
    starts = (fields.choose(begins, decks, "adventure") if begins else None) or (path[0] if path else "B")
    feats, roles = reader.feats(), reader.texts("role")
    people = [
        Person(character, listed.cards, feats.get(name, ()), roles.get(name), new=name not in {*feats, *roles})
        for name, listed in reader.decks().items()
        if (character := facts.characters.get((reader.set, name_key(name))))
    ]
    if not people and set_id:
        problems.append(DeckProblem(0, "Nobody plays: write who holds which deck under `decks:`."))
    won = before(facts, reader.set, starts)
    met = frozenset(trader for each in facts.adventures.get(reader.set, ()) if (each.deck, 0) in won
                    for trader in (one.name for one in each.traders))  # fmt: skip
    if fields.get("traders") is not None:
        met = frozenset(reader.trader(node) for node in fields.listed("traders") if isinstance(node, Scalar)) - {""}
    party = Party(tuple(people), won=won, traders=met)
    name = fields.text("name") or SET_TITLES[reader.set]
    return Head(reader.set, starts, reader.owns(), party, name, reader.lines()), problems


def before(facts: Facts, set_id: str, starts: str) -> frozenset[tuple[str, int]]:
    """The scenarios and adventures of the path that were won before records begin."""
    earlier = [
        each
        for each in facts.adventures.get(set_id, ())
        if each.path and ADVENTURES.index(each.deck) < ADVENTURES.index(starts)
    ]
    return frozenset((each.deck, number) for each in earlier for number in range(len(each.scenarios) + 1))


def read_game(file: DeckFile, facts: Facts, set_id: str, folder: Folder) -> tuple[Played | None, list[DeckProblem]]:
    """A game, and what is wrong with its file; None when nobody can tell what was played, or how it ended."""
    reader = Reader(file, facts, set_id, folder)
    fields = reader.fields
    fields.check_keys([key.name for key in (*GAME, *GAME_KEYS)])
    found = scenario_of(fields, facts, set_id)
    if fields.get("won") is None:
        reader.note(0, "Was it won? Write `won: yes` or `won: no`.")
    if found is None or fields.get("won") is None:
        return None, reader.problems
    adventure, number = found
    rewards = reader.piles("rewards")
    if any(rewards):
        reader.note(line_in(reader.lines(), "rewards"), "`rewards` is a plain list of the cards that the reward gave.")
    played = Played(
        adventure,
        number,
        fields.flag("won"),
        gained=reader.piles("gained"),
        rewards=tuple(card for pile in rewards.values() for card in pile),
        banished=reader.piles("banished"),
        removed=reader.piles("removed"),
        feats=reader.feats(),
        roles=reader.texts("role"),
        adjustments=reader.adjustments(),
        absent=reader.names("absent"),
        died=reader.names("died"),
        left=reader.names("left"),
        joined=reader.names("joined"),
        visits={
            name: visit for name, _, value in reader.by_person("traders") if (visit := visit_of(reader, name, value))
        },
        decks=reader.decks(),
        keep=reader.piles("keep"),
        wishes=reader.piles("wishes"),
        lines=reader.lines(),
    )
    return played, reader.problems


def scenario_of(fields: Fields, facts: Facts, set_id: str) -> tuple[Adventure, int] | None:
    """The scenario that was played, by its name or as adventure and number."""
    node = fields.scalar("scenario")
    if node is None:
        if fields.get("scenario") is None:
            fields.problems.append(DeckProblem(0, "Which scenario was played? Write `scenario: NAME`."))
        return None
    all_of_them = [
        (adventure, number, gives.name)
        for adventure in facts.adventures.get(set_id, ())
        for number, gives in enumerate(adventure.scenarios, 1)
    ]
    by_number = BY_NUMBER.fullmatch(node.text.strip())
    for adventure, number, name in all_of_them:
        if name_key(name) == name_key(node.text) or (
            by_number and (adventure.deck, str(number)) == (by_number[1].upper(), by_number[2])
        ):
            return adventure, number
    hint = (
        did_you_mean(node.text, [name for _, _, name in all_of_them])
        or " Write its name, or 1.2 for the second of adventure 1."
    )
    fields.note(node, f"There is no scenario {node.text!r} in {SET_TITLES[set_id]}.{hint}")
    return None


def visit_of(reader: Reader, name: str, value: Node) -> Visit | None:
    """A visit to a trader: its name alone, or with what was traded."""
    if isinstance(value, Scalar) and value.text:
        return Visit(reader.trader(value))
    if not isinstance(value, nodes.Mapping):
        reader.note(value, f"`traders: {name}` must be like `{{trader: NAME, paid: [Mace], took: Dart}}`.")
        return None
    below = Fields(value, reader.problems, f"traders: {name}: ")
    below.check_keys(("trader", "paid", "took"))
    took = reader.cards.pile(below.get("took"))
    if len(took) > 1:
        reader.note(value, f"{name} took {len(took)} cards from the trader; a character makes one trade at the most.")
    trader = below.scalar("trader")
    if trader is None:
        reader.note(value, f"Which trader did {name} visit? Write `traders: {{{name}: {{trader: NAME}}}}`.")
        return None
    return Visit(reader.trader(trader), reader.cards.pile(below.get("paid")), took[0] if took else None)
