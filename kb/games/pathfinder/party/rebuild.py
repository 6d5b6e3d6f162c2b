"""Rebuilds the decks of a table: who keeps what, who gives what to whom, and what the box must add.

A minimum-cost flow from cards to places: what decides is first that no card comes from the box while the table has one
that fits, then the number of wishes, then the number of trades. Where these are equal, the cards of higher adventure
deck numbers stay with the party.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import CARD_TYPES, Card
from kb.games.pathfinder.party.assignment import Assignment
from kb.games.pathfinder.party.box import Box, choices
from kb.games.pathfinder.party.fill import choose
from kb.games.pathfinder.party.model import Rebuilt, Table


def rebuild_party(table: Table, facts: Facts, fill: bool = False) -> Rebuilt:
    """The decks of a table after the rebuild; with `fill` the cards from the box are chosen too.

    Pure: it reads and writes nothing. Every card that a member may not or need not hold is left over; `unfilled` are places
    for which the box has no card.
    """
    box = Box(table, facts)
    old = [member for member in table.members if not member.newcomer]
    plan = Assignment(table, facts, box, old)
    plan.solve()
    need = {member.name: member.need(facts) for member in table.members}
    decks = {member.name: plan.deck(member.name) for member in table.members}
    lacking = {member.name: plan.lacking(member.name) for member in old}
    lacking |= {member.name: need[member.name] for member in table.members if member.newcomer}
    unfilled = {name: holes for member in old if (holes := plan.unfilled(name := member.name))}
    sorted_places = {
        name: {kind: holes[kind] for kind in CARD_TYPES if holes.get(kind)} for name, holes in lacking.items()
    }
    table_lacks = Counter({kind: number for member in old for kind, number in lacking[member.name].items()})
    eligible, disputed = choices(box, table_lacks)
    kept, missed = wishes(table, decks)
    left = [(origin, card) for origin, card in plan.left]
    rebuilt = Rebuilt(
        need=need,
        decks=decks,
        lacking=sorted_places,
        box=sorted_places,
        moves=tuple(plan.moves),
        kept=kept,
        missed=missed,
        left_over=tuple(card for _, card in left),
        left_by_dead=tuple(card for origin, card in left if origin.startswith("late ")),
        unfilled=unfilled,
        eligible=eligible,
        disputed=disputed,
    )
    if not fill:
        return rebuilt
    chosen, open_places = choose(table, facts, box, rebuilt)
    filled = {name: (*decks[name], *chosen[name]) for name in decks}
    kept, missed = wishes(table, filled)
    return replace(rebuilt, chosen=chosen, box=open_places, unfilled=open_places, kept=kept, missed=missed)


def wishes(
    table: Table, decks: Mapping[str, tuple[Card, ...]]
) -> tuple[tuple[tuple[str, Card], ...], tuple[tuple[str, Card], ...]]:
    """The wishes that came true and those that did not: a card wished for twice is two wishes, and needs two copies."""
    kept: list[tuple[str, Card]] = []
    missed: list[tuple[str, Card]] = []
    for member in table.members:
        there = Counter(decks[member.name])
        for card in member.wishes:
            (kept if there[card] > 0 else missed).append((member.name, card))
            there[card] -= 1
    return tuple(kept), tuple(missed)
