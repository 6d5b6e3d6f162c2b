"""Signature cards, sets that stand in their place, and what fronts and backs tell to add."""

from __future__ import annotations

from dataclasses import replace

from tests.games.arkham.decks.conftest import DAISY, LOLA, ROLAND, THREE, by_code, changed, deck, errors, found, named

ORIGINAL, REPLACEMENT, ADVANCED = (
    by_code({"Roland's .38 Special": 1, "Cover Up": 1}),
    by_code({"Mysteries Remain": 1, "The Dirge of Reason": 1}),
    by_code({"Roland's .38 Special (btb)": 1, "Cover Up (btb)": 1}),
)
NONE = by_code({"Roland's .38 Special": 0, "Cover Up": 0})


def roland(*sets: dict[str, int]) -> dict[str, int]:
    wanted: dict[str, int] = dict(NONE)
    for each in sets:
        wanted |= each
    return wanted


def test_exactly_as_many_as_listed() -> None:
    assert errors(deck(ROLAND)) == set()
    assert errors(deck(ROLAND, {"Roland's .38 Special": 0})) == {"signatures-present"}
    assert errors(deck(ROLAND, {"Roland's .38 Special": 2})) == {"signatures-no-more-than-listed"}
    assert errors(deck(ROLAND, {"Cover Up": 2})) == {"signatures-no-more-than-listed"}
    assert errors(deck("Sefina Rousseau", {"The Painted World": 2})) == {"signatures-present"}
    assert errors(deck("Sefina Rousseau", {"The Painted World": 4})) == {"signatures-no-more-than-listed"}


def test_reprints_are_the_same_signature() -> None:
    assert errors(deck("Wendy Adams", {"Wendy's Amulet": 0, "Wendy's Amulet (rcore)": 1})) == set()
    assert errors(deck("Wendy Adams", {"Wendy's Amulet": 1, "Wendy's Amulet (rcore)": 1})) == {
        "signatures-no-more-than-listed"
    }


def test_a_promotional_printing_of_marie_has_the_same_signatures() -> None:
    assert errors(deck("Marie Lambeau", {"Mystifying Song": 0, "Mystifying Song (promo)": 1})) == set()
    assert errors(deck("Marie Lambeau (promo)", {"Mystifying Song": 0})) == {"signatures-present"}


def test_sets_instead_of_or_besides_the_original() -> None:
    assert errors(deck(ROLAND, roland(REPLACEMENT))) == set()
    assert errors(deck(ROLAND, roland(ADVANCED))) == set()
    assert errors(deck(ROLAND, roland(ORIGINAL, REPLACEMENT))) == set()
    assert errors(deck(ROLAND, roland(REPLACEMENT, ADVANCED))) == set()


def test_an_advanced_set_replaces_the_original_one() -> None:
    assert errors(deck(ROLAND, roland(ORIGINAL, ADVANCED))) == {"signature-sets-whole"}
    assert errors(deck(ROLAND, roland(ORIGINAL, REPLACEMENT, ADVANCED))) == {"signature-sets-whole"}


def test_sets_are_not_mixed() -> None:
    assert errors(deck(ROLAND, roland(by_code({"Mysteries Remain": 1, "Cover Up (btb)": 1})))) == {"signatures-present"}
    assert errors(deck(ROLAND, roland(by_code({"Mysteries Remain": 1, "Cover Up": 1})))) == {"signatures-present"}
    assert errors(deck(ROLAND, roland(ORIGINAL, {named("Mysteries Remain"): 1}))) == {"signature-sets-whole"}
    assert (
        "The Dirge of Reason"
        in found(deck(ROLAND, roland(ORIGINAL, {named("Mysteries Remain"): 1})), "signature-sets-whole").message
    )


def test_nothing_at_all() -> None:
    assert "Cover Up" in found(deck(ROLAND, NONE), "signatures-present").message


def test_a_set_with_other_numbers_of_cards() -> None:
    classes = {code: copies for code, copies in THREE.items() if code != named("Backstab")} | by_code({"Elusive": 1})
    leading = dict.fromkeys(
        tuple(
            map(
                named,
                (
                    "Leading Lady (Heroine)",
                    "Leading Lady (Mentor)",
                    "Leading Lady (Femme Fatale)",
                    "Leading Lady (Enchantress)",
                    "Leading Lady (Final Girl)",
                    "Samuel Blake",
                ),
            )
        ),
        1,
    )
    assert errors(deck(LOLA, classes)) == set()
    assert errors(deck(LOLA, {**classes, "Improvisation": 0, "Crisis of Identity": 0, **leading})) == set()
    assert errors(
        deck(LOLA, {**classes, "Improvisation": 0, "Crisis of Identity": 0, **leading, "Leading Lady (Final Girl)": 0})
    ) == {"signatures-present"}


def test_silas_replaces_two_cards_by_one() -> None:
    gone = by_code({"Sea Change Harpoon": 0, "Silas's Net": 0, "Siren Call": 0})
    assert errors(deck("Silas Marsh", {**gone, "Nautical Prowess": 1, "Dreams of the Deep": 1})) == set()
    assert errors(deck("Silas Marsh", {**gone, "Siren Call": 1, "Nautical Prowess": 1, "Dreams of the Deep": 1})) == {
        "signature-sets-whole"
    }


def test_what_the_front_tells_to_add() -> None:
    assert errors(deck("Wendy Adams", front=named("Wendy Adams (rtr)"))) == {"cards-of-the-sides"}
    assert errors(deck("Wendy Adams", {"Tidal Memento": 1}, front=named("Wendy Adams (rtr)"))) == set()
    assert errors(deck("Wendy Adams", {"Tidal Memento": 2}, front=named("Wendy Adams (rtr)"))) == {"cards-of-the-sides"}
    assert errors(
        deck(
            "Wendy Adams", {"Tidal Memento": 1}, back=named("Wendy Adams (rtr)"), choices={"option_selected": "blessed"}
        )
    ) == {"signatures-no-more-than-listed"}


def test_three_different_directives() -> None:
    three = by_code({"Directive": 1, "Directive: Red Tape": 1, "Directive: Consult Experts": 1})
    assert errors(deck(ROLAND, three, front=named("Roland Banks (btb)"))) == set()
    assert errors(deck(ROLAND, {"Directive": 1, "Directive: Red Tape": 1}, front=named("Roland Banks (btb)"))) == {
        "cards-of-the-sides"
    }
    assert errors(deck(ROLAND, {**three, "Directive: Seek the Truth": 1}, front=named("Roland Banks (btb)"))) == {
        "cards-of-the-sides"
    }
    assert errors(deck(ROLAND, {"Directive": 2, "Directive: Red Tape": 1}, front=named("Roland Banks (btb)"))) == {
        "cards-of-the-sides"
    }
    assert errors(deck(ROLAND, three)) == {"signatures-no-more-than-listed"}


def test_one_burden_for_each_discipline() -> None:
    lily = named("Lily Chen")
    assert errors(deck(lily, {"Discipline": 1, "Burden of Destiny": 1})) == set()
    assert (
        errors(deck(lily, {"Discipline": 1, "Discipline: Quiescence of Thought": 1, "Burden of Destiny": 2})) == set()
    )
    assert errors(deck(lily, {"Discipline": 1, "Discipline: Quiescence of Thought": 1, "Burden of Destiny": 1})) == {
        "signatures-present"
    }
    assert errors(deck(lily, {"Discipline": 1, "Burden of Destiny": 2})) == {"signatures-no-more-than-listed"}
    assert "cards-of-the-sides" in errors(deck(lily, {"Burden of Destiny": 0}))
    assert "cards-of-the-sides" in errors(deck(lily, {"Discipline": 2, "Burden of Destiny": 2}))


def test_between_one_and_four_copies() -> None:
    assert errors(deck("Vincent Lee", {"On the Mend": 1})) == set()
    assert errors(deck("Vincent Lee", {"On the Mend": 4})) == set()
    assert errors(deck("Vincent Lee", {"On the Mend": 0})) == {"signatures-present"}
    assert errors(deck("Vincent Lee", {"On the Mend": 5})) == {"signatures-no-more-than-listed"}


def test_the_beyond_belongs_to_one_back() -> None:
    assert "signatures-no-more-than-listed" in errors(deck("Jim Culver: The Musician", {"The Beyond": 1}))
    assert "signatures-no-more-than-listed" in errors(deck("Jim Culver: The Musician", {"Vengeful Shade": 1}))


def test_the_requirements_are_those_of_the_back() -> None:
    made = deck(DAISY)
    assert errors(replace(made, front=named("Daisy Walker (rod)"))) == set()
    assert (
        errors(
            changed(
                made,
                {
                    "Daisy's Tote Bag": 0,
                    "Daisy's Tote Bag (rod)": 1,
                    "The Necronomicon": 0,
                    "The Necronomicon (rod)": 1,
                },
            )
        )
        == set()
    )
