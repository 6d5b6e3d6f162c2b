"""Tainted Grail campaigns: from the first sheet to the end, and findings on games that do not fit the games before
them.
"""

import copy

import pytest

from kb.campaigns.record import dumped
from kb.decks.remedies import Advice, Set
from kb.games.tainted_grail.campaign.rules import experience_is_accounted_for
from tests.games.camp import Camp, Evenings
from tests.games.tainted_grail.remedies import applied
from tests.walks import walks

START = {"aggression": 2, "courage": 1}


def beor(**said):
    """Return a sheet of Beor as a dict. `said` adds or replaces keys."""
    return {
        "starting_attributes": dict(START),
        "attributes": dict(START),
        "experience_spent": 0,
        "resources": {"food": 3, "experience": 0},
        "combat": "1-15",
        "diplomacy": "1-15",
        **said,
    }


@pytest.fixture
def camp(tmp_path, table):
    return Camp(tmp_path / "camp", table, dumped({"game": "tainted-grail", "decks": {"Beor": beor()}}) + "\n")


def test_a_campaign_is_played_through(camp):
    """Plays fifteen chapters: every advancement is paid, menhirs run down and are activated again, and secrets are
    kept.
    """
    spent, courage, gained = 0, 1, []
    costs = (2, 4, 6, 8, 10)  # the costs of the points of a pair
    dials = {"101": 8}
    for chapter in range(1, 16):
        price = costs[min(courage, 4)]
        courage += 1
        gained = [*gained, f"Card {chapter}"]
        spent += price + 2
        activated = [place for place, dial in dials.items() if dial < 3]
        dials = {place: 7 if place in activated else dial - 3 for place, dial in dials.items()}
        sheet = beor(
            attributes={**START, "courage": courage},
            experience_spent=spent,
            combat={"gained": {"advanced": gained}, "out": ["Card 1"]},
            skills={"courage": [str(100 + each) for each in range(3, courage + 1)]} if courage > 2 else {},
            secrets=[{"number": 14, "keywords": ["RELIC"]}],
        )
        said = {
            "chapter": chapter,
            "day": 1 + 3 * chapter,
            "experience": {"Beor": price + 2},
            "menhirs": dials,
            "activated": activated,
            "statuses": [f"Status {each}" for each in range(chapter)],
            "decks": {"Beor": sheet},
        }
        replay = camp.play(dumped(said) + "\n")
    assert replay.readable
    wrong = [(step.title, each.finding.message) for step in replay.steps for each in step.findings]
    assert wrong == []
    assert replay.games == 15
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
    """Return a copy of the save sheet after the first remedy of `finding` that a program can apply."""
    for remedy in finding.remedies:
        key, who = remedy.keys[0].partition(".")[0] if remedy.keys else "", getattr(remedy, "who", "") or finding.who
        new = copy.deepcopy(said)
        if isinstance(remedy, Set) and key in ("chapter", "day"):
            return {**new, key: finding.limit}
        if isinstance(remedy, Set) and key == "experience":
            return {**new, key: {**new.get(key, {}), who: remedy.value}}
        if isinstance(remedy, Set) and key == "starting_attributes":
            new["decks"][who][key] = dict(START)
            return new
        if finding.check.id in ("who-is-at-the-table",) and isinstance(remedy, Advice):
            new["decks"][who] = beor()
            return new
        sheet = new.get("decks", {}).get(who)
        if sheet and key in sheet and (changed := applied(sheet, remedy)) is not None:
            new["decks"][who] = changed
            return new
        if key not in beor() and (changed := applied(new, remedy)) is not None:
            return changed
    return said


@pytest.mark.parametrize(
    ("spent", "held", "gained", "shown"),
    [
        (6, 5, 9, (5, 3)),
        (10, 1, 8, (1, -2)),
        (None, 5, 8, (5, 4)),
        (6, 3, 9, None),
        (None, 3, 8, None),
        (6, None, None, None),
    ],
)
def test_experience_balances(spent, held, gained, shown, camp):
    sheet = beor(
        attributes={**START, "courage": 2},
        experience_spent=spent,
        resources={} if held is None else {"experience": held},
    )
    said = {"chapter": 1, "decks": {"Beor": {key: each for key, each in sheet.items() if each is not None}}}
    replay = camp.play(dumped(said | ({} if gained is None else {"experience": {"Beor": gained}})) + "\n")
    found = [each.finding for each in replay.steps[-1].findings if each.finding.by(experience_is_accounted_for)]
    assert [(each.who, each.count, each.limit) for each in found] == ([("Beor", *shown)] if shown else [])


def test_experience_missing_in_the_file_is_not_shown(camp):
    replay = camp.play(dumped({"chapter": 1, "decks": {"Beor": beor(resources={"food": 4})}}) + "\n")
    assert not any("None" in each.text for step in replay.steps for each in step.changes)


test_the_fix_of_an_error_ends_it = EVENINGS.test_fixes(follow)


@pytest.fixture
def sheet(real, tmp_path):
    """Write Beor's sheet to the file `beor.yaml`, and return its path."""
    text = dumped({"game": "tainted-grail", "character": "Beor", **beor()})
    (tmp_path / "beor.yaml").write_text(f"{text}\n", "utf-8")


test_commands = walks("tainted-grail-campaign", "sheet")
