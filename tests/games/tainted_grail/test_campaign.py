"""Tainted Grail campaigns: played through from the first sheet to the end, and everything that does not follow."""

import copy
import re
from itertools import count
from pathlib import Path

import pytest

from kb.campaigns.record import dumped
from kb.decks.games import Table
from tests.games.camp import Camp, mend

TABLE = Table(lambda _game, _kind: [])
START = {"aggression": 2, "courage": 1}


def beor(**said):
    """A sheet of Beor."""
    return {
        "starting_attributes": START, "attributes": START, "experience_spent": 0,
        "resources": {"food": 3, "experience": 0}, "combat": "1-15", "diplomacy": "1-15", **said,
    }  # fmt: skip


def begun(folder, **head):
    return Camp(folder, TABLE, dumped({"game": "tainted-grail", "decks": {"Beor": beor()}, **head}) + "\n")


def save(camp, **said):
    return camp.play(dumped(said) + "\n")


def found(camp, **said):
    """Check and severity of the findings of a save sheet."""
    return [(check, severity) for check, severity, _ in camp.said(dumped(said) + "\n")]


MARKED = {"chapter": 2, "day": 9, "menhirs": {"101": 4}, "statuses": ["Marked"], "decks": {"Beor": beor(secrets=[{"number": 14}])}}  # fmt: skip


@pytest.fixture
def camp(tmp_path):
    return begun(tmp_path / "camp")


def test_a_campaign_is_played_through(camp):
    """Fifteen chapters: every evening's advancement is paid, menhirs run down and are lit again, secrets are kept."""
    spent, courage, gained, day = 0, 1, [], 1
    costs = (2, 4, 6, 8, 10)  # of the points of a pair
    dials = {"101": 8}
    for chapter in range(1, 16):
        day += 3
        before = sum((courage, 0))
        courage += 1
        price = costs[min(before, 4)]
        gained = [*gained, f"Card {chapter}"]
        spent += price + 2
        activated = [place for place, dial in dials.items() if dial < 3]
        dials = {place: 7 if place in activated else dial - 3 for place, dial in dials.items()}
        sheet = beor(
            attributes={**START, "courage": courage}, experience_spent=spent, combat={"gained": {"advanced": gained}},
            skills={"courage": [str(100 + each) for each in range(3, courage + 1)]} if courage > 2 else {},
            secrets=[{"number": 14, "keywords": ["RELIC"]}],
        )  # fmt: skip
        replay = save(camp,             chapter=chapter, day=day, experience={"Beor": price + 2}, menhirs=dials, activated=activated,
            statuses=[f"Status {each}" for each in range(chapter)], decks={"Beor": sheet},
        )  # fmt: skip
    assert replay.readable
    wrong = [(step.title, each.finding.message) for step in replay.steps for each in step.findings]
    assert wrong == []
    assert len(replay.games) == 15
    assert replay.decks[0].heading == f"Beor ({spent} EXP spent)"
    assert replay.next["chapter"] == "16"
    assert ("Beor", "courage 1 to 2") in [(each.who, each.text) for each in replay.steps[1].changes]


WRONG = [
        ({"chapter": 1}, ("time-goes-on", "error")),
        ({"day": 8}, ("time-goes-on", "error")),
        ({"chapter": 2}, ("saved-after-a-chapter", "note")),
        ({"chapter": 2, "mode": "story"}, ("mode-between-chapters", "error")),
        ({"menhirs": {"101": 4, "102": 5}}, ("menhirs-are-lit", "error")),
        ({"day": 12, "menhirs": {"101": 2}}, ("dials-run-down", "error")),
        ({"day": 15, "menhirs": {"101": 0}}, ("dials-run-down", "error")),
        ({"day": 11, "menhirs": {"101": 1}}, ("dials-run-down", "warning")),
        ({"day": 11, "menhirs": {}}, ("dials-run-down", "warning")),
        ({"statuses": ["Another"]}, ("statuses-stay", "warning")),
        ({"removed": []}, ("removed-for-good", "warning")),
        ({"decks": {"Beor": beor()}}, ("secrets-stay", "error")),
        ({"died": ["Arev"]}, None),
        ({"joined": ["Ailei"]}, ("who-is-at-the-table", "error")),
        ({"joined": ["Ailei"], "decks": {"Ailei": beor(experience_spent=4)}}, ("who-is-at-the-table", "error")),
        ({"died": ["Beor"]}, ("the-game-has-not-ended", "warning")),
        ({"decks": {"Beor": beor(attributes={**START, "courage": 2})}}, ("advancement-is-paid", "error")),
        ({"decks": {"Beor": beor(attributes={"aggression": 1})}}, ("what-was-gained-is-kept", "warning")),
        ({"decks": {"Beor": beor(starting_attributes={"empathy": 3})}}, ("what-was-gained-is-kept", "error")),
        ({"decks": {"Beor": beor(resources={"food": 21})}}, ("carrying-limit", "error")),
        ({"experience": {"Beor": 5}, "decks": {"Beor": beor()}}, ("experience-is-accounted-for", "error")),
]  # fmt: skip


@pytest.mark.parametrize(("said", "finding"), WRONG)
def test_what_does_not_follow(camp, said, finding):
    save(camp, **MARKED, removed=["112"])
    replay = save(camp, **said)
    found = [(each.finding.check, each.finding.severity) for each in replay.steps[-1].findings]
    if finding is None:
        assert "Nobody called 'Arev' plays." in replay.steps[-1].problems[0].message
    elif finding[0] == "carrying-limit":
        assert any("the limit is 20" in each.finding.message for each in replay.steps[-1].findings)
    else:
        assert finding in found


def follow(said, finding):
    """What is said of a save sheet after the first way of a fix."""
    new, fix = copy.deepcopy(said), finding.fix
    sheet = new.get("decks", {}).get("Beor", {})
    if found := re.match(r"Correct `(chapter|day):`", fix):
        new[found[1]] = int(re.findall(r"\d+", finding.message)[0])
    elif found := re.match(r"Take `(\w+)` out", fix):
        del new[found[1]]
    elif found := re.search(r"take (\w+) out of `joined`", fix):
        del new["joined"]
    elif found := re.search(r"[Ww]rite `(activated|lost): \[(\d+)\]`", fix):
        new[found[1]] = [*new.get(found[1], []), found[2]]
    elif fix.startswith("Begin a fresh sheet"):
        new["decks"]["Ailei"] = beor()
    elif fix.startswith("Take some of it back"):
        sheet["attributes"] = START
    elif fix.startswith("They are printed on the tile"):
        sheet["starting_attributes"] = START
    elif found := re.match(r"Put (\d+) (\w+) back", fix):
        sheet["resources"][found[2]] -= int(found[1])
    elif fix.startswith("Correct `experience:`"):
        del new["experience"]
    else:
        raise AssertionError(f"nobody could follow this fix: {finding}")
    return new


@pytest.mark.parametrize("said", [said for said, found in WRONG if found and found[1] == "error"])
def test_the_fix_of_an_error_ends_it(tmp_path, said):
    turn = count()

    def errors(said):
        camp = begun(tmp_path / str(next(turn)))
        save(camp, **MARKED, removed=["112"])
        return camp.errors(dumped({"notes": "", **said}) + "\n")

    mend(said, errors, follow)


@pytest.mark.parametrize(
    "said",
    [
        {"day": 12, "menhirs": {"101": 1}},
        {"day": 13, "menhirs": {"101": 0}},
        {"day": 14, "menhirs": {}},
        {"day": 12, "menhirs": {"101": 7}, "activated": ["101"]},
        {"lost": [14], "decks": {"Beor": beor()}},
        {"day": 3, "statuses": ["Marked", "Saved by the goddess"]},
        {"chapter": 3, "mode": "challenge"},
        {"chapter": 2, "emergency": "yes"},
    ],
)
def test_what_follows(camp, said):
    save(camp, **MARKED)
    assert found(camp, **said) == []


def test_a_personal_secret_is_neither_given_away_nor_inherited(tmp_path):
    camp = begun(
        tmp_path / "c", decks={"Beor": beor(secrets=[{"number": 14, "keywords": ["PERSONAL"]}]), "Ailei": beor()}
    )
    swapped = {"Beor": beor(), "Ailei": beor(secrets=[{"number": 14, "keywords": ["PERSONAL"]}])}
    assert ("personal-secrets-stay", "error") in found(camp, decks=swapped)
    camp = begun(
        tmp_path / "d", decks={"Beor": beor(secrets=[{"number": 14, "keywords": ["PERSONAL"]}]), "Ailei": beor()}
    )
    assert found(camp, died=["Beor"]) == []


ENDED, DEAD = "the-game-has-not-ended", "who-is-at-the-table"


@pytest.mark.parametrize(
    ("people", "saves", "finding"),
    [
        ("Beor Ailei", [{"died": ["Beor"], "joined": ["Arev"], "decks": {"Arev": beor()}}], []),
        ("Beor Ailei", [{"died": ["Beor"], "joined": ["Beor"], "decks": {"Beor": beor()}}], [(DEAD, "error")]),
        ("Beor Ailei", [{"died": ["Beor"]}, {"joined": ["Beor"], "decks": {"Beor": beor()}}], [(DEAD, "error")]),
        ("Beor", [{"died": ["Beor"], "joined": ["Arev"], "decks": {"Arev": beor()}}], [(ENDED, "error")]),
        ("Beor Ailei Arev Niamh", [{"died": ["Beor"]}], [(ENDED, "warning")]),
        ("Beor Ailei Arev Niamh", [{"died": ["Beor"]}, {"chapter": 2}], [(ENDED, "error")]),
        ("Beor Ailei Arev Niamh", [{"died": ["Beor"], "statuses": ["Saved by the goddess"]}, {"chapter": 2}], []),
    ],
)
def test_a_death_ends_the_game_where_nobody_is_left_to_be_claimed(tmp_path, people, saves, finding):
    camp = begun(tmp_path / "c", decks={name: beor() for name in people.split()})
    for said in saves[:-1]:
        save(camp, **said)
    assert [each for each in found(camp, **saves[-1]) if each[1] != "note"] == finding


def test_in_challenge_mode_there_is_no_mercy(tmp_path):
    camp = begun(tmp_path / "c", mode="challenge")
    assert ("the-game-has-not-ended", "error") in found(camp, statuses=["Saved by the goddess"])


def test_the_commands(kb, real, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("beor.yaml").write_text("game: tainted-grail\ncharacter: Beor\n" + dumped(beor()) + "\n")
    assert kb("campaign new c --game tg --deck Beor=beor.yaml").code == 0
    assert kb("campaign record c -s chapter=1 -s day=4 --deck Beor=beor.yaml").code == 0
    assert Path("c/01-chapter-1-day-4.yaml").is_file()
    told = kb("campaign check c --json").json
    assert (told["legal"], told["game"]) == (True, "tainted-grail")
    assert max(map(len, kb("campaign show c").out.splitlines())) <= 80
    assert "EXP spent by all" in kb("campaign page c").out
