"""Damage of the files that players keep is told in a sentence with the place and what to do."""

import os
from pathlib import Path

import pytest

from kb.campaigns.damage import damage

HEAD = "# A campaign\ngame: chess\ndecks: {Ann: decks/00-ann.yaml}\n"
DECK = "game: chess\ncards: [Queen]\n"


@pytest.fixture
def campaign(tmp_path):
    folder = tmp_path / "club"
    (folder / "decks").mkdir(parents=True)
    (folder / "campaign.yaml").write_text(HEAD)
    (folder / "decks/00-ann.yaml").write_text(DECK)
    for number in (1, 2, 3):
        (folder / f"0{number}-game.yaml").write_text("# A game\nwon: yes\n")
    return folder


def test_nothing_is_said_of_a_campaign_that_is_whole(campaign):
    assert list(damage(campaign)) == []


@pytest.mark.parametrize(
    ("name", "spoil", "said"),
    [
        ("campaign.yaml", lambda path: path.write_bytes(b""), "campaign.yaml: is empty"),
        ("campaign.yaml", lambda path: os.truncate(path, len(HEAD) - 3), "campaign.yaml:4: is not YAML"),
        ("campaign.yaml", lambda path: path.write_bytes(b"\0\xff" * 50), "campaign.yaml:1: is not UTF-8"),
        ("01-game.yaml", lambda path: path.write_text("won: [\n"), "01-game.yaml:2: is not YAML"),
        ("02-game.yaml", Path.unlink, "no file has the number 2"),
        ("02-game.yaml", lambda path: path.rename(path.with_name("game.yaml")), "game.yaml is not read"),
        ("03-game.yaml", lambda path: os.truncate(path, 15), "03-game.yaml:2: ends in the middle of a line"),
        ("decks/00-ann.yaml", Path.unlink, "00-ann.yaml: cannot be read: No such file"),
        ("decks/00-ann.yaml", lambda path: path.write_bytes(b""), "00-ann.yaml: is empty"),
        ("decks/00-ann.yaml", lambda path: os.truncate(path, 10), "00-ann.yaml:1: ends in the middle of a line"),
        (".campaign.yaml.99.tmp", lambda path: path.write_text("#"), "was left when the writing of campaign.yaml was cut off"),
    ],
)  # fmt: skip
def test_each_kind_of_damage_is_told(campaign, name, spoil, said):
    spoil(campaign / name)
    found = list(damage(campaign))
    assert any(said in sentence for sentence in found), found
    assert all(sentence.endswith(".") and ("rite it again" in sentence or "not read" in sentence) for sentence in found)


def test_decks_of_a_folder_are_told_too(tmp_path):
    for name, text in {
        "ann": DECK,
        "ben": "",
        "eve": "cards: [",
        "kim": "# Kim\ngame: chess\ncards: [Queen]\nhad",
    }.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    (tmp_path / "notes.txt").write_text("[")
    assert [Path(sentence.split(":")[0]).stem for sentence in damage(tmp_path)] == ["ben", "eve", "kim"]


def test_a_folder_that_is_gone_is_a_sentence(tmp_path):
    assert list(damage(tmp_path / "gone")) == [f"{tmp_path / 'gone'} cannot be read: No such file or directory."]
