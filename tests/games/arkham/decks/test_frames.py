"""Ultimatums, environments, owned products and pools."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb.games.arkham.decks.editions import EDITIONS, FAQ, GRIMOIRE
from kb.games.arkham.decks.frame import Frame, FrameError, frame_of
from kb.games.arkham.decks.products import expanded, expansions, groups, latest_expansions
from tests.games.arkham.decks.conftest import AGNES, FACTS, ROLAND, check, deck, errors, found, named, notes


def ultimatum(name: str) -> Frame:
    return Frame(ultimatums=frozenset({name}))


def test_highlander() -> None:
    singles = deck('"Skids" O\'Toole', {"Underworld Support": 1})
    assert errors(singles, ultimatum("highlander")) == set()
    assert errors(deck(), ultimatum("highlander")) == {"highlander"}
    sefina = {code: min(copies, 1) for code, copies in deck("Sefina Rousseau").cards.items()} | {
        named("The Painted World"): 3
    }
    assert "highlander" not in errors(replace(deck("Sefina Rousseau"), cards=sefina), ultimatum("highlander"))
    weak = replace(singles, cards={**singles.cards, named("Haunted"): 0, named("Amnesia"): 2})
    assert errors(weak, ultimatum("highlander")) == set()


def test_induction() -> None:
    assert errors(deck(), ultimatum("induction")) == set()
    assert errors(deck(AGNES, {"Shrivelling (3)": 1}), ultimatum("induction")) == {"induction"}


def test_orthodoxy() -> None:
    assert errors(deck(), ultimatum("orthodoxy")) == {"orthodoxy"}
    assert errors(replace(deck(), taboo=8), ultimatum("orthodoxy")) == set()


def test_chaos_cannot_be_seen() -> None:
    assert "chaos" in notes(deck(), ultimatum("chaos"))


def test_products_of_cards() -> None:
    knife = FACTS.card(named("Knife"))
    assert knife is not None
    assert "core" in groups(knife, FACTS)
    returned = FACTS.card(named("Hallowed Mirror (3)"))
    assert returned is not None
    assert groups(returned, FACTS) == {"tcu"}
    assert latest_expansions(FACTS, EDITIONS[GRIMOIRE]) == ()
    assert latest_expansions(FACTS, EDITIONS[FAQ]) == ("tsk", "fhv", "tdc")
    assert expansions(FACTS, EDITIONS[FAQ])[0] == "dwl"
    assert "tmm" in expanded(["dwlp"], FACTS)
    assert "tskp" in expanded(["cycle:tsk"], FACTS)


def test_the_current_environment() -> None:
    core = deck(ROLAND)
    current = Frame(environment="current")
    assert errors(core, current) == set()
    assert errors(deck(ROLAND, {"Hunter's Armor": 1, "Remington Model 1858": 1}), current) == set()
    assert errors(deck(ROLAND, {".32 Colt": 1}), current) == {"environment"}
    assert "Not in the current environment" in found(deck(ROLAND, {"Toe to Toe": 1}), "environment", current).message
    assert "environment" in errors(deck("Daniela Reyes"), current)


def test_parallel_investigators_are_at_discretion() -> None:
    made = deck(ROLAND, back=named("Roland Banks (btb)"))
    assert "environment" in notes(made, Frame(environment="current"))
    assert errors(made, Frame(environment="current")) == set()


def test_the_limited_environment() -> None:
    three = Frame(environment="limited", expansions=("eoe", "tsk", "ptc"))
    made = deck(ROLAND, {"Toe to Toe": 1, "Hunter's Armor": 1, ".32 Colt": 1})
    assert errors(made, three) == set()
    assert errors(made, Frame(environment="limited", expansions=("eoe", "tsk"))) == {"environment"}
    assert errors(made, Frame(environment="limited", expansions=("eoe", "tsk", "ptc", "dwl"))) == {"environment"}
    assert errors(made, Frame(environment="limited", expansions=("eoe", "tsk", "core"))) == {"environment"}


def test_any_three_expansions_will_do_when_none_are_named() -> None:
    limited = Frame(environment="limited")
    made = deck(ROLAND, {"Toe to Toe": 1, "Hunter's Armor": 1, ".32 Colt": 1})
    assert errors(made, limited) == set()
    four = deck(ROLAND, {"Toe to Toe": 1, "Hunter's Armor": 1, ".32 Colt": 1, "Remington Model 1858": 1})
    assert errors(four, limited) == {"environment"}
    assert len(found(four, "environment", limited).cards) == 1


def owned(copies: int, *packs: str) -> bool:
    """Whether so many Machetes are more than these products hold."""
    findings = check(deck(ROLAND, {"Machete": copies}), Frame(products=frozenset(packs))).findings
    return any(finding.check == "owned-products" and "Machete" in finding.message for finding in findings)


def test_owned_products() -> None:
    assert not owned(1, "core")
    assert owned(2, "core")  # the first core set holds one
    assert not owned(2, "rcore")
    assert not owned(2, "core", "core_2026")
    assert owned(1, "dwl")
    assert not owned(1, "dwl", "core")


def test_a_pool_that_the_deck_names() -> None:
    made = deck(ROLAND)
    assert errors(replace(made, pool=("cycle:core",))) == set()
    assert errors(replace(made, pool=("tskp",))) == {"named-pool"}
    assert errors(replace(deck(ROLAND, {"Laboratory Assistant": 2}), pool=("core", "dwlp"))) == set()


def test_a_sealed_pool() -> None:
    made = deck(ROLAND)
    pool = dict(made.cards)
    assert errors(replace(made, sealed=pool)) == set()
    assert errors(replace(made, sealed={**pool, named("Machete"): 1})) == {"sealed-pool"}


@pytest.mark.parametrize(
    "options",
    [
        {"environment": "modern"},
        {"owned": ["Dominion"]},
        {"expansion": ["core set"]},
        {"ultimatum": ["doom"]},
        {"boon": ["x"]},
    ],
)
def test_options_that_make_no_sense(options: dict[str, object]) -> None:
    with pytest.raises(FrameError):
        frame_of(options, FACTS)


def test_options_by_name_or_code() -> None:
    frame = frame_of(
        {
            "owned": ["core, dwl", "Revised Core Set"],
            "expansion": ["The Scarlet Keys"],
            "environment": "limited",
            "start": True,
        },
        FACTS,
    )
    assert frame.products == ("core", "dwl", "rcore")
    assert (frame.expansions, frame.start, frame.standalone) == (("tsk",), True, False)
