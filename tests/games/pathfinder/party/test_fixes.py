"""Every fix of a table's findings, followed to the letter in the table file: the finding is gone, and no new one has come."""

import copy
import re

import pytest
import yaml

from kb.decks.names import name_key, split_quantity
from tests.games.camp import mend, named

from .conftest import findings

RUNE, MASK = "game: pathfinder\nset: rotr\nadventure: 1\n", "game: pathfinder\nset: mm\nadventure: B\n"
FOUR = ("Kyra", "Lem", "Ezren", "Valeros")
CASES = [
    RUNE + "members: {Kyra: {pool: [Mace, Cuer]}}\n",
    RUNE + "members: {Kyra: {pool: [Acid Flask, Major Cure, Mace]}}\n",
    RUNE + "members: {Kyra: {pool: [Mace]}}\nrewards: [Sihedron Medallion]\nafter_scenario: 2\n",
    RUNE + "members: {Kyra: {pool: [Mace, Sihedron Medallion]}}\nafter_scenario: 2\n",
    RUNE + "after_scenario: 5\nmembers: {Kyra: {pool: [Sihedron Medallion]}, Lem: {pool: [Sihedron Medallion]}}\n",
    RUNE + "owns: [base, 1]\nmembers: {Lini: {pool: [Cure]}, Kyra: {pool: [Mace]}}\n",
    RUNE + "members: {Kyra: {pool: [3x Cure]}, Lem: {pool: [3x Cure]}}\n",
    RUNE + "owns: [base]\nmembers: {Kyra: {pool: [3x Cure]}, Lem: {pool: [Cure]}}\nrewards: [3x Cure]\n",
    RUNE + f"members: {{{', '.join(f'{name}: {{pool: []}}' for name in (*FOUR, 'Harsk', 'Seoni', 'Lini'))}}}\n",
    RUNE + f"owns: [base]\nmembers: {{{', '.join(f'{name}: {{pool: []}}' for name in (*FOUR, 'Harsk', 'Seoni'))}}}\n",
    RUNE + "members: {Kyra: {pool: [Mace], card_feats: {spell: 3}}}\n",
    RUNE + "members: {Kyra: {pool: [Mace], role: Exorcist}}\n",
    RUNE + "members: {Kyra: {pool: [Mace], role: Wrong}}\nadventure: 4\n",
    RUNE + "members: {Kyra: {pool: [Mace], skill_feats: {Wisdom: 9}}}\nadventure: 6\n",
    MASK + "members: {Estra: {pool: [Camel]}, Yoon: {pool: [Torch]}}\nremoved: [3x Torch]\n",
]


def judged(table):
    found = (each.finding for each in findings(yaml.safe_dump(table, sort_keys=False)))
    return named((each for each in found if each.check != "box-has-a-card"), "error", "warning")


def piles(table):
    """The lists of cards of a table: of the members, and beside them."""
    return [
        *(member["pool"] for member in table["members"].values()),
        *(table[key] for key in ("rewards", "removed") if key in table),
    ]


def less(table, name, number):
    for pile in reversed(piles(table)):
        for at in reversed(range(len(pile))):
            copies, called = split_quantity(pile[at])
            if name_key(called) == name_key(name) and number:
                taken = min(copies, number)
                number -= taken
                pile[at : at + 1] = [f"{copies - taken}x {called}"] if copies > taken else []


def follow(table, finding):
    new, fix = copy.deepcopy(table), finding.fix
    member = new["members"].get(finding.message.split(":")[0], {})
    if found := re.match(r"Did you mean (.+)\?", fix):
        for pile in piles(new):
            pile[:] = [found[1] if card == finding.cards[0] else card for card in pile]
    elif found := re.match(r"Take (?:(\d+|one) of them|it) out", fix):
        less(new, finding.cards[0], int((found[1] or "one").replace("one", "1")))
    elif fix.startswith("Choose another character"):
        new["owns"] = [*new["owns"], "add-on"]
    elif found := re.match(r"Write down the cards of (\d+) of the decks", fix):
        new["members"] = dict(list(new["members"].items())[: -int(found[1])])
    elif found := re.match(r"Uncheck (\d+)(?: for (\w+?)s;| card feats?)", fix):
        member["card_feats"][found[2] or "spell"] -= int(found[1])
    elif found := re.match(r"Uncheck (\d+) skill feats?", fix):
        member["skill_feats"]["Wisdom"] -= int(found[1])
    elif found := re.match(r"Check at most \+(\d+) for (\w+)\.", fix):
        member["skill_feats"][found[2]] = int(found[1])
    elif fix.startswith("Leave `role:` out"):
        del member["role"]
    elif found := re.match(r"Choose (\w+) or", fix):
        member["role"] = found[1]
    return new


@pytest.mark.parametrize("text", CASES)
def test_the_fix_of_a_finding_ends_it(text):
    mend(yaml.safe_load(text), judged, follow, known="known-cards")


def test_a_fix_for_seven_decks_names_what_the_add_on_leaves():
    (finding,) = judged(yaml.safe_load(CASES[8].replace("Lini", "Merisiel"))).values()
    assert finding.fix.endswith("or of 1 of them and add `add-on` to `owns:`.")
