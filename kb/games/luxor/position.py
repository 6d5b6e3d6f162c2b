"""Reads a final position of Luxor: from a parsed file to a `Position`, or all that is wrong with the file.

    game: luxor
    set_points: {1: 4, 2: 9, 3: 15}    # points for a number of sets; the source does not give them: look at your game
    players:
      - name: Ada
        vases: 3                # treasure tiles, counted
        jewelry: 2
        statues: 1
        wild_cards: 2
        looted: 23              # points scored for looted tiles in the game; or the tiles: [3, 5, 2]
        keys: 2                 # how many keys are left, 1 point each; or the points on each: [1, 1]
        scarabs: [1, 3]         # the points of each scarab token
        locations: [4, 7]       # the points on the wall beside each adventurer
        sarcophagi: [first]     # first (5 points), second (3 points), or both
      - {name: Ben, looted: 9, locations: [2], sarcophagi: [second]}

`players` may also be a mapping of names to such keys. A count that is left out is 0, a list that is left out is empty;
`looted` and `locations` are asked for. The game is over only when both sarcophagi are taken, so all players must be there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from kb.decks import nodes
from kb.decks.deckfile import DeckFile, refusal
from kb.decks.fields import Fields, parts
from kb.decks.names import name_key
from kb.decks.nodes import DeckFileError, Node, Scalar, Sequence

TREASURES = ("vase", "jewelry", "statue")
MOST_WILD_CARDS_IN_A_SET = 2


@dataclass(frozen=True, slots=True)
class Treasures:
    """The treasure tiles and wild card tiles of a player."""

    vases: int = 0
    jewelry: int = 0
    statues: int = 0
    wild_cards: int = 0

    @property
    def of_each_type(self) -> tuple[int, int, int]:
        """Vases, jewelry, statues."""
        return self.vases, self.jewelry, self.statues


@dataclass(frozen=True, slots=True)
class TreasureSet:
    """One complete set: the types that are there as treasures, in order; wild cards stand for the others."""

    treasures: tuple[str, ...]

    @property
    def wild_cards(self) -> int:
        """Wild cards in the set."""
        return len(TREASURES) - len(self.treasures)


def can_make(tiles: Treasures, sets: int) -> bool:
    """Whether the tiles make that many complete sets.

    A treasure is worth more than a wild card, which can stand in for it, so each set that can have its own vase has it,
    and so on; at most one of each type goes into a set. What is missing must be there in wild cards. A set of three
    wild cards is not allowed, so every set needs a treasure: there must be at least as many as sets.
    """
    used = sum(min(sets, number) for number in tiles.of_each_type)
    return (
        used >= sets * (len(TREASURES) - MOST_WILD_CARDS_IN_A_SET) and len(TREASURES) * sets - used <= tiles.wild_cards
    )


def most_sets(tiles: Treasures) -> int:
    """The largest number of complete sets. With one set fewer everything still fits, so the first that fails is the limit."""
    sets = 0
    while can_make(tiles, sets + 1):
        sets += 1
    return sets


def best_sets(tiles: Treasures) -> tuple[TreasureSet, ...]:
    """As many complete sets as the tiles make, those with the fewest wild cards first."""
    sets = most_sets(tiles)
    held: list[list[str]] = [[] for _ in range(sets)]
    for treasure, place in _dealt(tiles, sets):
        held[place].append(treasure)
    return tuple(sorted((TreasureSet(tuple(inside)) for inside in held), key=lambda each: each.wild_cards))


def _dealt(tiles: Treasures, sets: int) -> Iterator[tuple[str, int]]:
    """Each treasure with the set it goes to: dealt around, so that no set is passed over and none gets a type twice."""
    place = 0
    for treasure, number in zip(TREASURES, tiles.of_each_type, strict=True):
        for _ in range(min(number, sets)):
            yield treasure, place % sets
            place += 1


GAME = "luxor"
TITLE = "Luxor"

# Scarab tokens by their points; the sarcophagi for the first and the second adventurer in the tomb chamber.
SCARAB_TOKENS: Mapping[int, int] = {1: 4, 2: 8, 3: 6, 4: 4}
SARCOPHAGI: Mapping[str, int] = {"first": 5, "second": 3}

# Not in the summary, but in the ruling luxor/rulings/keys-score-one-point-each.
POINTS_OF_A_KEY = 1


@dataclass(frozen=True, slots=True)
class Player:
    """What a player has at the end; None stands for what the file does not say.

    `looted` are the points scored for looted tiles during the game, `looted_tiles` how many these are (where each is given).
    `keys` are the points on the keys, or their number alone; `locations` those on the wall beside each adventurer, `scarabs`
    those of the tokens. `sarcophagi` are `first` and `second`.
    """

    name: str
    treasures: Treasures = field(default_factory=Treasures)
    looted: int | None = None
    looted_tiles: int | None = None
    keys: tuple[int, ...] | int = ()
    scarabs: tuple[int, ...] = ()
    locations: tuple[int, ...] | None = None
    sarcophagi: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """A final position. `set_points` gives the points for a number of sets, as the file says them."""

    players: tuple[Player, ...]
    set_points: Mapping[int, int] = field(default_factory=dict)


KEYS = ("game", "set_points", "players", "notes")
PLAYER_KEYS = ("vases", "jewelry", "statues", "wild_cards", "looted", "keys", "scarabs", "locations", "sarcophagi")
MOST_TILES = 99
HIGHEST_POINTS = 999
SARCOPHAGUS_NAMES = {
    "first": "first", "second": "second", "1st": "first", "2nd": "second",
    "both": "both", "none": "none", **{str(points): which for which, points in SARCOPHAGI.items()},
}  # fmt: skip


def read_position(file: DeckFile) -> Position:
    """The position that a file describes. Raises DeckFileError with every problem of the file and its line."""
    return _PositionReader(file).read()


class _PositionReader(Fields):
    def __init__(self, file: DeckFile) -> None:
        super().__init__(file.root, [])
        self.file = file

    def read(self) -> Position:
        game = self.scalar("game")
        if game is not None and name_key(game.text) != name_key(GAME):
            message = f"This is a file of {game.text!r}; write `game: {GAME}`. Decks are checked by `kb deck check`."
            raise refusal(self.file.name, message, game.line)
        self.check_keys(KEYS)
        position = Position(tuple(self.players()), self.set_points())
        if not position.players and not self.problems:
            self.note(self.mapping, "No player is named. Write `players:` with a `name:` and what each of them has.")
        self.check_supply(position)
        if self.problems:
            raise DeckFileError(self.file.name, self.problems)
        return position

    def set_points(self) -> dict[int, int]:
        """Points by number of sets."""
        fields = self.below("set_points")
        found: dict[int, int] = {}
        for label, node in fields.mapping.pairs if fields else ():
            number = self.count(label, "set_points: (number of sets)", MOST_TILES)
            points = self.count(node, f"set_points: {label.text}", HIGHEST_POINTS)
            if number is not None and number in found:
                self.note(label, f"`set_points` names {number} sets twice.")
            if number is not None and points is not None:
                found[number] = points
        return found

    def players(self) -> Iterator[Player]:
        node = self.get("players")
        named: set[str] = set()
        for label, inside in self.seats(node):
            fields = Fields(inside, self.problems, f"{label.text}: " if label else "players: ")
            fields.check_keys(PLAYER_KEYS if label else ("name", *PLAYER_KEYS))
            name = label.text if label else fields.text("name")
            if not name:
                self.note(inside, "This player has no name; write `name:`.")
            elif name_key(name) in named:
                self.note(inside, f"There are two players with the name {name}.")
            named.add(name_key(name or ""))
            yield player(fields, name or "")

    def seats(self, node: Node | None) -> Iterator[tuple[Scalar | None, nodes.Mapping]]:
        """Each player's keys, with the name where it stands before them."""
        if isinstance(node, nodes.Mapping):
            for label, inside in node.pairs:
                if isinstance(inside, nodes.Mapping):
                    yield label, inside
                else:
                    self.note(inside, f"`{label.text}` must hold keys such as {', '.join(PLAYER_KEYS[:3])}.")
            return
        if isinstance(node, Scalar):
            self.note(node, "`players` must be a list with a `name:` and more keys for each of them.")
            return
        for inside in node.items if node else ():
            if isinstance(inside, nodes.Mapping):
                yield None, inside
            else:
                self.note(inside, "Each player must have keys: `name:`, and what they have at the end.")

    def check_supply(self, position: Position) -> None:
        """Scarab tokens and sarcophagi are there once; more than there are cannot have been taken."""
        players = self.get("players") or self.mapping
        taken = Counter(points for player in position.players for points in player.scarabs)
        for points, there in SCARAB_TOKENS.items():
            if taken[points] > there:
                self.note(
                    players,
                    f"{taken[points]} scarab tokens with {points} are taken; there are {there} of them (luxor/scarab).",
                )
        entered = Counter(which for player in position.players for which in player.sarcophagi)
        for which, points in SARCOPHAGI.items():
            if entered[which] > 1:
                self.note(
                    players,
                    f"The {which} sarcophagus ({points} points) is taken {entered[which]} times; there is one (luxor/sarcophagi).",
                )
        if not position.players:
            return
        if entered["second"] and not entered["first"]:
            self.note(players, "The second sarcophagus is taken, but nobody has the first (luxor/sarcophagi).")
        elif not entered["second"]:
            nobody = "the second sarcophagus" if entered["first"] else "a sarcophagus"
            self.note(
                players,
                f"Nobody has {nobody}, so this is not a final position: the game ends once the second adventurer has entered the "
                "tomb chamber (luxor/end-of-the-game). Say who has the first and who the second sarcophagus (`sarcophagi: [first]`, `[second]` "
                "or `both`).",
            )


def player(fields: Fields, name: str) -> Player:
    """One player's keys."""
    vases, jewelry, statues, wild_cards = (fields.number(key, MOST_TILES) or 0 for key in PLAYER_KEYS[:4])
    looted = fields.get("looted")
    tiles: tuple[int, ...] | None = None
    if isinstance(looted, Scalar) and "," not in looted.text:
        points = fields.count(looted, f"{fields.where}looted", HIGHEST_POINTS)
    else:
        tiles = numbers(fields, "looted", HIGHEST_POINTS)
        points = None if tiles is None else sum(tiles)
    return Player(
        name=name,
        treasures=Treasures(vases, jewelry, statues, wild_cards),
        looted=points,
        looted_tiles=None if tiles is None else len(tiles),
        keys=keys(fields),
        scarabs=tuple(scarabs(fields)),
        locations=numbers(fields, "locations", HIGHEST_POINTS),
        sarcophagi=tuple(sarcophagi(fields)),
    )


def keys(fields: Fields) -> tuple[int, ...] | int:
    """The points on each key, or the number of keys left."""
    node = fields.get("keys")
    if isinstance(node, Scalar) and "," not in node.text:
        return fields.count(node, f"{fields.where}keys", MOST_TILES) or 0
    return numbers(fields, "keys", HIGHEST_POINTS) or ()


def sarcophagi(fields: Fields) -> Iterator[str]:
    """`first`, `second`, or `both` of them."""
    for node in fields.listed("sarcophagi"):
        which = fields.choose(node, SARCOPHAGUS_NAMES, "sarcophagus")
        if which == "both":
            yield from SARCOPHAGI
        elif which is not None and which != "none":
            yield which


def numbers(fields: Fields, key: str, highest: int) -> tuple[int, ...] | None:
    """A list of numbers; None when the key is missing.

    A single number is refused, because it may be meant as how many there are.
    """
    node = fields.get(key)
    if node is None:
        return None
    if not isinstance(node, Sequence) and len(parts(node)) < 2:
        fields.note(
            node, f"`{fields.where}{key}` must list the points of each, such as [2, 3]; [] when there are none."
        )
        return ()
    counted = (fields.count(part, f"{fields.where}{key}", highest) for part in parts(node))
    return tuple(number for number in counted if number is not None)


def scarabs(fields: Fields) -> Iterator[int]:
    """The points of scarab tokens, each of a value that there is."""
    for points in numbers(fields, "scarabs", HIGHEST_POINTS) or ():
        if points in SCARAB_TOKENS:
            yield points
        else:
            known = ", ".join(map(str, SCARAB_TOKENS))
            fields.note(
                fields.get("scarabs") or fields.mapping,
                f"There is no scarab token with {points}; they have {known} (luxor/scarab).",
            )
