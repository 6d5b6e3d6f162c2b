"""The ranking of rules by authority (document, ruling and so on), and the words for each authority in citations."""

from kb.authority import ORDER, WORDS, in_words, rank


def test_documents_come_first_and_what_was_superseded_last():
    listed = [
        ("ruling", "designer", True, None),
        ("ruling", "community-consensus", False, None),
        ("ruling", "developer", False, False),
        ("ruling", "developer", False, None),
        ("ruling", "designer", False, None),
        ("faq", None, False, None),
        ("erratum", None, False, None),
    ]
    assert sorted(listed, key=lambda item: rank(*item)) == listed[::-1]


def test_every_authority_has_words():
    assert set(WORDS) == set(ORDER)


def test_certainty_is_said_only_where_it_is_not_high():
    assert in_words("designer", "2017-06", confidence="high") == "designer, 2017-06"
    assert in_words("developer", None, False, "low") == "publisher's staff, unsigned, confidence: low"
