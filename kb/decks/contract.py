"""Check one deck file: the options of a check, and the report on a file that cannot be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from kb.decks.deckfile import DeckFile, refusal
from kb.decks.games import DeckRules, RulesOf, game_of
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.report import Report
from kb.frozen import frozen
from kb.jsonable import Jsonable


class CheckOptions(TypedDict, total=False):
    """Options of `kb deck check`, by name. A game refuses options that it does not know."""

    rules: str | None
    """The edition of the game's rules."""
    standalone: bool
    """For a single scenario, not a campaign."""
    start: bool
    """The deck that begins a campaign."""
    taboo: str | None
    """A taboo list by number, `latest` or `none`."""
    environment: str | None
    """`current`, `limited` or `legacy`."""
    expansion: Sequence[str]
    """Expansions of the limited environment."""
    owned: Sequence[str]
    """Products owned, by code or name."""
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
    """Always null, like the next two keys, because it is unknown."""
    character: None = None
    """The deck's owner."""
    legal: None = None
    """True if the deck is legal."""
    findings: tuple[()] = ()
    """Always empty."""


def check_file(file: DeckFile, rules_of: RulesOf, options: Mapping[str, Any]) -> Report:
    """Check a deck file and return the report. Raises DeckFileError if it cannot be read or an option does not apply
    to it.
    """
    about = game_of(file)
    decks, facts = rules_of(about.id)
    known = {option.name for option in about.options} if options else ()
    if strange := [name for name in options if name not in known]:
        flags = ", ".join(f"--{name}" for name in strange)
        raise refusal(file.name, f"{flags} cannot be used with decks of this game.")
    return decks.check(file, facts, options)


def check_one(
    file: DeckFile | DeckFileError, deck_rules: DeckRules, options: Mapping[str, Any]
) -> Report | DeckFileError:
    """Check a deck file and return the report, or the error if it cannot be read."""
    if isinstance(file, DeckFileError):
        return file
    try:
        return check_file(file, deck_rules.game, options)
    except DeckFileError as error:
        return error
