"""Tainted Grail campaigns: played through from the first sheet to the end, and everything that does not follow."""

import copy
import re

import pytest

from kb.campaigns.record import dumped
from tests.games.camp import Camp, Evenings
from tests.walks import walks

START = {"aggression": 2, "courage": 1}


def beor(**said):
    """A sheet of Beor."""
    return {
        "starting_attributes": dict(START), "attributes": dict(START), "experience_spent": 0,
        "resources": {"food": 3, "experience": 0}, "combat": "1-15", "diplomacy": "1-15", **said,
    }  # fmt: skip


@pytest.fixture
def camp(tmp_path, table):
    return Camp(tmp_path / "camp", table, dumped({"game": "tainted-grail", "decks": {"Beor": beor()}}) + "\n")


def test_a_campaign_is_played_through(camp):
    """Fifteen chapters: every evening's advancement is paid, menhirs run down and are lit again, secrets are kept."""
    spent, courage, gained = 0, 1, []
    costs = (2, 4, 6, 8, 10)  # of the points of a pair
    dials = {"101": 8}
    for chapter in range(1, 16):
        price = costs[min(courage, 4)]
        courage += 1
        gained = [*gained, f"Card {chapter}"]
        spent += price + 2
        activated = [place for place, dial in dials.items() if dial < 3]
        dials = {place: 7 if place in activated else dial - 3 for place, dial in dials.items()}
        sheet = beor(
            attributes={**START, "courage": courage}, experience_spent=spent, combat={"gained": {"advanced": gained}, "out": ["Card 1"]},
            skills={"courage": [str(100 + each) for each in range(3, courage + 1)]} if courage > 2 else {},
            secrets=[{"number": 14, "keywords": ["RELIC"]}],
        )  # fmt: skip
        said = {"chapter": chapter, "day": 1 + 3 * chapter, "experience": {"Beor": price + 2}, "menhirs": dials, "activated": activated,
                "statuses": [f"Status {each}" for each in range(chapter)], "decks": {"Beor": sheet}}  # fmt: skip
        replay = camp.play(dumped(said) + "\n")
    assert replay.readable
    wrong = [(step.title, each.finding.message) for step in replay.steps for each in step.findings]
    assert wrong == []
    assert len(replay.games) == 15
    assert replay.decks[0].heading == f"Beor ({spent} EXP spent)"
    assert replay.decks[0].piles["combat cards gained"][0].name == "Card 1"
    assert camp.open().coming()["chapter"] == "16"
    assert ("Beor", "courage 1 to 2") in [(each.who, each.text) for each in replay.steps[1].changes]


def text_of(said):
    sheets = {name: beor(**sheet) for name, sheet in said.get("decks", {}).items()}
    return dumped({**said, **({"decks": sheets} if sheets else {})}) + "\n"


EVENINGS = Evenings("tainted-grail", text_of)
test_evenings = EVENINGS.test()


def follow(said, finding, camp):
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
        sheet["attributes"] = dict(START)
    elif fix.startswith("They are printed on the tile"):
        sheet["starting_attributes"] = dict(START)
    elif found := re.match(r"Put (\d+) (\w+) back", fix):
        sheet["resources"][found[2]] = int(sheet["resources"][found[2]]) - int(found[1])
    elif found := re.search(r"write `experience: {Beor: (\d+)}`", fix):
        new["experience"] = {"Beor": found[1]}
    return new


@pytest.mark.parametrize(
    ("spent", "held", "gained", "told"),
    [
        (6, 5, 9, "had 0 EXP, gained 9 and spent 6: 3 should be left, not 5."),
        (10, 1, 8, "had 0 EXP, gained 8 and spent 10: only 8 could be spent."),
        (None, 5, 8, "had 0 EXP, gained 8 and spent at least 4: 4 should be left, not 5."),
        (6, 3, 9, ""),
        (None, 3, 8, ""),
        (6, None, None, ""),
    ],
)
def test_experience_balances(spent, held, gained, told, camp):
    sheet = beor(
        attributes={**START, "courage": 2},
        experience_spent=spent,
        resources={} if held is None else {"experience": held},
    )
    said = {"chapter": 1, "decks": {"Beor": {key: each for key, each in sheet.items() if each is not None}}}
    replay = camp.play(dumped(said | ({} if gained is None else {"experience": {"Beor": gained}})) + "\n")
    found = [each.finding for each in replay.steps[-1].findings if "accounted" in each.finding.check]
    assert [each.message for each in found if each.check == "experience-is-accounted-for"] == [f"Beor {told}"] * bool(
        told
    )


test_the_fix_of_an_error_ends_it = EVENINGS.test_fixes(follow)


@pytest.fixture
def sheet(real, tmp_path):
    """Beor's sheet as a file."""
    text = dumped({"game": "tainted-grail", "character": "Beor", **beor()})
    (tmp_path / "beor.yaml").write_text(f"{text}\n", "utf-8")


test_commands = walks("tainted-grail-campaign", "sheet")
