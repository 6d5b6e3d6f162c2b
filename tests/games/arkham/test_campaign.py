"""Arkham Horror campaigns: a complete cycle, and findings on games that do not fit the games before them."""

import pytest
import yaml

from kb.campaigns.record import dumped
from tests.games.arkham.remedies import in_record
from tests.games.camp import Camp, Evenings
from tests.walks import walks

ROLAND = yaml.safe_load("""
{Roland's .38 Special (01006): 1, Cover Up: 1, Haunted: 1, .45 Automatic: 2, Machete: 2, Beat Cop: 2, Guard Dog: 1, Dr. Milan Christopher: 1,
 First Aid: 2, Magnifying Glass: 2, Physical Training: 2, Evidence!: 2, Dodge: 2, Dynamite Blast: 2, Working a Hunch: 2, Deduction: 2,
 Vicious Blow: 2, Guts: 2, Emergency Cache: 2}
""")
CYCLE = yaml.safe_load("""
- {scenario: Extracurricular Activity, earned: {Roland: [Dr. Henry Armitage]}, buys: {Beat Cop: 1, Beat Cop (2): 1, Dr. Henry Armitage: 1}}
- {scenario: The House Always Wins, buys: {Beat Cop: 0, Beat Cop (2): 2}}
- {scenario: The Miskatonic Museum, buys: {Physical Training: 1, Physical Training (2): 1}}
- {scenario: Essex County Express, buys: {Physical Training: 0, Physical Training (2): 2}}
- {scenario: Blood on the Altar, buys: {Machete: 1, Shotgun (4): 1}}
- {scenario: Undimensioned and Unseen}
- {scenario: Where Doom Awaits, buys: {Vicious Blow: 1, Vicious Blow (2): 1}}
- {scenario: Lost in Time and Space}
""")


def text_of(said):
    """Return a campaign file with the keys in `said`. Each deck is Roland's deck, with different numbers of copies of
    some cards.

    If `said` is a game without a scenario, it gets the first scenario of the campaign.
    """
    told = dict(said)
    if "decks" in told:
        held = {name: {**ROLAND, **cards} for name, cards in told["decks"].items()}
        told["decks"] = {
            name: {"investigator": "Roland Banks", "cards": {card: copies for card, copies in cards.items() if copies}}
            for name, cards in held.items()
        }
    return dumped(told if "game" in told else {"scenario": CYCLE[0]["scenario"], **told}) + "\n"


EVENINGS = Evenings("arkham", text_of)
HEAD = EVENINGS.campaigns["camp"]["head"]
test_evenings = EVENINGS.test()


def test_a_cycle_is_played_through(tmp_path, table):
    """Plays every scenario of a cycle with rewards and purchases. At the end, the total of unspent experience
    is right.
    """
    camp, bought = Camp(tmp_path / "camp", table, text_of(HEAD)), {}
    for number, played in enumerate(CYCLE):
        game = {key: value for key, value in played.items() if key != "buys"} | {
            "resolution": f"R{number}",
            "experience": 3,
        }
        if "buys" in played:
            bought |= played["buys"]
            game["decks"] = {"Roland": bought}
        replay = camp.play(text_of(game))
    assert replay.readable
    wrong = [(step.title, each.finding.message) for step in replay.steps for each in step.findings]
    assert wrong == []
    assert replay.games == 8
    assert camp.open().coming() == {}
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
    text = text_of({"trauma": {"Roland": {"physical": 9}}})
    for rules, cited in (
        ("faq", "arkham/glossary/trauma"),
        ("grimoire", "arkham/grimoire/campaign/trauma-death-and-insanity"),
    ):
        monkeypatch.setenv("KB_RULES", rules)
        step = Camp(tmp_path / rules, table, text_of(HEAD)).play(text).steps[-1]
        assert [each.finding.cites[0] for each in step.findings] == [cited]
        assert {each.cite for each in step.changes if "trauma" in each.text} == {cited}


def follow(game, finding, camp):
    """Return the record of a game after the first remedy that changes it. If no remedy changes it, return a record in
    which nobody joins and no deck changes.
    """
    changed = (in_record(game, remedy, finding.who) for remedy in finding.remedies)
    return next((new for new in changed if new), {**game, "joined": [], "decks": {}})


test_the_fix_of_an_error_ends_it = EVENINGS.test_fixes(follow)


test_commands = walks("arkham-campaign", "roland")


@pytest.fixture
def roland(real, tmp_path):
    """Write Roland's deck to the file `roland.yaml`."""
    text = dumped({"game": "arkham", "investigator": "Roland Banks", "cards": ROLAND})
    (tmp_path / "roland.yaml").write_text(f"{text}\n", "utf-8")
