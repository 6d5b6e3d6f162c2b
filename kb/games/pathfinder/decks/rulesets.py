"""Decorators that register a function as a rule of either Pathfinder set, for each deck, all cards or the whole party."""

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
    """Return a decorator that registers a check in the rulesets of all sets, or of `sets`, and returns the check.

    A citation without a slash is an entry of each set: `cards-list` is `pathfinder/rotr/cards-list` in one and
    `pathfinder/mm/cards-list` in the other. `how` are arguments of `Ruleset.check`.
    """

    def rule(*cites: str, sets: Iterable[str] = tuple(SETS), **how: Any) -> Callable[[Rule[S]], Check[S]]:
        def register(run: Rule[S]) -> Check[S]:
            checks = []
            for set_id in sets:
                entries = [cite if "/" in cite else f"pathfinder/{set_id}/{cite}" for cite in cites]
                checks.append(rulesets[set_id].check(*entries, **{"family": "campaign", **how})(run))
            return checks[0]  # the other sets' checks are equal: the same rule of the same game

        return register

    return rule


RULESETS = {set_id: Ruleset[GameTable]("pathfinder", title) for set_id, title in SET_TITLES.items()}
"""Rules about a single deck or a single card."""
PARTIES = {
    set_id: Ruleset[GameTable]("pathfinder", f"Pathfinder, {title}, the decks of one party")
    for set_id, title in SET_TITLES.items()
}
"""Rules about the whole party: the cards of all players together."""
_rule_of_seats = rules_of(RULESETS)
table_rule = rules_of(PARTIES)
"""Registers a rule about the whole party."""


def deck_rule(*cites: str, **how: Any) -> Callable[[Rule[Seat]], Check[GameTable]]:
    """Return a decorator for a rule that takes one deck at a time: a function of a `Seat`."""
    return lambda run: _rule_of_seats(*cites, **how)(_for_each(run, lambda table: table.seats))


def card_rule(*cites: str, **how: Any) -> Callable[[Rule[Seat]], Check[GameTable]]:
    """Return a decorator for a rule on all cards of the party, one holder at a time: decks, rewards, cards of the dead."""
    return lambda run: _rule_of_seats(*cites, **how)(_for_each(run, lambda table: table.holders))


def _for_each(run: Rule[Seat], seats: Callable[[GameTable], tuple[Seat, ...]]) -> Rule[GameTable]:
    @wraps(run)
    def checked(table: GameTable) -> Problems:
        for seat in seats(table):
            for problem in run(seat):
                yield replace(problem, who=seat.who) if seat.who else problem

    return checked


def exchange(seat: Seat, card: PathfinderCard, number: int = 1, who: str = "") -> Remedy:
    """Return the remedy that exchanges copies of a card, first for cards of its type that the party still has."""
    if card.type is None:
        return Remove(number, (card.name,) * number)
    spare = seat.table.spare.elements()
    left = tuple(each.name for each in spare if seat.serves(each, card) and not seat.must_leave(each))
    options = seat.candidates(card.type, number - len(left), card) if number > len(left) else ()
    return Exchange(number, (card.name,), options, have=left, who=who)


def list_if_from(key: str, card: PathfinderCard, number: int, why: str) -> ListUnder:
    """Return the remedy that lists copies of a card under a key of the deck file, if `why` applies."""
    return ListUnder(key, (card.name,) * number, why=why)


def amount(number: int, card_type: str) -> str:
    """Return `1 ally`, `no allies`, `3 allies`."""
    return f"1 {card_type}" if number == 1 else f"{number or 'no'} {PLURALS[card_type]}"
