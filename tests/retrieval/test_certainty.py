"""The certainty of answers: if no game is chosen, for questions about a product, and for overviews and examples."""

import random

import pytest

from kb.api.session import Session
from kb.retrieval.certainty import SURE, First, certainty
from tests.conftest import at_home

CLEAR = First(asked=0.7, lead=1.5, alike=0.9, of_a_card=False, aside=False, strange=0.0, unsaid=0.0, manner=1.0)


@pytest.fixture(scope="module")
def session(real_home):
    with at_home(real_home), Session() as opened:
        yield opened


def test_choosing_the_game_never_makes_an_answer_less_certain(session):
    asked = sorted({question for item in session.index.documents() for question in item.asked})
    degrees = ("none", "probable", "certain")
    seen = set()
    for question in random.Random(54).sample(asked, 200):
        anywhere = session.ask(question)
        if anywhere.results.scope is None:
            chosen = session.ask(question, within=anywhere.results.hits[0].game)
            assert anywhere.degree == "none" or anywhere.results.sure <= chosen.results.sure, question
            assert degrees.index(anywhere.degree) <= degrees.index(chosen.degree), question
            seen.add(anywhere.degree)
    assert seen == set(degrees)


@pytest.mark.parametrize(
    ("question", "game"),
    [
        ("where can I buy the revised core set cheap", "arkham"),
        ("which sleeves fit these cards", "arkham"),
        ("how do I install the app on my phone", "pathfinder"),
        ("is it any fun with two players", "luxor"),
    ],
)
def test_a_question_about_the_product_has_no_certain_answer(session, question, game):
    assert session.ask(question, within=game).degree != "certain"


@pytest.mark.parametrize(
    "against",
    [{"asked": -0.2}, {"of_a_card": True}, {"aside": True}, {"strange": 0.5}, {"unsaid": 0.6}, {"alike": 0.4}],
)
def test_counter_evidence_makes_a_result_less_certain(against):
    values = {name: getattr(CLEAR, name) for name in First.__dataclass_fields__}
    assert certainty(First(**{**values, **against})) < certainty(CLEAR)
    assert certainty(CLEAR) > SURE


@pytest.mark.parametrize(
    ("question", "game", "first"),
    [
        ("me and my wife both have Dr Milan out, is he unique", "arkham", "arkham/grimoire/glossary/unique"),
        ("an aloof hunter stands next to my friend, does it walk on", "arkham", "arkham/grimoire/glossary/hunter"),
        ("henchman summoned by a barrier, do we get to close", "rotr", "pathfinder/rotr/henchman"),
    ],
)
def test_a_named_card_or_a_second_condition_does_not_hide_the_rule(session, question, game, first):
    assert session.ask(question, within=game).results.hits[0].id == first
