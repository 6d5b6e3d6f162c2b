"""Every fix of a campaign, followed to the letter in the file it is about: the finding is gone, and no new one has come."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from kb.campaigns.folder import read_folder
from kb.decks.deckfile import parse_deck
from kb.decks.games import Table
from kb.decks.names import split_quantity
from kb.decks.report import Finding, fitting
from kb.games.pathfinder.campaign.adapter import GAME_NAMES, campaigns

from .test_campaign import FIRST, KYRA, MASK, RUNE, Camp, table

__all__ = ["table"]

WON = "scenario: Attack on Sandpoint\nwon: yes\n"
FEATS = "feats: {Kyra: {skill: Wisdom}, Ezren: {skill: Intelligence}}\n"
B1 = "scenario: B.1\nwon: yes\n"
CASES = [
    (RUNE, "scenario: Local Heroes\nwon: no\n"),
    (RUNE, WON.replace("yes", "no") + FEATS),
    (RUNE, WON.replace("yes", "no") + "rewards: [Sihedron Medallion]\n"),
    (RUNE, WON + "feats: {Kyra: {skill: [Wisdom, Wisdom]}, Ezren: {skill: Intelligence}}\n"),
    (RUNE, WON + FEATS + "role: {Kyra: Exorcist}\n"),
    (RUNE, WON + FEATS + "rewards: [Sihedron Medallion]\n"),
    (RUNE, WON + FEATS + "gained: {Kyra: [Sihedron Medallion]}\n"),
    (RUNE, WON + FEATS + "gained: {Kyra: [Impaler of Thorns]}\n"),
    (RUNE, WON + FEATS + "gained: {Seoni: [Spyglass]}\n"),
    (RUNE, WON + FEATS + "gained: {Kyra: [Codex], Ezren: [Codex]}\n"),
    (RUNE, WON + FEATS + "banished: {Kyra: [Codex, Codex]}\n"),
    (RUNE, WON + FEATS + "banished: {Seoni: [Sleep]}\n"),
    (RUNE, WON + FEATS + "died: [Lem]\n"),
    (RUNE, WON + FEATS + "joined: [Kyra]\n"),
    (RUNE, WON + "died: [Kyra, Ezren]\n"),
    (RUNE, WON + FEATS + "died: [Kyra]\n"),
    (RUNE, WON + FEATS + "traders: {Kyra: Falsin Deek}\n"),
    (RUNE, WON + FEATS + "decks: {Lem: suggested}\n"),
    (RUNE, WON + FEATS + f"decks: {{Kyra: [{KYRA.format(spells='Cure, Guidance, Mending')}, Mace]}}\n"),
    (MASK, B1 + "traders: {Estra: {trader: Sunburst Market}}\n"),
    (MASK, B1 + "traders: {Estra: {trader: Falsin Deek, paid: [Mace, Torch]}}\n"),
    (MASK, B1.replace("yes", "no") + "traders: {Estra: {trader: Falsin Deek}}\n"),
    (MASK, B1 + "traders: {Estra: {trader: Falsin Deek, paid: [Camel, Porcupine], took: Shotel}}\n"),
    (MASK, B1 + "traders: {Estra: {trader: Falsin Deek, paid: [Porcupine], took: Canteen}}\n"),
    (MASK, B1 + "traders: {Estra: {trader: Falsin Deek, paid: [Porcupine, Compass], took: Lottery Urn}}\n"),
    (MASK, B1 + "traders: {Estra: {trader: Falsin Deek, paid: [Porcupine, Compass], took: Game of Afterlife}}\n"),
]


def drop(value: Any, name: str) -> Any:
    """A value without one copy of a card, or without a name; what is left empty goes too."""
    if isinstance(value, dict):
        found = {key: drop(each, name) for key, each in value.items() if key != name}
        return {key: each for key, each in found.items() if each not in (None, [], {})}
    if isinstance(value, list):
        at = next((place for place, each in enumerate(value) if split_quantity(str(each))[1] == name), None)
        return value if at is None else value[:at] + value[at + 1 :]
    return None if value == name else value


def follow(game: dict[str, Any], finding: Finding, camp: Camp) -> dict[str, Any]:
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
    elif "Take `took` out" in fix:
        for visit in new["traders"].values():
            visit.pop("took", None)
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
def test_the_fix_of_an_error_ends_it(tmp_path: Path, table: Table, head: str, text: str) -> None:
    def errors(game: dict[str, Any], name: str) -> dict[tuple[str, str], Finding]:
        replay = Camp(tmp_path / name, table, head).play(yaml.safe_dump(game, sort_keys=False))
        assert replay.readable, replay.steps[-1].problems
        found = [each.finding for each in replay.steps[-1].findings if each.finding.severity == "error"]
        return {(each.check, each.message): each for each in found}

    game = {
        key: str(value) if not isinstance(value, dict | list) else value
        for key, value in yaml.load(text, yaml.BaseLoader).items()
    }
    before = errors(game, "before")
    assert before
    for number in range(len(before)):  # decks are rebuilt when all else is right
        now = sorted(errors(game, f"now{number}").items(), key=lambda each: "--fill" in each[1].fix)
        if not now:
            break
        game = follow(game, now[0][1], Camp(tmp_path / f"new{number}", table, head))
        after = errors(game, f"after{number}")
        assert now[0][0] not in after
        assert {check for check, _ in after} <= {check for check, _ in before}, now[0][1]
    assert not errors(game, "at-last")


def test_a_fix_names_only_keys_that_the_file_has() -> None:
    assert fitting("Exchange it for Cure. Or correct `adventure:`.", GAME_NAMES) == "Exchange it for Cure."
    assert fitting("List it under `received:`, or remove it.", GAME_NAMES) == "Remove it."
    assert fitting("Correct `gave` or `had`.", GAME_NAMES) == ""
    assert FIRST
