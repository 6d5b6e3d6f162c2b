"""Reads the files of a Pathfinder campaign: how it begins, and each game. Whatever is wrong is noted; the rest counts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kb.campaigns.keys import GAME_KEYS, HEAD_KEYS
from kb.campaigns.lines import line_in
from kb.campaigns.model import Folder
from kb.decks import nodes
from kb.decks.deckfile import DeckFile
from kb.decks.fields import Fields
from kb.decks.names import did_you_mean, name_key
from kb.decks.nodes import DeckProblem, Node, Scalar
from kb.games.pathfinder.campaign.keys import GAME, HEAD
from kb.games.pathfinder.campaign.model import Party, Person, Played, Visit
from kb.games.pathfinder.campaign.reader import Reader
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import ADVENTURES, SET_NAMES, SET_TITLES, Adventure

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
    party = Party(tuple(people), won=before(facts, reader.set, starts))
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
        died=reader.names("died"),
        left=reader.names("left"),
        joined=reader.names("joined"),
        visits={
            name: visit for name, _, value in reader.by_person("traders") if (visit := visit_of(reader, name, value))
        },
        decks=reader.decks(),
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
        return Visit(value.text)
    if not isinstance(value, nodes.Mapping):
        reader.note(value, f"`traders: {name}` must be like `{{trader: NAME, paid: [Mace], took: Dart}}`.")
        return None
    below = Fields(value, reader.problems, f"traders: {name}: ")
    below.check_keys(("trader", "paid", "took"))
    took = reader.cards.pile(below.get("took"))
    if len(took) > 1:
        reader.note(value, f"{name} took {len(took)} cards from the trader; a character makes one trade at the most.")
    return Visit(below.text("trader") or "", reader.cards.pile(below.get("paid")), took[0] if took else None)
