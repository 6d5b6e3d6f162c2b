"""Copies of a card: by title, keyword, taboo, upgrade sheet, subtitle and trait."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb.games.arkham.decks.model import Mark
from tests.games.arkham.decks.conftest import AGNES, DAISY, MANDY, ROLAND, changed, deck, errors, found, notes

SKIDS, WENDY, YORICK = "01003", "01005", "03005"


def test_two_by_title_over_levels_and_printings() -> None:
    assert errors(deck(AGNES, {"01060": 1, "02154": 1})) == set()
    assert errors(deck(AGNES, {"01060": 2, "02154": 1})) == {"copies-by-title"}
    assert errors(deck(ROLAND, {"01020": 1, "12020": 1})) == set()
    assert errors(deck(ROLAND, {"01020": 2, "12020": 1})) == {"copies-by-title"}


def test_permanent_cards_too() -> None:
    assert errors(deck(ROLAND, {"02158": 2})) == set()
    assert errors(deck(ROLAND, {"02158": 3})) == {"copies-by-title"}


def test_the_smallest_limit_of_a_title_holds() -> None:
    assert errors(deck(WENDY, {"02234": 2})) == set()
    assert errors(deck(WENDY, {"02234": 1, "10127": 1})) == {"copies-by-title"}
    assert "the limit is 1 per deck" in found(deck(DAISY, {"08041": 1, "08042": 1}), "copies-by-title").message


def test_more_copies_where_the_card_says_so() -> None:
    assert errors(deck(ROLAND, {"08127": 4})) == set()
    assert errors(deck(ROLAND, {"08127": 5})) == {"copies-by-title"}


def test_myriad_three() -> None:
    assert errors(deck(ROLAND, {"06020": 3})) == set()
    assert errors(deck(ROLAND, {"06020": 4})) == {"myriad-three"}


def test_myriad_and_one_of_each_subtitle() -> None:
    assert errors(deck(AGNES, {"06241": 1, "06242": 1, "06243": 1})) == set()
    assert errors(deck(AGNES, {"06241": 2})) == {"copies-by-subtitle"}
    assert errors(deck(AGNES, {"06241": 2, "06242": 1, "06243": 1})) == {"copies-by-subtitle", "myriad-three"}


def test_one_of_each_subtitle() -> None:
    assert errors(deck(WENDY, {"08114": 1, "08115": 1})) == set()
    assert errors(deck(WENDY, {"08114": 2})) == {"copies-by-subtitle"}


def test_exceptional_once() -> None:
    assert errors(deck(SKIDS, {"09077": 1})) == set()
    assert "exceptional-once" in errors(deck(SKIDS, {"09077": 2}))
    assert errors(deck(YORICK, {"53010": 1, "04236": 1})) == {"exceptional-once"}


def test_exceptional_by_a_taboo_list() -> None:
    made = deck(AGNES, {"03315": 2})
    assert errors(made) == set()
    assert errors(replace(made, taboo=1)) == {"exceptional-once"}


def test_a_taboo_list_takes_the_keyword_away_and_sets_a_limit() -> None:
    made = deck(AGNES, {"07268": 2})
    assert errors(made) == {"exceptional-once"}
    assert errors(replace(made, taboo=5)) == {"copies-by-title"}
    assert errors(replace(deck(AGNES, {"07268": 1}), taboo=5)) == set()


def test_an_upgrade_raises_the_limit_once_it_is_paid() -> None:
    made = deck(SKIDS, {"09061": 3})
    assert errors(made) == {"copies-by-title"}
    assert errors(replace(made, customizations={"09061": (Mark(6, 2),)})) == {"copies-by-title"}
    assert errors(replace(made, customizations={"09061": (Mark(6, 3),)})) == set()


def test_single_copies_of_everything_but_weaknesses_and_signatures() -> None:
    made = deck(SKIDS, {"08046": 1, "02037": 2})
    assert errors(made) == set()
    assert all(copies == 1 for code, copies in made.cards.items() if code != "02037")
    assert errors(changed(made, c01051=made.cards["01051"] + 1)) == {"deck-size", "single-copies"}


def test_single_copies_of_myriad_cards_as_well() -> None:
    made = deck(SKIDS, {"08046": 1, "06026": 2})
    assert "single-copies" in errors(made)


def test_signatures_do_not_count_with_cards_of_their_title() -> None:
    assert errors(deck(DAISY, {"60233": 1})) == set()  # another Necronomicon than the signature weakness


def test_one_covenant() -> None:
    assert errors(deck(ROLAND, {"07110": 1})) == set()
    both = deck(ROLAND, {"07110": 1, "07113": 1})
    assert errors(both) == {"cards-limited-by-trait"}
    assert "2 Covenant cards" in found(both, "cards-limited-by-trait").message


def test_story_cards_no_more_often_than_they_exist() -> None:
    assert errors(deck(ROLAND, {"01117": 1})) == set()
    assert errors(deck(ROLAND, {"01117": 2})) == {"story-card-copies"}


@pytest.mark.parametrize("investigator", [ROLAND, AGNES])
def test_uncounted_copies_only_where_allowed(investigator: str) -> None:
    made = deck(investigator, {"01060": 0, "01087": 2})
    assert errors(replace(made, ignored={"01087": 1})) == {"deck-size", "uncounted-copies"}


def test_uncounted_copies_of_a_card_that_a_campaign_gives() -> None:
    made = deck(ROLAND)
    given = replace(made, cards={**made.cards, "05040": 1}, ignored={"05040": 1})
    assert errors(given) == set()
    assert "uncounted-copies" in errors(replace(given, cards={**made.cards, "05040": 2}, ignored={"05040": 2}))


def test_uncounted_copies_need_the_upgraded_version() -> None:
    agnes = deck(AGNES, {"01060": 0}, back="90017")
    kept = replace(agnes, cards={**agnes.cards, "01060": 2}, ignored={"01060": 2})
    assert errors(kept) == set()
    assert "uncounted-copies" in notes(kept)


def test_negative_numbers_and_oddities() -> None:
    assert errors(changed(deck(), c01000=-1)) == {"numbers-make-sense"}
    assert errors(replace(deck(), oddities=("The number of copies is 'two'.",))) == {"numbers-make-sense"}
    assert errors(replace(deck(), cards={**deck().cards, "05040": 0, "nothing": 0})) == set()


def test_chosen_decks_keep_their_signature_counts() -> None:
    made = deck(MANDY, choices={"deck_size_selected": "40", "faction_selected": "mystic"})
    assert errors(changed(made, c06008=1)) == {"signatures-present"}


def test_story_cards_do_not_count_with_cards_of_their_title() -> None:
    assert errors(deck(DAISY, {"60233": 1, "02140": 1})) == set()
    assert errors(deck(ROLAND, {"04244": 1})) == set()  # a body that a scenario gives
