"""The final position of a game as a form: its questions. A file opened in the form gets the same score as on the
command line.
"""

from kb.citation import Citations
from kb.decks.deckfile import parse_deck
from kb.decks.questions import as_form
from kb.decks.scores import score
from kb.games.luxor import form
from kb.games.luxor.score import scored
from kb.site.checker.questions import on_form

FINAL = """
game: luxor
set_points: {1: 4, 2: 9}
players:
  Ada: {vases: 3, jewelry: 1, wild_cards: 3, looted: 23, keys: [1, 1], scarabs: [1, 3], locations: [4, 7], sarcophagi: [first]}
  "Ben, the second": {vases: 1, jewelry: 2, statues: 1, looted: [3, 5, 2, 4], scarabs: [2, 2], locations: [], sarcophagi: [second]}
notes: a long evening
"""


def test_a_file_that_is_opened_scores_as_it_does_on_the_command_line():
    from kb.campaigns.record import dumped

    found, values = as_form(form.questions(), form.answers(parse_deck(FINAL, "final.yaml")))
    assert not [each for each in found if each.wrong]
    again, first = score(text=dumped(values)), score(text=FINAL)
    assert [player.points for player in again.players] == [player.points for player in first.players] == [54, 25]
    assert values["notes"] == "a long evening"


def test_the_form_asks_for_the_value_of_existing_sets_only():
    asked = lambda typed: [each.key for each in as_form(form.questions(), {form.WHO.key_in_form: "Ada", **typed})[0]]  # noqa: E731
    assert form.worth_of(1).key_in_form not in asked({})
    assert form.worth_of(1).key_in_form in asked({"vases/Ada": "1", "wild_cards/Ada": "2"})


def test_a_wrong_answer_keeps_the_questions_but_gives_no_file():
    found, values = as_form(form.questions(), {form.WHO.key_in_form: "Ada", "vases/Ada": "x"})
    assert [each.key for each in found if each.wrong] == ["vases/Ada"]
    assert "sarcophagi/Ada" in [each.key for each in found]
    assert values is None


def test_missing_values_are_named_in_the_words_of_the_form():
    file = parse_deck("game: luxor\nplayers: [{name: Ada, vases: 3, looted: [4, 5], sarcophagi: both}]\n", "final.yaml")
    (player,) = on_form(scored(file), Citations())["players"]
    lines = player["lines"]
    assert "points for 2 looted tiles" in next(each["ask"] for each in lines if each["ask"])
    assert not any("`" in each["ask"] for each in lines)
