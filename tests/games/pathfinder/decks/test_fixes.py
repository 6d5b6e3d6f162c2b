"""Applies every remedy by program. The result is a legal deck, and every card that an exchange offers is allowed in
the deck.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.decks.remedies import Exchange

from ..remedies import applied, can_be_applied, check, draft, follow, followed
from .test_any_deck import ALL_CARDS, legal_decks
from .test_checks import cases

LOUD = cases("loud")


@pytest.mark.parametrize(("name", "case"), LOUD)
def test_the_remedies_of_errors_lead_to_a_legal_deck(name, case):
    assert check(followed(draft(case.text()))).legal


@pytest.mark.parametrize(("name", "case"), LOUD)
def test_the_remedy_of_a_finding_ends_that_finding(name, case):
    deck = draft(case.text())
    for finding in check(deck).findings:
        if finding.check.id == name and any(map(can_be_applied, finding.remedies)) and finding.severity == "error":
            after = check(follow(deck, finding))
            assert (finding.check, finding.problem) not in {(each.check, each.problem) for each in after.findings}


@pytest.mark.parametrize(("name", "case"), LOUD)
def test_a_deck_may_contain_every_card_that_an_exchange_offers(name, case):
    deck = draft(case.text())
    before = {(each.check, each.cards) for each in check(deck).findings}
    for finding in check(deck).findings:
        for remedy in finding.remedies:
            for first, option in enumerate(remedy.into if isinstance(remedy, Exchange) and remedy.out else ()):
                after = check(applied(deck, remedy, first)).findings if can_be_applied(remedy) else ()
                worse = [each for each in after if (each.check, each.cards) not in before and option in each.cards]
                assert [each for each in worse if each.severity == "error" and each.family != "count"] == []


@settings(max_examples=60, deadline=None)
@given(legal_decks(), st.lists(st.tuples(st.integers(0, 14), st.sampled_from(ALL_CARDS)), min_size=1, max_size=6))
def test_remedies_make_any_wrong_deck_legal(deck, changes):
    cards = [card.name for card in deck.cards]
    for place, card in changes:
        cards[place] = card.name
    keys = {"set": deck.set, "character": deck.character.name, "stage": deck.stage, "adventure": deck.adventure}
    assert check(followed(keys | {"cards": cards})).legal
