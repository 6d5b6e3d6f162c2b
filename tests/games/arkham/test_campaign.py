"""Arkham Horror campaigns: a cycle played through in full, and everything that does not follow."""

import copy
import re
from itertools import count
from pathlib import Path

import pytest
import yaml

from tests.games.camp import Camp, mend

ROLAND = {
    "Roland's .38 Special (01006)": 1, "Cover Up": 1, "Haunted": 1, ".45 Automatic": 2, "Machete": 2, "Beat Cop": 2, "Guard Dog": 1,
    "Dr. Milan Christopher": 1, "First Aid": 2, "Magnifying Glass": 2, "Physical Training": 2, "Evidence!": 2, "Dodge": 2,
    "Dynamite Blast": 2, "Working a Hunch": 2, "Deduction": 2, "Vicious Blow": 2, "Guts": 2, "Emergency Cache": 2,
}  # fmt: skip
DUNWICH = (
    "Extracurricular Activity", "The House Always Wins", "The Miskatonic Museum", "Essex County Express", "Blood on the Altar",
    "Undimensioned and Unseen", "Where Doom Awaits", "Lost in Time and Space",
)  # fmt: skip


def deck(**changes):
    """Roland's deck in a file, with cards changed: `Beat_Cop` for Beat Cop, `Beat_Cop_2` for Beat Cop (2)."""
    cards = dict(ROLAND)
    for key, copies in changes.items():
        name = key.replace("_", " ")
        name = f"{name[:-2]} ({name[-1]})" if name[-1].isdigit() else name
        cards[{"Dr Henry Armitage": "Dr. Henry Armitage"}.get(name, name)] = copies
    listed = ", ".join(f'"{name}": {copies}' for name, copies in cards.items() if copies)
    return f"{{investigator: Roland Banks, cards: {{{listed}}}}}"


HEAD = f"game: arkham\ncampaign: The Dunwich Legacy\ndecks:\n  Roland: {deck()}\n"


@pytest.fixture
def camp(tmp_path, table):
    return Camp(tmp_path / "camp", table, HEAD)


def test_a_cycle_is_played_through(camp):
    """Every scenario of the cycle with what it earned and bought; the experience carries on to the end."""
    bought = {}
    spent = [
        {"Beat_Cop": 1, "Beat_Cop_2": 1, "Dr_Henry_Armitage": 1},
        {"Beat_Cop": 0, "Beat_Cop_2": 2},
        {"Physical_Training": 1, "Physical_Training_2": 1},
        {"Physical_Training": 0, "Physical_Training_2": 2},
        {"Machete": 1, "Shotgun_4": 1},
        {},
        {"Vicious_Blow": 1, "Vicious_Blow_2": 1},
        {},
    ]
    for number, (scenario, changes) in enumerate(zip(DUNWICH, spent, strict=True)):
        bought.update(changes)
        text = f"scenario: {scenario}\nresolution: R{number}\nexperience: 3\n"
        text += "earned: {Roland: [Dr. Henry Armitage]}\n" if not number else ""
        text += f"decks: {{Roland: {deck(**bought)}}}\n" if changes else ""
        replay = camp.play(text)
    assert replay.readable
    wrong = [(step.title, each.finding.message) for step in replay.steps for each in step.findings]
    assert wrong == []
    assert len(replay.games) == 8
    assert replay.next == {}
    left = 8 * 3 - (2 + 2 + 2 + 2 + 4 + 2)
    assert replay.decks[0].heading == f"Roland Banks ({left} experience left)"
    changed = [(each.text, each.cite) for each in replay.steps[1].changes if "Beat Cop" in each.text]
    assert changed == [
        (
            "Upgrade Beat Cop (2) [01028] from Beat Cop [01018]: 2 experience (difference 2)",
            "arkham/grimoire/campaign/upgrading-cards",
        )
    ]


def test_rules_and_reasons_are_those_of_the_decks_edition(tmp_path, table, monkeypatch):
    text = f"scenario: {DUNWICH[0]}\ntrauma: {{Roland: {{physical: 9}}}}\n"
    for rules, cited in (
        ("faq", "arkham/glossary/trauma"),
        ("grimoire", "arkham/grimoire/campaign/trauma-death-and-insanity"),
    ):
        monkeypatch.setenv("KB_RULES", rules)
        step = Camp(tmp_path / rules, table, HEAD).play(text).steps[-1]
        assert [each.finding.cites[0] for each in step.findings] == [cited]
        assert {each.cite for each in step.changes if "trauma" in each.text} == {cited}


def test_what_is_bought_is_paid(camp):
    assert camp.said(
        f"scenario: {DUNWICH[0]}\nexperience: 1\ndecks:\n  Roland: {deck(Beat_Cop=1, Beat_Cop_2=1)}\n"
    ) == [("enough-experience", "error", 4)]


def test_experience_is_carried_on_and_paid_for_side_stories(camp):
    camp.play(f"scenario: {DUNWICH[0]}\nexperience: 4\n")
    replay = camp.play("scenario: Curse of the Rougarou\nside_story: yes\ncost: 1\nexperience: 2\n")
    assert replay.steps[-1].findings == ()
    assert replay.decks[0].heading == "Roland Banks (5 experience left)"
    assert camp.said("scenario: Carnevale of Horrors\nside_story: yes\ncost: 9\n") == [
        ("cost-of-a-side-story", "error", 3)
    ]


WRONG = [
        ("experience: {Daisy: 3}\n", None),
        ("defeated: {Roland: damage}\n", ("trauma-of-the-defeated", "warning", 2)),
        ("defeated: {Roland: damage}\ntrauma: {Roland: {physical: 1}}\n", ()),
        ("trauma: {Roland: {physical: 9}}\n", ("killed-by-trauma", "error", 2)),
        ("trauma: {Roland: {physical: 9}}\nkilled: [Roland]\n", ()),
        ("cost: 1\n", ("cost-of-a-side-story", "error", 2)),
        ("joined: [Wendy]\n", ("who-is-at-the-table", "error", 2)),
        ("joined: [Roland]\n", ("who-is-at-the-table", "error", 2)),
        ("killed: [Roland]\njoined: [Roland]\n", ("who-is-at-the-table", "error", 3)),
        (f"decks:\n  Roland: {deck(Dr_Henry_Armitage=1)}\n", ("cards-without-a-purchase", "error", 3)),
        (f"decks:\n  Roland: {deck(Paranoia=1)}\n", ("cards-without-a-purchase", "error", 3)),
        (f"earned: {{Roland: [Dr. Henry Armitage]}}\ndecks:\n  Roland: {deck()}\n", ("earned-cards-are-there", "warning", 2)),
        (f"decks:\n  Roland: {deck(Haunted=0, Paranoia=1)}\n", ("weaknesses-stay", "error", 3)),
        (f"killed: [Roland]\ndecks:\n  Roland: {deck()}\n", ("who-is-at-the-table", "error", 4)),
        (f"joined: [Wendy]\ndecks:\n  Wendy: {deck()}\n", ("one-of-each-investigator", "error", 3)),
]  # fmt: skip


@pytest.mark.parametrize(("more", "finding"), WRONG)
def test_what_does_not_follow(camp, more, finding):
    replay = camp.play(f"scenario: {DUNWICH[0]}\n{more}")
    found = [(each.finding.check, each.finding.severity, each.line) for each in replay.steps[-1].findings]
    if finding is None:
        assert "Nobody called 'Daisy' plays." in replay.steps[-1].problems[0].message
    elif finding:
        assert finding in found
    else:
        assert found == []


def follow(game, finding):
    """What is said of a game after the first way of a fix."""
    new, fix = copy.deepcopy(game), finding.fix
    if found := re.search(r"[Tt]ake (\w+) out of `(\w+)`", fix):
        new[found[2]] = (
            {k: v for k, v in new[found[2]].items() if k != found[1]} if isinstance(new[found[2]], dict) else []
        )
    elif found := re.match(r"Take `(\w+)` out", fix):
        del new[found[1]]
    elif found := re.match(r"Write `(.+?)`", fix):
        new.update(yaml.safe_load(found[1]))
    elif fix.startswith("Let each player choose a different"):
        new["joined"], new["decks"] = [], {}
    elif "back" in fix or "keep" in fix.lower() or "restore" in fix.lower():
        new["decks"] = {}
    else:
        raise AssertionError(f"nobody could follow this fix: {finding}")
    return {key: value for key, value in new.items() if value not in ([], {})}


@pytest.mark.parametrize("more", [more for more, found in WRONG if found and found[1] == "error"])
def test_the_fix_of_an_error_ends_it(tmp_path, table, more):
    turn = count()

    def errors(game):
        return Camp(tmp_path / str(next(turn)), table, HEAD).errors(yaml.safe_dump(game, sort_keys=False))

    mend(yaml.safe_load(f"scenario: {DUNWICH[0]}\n{more}"), errors, follow)


def test_trauma_of_purchases_is_counted(tmp_path, table):
    head = HEAD.replace('"Guts": 2', '"Guts": 2, "In the Thick of It": 1, "Arcane Research": 1')
    camp = Camp(tmp_path / "camp", table, head)
    assert camp.play(f"scenario: {DUNWICH[0]}\n").decks[0].heading == (
        "Roland Banks (3 experience left, 1 mental trauma, 2 physical or mental trauma)"
    )
    bought = deck(In_the_Thick_of_It=1, Arcane_Research=2)
    game = f"scenario: {DUNWICH[1]}\ntrauma: {{Roland: {{mental: 2}}}}\ndecks:\n  Roland: {bought}\n"
    assert "4 mental trauma" in camp.play(game).decks[0].heading
    game = f"scenario: {DUNWICH[2]}\ntrauma: {{Roland: {{mental: 1}}}}\n"
    assert ("killed-by-trauma", "error", 2) in camp.said(game)


@pytest.mark.parametrize(
    ("card", "more", "said"),
    [
        ("Ascetic", "experience: 3", ("some-never-earn", "error", 2)),
        ("Ascetic", "experience: 0", None),
        ("Charon's_Obol", "experience: 3\ndefeated: [Roland]", ("end-of-the-defeated", "error", 3)),
        ("Charon's_Obol", "defeated: [Roland]", ("end-of-the-defeated", "warning", 2)),
        ("Charon's_Obol", "experience: 3\ndefeated: [Roland]\nkilled: [Roland]", None),
        ("Charon's_Obol", "experience: 3", None),
        ("The_Great_Work", "defeated: [Roland]", ("end-of-the-defeated", "warning", 2)),
        ("Guts", "experience: 3\ndefeated: [Roland]", None),
    ],
)
def test_cards_that_forbid_experience_or_make_a_defeat_the_end(tmp_path, table, card, more, said):
    head = HEAD.replace(deck(), deck(**{card: 1}))
    found = Camp(tmp_path / "camp", table, head).said(f"scenario: {DUNWICH[0]}\n{more}\n")
    assert [each for each in found if each[0] in ("some-never-earn", "end-of-the-defeated")] == [said] * bool(said)


def test_what_was_exiled_is_replaced_for_nothing_by_level_0(camp):
    camp.play(f"scenario: {DUNWICH[0]}\nexperience: 0\nexiled: {{Roland: [Guts]}}\n")
    assert camp.said(f"scenario: {DUNWICH[1]}\nexperience: 0\ndecks:\n  Roland: {deck(Guts=1, Overpower=1)}\n") == []
    short = f"scenario: {DUNWICH[2]}\nexiled: {{Roland: [Guts]}}\ndecks:\n  Roland: {deck(Guts=0, Overpower=1)}\n"
    assert ("deck-size", "error", 4) in camp.said(short)


def test_scenarios_of_other_campaigns_and_replays_are_pointed_out(camp):
    assert camp.said("scenario: The Gathering\n") == [("scenario-of-the-campaign", "warning", 1)]
    assert camp.said("scenario: Return to The House Always Wins\n") == []
    assert camp.said("scenario: Blood on the Altar\n") == []
    assert camp.said("scenario: The Miskatonic Museum\n") == [("order-of-the-guide", "note", 1)]
    assert ("played-again", "note", 1) in camp.said("scenario: Blood on the Altar\n")


def test_the_commands(kb, real, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("roland.yaml").write_text(f"game: arkham\n{deck()[1:-1].replace(', cards', chr(10) + 'cards', 1)}\n")
    done = kb(
        "campaign new c --game arkham --say 'campaign=The Dunwich Legacy' --deck Roland=roland.yaml",
    )
    assert done.code == 0, done
    assert Path("c/decks/00-roland.yaml").is_file()
    done = kb(
        "campaign record c -s {} -s experience=3 --deck Roland=roland.yaml --fill",
        f"scenario={DUNWICH[0]}",
    )
    assert done.code == 2
    assert "--fill" in done.err
    assert (
        kb(
            "campaign record c -s {} -s experience=3 --deck Roland=roland.yaml",
            f"scenario={DUNWICH[0]}",
        ).code
        == 0
    )
    assert Path("c/decks/01-roland.yaml").is_file()
    assert kb("campaign check c --json").json["legal"]
    assert max(map(len, kb("campaign show c").out.splitlines())) <= 80
    assert "Roland Banks" in kb("campaign page c").out
