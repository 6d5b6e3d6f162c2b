"""Pathfinder campaigns: both Adventure Paths from beginning to end, and findings on games that do not fit the games
before them.
"""

import copy

import pytest
import yaml

from kb.campaigns.record import append, dumped
from kb.decks.deckfile import parse_deck
from kb.decks.names import split_quantity
from kb.decks.remedies import Act, Clear, Exchange, ListUnder, Remove, Set, Unlist, fitting
from kb.games.pathfinder.campaign.campaigns import GAME_NAMES
from kb.games.pathfinder.campaign.rules import order_of_scenarios
from kb.games.pathfinder.decks.deckfile import listed
from tests.games.camp import Camp, Evenings
from tests.walks import walks


@pytest.fixture
def facts(table):
    return table.game("pathfinder")[1]


def room_for(character, kind, taken):
    """Return the name of a box of this `kind` (power, skill or card feat) that the character can still check, or None.
    `taken` lists the checked boxes.
    """
    if kind == "power":
        return "Healing"
    if kind == "skill":
        boxes = character.skill_feat_boxes
    else:
        boxes = {each: (line.maximum or 0) - line.base for each, line in character.cards_list.items()}
    return next((what for what, number in boxes.items() if taken.count(what) < number), None)


def test_cards_with_incomplete_facts_are_written_by_name(facts):
    card = facts.card("mm", "Heavy Pick")
    assert card.deck is None
    assert listed([card, card]) == ["2x Heavy Pick"]


@pytest.mark.extended
@pytest.mark.parametrize("set_id", ["rotr", "mm"])
def test_an_adventure_path_is_played_through(set_id, tmp_path, table, facts):
    """Wins every scenario, takes every feat and role, gives out all loot, and rebuilds the decks. kb reports no
    error.
    """
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
    assert replay.games == sum(len(each.scenarios) for each in facts.adventures[set_id] if each.path)
    assert replay.readable
    wrong = [
        (step.title, each.finding.check.id, each.finding.message)
        for step in replay.steps
        for each in step.findings
        if each.finding.severity == "error"
    ]
    assert wrong == []
    assert camp.open().coming() == {}
    assert all(", " in deck.heading for deck in replay.decks)  # every character has a role by now


EVENINGS = Evenings("pathfinder")
test_evenings = EVENINGS.test()


def drop(value, name):
    """Return `value` (a dict, list or text) without one copy of the card `name`, or without the key `name`. Empty
    values in a dict disappear.
    """
    if isinstance(value, dict):
        found = {key: drop(each, name) for key, each in value.items() if key != name}
        return {key: each for key, each in found.items() if each not in (None, [], {})}
    if isinstance(value, list):
        at = next((place for place, each in enumerate(value) if split_quantity(str(each))[1] == name), None)
        return value if at is None else value[:at] + value[at + 1 :]
    return None if value == name else value


def follow(game, finding, camp):
    """Return a copy of the game's file after the first remedy of `finding` that changes the file."""
    new = copy.deepcopy(game)
    for remedy in finding.remedies:
        changed = applied(new, remedy, finding, camp, game)
        if changed is not None and changed != game:
            return changed
    return new


def applied(new, remedy, finding, camp, game):
    """Return the file of a game after `remedy`, or None if the remedy changes no file. `new` is a copy of `game`, the
    file before the remedy.
    """
    match remedy:
        case Act(command="kb campaign record --fill"):
            file = parse_deck(yaml.safe_dump(game, sort_keys=False), "game.yaml")
            return {**new, "decks": dict(camp.open().filled(file)[0])}
        case Unlist(key="feats", cards=(amount,), who=who) if who:
            number, kind = amount.split()[:2]
            for _ in range(int(number)):
                new["feats"][who][kind].pop()
            return new
        case Unlist(key=key, cards=cards, who=who) if key in new:
            for name in cards:
                new[key] = {**new[key], who: drop(new[key][who], name)} if who else drop(new[key], name)
            return new
        case Remove(copies=copies, of=of):
            for name in of[len(of) - copies :]:
                new["decks"] = drop(new["decks"], name)
            return new
        case Clear(clears=clears, who=who):
            for key, _, below in (each.partition(".") for each in clears):
                if below:
                    new[key][who].pop(below, None)
                else:
                    new.pop(key, None)
            return new
        case Set(key="won", value=value):
            return {**new, "won": value}
        case Set(key="scenario") if finding.by(order_of_scenarios):
            return {**new, "scenario": camp.open().coming()["scenario"]}
    return None


test_the_remedy_of_an_error_ends_it = EVENINGS.test_fixes(follow, "cards-are-accounted-for")


def test_feats_and_roles_at_the_beginning_must_be_earned(tmp_path, table):
    feats = "start: 2\nfeats: {Kyra: {skill: [Wisdom, Wisdom, Wisdom, Wisdom]}}\n"
    for more, check in ((feats, "earned-feats"), ("role: {Kyra: Exorcist}\n", "role-is-earned")):
        replay = Camp(tmp_path / check, table, EVENINGS.campaigns["later"]["head"] + more).replay()
        assert check in [each.finding.check.id for each in replay.steps[0].findings]


def test_a_remedy_changes_only_keys_that_the_file_has():
    at_the_table = (Exchange(1, ("Mace",), ("Club",)), Set("adventure"), ListUnder("received", ("Mace",)))
    assert fitting(at_the_table, GAME_NAMES) == at_the_table[:1]
    assert fitting((Set("gave"),), GAME_NAMES) == ()


test_commands = walks("pathfinder-campaign", "real")
