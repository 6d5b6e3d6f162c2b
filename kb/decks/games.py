"""The games whose decks kb checks: how kb detects the game of a deck file, and the interfaces of a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol, cast

from kb import registry
from kb.decks.deckfile import DeckFile, refusal
from kb.decks.names import did_you_mean, name_key
from kb.decks.nodes import Scalar
from kb.decks.problems import Check
from kb.decks.report import Report
from kb.decks.ruleset import Ruleset
from kb.errors import KbError
from kb.frozen import frozen
from kb.registry import About
from kb.shapes import Jsonable, key

COUNTED = re.compile(r"\s*[-•*]?\s*\d+ ?[x×] ?\S", re.IGNORECASE)
"""A line of a plain list: copies and a card."""
NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})
Records = Callable[[str], Sequence[dict[str, Any]]]


class NoRulesError(KbError, LookupError):
    """A game has no deck rules; the message is written for users."""


class NewDeckError(KbError, ValueError):
    """A new deck cannot be created; the message is written for users."""


@frozen
class DeckView(Jsonable):
    """A deck's composition as a small table."""

    heading: str
    """The deck's owner and campaign progress."""
    columns: tuple[str, ...]
    """The column headings."""
    rows: tuple[tuple[str, ...], ...]
    """The rows, each with a text for every column."""


@frozen
class ShownDeck(Jsonable):
    """A deck's file with its composition."""

    file: str
    """The deck's file, followed by a number if the file contains several decks."""
    view: DeckView = key("flat")


class Decks(Protocol):
    """Interface of a game's `decks` part, which contains its deck rules. `facts` is the value that `load_facts`
    returned.
    """

    def load_facts(self, records: Records) -> Any:
        """Build and return the game's facts; `records(kind)` returns the records of one kind from `cards/`."""

    def check(self, file: DeckFile, facts: Any, options: Mapping[str, Any] = NO_OPTIONS) -> Report:
        """Check the deck in `file` and return the report. `options` are check options by name; the game's `game.yaml`
        lists them.

        Raises DeckFileError if the file cannot be read or an option does not apply.
        """

    def show(self, file: DeckFile, facts: Any) -> DeckView:
        """Return the composition of a deck. Raises DeckFileError if the file cannot be read."""

    def new_deck(self, character: str, set_id: str | None, facts: Any) -> str | None:
        """Return the text of a new deck file for `character` of the set `set_id`; None if the game has no such
        character. Raises NewDeckError if the deck cannot be created.
        """

    def rulesets(self) -> Mapping[str, Ruleset[Any]]:
        """Return the game's rulesets by the id of the set (or of the game) that they apply to."""


RulesOf = Callable[[str], tuple[Decks, Any]]
"""A function from a game's id to its deck rules and its facts."""


def decks_of(game: str) -> Decks:
    """Return the `decks` part of a game, which contains its deck rules. Raises NoRulesError if the game has none."""
    part = registry.part(game, "decks")
    if part is None:
        raise NoRulesError(f"The game {game!r} has no deck rules: its `game` object has no `decks`.")
    return cast(Decks, part)


def with_decks() -> list[About]:
    """Return the games with deck rules: those whose deck files kb can recognize."""
    return [about for about in registry.games().values() if about.marks]


def game_named(text: str) -> About | None:
    """Return the game with this name, preferring games with deck rules; None if there is none."""
    wanted = name_key(text)
    named = [about for about in registry.games().values() if wanted in map(name_key, about.names)]
    return next((about for about in named if about.marks), named[0] if named else None)


def game_of(file: DeckFile) -> About:
    """Return the game that a deck file is for: the game named by the key `game`, or else the game whose keys the file
    uses.

    Without such keys, the key `set` decides. A plain list that has none of these belongs to the game chosen with `kb
    use`, or to a game that accepts bare lists. Raises DeckFileError if `game` names no game with deck rules, or if
    nothing identifies the game.
    """
    named = file.get("game")
    if named is not None and not isinstance(named, Scalar):
        raise refusal(file.name, "`game` must be one value, the name of a game.", named.line)
    if isinstance(named, Scalar) and named.text:
        about = game_named(named.text)
        if about is not None and about.marks:
            return about
        if about is not None and about.instead:
            raise refusal(file.name, about.instead, named.line)
        known = [about.id for about in with_decks()]
        names = [name for about in with_decks() for name in about.names]
        hint = (
            did_you_mean(named.text, known)
            or did_you_mean(named.text, names)
            or f" kb has deck rules for {', '.join(known)}."
        )
        raise refusal(file.name, f"Unknown game {named.text!r}.{hint}", named.line)
    keys = file.key_names()
    fitting = [about for about in with_decks() if keys & about.marks]
    if fitting:
        return max(fitting, key=lambda about: len(keys & about.marks))
    of_set = file.get("set")
    if isinstance(of_set, Scalar) and (about := game_named(of_set.text)) and about.marks:
        return about
    played = game_named(file.played.partition("/")[0]) if file.played and file.format == "text" else None
    if played is not None and played.marks:
        return played
    bare = next((about for about in with_decks() if about.bare_lists), None)
    if bare is not None and file.format == "text" and any(map(COUNTED.match, file.text.splitlines())):
        return bare
    begins = [f"`game: {about.id}` and `{about.whose}: NAME`" for about in with_decks()]
    message = f"Can't tell which game this deck is for. Begin the file with {', or with '.join(begins)}."
    message = " ".join([message, *(about.instead for about in registry.games().values() if about.instead)])
    raise refusal(file.name, message)


def all_rulesets() -> Iterator[tuple[str, str, Ruleset[Any]]]:
    """Yield every ruleset as a tuple: the id of its game, the id of the set (or game) that it applies to, and the
    ruleset.
    """
    for about in with_decks():
        for set_id, ruleset in decks_of(about.id).rulesets().items():
            yield about.id, set_id, ruleset
        if about.campaign:
            for set_id, ruleset in registry.part(about.id, "campaigns").rules.items():
                yield about.id, set_id, ruleset


def dead_citations(games: Collection[str], entries: Callable[[Iterable[str]], Container[str]]) -> list[str]:
    """Return a sentence for each check of these `games` that cites a missing entry. `entries` takes ids of entries and
    returns the ids that exist.
    """
    cited = [
        (game, check.id, entry)
        for game, _, ruleset in all_rulesets()
        if game in games
        for check in ruleset.checks
        for entry in check.cites
    ]
    there = entries(dict.fromkeys(entry for _, _, entry in cited))
    return [
        f"The check {check} of {game} cites {entry}, which does not exist. Cite an existing entry in its decorator, or "
        "write that entry."
        for game, check, entry in dict.fromkeys(cited)
        if entry not in there
    ]


def checks_by_entry() -> dict[str, list[tuple[str, Check[Any]]]]:
    """Map the id of each cited entry to the checks that cite it, as pairs of game id and check, without repeats."""
    by_entry: dict[str, dict[tuple[str, str], Check[Any]]] = {}
    for game, _, ruleset in all_rulesets():
        for check in ruleset.checks:
            for entry in check.cites:
                by_entry.setdefault(entry, {}).setdefault((game, check.id), check)
    return {entry: [(game, check) for (game, _), check in checks.items()] for entry, checks in by_entry.items()}


def checks_citing(entry_id: str) -> list[tuple[str, Check[Any]]]:
    """Return the checks that cite the entry `entry_id`, as pairs of game id and check, without repeats."""
    return checks_by_entry().get(entry_id, [])


class DeckRules:
    """Deck rules and facts of the games, loaded on first use. `records(game, kind)` returns a game's records of one
    kind, as a catalog does.
    """

    def __init__(self, records: Callable[[str, str], list[dict[str, Any]]]) -> None:
        self._records = records
        self._loaded: dict[str, tuple[Decks, Any]] = {}

    def game(self, game: str) -> tuple[Decks, Any]:
        """Return a game's deck rules and its facts. Raises LookupError if the game has no deck rules."""
        if game not in self._loaded:
            decks = decks_of(game)
            self._loaded[game] = (decks, decks.load_facts(lambda kind: self._records(game, kind)))
        return self._loaded[game]


Record = Mapping[str, Any]


class AccessError(KbError, ValueError):
    """kb cannot tell which cards a character may have; the message is written for users."""


class MayHave(Protocol):
    """The cards that one character may have."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Return sentences about the rule that kb used, its assumptions and open questions."""

    def may_have(self, record: Record) -> bool | None:
        """Return True if the card of `record` may be added to the deck, False if not, and None if the sources do not
        say.
        """

    def better(self, record: Record) -> bool:
        """Return True if the card of `record` would be an upgrade of a card in the deck."""


class Access(Protocol):
    """Interface of a game's `access` part, for games whose rules say which cards a character may have.

    A query may use further terms for the character; `game.yaml` lists them under `asks`.
    """

    def access(self, who: str | DeckFile, terms: Mapping[str, str], facts: Any) -> MayHave | None:
        """Return the cards that the character `who` (a name or a deck file) may have; None if the game has no such
        character.

        `terms` maps further terms of the query to their values. Raises AccessError if a term makes no sense, and
        DeckFileError if the file cannot be read.
        """


def access_of(game: str) -> Access | None:
    """Return the `access` part of a game, which knows the cards that each character may have; None if the game has
    none.
    """
    return cast("Access | None", registry.part(game, "access"))
