"""The search without a chosen game, for a user who plays by an earlier edition of a game's rules."""

import pytest

from kb.api.searching import played_rules


@pytest.mark.parametrize("question", ["hunter", "draw while engaged", "do I lose a turn handing in clues"])
def test_later_rules_take_no_place_without_a_chosen_game(real_index, question):
    whole = real_index.search(question).total
    rules = played_rules(real_index, "faq")
    found = real_index.search(question, rules=rules)
    assert 0 < found.total < whole, "rules of the later edition are not searched"
    assert not any(hit.edition in rules.later for hit in found.hits)
    assert real_index.search(question, rules=played_rules(real_index, "grimoire")).total == whole
