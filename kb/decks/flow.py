"""The cheapest way to bring things to places: a minimum-cost flow, found by successive shortest paths.

Whole numbers only, and the same flow for the same network, wherever it is worked out: the rules of decks need nothing but Python.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from kb.errors import KbError

Node = Hashable
Flows = dict[tuple[Node, Node], int]
ANY = 10**9
"""More things than any network has."""


class NoFlowError(KbError, ValueError):
    """What is offered does not meet what is wanted, or cannot come there."""


@dataclass(slots=True, eq=False)
class Way:
    """An edge: where it leads, what each thing costs on it, how many may still go, and the way back, on which as many may return as went."""

    end: int
    price: int
    room: int
    back: Way = field(init=False)


class Network:
    """Nodes that offer or want things, and edges along which things go at a price for each; no edges lead in a circle."""

    def __init__(self) -> None:
        self._numbers: dict[Node, int] = {}  # a node may be dear to hash: within the network it is a number
        self._nodes: list[Node] = []
        self._wanted: dict[int, int] = {}
        self._leaving: list[list[Way]] = []
        self._edges: list[Way] = []
        self._source, self._sink = self._number(object()), self._number(object())

    def _number(self, node: Node) -> int:
        """Return the number of a node, a new one where it has none yet."""
        number = self._numbers.setdefault(node, len(self._nodes))
        if number == len(self._nodes):
            self._nodes.append(node)
            self._leaving.append([])
        return number

    def add_node(self, node: Node, wanted: int) -> None:
        """A node with the number of things that it wants; below zero: that it offers."""
        self._wanted[self._number(node)] = wanted

    def add_edge(self, start: Node, end: Node, price: int = 0, room: int | None = None) -> None:
        """An edge on which each thing costs its price; `room` is how many may go there, None: any number.

        Nodes may be joined by several edges, so that the first few things cost less than those after them.
        """
        self._edges.append(self._join(self._number(start), self._number(end), price, room))

    def _join(self, start: int, end: int, price: int = 0, room: int | None = None) -> Way:
        there, back = Way(end, price, ANY if room is None else room), Way(start, -price, 0)
        there.back, back.back = back, there
        self._leaving[start].append(there)
        self._leaving[end].append(back)
        return there

    def cheapest(self) -> Flows:
        """How many things go from node to node, so that it costs least; pairs between which none goes are left out. To be asked once.

        Raises NoFlowError.
        """
        if sum(self._wanted.values()):
            raise NoFlowError("The total offered must equal the total wanted.")
        for node, wanted in self._wanted.items():
            self._join(self._source if wanted < 0 else node, node if wanted < 0 else self._sink, room=abs(wanted))
        left = sum(map(abs, self._wanted.values())) // 2
        while left:
            path = self._path()
            fits = min(way.room for way in path)
            for way in path:
                way.room -= fits
                way.back.room += fits
            left -= fits
        flows: Flows = {}
        for way in self._edges:
            if way.back.room:
                pair = self._nodes[way.back.end], self._nodes[way.end]
                flows[pair] = flows.get(pair, 0) + way.back.room
        return flows

    def _path(self) -> list[Way]:
        """The cheapest path from what is offered to what is wanted, by Bellman and Ford. Raises NoFlowError when there is none."""
        costs = {self._source: 0}
        came_by: dict[int, Way] = {}
        waiting = {self._source: None}  # a set that keeps its order
        while waiting:
            node = next(iter(waiting))
            del waiting[node]
            for way in self._leaving[node]:
                cost = costs[node] + way.price
                if way.room and cost < costs.get(way.end, cost + 1):
                    costs[way.end], came_by[way.end], waiting[way.end] = cost, way, None
        if self._sink not in came_by:
            raise NoFlowError("The demand cannot be met.")
        path = [came_by[self._sink]]
        while (node := path[-1].back.end) != self._source:
            path.append(came_by[node])
        return path
