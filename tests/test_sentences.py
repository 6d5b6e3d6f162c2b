"""A body is cut into the sentences that hits show and questions name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.markup import inline, plain
from kb.sentences import comparable, find, nearest, sentences


def texts(body):
    return [sentence.text for sentence in sentences(body)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Draw a card. Then [[chess/move|move it]].", ["Draw a card.", "Then move it."]),
        ("One paragraph over\ntwo lines.\n\nAnother one.", ["One paragraph over two lines.", "Another one."]),
        ("You may:\n\n- take *one* card;\n- lose **two**.\n", ["You may:", "take one card;", "lose two."]),
        ("1. Draw one card (optional).\n   It stays secret.\n2. Play on.", ["Draw one card (optional).", "It stays secret.", "Play on."]),
        ("See Dr. Milan, p. 3, No. 4 vs. No. 5. He draws one.", ["See Dr. Milan, p. 3, No. 4 vs. No. 5.", "He draws one."]),
        ("See St. Mary's, e.g. E. Cross and i.e. Mrs. A. Then go on.", ["See St. Mary's, e.g. E. Cross and i.e. Mrs. A. Then go on."]),
        ("May I do so now? No. You must wait for it.", ["May I do so now?", "No. You must wait for it."]),
        ('Say "you win it." Then stop at once.', ['Say "you win it."', "Then stop at once."]),
        ("## A heading {#part}\n\nUnder it stands this.", ["Under it stands this."]),
        ('!!! note "Changed"\n    First line of it.\n\n    Second line of it.', ["First line of it.", "Second line of it."]),
        ("| tokens | points |\n| --- | --- |\n| 4 | 1 |\n| eight | two of them |\n", ["tokens 4: points 1", "eight: two of them"]),
        ("| of | a | b |\n|---|---|---|\n| [[x|Elf]] | no \\| yes | 2 |\n", ["Elf: a no | yes; b 2"]),
        ("Look:\n\n```mermaid\nflowchart TD\n```\n\n```yaml\ngame: luxor\n```\n\nThat is it all.", ["Look:", "That is it all."]),
        ("*Example.* He pays one for it. *(optional)*", ["Example. He pays one for it. (optional)"]),
        ("", []),
    ],
)  # fmt: skip
def test_a_body_is_cut_into_sentences(body, expected):
    assert texts(body) == expected


def test_words_are_found_whatever_the_markup_case_and_quotes():
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


def test_rows_without_words_are_no_text_and_many_of_them_take_no_time():
    assert plain("| a | b |\n|---|:-:|\n|  |  |\n| 1 | 2 |") == "| a | b |\n\n| 1 | 2 |"
    assert plain("\n" * 50_000 + "|-" * 50_000 + "x").startswith("|-")
