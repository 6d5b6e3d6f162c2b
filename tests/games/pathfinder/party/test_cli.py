"""`kb party rebuild` and `kb party check` as commands."""

from collections import Counter

import pytest
import yaml

from kb.games.pathfinder.party.decks_together import example
from tests.walks import walks

TABLE = """\
game: pathfinder
set: rotr
adventure: 1
members:
  Kyra:
    wishes: [Force Missile]
    pool: [Mace, Quarterstaff, 2x Cure, Chain Mail, Wooden Shield, Holy Water, Guard, 6x Blessing of the Gods]
  Ezren:
    pool: [Detect Magic, 3x Force Missile, Invisibility, Levitate, 2x Lightning Touch, Sleep,
      Blast Stone, Codex, Night Watch, Sage, Standard Bearer]
rewards: [Bracers of Protection]
"""


@pytest.fixture
def table(real, tmp_path):
    path = tmp_path / "table.yaml"
    path.write_text(TABLE)
    return path


test_commands = walks("party", "table")


def test_the_written_decks_are_legal_alone_and_together(kb, table, tmp_path):
    out = tmp_path / "decks"
    assert kb("party rebuild --fill --write", out, table).code == 0
    assert sorted(path.name for path in out.iterdir()) == ["ezren.yaml", "kyra.yaml"]
    assert kb("deck check", out).code == 0
    ezren = yaml.safe_load((out / "ezren.yaml").read_text())
    assert ezren["gave"] == ["Force Missile"]
    assert ezren["received"] == ["Bracers of Protection"]
    assert len(ezren["from_box"]) == 1
    assert Counter(ezren["cards"])[ezren["from_box"][0]] == 1
    for name in ("party check", "deck party"):
        done = kb(f"{name} --json", out)
        assert done.code == 0, done.err
        told = done.json
        assert told["legal"]
        assert [deck["character"] for deck in told["decks"]] == ["Ezren", "Kyra"]
    assert "already exists" in kb("party rebuild --fill --write", out, table).refusal
    assert kb("party rebuild --fill --force --write", out, table).code == 0


def test_only_the_new_character_gets_cards_from_the_box(kb, real, tmp_path):
    (table := tmp_path / "example.yaml").write_text(example())
    told = kb("party rebuild --fill", table).out
    assert "Nothing for those who play on: the party has enough of every type." in told
    assert "  Merisiel: Dagger" in told
