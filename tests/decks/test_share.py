"""Links that contain a deck: encoding loses nothing, an ordinary deck gives a short link, and kb refuses
invalid links.
"""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.decks.share import WAYS, ShareError, dictionary, from_link, to_link


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_link_decodes_to_the_same_deck(text):
    link = to_link(text)
    assert link.replace("-", "").replace("_", "").isalnum()
    assert json.loads(text) == json.loads(from_link(link)) if '"slots"' in text else from_link(link) == text


def test_links_leave_out_the_description_of_a_deck():
    deck = {
        "investigator_code": "01001",
        "slots": {"01020": 2},
        "description_md": "long " * 400,
        "taboo_id": None,
        "xp": 5,
    }
    kept = {"investigator_code": "01001", "slots": {"01020": 2}, "xp": 5}
    assert json.loads(from_link(to_link(json.dumps(deck)))) == kept


@pytest.mark.parametrize("fragment", ["", "1", "9abc", "1ab c", "1____", to_link("game: arkham\n" * 9)[:-6]])
def test_an_invalid_link_gives_an_error_message(fragment):
    with pytest.raises(ShareError, match=r"^The link .*\.$"):
        from_link(fragment)


def test_a_link_that_decompresses_to_too_much_is_refused():
    with pytest.raises(ShareError, match="too long for a deck"):
        from_link(to_link("a" * 2_000_000))


def test_the_compression_dictionary_stays_the_same_for_old_links():
    known = {"1": "5d8472888e4891c1", "2": "c5307c2bfecdb449"}
    assert {way: hashlib.sha256(dictionary(way)).hexdigest()[:16] for way in WAYS} == known
    assert from_link("1Q1IOjnG4HqBq6IQiAA") == "character: Lini\ncards:\n- 1x Dagger\n"
