"""The rules edition that kb uses: an option comes first, then the deck file, KB_RULES, the setting of `kb use` and,
last, the newest edition.
"""

import pytest

from kb.registry.editions import NoSuchEdition, choose_edition, chosen_edition, edition_named, editions_of
from kb.settings import keep


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("KB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("KB_RULES", raising=False)


def called(**said):
    found = chosen_edition("arkham", **said)
    return found.id if found else None


def test_the_choice_nearest_to_the_deck_wins(monkeypatch):
    assert called() == editions_of("arkham")[0].id == "grimoire", "without a choice, the newest edition"
    choose_edition("FAQ 2.5")
    assert called() == "faq", "the setting comes before the newest edition"
    monkeypatch.setenv("KB_RULES", "grimoire")
    assert called() == "grimoire", "KB_RULES comes before the setting"
    assert called(deck="faq") == "faq", "the deck file comes before KB_RULES"
    assert called(deck="faq", option="arkham grimoire") == "grimoire", "the option comes before the deck file"


def test_a_game_with_one_edition_has_no_choice(monkeypatch):
    monkeypatch.setenv("KB_RULES", "faq")
    assert chosen_edition("pathfinder") is None
    with pytest.raises(
        NoSuchEdition, match=r"--rules 'faq' is not an edition of the rules; luxor has only one edition"
    ):
        chosen_edition("luxor", option="faq")


def test_an_unknown_edition_gets_the_list_of_editions(monkeypatch):
    with pytest.raises(NoSuchEdition, match=r"rules: 'faq 9' is .* grimoire \(Grimoire 1.1\) and faq \(FAQ 2.5\)"):
        called(deck="faq 9")
    with pytest.raises(NoSuchEdition, match="--rules"):
        choose_edition("rotr")
    monkeypatch.setenv("KB_RULES", "newest")
    with pytest.raises(NoSuchEdition, match="KB_RULES 'newest'"):
        called()


def test_settings_with_unknown_editions_are_ignored():
    for kept in ({"arkham": "faq-1.0"}, "faq", {"arkham": 5}):
        keep("rules", kept)
        assert called() == "grimoire"


def test_editions_are_found_by_all_their_names():
    for name in ("faq", "FAQ-2.5", "rules reference", "arkham/faq"):
        found = edition_named(name)
        assert found
        assert (found[0], found[1].id) == ("arkham", "faq")
    assert edition_named("faq", "pathfinder") is None
