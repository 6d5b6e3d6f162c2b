"""Minimum-cost flow: finds the cheapest way to send units from suppliers to consumers, by successive shortest paths.

All numbers are whole, and the same network always gives the same flow. Like all deck rules, the module needs only the
standard library.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass, field

from kb.errors import KbError

Node = Hashable
Flows = dict[tuple[Node, Node], int]
ANY = 10**9
"""The capacity of an unlimited edge: more units than any network contains."""


class NoFlowError(KbError, ValueError):
    """Supply and demand differ, or no path leads from a supply to a demand."""


@dataclass(slots=True, eq=False)
class Way:
    """An edge to the node `end`, with the `price` of each unit, the remaining capacity `room`, and the residual edge
    `back`.

    The capacity of the residual edge is the flow already sent.
    """

    end: int
    price: int
    room: int
    back: Way = field(init=False)


class Network:
    """A network without cycles. Its nodes supply or demand units, and its edges have a price for each unit."""

    def __init__(self) -> None:
        self._numbers: dict[Node, int] = {}  # hashing a node may be slow: inside the network it is a number
        self._nodes: list[Node] = []
        self._wanted: dict[int, int] = {}
        self._leaving: list[list[Way]] = []
        self._edges: list[Way] = []
        self._source, self._sink = self._number(object()), self._number(object())

    def _number(self, node: Node) -> int:
        """Return the number that stands for `node` inside the network; a new node gets the next number."""
        number = self._numbers.setdefault(node, len(self._nodes))
        if number == len(self._nodes):
            self._nodes.append(node)
            self._leaving.append([])
        return number

    def add_node(self, node: Node, wanted: int) -> None:
        """Add a node that demands `wanted` units. A negative number means that the node supplies units."""
        self._wanted[self._number(node)] = wanted

    def add_edge(self, start: Node, end: Node, price: int = 0, room: int | None = None) -> None:
        """Add an edge from `start` to `end` with a `price` for each unit; `room` is its capacity (None: unlimited).

        Two nodes may be joined by several edges, for example so that the first few units cost less than later ones.
        """
        if room != 0:
            self._edges.append(self._join(self._number(start), self._number(end), price, room))

    def _join(self, start: int, end: int, price: int = 0, room: int | None = None) -> Way:
        there, back = Way(end, price, ANY if room is None else room), Way(start, -price, 0)
        there.back, back.back = back, there
        self._leaving[start].append(there)
        self._leaving[end].append(back)
        return there

    def cheapest(self) -> Flows:
        """Return the cheapest flow: the number of units sent from one node to another, by pair of nodes. Pairs that
        send no units are left out.

        Call this method only once, because it uses up the capacities. Raises NoFlowError if the demand cannot be met or
        differs from the supply.
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
        """Return the cheapest path from a supply to a demand (Bellman-Ford). Raises NoFlowError if there is none."""
        costs: list[int | None] = [None] * len(self._nodes)
        came_by: list[Way | None] = [None] * len(self._nodes)
        waits = [False] * len(self._nodes)
        costs[self._source] = 0
        waiting = deque([self._source])
        while waiting:
            node = waiting.popleft()
            waits[node] = False
            paid = costs[node] or 0
            for way in self._leaving[node]:
                if way.room:
                    end, cost = way.end, paid + way.price
                    known = costs[end]
                    if known is None or cost < known:
                        costs[end], came_by[end] = cost, way
                        if not waits[end]:
                            waits[end] = True
                            waiting.append(end)
        last = came_by[self._sink]
        if last is None:
            raise NoFlowError("The demand cannot be met.")
        path = [last]
        while (before := came_by[path[-1].back.end]) is not None:
            path.append(before)
        return path
