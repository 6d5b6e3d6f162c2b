"""Sheets worked out by hand: different notations for the same sheet, and messages that fit the sheet."""

import re
from dataclasses import replace

import pytest

from kb.decks.nodes import DeckFileError
from kb.decks.remedies import Fill

from .conftest import report, sheet

BASE = "game: tainted-grail\ncharacter: Beor\nstarting_attributes: {aggression: 2}\ncombat: 1-15\ndiplomacy: 1-15\n"


def findings(check, text, head=BASE):
    return [finding for finding in report(head + text).findings if finding.check.id == check]


TWO_WEAPONS = [
    "[Sword (WEAPON), Axe (WEAPON)]",
    '["Sword [WEAPON]", "Axe {WEAPON}"]',
    "[Dagger x2 (WEAPON)]",
    "[3 Dagger (WEAPON)]",
    "Sword (WEAPON), Axe (WEAPON)",
    '["Sword (WEAPON/SHIELD)", "Axe (C; Weapon)"]',
    '[{name: Dagger, count: 2, keywords: "WEAPON, SHIELD"}]',
]


@pytest.mark.parametrize(
    ("modes", "now"),
    [("mode: challenge\nearlier_modes: [story]", "challenge"), ("earlier_modes: [challenge]", "standard")],
)
def test_after_a_change_of_mode_the_costs_of_the_new_mode_apply(modes, now):
    (note,) = findings("mode-has-changed", f"{modes}\n")
    assert f"the {now} costs" in note.message


@pytest.mark.parametrize("items", TWO_WEAPONS)
def test_two_weapons_however_they_are_written(items):
    assert findings("one-for-each-keyword", f"items: {items}\n")


@pytest.mark.parametrize(
    "items",
    [
        '["Sword (WEAPON)", "Axe (WEAPON, facedown)"]',
        "[Holy Relic, Cup (RELIC)]",
        "[2x Torch, 2x Rope]",
        "[Weapon Oil, Weapon Rack]",
        "[]",
        '""',
        '[{name: "Axe", keyword: WEAPON, facedown: yes}, Sword (WEAPON)]',
    ],
)
def test_two_items_with_a_keyword_are_legal_if_one_is_not_in_use(items):
    assert report(f"{BASE}items: {items}\n").legal


@pytest.mark.parametrize(
    "items", ["[2x Torch, 2x Rope, Sword, Axe]", "[Torch x6]", '"5x Torch, Rope"', "[{name: Torch, count: 6}]"]
)
def test_every_copy_counts_in_challenge_mode(items):
    assert findings("items-in-challenge-mode", f"mode: challenge\nsecrets: [42]\nitems: {items}\n")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('items: ["Sword, Axe"]', "write each item as a line such as"),
        ("items: [Axe WEAPON]", "put keywords in brackets"),
        ("items: [Rope (long)]", "Unknown keyword 'long'"),
        ("items: [0x Rope]", "write a number of copies from 1 to 99"),
        ("items: {Torch: 2}", "Unknown key `items: Torch`"),
        ("resources: {XP: 5}", "Did you mean exp?"),
    ],
)
def test_unknown_values_are_refused_with_their_line(line, said):
    with pytest.raises(DeckFileError, match=re.escape(said)) as failed:
        sheet(f"{BASE}{line}\n")
    assert all(problem.line == 6 for problem in failed.value.problems)


@pytest.mark.parametrize("skills", ["[12, 13]", '"12, 13"', '["12, 13"]', "[12, '13']"])
def test_skills_however_they_are_written(skills):
    said = f"attributes: {{aggression: 3}}\nexperience_spent: 6\nskills: {{aggression: {skills}}}\n"
    (finding,) = findings("skills", said)
    assert (finding.count, finding.limit) == (2, 1)


def test_skills_where_the_rules_leave_the_number_open():
    head = BASE.replace("aggression: 2", "aggression: 3")
    (finding,) = findings("skills", "attributes: {aggression: 4}\nexperience_spent: 8\n", head)
    assert finding.remedies == (Fill(1, "skill card", pile="skills.aggression"),)


@pytest.mark.parametrize(("character", "free"), [("Merlin", "yes"), ("Merlin", "no"), ("Beor", "yes")])
@pytest.mark.parametrize("combat", ["{deck: [1-10, 16-20]}", "{gained: [3]}", "[1-10, 16-20]"])
def test_a_message_asks_once_for_other_starter_cards(character, free, combat):
    head = BASE.replace("Beor", character).replace("combat: 1-15", f"combat: {combat}\nfree_play: {free}")
    found = [each for each in report(f"{head}experience_spent: 9\n").findings if each.severity == "error"]
    assert [each.check.id for each in found] == ["cards-owned"]
    assert [each.keys for each in found[0].remedies] == [("combat.starter",)]


@pytest.mark.parametrize(
    ("first", "others"),
    [
        ("items: [Sword (WEAPON), ", "Axe (WEAPON SHIELD)]"),
        ("items: [Cup (RELIC)]\nsecrets: [", "14 (RELIC PERSONAL)]"),
        ("items: [Cup (RELIC)]\nsecrets: [", "{number: 14, keywords: [RELIC, PERSONAL], owner: Beor}]"),
        ("items: [Cup (RELIC), ", "{name: 'Grail, (holy)', keyword: RELIC}, {name: Cup 2, keyword: RELIC}]"),
    ],
)
def test_the_text_of_a_fix_can_be_pasted_into_the_file(first, others):
    def owned(text):
        read = sheet(text)
        return [*read.items, *read.secrets]

    told = f"{BASE}{first}{others}\n"
    (finding,) = findings("one-for-each-keyword", told, "")
    written = re.findall(r"`([^`]+)`", finding.remedies[0].text)
    mended = f"{BASE}{first}{', '.join(written)}]\n"
    assert report(mended).legal
    used, *downed = owned(told)
    assert owned(mended) == [used, *(replace(item, facedown=True) for item in downed)]
