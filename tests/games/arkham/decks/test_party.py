"""The decks of one table together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kb.games.arkham.decks.model import Deck
from kb.games.arkham.party import check_party
from tests.games.arkham.decks.conftest import AGNES, DAISY, FACTS, HAUNTED, ROLAND, by_code, deck, named


def checks(*decks: Deck, **given: Any) -> set[str]:
    files = [str(number) for number in range(len(decks))]
    return {finding.check for finding in check_party(decks, files, FACTS, **given) if finding.severity == "error"}


def bare(investigator: str, cards: Mapping[str, int] | None = None) -> Deck:
    return Deck(investigator, by_code(cards or {}))


def test_different_investigators_go_together() -> None:
    assert not checks(deck(ROLAND), deck(DAISY, {HAUNTED: 0}))


def test_one_of_each_by_name_whatever_the_version() -> None:
    assert checks(bare(ROLAND), bare(ROLAND)) == {"one-of-each-investigator"}
    assert checks(bare(ROLAND), bare(named("Roland Banks (btb)"))) == {"one-of-each-investigator"}


def test_the_newest_edition_at_the_table_is_cited() -> None:
    for rules, cited in (
        ("faq", "arkham/setup/choose-investigators"),
        ("grimoire", "arkham/grimoire/setup/choose-investigators"),
    ):
        (finding,) = check_party(
            [replace(bare(ROLAND), rules=rules), replace(bare(ROLAND), rules="faq")], ["a", "b"], FACTS
        )
        assert finding.cites == (cited,)


def test_four_at_most() -> None:
    four = [
        bare(code) for code in tuple(map(named, ("Roland Banks", "Daisy Walker", '"Skids" O\'Toole', "Agnes Baker")))
    ]
    assert not checks(*four)
    assert checks(*four, bare(named("Wendy Adams"))) == {"no-more-than-four"}


def test_killed_and_insane_investigators_are_out() -> None:
    assert checks(bare(ROLAND), bare(AGNES), out=["Agnes Baker"]) == {"nobody-out-of-the-campaign"}
    assert not checks(bare(ROLAND), out=["Agnes Baker"])


def test_copies_over_the_collection() -> None:
    one, two = bare(ROLAND, {"Vicious Blow": 1}), bare(AGNES, {"Extra Ammunition": 1})
    assert not checks(one, two, owned={"core": 1})
    more = bare(AGNES, {"Vicious Blow": 1})
    assert checks(one, more, owned={"core": 1}) == {"copies-in-the-collection"}
    assert not checks(one, more, owned={"core": 2})
    assert not checks(one, more)


def test_reprints_are_the_same_card() -> None:
    assert checks(bare(ROLAND, {"Vicious Blow": 1}), bare(AGNES, {"Vicious Blow (rcore)": 1}), owned={"core": 1}) == {
        "copies-in-the-collection"
    }


def test_one_weakness_pool() -> None:
    one, two = bare(ROLAND, {"Haunted": 1}), bare(AGNES, {"Haunted": 1})
    assert checks(one, two, owned={"core": 2}) == {"one-weakness-pool"}
    assert not checks(one, bare(AGNES, {"Paranoia": 1}), owned={"core": 1})
    (finding,) = check_party([one, two], ["a", "b"], FACTS)
    assert finding.severity == "warning"
