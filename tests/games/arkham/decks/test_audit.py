"""What an independent reading of the rules found wrong once: each case with a deck of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from kb.games.arkham.decks.frame import Frame
from kb.games.arkham.decks.json_deck import json_deck
from kb.games.arkham.decks.model import Deck
from tests.games.arkham.decks.conftest import (
    AGNES,
    changed,
    check,
    deck,
    errors,
    named,
)
from tests.games.arkham.decks.upgrade.steps import checks, cost

START = Frame(start=True)
SHRIVELLING, SHRIVELLING_5 = map(named, ("Shrivelling", "Shrivelling (5)"))
LILY, JOE, TONY, HUNTERS_ARMOR = map(named, ("Lily Chen", "Joe Diamond", "Tony Morgan", "Hunter's Armor"))


def as_json(one: Deck, **meta: Any) -> Deck:
    return json_deck({"investigator_code": one.investigator, "slots": dict(one.cards), "meta": json.dumps(meta)})


def test_an_upgrade_sheet_that_is_no_text_is_reported() -> None:
    assert errors(as_json(deck(cards={HUNTERS_ARMOR: 1}), cus_09021=7)) == {"numbers-make-sense"}


class TestUncounted:
    """Parallel Agnes keeps the lower version of a spell that she upgraded."""

    def test_only_what_has_a_higher_version(self) -> None:
        agnes = deck(AGNES, {SHRIVELLING: 2, SHRIVELLING_5: 0}, back=named("Agnes Baker (bad)"))
        kept = replace(changed(agnes, {"Shrivelling (5)": 2}), ignored={SHRIVELLING: 2})
        assert "uncounted-copies" not in errors(kept)
        assert "uncounted-copies" in errors(replace(kept, ignored={SHRIVELLING_5: 2}))

    def test_in_a_step_a_copy_stops_counting_only_for_an_upgrade(self) -> None:
        old = deck(AGNES, {SHRIVELLING: 1, "Ward of Protection": 0}, back=named("Agnes Baker (bad)"))
        upgraded = replace(changed(old, {"Shrivelling (5)": 1}), ignored={SHRIVELLING: 1})
        assert "lower-versions-kept" not in checks(old, upgraded)
        assert cost(old, upgraded) == 5
        only_marked = replace(changed(old, {"Ward of Protection": 1}), ignored={SHRIVELLING: 1})
        assert "lower-versions-kept" in checks(old, only_marked)

    def test_one_upgrade_keeps_one_copy(self) -> None:
        old = deck(AGNES, {SHRIVELLING: 2}, back=named("Agnes Baker (bad)"))
        new = replace(changed(old, {"Shrivelling (5)": 1}), ignored={SHRIVELLING: 2})
        assert "lower-versions-kept" in checks(old, new)


@pytest.mark.parametrize(("disciplines", "wrong"), [(1, False), (2, True)])
def test_lily_begins_with_one_discipline(disciplines: int, wrong: bool) -> None:
    chosen = dict.fromkeys(list(map(named, ["Discipline", "Discipline: Quiescence of Thought"]))[:disciplines], 1)
    lily = deck(LILY, {**chosen, "Burden of Destiny": disciplines})
    assert errors(lily) == set()
    assert ("cards-of-the-sides" in errors(lily, START)) is wrong
    assert check(lily, START).legal is not wrong


class TestHomunculus:
    """The Great Work: whoever is usurped by the homunculus has a random basic weakness for each signature card."""

    def agnes(self, cards: Mapping[str, int] | None = None) -> Deck:
        begun = deck(AGNES, {"The Great Work": 1, "Amnesia": 2})
        return replace(
            changed(begun, {"Heirloom of Hyperborea": 0, "Dark Memory": 0, **(cards or {})}),
            transformed=named("Lost Homunculus"),
        )

    def test_weaknesses_in_place_of_signatures(self) -> None:
        assert errors(self.agnes()) == set()
        assert errors(self.agnes({named("Amnesia"): 1})) == {"random-basic-weaknesses"}
        assert errors(replace(self.agnes(), transformed="")) == {"signatures-present"}

    def test_no_signature_stays(self) -> None:
        assert errors(self.agnes({named("Heirloom of Hyperborea"): 1})) == {"signatures-given-up"}

    def test_the_step_to_it_removes_them(self) -> None:
        old = deck(AGNES, {"The Great Work": 1})
        assert "signatures-stay" not in checks(old, changed(self.agnes(), {"Amnesia": 2}))
