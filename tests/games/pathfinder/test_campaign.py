"""Pathfinder campaigns: both Adventure Paths played through in full, and everything that does not follow."""

import copy
import re

import pytest
import yaml

from kb.campaigns.record import append, dumped
from kb.decks.deckfile import parse_deck
from kb.decks.names import split_quantity
from kb.decks.report import fitting
from kb.games.pathfinder.campaign.adapter import GAME_NAMES
from kb.games.pathfinder.decks.deckfile import listed
from tests.games.camp import Camp, Evenings
from tests.walks import walks


@pytest.fixture
def facts(table):
    return table.game("pathfinder")[1]


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
    assert listed([card, card]) == ["2x Heavy Pick"]


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
            decks = camp.open().filled(parse_deck(text, "game.yaml"))[0]
            append(camp.folder, gives.name, text + (dumped({"decks": decks}) + "\n" if decks else ""), {})
    replay = camp.replay()
    assert len(replay.games) == sum(len(each.scenarios) for each in facts.adventures[set_id] if each.path)
    assert replay.readable
    wrong = [(step.title, each.finding.check, each.finding.message) for step in replay.steps for each in step.findings
             if each.finding.severity == "error"]  # fmt: skip
    assert wrong == []
    assert camp.open().coming() == {}
    assert all(", " in deck.heading for deck in replay.decks)  # each has a role by now


EVENINGS = Evenings("pathfinder")
test_evenings = EVENINGS.test()


def drop(value, name):
    """A value without one copy of a card, or without a name; what is left empty goes too."""
    if isinstance(value, dict):
        found = {key: drop(each, name) for key, each in value.items() if key != name}
        return {key: each for key, each in found.items() if each not in (None, [], {})}
    if isinstance(value, list):
        at = next((place for place, each in enumerate(value) if split_quantity(str(each))[1] == name), None)
        return value if at is None else value[:at] + value[at + 1 :]
    return None if value == name else value


def follow(game, finding, camp):
    new = copy.deepcopy(game)
    fix = finding.fix
    if fix.startswith("Have the decks rebuilt"):
        file = parse_deck(yaml.safe_dump(game, sort_keys=False), "game.yaml")
        new["decks"] = dict(camp.open().filled(file)[0])
    elif found := re.match(r"Take (\d+) (\w+) feats? of (\w+) out", fix):
        for _ in range(int(found[1])):
            new["feats"][found[3]][found[2]].pop()
    elif found := re.match(r"Take (?:(\d+) of it|it|(\w+)) out(?: of ((?:`\w+`(?:, | or | and )?)+))?", fix):
        listed = re.findall(r"\w+", found[3] or "") or ["gained", "rewards"]
        for _ in range(int(found[1] or 1)):
            key = next(key for key in listed if key in new and drop(new[key], found[2] or finding.cards[0]) != new[key])
            new[key] = drop(new[key], found[2] or finding.cards[0])
    elif "`paid` out" in fix:
        for visit in new["traders"].values():
            visit.pop("took", None)
            visit.pop("paid", None)
    elif found := re.match(r"Take `(\w+):?` out", fix):
        del new[found[1]]
    elif found := re.match(r"Write `won: (\w+)`", fix):
        new["won"] = found[1]
    elif found := re.match(r"Win (.+) first", fix):
        new["scenario"] = found[1]
    elif found := re.match(r"Remove \d of the \d \w+: (.+)\.$", fix):
        for cards in new["decks"].values():
            cards.remove(found[1].split(", ")[-1])
    return new


test_the_fix_of_an_error_ends_it = EVENINGS.test_fixes(follow, "Have the decks rebuilt")


def test_what_a_campaign_begins_with_was_earned(tmp_path, table):
    feats = "start: 2\nfeats: {Kyra: {skill: [Wisdom, Wisdom, Wisdom, Wisdom]}}\n"
    for more, check in ((feats, "earned-feats"), ("role: {Kyra: Exorcist}\n", "role-is-earned")):
        replay = Camp(tmp_path / check, table, EVENINGS.campaigns["later"]["head"] + more).replay()
        assert check in [each.finding.check for each in replay.steps[0].findings]


def test_a_fix_names_only_keys_that_the_file_has():
    assert fitting("Exchange it for Cure. Or correct `adventure:`.", GAME_NAMES) == "Exchange it for Cure."
    assert fitting("List it under `received:`, or remove it.", GAME_NAMES) == "Remove it."
    assert fitting("Correct `gave` or `had`.", GAME_NAMES) == ""
    assert fitting("", GAME_NAMES) == ""


test_commands = walks("pathfinder-campaign", "real")
