"""Every fix, followed to the letter, leads to a legal deck; every card that a fix names may be taken."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .fixes import check, draft, exchanged, follow, mended, options
from .test_any_deck import ALL_CARDS, legal_decks
from .test_checks import cases

LOUD = cases("loud")
NOTHING_TO_FOLLOW = (  # what the reader has to look up or agree on
    "card-of-unknown-type", "promos-are-not-mentioned", "class-decks-are-newer", "only-a-successor",
    "cards-that-must-be-held",
)  # fmt: skip


@pytest.mark.parametrize(("name", "case"), LOUD)
def test_the_fixes_of_errors_lead_to_a_legal_deck(name, case):
    assert check(mended(draft(case.text()))).legal


@pytest.mark.parametrize(("name", "case"), LOUD)
def test_the_fix_of_a_finding_ends_that_finding(name, case):
    deck = draft(case.text())
    found = [finding for finding in check(deck).findings if finding.check == name]
    for finding in found:
        changes = (
            finding.severity != "note" and "Make sure" not in finding.fix and "Remove it, or play" not in finding.fix
        )
        if name not in NOTHING_TO_FOLLOW and changes and "add it to `owns:`" not in finding.fix:
            after = check(follow(deck, finding))
            assert (finding.check, finding.message) not in {(each.check, each.message) for each in after.findings}


@pytest.mark.parametrize(("name", "case"), LOUD)
def test_every_card_that_a_fix_names_may_be_taken(name, case):
    deck = draft(case.text())
    before = {(each.check, each.message) for each in check(deck).findings}
    for finding in check(deck).findings:
        for first, option in enumerate(options(finding)):
            after = check(exchanged(deck, finding, first)).findings
            worse = [each for each in after if (each.check, each.message) not in before and option in each.cards]
            assert [each for each in worse if each.severity == "error" and each.family != "count"] == []


@settings(max_examples=60, deadline=None)
@given(legal_decks(), st.lists(st.tuples(st.integers(0, 14), st.sampled_from(ALL_CARDS)), min_size=1, max_size=6))
def test_any_wrong_deck_is_mended(deck, changes):
    cards = [card.name for card in deck.cards]
    for place, card in changes:
        cards[place] = card.name
    told = {"set": deck.set, "character": deck.character.name, "stage": deck.stage, "adventure": deck.adventure}
    assert check(mended(told | {"cards": cards})).legal
