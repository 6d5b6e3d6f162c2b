"""Reads the files of a Pathfinder campaign: the file of the setup, and one file for each game."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.campaigns.campaign import Folder
from kb.campaigns.reader import Reader, line_in, text_of
from kb.decks import nodes
from kb.decks.deckfile import DeckFile
from kb.decks.fields import Fields
from kb.decks.names import name_key, split_quantity
from kb.decks.nodes import DeckFileError, DeckProblem, Node, Scalar, key_name, scalars_below
from kb.games.pathfinder.campaign.game_step import Feat, ListedDeck, PartyMember, PartyState, PathfinderSetup, Visit
from kb.games.pathfinder.decks.card_reader import TYPE_NAMES, CardReader
from kb.games.pathfinder.decks.deck_check import CHECKS
from kb.games.pathfinder.decks.deckfile import DeckReader, feat_kind
from kb.games.pathfinder.decks.facts import (
    ADVENTURES,
    FEAT_KINDS,
    SET_NAMES,
    SET_TITLES,
    SKILLS,
    Adventure,
    Cards,
    Facts,
    FeatKind,
)

BY_NUMBER = re.compile(r"([B1-6])[.\s/-]+(\d)", re.I)
MOST_FEATS = 30


DEPENDS_ON_THE_ADVENTURE = tuple(
    check for checks in CHECKS.values() for check in checks if check.family not in ("count", "required", "choice")
)
"""Checks whose findings depend on the adventure that is played."""


def numbers(node: Node) -> int | None:
    """Return the number of feats in `node`, which may be a number or a list of boxes; None if it cannot be read."""
    if isinstance(node, nodes.Sequence):
        return len(node.items)
    return int(node.text) if isinstance(node, Scalar) and node.text.isdigit() and len(node.text) < 3 else None


class PathfinderReader(Reader):
    """Reads one file of a campaign. Most methods read one kind of value; their argument `key` is the key in the file."""

    facts: Facts

    def __init__(
        self, file: DeckFile, folder: Folder, facts: Facts, setup: PathfinderSetup | None = None, state: object = None
    ) -> None:
        super().__init__(file, folder, facts)
        self.set = setup.set if setup else next(iter(SET_TITLES))
        self.cards = CardReader(facts, self.set, self.note)

    def who(self, node: Scalar, key: str) -> str | None:
        """Return the printed name of the character that `node` names; None if the set has no such character."""
        known = {key: each.name for (owner, key), each in self.facts.characters.items() if owner == self.set}
        return self.choose(node, known, f"character of {SET_TITLES[self.set]}", known.values())

    def trader(self, node: Scalar) -> str:
        """Return the printed name of the trader that `node` names; empty if the set has no such trader.

        In a set without traders any name is accepted, because a rule reports the visit.
        """
        known = {name: name for name in self.facts.traders(self.set)}
        return (self.choose(node, known, "trader") or "") if known else node.text

    def piles(self, key: str) -> dict[str, Cards]:
        """Return the cards under `key` by character. The cards of a plain list belong to the whole party, whose key
        is "".
        """
        node = self.get(key)
        if node is None:
            return {}
        if isinstance(node, nodes.Mapping) and not any(key_name(label.text) == "name" for label, _ in node.pairs):
            return {name: self.cards.pile(value) for name, _, value in self.by_person(key)}
        return {"": self.cards.pile(node)}

    def shared_pile(self, key: str) -> Cards:
        """Return the cards under `key`, which belong to the whole party. A list for each character is reported."""
        piles = self.piles(key)
        if any(piles):
            self.note(line_in(self.lines(), key), f"`{key}` must be a plain list of the cards that the reward gave.")
        return tuple(card for pile in piles.values() for card in pile)

    def feats(self, key: str) -> dict[str, tuple[Feat, ...]]:
        """Return the feats under `key` that each character chose, by the name of the character."""
        return {
            name: tuple(
                Feat(kind, what)
                for kind in FEAT_KINDS
                for node in self.feat_nodes(kind, below)
                if (what := self.feat(kind, node, below))
            )
            for name, below in self.each_below(
                key, FEAT_KINDS, "{skill: Wisdom, power: Light Armors, card: spell}", feat_kind
            )
        }

    def feat_nodes(self, kind: FeatKind, fields: Fields) -> Sequence[Node]:
        """Return one node for each feat of a kind.

        The file may list names, or use the notation of deck files: `{Wisdom: 2}` for skill and card feats, and a number
        for power feats.
        """
        value = fields.get(kind)
        if isinstance(value, nodes.Mapping):
            counts = [(label, numbers(each)) for label, each in value.pairs]
            for label, number in counts:
                if number is None:
                    fields.note(label, f"{label.text} needs the number of its feats, such as `{label.text}: 1`.")
            return [label for label, number in counts for _ in range(number or 0)][:MOST_FEATS]
        if kind == "power" and isinstance(value, Scalar) and value.text.isdigit():
            return [Scalar(f"power {number}", value.line) for number in range(1, int(value.text) + 1)][:MOST_FEATS]
        return list(fields.listed(kind)[:MOST_FEATS])

    def feat(self, kind: FeatKind, node: Node, fields: Fields) -> str | None:
        """Return the skill, card type or power that the feat in `node` improves; None if it cannot be read."""
        if not isinstance(node, Scalar):
            fields.note(node, f"Give the {kind} feat by its name.")
            return None
        if kind == "power":
            return node.text
        known = {skill: skill for skill in SKILLS} if kind == "skill" else dict(TYPE_NAMES)
        return fields.choose(node, known, "skill" if kind == "skill" else "card type")

    def adjustments(self, key: str) -> dict[str, dict[str, int]]:
        """Return the changes that role cards make to the Cards Lists, by character and card type."""
        by_name: dict[str, dict[str, int]] = {}
        for name, _, value in self.by_person(key):
            reader = DeckReader(
                nodes.Mapping(((Scalar(key, value.line), value),), value.line), self.facts, self.problems
            )
            by_name[name] = reader.adjustments(key)
        return by_name

    def visits(self, key: str) -> dict[str, Visit]:
        """Return the visits to traders by the name of the character."""
        return {name: visit for name, _, value in self.by_person(key) if (visit := self.visit(name, value))}

    def visit(self, name: str, value: Node) -> Visit | None:
        """Return the visit of the character `name`; None if it cannot be read.

        `value` is the name of the trader, or a mapping with the trader and the cards traded.
        """
        if isinstance(value, Scalar) and value.text:
            return Visit(self.trader(value))
        if not isinstance(value, nodes.Mapping):
            self.note(value, f"`traders: {name}` must look like `{{trader: NAME, paid: [Mace], took: Dart}}`.")
            return None
        below = Fields(value, self.problems, f"traders: {name}: ")
        below.check_keys(("trader", "paid", "took"))
        took = self.cards.pile(below.get("took"))
        if len(took) > 1:
            self.note(value, f"{name} took {len(took)} cards from the trader. A character makes at most one trade.")
        trader = below.scalar("trader")
        if trader is None:
            self.note(value, f"Which trader did {name} visit? Write `traders: {{{name}: {{trader: NAME}}}}`.")
            return None
        return Visit(self.trader(trader), self.cards.pile(below.get("paid")), took[0] if took else None)

    def deck_here(self, label: Scalar, value: Node) -> DeckFile:
        """Return the deck that this file describes under the name `label`, as a deck file.

        `value` is a list of cards, a mapping with the keys `cards` and `from_box`, or the word `suggested`.
        """
        keys = [key_name(key.text) for key, _ in value.pairs] if isinstance(value, nodes.Mapping) else []
        if isinstance(value, nodes.Mapping) and {"cards", "from_box"} & {*keys}:
            Fields(value, self.problems, f"decks: {label.text}: ").check_keys(("cards", "from_box"))
            root = value
        else:
            root = nodes.Mapping(((Scalar("cards", value.line), value),), value.line)
        return DeckFile(self.file.name, "yaml", lambda: root, "")

    def deck(self, file: DeckFile, name: str) -> ListedDeck:
        """Return the deck of the character `name`. `file` is a separate deck file, or is made from
        the campaign file that is being read.

        Raises DeckFileError if the deck cannot be read or is for another character.
        """
        said = text_of(file, "character")
        problems: list[DeckProblem] = []
        cards = file.get("cards")
        if isinstance(cards, Scalar) and name_key(cards.text) == "suggested":
            return ListedDeck(self.facts.suggested.get((self.set, name), ()))
        reader = CardReader(self.facts, self.set, Fields(file.root, problems).note)
        held = ListedDeck(reader.deck(file.root)[0], reader.pile(file.get("from_box")))
        if said and name_key(said) != name_key(name):
            problems.append(DeckProblem(0, f"This deck is for {said}."))
        if problems:
            raise DeckFileError(file.name, problems)
        return held

    def lines(self) -> dict[str, int]:
        """Return line numbers: the first line of each key, of each name under a key, and of each card."""
        first_lines = super().lines()
        for node in scalars_below(self.file.root):
            first_lines.setdefault(name_key(split_quantity(node.text)[1]), node.line)
        return first_lines

    def scenario(self, key: str) -> tuple[Adventure, int] | None:
        """Return the scenario that the file names, as its adventure and number; None if it cannot be read.

        The file gives the scenario's name, or its adventure and number, such as `1.2`.
        """
        node = self.scalar(key)
        if node is None:
            return None
        stops = self.facts.scenarios(self.set)
        if numbered := BY_NUMBER.fullmatch(node.text.strip()):
            by_number = {(adventure.deck, number): (adventure, number) for adventure, number in stops.values()}
            if stop := by_number.get((numbered[1].upper(), int(numbered[2]))):
                return stop
        return self.choose(
            node, stops, "scenario", (), "Write the scenario's name, or 1.2 for the second scenario in adventure 1."
        )

    def setup(self) -> PathfinderSetup:
        """Return the start of the campaign that the file describes. Missing players and a missing set are reported."""
        self.set = self.cards.set_id = self.one_of("set", SET_NAMES) or self.set
        if self.get("set") is None:
            which = " or ".join(f"`set: {each}`" for each in SET_TITLES)
            self.note(self.line_of("set"), f"Which set is played? Write {which}.")
        adventures = self.facts.adventures.get(self.set, ())
        first = next((each.deck for each in adventures if each.path), "B")
        named = self.start()
        starts, unsure = named or first, () if named or self.get("start") is None else DEPENDS_ON_THE_ADVENTURE
        earlier = [each for each in adventures if each.path and ADVENTURES.index(each.deck) < ADVENTURES.index(starts)]
        won = frozenset((each.deck, number) for each in earlier for number in range(len(each.scenarios) + 1))
        met = frozenset(trader.name for each in earlier for trader in each.traders)
        if self.get("traders") is not None:
            met = frozenset(map(self.trader, self.scalars("traders"))) - {""}
        feats, roles = self.feats("feats"), self.texts("role")
        people = []
        for name, held in self.decks("decks").items():
            new = name not in {*feats, *roles}
            character = self.facts.characters[self.set, name_key(name)]
            earned = frozenset() if new else won
            people.append(
                PartyMember(character, held.cards, feats.get(name, ()), roles.get(name), earned=earned, new=new)
            )
        if not people and not self.problems:
            self.note(self.line_of("decks"), "There are no players. List who has which deck under `decks:`.")
        party = PartyState(tuple(people), won=won, traders=met)
        owns = DeckReader(self.file.root, self.facts, self.problems, self.set).products("owns")
        return PathfinderSetup(
            self.text("name") or SET_TITLES[self.set], party, self.lines(), self.set, starts, owns, unsure
        )

    def start(self) -> str | None:
        """Return the adventure that the records begin in, from the key `start`; None if the value cannot be read.

        The value of `start` is like that of `adventure:` in a deck file, or a mapping such as `{adventure: 3}`.
        """
        node = self.get("start")
        root = node if isinstance(node, nodes.Mapping) else self.file.root
        key = "adventure" if isinstance(node, nodes.Mapping) else "start"
        return DeckReader(root, self.facts, self.problems, self.set).adventure(key)
