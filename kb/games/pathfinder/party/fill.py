"""Chooses cards from the box for the places that the cards of the table leave open."""

from __future__ import annotations

from collections.abc import Iterable

from kb.decks.flow import Network, Node
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import Card
from kb.games.pathfinder.party.box import Box
from kb.games.pathfinder.party.model import Member, Rebuilt, Table
from kb.games.pathfinder.party.prices import LEFT, NOTHING_FITS, in_order, worth


def choose(
    table: Table, facts: Facts, box: Box, rebuilt: Rebuilt
) -> tuple[dict[str, tuple[Card, ...]], dict[str, dict[str, int]]]:
    """Cards from the box for every place still open: those that must be held, wishes, the suggested deck, then others.

    Returns the cards by member, and the places for which there is none.
    """
    graph = Network()
    total = 0
    cards: set[Card] = set()
    for member in table.members:
        for kind, number in rebuilt.box[member.name].items():
            total += number
            line = ("line", member.name, kind)
            graph.add_node(line, wanted=number)
            graph.add_edge("nothing", line, price=NOTHING_FITS)
            options = rebuilt.eligible[member.name].get(kind, ())
            cards.update(options)
            for place, card in enumerate(_by_preference(member, facts, options)):
                _offer(graph, card, line, place, _spare_wishes(member, facts, card, rebuilt.decks[member.name]))
    for card in sorted(cards, key=in_order):
        graph.add_edge("box", ("card", card), price=0, room=box.stock(card))
    graph.add_node("box", wanted=-total)
    graph.add_node("nothing", wanted=-total)
    graph.add_node(LEFT, wanted=total)
    graph.add_edge("box", LEFT, price=0)
    graph.add_edge("nothing", LEFT, price=0)
    flow = graph.cheapest()
    chosen: dict[str, tuple[Card, ...]] = {}
    still: dict[str, dict[str, int]] = {}
    for member in table.members:
        taken: list[Card] = []
        for kind in rebuilt.box[member.name]:
            line = ("line", member.name, kind)
            for card in rebuilt.eligible[member.name].get(kind, ()):
                taken.extend([card] * sum(flow.get(node, {}).get(line, 0) for node in _ways(card, line)))
            if missing := flow["nothing"].get(line, 0):
                still.setdefault(member.name, {})[kind] = missing
        chosen[member.name] = tuple(sorted(taken, key=in_order))
    return chosen, {member.name: still.get(member.name, {}) for member in table.members}


def _ways(card: Card, line: Node) -> tuple[Node, Node]:
    return ("first", card, line), ("more", card, line)


def _offer(graph: Network, card: Card, line: Node, place: int, first: int) -> None:
    """A card may go to a line: `first` copies of it gladly, further ones by its place in the order of preference."""
    gladly, more = _ways(card, line)
    if first:
        graph.add_edge(("card", card), gladly, price=place - 10_000, room=first)
        graph.add_edge(gladly, line, price=0)
    graph.add_edge(("card", card), more, price=place)
    graph.add_edge(more, line, price=0)


def _spare_wishes(member: Member, facts: Facts, card: Card, held: Iterable[Card]) -> int:
    """How many copies of a card the member would like: what she must hold, wishes, has in the suggested deck."""
    liked = max(
        int(card.name in member.deck.character.must_hold),
        member.wishes.count(card),
        facts.suggested.get((member.deck.set, member.name), ()).count(card),
    )
    return max(0, liked - list(held).count(card))


def _by_preference(member: Member, facts: Facts, cards: Iterable[Card]) -> list[Card]:
    suggested = facts.suggested.get((member.deck.set, member.name), ())
    return sorted(
        cards,
        key=lambda card: (
            card.name not in member.deck.character.must_hold,
            card not in member.wishes,
            card not in suggested,
            -worth(card),
            card.name,
        ),
    )
