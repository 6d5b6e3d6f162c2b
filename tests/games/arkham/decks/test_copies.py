"""Copies of a card: by title, keyword, taboo, upgrade sheet, subtitle and trait."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb.games.arkham.decks.model import Mark
from tests.games.arkham.decks.conftest import AGNES, DAISY, MANDY, ROLAND, changed, deck, errors, found, named, notes

SKIDS, WENDY, YORICK = map(named, ('"Skids" O\'Toole', "Wendy Adams", "William Yorick"))


def test_two_by_title_over_levels_and_printings() -> None:
    assert errors(deck(AGNES, {"Shrivelling": 1, "Shrivelling (3)": 1})) == set()
    assert errors(deck(AGNES, {"Shrivelling": 2, "Shrivelling (3)": 1})) == {"copies-by-title"}
    assert errors(deck(ROLAND, {"Machete": 1, "Machete (core_2026)": 1})) == set()
    assert errors(deck(ROLAND, {"Machete": 2, "Machete (core_2026)": 1})) == {"copies-by-title"}


def test_permanent_cards_too() -> None:
    assert errors(deck(ROLAND, {"Charisma": 2})) == set()
    assert errors(deck(ROLAND, {"Charisma": 3})) == {"copies-by-title"}


def test_the_smallest_limit_of_a_title_holds() -> None:
    assert errors(deck(WENDY, {"Dark Horse": 2})) == set()
    assert errors(deck(WENDY, {"Dark Horse": 1, "Dark Horse (5)": 1})) == {"copies-by-title"}
    assert (
        "the limit is 1 per deck"
        in found(
            deck(DAISY, {"Archive of Conduits (4)": 1, "Archive of Conduits: Gateway to Acheron": 1}), "copies-by-title"
        ).message
    )


def test_more_copies_where_the_card_says_so() -> None:
    assert errors(deck(ROLAND, {"Sled Dog": 4})) == set()
    assert errors(deck(ROLAND, {"Sled Dog": 5})) == {"copies-by-title"}


def test_myriad_three() -> None:
    assert errors(deck(ROLAND, {"Solemn Vow": 3})) == set()
    assert errors(deck(ROLAND, {"Solemn Vow": 4})) == {"myriad-three"}


def test_myriad_and_one_of_each_subtitle() -> None:
    assert errors(deck(AGNES, {"Empower Self": 1, "Empower Self: Alacrity": 1, "Empower Self: Acuity": 1})) == set()
    assert errors(deck(AGNES, {"Empower Self": 2})) == {"copies-by-subtitle"}
    assert errors(deck(AGNES, {"Empower Self": 2, "Empower Self: Alacrity": 1, "Empower Self: Acuity": 1})) == {
        "copies-by-subtitle",
        "myriad-three",
    }


def test_one_of_each_subtitle() -> None:
    assert errors(deck(WENDY, {"Precious Memento": 1, "Precious Memento: From a Future Life": 1})) == set()
    assert errors(deck(WENDY, {"Precious Memento": 2})) == {"copies-by-subtitle"}


def test_exceptional_once() -> None:
    assert errors(deck(SKIDS, {"Underworld Market": 1})) == set()
    assert "exceptional-once" in errors(deck(SKIDS, {"Underworld Market": 2}))
    assert errors(deck(YORICK, {"On Your Own (3) (rttfa)": 1, "On Your Own": 1})) == {"exceptional-once"}


def test_exceptional_by_a_taboo_list() -> None:
    made = deck(AGNES, {"Key of Ys": 2})
    assert errors(made) == set()
    assert errors(replace(made, taboo=1)) == {"exceptional-once"}


def test_a_taboo_list_takes_the_keyword_away_and_sets_a_limit() -> None:
    made = deck(AGNES, {"Flute of the Outer Gods": 2})
    assert errors(made) == {"exceptional-once"}
    assert errors(replace(made, taboo=5)) == {"copies-by-title"}
    assert errors(replace(deck(AGNES, {"Flute of the Outer Gods": 1}), taboo=5)) == set()


def test_an_upgrade_raises_the_limit_once_it_is_paid() -> None:
    made = deck(SKIDS, {"Honed Instinct": 3})
    assert errors(made) == {"copies-by-title"}
    assert errors(replace(made, customizations={named("Honed Instinct"): (Mark(6, 2),)})) == {"copies-by-title"}
    assert errors(replace(made, customizations={named("Honed Instinct"): (Mark(6, 3),)})) == set()


def test_single_copies_of_everything_but_weaknesses_and_signatures() -> None:
    made = deck(SKIDS, {"Underworld Support": 1, "Indebted": 2})
    assert errors(made) == set()
    assert all(copies == 1 for code, copies in made.cards.items() if code != named("Indebted"))
    assert errors(changed(made, {"Backstab": made.cards[named("Backstab")] + 1})) == {"deck-size", "single-copies"}


def test_single_copies_of_myriad_cards_as_well() -> None:
    made = deck(SKIDS, {"Underworld Support": 1, "Easy Mark": 2})
    assert "single-copies" in errors(made)


def test_signatures_do_not_count_with_cards_of_their_title() -> None:
    assert errors(deck(DAISY, {"The Necronomicon (5)": 1})) == set()  # another Necronomicon than the signature weakness


def test_one_covenant() -> None:
    assert errors(deck(ROLAND, {"Sacred Covenant": 1})) == set()
    both = deck(ROLAND, {"Sacred Covenant": 1, "Blasphemous Covenant": 1})
    assert errors(both) == {"cards-limited-by-trait"}
    assert "2 Covenant cards" in found(both, "cards-limited-by-trait").message


def test_story_cards_no_more_often_than_they_exist() -> None:
    assert errors(deck(ROLAND, {"Lita Chantler": 1})) == set()
    assert errors(deck(ROLAND, {"Lita Chantler": 2})) == {"story-card-copies"}


@pytest.mark.parametrize("investigator", [ROLAND, AGNES])
def test_uncounted_copies_only_where_allowed(investigator: str) -> None:
    made = deck(investigator, {"Shrivelling": 0, "Flashlight": 2})
    assert errors(replace(made, ignored={named("Flashlight"): 1})) == {"deck-size", "uncounted-copies"}


def test_uncounted_copies_of_a_card_that_a_campaign_gives() -> None:
    made = deck(ROLAND)
    given = replace(made, cards={**made.cards, named("Ace of Rods"): 1}, ignored={named("Ace of Rods"): 1})
    assert errors(given) == set()
    assert "uncounted-copies" in errors(
        replace(given, cards={**made.cards, named("Ace of Rods"): 2}, ignored={named("Ace of Rods"): 2})
    )


def test_uncounted_copies_need_the_upgraded_version() -> None:
    agnes = deck(AGNES, {"Shrivelling": 0}, back=named("Agnes Baker (bad)"))
    kept = replace(agnes, cards={**agnes.cards, named("Shrivelling"): 2}, ignored={named("Shrivelling"): 2})
    assert errors(kept) == set()
    assert "uncounted-copies" in notes(kept)


def test_negative_numbers_and_oddities() -> None:
    assert errors(changed(deck(), {"Random Basic Weakness": -1})) == {"numbers-make-sense"}
    assert errors(replace(deck(), oddities=("The number of copies is 'two'.",))) == {"numbers-make-sense"}
    assert errors(replace(deck(), cards={**deck().cards, named("Ace of Rods"): 0, "nothing": 0})) == set()


def test_chosen_decks_keep_their_signature_counts() -> None:
    made = deck(MANDY, choices={"deck_size_selected": "40", "faction_selected": "mystic"})
    assert errors(changed(made, {"Occult Evidence": 1})) == {"signatures-present"}


def test_story_cards_do_not_count_with_cards_of_their_title() -> None:
    assert errors(deck(DAISY, {"The Necronomicon (5)": 1, "The Necronomicon: Olaus Wormius Translation": 1})) == set()
    assert errors(deck(ROLAND, {"Body of a Yithian": 1})) == set()  # a body that a scenario gives
