"""Properties of all decks: kb always reports a card too many, a missing card and a forbidden card, and understands
misspelled names.
"""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kb.decks.deckfile import parse_deck
from kb.games.pathfinder.decks.deck_check import check_deck
from kb.games.pathfinder.decks.deckfile import read_deck
from kb.games.pathfinder.decks.facts import ADVENTURES

from .conftest import FACTS, suggested

ALL_CARDS = sorted(FACTS.cards.values(), key=lambda card: (card.set, card.name))


@st.composite
def legal_decks(draw):
    """Draw a legal new deck: a suggested deck in which some cards are exchanged for other allowed cards."""
    set_id, name = draw(st.sampled_from(sorted(FACTS.suggested)))
    deck = replace(suggested(name, set_id), adventure=draw(st.sampled_from(ADVENTURES)))
    number = ADVENTURES.index(deck.adventure)
    cards = list(deck.cards)
    for place in draw(st.lists(st.integers(0, len(cards) - 1), max_size=6, unique=True)):
        if cards[place].name in deck.character.must_hold:
            continue
        allowed = [
            card
            for card in ALL_CARDS
            if card.set == set_id
            and deck.character.may_fill(card)[-1:] == deck.character.may_fill(cards[place])[-1:]
            and not card.loot
            and card.number is not None
            and "P" not in card.products
            and card.number <= number
            and (card.basic or (number >= 3 and card.number <= number - 2 and card.basic is not None))
            and cards.count(card)
            < sum(
                copies if copies else 1
                for product, copies in card.copies
                if not product.isdigit() or int(product) <= number
            )
        ]
        if allowed:
            cards[place] = draw(st.sampled_from(allowed))
    return replace(deck, cards=tuple(cards))


def legal(deck):
    return check_deck(deck, FACTS, "deck").legal


@given(legal_decks())
def test_decks_of_allowed_cards_are_legal(deck):
    found = check_deck(deck, FACTS, "deck").findings
    assert {finding.check.id for finding in found} <= {"only-a-successor"}
    assert check_deck(replace(deck, after_death=True), FACTS, "deck").findings == ()


def illegal(card, deck):
    """Return True if the rulebooks forbid the card in a new deck. This is written independently of kb's checks."""
    number = ADVENTURES.index(deck.adventure)
    owned = card.owner == deck.character.name
    if card.set != deck.set:
        return True
    if card.deck is not None and card.deck.isdigit() and int(card.deck) > number:
        return True
    if owned or card.basic is not False:
        return False
    if number < 3 or (card.deck == "P" and deck.set == "rotr"):
        return True
    return card.deck is not None and card.deck.isdigit() and int(card.deck) + 2 > number


@given(legal_decks(), st.integers(0, 14), st.data())
def test_a_card_swapped_for_an_illegal_one_is_found(deck, place, data):
    barred = [card for card in ALL_CARDS if card.type == deck.cards[place].type and illegal(card, deck)]
    assume(barred)
    card = data.draw(st.sampled_from(barred))
    report = check_deck(replace(deck, cards=(*deck.cards[:place], card, *deck.cards[place + 1 :])), FACTS, "deck")
    assert not report.legal
    assert any(card.name in finding.cards for finding in report.findings if finding.severity == "error")


@pytest.mark.parametrize("form", ["  {n}x {c}", " {n} {c}", "\t{c} ({n})", " {c} x{n}"])
def test_indented_cards_do_not_belong_to_the_last_key(form):
    lines = [form.format(n=n, c=card) for n, card in ((2, "Dart"), (1, "Cure"))]
    read = read_deck(parse_deck("character: Lini\nset: rotr\nstage: new\n" + "\n".join(lines), "deck"), FACTS)
    assert (read.stage, [card.name for card in read.cards]) == ("new", ["Dart", "Dart", "Cure"])
