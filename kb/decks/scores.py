"""Scores of final positions: the interface of a game's `scoring` part, and the score that it returns."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from typing import Protocol, cast

from kb import registry
from kb.citation import Cites
from kb.decks.deckfile import DeckFile, refusal
from kb.decks.games import game_named
from kb.decks.names import both, did_you_mean
from kb.decks.nodes import Scalar
from kb.decks.questions import Conversation
from kb.decks.reading import one_deck
from kb.decks.remedies import AnyRemedy, in_words
from kb.errors import KbError
from kb.frozen import frozen
from kb.registry import About
from kb.shapes import Jsonable, computed, key


class NoScoresError(KbError, LookupError):
    """kb does not score final positions of a game; the message is written for users."""


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
    """A sentence that says why points are missing; empty if they are not."""
    remedies: tuple[AnyRemedy, ...] = key("hidden", default=())
    """The values to add to the file."""
    question: str = key("hidden", default="")
    """The key of the form's question that asks for the missing points."""

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
    file: str
    """The name of the file with the final position."""
    game: str
    """The id of the game."""
    on_tie: str = key("hidden", default="")
    """A sentence that says what decides a tie."""

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


class Scoring(Protocol):
    """Interface of a game's `scoring` part, for games whose final positions kb scores."""

    def questions(self) -> Conversation:
        """Ask for a final position. The result of the conversation is the keys and values of its file."""

    def answers(self, file: DeckFile) -> dict[str, str]:
        """Return the answers that a file contains, by the keys of the questions. Raises DeckFileError if the file
        cannot be read.
        """

    def scored(self, file: DeckFile) -> Score:
        """Return the score of the final position in `file`. Raises DeckFileError if the file cannot be read."""


def with_scores() -> list[About]:
    """Return the games whose final positions kb scores."""
    return [about for about in registry.games().values() if registry.part(about.id, "scoring") is not None]


def scoring_of(game: str) -> Scoring:
    """Return the `scoring` part of a game, given by id. Raises NoScoresError if the game has none."""
    scored = with_scores()
    if game not in [about.id for about in scored]:
        hint = did_you_mean(game, [name for about in scored for name in about.names])
        titles = both(about.title for about in scored)
        raise NoScoresError(f"kb does not score final positions of {game!r}.{hint or f' It scores {titles}.'}")
    return cast(Scoring, registry.part(game, "scoring"))


def score(file: str | PathLike[str] | None = None, *, text: str | None = None, game: str | None = None) -> Score:
    """Score a final position. It is read from `file` or, without a file, from `text`.

    `game` is the name of the game; without it, the key `game` of the file decides, or else the only game that kb
    scores. If the file lacks a value that the rules do not give, the result says which value to add. Raises
    DeckFileError if the position cannot be read, and NoScoresError (a KbError) if kb does not score the game.

    >>> scored = score(text="{players: [{name: Ana, vases: 1, looted: 3, locations: [4], sarcophagi: both}]}")
    >>> scored.players[0].points, scored.most_points
    (15, ('Ana',))
    """
    read = one_deck(None if file is None else fspath(file), text)
    return scoring_of(_game_of(read, game)).scored(read)


def _game_of(file: DeckFile, named: str | None) -> str:
    """Return the id of the game that a final position is for: the game called `named`, or else the game in `file`. An
    unknown name is returned unchanged. Raises DeckFileError if nothing identifies the game.
    """
    in_file = file.get("game")
    name = named or (in_file.text if isinstance(in_file, Scalar) else "")
    if name:
        about = game_named(name)
        return about.id if about else name
    scored: Sequence[About] = with_scores()
    if len(scored) != 1:
        begins = " or ".join(f"`game: {about.id}`" for about in scored)
        raise refusal(file.name, f"Can't tell which game this final position is for. Begin the file with {begins}.")
    return scored[0].id
