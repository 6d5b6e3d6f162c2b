"""The games whose decks kb checks: how a deck file is told to be of a game, and which module reads and checks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, cast

from kb.decks.deckfile import DeckFile
from kb.decks.names import did_you_mean, name_key
from kb.decks.nodes import DeckFileError, DeckProblem, Scalar
from kb.decks.report import Report
from kb.decks.ruleset import Check, Ruleset

Records = Callable[[str], list[dict[str, Any]]]


class NewDeckError(ValueError):
    """A deck cannot be begun; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class DeckView:
    """A deck's composition as a small table, for people."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class DeckGame(Protocol):
    """What a game's module offers. `facts` is whatever its `load_facts` made of the game's records."""

    def load_facts(self, records: Records) -> Any:
        """The game's facts; `records(kind)` gives the records of a kind as they stand in `cards/`."""

    def check(self, file: DeckFile, facts: Any) -> Report:
        """Check the deck that a file describes. Raises DeckFileError when it cannot be read."""

    def show(self, file: DeckFile, facts: Any) -> DeckView:
        """A deck's composition. Raises DeckFileError when the file cannot be read."""

    def new_deck(self, character: str, set_id: str | None, facts: Any) -> str | None:
        """A deck file to begin with; None when the game has no such character. Raises NewDeckError."""

    def rulesets(self) -> Mapping[str, Ruleset[Any]]:
        """The game's rulesets by the id of the set (or of the game) they are for."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game with deck rules. `names` are what `game:` may say, `marks` keys that only its deck files have."""

    id: str
    title: str
    module: str
    names: tuple[str, ...] = ()
    marks: frozenset[str] = frozenset()

    def load(self) -> DeckGame:
        """The game's module, imported now."""
        return cast(DeckGame, import_module(self.module))


GAMES = (
    Game(
        id="pathfinder",
        title="Pathfinder Adventure Card Game",
        module="kb.games.pathfinder.decks.desk",
        names=("pacg", "pathfinder acg", "pathfinder adventure card game", "rotr", "mm"),
        marks=frozenset({"character", "card_feats", "from_box"}),
    ),
    Game(
        id="arkham",
        title="Arkham Horror: The Card Game",
        module="kb.games.arkham.decks.desk",
        names=("ahlcg", "arkham horror", "arkham horror lcg"),
        marks=frozenset({"investigator", "investigator_code", "slots", "packs", "taboo", "upgrades", "spirit_deck"}),
    ),
    Game(
        id="tainted-grail",
        title="Tainted Grail: The Fall of Avalon",
        module="kb.games.tainted_grail.decks.desk",
        names=("tainted grail", "fall of avalon", "the fall of avalon"),
        marks=frozenset({"character", "attributes", "starting_attributes", "experience_spent", "combat", "diplomacy"}),
    ),
)


def game_of(file: DeckFile) -> Game:
    """The game of a deck file: what its key `game` says, else the game whose own keys it has.

    Raises DeckFileError when `game` names no game with deck rules, or when nothing tells the game.
    """
    named = file.get("game")
    if isinstance(named, Scalar) and named.text:
        for game in GAMES:
            if name_key(named.text) in map(name_key, (game.id, game.title, *game.names)):
                return game
        known = [game.id for game in GAMES]
        hint = did_you_mean(named.text, known) or f" There are deck rules for {', '.join(known)}."
        raise DeckFileError(file.name, [DeckProblem(named.line, f"Unknown game {named.text!r}.{hint}")])
    keys = file.key_names()
    fitting = [game for game in GAMES if keys & game.marks]
    if fitting:
        return max(fitting, key=lambda game: len(keys & game.marks))
    known_games = ", ".join(f"`game: {game.id}`" for game in GAMES)
    message = f"Nothing says which game the deck is of. Begin the file with {known_games} and `character: NAME`."
    raise DeckFileError(file.name, [DeckProblem(0, message)])


def all_rulesets() -> Iterator[tuple[str, str, Ruleset[Any]]]:
    """Every ruleset with the id of its game and of the set (or game) it is for: what the checker checks."""
    for game in GAMES:
        for set_id, ruleset in game.load().rulesets().items():
            yield game.id, set_id, ruleset


def checks_citing(entry_id: str) -> list[tuple[str, Check[Any]]]:
    """The checks that cite an entry, each once, with the id of their game."""
    found: dict[tuple[str, str], Check[Any]] = {}
    for game, _, ruleset in all_rulesets():
        for check in ruleset.checks:
            if entry_id in check.cites:
                found.setdefault((game, check.id), check)
    return [(game, check) for (game, _), check in found.items()]
