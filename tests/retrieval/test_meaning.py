"""Questions such as `what is NAME` find the entry called NAME."""

import random

from kb.retrieval.analysis import words
from kb.retrieval.question import names_meant
from tests.tables import rows_of

FRAMES = [
    "what is {}",
    "what's {}?",
    "What does {} mean?",
    "how does {} work",
    "explain the {}",
    "{} meaning",
    "what does {} do",
]


@rows_of("retrieval-meaning", "test_the_name_is_what_stands_in_the_frame")
def test_the_name_is_what_stands_in_the_frame(question, names):
    assert list(names_meant(" ".join(words(question)))) == names


def test_the_entry_with_the_name_comes_first(real_index):
    """The first result is the entry itself, or another entry of the same name in its game."""
    entries = [item for item in real_index.documents() if item.kind in ("term", "rule") and not item.spoiler]
    called = {}
    for item in entries:
        for name in (item.title, *item.aliases):
            called.setdefault((item.game, " ".join(words(name))), set()).add(item.id)
    chance = random.Random(5)
    missed = []
    for item in chance.sample(entries, 60):
        question = chance.choice(FRAMES).format(item.title.lower())
        hit = real_index.search(question, item.game).hits[0]
        if not {hit.id, *(twin.id for twin in hit.twins)} & called[item.game, " ".join(words(item.title))]:
            missed.append((question, hit.title))
    assert len(missed) <= 1, missed
