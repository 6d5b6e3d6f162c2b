"""The current taboo list in the card facts agrees with our entries about it: prices, upgrade sheets and forbidden
cards.
"""

import re

import pytest
import yaml

from kb.games.arkham.schema.cards import TabooRow
from tests.conftest import ROOT
from tests.games.arkham.decks.conftest import FACTS

TABOO = ROOT / "content/arkham/taboo"
NUMBER = list(FACTS.taboos)[-1]
IN_FORCE = FACTS.taboo_rows(NUMBER)
_PRICE = re.compile(r"\*\*([+\-\u2212\u2013]\d+) experience")


def entries(*names):
    """Yield (id, cards, body) for each entry in the YAML files called `names`."""
    for name in names:
        for entry in yaml.safe_load((TABOO / f"{name}.yaml").read_text("utf-8"))["entries"]:
            yield entry["id"], entry.get("cards", []), entry["body"]


def change_of_price(code):
    """Return the experience that the taboo list adds to a card's price. For a card with an upgrade sheet, return the
    change in the total price of all boxes.
    """
    card = FACTS.card(code)
    row = IN_FORCE.get(FACTS.root(code), TabooRow(list=NUMBER, code=code))
    if card is None or not row.sheet:
        return row.experience
    return sum(box.cost for box in row.sheet) - sum(box.cost for box in card.sheet)


@pytest.mark.parametrize(
    ("entry", "codes", "body"), list(entries("chained", "unchained")), ids=lambda value: str(value)[:30]
)
def test_taboo_prices_agree_with_our_entries(entry, codes, body):
    price = _PRICE.search(body)
    assert price, f"{entry} does not state a price in experience"
    expected = int(price[1].replace("\u2212", "-").replace("\u2013", "-"))
    assert codes
    assert {code: change_of_price(code) for code in codes} == dict.fromkeys(codes, expected)


def test_every_changed_price_has_an_entry():
    told = {FACTS.root(code) for _, codes, _ in entries("chained", "unchained", "mutated") for code in codes}
    assert {root for root in IN_FORCE if change_of_price(root)} <= told


def test_forbidden_cards_agree_with_our_entries():
    told = {FACTS.root(code) for _, codes, _ in entries("forbidden") for code in codes}
    assert {root for root, row in IN_FORCE.items() if row.forbidden} == told


def test_exceptional_is_gained_and_lost_as_our_entries_say():
    told = {FACTS.root(code) for _, codes, body in entries("mutated") for code in codes if "xceptional" in body}
    assert {root for root, row in IN_FORCE.items() if row.exceptional is not None} == told


def test_the_list_adds_a_box_to_an_upgrade_that_the_data_leaves_out():
    axe = "09022"
    assert [box.cost for box in IN_FORCE[axe].sheet][3] == 2
    printed = FACTS.card(axe)
    assert printed
    assert [box.cost for box in printed.sheet][3] == 1
