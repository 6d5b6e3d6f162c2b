"""A ruling on a card is shown on all levels and printings of that card, and names the version that it is about."""

from kb.catalog.queries import borne_on, ruled_on, rulings_on, sharing
from kb.catalog.store import open_catalog


def test_a_ruling_on_one_level_shows_on_the_others(real):
    with open_catalog() as catalog:
        card = catalog.card("arkham/cards/05158")
        about = {citation.id: words for citation, _kind, words in ruled_on(catalog, card)}
        assert about["arkham/rulings/the-circle-undone/sixth-sense-does-not-engage"] == ""
        assert about["arkham/rulings/the-circle-undone/sixth-sense-4-exposing"] == "level 4"


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
