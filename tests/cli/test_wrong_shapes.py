"""Values of the wrong shape in deck files and campaigns are told: nothing is passed over in silence."""

from pathlib import Path

import pytest

ROLAND = "investigator: Roland Banks\ncards: [2x Knife]\n"
GAME = ("game: arkham\n", "")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("game: [arkham]", "1: `game` is a single value"),
        ("back: [By the Book]", "1: `back` is a single value"),
        ("transformed: {a: b}", "1: `transformed` is a single value"),
        ("choices: {faction_selected: {a: b}}", "1: `choices` has single values: give one for `faction_selected`"),
    ],
)
def test_in_a_deck(line, said, kb, real, tmp_path):
    deck = tmp_path / "deck.yaml"
    deck.write_text(f"{line}\n{GAME[line[:4] == 'game']}{ROLAND}", encoding="utf-8")
    found = kb("deck check", deck)
    assert (found.code, said in found.err) == (2, True), found.err


def test_in_a_campaign(kb, real, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert kb("campaign new c --game rotr --say set=rotr --deck Kyra --deck Ezren").code == 0
    for wrong in ("died={Kyra: yes}", "absent=[[Ezren]]"):
        found = kb("campaign record c --say scenario=1.1 --say won=yes --say {} --yes", wrong)
        assert found.code == 2
        assert f"`{wrong.partition('=')[0]}` " in found.err
        assert [path.name for path in Path("c").glob("01*")] == []
