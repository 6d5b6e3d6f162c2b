"""Rulesets: the parts that every check needs, and the condition under which a check runs."""

from dataclasses import replace

import pytest

from kb.decks.problems import Problem
from kb.decks.ruleset import Ruleset


def rules():
    made = Ruleset("chess", "Chess")

    @made.check("chess/size", family="count", when=lambda deck: deck)
    def first_is_one(deck):
        """A deck that has cards begins with 1."""
        if deck[0] != 1:
            yield Problem(f"It begins with {deck[0]}.", severity="warning", cites=("chess/other",))

    @made.check("chess/size", family="count")
    def size(deck):
        """A deck has two cards."""
        if len(deck) != 2:
            yield Problem("It has not two cards.", "Take two.")

    return made


def test_a_check_runs_only_if_its_condition_is_true():
    assert [found.check.id for found in rules().run([])] == ["size"]
    assert list(rules().run([1, 2])) == []


def test_a_problem_may_replace_severity_and_citations_of_its_check():
    (found,) = rules().run([2, 3])
    assert (found.severity, found.cites, found.family) == ("warning", ("chess/other",), "count")


def test_a_message_names_the_owner_of_the_deck_once():
    (found,) = rules().run([2, 3])
    named = replace(found, problem=Problem("Lini is at the table twice.", names_owner=True))
    assert replace(found, deck="Lini").message == "Lini: It begins with 2."
    assert replace(named, deck="Lini").message == "Lini is at the table twice."
    assert replace(named, deck="Lini", place="Now").message == "Now: Lini is at the table twice."
    assert replace(found, deck="Lini", place="Now").message == "Now: Lini: It begins with 2."


@pytest.mark.parametrize(("doc", "cites"), [(None, ("chess/size",)), ("Something.", ())])
def test_a_check_needs_a_summary_and_a_citation(doc, cites):
    def other(deck):
        yield from ()

    other.__doc__ = doc
    with pytest.raises(ValueError, match="needs a docstring, a citation and a name of its own"):
        rules().check(*cites, family="count")(other)


def test_two_checks_cannot_have_the_same_name():
    def size(deck):
        """Has the same name as an existing check."""
        yield from ()

    with pytest.raises(ValueError, match="check size of chess"):
        rules().check("chess/size", family="count")(size)
