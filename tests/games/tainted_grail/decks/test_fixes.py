"""Every fix of a sheet's check, followed to the letter in the sheet: the finding is gone, and no new one has come."""

import copy
import re

import pytest
import yaml

from tests.games.camp import mend, named
from tests.games.tainted_grail.decks.conftest import PLAIN, report
from tests.games.tainted_grail.decks.test_checks import VERDICTS

ROWS = [row for rows in VERDICTS.values() for row in rows if {*row.get("finds", ())} - {"note"}]


def judged(sheet):
    return named(report(yaml.safe_dump(sheet, sort_keys=False)).findings, "error", "warning")


def spread(cards):
    """Cards of a list, one for each copy: `1-3` and `2x A` are several."""
    found = []
    for card in map(str, cards if isinstance(cards, list) else [cards]):
        if several := re.fullmatch(r"(\d+)x (.+)", card):
            found += [several[2]] * int(several[1])
        elif span := re.fullmatch(r"(\d+)-(\d+)", card):
            found += [str(number) for number in range(int(span[1]), int(span[2]) + 1)]
        else:
            found.append(card)
    return found


def same(card, other):
    return card.removesuffix("/25") == other.removesuffix("/25")


def without(cards, name, number=1):
    left = spread(cards)
    for _ in range(number):
        del left[next(at for at in reversed(range(len(left))) if same(left[at], name))]
    return left


def follow(sheet, finding):
    """The sheet after the first way that a fix names which the sheet can show."""
    new, fix = copy.deepcopy(sheet), finding.fix
    side = next((name for name in ("combat", "diplomacy") if re.search(rf"\b{name}\b", f"{finding.message} {fix}")), "")
    deck = new.get(side)
    if found := re.match(r"Add (\d+)(?: of the cards owned: (.+)\.|; `(\w+): (1-15)`)", fix):
        if found[3]:
            new[side] = found[4]
        else:
            owned = [card.strip() for card in found[2].split(",")]
            deck["deck"] = spread(deck["deck"]) + owned[: int(found[1])] if "deck" in deck else None
            deck["out"] = [
                card for card in spread(deck.get("out", [])) if not any(same(card, each) for each in owned[:1])
            ]
            new[side] = {key: value for key, value in deck.items() if value is not None and value != []}
    elif fix.startswith("Write `starter: 1-15`"):
        deck["starter"] = "1-15"
    elif "such as `" in fix and "starter" in fix:
        new[side].update(yaml.safe_load(re.findall(r"`(.+?)`", fix)[0])[side])
    elif "under `gained`" in fix:
        deck["gained"] = [*spread(deck.get("gained", [])), *finding.cards]
        deck["starter"] = [
            card for card in spread(deck["starter"]) if not any(same(card, each) for each in finding.cards)
        ]
    elif found := re.match(r"Remove (\d+) of them from `gained`", fix):
        grade = re.match(r"\d+ (\w+) ", finding.message)
        if isinstance(deck["gained"], dict) and grade:
            deck["gained"][grade[1]] = spread(deck["gained"][grade[1]])[: -int(found[1])]
        else:
            deck["gained"] = spread(deck["gained"])[: -int(found[1])]
    elif fix.startswith(("Remove it from `gained`", "Name it once")):
        deck["gained"] = without(deck["gained"], finding.cards[0])
    elif found := re.match(r"Exchange (\d+) of it for cards owned \((.+?)\)", fix):
        left = without(deck["deck"], finding.cards[0], int(found[1]))
        deck["deck"] = left + spread([card.strip() for card in found[2].split(",")])[: int(found[1])]
    elif found := re.match(r"Take (\d+) of it out", fix):
        deck["deck"] = without(deck["deck"], finding.cards[0], int(found[1]))
    elif "write `free_play: yes`" in fix:
        new["free_play"] = True
    elif found := re.search(r"Did you mean (\w+)\?", fix):
        new["character"] = found[1]
    elif found := re.match(r"Write them under `starting_attributes:` \(such as `(.+)`\)\.", fix):
        new["starting_attributes"] = yaml.safe_load(found[1])
    elif "correct `experience_spent:`" in fix:
        new["experience_spent"] = finding.count
    elif found := re.match(r"Correct `attributes: (\w+):`", fix):
        new["attributes"][found[1]] = finding.limit
    elif found := re.match(r"Choose (\d+) skill card", fix):
        attribute = finding.message.split()[0].lower()
        new.setdefault("skills", {})[attribute] = [30 + number for number in range(int(found[1]))]
    elif found := re.match(r"Remove (\d+) skill cards? from `skills: (\w+):`", fix):
        held = new["skills"][found[2]]
        new["skills"][found[2]] = held[: -int(found[1])] if isinstance(held, list) else []
    elif fix.startswith("List each skill card once"):
        *_, last = (name for name, held in new["skills"].items() if str(held) == finding.cards[0])
        new["skills"][last] = 31
    elif found := re.match(r"Turn all but one facedown \(write (.+)\)\.", fix):
        down = yaml.safe_load(found[1].strip("`"))
        for pile in ("items", "secrets"):
            new[pile] = [
                down if str(each).find(finding.cards[1].split()[-1]) > -1 else each for each in new.get(pile, [])
            ]
    elif found := re.match(r"Put (\d+) (\w+) back", fix):
        new["resources"][found[2]] -= int(found[1])
    elif found := re.match(r"Give up (\d+) of them", fix):
        new["items"] = new["items"][: -int(found[1])]
    elif fix.startswith("Give it back"):
        del new["secrets"]
    return {key: value for key, value in new.items() if value not in ([], None)}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["more"])
def test_the_fix_of_a_finding_ends_it(row):
    sheet = {key: value for key, value in yaml.safe_load(PLAIN).items() if key not in row.get("without", "")}
    mend(sheet | (yaml.safe_load(row["more"]) or {}), judged, follow)
