"""Word vectors: words, questions and entries with a similar meaning have similar vectors, even if they share no
word.
"""

import pytest

from kb.retrieval import likeness
from kb.retrieval.analysis import index_words
from kb.retrieval.document import Document

LINES = likeness.FILE.read_text("utf-8").split("\n")
WORDS = [line.partition(" ")[0] for line in LINES[1:-1]]


def entry(*sentences, kind="term"):
    return Document(id="a/b", game="a", kind=kind, title="Xyzzy", scopes=("a",), sentences=sentences)


def gain(question, document):
    return likeness.gain(likeness.alike(likeness.vector_of_query(index_words(question)), likeness.vector_of(document)))


def test_the_vector_file_is_sorted_and_complete():
    assert LINES[0] == LINES[-1] == ""
    assert len(WORDS) > 2000
    assert sorted(set(LINES[1:-1])) == LINES[1:-1]
    assert len(set(WORDS)) == len(WORDS)
    vectors = [[ord(letter) - likeness.ZERO for letter in line.partition(" ")[2]] for line in LINES[1:-1]]
    assert {len(vector) for vector in vectors} == {likeness.SIZE}
    assert {abs(number) for vector in vectors for number in vector} == {*range(likeness.MOST_OF_WORD + 1)}


@pytest.mark.extended
def test_most_words_of_our_questions_have_vectors(real_index):
    """If this fails, our questions contain too many words without a vector: run tests/benchmarks/learn_likeness.py."""
    asked = [word for item in real_index.documents() for question in item.asked for word in index_words(question)]
    known = sum(likeness.vector_of_word(word) is not None for word in asked)
    assert known / len(asked) > 0.9


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        ("may we swap", "Characters at the same location exchange possessions.", "Shuffle the encounter deck."),
        ("how do I kill a monster", "An enemy with as much damage as health is defeated.", "Draw the opening hand."),
        ("buddy got hurt", "Another investigator takes damage.", "Set the agenda aside and advance the act."),
    ],
)
def test_paraphrases_are_similar(question, near, far):
    assert not set(index_words(question)) & set(index_words(near)), (
        "the question and the sentence must not share a word"
    )
    assert gain(question, entry(near)) > gain(question, entry(far))


def test_without_a_vector_the_score_does_not_change():
    assert gain("qwertz asdfgh", entry("Draw a card.")) == 1
    assert gain("", entry("Draw a card.")) == 1
    assert gain("\ud800 \x00 draw", entry("")) == 1
    assert gain("draw a card", entry("Draw a card.", kind="card")) == 1
    assert likeness.vector_of(entry("Qwertz.")) == ""
    assert likeness.vector_of_word("draw card") is None
    assert likeness.vector_of_word("") is None
