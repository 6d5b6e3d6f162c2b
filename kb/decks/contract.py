"""Checks one deck file. This module defines the options of a check and the report on a file that cannot be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from kb.decks.deckfile import DeckFile, refusal
from kb.decks.games import DeckRules, RulesOf, game_of
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.report import Report
from kb.frozen import frozen
from kb.shapes import Jsonable


class CheckOptions(TypedDict, total=False):
    """The options of `kb deck check`, by name. A game accepts only the options that its `game.yaml` lists."""

    rules: str | None
    """The edition of the game's rules, by its name."""
    standalone: bool
    """True to check the deck for a single scenario instead of a campaign."""
    start: bool
    """True to check the deck as one that begins a campaign."""
    taboo: str | None
    """The number of a taboo list, `latest` or `none`."""
    environment: str | None
    """The environment: `current`, `limited` or `legacy`."""
    expansion: Sequence[str]
    """Expansions that the limited environment includes."""
    owned: Sequence[str]
    """Products that the player owns, by code or name."""
    ultimatum: Sequence[str]
    """Ultimatums in force."""
    boon: Sequence[str]
    """Boons in force."""


@frozen
class Unreadable(Jsonable):
    """The report on a deck that cannot be read."""

    file: str
    """The deck's file, followed by a number if the file contains several decks."""
    problems: Sequence[DeckProblem]
    """Reasons why the file cannot be read."""
    game: None = None
    """Always null: kb does not know the game of a file that it cannot read."""
    character: None = None
    """Always null: the deck's owner is unknown."""
    legal: None = None
    """Always null: kb could not check the deck."""
    findings: tuple[()] = ()
    """Always empty."""


def check_file(file: DeckFile, rules_of: RulesOf, options: Mapping[str, Any]) -> Report:
    """Check the deck in `file` by the rules of its game and return the report.

    `rules_of` returns the deck rules and facts of a game, and `options` are check options by name. Raises DeckFileError
    if the file cannot be read or an option does not apply to the game.
    """
    about = game_of(file)
    decks, facts = rules_of(about.id)
    known = {option.name for option in about.options} if options else ()
    if strange := [name for name in options if name not in known]:
        flags = ", ".join(f"--{name}" for name in strange)
        raise refusal(file.name, f"{flags} cannot be used with decks for this game.")
    return decks.check(file, facts, options)


def check_one(
    file: DeckFile | DeckFileError, deck_rules: DeckRules, options: Mapping[str, Any]
) -> Report | DeckFileError:
    """Check the deck in `file` and return the report. If the deck cannot be read or checked, return the error instead
    of raising it.
    """
    if isinstance(file, DeckFileError):
        return file
    try:
        return check_file(file, deck_rules.game, options)
    except DeckFileError as error:
        return error
