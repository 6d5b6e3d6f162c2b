"""Reads party files. Builds a `TableToRebuild` from a parsed file and the card facts, or reports all problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from kb.decks import nodes
from kb.decks.deckfile import DeckFile
from kb.decks.fields import Fields
from kb.decks.names import MOST_SUGGESTIONS, name_key, split_quantity
from kb.decks.nodes import DeckFileError, Node, Scalar, Sequence, key_name, scalars_below
from kb.frozen import frozen
from kb.games.pathfinder.decks.card_reader import CardReader
from kb.games.pathfinder.decks.deckfile import DeckReader
from kb.games.pathfinder.decks.facts import SET_TITLES, SETS, Cards, Facts
from kb.games.pathfinder.party.to_rebuild import Member, TableToRebuild

KEYS = (
    "game",
    "set",
    "adventure",
    "after_scenario",
    "members",
    "rewards",
    "dead",
    "owns",
    "removed",
    "refuses",
    "notes",
)
OF_THE_DECK = ("feats", "card_feats", "skill_feats", "power_feats", "role", "deck_adjustments")
MEMBER_KEYS = ("pool", "keep", "wishes", *OF_THE_DECK, "new", "player", "notes")
DEAD_KEYS = ("pool", "player", "notes")
SHARED = ("set", "adventure", "after_scenario", "owns")


@frozen
class TableFile:
    """A party file that has been read.

    `strangers` are the unknown card names: for each, the node in the file, the name, and the names to suggest from.
    While there are any, kb cannot rebuild the decks. `lines` gives the line where each name first occurs, by the
    normalized name.
    """

    table: TableToRebuild
    strangers: tuple[tuple[Scalar, str, list[str]], ...]
    lines: dict[str, int]

    def line_of(self, cards: Iterable[str]) -> int:
        """Return the line of the first card in `cards` that the file names; 0 if it names none of them."""
        return next((self.lines[key] for key in map(name_key, cards) if key in self.lines), 0)


def read_table(file: DeckFile, facts: Facts) -> TableFile:
    """Return the party that `file` describes.

    Raises DeckFileError with all problems of the file and their lines. An unknown card is not such a problem; it is in
    the result's `strangers`.
    """
    reader = _TableReader(file, facts)
    table = reader.table()
    if table is None or reader.problems:
        raise DeckFileError(file.name, list(dict.fromkeys(reader.problems)))
    lines: dict[str, int] = {}
    for node in scalars_below(file.root):
        lines.setdefault(name_key(split_quantity(node.text)[1]), node.line)
        lines.setdefault(name_key(node.text), node.line)
    known = [card.name for card in facts.of_set(table.set)]
    strangers = tuple(
        (node, name, known if number < MOST_SUGGESTIONS else [])
        for number, (node, name) in enumerate(reader.unknown_names)
    )
    return TableFile(table, strangers, lines)


class _Pools(CardReader):
    """Reads lists of cards. It collects unknown names in `unknown_names` instead of reporting them as problems."""

    unknown_names: list[tuple[Scalar, str]]

    def unknown(self, node: Scalar, name: str) -> None:
        """Add an unknown name and its node to `unknown_names`."""
        self.unknown_names.append((node, name))


class _TableReader(Fields):
    """Reads one party file. It collects all problems instead of stopping at the first one."""

    def __init__(self, file: DeckFile, facts: Facts) -> None:
        super().__init__(file.root, [])
        self.facts = facts
        self.unknown_names: list[tuple[Scalar, str]] = []
        self.set = next(iter(SETS))

    def table(self) -> TableToRebuild | None:
        """Return the party, without the values that cannot be read; None if it has no members."""
        self.check_keys(KEYS, "a table")
        shared = [(key, node) for key, node in self.mapping.pairs if key_name(key.text) in SHARED]
        people = [(key, self.person(key, value, MEMBER_KEYS)) for key, value in self.people("members")]
        late = [(key, self.person(key, value, DEAD_KEYS)) for key, value in self.people("dead")]
        if not people:
            self.note(self.mapping, "has no members; list them under `members:`, each with a `pool:` of cards.")
        decks = []
        for key, person in people:
            own_keys = [(each, node) for each, node in person.mapping.pairs if key_name(each.text) in OF_THE_DECK]
            deck_keys = [
                (Scalar("character", key.line), key),
                (Scalar("stage", key.line), Scalar("rebuilt", key.line)),
                *shared,
                *own_keys,
            ]
            deck = DeckReader(nodes.Mapping(tuple(deck_keys), key.line), self.facts, self.problems).deck()
            if deck is not None:
                decks.append((key, person, deck))
        self.set = decks[0][2].set if decks else self.set
        pools = _Pools(self.facts, self.set, self.note)
        pools.unknown_names = self.unknown_names
        members: list[Member] = []
        for key, person, deck in decks:
            if deck.set != self.set:
                self.note(
                    key,
                    f"{deck.character.name} is from another set. Write `set: {self.set}`, or choose one other set for all members.",
                )
            if any(deck.character.name == other.name for other in members):
                self.note(
                    key, f"{deck.character.name} is in the party twice. Let each player choose another character."
                )
            cards, wishes, keep = (pools.pile(person.get(each)) for each in ("pool", "wishes", "keep"))
            new = self.is_new(key, person, cards)
            for card in Counter(keep) - Counter(cards):
                self.note(
                    key,
                    f"{key.text} keeps {card.name}, which is not in the pool. List it under `pool`, or under `wishes`.",
                )
            # Each dead character is replaced by one newcomer, in the order of the file. Newcomers who replace nobody may
            # take only Basic cards.
            succeeds = sum(each.newcomer for each in members) < len(late) if new else None
            members.append(Member(replace(deck, cards=cards, after_death=succeeds), wishes, new, keep))
        dead = tuple((self.late_name(key), pools.pile(person.get("pool"))) for key, person in late)
        rewards, removed = (pools.pile(self.get(each)) for each in ("rewards", "removed"))
        if not members:
            return None
        first, willing = members[0].deck, self.refusing(members, pools)
        return TableToRebuild(self.set, first.adventure, willing, rewards, dead, first.owns, removed)

    def refusing(self, members: Iterable[Member], pools: CardReader) -> tuple[Member, ...]:
        """Return the members with the cards that they refuse.

        Call this method last, because cards may be described in any other list of the file.
        """
        with_refusals = list(members)
        for key, node in self.people("refuses"):
            at = next((at for at, each in enumerate(with_refusals) if name_key(each.name) == name_key(key.text)), None)
            if at is None:
                self.note(key, f"{key.text} refuses cards but is not in the party.")
            else:
                with_refusals[at] = replace(with_refusals[at], refuses=pools.pile(node))
        return tuple(with_refusals)

    def people(self, key: str) -> list[tuple[Scalar, Node]]:
        """Return the names and values in the mapping under `key`, such as `members` or `dead`."""
        node = self.get(key)
        if isinstance(node, nodes.Mapping):
            return list(node.pairs)
        if node is not None:
            self.note(node, f"`{key}` must be characters with their cards, such as `Kyra: {{pool: [Mace, 2x Cure]}}`.")
        return []

    def person(self, name: Scalar, node: Node, known: tuple[str, ...]) -> Fields:
        """Return a reader for the keys of a character. A plain list of cards is read as the key `pool`.

        `known` are the keys allowed.
        """
        pairs: tuple[tuple[Scalar, Node], ...] = ()
        if isinstance(node, nodes.Mapping):
            pairs = node.pairs
        elif isinstance(node, Sequence):
            pairs = ((Scalar("pool", node.line), node),)
        elif node.text not in ("", "~", "null"):
            self.note(node, f"The value of {name.text} must look like `{{pool: [Mace, 2x Cure]}}`.")
        person = Fields(nodes.Mapping(pairs, node.line), self.problems)
        person.check_keys(known, "a character")
        return person

    def is_new(self, key: Scalar, person: Fields, cards: Cards) -> bool:
        """Return True if a member is a newcomer, who starts a new deck. The file says so, or the member has no cards."""
        new = person.said("new")
        if cards and name_key(key.text) in (name_key(each.text) for each, _ in self.people("dead")):
            self.note(
                key, f"{key.text} is listed as a living member and as dead. A member who starts again has no cards."
            )
        if new and cards:
            self.note(key, f"{key.text} is new, but has cards. A new character has none. Put them under `rewards:`.")
        return not cards if new is None else new

    def late_name(self, key: Scalar) -> str:
        """Return the printed name of a dead character. A name that is not a character in the set is reported."""
        known = {at: each.name for (owner, at), each in self.facts.characters.items() if owner == self.set}
        return self.choose(key, known, f"character of {SET_TITLES[self.set]}", known.values()) or key.text
