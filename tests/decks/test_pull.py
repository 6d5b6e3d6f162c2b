"""The pull list, which gives the products from which to take the cards of some decks. Every copy is in a product or
missing, and no copy is used twice.
"""

from hypothesis import given
from hypothesis import strategies as st

from kb.decks.party import Collection, HeldCard, pull


def collection(*cards):
    decks = dict.fromkeys(sorted({deck for card in cards for deck in card.decks}), "")
    return Collection(decks, cards, "")


def test_the_list_opens_few_products_and_serves_the_first_deck_first():
    both = HeldCard("Mace", (), {"Kyra": 1, "Seelah": 2}, {"add-on": 1, "base": 1})
    only = HeldCard("Cure", (), {"Kyra": 2}, {"base": 4})
    found = pull(collection(both, only))
    assert [
        (name, [(take.card.name, take.copies, dict(take.decks)) for take in takes])
        for name, takes in found.products.items()
    ] == [
        ("base", [("Mace", 1, {"Kyra": 1}), ("Cure", 2, {"Kyra": 2})]),
        ("add-on", [("Mace", 1, {"Seelah": 1})]),
    ]
    assert [(take.card.name, take.copies, dict(take.decks)) for take in found.missing] == [("Mace", 1, {"Seelah": 1})]


def test_products_with_unknown_numbers_come_last_and_are_marked():
    found = pull(collection(HeldCard("Dart", (), {"Lini": 3}, {"class deck": None, "base": 1})))
    assert {name: [(take.copies, take.uncertain) for take in takes] for name, takes in found.products.items()} == {
        "class deck": [(2, True)],
        "base": [(1, False)],
    }
    assert not found.missing


stocks = st.dictionaries(st.sampled_from("abcd"), st.none() | st.integers(0, 4), max_size=4)
cards = st.builds(
    HeldCard,
    st.sampled_from(["x", "y"]),
    st.just(()),
    st.dictionaries(st.sampled_from("KSL"), st.integers(0, 5)),
    stocks,
)


@given(st.lists(cards, max_size=6))
def test_every_copy_is_accounted_for(wanted):
    found = pull(collection(*wanted))
    for card in wanted:
        takes = [(name, take) for name, group in found.products.items() for take in group if take.card is card]
        gone = [take for take in found.missing if take.card is card]
        for name, take in takes:
            there = card.stock[name]
            assert there is None or sum(t.copies for n, t in takes if n == name) <= there
            assert take.copies == sum(take.decks.values()) > 0
        for deck, copies in card.decks.items():
            assert copies == sum(take.decks.get(deck, 0) for take in [*(t for _, t in takes), *gone])
        if gone:
            known = [number for number in card.stock.values() if number is not None]
            assert None not in card.stock.values()
            assert sum(known) < card.copies
