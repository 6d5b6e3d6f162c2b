"""`kb search`, `ask`, `show`, `cards`, `build` and `doctor` as users and scripts see them."""

import pytest

from tests.walks import walks

test_chess = walks("search", "sources")
test_cards = walks("cards", "real")


def test_undecodable_arguments_are_accepted(sources, kb, tmp_path):
    assert "There is no entry" in kb("show", "\udcff").err
    (tmp_path / "kings.md").write_text("# Of kings\n\nA king.\n")
    odd = kb("import rulebook {} --game chess --name odd --title", tmp_path / "kings.md", "My\udcff book")
    assert (odd.code, "My? book (odd)" in odd.out) == (0, True)


def test_the_word_help_works_like_the_help_option(kb):
    assert kb("help").out.rstrip() == kb("--help").out.rstrip()
    assert kb("help ask").out == kb("ask --help").out


def test_cards_with_unknown_facts_are_counted(real, kb):
    found = kb("cards --json type:weapon set:rotr -trait:magic").json
    assert found["unknown"]["trait"] == sum(card["traits"] is None for card in found["cards"]) > 0


@pytest.mark.extended
def test_a_card_name_without_a_level_means_the_lowest_level(real, kb):
    def takers(card):
        return [each["id"] for each in kb("characters --json --may-take", card).json]

    assert takers("Gatling Gun") == takers("Gatling Gun (5)") != []
    assert takers("Shrivelling") == takers("01060") != takers("Shrivelling (5)")
    assert kb("characters --may-take", "Gatling Gun (4)").code == 2
