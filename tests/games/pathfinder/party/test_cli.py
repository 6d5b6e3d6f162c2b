"""`kb party rebuild` and `kb party check` as commands."""

from collections import Counter

import pytest
import yaml

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
def table(tmp_path):
    path = tmp_path / "table.yaml"
    path.write_text(TABLE)
    return path


def test_the_answer_as_json(kb, table):
    done = kb("party rebuild --json", table)
    assert done.code == 0, done.err
    told = done.json
    assert {key: told[key] for key in ("game", "set", "adventure", "from_box", "left_over", "dead_left_over", "findings")} == {
        "game": "pathfinder", "set": "rotr", "adventure": 1, "from_box": {"weapon": 1}, "left_over": {},
        "dead_left_over": None, "findings": [],
    }  # fmt: skip
    assert told["trades"] == [{"card": "Force Missile", "from": "Ezren", "to": "Kyra", "why": "Kyra wished for it"}]
    assert told["wishes"] == {"kept": 1, "missed": []}
    assert told["decks"]["Ezren"]["box"] == {"weapon": 1}
    assert "Dagger" in told["eligible"]["Ezren"]["weapon"]
    assert told["need"]["Ezren"] == {"weapon": 1, "spell": 8, "item": 3, "ally": 3}
    assert kb("party rebuild --json", table).out == done.out


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
    again = kb("party rebuild --fill --write", out, table)
    assert again.code == 2
    assert "there already" in again.err
    assert kb("party rebuild --fill --force --write", out, table).code == 0


def test_a_refused_move_is_not_made(kb, table):
    def told(refuses):
        table.write_text(TABLE.replace("  Ezren:\n", f"  Ezren:\n    refuses: [{refuses}]\n"))
        return kb("party rebuild --json", table).json

    by_the_giver = told("Force Missile")
    assert [move["card"] for move in by_the_giver["trades"]] == ["Detect Magic"], "another spell fills the place"
    assert by_the_giver["refused"] == {"Ezren": ["Force Missile"]}
    assert by_the_giver["wishes"]["missed"] == [{"member": "Kyra", "card": "Force Missile"}]
    assert [move["to"] for move in told("Bracers of Protection")["moves"]] == ["Kyra"], "who gives Ezren another item"
    assert "Dagger" not in told("Dagger")["eligible"]["Ezren"]["weapon"]
    assert [each["check"] for each in told("Codecks")["findings"]] == ["known-cards"]
    told("Bracers of Protection, Holy Water")
    done = kb("party rebuild", table)
    assert done.code == 1
    assert "no plan is legal: 1 card more must come from the box" in done.out


def test_impossible_tables(kb, table):
    table.write_text(TABLE.replace("Codex", "Codecks"))
    done = kb("party rebuild --json", table)
    told = done.json
    assert done.code == 1
    assert [(each["check"], each["line"]) for each in told["findings"]] == [("known-cards", 10)]
    assert "decks" not in told
    assert "table.yaml:10:" in kb("party rebuild", table).out


def test_what_cannot_be_read(kb, table, tmp_path):
    table.write_text(TABLE.replace("members", "member"))
    done = kb("party rebuild", table)
    assert done.code == 2
    assert "table.yaml:4: Unknown key `member`" in done.err
    table.write_text("game: arkham\ninvestigator: Roland Banks\n")
    done = kb("party rebuild", table)
    assert done.code == 2
    assert "there is no `kb party rebuild` for Arkham Horror" in done.err
    assert kb("party rebuild", tmp_path / "nothing.yaml").code == 2


def test_decks_that_do_not_go_together(kb, tmp_path):
    for number, name in enumerate(("Kyra", "Seelah")):
        kb("deck new {} --out", name, tmp_path / f"{name}.yaml")
        text = (tmp_path / f"{name}.yaml").read_text()
        assert text
        (tmp_path / f"{name}.yaml").write_text(text.replace("Wooden Shield", "Chain Mail") if number else text)
    kyra = (tmp_path / "Kyra.yaml").read_text()
    (tmp_path / "Third.yaml").write_text(kyra)
    done = kb("party check", tmp_path)
    assert done.code == 1
    assert "Kyra is at the table 2 times." in done.out
    assert kb("party check --owned base", tmp_path).code == 2
