"""Checks one deck file. This module checks the options of a check, and defines the report on a file that cannot be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from kb.decks.deckfile import DeckFile, refusal
from kb.decks.games import DeckRules, RulesOf, game_of
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.report import Report
from kb.frozen import frozen
from kb.registry.about import Option
from kb.shapes import Jsonable

CheckOption: TypeAlias = str | bool | Sequence[str] | None
"""The value of a check option: a text, true or false, or a list of texts. None means that the option is not set."""


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
    decks, facts = rules_of(game_of(file).id)
    return decks.check(file, facts, options_for(file, options))


def options_for(file: DeckFile, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the check options that are set, by name, for the deck in `file`.

    The `game.yaml` of the deck's game describes its options. Raises DeckFileError for an option that the game does not
    have, or for a value of another kind.
    """
    given = {name: value for name, value in options.items() if value or (value == 0 and value is not False)}
    if not given:
        return given
    known = {option.name: option for option in game_of(file).options}
    if strange := [name for name in given if name not in known]:
        flags = ", ".join(f"--{name}" for name in strange)
        raise refusal(file.name, f"{flags} cannot be used with decks for this game.")
    return {name: _option_value(file, known[name], value) for name, value in given.items()}


def _option_value(file: DeckFile, option: Option, value: object) -> str | bool | tuple[str, ...]:
    """Return the value of a check option in the kind that `option` describes. A number is accepted as a text. Raises
    DeckFileError for a value of another kind.
    """
    if not option.metavar:
        kind = "true or false"
        if isinstance(value, bool):
            return value
    elif option.many:
        kind = f"a list of texts, such as [{option.metavar}]"
        if isinstance(value, list | tuple | set | frozenset) and all(isinstance(each, str) for each in value):
            return tuple(value)
    else:
        kind = "a text"
        if isinstance(value, str | int) and not isinstance(value, bool):
            return str(value)
    raise refusal(file.name, f"The check option `{option.name}` must be {kind}.")


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
