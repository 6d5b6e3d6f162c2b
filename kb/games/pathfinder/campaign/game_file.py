"""Reads the files of a Pathfinder campaign: the kinds of values that only they have."""

from __future__ import annotations

import re
from dataclasses import replace

from kb.campaigns.model import Folder
from kb.campaigns.reader import Reader, deck_path, line_in, text_of
from kb.decks import nodes
from kb.decks.deckfile import DeckFile
from kb.decks.fields import Fields
from kb.decks.names import name_key, split_quantity
from kb.decks.nodes import DeckFileError, DeckProblem, Node, Scalar, key_name, scalars_below
from kb.games.pathfinder.campaign.model import HEAD, Feat, Head, Listed, Party, Person, Played, Visit
from kb.games.pathfinder.decks.deckfile import TYPE_NAMES, CardReader, DeckReader
from kb.games.pathfinder.decks.model import (
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


class PathfinderReader(Reader):
    """Reads one file of a campaign of a set."""

    def __init__(self, file: DeckFile, folder: Folder, facts: Facts, set_id: str) -> None:
        super().__init__(file, folder)
        self.facts, self.set = facts, set_id
        self.cards = CardReader(facts, set_id, self.note)

    def who(self, node: Scalar, key: str) -> str | None:
        """The name of a character as it is printed; None where the set has no such character."""
        known = {key: each.name for (owner, key), each in self.facts.characters.items() if owner == self.set}
        return self.choose(node, known, f"character of {SET_TITLES[self.set]}", known.values())

    def trader(self, node: Scalar) -> str:
        """The trader of that name as it is printed; sets without traders take any name, which a rule refuses."""
        known = {name: name for name in self.facts.traders(self.set)}
        return (self.choose(node, known, "trader") or "") if known else node.text

    def piles(self, key: str) -> dict[str, Cards]:
        """Cards by the character who held them; a plain list is the table's ("")."""
        node = self.get(key)
        if node is None:
            return {}
        if isinstance(node, nodes.Mapping) and not any(key_name(label.text) == "name" for label, _ in node.pairs):
            return {name: self.cards.pile(value) for name, _, value in self.by_person(key)}
        return {"": self.cards.pile(node)}

    def shared_pile(self, key: str) -> Cards:
        """Cards that the whole table was given."""
        found = self.piles(key)
        if any(found):
            self.note(line_in(self.lines(), key), f"`{key}` is a plain list of the cards that the reward gave.")
        return tuple(card for pile in found.values() for card in pile)

    def feats(self, key: str) -> dict[str, tuple[Feat, ...]]:
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

    def adjustments(self, key: str) -> dict[str, dict[str, int]]:
        """What the role cards change in the Cards Lists."""
        found: dict[str, dict[str, int]] = {}
        for name, _, value in self.by_person(key):
            reader = DeckReader(
                nodes.Mapping(((Scalar(key, value.line), value),), value.line), self.facts, self.problems
            )
            found[name] = reader.adjustments()
        return found

    def visits(self, key: str) -> dict[str, Visit]:
        """Visits to traders."""
        return {name: visit for name, _, value in self.by_person(key) if (visit := self.visit(name, value))}

    def visit(self, name: str, value: Node) -> Visit | None:
        """A visit to a trader: its name alone, or with what was traded."""
        if isinstance(value, Scalar) and value.text:
            return Visit(self.trader(value))
        if not isinstance(value, nodes.Mapping):
            self.note(value, f"`traders: {name}` must be like `{{trader: NAME, paid: [Mace], took: Dart}}`.")
            return None
        below = Fields(value, self.problems, f"traders: {name}: ")
        below.check_keys(("trader", "paid", "took"))
        took = self.cards.pile(below.get("took"))
        if len(took) > 1:
            self.note(value, f"{name} took {len(took)} cards from the trader; a character makes one trade at the most.")
        trader = below.scalar("trader")
        if trader is None:
            self.note(value, f"Which trader did {name} visit? Write `traders: {{{name}: {{trader: NAME}}}}`.")
            return None
        return Visit(self.trader(trader), self.cards.pile(below.get("paid")), took[0] if took else None)

    def decks(self, key: str) -> dict[str, Listed]:
        """The decks, listed here or in files of the folder."""
        return {name: listed for name, _, value in self.by_person(key) if (listed := self.listed_deck(name, value))}

    def listed_deck(self, name: str, value: Node) -> Listed | None:
        """One deck: a list of cards, a mapping with `cards` and `from_box`, or the path of a deck file."""
        if path := deck_path(value):
            return self.deck_of_file(name, value, path)
        if isinstance(value, Scalar) and name_key(value.text) == "suggested":
            return Listed(self.facts.suggested.get((self.set, name), ()))
        if isinstance(value, nodes.Mapping) and any(
            key_name(key.text) in ("cards", "from_box") for key, _ in value.pairs
        ):
            below = Fields(value, self.problems, f"decks: {name}: ")
            below.check_keys(("cards", "from_box"))
            return Listed(self.cards.pile(below.get("cards")), self.cards.pile(below.get("from_box")))
        return Listed(self.cards.pile(value))

    def deck_of_file(self, name: str, value: Node, path: str) -> Listed | None:
        """A deck from a deck file of the folder."""
        try:
            file = self.folder.deck(path)
        except DeckFileError as error:
            self.note(value, str(error))
            return None
        said = text_of(file, "character")
        if said and name_key(said) != name_key(name):
            self.note(value, f"{path} is a deck of {said}.")
        reader = CardReader(
            self.facts, self.set, lambda node, message, *named: self.note(value, f"{path}: {message}", *named)
        )
        cards, _ = reader.deck(file.root)
        return Listed(cards, reader.pile(file.get("from_box")))

    def lines(self) -> dict[str, int]:
        """The lines of keys, of what stands below them, and of cards, each where it stands first."""
        found = super().lines()
        for node in scalars_below(self.file.root):
            found.setdefault(name_key(split_quantity(node.text)[1]), node.line)
        return found

    def scenario(self, key: str) -> tuple[Adventure, int] | None:
        """The scenario that was played, by its name or as adventure and number."""
        node = self.scalar(key)
        if node is None:
            if self.get(key) is None:
                self.note(0, "Which scenario was played? Write `scenario: NAME`.")
            return None
        stops = self.facts.scenarios(self.set)
        if told := BY_NUMBER.fullmatch(node.text.strip()):
            by_number = {(adventure.deck, number): (adventure, number) for adventure, number in stops.values()}
            if stop := by_number.get((told[1].upper(), int(told[2]))):
                return stop
        return self.choose(node, stops, "scenario", (), "Write its name, or 1.2 for the second of adventure 1.")


def read_head(file: DeckFile, facts: Facts, folder: Folder) -> tuple[Head, list[DeckProblem]]:
    """How a campaign begins, and what is wrong with the file."""
    reader = PathfinderReader(file, folder, facts, next(iter(SET_TITLES)))
    reader.check_head_keys(HEAD)
    set_id = reader.one_of("set", SET_NAMES)
    if reader.get("set") is None:
        reader.note(0, f"Which set is played? Write {' or '.join(f'`set: {each}`' for each in SET_TITLES)}.")
    elif set_id:
        reader.set = reader.cards.set_id = set_id
    adventures = facts.adventures.get(reader.set, ())
    decks = {"base": "B", **{each: each for each in ADVENTURES}}
    first = next((each.deck for each in adventures if each.path), "B")
    starts = reader.one_of("start", decks, "adventure") or first
    feats, roles = reader.feats("feats"), reader.their_texts("role")
    people = [
        Person(facts.characters[reader.set, name_key(name)], listed.cards, feats.get(name, ()), roles.get(name),
               new=name not in {*feats, *roles})
        for name, listed in reader.decks("decks").items()
    ]  # fmt: skip
    if not people and set_id:
        reader.note(0, "Nobody plays: write who holds which deck under `decks:`.")
    earlier = [
        each for each in adventures if each.path and ADVENTURES.index(each.deck) < ADVENTURES.index(starts)
    ]  # fmt: skip
    won = frozenset((each.deck, number) for each in earlier for number in range(len(each.scenarios) + 1))
    met = frozenset(trader.name for each in earlier for trader in each.traders)
    if reader.get("traders") is not None:
        met = frozenset(reader.trader(node) for node in reader.listed("traders") if isinstance(node, Scalar)) - {""}
    people = [person if person.new else replace(person, earned=won) for person in people]
    party = Party(tuple(people), won=won, traders=met)
    name = reader.text("name") or SET_TITLES[reader.set]
    owns = DeckReader(file.root, facts, reader.problems).owns(reader.set)
    return Head(name, party, reader.lines(), reader.set, starts, owns), reader.problems


def read_game(
    file: DeckFile, head: Head, before: Party, facts: Facts, folder: Folder
) -> tuple[Played | None, list[DeckProblem]]:
    """A game, and what is wrong with its file; None when nobody can tell what was played, or how it ended."""
    reader = PathfinderReader(file, folder, facts, head.set)
    reader.check_game_keys(Played)
    place = reader.scenario("scenario")
    if reader.get("won") is None:
        reader.note(0, "Was it won? Write `won: yes` or `won: no`.")
    if place is None or reader.get("won") is None:
        return None, reader.problems
    return reader.read(Played, place=place), reader.problems
