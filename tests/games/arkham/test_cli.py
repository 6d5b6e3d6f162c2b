"""`kb deck upgrade`, `convert`, `weakness` and `party` for Arkham Horror: JSON output, exit codes, and error messages
for wrong input.
"""

from dataclasses import replace

import pytest

from kb.games.arkham.decks.deck_writing import write_deck
from tests.games.arkham.decks.conftest import AGNES, DAISY, FACTS, HAUNTED, deck
from tests.games.arkham.decks.upgrade.steps import put
from tests.walks import walks

OLD = deck(AGNES, {"Shrivelling": 2})
NEW = put(OLD, {"Shrivelling": 1, "Shrivelling (3)": 1})
DECKS = {
    "old": OLD,
    "new": NEW,
    "poor": replace(NEW, experience=2),
    "exiled": replace(NEW, exiled=("02114",)),
    "daisy": deck(DAISY, {HAUNTED: 0, "Amnesia": 1}),
    "unlucky": put(OLD, {HAUNTED: 0}),
    "campaign/c": put(OLD, {"Shrivelling": 0, "Shrivelling (3)": 2}, id="x3", previous="x2", experience=4),
    "campaign/a": replace(OLD, id="x1"),
    "campaign/b": replace(NEW, id="x2", previous="x1", experience=4),
}


@pytest.fixture
def saved(real, tmp_path):
    """Write the decks as arkham.build files, and return their folder."""
    (tmp_path / "campaign").mkdir()
    for name, one in DECKS.items():
        (tmp_path / f"{name}.json").write_text(write_deck(one, "arkham.build", FACTS).text, "utf-8")
    return tmp_path


test_commands = walks("arkham", "saved")


def test_weaknesses_are_drawn_again_with_the_seed(kb, saved):
    mine = saved / "unlucky.json"
    first = kb("deck weakness {} --owned core --json", mine)
    report = first.json
    assert (first.code, report["pool"], len(report["drawn"])) == (0, 10, 1)
    assert kb("deck weakness {} --owned core --json --seed", mine, report["seed"]).json == report


def test_weaknesses_and_bonded_cards_follow_the_edition_in_use(kb, saved, monkeypatch):
    for rules, cited in (
        ("faq", "arkham/faq/searching-collection-basic-weakness"),
        ("grimoire", "arkham/grimoire/deckbuilding/random-basic-weaknesses"),
    ):
        monkeypatch.setenv("KB_RULES", rules)
        report = kb("deck weakness {} --json", saved / "unlucky.json").json
        assert [each["id"] for each in report["cites"]] == [cited]


def test_bonded_cards_are_listed_with_the_deck(kb, saved):
    path = saved / "mirror.yaml"
    path.write_text("game: arkham\ninvestigator: Agnes Baker\ncards: {Hallowed Mirror: 1}\n")
    (report,) = kb("deck check {} --json", path).json
    assert report["details"]["bonded"] == {"Soothing Melody [05314]": 3}
    (shown,) = kb("deck show {} --json", path).json
    assert shown["rows"][-1] == ["bonded, set aside", "3", "3x Soothing Melody [05314]"]
    (without,) = kb("deck check {} --json", saved / "old.json").json
    assert "bonded" not in without["details"]


@pytest.mark.parametrize(
    ("deck", "aside"),
    [
        ("investigator: Agnes Baker\ncards: {Stargazing: 1}\n", {"The Stars Are Right [06028]": 2}),
        (
            "investigator: Agnes Baker\ncards: {Crystallizer of Dreams: 1}\n",
            {"Guardian of the Crystallizer [06025]": 2},
        ),
        ("investigator: Agnes Baker\ncards: {Summoned Hound (1): 2}\n", {"Unbound Beast [06283]": 2}),
        # the two sides are one card
        (
            "investigator: Luke Robinson\ncards: {Gate Box: 1, Detached from Reality: 1}\n",
            {"Dream-Gate: Wondrous Journey [06015a]": 1},
        ),
        ("investigator: Hank Samson\ncards: {Guts: 1}\n", {"Hank Samson [10016a]": 1}),
    ],
)
def test_as_many_bonded_cards_are_set_aside_as_the_product_contains(kb, saved, deck, aside):
    (saved / "bonded.yaml").write_text(f"game: arkham\n{deck}")
    (report,) = kb("deck check {} --json", saved / "bonded.yaml").json
    assert report["details"]["bonded"] == aside
