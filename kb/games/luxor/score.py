"""Scores a final position: every line with the entry that states it. kb asks for values that the source does not give.
An example of the file:

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

`players` may also be a mapping of names to these keys. A missing count is 0 and a missing list is empty, but
kb asks for `looted` and `locations`. The game ends only when both sarcophagi are taken, so the file must list all players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain
from os import PathLike, fspath
from typing import Literal

from kb.citation import Cites
from kb.decks import nodes
from kb.decks.deckfile import DeckFile, refusal
from kb.decks.fields import Fields, parts
from kb.decks.names import both, name_key
from kb.decks.nodes import DeckFileError, DeckProblem, Node, Scalar
from kb.decks.reading import one_deck
from kb.decks.remedies import AnyRemedy, Remedy, Set, in_words
from kb.frozen import frozen
from kb.jsonable import HIDDEN, Jsonable, called, key
from kb.plural import counted


@frozen
class ScoreLine(Jsonable):
    """A line of a player's score."""

    what: str = field(metadata=called("line"))
    """The scored pieces, such as keys."""
    points: int | None
    """Points; null if the file does not give them."""
    detail: str
    """Calculation of the points."""
    cites: Cites
    """The entries that state it."""
    missing: str = field(default="", metadata=HIDDEN)
    remedies: tuple[AnyRemedy, ...] = field(default=(), metadata=HIDDEN)

    @key
    def ask(self) -> str:
        """The reason why the points are missing and the value to add to the file; empty: nothing is missing."""
        return f"{self.missing} {in_words(self.remedies)}".strip()


@frozen
class PlayerScore(Jsonable):
    """The score of a player."""

    name: str
    """The player."""
    lines: tuple[ScoreLine, ...]
    """Line by line."""

    @key
    def points(self) -> int:
        """The sum of the known points."""
        return sum(line.points or 0 for line in self.lines)

    @key
    def complete(self) -> bool:
        """True if every line has points."""
        return all(line.points is not None for line in self.lines)


@frozen
class Score(Jsonable):
    """A final position, scored."""

    players: tuple[PlayerScore, ...]
    """The players in the order of the file."""
    file: str = ""
    """The file."""
    game: str = "luxor"
    """Id of the game."""

    @key
    def complete(self) -> bool:
        """True if no value is missing."""
        return all(player.complete for player in self.players)

    @key
    def most_points(self) -> tuple[str, ...]:
        """The players with the most points; empty while points are missing."""
        best = max((player.points for player in self.players), default=0)
        return tuple(player.name for player in self.players if player.points == best) if self.complete else ()

    @key
    def tie(self) -> bool:
        """True if several players have the most points."""
        return len(self.most_points) > 1


def score(file: str | PathLike[str] | None = None, *, text: str | None = None) -> Score:
    """Score a final position in a file or a text, with the best treasure sets (Luxor). The score asks for values that
    the rules do not give.

    Raises DeckFileError if it cannot be read.

    >>> scored = score(text="{players: [{name: Ana, vases: 1, looted: 3, locations: [4], sarcophagi: both}]}")
    >>> scored.players[0].points, scored.most_points
    (15, ('Ana',))
    """
    read = one_deck(None if file is None else fspath(file), text)
    return score_position(read_position(read), read.name)


def score_position(position: Position, file: str = "") -> Score:
    """Return the score of a final position."""
    return Score(tuple(PlayerScore(player.name, tuple(lines(player, position))) for player in position.players), file)


def lines(player: Player, position: Position) -> Iterator[ScoreLine]:
    """Yield a player's lines: points scored during the game, then the scoring at its end."""
    yield looted(player)
    yield listed(player, "sarcophagi", "sarcophagi")
    yield listed(player, "scarabs", "scarab")
    yield locations(player)
    yield keys_left(player)
    yield treasure_sets(player, position)


def looted(player: Player) -> ScoreLine:
    """Return the points of looted tiles, which are scored during the game."""
    treasures, points = sum(player.tiles[:3]), player.numbers.get("looted")
    detail, missing = "does not fit the treasure tiles", ""
    if treasures and points is None:
        detail, missing = "not in the file", f"{player.name} looted tiles; their points are printed on them."
    elif treasures and isinstance(points, tuple) and len(points) != treasures:
        missing = (
            f"{player.name} has {counted(treasures, 'treasure tile')}, but points for {len(points)} looted tiles. Every treasure "
            "tile was looted."
        )
    elif treasures and points == 0:
        missing = (
            f"{player.name} has treasure tiles, but no points for them. A looted tile scores what is printed on it."
        )
    else:
        detail = "scored in the game"
    remedies: tuple[Remedy, ...] = (
        (Set("looted", who=player.name, why="to the sum of the points, or a list of them"),) if missing else ()
    )
    cites = (entry("loot-a-treasure-tile"),)
    return ScoreLine("looted tiles", None if missing else player.total("looted"), detail, cites, missing, remedies)


def locations(player: Player) -> ScoreLine:
    """Return the points on the wall next to the adventurers."""
    if "locations" in player.numbers:
        return listed(player, "locations", "scoring-location")
    missing = f"Each adventurer of {player.name} scores the points shown with the scarab on the wall of their location."
    remedies = (Set("locations", who=player.name, why="to the points of each adventurer, for example [4, 7]"),)
    return ScoreLine("locations", None, "not in the file", (entry("scoring-location"),), missing, remedies)


def keys_left(player: Player) -> ScoreLine:
    """Return the points of the keys left: as the file lists them, or 1 for each of a number of keys."""
    keys = player.numbers.get("keys", ())
    if not isinstance(keys, int):
        return listed(player, "keys", "scoring-keys")
    detail = f"{keys} at {POINTS_OF_A_KEY} point each, according to players"
    cites = (entry("scoring-keys"), entry("rulings/keys-score-one-point-each"))
    return ScoreLine("keys", keys * POINTS_OF_A_KEY, detail, cites)


def listed(player: Player, key: str, cite: str) -> ScoreLine:
    """Return a line whose points the file lists one by one."""
    return ScoreLine(key, player.total(key), " + ".join(map(str, player.each(key))) or "none", (entry(cite),))


def treasure_sets(player: Player, position: Position) -> ScoreLine:
    """Return the best number of complete sets, and the file's points for that number."""
    sets = sets_of(player.tiles)
    cites = (entry("scoring-sets"), entry("treasure-set"), entry("wild-cards-in-sets"))
    points = position.set_points.get(len(sets), None if sets else 0)
    missing, remedies = "", tuple[Remedy, ...]()
    if points is None:
        missing = f"The rules summary does not give the points for {counted(len(sets), 'set')}."
        remedies = (Set("set_points", why=f"to the points your game gives for {len(sets)}"),)
    parts = [
        f"{number} with {wild or 'no'} {'wild card' if wild == 1 else 'wild cards'}"
        for wild, number in Counter(sets).items()
    ]
    made = f" ({', '.join(parts)})" if parts else ""
    left = sum(player.tiles) - 3 * len(sets)
    over = f", {counted(left, 'tile')} left over" if left else ""
    return ScoreLine("treasure sets", points, f"{counted(len(sets), 'set')}{made}{over}", cites, missing, remedies)


def entry(name: str) -> str:
    """Return the id of an entry of the game."""
    return f"{GAME}/{name}"


def sets_of(tiles: Sequence[int]) -> list[int]:
    """Return the wild cards in each set, the fewest first, for the most complete sets that the tiles (see TILES) can
    form.

    Each set uses treasures of all kinds as far as there are any, and wild cards replace the missing ones. Three wild
    cards are not a set, so there are never more sets than treasures in them. The treasures are dealt evenly.
    """
    *treasures, wild_cards = tiles
    sets = used = 0
    while (more := sum(min(sets + 1, number) for number in treasures)) > sets and 3 * (sets + 1) - more <= wild_cards:
        sets, used = sets + 1, more
    return [3 - used // sets - (place < used % sets) for place in range(sets)]


GAME = "luxor"
TITLE = "Luxor"

# Scarab tokens by their points; the sarcophagi for the first and the second adventurer in the tomb chamber.
SCARAB_TOKENS: Mapping[int, int] = {1: 4, 2: 8, 3: 6, 4: 4}
SARCOPHAGI: Mapping[str, int] = {"first": 5, "second": 3}
# Numbers of other pieces in the box, from the publisher's list of components: the ruling luxor/rulings/which-cards-and-tiles-there-are.
PIECES: Mapping[str, int] = {"vases": 10, "jewelry": 10, "statues": 10, "wild_cards": 18, "keys": 20}

# Not in the summary, but in the ruling luxor/rulings/keys-score-one-point-each.
POINTS_OF_A_KEY = 1


@frozen
class ScoreKey:
    """A key of a player: the question that fills it, the default answer, and whether it contains one number, the
    points of each, or either. No number is above `most`.
    """

    question: str
    holds: Literal["one", "each", "either"] = "one"
    most: int = 99
    default: str = ""


HIGHEST_POINTS = 999
TILES = {
    "vases": ScoreKey("Vases", default="0"),
    "jewelry": ScoreKey("Jewelry", default="0"),
    "statues": ScoreKey("Statues", default="0"),
    "wild_cards": ScoreKey("Wild cards", default="0"),
}
NUMBERS = {
    **TILES,
    "looted": ScoreKey("Points for looted tiles (their sum, or each, with commas)", "either", HIGHEST_POINTS),
    "keys": ScoreKey("Keys left", "either", default="0"),
    "scarabs": ScoreKey("Points on the scarab tokens (with commas)", "each", max(SCARAB_TOKENS)),
    "locations": ScoreKey("Points on the wall next to each adventurer (separated by commas)", "each", HIGHEST_POINTS),
}
KEYS = ("game", "set_points", "players", "notes")
PLAYER_KEYS = (*NUMBERS, "sarcophagi")
SARCOPHAGUS_NAMES: Mapping[str, tuple[int, ...]] = {
    "first": (5,),
    "second": (3,),
    "1st": (5,),
    "2nd": (3,),
    "5": (5,),
    "3": (3,),
    "both": (5, 3),
    "none": (),
}


@frozen
class Player:
    """A player's pieces at the end: for each key of the file a number or, if it is a list, the points of each (also
    for sarcophagi). Keys that the file omits are missing.
    """

    name: str
    numbers: Mapping[str, int | tuple[int, ...]]

    def each(self, key: str) -> tuple[int, ...]:
        """Return the points that the file lists."""
        value = self.numbers.get(key, ())
        return (value,) if isinstance(value, int) else value

    def total(self, key: str) -> int:
        """Return the sum of the points that the file lists."""
        return sum(self.each(key))

    @property
    def tiles(self) -> list[int]:
        """Return the number of tiles of each kind that forms sets."""
        return [self.total(key) for key in TILES]


@frozen
class Position:
    """A final position. `set_points` gives the points for a number of sets, as in the file."""

    players: tuple[Player, ...]
    set_points: Mapping[int, int] = field(default_factory=dict)


def read_position(file: DeckFile) -> Position:
    """Return the position that a file describes. Raises DeckFileError with every problem of the file and its line."""
    fields = Fields(file.root, [])
    game = fields.scalar("game")
    if game is not None and name_key(game.text) != name_key(GAME):
        message = f"This file is for {game.text!r}; write `game: {GAME}`. Decks are checked by `kb deck check`."
        raise refusal(file.name, message, game.line)
    fields.check_keys(KEYS)
    position = Position(tuple(players(fields)), set_points(fields))
    at = fields.get("players") or fields.mapping
    fields.problems.extend(replace(problem, line=at.line) for problem in unlike_an_end(position))
    if fields.problems:
        raise DeckFileError(file.name, fields.problems)
    return position


def set_points(fields: Fields) -> dict[int, int]:
    """Return points by number of sets."""
    below = fields.below("set_points")
    by_number = {
        fields.count(label, "set_points: (number of sets)", 99): fields.count(
            node, f"set_points: {label.text}", HIGHEST_POINTS
        )
        for label, node in (below.mapping.pairs if below else ())
    }
    return {number: points for number, points in by_number.items() if number is not None and points is not None}


def players(fields: Fields) -> Iterator[Player]:
    """Yield the players, from a mapping by name or from a list."""
    node = fields.get("players")
    named: set[str] = set()
    seats: list[tuple[str, Node]] = []
    if isinstance(node, nodes.Mapping):
        seats = [(label.text, inside) for label, inside in node.pairs]
    elif isinstance(node, nodes.Sequence):
        seats = [("", inside) for inside in node.items]
    elif node is not None:
        fields.note(node, "`players` must be a list with a `name:` and more keys for each of them.")
    for label, inside in seats:
        if not isinstance(inside, nodes.Mapping):
            fields.note(inside, "Each player needs the key `name:` and keys for their pieces at the end.")
            continue
        seat = Fields(inside, fields.problems, f"{label or 'players'}: ")
        seat.check_keys(PLAYER_KEYS if label else ("name", *PLAYER_KEYS))
        name = label or seat.text("name") or ""
        if not name:
            fields.note(inside, "This player has no name; write `name:`.")
        elif name_key(name) in named:
            fields.note(inside, f"There are two players with the name {name}.")
        named.add(name_key(name))
        numbers = {key: number for key, about in NUMBERS.items() if (number := number_of(seat, key, about)) is not None}
        entered = tuple(chain(*seat.all_of("sarcophagi", SARCOPHAGUS_NAMES, "sarcophagus")))
        yield Player(name, {**numbers, "sarcophagi": entered})


def number_of(fields: Fields, key: str, about: ScoreKey) -> int | tuple[int, ...] | None:
    """Return a player's value under a key; None if it is missing. Instead of a list of points, a single number may be
    the count of pieces.
    """
    node, label = fields.get(key), f"{fields.where}{key}"
    if node is None:
        return None
    single = isinstance(node, Scalar) and "," not in node.text
    if about.holds == "one" or (single and about.holds == "either"):
        return fields.count(node, label, about.most)
    if single or isinstance(node, nodes.Mapping):
        fields.note(node, f"`{label}` must list the points of each piece, such as [2, 3], or [] if there are none.")
        return ()
    each = (fields.count(part, label, about.most) for part in parts(node))
    return tuple(number for number in each if number is not None)


def unlike_an_end(position: Position) -> Iterator[DeckProblem]:
    """Yield reasons why a game cannot have ended like this: no players, more pieces than exist, or a sarcophagus not
    taken.
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
        numbers = [player.numbers.get(piece, 0) for player in position.players]
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
