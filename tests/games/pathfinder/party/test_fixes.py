"""Applies every remedy of a finding to the party file: the finding disappears, and no new finding appears."""

import copy
from collections import Counter

import pytest
import yaml

from kb.decks.names import name_key, split_quantity
from kb.decks.remedies import Boxes, Clear, Exchange, ListUnder, Remove, Set, Unlist
from kb.games.pathfinder.decks.players import decks_at_once
from kb.games.pathfinder.party.table_check import BOX_HAS_A_CARD, KNOWN_CARDS
from tests.games.camp import mend, named

from ..remedies import can_be_applied, change_boxes
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
    RUNE + "members: {Kyra: {pool: [2x Guard, Sage], keep: [2x Guard, Sage]}}\n",
    MASK + "members: {Estra: {pool: [Camel]}, Yoon: {pool: [Torch]}}\nremoved: [3x Torch]\n",
]


def judged(table):
    found = (each.finding for each in findings(yaml.safe_dump(table, sort_keys=False)))
    return named((each for each in found if not each.by(BOX_HAS_A_CARD)), "error", "warning")


def piles(table, who):
    """Return the lists of cards in which a remedy for `who` may change something: the cards of that member, the
    rewards, or all lists if `who` is empty.
    """
    pools = {name: member["pool"] for name, member in table["members"].items()}
    others = {key: table[key] for key in ("rewards", "removed") if key in table}
    return [pile for holder, pile in {**pools, **others}.items() if who in ("", holder)]


def less(table, name, who):
    """Remove one copy of the card `name` from the last list of `piles` that contains it."""
    for pile in reversed(piles(table, who)):
        for at in reversed(range(len(pile))):
            copies, called = split_quantity(pile[at])
            if name_key(called) == name_key(name):
                pile[at : at + 1] = [f"{copies - 1}x {called}"] if copies > 1 else []
                return


def follow(table, finding):
    """Return a copy of the party file after the first remedy of `finding` that a program can apply."""
    new = copy.deepcopy(table)
    member = new["members"].get(finding.who, {})
    if finding.by(KNOWN_CARDS):
        for pile in piles(new, ""):
            pile[:] = ["Cure" if card == finding.cards[0] else card for card in pile]
        return new
    remedy = next(each for each in finding.remedies if can_be_applied(each))
    match remedy:
        case Remove(copies=copies, of=of, who=who):
            for name in of[:copies]:
                less(new, name, who)
        case Exchange(copies=copies, out=out, who=who):
            for _ in range(copies):
                less(new, out[0], who)
        case ListUnder(key="owns", cards=cards):
            new["owns"] = [*new["owns"], *cards]
        case Unlist(key="members", cards=cards):
            new["members"] = {name: each for name, each in new["members"].items() if name not in cards}
        case Unlist(key="keep", cards=cards):
            kept = [name for each in member["keep"] for copies, name in [split_quantity(each)] for _ in range(copies)]
            member["keep"] = list((Counter(kept) - Counter(cards)).elements())
        case Boxes(key=key, number=number):
            change_boxes(member, *key.partition(".")[::2], number, "")
        case Clear(clears=clears):
            for key in clears:
                member.pop(key, None)
        case Set(key=key, value=value, choices=choices):
            member[key] = value or choices[0]
        case _:
            raise AssertionError(f"this remedy cannot change a party file: {remedy}")
    return new


@pytest.mark.parametrize("text", CASES)
def test_the_remedy_of_a_finding_ends_it(text):
    mend(yaml.safe_load(text), judged, follow, known="known-cards")


def test_the_remedy_for_seven_decks_removes_three_members():
    (finding,) = judged(yaml.safe_load(CASES[8].replace("Lini", "Merisiel"))).values()
    assert (finding.check, finding.count, finding.limit) == (decks_at_once, 7, 4)
    assert finding.remedies == (Unlist("members", ("Harsk", "Seoni", "Merisiel")),)
