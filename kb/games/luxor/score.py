"""Scores a final Luxor position. Each line of the score cites its rule.

Some points are not in kb's source of the rules. If the file does not contain them either, the score asks for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from os import PathLike, fspath

from kb.citation import Cites
from kb.decks.reading import one_deck
from kb.decks.remedies import AnyRemedy, Remedy, Set, in_words
from kb.frozen import frozen
from kb.games.luxor.position import Player, Position, entry, read_position
from kb.plural import counted
from kb.shapes import Jsonable, computed, key


@frozen
class ScoreLine(Jsonable):
    """The points of a player for one kind of piece, such as keys."""

    what: str = key(name="line")
    """The scored pieces, such as keys."""
    points: int | None
    """The points; null if the file does not give them."""
    detail: str
    """How the points add up, or why they are missing."""
    cites: Cites
    """The rules entries that state how the pieces score."""
    missing: str = key("hidden", default="")
    remedies: tuple[AnyRemedy, ...] = key("hidden", default=())

    @computed
    def ask(self) -> str:
        """The reason why the points are missing, and the value to add to the file; empty if they are not missing."""
        return f"{self.missing} {in_words(self.remedies)}".strip()


@frozen
class PlayerScore(Jsonable):
    """All points of one player."""

    name: str
    """The player's name."""
    lines: tuple[ScoreLine, ...]
    """The points for each kind of piece."""

    @computed
    def points(self) -> int:
        """The sum of the points that are known."""
        return sum(line.points or 0 for line in self.lines)

    @computed
    def complete(self) -> bool:
        """True if no points of the player are missing."""
        return all(line.points is not None for line in self.lines)


@frozen
class Score(Jsonable):
    """The scores of all players in a final position."""

    players: tuple[PlayerScore, ...]
    """The scores of the players, in the order of the file."""
    file: str = ""
    """The name of the file with the final position."""
    game: str = "luxor"
    """The id of the game."""

    @computed
    def complete(self) -> bool:
        """True if the points of every player are known."""
        return all(player.complete for player in self.players)

    @computed
    def most_points(self) -> tuple[str, ...]:
        """The names of the players with the most points; empty while points are missing."""
        best = max((player.points for player in self.players), default=0)
        return tuple(player.name for player in self.players if player.points == best) if self.complete else ()

    @computed
    def tie(self) -> bool:
        """True if several players have the most points."""
        return len(self.most_points) > 1


def score(file: str | PathLike[str] | None = None, *, text: str | None = None) -> Score:
    """Score a final Luxor position. Tiles are combined into as many treasure sets as possible.

    The position is read from `file` or, without a file, from `text`. If the file lacks a value that the rules do not
    give, the result says which value to add. Raises DeckFileError if the position cannot be read.

    >>> scored = score(text="{players: [{name: Ana, vases: 1, looted: 3, locations: [4], sarcophagi: both}]}")
    >>> scored.players[0].points, scored.most_points
    (15, ('Ana',))
    """
    read = one_deck(None if file is None else fspath(file), text)
    return score_position(read_position(read), read.name)


def score_position(position: Position, file: str = "") -> Score:
    """Return the scores of all players in `position`. `file` is the name of the file, for the result."""
    return Score(tuple(PlayerScore(player.name, tuple(lines(player, position))) for player in position.players), file)


def lines(player: Player, position: Position) -> Iterator[ScoreLine]:
    """Yield the lines of a player's score: points scored during the game first, then points scored at its end."""
    yield looted(player)
    yield listed(player, "sarcophagi", "sarcophagi")
    yield listed(player, "scarabs", "scarab")
    yield locations(player)
    yield keys_left(player)
    yield treasure_sets(player, position)


def looted(player: Player) -> ScoreLine:
    """Return the score line for looted tiles, which score during the game. It asks for points that the file lacks."""
    treasures, points = sum(player.tiles[:3]), player.looted
    detail, missing = "does not fit the treasure tiles", ""
    if treasures and points is None:
        detail, missing = (
            "not in the file",
            f"{player.name} looted tiles, but the file does not give the points printed on them.",
        )
    elif treasures and isinstance(points, tuple) and len(points) != treasures:
        missing = (
            f"{player.name} has {counted(treasures, 'treasure tile')}, but points for {len(points)} looted tiles. Every treasure "
            "tile was looted."
        )
    elif treasures and points == 0:
        missing = (
            f"{player.name} has treasure tiles, but no points for them. A looted tile scores the points printed on it."
        )
    else:
        detail = "scored in the game"
    remedies: tuple[Remedy, ...] = (
        (Set("looted", who=player.name, why="to the sum of the points, or a list of them"),) if missing else ()
    )
    cites = (entry("loot-a-treasure-tile"),)
    return ScoreLine("looted tiles", None if missing else sum(player.each("looted")), detail, cites, missing, remedies)


def locations(player: Player) -> ScoreLine:
    """Return the score line for the points on the wall next to the player's adventurers."""
    if player.locations is not None:
        return listed(player, "locations", "scoring-location")
    missing = f"Each adventurer of {player.name} scores the points shown with the scarab on the wall of its location."
    remedies = (Set("locations", who=player.name, why="to the points of each adventurer, for example [4, 7]"),)
    return ScoreLine("locations", None, "not in the file", (entry("scoring-location"),), missing, remedies)


def keys_left(player: Player) -> ScoreLine:
    """Return the score line for the keys that the player still has.

    The file lists the points of each key, or only the number of keys. In the second case each key scores 1 point.
    """
    keys = player.keys
    if not isinstance(keys, int):
        return listed(player, "keys", "scoring-keys")
    detail = f"{keys} at {POINTS_OF_A_KEY} point each, according to players"
    cites = (entry("scoring-keys"), entry("rulings/keys-score-one-point-each"))
    return ScoreLine("keys", keys * POINTS_OF_A_KEY, detail, cites)


def listed(player: Player, key: str, cite: str) -> ScoreLine:
    """Return the score line for the pieces in the field `key`, from their points in the file. The line cites `cite`."""
    points = player.each(key)
    return ScoreLine(key, sum(points), " + ".join(map(str, points)) or "none", (entry(cite),))


def treasure_sets(player: Player, position: Position) -> ScoreLine:
    """Return the score line for treasure sets: as many complete sets as possible, with the file's points for them."""
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


# The rules summary does not give this number. The entry luxor/rulings/keys-score-one-point-each does.
POINTS_OF_A_KEY = 1
