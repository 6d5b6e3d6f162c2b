"""A final position of Luxor, and the numbers of the game that the source gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kb.games.luxor.sets import Treasures

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
