"""The minimum-cost flow: it costs as little as the flow that a graph library finds. If there is no flow, the function
says so.
"""

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.decks.flow import Network, NoFlowError

EDGES = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(-9, 10**13), st.none() | st.integers(0, 6)), max_size=40
)


@given(wanted=st.lists(st.integers(-6, 6), min_size=2, max_size=8), edges=EDGES, even=st.booleans())
def test_the_cost_is_that_of_a_graph_library(wanted, edges, even):
    if even:
        wanted[-1] -= sum(wanted)
    ours, theirs = Network(), networkx.MultiDiGraph()
    between = {}
    for node, want in enumerate(wanted):
        ours.add_node(node, want)
        theirs.add_node(node, demand=want)
    for start, end, price, room in edges:
        if start < end < len(wanted):
            ours.add_edge(start, end, price, room)
            theirs.add_edge(start, end, weight=price, **({} if room is None else {"capacity": room}))
            between.setdefault((start, end), []).append((price, 10**6 if room is None else room))
    try:
        least, _ = networkx.network_simplex(theirs)
    except networkx.NetworkXUnfeasible:
        with pytest.raises(NoFlowError):
            ours.cheapest()
        return
    found, cost = ours.cheapest(), 0
    for pair, number in found.items():
        for price, room in sorted(between[pair]):  # between two nodes, the cheapest edges are used first
            cost += price * min(number, room)
            number -= min(number, room)
        assert number == 0
    assert cost == least
    for node, want in enumerate(wanted):
        came = sum(number for (_, end), number in found.items() if end == node)
        assert came - sum(number for (start, _), number in found.items() if start == node) == want


def test_an_impossible_flow_raises_an_error():
    network = Network()
    network.add_node("deck", 2)
    with pytest.raises(NoFlowError, match="The total offered must equal"):
        network.cheapest()
    network.add_edge("box", "deck", 1, room=1)
    network.add_node("box", -2)
    with pytest.raises(NoFlowError, match="demand cannot be met"):
        network.cheapest()


def test_an_edge_creates_its_nodes():
    network = Network()
    network.add_edge("box", "shelf", 3)
    network.add_edge("shelf", "deck", 3, room=1)
    network.add_edge("shelf", "deck", 9)
    network.add_node("box", -2)
    network.add_node("deck", 2)
    assert network.cheapest() == {("box", "shelf"): 2, ("shelf", "deck"): 2}
    assert Network().cheapest() == {}
