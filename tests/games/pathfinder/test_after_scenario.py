"""The key `after_scenario:`, given by number or by name, and the comments in a new deck file about keys that are
needed later.
"""

from pathlib import Path

import pytest

from kb.games.pathfinder.decks.deck import KEYS


@pytest.fixture
def lini(kb, real, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return str(kb("deck new Lini").out)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Local Heroes", ""),
        ("local heroes", ""),
        ("0", ""),
        ("Local Heros", "l.yaml:5: Unknown scenario of adventure 1 'Local Heros'. Did you mean Local Heroes?"),
        ("Nonsense", "l.yaml:5: Unknown scenario of adventure 1 'Nonsense'. Its scenarios: "),
        ("99", "l.yaml:5: Unknown scenario of adventure 1 "),
        ("-1", "l.yaml:5: Unknown scenario of adventure 1 "),
    ],
)
def test_after_scenario_accepts_a_number_or_a_name(kb, lini, written, said):
    text = lini.replace("stage: new", "stage: rebuilt").replace(
        "adventure: B", f"adventure: 1\nafter_scenario: {written}\n#", 1
    )
    Path("l.yaml").write_text(text, "utf-8")
    done = kb("deck check l.yaml")
    assert done.code == (2 if said else 0), done
    assert said in done.err


def test_a_new_deck_file_has_comments_on_later_keys(kb, lini):
    assert not [key.name for key in KEYS if f"{key.name}:" not in lini]
    Path("l.yaml").write_text(lini, "utf-8")
    assert kb("deck check l.yaml").code == 0
    commented = [
        line[2:]
        for line in lini.splitlines()
        if line.startswith("# ") and ": " in line and not line.startswith("# Once")
    ]
    Path("l.yaml").write_text(lini + "\n".join(commented) + "\n", "utf-8")
    assert "Unknown key" not in kb("deck check l.yaml").err, "after the comment signs are removed, the keys are valid"
