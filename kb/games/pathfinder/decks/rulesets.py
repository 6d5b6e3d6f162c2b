"""Decorators that register a function as a rule of the Pathfinder sets.

A rule checks each deck (`deck_rule`), the cards of each deck and of other lists (`card_rule`), or the whole party
(`table_rule`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar

from kb.decks.problems import Check, Problems, Rule
from kb.decks.remedies import Exchange, ListUnder, Remedy, Remove
from kb.decks.ruleset import Ruleset
from kb.games.pathfinder.decks.facts import PLURALS, SET_TITLES, SETS, PathfinderCard
from kb.games.pathfinder.decks.table import GameTable, Seat

S = TypeVar("S")


def rules_of(rulesets: Mapping[str, Ruleset[S]]) -> Callable[..., Callable[[Rule[S]], Check[S]]]:
    """Return a decorator that registers a function as a check in `rulesets`, which has a ruleset for each set.

    The arguments of the decorator are the entries that state the rule, the `sets` that have it (default: all), and
    further arguments of `Ruleset.check`. An entry without a slash exists in each set: `cards-list` means
    `pathfinder/rotr/cards-list` in one set and `pathfinder/mm/cards-list` in the other.
    """

    def rule(*cites: str, sets: Iterable[str] = tuple(SETS), **how: Any) -> Callable[[Rule[S]], Check[S]]:
        def register(run: Rule[S]) -> Check[S]:
            checks = []
            for set_id in sets:
                entries = [cite if "/" in cite else f"pathfinder/{set_id}/{cite}" for cite in cites]
                checks.append(rulesets[set_id].check(*entries, **{"family": "campaign", **how})(run))
            return checks[0]  # the checks of the other sets are equal to it

        return register

    return rule


RULESETS = {set_id: Ruleset[GameTable]("pathfinder", title) for set_id, title in SET_TITLES.items()}
"""The rules that check one deck at a time, by the id of the set."""
PARTIES = {
    set_id: Ruleset[GameTable]("pathfinder", f"Pathfinder, {title}, the decks of one party")
    for set_id, title in SET_TITLES.items()
}
"""The rules that check the whole party, with the cards of all players together, by the id of the set."""
_rule_of_seats = rules_of(RULESETS)
table_rule = rules_of(PARTIES)
"""Decorator that registers a rule about the whole party: a function of a `GameTable`."""


def deck_rule(*cites: str, **how: Any) -> Callable[[Rule[Seat]], Check[GameTable]]:
    """Return a decorator that registers a rule about a single deck: a function of a `Seat`.

    `cites` are the entries that state the rule. `how` are further arguments (see `rules_of`).
    """
    return lambda run: _rule_of_seats(*cites, **how)(_for_each(run, lambda table: table.seats))


def card_rule(*cites: str, **how: Any) -> Callable[[Rule[Seat]], Check[GameTable]]:
    """Return a decorator that registers a rule about cards: a function of a `Seat`.

    The function is called for each deck, and for other lists of cards, such as rewards and the cards of dead
    characters. `cites` and `how` are the same as for `deck_rule`.
    """
    return lambda run: _rule_of_seats(*cites, **how)(_for_each(run, lambda table: table.holders))


def _for_each(run: Rule[Seat], seats: Callable[[GameTable], tuple[Seat, ...]]) -> Rule[GameTable]:
    @wraps(run)
    def checked(table: GameTable) -> Problems:
        for seat in seats(table):
            for problem in run(seat):
                yield replace(problem, who=seat.who) if seat.who else problem

    return checked


def exchange(seat: Seat, card: PathfinderCard, number: int = 1, who: str = "") -> Remedy:
    """Return the remedy that exchanges `number` copies of `card` in the deck of the character `who`.

    The remedy suggests cards that the party still has before cards from the box. A card of unknown type is removed
    instead.
    """
    if card.type is None:
        return Remove(number, (card.name,) * number)
    spare = seat.table.spare.elements()
    left = tuple(each.name for each in spare if seat.serves(each, card) and not seat.must_leave(each))
    options = seat.candidates(card.type, number - len(left), card) if number > len(left) else ()
    return Exchange(number, (card.name,), options, have=left, who=who)


def list_if_from(key: str, card: PathfinderCard, number: int, why: str) -> ListUnder:
    """Return the remedy that lists `number` copies of a card under `key` in the deck file. `why` says when it applies."""
    return ListUnder(key, (card.name,) * number, why=why)


def amount(number: int, card_type: str) -> str:
    """Return a number of cards of a type in words, such as `1 ally`, `no allies` or `3 allies`."""
    return f"1 {card_type}" if number == 1 else f"{number or 'no'} {PLURALS[card_type]}"
