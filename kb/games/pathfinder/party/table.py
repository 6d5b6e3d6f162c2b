"""Reads a table file: from a parsed file and the facts to a `Table`, and what is impossible about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from kb.decks import nodes
from kb.decks.deckfile import DeckFile
from kb.decks.fields import Fields
from kb.decks.names import MOST_SUGGESTIONS, did_you_mean, name_key, split_quantity
from kb.decks.nodes import DeckFileError, Node, Scalar, Sequence, key_name, scalars_below
from kb.decks.problems import Check, Finding, Problem
from kb.decks.report import Located
from kb.frozen import frozen
from kb.games.pathfinder.decks.counts import wanted
from kb.games.pathfinder.decks.deckfile import CardReader, DeckReader
from kb.games.pathfinder.decks.model import SET_TITLES, SETS, Card, Cards, Deck, Facts
from kb.games.pathfinder.decks.ruleset import Subject
from kb.games.pathfinder.records import CARD_TYPES
from kb.jsonable import NAMED, Jsonable, called

REWARDS = "rewards"
Places = Mapping[str, int]
"""How many cards of each type."""


@frozen
class Member:
    """A living character. `deck.cards` are all cards she holds (a newcomer begins and holds none); `keep` are those of them that she
    gives to nobody, `refuses` cards that she neither gives away nor takes, whatever that costs."""

    deck: Deck
    wishes: Cards = ()
    newcomer: bool = False
    keep: Cards = ()
    refuses: Cards = ()

    @property
    def name(self) -> str:
        """The character's name."""
        return self.deck.character.name

    def refused(self, card: Card) -> bool:
        """Whether she refuses a card, of whatever product."""
        return any(card.name == each.name for each in self.refuses)

    @property
    def begun(self) -> Deck:
        """The deck at the stage that it is rebuilt at."""
        return replace(self.deck, stage="new" if self.newcomer else "rebuilt")

    def need(self, facts: Facts) -> dict[str, int]:
        """How many cards of each type the deck must hold: Cards List, card feats, role. Types without any are left out."""
        subject = Subject(self.deck, facts)
        return {kind: number for kind in CARD_TYPES if (number := wanted(subject, kind)[0])}


@frozen
class Table:
    """The characters of one table after a scenario.

    `rewards` are the cards that the party has just gained, `dead` the cards of each dead character, `removed` cards that
    are out of the game. Set, adventure and products owned are the same in the deck of every member.
    """

    set: str
    adventure: str
    members: tuple[Member, ...]
    rewards: Cards = ()
    dead: tuple[tuple[str, Cards], ...] = ()
    owns: frozenset[str] | None = None
    removed: Cards = ()

    def piles(self) -> list[tuple[str, Cards]]:
        """Who holds which cards: the living, then the rewards, then the dead (`late NAME`, since a name may live on)."""
        living = [(member.name, member.deck.cards) for member in self.members]
        return [*living, (REWARDS, self.rewards), *((f"late {name}", cards) for name, cards in self.dead)]

    def held(self) -> Counter[Card]:
        """All cards at the table."""
        return Counter(card for _, cards in self.piles() for card in cards)


@frozen
class Move(Jsonable):
    """A card that changes hands."""

    card: Card = field(metadata=NAMED)
    """The card."""
    origin: str = field(metadata=called("from"))
    """Who gives it, or where it comes from: a living member, `rewards` or `late NAME`."""
    to: str
    """Who gets it."""
    why: str = ""
    """Why, in words."""


@dataclass(slots=True)
class Renewed:
    """A member's deck after the rebuild. `need` is how many cards of each type it must hold.

    `deck` are the cards from the table, `lacking` how many of each type must come from the box, `chosen` those taken from it (None: not
    yet). `unfilled` are places for which the box has nothing. `eligible` are the cards that she may take of the types that the table
    lacks, `disputed` the loot on which the rulebook contradicts itself.
    """

    need: Places
    deck: Cards
    chosen: Cards | None
    lacking: Places = field(default_factory=dict)
    unfilled: Places = field(default_factory=dict)
    eligible: dict[str, Cards] = field(default_factory=dict)
    disputed: dict[str, Cards] = field(default_factory=dict)

    @property
    def box(self) -> Places:
        """How many cards of each type are still to be chosen from the box."""
        return self.lacking if self.chosen is None else self.unfilled

    @property
    def cards(self) -> Cards:
        """The deck as far as its cards are chosen."""
        return (*self.deck, *(self.chosen or ()))


@frozen
class Rebuilt:
    """The decks after the rebuild, by member. `left` are the cards that nobody keeps, with who had them."""

    members: Mapping[str, Renewed]
    moves: tuple[Move, ...] = ()
    kept: tuple[tuple[str, Card], ...] = ()
    missed: tuple[tuple[str, Card], ...] = ()
    left: tuple[tuple[str, Card], ...] = ()

    @property
    def left_over(self) -> Cards:
        """The cards that nobody keeps."""
        return tuple(card for _, card in self.left)

    @property
    def trades(self) -> tuple[Move, ...]:
        """The cards that go from one living member to another."""
        return tuple(move for move in self.moves if move.origin in self.members)


def is_late(origin: str) -> bool:
    """Whether a pile is what a dead character held."""
    return origin.startswith("late ")


def in_order(card: Card) -> tuple[int, str, str]:
    """The sort key of cards: the order of the Cards List, then names."""
    return CARD_TYPES.index(card.type) if card.type else len(CARD_TYPES), card.name, card.set


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
OF_THE_DECK = ("card_feats", "skill_feats", "power_feats", "role", "deck_adjustments")
MEMBER_KEYS = ("pool", "keep", "wishes", *OF_THE_DECK, "new", "player", "notes")
DEAD_KEYS = ("pool", "player", "notes")
SHARED = ("set", "adventure", "after_scenario", "owns")


@frozen
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
            # Each death has one successor, in the order of the newcomers: only to them is the box as open as to the others.
            succeeds = sum(each.newcomer for each in members) < len(late) if new else None
            members.append(Member(replace(deck, cards=cards, after_death=succeeds), wishes, new, keep))
        dead = tuple((self.late_name(key), pools.pile(person.get("pool"))) for key, person in late)
        rewards, removed = (pools.pile(self.get(each)) for each in ("rewards", "removed"))
        if not members:
            return None
        first, willing = members[0].deck, self.refusing(members, pools)
        return Table(self.set, first.adventure, willing, rewards, dead, first.owns, removed)

    def refusing(self, members: Iterable[Member], pools: CardReader) -> tuple[Member, ...]:
        """The members with what each refuses; to be read last, because any other pile may describe a card."""
        with_refusals = list(members)
        for key, node in self.people("refuses"):
            at = next((at for at, each in enumerate(with_refusals) if name_key(each.name) == name_key(key.text)), None)
            if at is None:
                self.note(key, f"{key.text}, who refuses cards, is no member of the table.")
            else:
                with_refusals[at] = replace(with_refusals[at], refuses=pools.pile(node))
        return tuple(with_refusals)

    def people(self, key: str) -> list[tuple[Scalar, Node]]:
        """The characters under `members:` or `dead:` with what is said of them."""
        node = self.get(key)
        if isinstance(node, nodes.Mapping):
            return list(node.pairs)
        if node is not None:
            self.note(node, f"`{key}` must be characters with their cards, such as `Kyra: {{pool: [Mace, 2x Cure]}}`.")
        return []

    def person(self, name: Scalar, node: Node, known: tuple[str, ...]) -> Fields:
        """The keys of a character; her cards may also be given as a plain list."""
        pairs: tuple[tuple[Scalar, Node], ...] = ()
        if isinstance(node, nodes.Mapping):
            pairs = node.pairs
        elif isinstance(node, Sequence):
            pairs = ((Scalar("pool", node.line), node),)
        elif node.text not in ("", "~", "null"):
            self.note(node, f"What {name.text} holds must be like `{{pool: [Mace, 2x Cure]}}`.")
        person = Fields(nodes.Mapping(pairs, node.line), self.problems)
        person.check_keys(known, "a character")
        return person

    def is_new(self, key: Scalar, person: Fields, cards: Cards) -> bool:
        """Whether a member begins now; one without cards does, unless the file says otherwise."""
        new = person.said("new")
        if cards and name_key(key.text) in (name_key(each.text) for each, _ in self.people("dead")):
            self.note(key, f"{key.text} lives under `members` and is dead; who begins again holds no cards.")
        if new and cards:
            self.note(key, f"{key.text} is new, but holds cards; a new character has none. Put them under `rewards:`.")
        return not cards if new is None else new

    def late_name(self, key: Scalar) -> str:
        """The name of a dead character as it is printed."""
        known = {at: each.name for (owner, at), each in self.facts.characters.items() if owner == self.set}
        return self.choose(key, known, f"character of {SET_TITLES[self.set]}", known.values()) or key.text


KNOWN_CARDS: Check[Table] = Check(
    "known-cards",
    "pool",
    ("pathfinder/rotr/card-sets",),
    "Every name is that of a card of the set.",
    "error",
    lambda _table: (),
    "pathfinder",
)


def stranger(node: Scalar, name: str, set_id: str, known: list[str]) -> Located:
    """The finding on a name that no card has; `known` are names that it may mean."""
    hint = did_you_mean(name, known).strip()
    problem = Problem(
        f"There is no card {name!r} in {SET_TITLES[set_id]}.",
        fix=hint or "Correct the name, or describe the card: {name: …, type: weapon, deck: B, basic: true}.",
        cards=(name,),
        cites=(f"pathfinder/{set_id}/card-sets",),
    )
    return Located(Finding(KNOWN_CARDS, problem), node.line)


def line_of(finding: Finding, lines: dict[str, int]) -> int:
    """The line of the first card that a finding names; 0 when it names none."""
    return next((lines[name_key(name)] for name in finding.cards if name_key(name) in lines), 0)
