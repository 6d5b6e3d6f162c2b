"""Every fix of a campaign, followed to the letter in the file it is about: the finding is gone, and no new one has come."""

import copy
import re
from itertools import count

import pytest
import yaml

from kb.campaigns.folder import read_folder
from kb.decks.deckfile import parse_deck
from kb.decks.names import split_quantity
from kb.decks.report import fitting
from kb.games.pathfinder.campaign.adapter import GAME_NAMES, campaigns
from tests.games.camp import Camp, mend

from .test_campaign import KYRA, MASK, RUNE, WRONG

WON = "scenario: Attack on Sandpoint\nwon: yes\n"
FEATS = "feats: {Kyra: {skill: Wisdom}, Ezren: {skill: Intelligence}}\n"
LOST = WON.replace("yes", "no")
MEDALLION = "rewards: [Sihedron Medallion]\n"
SHORT = f"decks: {{Kyra: [{KYRA.format(spells='Cure, Guidance, Mending')}, Mace]}}\n"
CASES = [
    *((RUNE, WON + more) for more, found in WRONG if found[1] == "error"),
    (RUNE, "scenario: Local Heroes\nwon: no\n"),
    (RUNE, LOST + FEATS),
    (RUNE, LOST + MEDALLION),
    (RUNE, WON + FEATS + MEDALLION),
    (RUNE, WON + FEATS + SHORT),
    *(
        (MASK, f"scenario: B.1\nwon: {won}\ntraders: {{Estra: {{trader: {visit}}}}}\n")
        for won, visit in (
            ("yes", "Sunburst Market"),
            ("yes", "Falsin Deek, paid: [Mace, Torch]"),
            ("no", "Falsin Deek"),
            ("yes", "Falsin Deek, paid: [Camel, Porcupine], took: Shotel"),
            ("yes", "Falsin Deek, paid: [Porcupine], took: Canteen"),
            ("yes", "Falsin Deek, paid: [Porcupine, Compass], took: Lottery Urn"),
            ("yes", "Falsin Deek, paid: [Porcupine, Compass], took: Game of Afterlife"),
        )
    ),
]


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
        new["decks"] = dict(campaigns.filled(read_folder(camp.folder), file, camp.table.game("pathfinder")[1])[0] or {})
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
            visit.pop("took", None), visit.pop("paid", None)
    elif found := re.match(r"Take `(\w+):?` out", fix):
        del new[found[1]]
    elif found := re.match(r"Write `won: (\w+)`", fix):
        new["won"] = found[1]
    elif found := re.match(r"Win (.+) first", fix):
        new["scenario"] = found[1]
    elif found := re.match(r"Remove \d of the \d \w+: (.+)\.$", fix):
        for cards in new["decks"].values():
            cards.remove(found[1].split(", ")[-1])
    else:
        raise AssertionError(f"nobody could follow this fix: {finding}")
    return {key: value for key, value in new.items() if value not in (None, [], {})}


@pytest.mark.parametrize(("head", "text"), CASES)
def test_the_fix_of_an_error_ends_it(tmp_path, table, head, text):
    turn = count()

    def fresh():
        return Camp(tmp_path / str(next(turn)), table, head)

    def errors(game):  # decks are rebuilt when all else is right
        found = fresh().errors(yaml.safe_dump(game, sort_keys=False))
        return dict(sorted(found.items(), key=lambda each: each[1].fix.startswith("Have the decks rebuilt")))

    game = {
        key: str(value) if not isinstance(value, dict | list) else value
        for key, value in yaml.load(text, yaml.BaseLoader).items()
    }
    mend(game, errors, lambda game, finding: follow(game, finding, fresh()))


def test_a_fix_names_only_keys_that_the_file_has():
    assert fitting("Exchange it for Cure. Or correct `adventure:`.", GAME_NAMES) == "Exchange it for Cure."
    assert fitting("List it under `received:`, or remove it.", GAME_NAMES) == "Remove it."
    assert fitting("Correct `gave` or `had`.", GAME_NAMES) == ""
    assert fitting("", GAME_NAMES) == ""
