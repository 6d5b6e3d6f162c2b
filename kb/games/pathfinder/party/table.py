"""Reads a table file: from a parsed file and the facts to a `Table`, and what is impossible about it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from kb.decks.deckfile import DeckFile
from kb.decks.fields import Fields
from kb.decks.names import MOST_SUGGESTIONS, did_you_mean, name_key, split_quantity
from kb.decks.nodes import DeckFileError, Mapping, Node, Scalar, Sequence, key_name, scalars_below
from kb.decks.report import Finding, Located
from kb.games.pathfinder.decks.cards import CardReader
from kb.games.pathfinder.decks.deckfile import DeckReader
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import SET_TITLES, SETS, Card
from kb.games.pathfinder.party.model import Member, Table

KEYS = ("game", "set", "adventure", "after_scenario", "members", "rewards", "dead", "owns", "removed", "notes")
OF_THE_DECK = ("card_feats", "skill_feats", "power_feats", "role", "deck_adjustments")
MEMBER_KEYS = ("pool", "keep", "wishes", *OF_THE_DECK, "new", "player", "notes")
DEAD_KEYS = ("pool", "player", "notes")
SHARED = ("set", "adventure", "after_scenario", "owns")


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table as read. `strangers` are findings on names that no card has: while there are any, nothing can be rebuilt.

    `lines` are the lines at which each name stands first, by `name_key`.
    """

    table: Table
    strangers: tuple[Located, ...]
    lines: dict[str, int]


def read_table(file: DeckFile, facts: Facts) -> TableFile:
    """The table that a file describes. Raises DeckFileError with every problem of the file and its line."""
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
        stranger(node, name, table.set, known if number < MOST_SUGGESTIONS else [])
        for number, (node, name) in enumerate(reader.unknown_names)
    )
    return TableFile(table, strangers, lines)


class _Pools(CardReader):
    """Reads piles of cards; names that no card has are kept apart from what is wrong with the file."""

    unknown_names: list[tuple[Scalar, str]]

    def unknown(self, node: Scalar, name: str) -> None:
        """Keep a name that no card has."""
        self.unknown_names.append((node, name))


class _TableReader(Fields):
    """Reads one file, collecting problems instead of stopping at the first."""

    def __init__(self, file: DeckFile, facts: Facts) -> None:
        super().__init__(file.root, [])
        self.facts = facts
        self.unknown_names: list[tuple[Scalar, str]] = []
        self.set = next(iter(SETS))

    def table(self) -> Table | None:
        """The table, as far as it can be read; None without members."""
        self.check_keys(KEYS, "a table")
        shared = [(key, node) for key, node in self.mapping.pairs if key_name(key.text) in SHARED]
        people = [(key, self.person(key, value, MEMBER_KEYS)) for key, value in self.people("members")]
        late = [(key, self.person(key, value, DEAD_KEYS)) for key, value in self.people("dead")]
        if not people:
            self.note(self.mapping, "names no members; list them under `members:`, each with a `pool:` of cards.")
        decks = []
        for key, person in people:
            said = [(each, node) for each, node in person.mapping.pairs if key_name(each.text) in OF_THE_DECK]
            told = [
                (Scalar("character", key.line), key),
                (Scalar("stage", key.line), Scalar("rebuilt", key.line)),
                *shared,
                *said,
            ]
            deck = DeckReader(Mapping(tuple(told), key.line), self.facts, self.problems).deck()
            if deck is not None:
                decks.append((key, person, deck))
        self.set = decks[0][2].set if decks else self.set
        pools = _Pools(self.facts, self.set, self.note)
        pools.unknown_names = self.unknown_names
        members: list[Member] = []
        for key, person, deck in decks:
            if deck.set != self.set:
                self.note(
                    key, f"{deck.character.name} is of another set. Write `set: {self.set}` or the other for all."
                )
            if any(deck.character.name == other.name for other in members):
                self.note(
                    key, f"{deck.character.name} is at the table twice. Let each player choose another character."
                )
            cards, wishes, keep = (pools.pile(person.get(each)) for each in ("pool", "wishes", "keep"))
            new = self.is_new(key, person, cards)
            for card in Counter(keep) - Counter(cards):
                self.note(
                    key,
                    f"{key.text} keeps {card.name}, which is not in the pool. List it under `pool`, or under `wishes`.",
                )
            # A newcomer begins after a death, where the table has one: only then is the box as open to her as to the others.
            deck = replace(deck, cards=cards, after_death=bool(late) if new else None)
            members.append(Member(deck, wishes, new, keep))
        dead = tuple((self.late_name(key), pools.pile(person.get("pool"))) for key, person in late)
        rewards, removed = pools.pile(self.get("rewards")), pools.pile(self.get("removed"))
        if not members:
            return None
        first = members[0].deck
        return Table(self.set, first.adventure, tuple(members), rewards, dead, first.owns, removed)

    def people(self, key: str) -> list[tuple[Scalar, Node]]:
        """The characters under `members:` or `dead:` with what is said of them."""
        node = self.get(key)
        if isinstance(node, Mapping):
            return list(node.pairs)
        if node is not None:
            self.note(node, f"`{key}` must be characters with their cards, such as `Kyra: {{pool: [Mace, 2x Cure]}}`.")
        return []

    def person(self, name: Scalar, node: Node, known: tuple[str, ...]) -> Fields:
        """What is said of a character; her cards may also be given as a plain list."""
        pairs: tuple[tuple[Scalar, Node], ...] = ()
        if isinstance(node, Mapping):
            pairs = node.pairs
        elif isinstance(node, Sequence):
            pairs = ((Scalar("pool", node.line), node),)
        elif node.text not in ("", "~", "null"):
            self.note(node, f"What {name.text} holds must be like `{{pool: [Mace, 2x Cure]}}`.")
        person = Fields(Mapping(pairs, node.line), self.problems)
        person.check_keys(known, "a character")
        return person

    def is_new(self, key: Scalar, person: Fields, cards: tuple[Card, ...]) -> bool:
        """Whether a member begins now; one without cards does, unless the file says otherwise."""
        node = person.get("new")
        said = {"true": True, "yes": True, "false": False, "no": False}.get(
            node.text.casefold() if isinstance(node, Scalar) else ""
        )
        if node is not None and said is None:
            self.note(node, "`new` must be true (a character who begins now) or false.")
        if said and cards:
            self.note(key, f"{key.text} is new, but holds cards; a new character has none. Put them under `rewards:`.")
        return not cards if node is None else bool(said)

    def late_name(self, key: Scalar) -> str:
        """The name of a dead character as it is printed."""
        known = self.facts.characters.get((self.set, name_key(key.text)))
        if known is None:
            hint = did_you_mean(key.text, [each.name for each in self.facts.characters_of(self.set)])
            self.note(key, f"There is no character {key.text!r} in {SET_TITLES[self.set]}.{hint}")
        return known.name if known else key.text


def stranger(node: Scalar, name: str, set_id: str, known: list[str]) -> Located:
    """The finding on a name that no card has; `known` are names that it may mean."""
    hint = did_you_mean(name, known).strip()
    finding = Finding(
        check="known-cards",
        game="pathfinder",
        family="pool",
        severity="error",
        message=f"There is no card {name!r} in {SET_TITLES[set_id]}.",
        cards=(name,),
        cites=(f"pathfinder/{set_id}/card-sets",),
        fix=hint or "Correct the name, or describe the card: {name: …, type: weapon, deck: B, basic: true}.",
    )
    return Located(finding, node.line)


def line_of(finding: Finding, lines: dict[str, int]) -> int:
    """The line of the first card that a finding names; 0 when it names none."""
    return next((lines[name_key(name)] for name in finding.cards if name_key(name) in lines), 0)
