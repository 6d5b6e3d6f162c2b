"""Finding pairs of entries that answer the same question, but of which only one was completed later."""

from kb.paths import sources_root
from kb.sources.content import read_sources
from kb.sources.twins import drifted

QUESTION = '{"%s": [how many cards do I draw]}'


def pairs(sources, tmp_path):
    content, _facts, problems = read_sources(sources_root(), tmp_path / "own")
    assert not problems
    return [(drift.shorter, drift.longer, drift.rest) for drift in drifted(content.entries)]


def test_a_condition_that_one_of_two_entries_lacks(sources, tmp_path):
    sources.entry("chess/blitz", "Blitz", "Each player draws 2 cards.", asked=QUESTION % "draws 2 cards")
    sources.entry(
        "chess/rapid",
        "Rapid",
        "Each player draws **2** cards, unless the deck is empty.",
        asked=QUESTION % "draws 2 cards",
    )
    assert pairs(sources, tmp_path) == [("chess/blitz", "chess/rapid", "unless the deck is empty")]


def test_different_or_equal_sentences_are_not_reported(sources, tmp_path):
    sources.entry("chess/blitz", "Blitz", "Each player draws 2 cards.", asked=QUESTION % "draws 2 cards")
    sources.entry("chess/rapid", "Rapid", "Each player draws 2 cards.", asked=QUESTION % "draws 2 cards")
    sources.entry(
        "chess/bullet", "Bullet", "Each player draws 3 cards, if any are left.", asked=QUESTION % "draws 3 cards"
    )
    assert pairs(sources, tmp_path) == []
