"""Splitting an entry's body into sentences. Search results show these sentences, and the keys of `asked:` quote
them.
"""

from hypothesis import given
from hypothesis import strategies as st

from kb.markup import inline, plain
from kb.sentences import comparable, find, nearest, sentences
from tests.tables import rows_of


def texts(body):
    return [sentence.text for sentence in sentences(body)]


@rows_of("sentences", "test_a_body_is_cut_into_sentences")
def test_a_body_is_cut_into_sentences(body, expected):
    assert texts(body) == expected


def test_words_are_found_regardless_of_markup_case_and_quotes():
    said = sentences('It **cannot exhaust** again. A card\'s "cost" is\npaid.\n\n| a | b |\n|-|-|\n| one | two |\n')
    assert find("it cannot  Exhaust again", comparable(said)) == [0]
    assert find("card’s “cost” is **paid**", comparable(said)) == [1]
    assert find("one | two", comparable(said)) == [2]
    assert find("nothing of it", comparable(said)) == []
    assert nearest("who is paid the cost", said) == 'A card\'s "cost" is paid.'


@given(st.text(alphabet="ab. \n|-*#!?[](){}`\"'A1:_\\"))
def test_any_body_is_cut_without_losing_words_of_plain_paragraphs(body):
    found = texts(body)
    assert all(sentence.strip() == sentence and sentence for sentence in found)
    if not set(body) & set("|#!`-*\\[_{1"):
        assert "".join("".join(found).split()) == "".join(inline(body).split())


def test_empty_table_rows_are_left_out_quickly():
    assert plain("| a | b |\n|---|:-:|\n|  |  |\n| 1 | 2 |") == "| a | b |\n\n| 1 | 2 |"
    assert plain("\n" * 50_000 + "|-" * 50_000 + "x").startswith("|-")
