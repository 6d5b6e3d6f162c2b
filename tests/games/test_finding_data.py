"""A finding has data besides its message: a stable code, the number found and the number required."""

import pytest

import kb

ROLAND = "game: arkham\ninvestigator: Roland Banks\n"
REST = "courage: 0, practicality: 0, empathy: 0, caution: 0, spirituality: 0"
GREW = (
    f"game: tainted-grail\ncharacter: Beor\nstarting_attributes: {{aggression: 1, {REST}}}\n"
    f"attributes: {{aggression: 3, {REST}}}\nexperience_spent: 1\n"
)
CASES = [
    ("game: pathfinder\nset: rotr\ncharacter: Kyra\ncards: [2x Mace, Quarterstaff]\n", {}, "pathfinder/cards-list", 3, 2),
    ("game: pathfinder\nset: rotr\ncharacter: Kyra\ncards: [9x Holy Water]\n", {}, "pathfinder/copies-in-the-box", 9, 2),
    ("game: pathfinder\nset: rotr\ncharacter: Kyra\nadventure: 1\npower_feats: 9\ncards: [Mace]\n", {}, "pathfinder/power-feat-boxes", 9, 4),
    ("game: pathfinder\nset: rotr\ncharacter: Kyra\ncards: [Mace]\ncohorts: [Nobody]\n", {}, "pathfinder/cohorts-of-the-character", None, None),
    (f"{ROLAND}cards: [3x Machete]\n", {}, "arkham/copies-by-title", 3, 2),
    (f"{ROLAND}cards: [3x Machete]\n", {}, "arkham/deck-size", 3, 30),
    (f"{ROLAND}cards: [2x Shrivelling]\n", {}, "arkham/within-options", 2, None),
    (f"{ROLAND}cards: [2x Police Badge]\n", {"start": True}, "arkham/level-0-at-the-start", 4, 0),
    ("game: tainted-grail\ncharacter: Beor\ncombat: 1-12\ndiplomacy: 1-15\n", {}, "tainted-grail/deck-size", 12, 15),
    (GREW, {}, "tainted-grail/experience-spent", 10, 1),
]  # fmt: skip


@pytest.mark.parametrize(("text", "frame", "code", "count", "limit"), CASES, ids=[case[2] for case in CASES])
def test_a_finding_says_its_numbers(real, text, frame, code, count, limit):
    with kb.Session() as session:
        report = kb.Deck(text, session=session).check(**frame)
        told = session.as_json(report)
    found = [finding for finding in report.findings if finding.code == code]
    assert found, [finding.code for finding in report.findings]
    assert (count, limit) in [(finding.count, finding.limit) for finding in found]
    assert any((each["code"], each["count"], each["limit"]) == (code, count, limit) for each in told["findings"])
    for finding in found:  # the message contains the same number
        assert not finding.count or str(finding.count) in finding.message
