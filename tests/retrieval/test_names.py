"""Entries and cards come first when a user types their exact name or the beginning of it."""

import random

import pytest


@pytest.mark.extended
def test_exact_titles_come_first(real_index):
    """Entries of the same name may share the first places. The test uses a sample, because all titles would take
    minutes.
    """
    documents = list(real_index.documents())
    by_title = {}
    for item in documents:
        for name in (item.title, *(item.aliases if item.kind == "card" else ())):
            by_title.setdefault(name.casefold(), set()).add(item.id)
    rules = [item for item in documents if item.kind != "card"]
    cards = [item for item in documents if item.kind == "card"]
    chance = random.Random(4)
    missed = []
    for item in [*chance.sample(rules, 150), *chance.sample(cards, 100)]:
        namesakes = by_title[item.title.casefold()]
        results = real_index.search(item.title, limit=len(namesakes) + 1)
        first = {results.hits[0].id, *(twin.id for twin in results.hits[0].twins)}
        if not first & namesakes:
            missed.append((item.title, item.id, results.hits[0].id))
    assert missed == []


@pytest.mark.parametrize("title", ["As if", "When", "Would", "Attack of opportunity", "Mulligan", "An", "If"])
def test_titles_of_stop_words_are_found(real_index, title):
    found = real_index.search(title).hits
    known = [item for item in real_index.named(title) if item.title.casefold().startswith(title.casefold())]
    if not known:
        pytest.skip("no entry of that title")
    assert found[0].id in {item.id for item in known}


def typed_letter_by_letter(name):
    for length in range(3, len(name) + 1):
        yield name[:length]


def test_names_are_found_after_three_letters(real_index):
    cards = [
        item for item in real_index.documents() if item.kind == "card" and item.aliases and item.title[0].isalpha()
    ]
    chance = random.Random(6)
    empty, states = [], 0
    for item in chance.sample(cards, 20):
        for typed in typed_letter_by_letter(item.aliases[0]):
            if not typed[-1].isalnum():
                continue
            states += 1
            if not real_index.search(typed, typing=True).hits:
                empty.append(typed)
    assert states > 100
    assert len(empty) <= 0.02 * states, empty


def test_a_name_that_begins_with_the_query_comes_first(real_index):
    assert real_index.search("Roland").hits[0].title.startswith("Roland")
    assert real_index.search("mullig", typing=True).hits[0].title == "Mulligan"


@pytest.mark.parametrize(
    ("typed", "title"),
    [("mull", "Mulligan"), ("graveyrd", "Graveyard"), ("atack of oportunity", "Attack of opportunity")],
)
def test_a_beginning_and_a_misspelled_title_find_the_title_first(real_index, typed, title):
    assert real_index.search(typed).hits[0].title == title


def test_titles_that_begin_with_the_query_rank_above_longer_words(real_index):
    first = real_index.search("gra", "arkham").hits[0]
    assert first.title == "Graveyard"
