"""Reads a final Luxor position from a file, and reports positions that a game cannot have ended in.

A missing count is 0 and a missing list is empty, but kb asks for `looted` and `locations`. The game ends only when both
sarcophagi are taken, so the file must list all players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from kb.decks import nodes
from kb.decks.deckfile import DeckFile, refusal
from kb.decks.file_keys import KeyReader, described, key
from kb.decks.names import both, name_key
from kb.decks.nodes import DeckFileError, DeckProblem, Node, Scalar, plain_value
from kb.decks.remedies import Set
from kb.frozen import frozen

GAME = "luxor"

# Number of scarab tokens by their points, and points of the sarcophagi for the first and second adventurer in the tomb.
SCARAB_TOKENS: Mapping[int, int] = {1: 4, 2: 8, 3: 6, 4: 4}
SARCOPHAGI: Mapping[str, int] = {"first": 5, "second": 3}
OTHER_NAMES: Mapping[str, tuple[int, ...]] = {
    "1st": (5,),
    "2nd": (3,),
    "5": (5,),
    "3": (3,),
    "both": (5, 3),
    "none": (),
}
# Numbers of other pieces in the box. They come from the publisher's list of components, which the entry
# luxor/rulings/which-cards-and-tiles-there-are cites.
PIECES: Mapping[str, int] = {"vases": 10, "jewelry": 10, "statues": 10, "wild_cards": 18, "keys": 20}
TILES = ("vases", "jewelry", "statues", "wild_cards")
MOST_PIECES = 99
HIGHEST_POINTS = 999


def tile_count(asks: str, example: str) -> Any:
    """Return a dataclass field for a number of tiles. `asks` is the key's label in the form, `example` the key's value
    in the manual.
    """
    return key("number", example, "how many", int, most=MOST_PIECES, default="0", asks=asks)


@frozen
class Player:
    """A player's pieces at the end of the game. Each kind of piece is stored as a count or as points.

    None means that the file does not give the value.
    """

    name: str = key(
        "text",
        "Ada",
        "the player's name; leave the key out if `players` contains the names as keys",
        str,
        needs="This player has no name; write `name:`.",
    )
    vases: int = tile_count("Vases", "3")
    jewelry: int = tile_count("Jewelry", "2")
    statues: int = tile_count("Statues", "1")
    wild_cards: int = tile_count("Wild cards", "2")
    looted: int | tuple[int, ...] | None = key(
        "number_or_points",
        "[3, 5, 2]",
        "points scored for looted tiles during the game: the sum, or a list; kb asks for these points if there are treasure tiles",
        most=HIGHEST_POINTS,
        asks="Points for looted tiles (the sum, or a list separated by commas)",
    )
    keys: int | tuple[int, ...] = key(
        "number_or_points",
        "2",
        "the number of keys left, or a list of their points: [1, 1]",
        tuple,
        most=MOST_PIECES,
        default="0",
        asks="Keys left",
    )
    scarabs: tuple[int, ...] = key(
        "points",
        "[1, 3]",
        "the points of each scarab token",
        tuple,
        most=max(SCARAB_TOKENS),
        asks="Points on the scarab tokens (separated by commas)",
    )
    locations: tuple[int, ...] | None = key(
        "points",
        "[4, 7]",
        "the points on the wall next to each adventurer; kb asks for these points",
        most=HIGHEST_POINTS,
        asks="Points on the wall next to each adventurer (separated by commas)",
    )
    sarcophagi: tuple[int, ...] = key(
        "sarcophagi", "[first]", "first, second or both", tuple, choices=(*SARCOPHAGI,), asks="Sarcophagi"
    )

    def each(self, key: str) -> tuple[int, ...]:
        """Return the value of the field `key` as a tuple: its numbers, a single number, or nothing."""
        value = getattr(self, key)
        return (value,) if isinstance(value, int) else value or ()

    @property
    def tiles(self) -> list[int]:
        """The numbers of vases, jewelry, statues and wild cards, in this order. Treasure sets consist of these tiles."""
        return [getattr(self, kind) for kind in TILES]


@frozen
class Position:
    """A final position of the game. `set_points` contains the points for each number of treasure sets."""

    game: str = key("game", GAME, "the game", str)
    set_points: Mapping[int, int] = key(
        "set_points", "{1: 4, 2: 9}", "the points for each number of treasure sets", dict, most=HIGHEST_POINTS
    )
    players: tuple[Player, ...] = key(
        "players",
        "[{name: Ada, vases: 3, looted: 9}]",
        "a list of players with the keys below, or a mapping from the players' names to these keys",
        tuple,
    )
    notes: object = key("plain", "a long evening", "your own notes")


class PlayerReader(KeyReader):
    """Reads a player's keys. Each method reads the kind of value that it is named after; `name` is the key."""

    def number_or_points(self, name: str, most: int) -> int | tuple[int, ...] | None:
        """Return the value of the key `name`: a single number, or the points of each piece as a tuple."""
        node = self.get(name)
        return self.number(name, most) if isinstance(node, Scalar) and "," not in node.text else self.points(name, most)

    def points(self, name: str, most: int) -> tuple[int, ...]:
        """Return the points of each piece under the key `name`. A value that is not a list is reported."""
        node, label = self.get(name), f"{self.where}{name}"
        if isinstance(node, nodes.Mapping) or (isinstance(node, Scalar) and "," not in node.text):
            self.note(node, f"`{label}` must list the points of each piece, such as [2, 3], or [] if there are none.")
            return ()
        each = (self.count(part, label, most) for part in self.listed(name))
        return tuple(number for number in each if number is not None)

    def sarcophagi(self, name: str, choices: tuple[str, ...]) -> tuple[int, ...]:
        """Return the points of the sarcophagi that the file names, such as `first` or `both`."""
        known = {**{each: (SARCOPHAGI[each],) for each in choices}, **OTHER_NAMES}
        return tuple(chain(*self.all_of(name, known, "sarcophagus")))


class PositionReader(KeyReader):
    """Reads the keys of the file. Each method reads the kind of value that it is named after; `name` is the key."""

    def __init__(self, file: DeckFile) -> None:
        super().__init__(file.root, [])
        self.file = file.name

    def game(self, name: str) -> str:
        """Return the id of the game, `luxor`. Raises DeckFileError if the file names another game."""
        game = self.scalar(name)
        if game is not None and name_key(game.text) != name_key(GAME):
            message = f"This file is for {game.text!r}; write `game: {GAME}`. Decks are checked by `kb deck check`."
            raise refusal(self.file, message, game.line)
        return GAME

    def set_points(self, name: str, most: int) -> dict[int, int]:
        """Return the points for treasure sets, by the number of sets."""
        below = self.below(name)
        by_number = {
            self.count(label, f"{name}: (number of sets)", MOST_PIECES): self.count(node, f"{name}: {label.text}", most)
            for label, node in (below.mapping.pairs if below else ())
        }
        return {number: points for number, points in by_number.items() if number is not None and points is not None}

    def players(self, name: str) -> tuple[Player, ...]:
        """Return the players. The file may list them, or contain a mapping from their names to their keys."""
        node = self.get(name)
        seats: list[tuple[str, Node]] = []
        if isinstance(node, nodes.Mapping):
            seats = [(label.text, inside) for label, inside in node.pairs]
        elif isinstance(node, nodes.Sequence):
            seats = [("", inside) for inside in node.items]
        elif node is not None:
            self.note(node, f"`{name}` must be a list. Each player in it needs a `name:` and keys for their pieces.")
        read: list[Player] = []
        for label, inside in seats:
            if not isinstance(inside, nodes.Mapping):
                self.note(
                    inside,
                    "Each player needs the key `name:` and keys for the pieces they have at the end of the game.",
                )
                continue
            player = self.player(label, inside)
            if not player.name:
                self.note(inside, described(Player)["name"].needs)
            elif name_key(player.name) in (name_key(each.name) for each in read):
                self.note(inside, f"There are two players with the name {player.name}.")
            read.append(player)
        return tuple(read)

    def player(self, label: str, inside: nodes.Mapping) -> Player:
        """Return the player whose keys are in `inside`. If there is a `label` above the keys, it is the player's
        name. Otherwise the key `name` gives the name.
        """
        seat = PlayerReader(inside, self.problems, f"{label or 'players'}: ")
        values = seat.values(Player, without=("name",) if label else ())
        return Player(**{**values, "name": label or values.get("name", "")})

    def plain(self, name: str) -> object:
        """Return the value of the key `name` unchanged, because kb stores it without using it."""
        node = self.get(name)
        return None if node is None else plain_value(node)


def sets_of(tiles: Sequence[int]) -> list[int]:
    """Return as many treasure sets as `tiles` can form. A set is given as its number of wild cards, the fewest first.

    `tiles` are the numbers of vases, jewelry, statues and wild cards. A set has three tiles. It has at most one
    treasure of each kind, and wild cards replace the missing ones. Three wild cards are not a set, so each set contains
    a treasure. The treasures are spread evenly over the sets.
    """
    *treasures, wild_cards = tiles
    sets = used = 0
    while (more := sum(min(sets + 1, number) for number in treasures)) > sets and 3 * (sets + 1) - more <= wild_cards:
        sets, used = sets + 1, more
    return [3 - used // sets - (place < used % sets) for place in range(sets)]


def entry(name: str) -> str:
    """Return the id of the Luxor rules entry that is called `name`."""
    return f"{GAME}/{name}"


def read_position(file: DeckFile) -> Position:
    """Return the final position that `file` describes.

    Raises DeckFileError with all problems in the file and their lines.
    """
    reader = PositionReader(file)
    position = Position(**reader.values(Position))
    at = reader.get("players") or reader.mapping
    reader.problems.extend(replace(problem, line=at.line) for problem in unlike_an_end(position))
    if reader.problems:
        raise DeckFileError(file.name, reader.problems)
    return position


def unlike_an_end(position: Position) -> Iterator[DeckProblem]:
    """Yield a problem for each reason why no game can end in this position.

    The reasons are: no players, more pieces than the box contains, or a sarcophagus that no player has.
    """
    if not position.players:
        remedies = (Set("players", why="to a list with a name and pieces for each player"),)
        yield DeckProblem(0, "No player is named.", remedies=remedies)
        return
    supplies = [
        *(
            (f"scarab tokens worth {points}", "scarabs", points, there)
            for points, there in {0: 0, **SCARAB_TOKENS}.items()
        ),
        *((f"copies of the {which} sarcophagus", "sarcophagi", points, 1) for which, points in SARCOPHAGI.items()),
    ]
    for what, supply, points, there in supplies:
        taken = sum(player.each(supply).count(points) for player in position.players)
        if taken > there:
            cite = entry("scarab" if supply == "scarabs" else supply)
            yield DeckProblem(0, f"Players have {taken} {what}; the game has {there}.", cite=cite)
    for piece, there in PIECES.items():
        numbers = [getattr(player, piece) for player in position.players]
        taken = sum(number if isinstance(number, int) else len(number) for number in numbers)
        if taken > there:
            cite = entry("rulings/which-cards-and-tiles-there-are")
            yield DeckProblem(0, f"Players have {taken} {piece.replace('_', ' ')}; the game has {there}.", cite=cite)
    entered = {points for player in position.players for points in player.each("sarcophagi")}
    if missing := [which for which, points in SARCOPHAGI.items() if points not in entered]:
        yield DeckProblem(
            0,
            f"No one has the {both(missing)} sarcophagus, so this is not a final position. The game ends once the second adventurer "
            "has entered the tomb chamber.",
            cite=entry("end-of-the-game"),
            remedies=(Set("sarcophagi", choices=("[first]", "[second]", "both"), why="for each player who has one"),),
        )
