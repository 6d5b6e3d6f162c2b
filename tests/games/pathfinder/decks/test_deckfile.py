"""Pathfinder deck files: the forms that kb accepts, and its messages about mistakes."""

import pytest

from kb.decks.deckfile import parse_deck
from kb.decks.games import NewDeckError
from kb.decks.nodes import DeckFileError
from kb.games.pathfinder.decks.cards_list import described_as_it_is
from kb.games.pathfinder.decks.deck import KEYS
from kb.games.pathfinder.decks.deck_check import check_deck, new_deck
from kb.games.pathfinder.decks.deckfile import read_deck
from tests.tables import rows_of

from .conftest import FACTS


def deck(text, name="deck.yaml"):
    return read_deck(parse_deck(text, name), FACTS)


def problems(text, name="deck.yaml"):
    with pytest.raises(DeckFileError) as caught:
        deck(text, name)
    return str(caught.value).split("\n")


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_the_example_of_a_key_can_be_read(key):
    keys = {"character": "Lini", "adventure": "3", "cards": "[Cure]"} | {key.name: key.example}
    assert deck("".join(f"{name}: {value}\n" for name, value in keys.items())).set == "rotr"


def test_the_rulebooks_own_way_of_listing():
    text = (
        "Character: Lem\nWeapon: Sling\nSpell: Cure, Levitate, Sanctuary, Strength\nItem: Codex, Thieves’ Tools\n"
        "Ally: Burglar, Sage, Troubadour\nBlessing: Blessing of the Gods (5)\n"
    )
    assert check_deck(deck(text), FACTS, "deck").findings == ()


@pytest.mark.parametrize(
    "cards",
    [
        "[2x Cure, Dagger]",
        "{Cure: 2, Dagger: 1}",
        "{spell: [Cure, Cure], weapons: [Dagger]}",
        "[{Cure: 2}, Dagger]",
        "[{name: Cure, count: 2}, {name: dagger}]",
        "[{name: 2x Cure}, {name: dagger}]",
        "\n  - Cure (2)\n  - Dagger",
        "2x Cure, Dagger",
    ],
)
def test_cards_can_be_written_in_many_ways(cards):
    read = deck(f"character: Lini\ncards: {cards}\n")
    assert sorted(card.name for card in read.cards) == ["Cure", "Cure", "Dagger"]


def test_a_card_under_a_wrong_type_counts_as_its_real_type():
    for written in ("Weapons: [Dagger, 2x Cure]", "cards: {weapons: [Dagger, 2x Cure]}"):
        read = deck(f"game: pathfinder\nset: rotr\ncharacter: Kyra\n{written}\n")
        assert [card.type for card in read.cards] == ["weapon", "spell", "spell"]
        (told,) = [each for each in check_deck(read, FACTS, "deck").findings if each.by(described_as_it_is)]
        assert (told.severity, told.cards) == ("warning", ("Cure",))
        (move,) = told.remedies
        assert (move.cards, move.from_.casefold(), move.to) == (("Cure",), "weapons", "spells")


def test_the_set_is_detected_if_possible():
    assert deck("character: Yoon\ncards: [Torch]").set == "mm"
    assert deck("character: Ezren\ncards: [Codex, Sleep]").set == "rotr"
    assert deck("character: Mummy’s Mask Ezren\ncards: [Torch]").set == "mm"
    assert deck("character: Ezren (mm)\ncards: [Torch]").set == "mm"
    assert deck("character: ezren\nset: Mummys Mask\ncards: [Torch]").set == "mm"
    assert problems("character: Ezren\ncards: [Crowbar, Cure]") == [
        "deck.yaml:1: Ezren is in several sets. Write `set: mm or rotr`."
    ]


def test_a_deck_without_a_stage_is_new_unless_its_keys_show_play():
    fresh = deck("character: Lini\ncards: [Cure]")
    assert (fresh.stage, fresh.adventure, fresh.from_box, fresh.had, fresh.owns) == ("new", "B", None, None, None)
    assert deck("character: Lini\nadventure: 2\nfrom_box: [Cure]\ncards: [Cure]").stage == "rebuilt"
    assert "Which adventure is being played?" in problems("character: Lini\nstage: rebuilt\ncards: [Cure]")[0]
    assert (
        deck("character: Lini\nstage: rebuilt\nadventure: the hook mountain massacre\ncards: [Cure]").adventure == "3"
    )


@rows_of("games-pathfinder-deckfile", "test_mistakes_are_named_with_their_line")
def test_mistakes_are_named_with_their_line(line, said):
    found = problems(f"character: Lini\n{line}\nset: rotr\ncards: [Cure]\n")
    assert any(item.startswith(f"deck.yaml:{said}") for item in found), found


def test_a_described_card_takes_any_spelling_of_its_type_and_deck():
    (wolf,) = deck("character: Lini\ncards: [{name: Wolf, type: Allies, deck: b}]").cards
    assert (wolf.type, wolf.deck) == ("ally", "B")
    cohort = "character: Lini\ncards: [Cure, {name: Badger, type: Cohort, deck: c}]"
    assert deck(cohort).cohorts == ("Badger",)


def test_characters_that_do_not_exist():
    assert problems("character: Lyni\ncards: [Cure]") == [
        "deck.yaml:1: There is no character 'Lyni'. Did you mean Lini?"
    ]
    assert "of Mummy's Mask" in problems("character: Lini\nset: mm\ncards: [Cure]")[0]
    assert "There is no character" in problems("cards: [Cure]")[0]
    assert "Unknown set 'sns'" in problems("character: Lini\nset: sns\ncards: [Cure]")[0]
    assert "has no cards" in problems("character: Lini")[0]


@pytest.mark.parametrize("name", ["lini.txt", "lini.yaml", "lini.yml", "lini", "-"])
@pytest.mark.parametrize("dash", ["", "- "])
def test_a_plain_list_is_read_whatever_the_file_is_called_and_with_dashes(name, dash):
    text = f"character: Lini\nadventure: 1\n{dash}2x Cure\n{dash}Dagger\n"
    assert [card.name for card in deck(text, name).cards] == ["Cure", "Cure", "Dagger"]


def test_the_name_of_the_decks_own_set_means_all_its_products():
    assert deck("character: Lini\nowns: [rotr]\ncards: [Cure]").owns == {"B", "C", "1", "2", "3", "4", "5", "6", "rotr"}
    assert deck("character: Lini\nowns: [base, mm]\ncards: [Cure]").owns == {"B", "1", "mm"}


def test_a_character_of_another_set_is_suggested():
    with pytest.raises(
        NewDeckError, match=r"There is no Lini in Mummy's Mask; Rise of the Runelords has one\. Write `set`: rotr"
    ):
        new_deck("Lini", "mm", FACTS)
