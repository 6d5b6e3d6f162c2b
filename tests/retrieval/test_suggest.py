"""Correction of misspelled words. tests/site/test_both_windows.py tests the web page's search with the same cases."""

import pytest

from kb.retrieval.suggest import Speller, english, is_foreign
from tests.tables import rows_of

KNOWN = {"blessing": 300, "opportunity": 40, "location": 90, "locations": 80, "close": 30, "clue": 50, "doom": 20, "dooms": 1, "evade": 30,
         "temporarily": 9, "scarab": 12, "investigator": 200, "café": 3}  # fmt: skip
# A word, the known words, and the expected correction.
CORRECTIONS = rows_of("retrieval-suggest", "test_misspelled_words_are_corrected").args[1]
# Questions in other languages, in which kb corrects no word, and misspelled English questions, in which it does.
FOREIGN = [
    "wie viele Karten darf ich ziehen",
    "wie viele Karten",
    "darf ich zweimal angreifen wenn der Gegner erschöpft ist",
    "cuantas cartas robo al empezar",
    "kann ich einen Zauber ohne Fertigkeit aufladen",
]
MISSPELLED = [
    "cna I rechrage a spel",
    "exausted enmy atack",
    "exausted enmy atack oportunity",
    "Can I rechrage my spel wihtout teh skill",
]
# Two words, the limit, and the distance (limit + 1 if it is larger than the limit).
DISTANCES = [
    ("evade", "evade", 2, 0),
    ("evade", "evdae", 2, 1),
    ("evade", "evad", 2, 1),
    ("evade", "xevade", 1, 1),
    ("abc", "cba", 2, 2),
    ("doom", "clue", 2, 3),
    ("a", "abcd", 2, 3),
    ("ca", "abc", 3, 3),
    ("investigator", "investgater", 3, 2),
    ("", "ab", 2, 2),
]


@pytest.mark.parametrize(("word", "known", "meant"), CORRECTIONS)
def test_misspelled_words_are_corrected(word, known, meant):
    assert Speller(known).correct(word) == meant


@pytest.mark.parametrize(
    ("words", "strange", "left", "foreign"),
    [
        (6, 6, 2, True),
        (6, 6, 1, False),
        (3, 3, 1, True),
        (4, 3, 3, False),
        (8, 4, 4, False),
        (2, 2, 2, False),
        (0, 0, 0, False),
    ],
)
def test_a_question_of_another_language(words, strange, left, foreign):
    assert is_foreign(words, strange, left) == foreign


@pytest.mark.parametrize("word", ["chess", "albeit", "presid", "mythic"])
def test_common_english_words_are_in_the_word_list(word):
    assert word in english()


def test_a_misspelled_word_such_as_skil_is_not_in_the_word_list():
    assert "skil" not in english()  # the stem of "skilful"
