"""Pathfinder campaigns: both Adventure Paths played through in full, and everything that does not follow."""

import pytest

from kb.campaigns.folder import read_folder
from kb.campaigns.record import append, dumped
from kb.decks.deckfile import parse_deck
from kb.games.pathfinder.campaign.adapter import campaigns
from kb.games.pathfinder.party.adapter import pile
from tests.games.camp import Camp


@pytest.fixture
def facts(table):
    found = table.game("pathfinder")[1]
    return found


RUNE = "game: pathfinder\nset: rotr\ndecks: {Kyra: suggested, Ezren: suggested}\n"
FIRST = "scenario: Attack on Sandpoint\nwon: yes\nfeats: {Kyra: {skill: Wisdom}, Ezren: {skill: Intelligence}}\n"


@pytest.fixture
def rune(tmp_path, table):
    return Camp(tmp_path / "rune", table, RUNE)


def room_for(character, kind, taken):
    """A box that can still be checked."""
    if kind == "power":
        return "Healing"
    if kind == "skill":
        boxes = character.skill_feat_boxes
    else:
        boxes = {each: (line.maximum or 0) - line.base for each, line in character.cards_list.items()}
    return next((what for what, number in boxes.items() if taken.count(what) < number), None)


def test_a_card_of_which_the_facts_say_too_little_is_written_by_its_name(facts):
    card = facts.card("mm", "Heavy Pick")
    assert card.deck is None
    assert pile([card, card]) == ["2x Heavy Pick"]


@pytest.mark.parametrize("set_id", ["rotr", "mm"])
def test_an_adventure_path_is_played_through(set_id, tmp_path, table, facts):
    """Every scenario won, every feat and role taken, all loot given out, the decks rebuilt by the engine: nothing to object to."""
    names = {"rotr": ["Kyra", "Ezren"], "mm": ["Damiel", "Estra"]}[set_id]
    camp = Camp(
        tmp_path / set_id,
        table,
        f"game: pathfinder\nset: {set_id}\ndecks: {{{', '.join(f'{name}: suggested' for name in names)}}}\n",
    )
    taken = {}
    people = {name: facts.characters[set_id, name.casefold()] for name in names}
    for adventure in facts.adventures[set_id]:
        for number, gives in enumerate(adventure.scenarios, 1):
            if not adventure.path:
                continue
            rewards = [gives] + ([adventure.reward] if number == len(adventure.scenarios) else [])
            feats = {}
            for name, character in people.items():
                for kind in ("skill", "power", "card"):
                    for _ in range(sum(each.feats.get(kind, 0) for each in rewards)):
                        what = room_for(character, kind, taken.setdefault((name, kind), []))
                        if what:
                            taken[name, kind].append(what)
                            feats.setdefault(name, {}).setdefault(kind, []).append(what)
            game = {"scenario": gives.name, "won": True}
            if loot := [name for each in rewards for name in each.loot if facts.card(set_id, name)]:
                game["rewards"] = loot
            if feats:
                game["feats"] = feats
            if any(each.role for each in rewards):
                game["role"] = {name: character.roles[0] for name, character in people.items()}
            text = dumped(game) + "\n"
            decks = campaigns.filled(read_folder(camp.folder), parse_deck(text, "game.yaml"), facts)[0]
            append(camp.folder, gives.name, text + (dumped({"decks": decks}) + "\n" if decks else ""), {})
    replay = camp.replay()
    assert len(replay.games) == sum(len(each.scenarios) for each in facts.adventures[set_id] if each.path)
    assert replay.readable
    wrong = [(step.title, each.finding.check, each.finding.message) for step in replay.steps for each in step.findings
             if each.finding.severity == "error"]  # fmt: skip
    assert wrong == []
    assert replay.next == {}
    assert all(", " in deck.heading for deck in replay.decks)  # each has a role by now


def test_what_a_game_changes_is_told(rune):
    replay = rune.play(FIRST + "gained: {Ezren: [Amulet of Life]}\ndate: 2026-11-01\nnotes: Goblins!\n")
    step = replay.steps[-1]
    assert (step.title, step.outcome, step.date, step.notes) == ("Attack on Sandpoint", "won", "2026-11-01", "Goblins!")
    assert [(each.who, each.text) for each in step.changes] == [
        ("Kyra", "skill feat: Wisdom"),
        ("Ezren", "gains Amulet of Life"),
        ("Ezren", "skill feat: Intelligence"),
        ("", "left over: Amulet of Life (back into the box)"),
    ]
    assert replay.next["scenario"] == '"Local Heroes"'
    assert step.findings == ()


def test_scenarios_come_in_order(rune):
    assert ("order-of-scenarios", "error", 1) in rune.said("scenario: Local Heroes\nwon: no\n")
    assert ("order-of-scenarios", "error", 1) in rune.said("scenario: 2.1\nwon: no\n")


def test_a_lost_scenario_is_played_again_and_gives_nothing(rune):
    assert rune.said("scenario: Attack on Sandpoint\nwon: no\nfeats: {Kyra: {skill: Wisdom}}\n") == [
        ("no-reward-when-lost", "error", 3)
    ]
    assert ("order-of-scenarios", "error", 1) in rune.said("scenario: Local Heroes\nwon: yes\n")


def test_a_reward_is_gained_once(rune):
    rune.play(FIRST)
    found = rune.said(FIRST)
    assert ("played-again", "note", 1) in found
    assert found.count(("feats-of-the-reward", "error", 3)) == 2


WRONG = [
        ("feats: {Kyra: {skill: [Wisdom, Wisdom]}, Ezren: {skill: Intelligence}}\n", ("feats-of-the-reward", "error", 3)),
        ("feats: {Kyra: {skill: Wisdom}}\n", ("feats-are-chosen", "warning", 3)),
        ("role: {Kyra: Exorcist}\n", ("role-when-earned", "error", 3)),
        ("rewards: [Sihedron Medallion]\n", ("loot-of-the-reward", "error", 3)),
        ("gained: {Kyra: [Sihedron Medallion]}\n", ("loot-of-the-reward", "error", 3)),
        ("gained: {Kyra: [Impaler of Thorns]}\n", ("adventure-has-begun", "error", 3)),
        ("banished: {Kyra: [Codex, Codex]}\n", ("lost-cards-were-there", "error", 3)),
        ("died: [Lem]\n", ("who-is-at-the-table", "error", 3)),
        ("joined: [Kyra]\n", ("who-is-at-the-table", "error", 3)),
        ("rewards: [Flaming Mace +1]\n", ("drawn-as-a-reward", "error", 3)),
        ("died: [Kyra, Ezren]\n", ("somebody-lives", "error", 2)),
        ("died: [Kyra]\nfeats: {Kyra: {skill: Wisdom}}\n", ("the-dead-gain-nothing", "error", 4)),
        ("traders: {Kyra: Falsin Deek}\n", ("no-traders-in-runelords", "error", 3)),
        ("decks: {Lem: suggested}\n", ("who-is-at-the-table", "error", 3)),
        ("gained: {Seoni: [Spyglass]}\n", ("who-is-named-played", "error", 3)),
        ("banished: {Seoni: [Sleep]}\n", ("who-is-named-played", "error", 3)),
        ("banished: {Kyra: [Sleep]}\n", ("lost-cards-were-there", "error", 3)),
        ("gained: {Kyra: [Codex], Ezren: [Codex]}\n", ("gained-cards-were-in-the-box", "error", 3)),
    ]  # fmt: skip


@pytest.mark.parametrize(("more", "finding"), WRONG)
def test_what_does_not_follow(rune, more, finding):
    assert finding in rune.said(f"scenario: Attack on Sandpoint\nwon: yes\n{more}")


def test_one_death_opens_the_box_for_one_newcomer(tmp_path, table):
    camp = Camp(tmp_path / "third", table, RUNE + "start: 3\n")
    base = "Leather Armor, Amulet of Life, Crowbar, Holy Water, Crow, 5x Blessing of the Gods]"
    harsk = f"Harsk: [Heavy Crossbow, 4x Light Crossbow, {base}"
    valeros = "Valeros: [Greataxe, 4x Longsword, 3x Chain Mail, 2x Crowbar, 2x Guide, 3x Blessing of the Gods]"
    game = "scenario: 3.1\nwon: no\ndied: [Ezren]\njoined: [Valeros, Harsk]\n"
    barred = [camp.said(game + f"decks: {{{decks}}}\n") for decks in (f"{harsk}, {valeros}", harsk)]
    assert [[check for check, *_ in each].count("new-deck") for each in barred] == [1, 0]


BURNT_OFFERINGS = (
    "start: 2\nfeats: {Kyra: {skill: [Wisdom, Wisdom], power: Healing, card: spell}, Ezren: {skill: Intelligence}}\n"
)


@pytest.mark.parametrize(
    ("head", "game", "checks"),
    [
        (BURNT_OFFERINGS, "scenario: 2.1\nwon: no\n", []),
        (BURNT_OFFERINGS.replace("Wisdom,", "Wisdom, Wisdom, Wisdom,"), "scenario: 2.1\nwon: no\n", ["earned-feats"]),
        ("feats: {Kyra: {power: Healing}}\n", "scenario: 1.1\nwon: no\n", ["earned-feats"]),
        ("role: {Kyra: Exorcist}\n", "scenario: 1.1\nwon: no\n", ["role-is-earned"]),
        (BURNT_OFFERINGS, "scenario: 1.1\nwon: yes\nfeats: {Kyra: {skill: Wisdom}}\n", ["feats-of-the-reward"]),
    ],
)
def test_what_a_later_start_brings_along_was_earned_before_it(tmp_path, table, head, game, checks):
    replay = Camp(tmp_path / "later", table, RUNE.replace("Kyra: suggested", "Kyra: [Cure]") + head).play(game)
    found = [each.finding.check for step in replay.steps for each in step.findings]
    assert [each for each in found if each in ("earned-feats", "role-is-earned", "feats-of-the-reward")] == checks


KYRA = "Mace, Quarterstaff, {spells}, Chain Mail, Wooden Shield, Holy Water, Guard, 6x Blessing of the Gods"


def test_cards_come_from_somewhere(rune):
    rune.play(FIRST)
    found = rune.said(f"scenario: 1.2\nwon: no\ndecks:\n  Kyra: [{KYRA.format(spells='3x Cure')}]\n")
    assert ("cards-are-accounted-for", "error", 4) in found


def test_the_box_is_for_holes_only(rune):
    rune.play(FIRST)
    kyra = f"{{cards: [{KYRA.format(spells='2x Cure, Guidance')}], from_box: [Cure]}}"
    found = rune.said(f"scenario: 1.2\nwon: no\ndecks:\n  Kyra: {kyra}\n")
    assert ("box-only-when-the-table-lacks", "error", 4) in found
    found = rune.said(f"scenario: 1.2\nwon: no\nbanished: {{Kyra: [Cure]}}\ndecks:\n  Kyra: {kyra}\n")
    assert found == []  # now there is a hole


def test_a_dead_character_is_replaced(rune):
    rune.play(FIRST)
    replay = rune.play("scenario: 1.2\nwon: no\ndied: [Ezren]\njoined: [Harsk]\ndecks: {Harsk: suggested}\n")
    assert replay.legal, replay.steps[-1].findings
    assert [deck.who for deck in replay.decks] == ["Kyra", "Harsk"]
    assert ("Harsk", "joins") in [(each.who, each.text) for each in replay.steps[-1].changes]
    found = rune.said("scenario: 1.2\nwon: no\ndecks: {Ezren: suggested}\n")
    assert ("who-is-at-the-table", "error", 3) in found


def test_a_character_who_left_comes_back_with_what_she_was(rune):
    rune.play(FIRST + "left: [Ezren]\n")
    replay = rune.play("scenario: 1.2\nwon: no\njoined: [Ezren]\n")
    assert [deck.heading for deck in replay.decks] == ["Kyra (skill Wisdom)", "Ezren (skill Intelligence)"]
    assert replay.legal


MASK = "game: pathfinder\nset: mm\ndecks: {Damiel: suggested, Estra: suggested}\n"


@pytest.mark.parametrize(
    ("visit", "finding"),
    [
        ("{trader: Sunburst Market}", ("traders-visited", "error", 4)),
        ("{trader: Shardizhad}", ("traders-visited", "warning", 4)),
        ("{trader: Falsin Deek, paid: [Mace]}", ("lost-cards-were-there", "error", 4)),
        ("{trader: Falsin Deek, paid: [Camel]}", ("traders-visited", "error", 4)),
        ("{trader: Falsin Deek, paid: [Camel, Porcupine], took: Shotel}", ("traders-visited", "error", 4)),
        ("{trader: Hadden Hoppert, paid: [Camel], took: Augury}", ("traders-visited", "error", 4)),
        ("{trader: Falsin Deek, paid: [Camel, Porcupine], took: Game of Afterlife}", ("traders-visited", "error", 4)),
        ("{trader: Falsin Deek, took: Sun Falcon Pectoral, paid: [Dagger]}", ("traders-visited", "error", 4)),
    ],
)
def test_traders_are_visited_by_their_rules(tmp_path, table, visit, finding):
    camp = Camp(tmp_path / "mm", table, MASK)
    assert finding in camp.said(f"scenario: All that Glitters Begets Gold\nwon: yes\ntraders:\n  Estra: {visit}\n")


def test_traders_met_before_the_records_begin_are_visited(tmp_path, table):
    game = "scenario: 1.1\nwon: yes\ntraders: {Estra: Falsin Deek}\n"
    checks = [check for check, _, _ in Camp(tmp_path / "a", table, MASK + "start: 1\n").said(game)]
    assert "traders-visited" not in checks
    checks = [
        check for check, _, _ in Camp(tmp_path / "b", table, MASK + "start: 1\ntraders: [Hadden Hoppert]\n").said(game)
    ]
    assert "traders-visited" in checks


def test_a_misspelled_trader_is_not_read(tmp_path, table):
    replay = Camp(tmp_path / "mm", table, MASK).play("scenario: B.1\nwon: yes\ntraders: {Estra: Falsin Dek}\n")
    assert "Did you mean Falsin Deek?" in replay.steps[-1].problems[0].message


def test_what_no_source_tells_of_a_reward_is_neither_asked_for_nor_refused(tmp_path, table):
    for number, more in enumerate(("", "rewards: [Game of Afterlife]\nfeats: {Estra: {skill: Wisdom}}\n")):
        camp = Camp(tmp_path / f"mm{number}", table, MASK + "start: B\n")
        camp.play("scenario: B.1\nwon: yes\n")
        camp.play("scenario: B.2\nwon: yes\nrewards: [Scarab Buckler]\n")
        assert camp.said("scenario: B.3\nwon: yes\n" + more) == []


def test_after_a_file_that_cannot_be_read_nothing_is_held_against_the_next(rune):
    rune.play("scenario: [\n")
    replay = rune.play("scenario: Local Heroes\nwon: no\n")
    assert not replay.readable
    assert replay.legal
    assert [len(step.problems) for step in replay.steps] == [0, 1, 0]


def test_what_is_wrong_with_a_file_is_named_with_its_line(rune):
    replay = rune.play(
        "scenario: Attack on Sandpoin\nwon: maybe\nfeets: {Kyra: {skill: Wisdom}}\ngained: {Kira: [Curee]}\n"
    )
    said = {problem.line: problem.message for problem in replay.steps[-1].problems}
    assert set(said) == {1, 2, 3, 4} or set(said) == {1, 3}
    assert "Did you mean Attack on Sandpoint" in said[1]
    assert "Did you mean feats" in said[3]
    replay = rune.play("scenario: Attack on Sandpoint\nwon: yes\ngained: {Kira: [Cure]}\nrewards: [Curee]\n")
    said = {problem.line: problem.message for problem in replay.steps[-1].problems}
    assert "Did you mean Kyra" in said[3]
    assert "Did you mean Cure" in said[4]


def test_the_commands(kb, real, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert kb("campaign new c --game rotr --say set=rotr --deck Kyra --deck Ezren").code == 0
    done = kb(
        "campaign record c --fill -s 'scenario=Attack on Sandpoint' -s won=yes -s {} -s {}",
        "gained={Ezren: [Amulet of Life]}",
        "feats={Kyra: {skill: Wisdom}, Ezren: {skill: Intelligence}}",
    )
    assert (done.code, done.out) == (0, "Wrote c/01-attack-on-sandpoint.yaml.\n")
    assert kb("campaign check c").out.startswith("Rise of the Runelords: 1 game, follows the rules.\n")
    done = kb("campaign record c -s scenario=2.1 -s won=no")
    assert done.code == 1
    assert "pathfinder/rotr/completing-an-adventure" in done.out
    told = kb("campaign check c --json").json
    assert (told["legal"], told["readable"], told["games"]) == (False, True, 2)
    (finding,) = told["steps"][2]["findings"]
    assert (finding["file"], finding["line"], finding["cites"][0]["id"]) == (
        "c/02-2-1.yaml", 1, "pathfinder/rotr/completing-an-adventure")  # fmt: skip
    shown = kb("campaign show c --json").json
    assert shown["steps"][1]["changes"][0] == {
        "who": "Kyra", "text": "skill feat: Wisdom",
        "cite": {"id": "pathfinder/rotr/feat-reward", "title": "Reward: a feat", "source": "Rise of the Runelords rulebook, pp. 8, 18, 19"},
    }  # fmt: skip
    lines = kb("campaign show c").out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "2. Undead Uprising (lost)" in lines
    (tmp_path / "c" / "03-broken.yaml").write_text("scenario: <script>alert(1)</script>\nwon: [\n")
    done = kb("campaign check c")
    assert done.code == 2
    assert "c/03-broken.yaml:3: is not YAML" in done.err
    done = kb("campaign page c -o c.html")
    assert done.code == 0
    html = (tmp_path / "c.html").read_text()
    assert "The campaign in numbers" in html
    assert kb("campaign page c -o c.html").code == 2
