"""Reads a table file: from a parsed file and the facts to a `Table`, and what is impossible about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from kb.decks.deckfile import DeckFile
from kb.decks.names import MOST_SUGGESTIONS, did_you_mean, name_key, split_quantity
from kb.decks.nodes import DeckFileError, DeckProblem, Mapping, Node, Scalar, Sequence, key_name, scalars_below
from kb.decks.report import Finding, Located
from kb.games.pathfinder.decks.cards import CardReader
from kb.games.pathfinder.decks.deckfile import read_deck
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import SET_TITLES, SETS, Card, Deck
from kb.games.pathfinder.party.model import Member, Table

KEYS = (
    "game", "set", "adventure", "after_scenario", "members", "rewards", "dead", "owns", "removed", "notes",
)  # fmt: skip
MEMBER_KEYS = (
    "pool", "keep", "wishes", "card_feats", "skill_feats", "power_feats", "role", "deck_adjustments", "new", "player", "notes",
)  # fmt: skip
DEAD_KEYS = ("pool", "player", "notes")
SHARED = ("set", "adventure", "after_scenario", "owns")
OF_THE_DECK = ("card_feats", "skill_feats", "power_feats", "role", "deck_adjustments")


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
    return _TableReader(file, facts).read()


class _Pools(CardReader):
    """Reads piles of cards; names that no card has are kept apart from what is wrong with the file."""

    unknown_names: list[tuple[Scalar, str]]

    def unknown(self, node: Scalar, name: str) -> None:
        """Keep a name that no card has."""
        self.unknown_names.append((node, name))


class _TableReader:
    """Reads one file, collecting problems instead of stopping at the first."""

    def __init__(self, file: DeckFile, facts: Facts) -> None:
        self.file = file
        self.facts = facts
        self.problems: list[DeckProblem] = []

    def note(self, node: Node | int, message: str) -> None:
        """Note a problem at a node's line."""
        self.problems.append(DeckProblem(node if isinstance(node, int) else node.line, message))

    def read(self) -> TableFile:
        root = self.file.root
        self.check_keys(root, KEYS, "table")
        people = [(key, value, False) for key, value in self.people("members")]
        dead = self.people("dead")
        if not people:
            self.note(root, "names no members; list them under `members:`, each with a `pool:` of cards.")
        decks = [(key, value, self.deck(key, value)) for key, value, _ in people]
        set_id = next((deck.set for _, _, deck in decks if deck is not None), next(iter(SETS)))
        pools = _Pools(self.facts, set_id, self.note)
        pools.unknown_names = []
        members = [self.member(key, value, deck, pools) for key, value, deck in decks if deck is not None]
        members = [self.joining(member, bool(dead)) for member in members]
        late = [
            (self.late_name(key, set_id), pools.pile(self.value(value, "pool", DEAD_KEYS, key))) for key, value in dead
        ]
        rewards, removed = pools.pile(self.file.get("rewards")), pools.pile(self.file.get("removed"))
        self.same_set(decks, set_id)
        if self.problems:
            raise DeckFileError(self.file.name, self.problems)
        first = members[0].deck
        table = Table(
            set=set_id,
            adventure=first.adventure,
            members=tuple(members),
            rewards=rewards,
            dead=tuple(late),
            owns=first.owns,
            removed=removed,
        )
        known = [card.name for card in self.facts.of_set(set_id)]
        strangers = tuple(
            self.stranger(node, name, set_id, known if number < MOST_SUGGESTIONS else ())
            for number, (node, name) in enumerate(pools.unknown_names)
        )
        return TableFile(table, strangers, self.lines())

    def check_keys(self, node: Mapping, known: tuple[str, ...], what: str) -> None:
        seen: set[str] = set()
        for key, _ in node.pairs:
            name = key_name(key.text)
            if name not in known:
                hint = did_you_mean(name, known) or f" Known are {', '.join(known)}."
                self.note(key, f"Unknown key `{key.text}` of a {what}.{hint}")
            elif name in seen:
                self.note(key, f"The key `{key.text}` is there twice.")
            seen.add(name)

    def people(self, key: str) -> list[tuple[Scalar, Node]]:
        """The characters under `members:` or `dead:` with what is said of them."""
        node = self.file.get(key)
        if isinstance(node, Mapping):
            return list(node.pairs)
        if node is not None and not (isinstance(node, Scalar) and node.text in ("", "~", "null")):
            self.note(node, f"`{key}` must be characters with their cards, such as `Kyra: {{pool: [Mace, 2x Cure]}}`.")
        return []

    def value(self, node: Node, key: str, known: tuple[str, ...], name: Scalar) -> Node | None:
        """What stands under a key of a character; her cards may also be given as a plain list."""
        if isinstance(node, Sequence):
            return node if key == "pool" else None
        if isinstance(node, Mapping):
            if key == "pool":
                self.check_keys(node, known, "character")
            return next((value for each, value in node.pairs if key_name(each.text) == key), None)
        if node.text not in ("", "~", "null"):
            self.note(node, f"What {name.text} holds must be like `{{pool: [Mace, 2x Cure]}}`.")
        return None

    def deck(self, key: Scalar, value: Node) -> Deck | None:
        """A member's deck without her cards: character, feats, role. Its problems are noted."""
        said = {key_name(each.text): (each, node) for each, node in value.pairs} if isinstance(value, Mapping) else {}
        pairs: list[tuple[Scalar, Node]] = [
            (Scalar("character", key.line), key),
            (Scalar("stage", key.line), Scalar("rebuilt", key.line)),
        ]
        pairs += [(each, node) for each, node in self.file.root.pairs if key_name(each.text) in SHARED]
        pairs += [said[name] for name in OF_THE_DECK if name in said]
        part = Mapping(tuple(pairs), key.line)
        try:
            return read_deck(
                DeckFile(self.file.name, self.file.format, lambda: part, ""), self.facts, without_cards=True
            )
        except DeckFileError as error:
            self.problems.extend(each for each in error.problems if each not in self.problems)
            return None

    def member(self, key: Scalar, value: Node, deck: Deck, pools: _Pools) -> Member:
        cards = pools.pile(self.value(value, "pool", MEMBER_KEYS, key))
        wishes = pools.pile(self.value(value, "wishes", MEMBER_KEYS, key))
        new = self.value(value, "new", MEMBER_KEYS, key)
        newcomer = not cards
        if new is not None:
            newcomer = isinstance(new, Scalar) and new.text.casefold() in ("true", "yes")
            if not isinstance(new, Scalar) or new.text.casefold() not in ("true", "yes", "false", "no"):
                self.note(new, "`new` must be true (a character who begins now) or false.")
        if newcomer and cards:
            self.note(key, f"{key.text} is new, but holds cards; a new character has none. Put them under `rewards:`.")
        keep = pools.pile(self.value(value, "keep", MEMBER_KEYS, key))
        for card in Counter(keep) - Counter(cards):
            self.note(
                key, f"{key.text} keeps {card.name}, which is not in the pool. List it under `pool`, or under `wishes`."
            )
        return Member(replace(deck, cards=cards), wishes, newcomer, keep)

    def joining(self, member: Member, after_death: bool) -> Member:
        """A newcomer begins after a death, where the table has one: only then is the box as open to her as to the others."""
        return replace(member, deck=replace(member.deck, after_death=after_death)) if member.newcomer else member

    def late_name(self, key: Scalar, set_id: str) -> str:
        known = self.facts.characters.get((set_id, name_key(key.text)))
        if known is None:
            names = [each.name for (owner, _), each in self.facts.characters.items() if owner == set_id]
            self.note(
                key, f"There is no character {key.text!r} in {SET_TITLES[set_id]}.{did_you_mean(key.text, names)}"
            )
        return known.name if known else key.text

    def same_set(self, decks: list[tuple[Scalar, Node, Deck | None]], set_id: str) -> None:
        names: set[str] = set()
        for key, _, deck in decks:
            if deck is None:
                continue
            if deck.set != set_id:
                self.note(key, f"{deck.character.name} is of another set. Write `set: {set_id}` or the other for all.")
            if deck.character.name in names:
                self.note(
                    key, f"{deck.character.name} is at the table twice. Let each player choose another character."
                )
            names.add(deck.character.name)

    def stranger(self, node: Scalar, name: str, set_id: str, known: Iterable[str]) -> Located:
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

    def lines(self) -> dict[str, int]:
        """The line at which each name of a pile stands first."""
        found: dict[str, int] = {}
        for text, line in self.names():
            found.setdefault(name_key(text), line)
        return found

    def names(self) -> Iterator[tuple[str, int]]:
        for node in scalars_below(self.file.root):
            yield split_quantity(node.text)[1], node.line
            yield node.text, node.line


def line_of(finding: Finding, lines: dict[str, int], cards: tuple[Card, ...] = ()) -> int:
    """The line of the first card that a finding names; 0 when it names none."""
    named = (*finding.cards, *(card.name for card in cards))
    return next((lines[name_key(name)] for name in named if name_key(name) in lines), 0)
