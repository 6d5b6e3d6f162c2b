"""Data that modules exchange: labels of cards, and lines of problems."""

import pickle

import pytest

from kb.decks.deckfile import parse_deck
from kb.decks.names import CardLabel
from kb.decks.nodes import DeckFileError
from kb.decks.party import UnreadableDecksError
from kb.decks.problems import Check, Problem
from kb.decks.questions import Asked, Question, words_of
from kb.site.checker.questions import told

SHRIVELLING = CardLabel("Shrivelling (3)", "02154")


def test_a_label_is_a_text_with_a_name_and_a_key():
    assert (SHRIVELLING, SHRIVELLING.name, SHRIVELLING.key) == ("Shrivelling (3) [02154]", "Shrivelling (3)", "02154")
    again = pickle.loads(pickle.dumps(SHRIVELLING))
    assert (again, again.name, again.key) == (SHRIVELLING, "Shrivelling (3)", "02154")
    assert CardLabel.of(SHRIVELLING) is SHRIVELLING
    plain = CardLabel.of("Cure")
    assert (plain, plain.name, plain.key) == ("Cure", "Cure", "Cure")


@pytest.mark.parametrize(
    ("file", "place"),
    [
        ("deck", "Deck, line 2: "),
        ("table", "Table, line 2: "),
        ("deck 3", "Deck 3, line 2: "),
        ("a.yaml", "a.yaml:2: "),
    ],
)
def test_a_position_in_a_typed_text_is_shown_without_a_file_name(file, place):
    with pytest.raises(DeckFileError) as wrong:
        parse_deck("game: arkham\n  x: [", file)
    assert told(wrong.value).startswith(place)
    assert told(UnreadableDecksError([wrong.value] * 2)).count(place) == 2


def test_the_subject_of_a_finding_does_not_depend_on_its_wording():
    check = Check("few", "count", (), "", "error", lambda _: (), "pebbles")
    one, other = (next(check_of(check, message).findings(None)) for message in ("1 of 2.", "Only 1."))
    assert one.subject == other.subject
    assert one.altered(count=0).subject != one.subject


def check_of(check, message):
    def run(_):
        yield Problem(message, cards=("Cure",), count=1, limit=2)

    return Check(check.id, check.family, (), "", check.severity, run, check.game)


def test_a_question_is_about_a_person_and_says_how_to_answer():
    question = Question("Deck of {}", of="Kyra (Runelords)", who="Kyra", hint="a file", key="decks")
    assert (question.words, question.person) == ("Deck of Kyra (Runelords) (a file)", "Kyra")
    about = [Asked("", question, "", ""), Asked("", Question("Who died?", key="died"), "", "")]
    assert words_of(about) == {"decks": "Deck of …", "died": "Who died?"}
    assert words_of(about, "Lini")["decks"] == "Deck of Lini"
    points = Question("Skill", tail=" of Beor", hint="0 to 4")
    assert (points.start, points.words) == ("Skill", "Skill of Beor (0 to 4)")
