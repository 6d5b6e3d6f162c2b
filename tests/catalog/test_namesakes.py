"""A ruling on a card is shown on all levels and printings of that card, and names the version that it is about."""

import pytest

from kb.catalog.queries import borne_on, namesakes, ruled_on, rulings_on, sharing
from kb.catalog.store import open_catalog


def test_a_ruling_on_one_level_shows_on_the_others(real):
    with open_catalog() as catalog:
        card = catalog.card("arkham/cards/05158")
        about = {citation.id: words for citation, _kind, words in ruled_on(catalog, card)}
        assert about["arkham/rulings/the-circle-undone/sixth-sense-does-not-engage"] == ""
        assert about["arkham/rulings/the-circle-undone/sixth-sense-4-exposing"] == "level 4"


@pytest.mark.parametrize(
    ("card", "ruling", "words"),
    [
        # subtitles that differ by an article: "Head Librarian" and "The Head Librarian"
        ("12115", "rulings/the-dunwich-legacy/armitage-only-your-deck", "number 02040, The Dunwich Legacy"),
        ("02040", "rulings/the-dunwich-legacy/armitage-only-your-deck", ""),
        ("08014b", "faq/discipline-balance-of-body", "its other side"),
        ("08014a", "faq/discipline-balance-of-body", ""),
        ("08011a", "faq/discipline-balance-of-body", "Balance of Body"),
    ],
)
def test_a_ruling_says_which_card_of_the_name_it_is_about(real, card, ruling, words):
    with open_catalog() as catalog:
        about = {
            citation.id: words for citation, _kind, words in ruled_on(catalog, catalog.card(f"arkham/cards/{card}"))
        }
    assert about[f"arkham/{ruling}"] == words


def test_words_for_a_namesake():
    card = {"id": "g/cards/1", "code": "1", "set": "a", "subtitle": "A Knife"}
    others = [
        {"id": "g/cards/2", "code": "2", "set": "a", "subtitle": "the knife"},
        {"id": "g/cards/3", "code": "3", "set": "b", "subtitle": "Knife"},
        {"id": "g/cards/4", "code": "4", "set": "c"},
        {"id": "g/cards/5", "code": "5", "set": "b", "subtitle": "Theknife", "level": 2},
        {"id": "g/cards/6", "code": "6", "set": "b", "subtitle": "Knife", "level": 2},
        {"id": "g/cards/7", "set": "b"},
        {"id": "g/cards/8", "code": "8", "set": "b", "duplicate_of": "1"},
    ]
    found = {each.id[-1]: each.words for each in namesakes(card, [card, *others], {"a": "Ape", "b": "Bee"})}
    assert found == {
        "2": "number 2", "3": "number 3, Bee", "4": "number 4", "5": "Theknife", "6": "level 2", "7": "the card of b", "8": "",
    }  # fmt: skip


def test_related_entries_of_a_ruling(real):
    with open_catalog() as catalog:
        ruling = catalog.entry("arkham/rulings/core-set/machete-and-massive")
        massive = catalog.entry("arkham/glossary/massive")
        assert massive.id in {item.id for item in borne_on(catalog, ruling)}
        listed = [item.id for item in rulings_on(catalog, massive)]
        assert listed.index("arkham/rulings/2-29") < listed.index(ruling.id), "the FAQ comes before rulings by staff"
        assert "arkham/faq/zoey-samaras-swarming" in {item.id for item in sharing(catalog, ruling)}
        assert ruling.id not in {item.id for item in sharing(catalog, ruling)}


def test_kb_show_lists_related_rulings_once(real, kb):
    shown = kb("show arkham/rulings/core-set/machete-and-massive").out
    assert "Affects" in shown
    assert "Same card" in shown
    assert shown.count("arkham/rulings/2-29") == 1
    card = kb("show arkham/cards/05158").out
    assert "(about level 4)  arkham/rulings/the-circle-undone/sixth-sense-4-exposing" in card
