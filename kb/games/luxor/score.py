"""Scores a final Luxor position: the game's `scoring` part. Each line of the score cites its rule.

Some points are not in kb's source of the rules. If the file does not contain them either, the score asks for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kb.decks.deckfile import DeckFile
from kb.decks.remedies import Remedy, Set
from kb.decks.scores import PlayerScore, Score, ScoreLine
from kb.games.luxor.form import answers, of, plain, questions, worth_of
from kb.games.luxor.position import GAME, Player, Position, entry, read_position, sets_of
from kb.plural import counted

# The rules summary does not give this number. The entry luxor/rulings/keys-score-one-point-each does.
POINTS_OF_A_KEY = 1
ON_TIE = "The rules summary does not say how to break it."


def scored(file: DeckFile) -> Score:
    """Return the score of the final position in `file`. Tiles are combined into as many treasure sets as possible.

    Raises DeckFileError if the file cannot be read.
    """
    return score_position(read_position(file), file.name)


def score_position(position: Position, file: str = "") -> Score:
    """Return the scores of all players in `position`. `file` is the name of the file, for the result."""
    players = tuple(PlayerScore(player.name, tuple(lines(player, position))) for player in position.players)
    return Score(players, file, GAME, ON_TIE)


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
    treasures, looted = sum(player.tiles[:3]), player.looted
    detail, missing = "does not fit the treasure tiles", ""
    if treasures and looted is None:
        detail, missing = (
            "not in the file",
            f"{player.name} looted tiles, but the file does not give the points printed on them.",
        )
    elif treasures and isinstance(looted, tuple) and len(looted) != treasures:
        missing = (
            f"{player.name} has {counted(treasures, 'treasure tile')}, but points for {len(looted)} looted tiles. Every treasure "
            "tile was looted."
        )
    elif treasures and looted == 0:
        missing = (
            f"{player.name} has treasure tiles, but no points for them. A looted tile scores the points printed on it."
        )
    else:
        detail = "scored in the game"
    remedies: tuple[Remedy, ...] = (
        (Set("looted", who=player.name, why="to the sum of the points, or a list of them"),) if missing else ()
    )
    cites = (entry("loot-a-treasure-tile"),)
    question = of(plain(player.name), "looted") if missing else ""
    points = None if missing else sum(player.each("looted"))
    return ScoreLine("looted tiles", points, detail, cites, missing, remedies, question)


def locations(player: Player) -> ScoreLine:
    """Return the score line for the points on the wall next to the player's adventurers."""
    if player.locations is not None:
        return listed(player, "locations", "scoring-location")
    missing = f"Each adventurer of {player.name} scores the points shown with the scarab on the wall of its location."
    remedies = (Set("locations", who=player.name, why="to the points of each adventurer, for example [4, 7]"),)
    question = of(plain(player.name), "locations")
    return ScoreLine("locations", None, "not in the file", (entry("scoring-location"),), missing, remedies, question)


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
    missing, remedies, question = "", tuple[Remedy, ...](), ""
    if points is None:
        question = worth_of(len(sets)).key_in_form
        missing = f"The rules summary does not give the points for {counted(len(sets), 'set')}."
        remedies = (Set("set_points", why=f"to the points your game gives for {len(sets)}"),)
    parts = [
        f"{number} with {wild or 'no'} {'wild card' if wild == 1 else 'wild cards'}"
        for wild, number in Counter(sets).items()
    ]
    made = f" ({', '.join(parts)})" if parts else ""
    left = sum(player.tiles) - 3 * len(sets)
    over = f", {counted(left, 'tile')} left over" if left else ""
    detail = f"{counted(len(sets), 'set')}{made}{over}"
    return ScoreLine("treasure sets", points, detail, cites, missing, remedies, question)


__all__ = ["answers", "questions", "scored"]
