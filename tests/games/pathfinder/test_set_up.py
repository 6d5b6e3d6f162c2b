"""Starting a Pathfinder campaign: kb detects the set from the game's name or the decks. If kb refuses the campaign, it
leaves no files.
"""

import pytest
import yaml


@pytest.fixture
def decks(kb, real, tmp_path):
    """Create a folder with the suggested decks of Kyra and Lini, and return the folder."""
    folder = tmp_path / "decks"
    folder.mkdir()
    for name in ("Kyra", "Lini"):
        assert kb(f"deck new {name} --out", folder / f"{name.lower()}.yaml").code == 0
    return folder


def head_of(folder):
    return yaml.safe_load((folder / "campaign.yaml").read_text("utf-8"))


@pytest.mark.parametrize(("game", "who"), [("mm", "Ezren"), ("Mummy's Mask", "Ezren"), ("pathfinder", "Simoun")])
def test_the_name_of_the_game_or_the_character_decides_the_set(kb, real, tmp_path, game, who):
    assert kb(["campaign", "new", str(tmp_path / "c"), "--game", game, "--deck", who]).code == 0
    assert head_of(tmp_path / "c")["set"] == "mm"


def test_a_folder_of_decks_begins_a_campaign(kb, decks, tmp_path):
    assert kb("campaign new --game pathfinder --deck", decks, tmp_path / "c").code == 0
    assert head_of(tmp_path / "c")["set"] == "rotr"
    assert sorted(head_of(tmp_path / "c")["decks"]) == ["Kyra", "Lini"]


def test_the_decks_decide_game_and_set(kb, decks, tmp_path):
    (tmp_path / "simoun.yaml").write_text("character: Simoun\nset: mm\ncards: [Kopis]\n", "utf-8")
    assert kb("campaign new --deck", decks, tmp_path / "c").code == 0
    assert kb("campaign new --deck", tmp_path / "simoun.yaml", tmp_path / "d").code == 1, (
        "a deck of one card must be refused"
    )
    assert [head_of(tmp_path / name)["set"] for name in "cd"] == ["rotr", "mm"]
    assert kb("campaign new --deck Simoun", tmp_path / "e").code == 2
    assert not (tmp_path / "e").exists()


def test_a_refused_campaign_leaves_nothing_behind(kb, real, tmp_path):
    for more in ("--game rotr --deck Simoun", "--game pathfinder --say start=nine --deck Kyra"):
        assert kb(f"campaign new {more}", tmp_path / "c").code == 2
        assert not (tmp_path / "c").exists()


def test_decks_are_rebuilt_without_a_table_file(kb, decks, tmp_path):
    table = tmp_path / "table.yaml"
    assert kb("party new", decks, "--out", table).code == 0
    members = yaml.safe_load(table.read_text("utf-8"))["members"]
    assert {name: sorted(each) for name, each in members.items()} == {"Kyra": ["pool"], "Lini": ["pool"]}
    by_file, by_folder = kb("party rebuild --json", table).json, kb("party rebuild --json", decks).json
    assert by_file == by_folder
    assert by_file["from_box"] == {}


def test_a_plain_list_with_a_set_is_of_its_game(kb, real, tmp_path):
    (tmp_path / "deck.txt").write_text("Simoun\nset: mm\n4x Kopis\nBlowgun\n", "utf-8")
    (done,) = kb("deck check --json", tmp_path / "deck.txt").json
    assert (done["game"], done["character"], done["details"]["types"]["weapon"]["cards"]) == ("pathfinder", "Simoun", 5)
