"""The cheapest way to bring things to places: a minimum-cost flow, found by successive shortest paths.

Whole numbers only, and the same flow for the same network, wherever it is worked out: the rules of decks need nothing but Python.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field

from kb.errors import KbError

Node = Hashable
Flows = dict[tuple[Node, Node], int]
SOURCE, SINK = object(), object()
ANY = 10**9
"""More things than any network has."""


class NoFlowError(KbError, ValueError):
    """What is offered does not meet what is wanted, or cannot come there."""


@dataclass(slots=True, eq=False)
class Way:
    """An edge: where it leads, what each thing costs on it, how many may still go, and the way back, on which as many may return as went."""

    end: Node
    price: int
    room: int
    back: Way = field(init=False)


class Network:
    """Nodes that offer or want things, and edges along which things go at a price for each; no edges lead in a circle."""

    def __init__(self) -> None:
        self._wanted: dict[Node, int] = {}
        self._leaving: dict[Node, list[Way]] = defaultdict(list)
        self._edges: list[Way] = []

    def add_node(self, node: Node, wanted: int) -> None:
        """A node with the number of things that it wants; below zero: that it offers."""
        self._wanted[node] = wanted

    def add_edge(self, start: Node, end: Node, price: int = 0, room: int | None = None) -> None:
        """An edge on which each thing costs its price; `room` is how many may go there, None: any number.

        Nodes may be joined by several edges, so that the first few things cost less than those after them.
        """
        there, back = Way(end, price, ANY if room is None else room), Way(start, -price, 0)
        there.back, back.back = back, there
        self._leaving[start].append(there)
        self._leaving[end].append(back)
        self._edges.append(there)

    def cheapest(self) -> Flows:
        """How many things go from node to node, so that it costs least; pairs between which none goes are left out. To be asked once.

        Raises NoFlowError.
        """
        if sum(self._wanted.values()):
            raise NoFlowError("As much must be offered as is wanted.")
        edges = list(self._edges)
        for node, wanted in self._wanted.items():
            self.add_edge(SOURCE if wanted < 0 else node, node if wanted < 0 else SINK, room=abs(wanted))
        left = sum(map(abs, self._wanted.values())) // 2
        while left:
            path = self._path()
            fits = min(way.room for way in path)
            for way in path:
                way.room -= fits
                way.back.room += fits
            left -= fits
        flows: Flows = {}
        for way in edges:
            if way.back.room:
                pair = way.back.end, way.end
                flows[pair] = flows.get(pair, 0) + way.back.room
        return flows

    def _path(self) -> list[Way]:
        """The cheapest path from what is offered to what is wanted, by Bellman and Ford. Raises NoFlowError when there is none."""
        costs: dict[Node, int] = {SOURCE: 0}
        came_by: dict[Node, Way] = {}
        waiting = {SOURCE: None}  # a set that keeps its order
        while waiting:
            node = next(iter(waiting))
            del waiting[node]
            for way in self._leaving[node]:
                cost = costs[node] + way.price
                if way.room and cost < costs.get(way.end, cost + 1):
                    costs[way.end], came_by[way.end], waiting[way.end] = cost, way, None
        if SINK not in came_by:
            raise NoFlowError("What is wanted cannot come there.")
        path = [came_by[SINK]]
        while (node := path[-1].back.end) is not SOURCE:
            path.append(came_by[node])
        return path
