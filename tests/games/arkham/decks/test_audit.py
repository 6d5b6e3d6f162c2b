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
    FACTS,
    HAUNTED,
    MANDY,
    changed,
    check,
    deck,
    errors,
    found,
    named,
    notes,
)
from tests.games.arkham.decks.test_beside import NINE, SHADE, jim
from tests.games.arkham.decks.upgrade.steps import checks, cost

START = Frame(start=True)
SHRIVELLING, SHRIVELLING_5 = map(named, ("Shrivelling", "Shrivelling (5)"))
LILY, JOE, TONY, HUNTERS_ARMOR = map(named, ("Lily Chen", "Joe Diamond", "Tony Morgan", "Hunter's Armor"))


def as_json(one: Deck, **meta: Any) -> Deck:
    return json_deck({"investigator_code": one.investigator, "slots": dict(one.cards), "meta": json.dumps(meta)})


def test_a_chosen_size_may_be_written_as_a_number() -> None:
    mandy = deck(MANDY, choices={"deck_size_selected": "40", "faction_selected": "mystic"})
    assert errors(as_json(mandy, deck_size_selected=40, faction_selected="mystic")) == set()
    assert "choices-made" in errors(as_json(mandy, deck_size_selected=45, faction_selected="mystic"))


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


def test_the_spirit_deck_is_of_classes_only() -> None:
    first, *_ = NINE
    less = {code: copies for code, copies in NINE.items() if code != first and code != named("Sled Dog")}
    neutral = FACTS.card(named("Sled Dog"))
    assert neutral is not None
    assert neutral.classes == ("neutral",)
    assert "ally" in neutral.traits
    assert "extra-deck-cards" in errors(jim({**less, named("Sled Dog"): 1, SHADE: 1}))


class TestHunchDeck:
    """Joe Diamond's 11 Insight events, Unsolved Case among them."""

    EVENTS = tuple(
        code
        for code, record in sorted(FACTS._cards.items())
        if record["type"] == "event"
        and "Insight" in record.get("traits", ())
        and record.get("level") == 0
        and record["class"] == ["seeker"]
        and "duplicate_of" not in record
        and record.get("limit") == 2
    )[:6]
    UNSOLVED_CASE = named("Unsolved Case")

    def joe(self, *chosen: str) -> Deck:
        return replace(deck(JOE, dict.fromkeys(self.EVENTS, 2)), attachments={JOE: chosen})

    def test_eleven_with_unsolved_case(self) -> None:
        ten = self.EVENTS[:5] * 2
        assert "attached-cards" not in notes(self.joe(*ten, self.UNSOLVED_CASE))
        assert "it takes 11" in found(self.joe(*ten[:9], self.UNSOLVED_CASE), "attached-cards").message

    def test_without_unsolved_case(self) -> None:
        eleven = (self.EVENTS * 2)[:11]
        assert "Unsolved Case" in found(self.joe(*eleven), "attached-cards").message

    def test_only_insight_events_of_the_deck(self) -> None:
        ten = self.EVENTS[:5] * 2
        assert (
            "cannot be among"
            in found(self.joe(*ten[:9], named("Emergency Cache"), self.UNSOLVED_CASE), "attached-cards").message
        )


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


def test_printings_of_a_weakness_share_what_the_products_hold() -> None:
    both = deck(cards={HAUNTED: 1, named("Haunted (rcore)"): 1})
    assert "weaknesses-within-the-pool" not in errors(both, Frame(products=frozenset({"core", "rcore"})))
    assert "weaknesses-within-the-pool" in errors(both, Frame(products=frozenset({"core"})))
