"""The cheapest way to bring things to places: a minimum-cost flow, found by the network simplex method.

Whole numbers only, and the same flow for the same network, wherever it is worked out: the rules of decks need nothing but
Python. The method is that of Cunningham ("A network simplex method", 1976: strongly feasible trees, which do not run in a
circle).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from kb.errors import KbError

Node = Hashable
Flows = dict[tuple[Node, Node], int]
ROOT = -1


class NoFlowError(KbError, ValueError):
    """What is offered does not meet what is wanted, or cannot come there."""


class Network:
    """Nodes that offer or want things, and edges along which things go at a price for each."""

    def __init__(self) -> None:
        self._wanted: dict[Node, int] = {}
        self._edges: list[tuple[Node, Node, int, int | None]] = []

    def add_node(self, node: Node, wanted: int) -> None:
        """A node with the number of things that it wants; below zero: that it offers."""
        self._wanted[node] = wanted

    def add_edge(self, start: Node, end: Node, price: int = 0, room: int | None = None) -> None:
        """An edge on which each thing costs its price; `room` is how many may go there, None: any number.

        Nodes may be joined by several edges, so that the first few things cost less than those after them.
        """
        self._edges.append((start, end, price, room))

    def cheapest(self) -> Flows:
        """How many things go from node to node, so that it costs least; pairs between which none goes are left out.

        Raises NoFlowError.
        """
        wanted = dict.fromkeys((node for start, end, _, _ in self._edges for node in (start, end)), 0) | self._wanted
        if sum(wanted.values()):
            raise NoFlowError("As much must be offered as is wanted.")
        place = {node: at for at, node in enumerate(wanted)}
        usable = [edge for edge in self._edges if edge[0] != edge[1] and edge[3] != 0]
        tree = _Tree(
            list(wanted.values()), [(place[start], place[end], price, room) for start, end, price, room in usable]
        )
        tree.improve()
        flows: Flows = {}
        for (start, end, _price, _room), number in zip(usable, tree.flow, strict=False):
            if number:
                flows[start, end] = flows.get((start, end), 0) + number
        return flows


class _Tree:
    """The state of the method: a flow, and a spanning tree below an artificial root whose edges cost more than all others."""

    def __init__(self, wanted: list[int], edges: list[tuple[int, int, int, int | None]]) -> None:
        sums = (
            sum(room for _, _, _, room in edges if room is not None),
            sum(abs(price) for _, _, price, _ in edges),
            sum(map(abs, wanted)),
        )
        endless = 3 * max(sums) or 1
        nodes = len(wanted)
        self.real = len(edges)
        self.start = [edge[0] for edge in edges] + [ROOT if want > 0 else at for at, want in enumerate(wanted)]
        self.end = [edge[1] for edge in edges] + [at if want > 0 else ROOT for at, want in enumerate(wanted)]
        self.price = [edge[2] for edge in edges] + [endless] * nodes
        self.room = [endless if edge[3] is None else edge[3] for edge in edges] + [endless] * nodes
        self.flow = [0] * self.real + [abs(want) for want in wanted]
        # The root is the last of each list, so that its number is -1.
        self.worth = [-endless if want > 0 else endless for want in wanted] + [0]
        self.parent = [ROOT] * (nodes + 1)
        self.up = [*range(self.real, self.real + nodes), ROOT]
        self.depth = [1] * nodes + [0]
        self.below: list[dict[int, None]] = [{} for _ in range(nodes)] + [dict.fromkeys(range(nodes))]

    def improve(self) -> None:
        """Bring edges into the tree as long as one makes the flow cheaper. Raises NoFlowError when not all can be met."""
        for edge in self._cheaper():
            self._enter(edge)
        if any(self.flow[self.real :]):
            raise NoFlowError("What is wanted cannot come there.")

    def _cheaper(self) -> Iterator[int]:
        """Edges that make the flow cheaper, in turn, until none does."""
        idle, edge = 0, -1
        while idle < self.real:
            edge = (edge + 1) % self.real
            gain = self.price[edge] - self.worth[self.start[edge]] + self.worth[self.end[edge]]
            if gain > 0 if self.flow[edge] else gain < 0:
                yield edge
                idle = 0
            else:
                idle += 1

    def _enter(self, edge: int) -> None:
        """Send along the circle that an edge closes with the tree as much as fits, and swap it for the edge that is full then."""
        tail, head = self.start[edge], self.end[edge]
        if self.flow[edge]:
            tail, head = head, tail
        # The circle as edges, each with the node from which it is gone along: from the top to the tail, and back from the head.
        down: list[tuple[int, int]] = []
        back: list[tuple[int, int]] = []
        left, right = tail, head
        while left != right:
            if self.depth[left] >= self.depth[right]:
                down.append((self.up[left], self.parent[left]))
                left = self.parent[left]
            else:
                back.append((self.up[right], right))
                right = self.parent[right]
        circle = [*reversed(down), (edge, tail), *back]
        # The last edge of the circle that is full first: so the tree stays strongly feasible.
        leaving, seen_from = min(reversed(circle), key=lambda step: self._left(*step))
        fits = self._left(leaving, seen_from)
        for each, node in circle:
            self.flow[each] += fits if self.start[each] == node else -fits
        if leaving == edge:
            return
        if any(each == leaving for each, _ in down):
            tail, head = head, tail
        self._hang(edge, tail, head, leaving)

    def _left(self, edge: int, node: int) -> int:
        """How much more may go along an edge from one of its nodes."""
        return self.room[edge] - self.flow[edge] if self.start[edge] == node else self.flow[edge]

    def _hang(self, edge: int, parent: int, top: int, leaving: int) -> None:
        """Cut a part of the tree off where an edge leaves, and hang it by its node `top` below `parent`."""
        node, above, by = top, parent, edge
        while True:
            before, old = self.parent[node], self.up[node]
            del self.below[before][node]
            self.parent[node], self.up[node] = above, by
            self.below[above][node] = None
            if old == leaving:
                break
            node, above, by = before, node, old
        gain = self.price[edge] - self.worth[self.start[edge]] + self.worth[self.end[edge]]
        more = gain if top == self.start[edge] else -gain
        waiting = [top]
        while waiting:
            node = waiting.pop()
            self.worth[node] += more
            self.depth[node] = self.depth[self.parent[node]] + 1
            waiting.extend(self.below[node])
