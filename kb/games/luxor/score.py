"""Scores a final position: every line with the entry that states it; what the source does not give is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TypedDict

from kb.citation import Citation
from kb.decks.contract import CitedJson, cited
from kb.decks.reading import one_deck
from kb.games.luxor.position import (
    GAME,
    POINTS_OF_A_KEY,
    SARCOPHAGI,
    Player,
    Position,
    Treasures,
    TreasureSet,
    best_sets,
    read_position,
)
from kb.plural import counted


class ScoreLineJson(TypedDict):
    """A line of a player's score."""

    line: str
    """What is scored."""
    points: int | None
    """Points; null when the file does not give them."""
    detail: str
    """How they come about."""
    ask: str
    """What to add to the file; empty: nothing."""
    cites: list[CitedJson]
    """The entries that state it."""


class PlayerScoreJson(TypedDict):
    """What a player scored."""

    name: str
    """The player."""
    points: int
    """The sum of what is known."""
    complete: bool
    """Whether every line has points."""
    lines: list[ScoreLineJson]
    """Line by line."""


class ScoreJson(TypedDict):
    """A final position, scored."""

    file: str
    """The file."""
    game: str
    """Id of the game."""
    complete: bool
    """Whether nothing has to be asked for."""
    players: list[PlayerScoreJson]
    """The players in the order of the file."""
    most_points: list[str]
    """Who has most; nobody as long as points are missing."""
    tie: bool
    """Whether several have."""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of a player's score. `points` is None when the file does not give them; `ask` says what to add to it."""

    what: str
    points: int | None
    detail: str
    cites: tuple[str, ...]
    ask: str = ""


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """All lines of a player."""

    name: str
    lines: tuple[ScoreLine, ...]

    @property
    def points(self) -> int:
        """The sum of what is known."""
        return sum(line.points or 0 for line in self.lines)

    @property
    def complete(self) -> bool:
        """Whether every line has points."""
        return all(line.points is not None for line in self.lines)


@dataclass(frozen=True, slots=True)
class Score:
    """The scores of all players, in the order of the file."""

    players: tuple[PlayerScore, ...]
    file: str = ""

    @property
    def complete(self) -> bool:
        """Whether nothing has to be asked for."""
        return all(player.complete for player in self.players)

    @property
    def most_points(self) -> tuple[str, ...]:
        """Names of the players with the most points; none as long as points are missing."""
        best = max((player.points for player in self.players), default=0)
        return tuple(player.name for player in self.players if player.points == best) if self.complete else ()

    @property
    def cited(self) -> set[str]:
        """The entries (ids) that lines cite."""
        return {cite for player in self.players for line in player.lines for cite in line.cites}

    def as_json(self, cites: Mapping[str, Citation]) -> ScoreJson:
        """The score as the JSON that scripts rely on."""
        return {
            "file": self.file,
            "game": GAME,
            "complete": self.complete,
            "players": [
                {
                    "name": player.name,
                    "points": player.points,
                    "complete": player.complete,
                    "lines": [
                        {
                            "line": line.what, "points": line.points, "detail": line.detail, "ask": line.ask,
                            "cites": [cited(cite, cites) for cite in line.cites],
                        }
                        for line in player.lines
                    ],
                }
                for player in self.players
            ],
            "most_points": list(self.most_points),
            "tie": len(self.most_points) > 1,
        }  # fmt: skip


def score(file: str | PathLike[str] | None = None, *, text: str | None = None) -> Score:
    """Score a final position in a file or a text: treasure sets at their best, and what the rules do not give is asked for (Luxor).

    Raises DeckFileError when it cannot be read.

    >>> scored = score(text="{players: [{name: Ana, vases: 1, looted: 3, locations: [4], sarcophagi: both}]}")
    >>> scored.players[0].points, scored.most_points
    (15, ('Ana',))
    """
    read = one_deck(None if file is None else fspath(file), text)
    return score_position(read_position(read), read.name)


def score_position(position: Position, file: str = "") -> Score:
    """The score of a final position."""
    return Score(tuple(PlayerScore(player.name, tuple(lines(player, position))) for player in position.players), file)


def lines(player: Player, position: Position) -> Iterator[ScoreLine]:
    """A player's lines: what was scored in the game, then the scoring at its end."""
    yield looted(player)
    yield ScoreLine(
        "sarcophagi",
        sum(SARCOPHAGI[which] for which in player.sarcophagi),
        ", ".join(f"{which} {SARCOPHAGI[which]}" for which in player.sarcophagi) or "none",
        (entry("sarcophagi"),),
    )
    yield listed("scarabs", player.scarabs, "scarab")
    yield locations(player)
    yield keys(player)
    yield treasure_sets(player, position)


def looted(player: Player) -> ScoreLine:
    """Points of looted tiles, which are scored at once in the game."""
    cites = (entry("loot-a-treasure-tile"),)
    treasures = sum(player.treasures.of_each_type)
    if treasures and player.looted_tiles not in (None, treasures):
        ask = (
            f"{player.name} has {treasures} treasure tile{'' if treasures == 1 else 's'}, but `looted:` gives the points of "
            f"{player.looted_tiles}: every treasure tile was looted. Write the points of each, or their sum."
        )
        return ScoreLine("looted tiles", None, "does not fit the treasure tiles", cites, ask)
    if treasures and player.looted == 0:
        ask = f"{player.name} has treasure tiles, but `looted: 0` gives no points for them; a looted tile scores what is printed on it."
        return ScoreLine("looted tiles", None, "does not fit the treasure tiles", cites, ask)
    if player.looted is None and any(player.treasures.of_each_type):
        ask = f"The points of the looted tiles are printed on them. Write `looted:` for {player.name}, their sum or a list."
        return ScoreLine("looted tiles", None, "not in the file", cites, ask)
    return ScoreLine("looted tiles", player.looted or 0, "scored in the game", cites)


def locations(player: Player) -> ScoreLine:
    """Points on the wall beside the adventurers."""
    cites = (entry("scoring-location"),)
    if player.locations is None:
        ask = (
            f"Where the adventurers of {player.name} stand decides, by the scarab shown on the wall. Write "
            "`locations:` with the points beside each, such as [4, 7]."
        )
        return ScoreLine("locations", None, "not in the file", cites, ask)
    return ScoreLine("locations", sum(player.locations), added(player.locations), cites)


def keys(player: Player) -> ScoreLine:
    """Points of the keys left: as the file lists them, or 1 for each of a number of keys."""
    if not isinstance(player.keys, int):
        return listed("keys", player.keys, "scoring-keys")
    if not player.keys:
        return listed("keys", (), "scoring-keys")
    detail = f"{player.keys} at {POINTS_OF_A_KEY} point each, as players' sources say"
    cites = (entry("scoring-keys"), entry("rulings/keys-score-one-point-each"))
    return ScoreLine("keys", player.keys * POINTS_OF_A_KEY, detail, cites)


def listed(what: str, points: tuple[int, ...], cite: str) -> ScoreLine:
    """A line whose points the file lists one by one."""
    return ScoreLine(what, sum(points), added(points), (entry(cite),))


def treasure_sets(player: Player, position: Position) -> ScoreLine:
    """The best number of complete sets, and what the file gives for that many."""
    sets = best_sets(player.treasures)
    cites = (entry("scoring-sets"), entry("treasure-set"), entry("wild-cards-in-sets"))
    points = position.set_points.get(len(sets), None if sets else 0)
    ask = ""
    if points is None:
        ask = f"The summary does not give the points for {counted(len(sets), 'set')}. Write them: `set_points: {{{len(sets)}: POINTS}}`."
    return ScoreLine("treasure sets", points, described(sets, player.treasures), cites, ask)


def described(sets: tuple[TreasureSet, ...], tiles: Treasures) -> str:
    """`3 sets (1 without wild cards, 2 with 1)`, and what is left over."""
    kinds = Counter(each.wild_cards for each in sets)
    parts = [
        f"{number} with {wild or 'no'} {'wild card' if wild == 1 else 'wild cards'}"
        for wild, number in sorted(kinds.items())
    ]
    left = sum(tiles.of_each_type) + tiles.wild_cards - 3 * len(sets)
    over = f", {counted(left, 'tile')} left over" if left else ""
    made = f" ({', '.join(parts)})" if parts else ""
    return f"{counted(len(sets), 'set')}{made}{over}"


def added(points: tuple[int, ...]) -> str:
    """`2 + 3`."""
    return " + ".join(map(str, points)) or "none"


def entry(name: str) -> str:
    """The id of an entry of the game."""
    return f"{GAME}/{name}"
