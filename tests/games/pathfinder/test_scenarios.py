"""The set-up of scenarios follows the rules in Setting Up, and its numbers of cards agree with the card facts."""

import json
from collections import Counter
from itertools import product

import pytest

from kb.errors import KbError
from kb.games.pathfinder.cards import load
from kb.games.pathfinder.scenarios.naming import scenario_called
from kb.games.pathfinder.scenarios.odds import MOST_DICE, OddsError, odds
from kb.games.pathfinder.scenarios.setup import SetUpFacts, set_up
from kb.games.pathfinder.scenarios.tables import pile_words
from kb.sources.problems import Problems
from tests.conftest import ROOT

FOLDERS = ROOT / "cards" / "pathfinder"
TYPES = ("monster", "barrier", "weapon", "spell", "armor", "item", "ally", "blessing")


def rows(kind):
    return [
        each for folder in ("mm", "rotr") for each in json.loads((FOLDERS / folder / f"{kind}.json").read_text("utf-8"))
    ]


SCENARIOS = rows("scenarios")
LOCATIONS = {(each["set"], each["name"]): each["cards"] for each in rows("locations")}


@pytest.fixture(scope="module")
def facts():
    loaded = load(ROOT / "cards", Problems(ROOT / "cards"))
    return SetUpFacts.of(lambda kind: loaded[kind])


def called(facts, name):
    record, hint = scenario_called(name, facts.scenarios)
    assert record is not None, hint
    return record


def test_every_scenario_of_every_adventure_has_a_record():
    named = {
        (each["set"], each["deck"], part["number"], part["name"])
        for each in rows("adventures")
        if each["record"] == "adventure"
        for part in each["scenarios"]
    }
    assert {(each["set"], each["deck"], each["place"], each["name"]) for each in SCENARIOS} == named
    assert len(named) == 68


@pytest.mark.parametrize("players", range(1, 7))
@pytest.mark.parametrize("record", SCENARIOS, ids=lambda each: f"{each['set']} {each['deck']}.{each['place']}")
def test_counts_follow_from_the_facts(facts, record, players):
    """Counts the cards of each set-up again, card by card, from the data files only, without kb's own code."""
    found = set_up(record, players, facts)
    if record.get("locations") is None:
        assert (found.locations, found.henchmen, found.complete) == (None, None, False)
        return
    places = [name for group in record["locations"][:players] for name in group]
    assert [each.name for each in found.locations] == places
    counts = Counter()  # of the deck lists
    for name in places:
        counts.update(LOCATIONS.get((record["set"], name)) or {})
    stack = [each["name"] for each in record["villains"]]  # the names of all villains and henchmen
    if per_location := record.get("per_location"):
        stack = [each["card"] for each in per_location for _ in range(each["count"] * len(places))]
    elif record.get("henchmen_for_each") == "character":
        stack += [record["henchmen"][min(at, len(record["henchmen"]) - 1)] for at in range(players)]
    else:
        waiting = list(record["henchmen"])
        while len(stack) < len(places) and waiting:
            stack.append(waiting[0])
            if len(waiting) > 1:
                waiting.pop(0)
    if second := record.get("second_list"):
        pile = [each["card"] for each in second for _ in range(each["count"])]
        pile += [second[-1]["card"]] * len(places)
        stack += pile[: len(places)]
    expected = Counter(stack) - Counter(each["name"] for each in record["villains"])
    assert Counter({each.name: each.count for each in (*found.henchmen, *found.second_list)}) == expected
    assert found.draw == {kind: counts[kind] for kind in TYPES}
    assert found.complete == all(LOCATIONS.get((record["set"], name)) is not None for name in places)


@pytest.mark.parametrize(
    ("name", "players", "locations", "henchmen", "left"),
    [  # worked out by hand from the rulebooks' examples and the cards
        ("Approach to Thistletop", 3, 5, {"Tangletooth": 1, "Bruthazmus": 1, "Goblin Raider": 2}, []),
        ("Approach to Thistletop", 1, 3, {"Tangletooth": 1, "Bruthazmus": 1}, ["Goblin Raider"]),
        ("All that Glitters Begets Gold", 3, 5, {"Giant Sand Eel": 1, "Mining Construct": 3}, []),
        ("Sanctum of the Erudite Eye", 1, 3, {"Graven Guardian of Nethys": 1, "Senenmerek": 1}, ["Forgotten Pharaoh Cultist"]),
        ("Ahead of the Competition", 3, 5, {"random ally": 4}, []),
        ("Rimeskull", 2, 8, {"Stone Head": 7}, []),
        ("Thassilonian Sins", 1, 3, {}, ["Xyoddin Xerriock", "Simulacrum of Vraxeris"]),
        ("Into the Runeforge", 6, 7, {"Highlady Athroxis": 1, "Warrior of Wrath": 5}, []),
        ("Into the Eye", 4, 1, {"Enslaved Blue Dragon": 1, "Warden of Runes": 3}, []),
        ("Panic in the Streets", 4, 6, {"Old Eye-Taker": 1, "Ajin Ra Baqa": 1, "Widow and Dearly Departed": 1, "Esobok": 3}, []),
        ("Here Comes the Flood", 2, 4, {"Nightbelly Boa": 4, "random blessing": 4, "random ally": 4}, []),
        ("Chains of Silver", 1, 2, {"Silver Chain Smuggler": 1}, []),
    ],
)  # fmt: skip
def test_henchmen_by_the_rule(facts, name, players, locations, henchmen, left):
    found = set_up(called(facts, name), players, facts)
    assert len(found.locations) == locations
    assert {each.name: each.count for each in found.henchmen} == henchmen
    assert found.left_in_the_box == left


def test_what_a_scenario_changes(facts):
    siege, tower, storm, eye = (
        set_up(called(facts, name), 2, facts)
        for name in ("Sandpoint Under Siege", "The Black Tower", "A Sandstorm of Malevolent Will", "Into the Eye")
    )
    assert (siege.blessings, eye.blessings) == (25, 0)
    assert [(each.name, each.count) for each in tower.extra] == [("random spell", len(tower.locations))]
    assert (storm.blessings, [(each.name, each.count) for each in storm.in_blessings]) == (30, [("Sandstorm", 4)])


@pytest.mark.parametrize(
    ("name", "players", "kind", "drawn", "apart"),
    [  # worked out by hand from the deck lists of the locations
        ("The Black Tower", 2, "spell", 1, "Also in the location decks: 4 random spells."),
        ("Akhentepi's Legacy", 1, "barrier", 5, "Also in the location decks: 3 random barriers with the trait Trap."),
        ("Panic in the Streets", 1, "blessing", 3, "Next to the scenario: 5 random blessings."),
        ("Local Heroes", 1, "ally", 3, "Henchmen: 3 random allies."),
        ("Here Comes the Flood", 1, "blessing", 2, "Henchmen: 3 Nightbelly Boa, 3 random blessings, 3 random allies."),
        (
            "Those Who Dwell in Darkness",
            4,
            "blessing",
            3,
            "Second henchman list: 3 Elegiac Compass, 3 random blessings.",
        ),
    ],
)
def test_no_random_card_is_listed_twice(kb, facts, name, players, kind, drawn, apart):
    found = set_up(called(facts, name), players, facts)
    assert found.draw[kind] == sum(each.cards[kind] for each in found.locations) == drawn
    printed = kb("scenario {} -p {}", name, players).out.splitlines()
    (draw,) = (line for line in printed if line.startswith("  Draw at random: "))
    assert f" {drawn} {pile_words(kind, drawn)}" in draw
    assert f"  {apart}" in printed


def test_the_reward_for_a_replay_names_what_it_gives():
    (pyramid,) = (each for each in rows("adventures") if (each["set"], each.get("deck")) == ("mm", "6"))
    (first,) = (each for each in rows("adventures") if (each["set"], each.get("deck")) == ("mm", "B"))
    loot = [name for each in first["scenarios"] for name in each["gives"]["loot"]]
    feats = ["card feat", "power feat", "skill feat"]
    for part in ("begins with adventure 1", *(each["name"] for each in first["traders"]), *loot, *feats):
        assert part in pyramid["reward"]
    assert pyramid["gives"] == {"feats": {}, "role": False, "loot": [], "traders": []}, "nothing without a replay"


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("Assault on the Pinnacle", "all boons that were put under the scenario card"),
        ("Rimeskull", "neither Basic nor Elite"),
        ("The Road through Xin-Shalast", "neither Basic nor Elite"),
    ],
)
def test_a_reward_on_which_sources_differ_has_a_note(name, part):
    adventures = [each for each in rows("adventures") if each["record"] == "adventure"]
    (scenario,) = (each for adventure in adventures for each in adventure["scenarios"] if each["name"] == name)
    assert part in scenario["note"]


WAY = "Intelligence or Craft or Survival 6 + adventure deck number, or another way: read the card"


def test_another_way_to_close_a_location_is_printed_everywhere(kb, real, facts):
    assert {place.name for place in facts.locations.values() if place.other_way} == {"Surgery", "Shrine to Lamashtu"}
    (printed,) = (line for line in kb("scenario mm B.4 -p 6").out.splitlines() if line.startswith("  Surgery"))
    assert printed.endswith(WAY)
    places = {each["name"]: each for each in kb("scenario mm B.4 -p 6 --json").json["locations"]}
    assert (places["Surgery"]["other_way"], "other_way" in places["Oasis"]) == (True, False)
    assert WAY in kb("show pathfinder/mm/scenarios/the-tainted-tower").out
    assert "or  another way: read the card" in kb("show pathfinder/mm/locations/surgery").out
    (shrine,) = (each for each in kb("scenario rotr 4.5 -p 5").out.splitlines() if each.startswith("  Shrine to La"))
    assert shrine.endswith("Divine 6, or another way: read the card")


@pytest.mark.parametrize(
    ("card", "table"),
    [
        ("locations/oasis", ("To close", "read the card")),
        ("banes/insanity-mist", ("To defeat", "none: read the card")),
        ("banes/curse-of-blindness", None),  # a scourge is not defeated
        ("banes/sekrephere", None),  # unknown
    ],
)
def test_known_to_have_no_check_differs_from_unknown(kb, real, card, table):
    tables = kb(f"show pathfinder/mm/{card} --json").json.get("tables", ())
    found = [(each["title"], each["rows"][0][1]) for each in tables if each["title"].startswith("To ")]
    assert found == ([table] if table else [])


def test_reward_next_scenario_and_rules(facts):
    last = set_up(called(facts, "Into the Eye"), 1, facts)
    pill, delve = (set_up(called(facts, name), 1, facts) for name in ("The Poison Pill", "Thistletop Delve"))
    assert (pill.reward, pill.next, delve.next, last.next) == (
        "draw a weapon",
        "Black Fang's Dungeon",
        "Undead Uprising",
        None,
    )
    assert (
        set_up(called(facts, "Black Fang's Dungeon"), 1, facts).next is None
    )  # its adventure does not belong to an Adventure Path
    folder = ROOT / "content"
    for record in SCENARIOS:
        assert all((folder / f"{cite}.md").is_file() for cite in set_up(record, 1, facts).cites)


@pytest.mark.parametrize("players", [0, 7, -1, 100])
def test_an_impossible_number_of_players_is_refused(facts, players):
    with pytest.raises(KbError, match=f"{players} players: a scenario is for 1 to 6"):
        set_up(SCENARIOS[0], players, facts)


@pytest.mark.parametrize(
    ("name", "is_"),
    [
        ("brigandoom", "Brigandoom!"),
        ("the poison pill", "The Poison Pill"),
        ("Poison Pill", "The Poison Pill"),
        ("rotr 1.2", "Local Heroes"),
        ("mm b-3", "Desiccated Delirium"),
        ("rotr b.2", "The Poison Pill"),
        ("pathfinder/mm/scenarios/quiet-please", "Quiet, Please"),
        ("THEM OGRES AINT RIGHT", "Them Ogres Ain't Right"),
    ],
)
def test_names_of_scenarios(facts, name, is_):
    assert called(facts, name)["name"] == is_


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Brigandom", "Brigandoom!"),
        ("1.1", "rotr 1.1"),
        ("", "kb scenarios"),
        ("9.9", "kb scenarios"),
        ("\x00/", "kb scenarios"),
    ],
)
def test_unknown_scenario_names_get_suggestions(facts, name, hint):
    record, sentence = scenario_called(name, facts.scenarios)
    assert record is None
    assert hint in sentence


def by_brute_force(dice, added, difficulty):
    rolls = list(product(*(range(1, sides + 1) for sides in dice)))
    return sum(sum(roll) + added >= difficulty for roll in rolls) / len(rolls)


@pytest.mark.parametrize(
    ("check", "dice", "added", "difficulty"),
    [
        ("d10+2+2d6 vs 14", (10, 6, 6), 2, 14),
        ("1d12 vs 7", (12,), 0, 7),
        ("3d4 - 1 versus 5", (4, 4, 4), -1, 5),
        ("2+d6 VS. 3", (6,), 2, 3),
        ("d8+d10+d12 >= 30", (8, 10, 12), 0, 30),
        ("d4 vs 9", (4,), 0, 9),
    ],
)
def test_odds_agree_with_counting_every_roll(check, dice, added, difficulty):
    found = odds(check)
    assert found.chance == pytest.approx(by_brute_force(dice, added, difficulty), abs=1e-6)
    assert (found.least, found.most) == (len(dice) + added, sum(dice) + added)
    for each in found.one_more_die:
        more = (*dice, int(each.die[1:]))
        assert each.chance == pytest.approx(by_brute_force(more, added, difficulty), abs=1e-6)


@pytest.mark.parametrize(
    "check",
    ["", "vs 3", "d6", "d6 vs", "d6 vs x", "d6 vs -1", "d0 vs 1", "d6d6 vs 3", "2 vs 3", "d6+ vs 3", "-d6 vs 1", "d6 vs 3 vs 4",
     "999999999d6 vs 3", "d99999999999 vs 3", f"{MOST_DICE + 1}d6 vs 9", "40d6+40d6 vs 9", "d６ vs ３", "d6+99999999 vs 3", "\x00 vs 3"],
)  # fmt: skip
def test_checks_that_cannot_be_read(check):
    with pytest.raises(OddsError):
        odds(check)


def test_many_dice_are_exact():
    found = odds(f"{MOST_DICE}d6 vs {MOST_DICE * 6}")
    assert found.exact == f"1/{6**MOST_DICE}"


@pytest.mark.extended
def test_a_campaign_leads_to_the_set_up_of_its_next_scenario(tmp_path):
    import kb

    (tmp_path / "campaign.yaml").write_text(
        "game: pathfinder\nset: rotr\nstart: 1\ndecks: {Kyra: kyra.yaml, Lini: lini.yaml}\n", "utf-8"
    )
    for name in ("Kyra", "Lini"):
        (tmp_path / f"{name.lower()}.yaml").write_text(kb_deck(name), "utf-8")
    folder = kb.Campaign(tmp_path)
    coming = folder.check().next_set_up
    assert (coming.name, coming.part) == ("Attack on Sandpoint", "players-2")
    assert kb.show(coming.id)["facts"]["name"] == coming.name
    dice = folder.check().dice
    kyra = dice.members[0]
    assert (dice.place, dice.adventure, kyra.who) == ("pathfinder/rotr", 1, "Kyra")
    assert (kyra.rolls["Divine"].sides, kyra.rolls["Divine"].bonus) == (12, 2)
    (tmp_path / "01.yaml").write_text('scenario: "Attack on Sandpoint"\nwon: yes\n', "utf-8")
    assert kb.Campaign(tmp_path).check().next_set_up.name == "Local Heroes"


def kb_deck(name):
    from kb.games.pathfinder.decks.facts import Facts
    from kb.games.pathfinder.game import game

    loaded = load(ROOT / "cards", Problems(ROOT / "cards"))
    return game.decks.new_deck(name, "rotr", Facts.load(lambda kind: loaded.get(kind, [])))
