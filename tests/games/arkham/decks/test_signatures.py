"""Signature cards, sets that stand in their place, and what fronts and backs tell to add."""

from __future__ import annotations

from dataclasses import replace

from tests.games.arkham.decks.conftest import DAISY, LOLA, ROLAND, changed, deck, errors, found

ORIGINAL, REPLACEMENT, ADVANCED = {"01006": 1, "01007": 1}, {"98005": 1, "98006": 1}, {"90030": 1, "90031": 1}
NONE = {"01006": 0, "01007": 0}


def roland(*sets: dict[str, int]) -> dict[str, int]:
    wanted: dict[str, int] = dict(NONE)
    for each in sets:
        wanted |= each
    return wanted


def test_exactly_as_many_as_listed() -> None:
    assert errors(deck(ROLAND)) == set()
    assert errors(deck(ROLAND, {"01006": 0})) == {"signatures-present"}
    assert errors(deck(ROLAND, {"01006": 2})) == {"signatures-no-more-than-listed"}
    assert errors(deck(ROLAND, {"01007": 2})) == {"signatures-no-more-than-listed"}
    assert errors(deck("03003", {"03012": 2})) == {"signatures-present"}
    assert errors(deck("03003", {"03012": 4})) == {"signatures-no-more-than-listed"}


def test_reprints_are_the_same_signature() -> None:
    assert errors(deck("01005", {"01014": 0, "01514": 1})) == set()
    assert errors(deck("01005", {"01014": 1, "01514": 1})) == {"signatures-no-more-than-listed"}


def test_a_promotional_printing_of_marie_has_the_same_signatures() -> None:
    assert errors(deck("05006", {"05018": 0, "99002": 1})) == set()
    assert errors(deck("99001", {"05018": 0})) == {"signatures-present"}


def test_sets_instead_of_or_besides_the_original() -> None:
    assert errors(deck(ROLAND, roland(REPLACEMENT))) == set()
    assert errors(deck(ROLAND, roland(ADVANCED))) == set()
    assert errors(deck(ROLAND, roland(ORIGINAL, REPLACEMENT))) == set()
    assert errors(deck(ROLAND, roland(REPLACEMENT, ADVANCED))) == set()


def test_an_advanced_set_replaces_the_original_one() -> None:
    assert errors(deck(ROLAND, roland(ORIGINAL, ADVANCED))) == {"signature-sets-whole"}
    assert errors(deck(ROLAND, roland(ORIGINAL, REPLACEMENT, ADVANCED))) == {"signature-sets-whole"}


def test_sets_are_not_mixed() -> None:
    assert errors(deck(ROLAND, roland({"98005": 1, "90031": 1}))) == {"signatures-present"}
    assert errors(deck(ROLAND, roland({"98005": 1, "01007": 1}))) == {"signatures-present"}
    assert errors(deck(ROLAND, roland(ORIGINAL, {"98005": 1}))) == {"signature-sets-whole"}
    assert "The Dirge of Reason" in found(deck(ROLAND, roland(ORIGINAL, {"98005": 1})), "signature-sets-whole").message


def test_nothing_at_all() -> None:
    assert "Cover Up" in found(deck(ROLAND, NONE), "signatures-present").message


def test_a_set_with_other_numbers_of_cards() -> None:
    classes = {"01020": 2, "01016": 2, "01017": 2, "01018": 1, "01030": 2, "01031": 2, "01037": 2, "01039": 1,
               "01044": 2, "01045": 2, "01047": 2, "01050": 1}  # fmt: skip
    leading = dict.fromkeys(("90088", "90089", "90090", "90091", "90092", "90093"), 1)
    assert errors(deck(LOLA, classes)) == set()
    assert errors(deck(LOLA, {**classes, "03018": 0, "03019": 0, **leading})) == set()
    assert errors(deck(LOLA, {**classes, "03018": 0, "03019": 0, **leading, "90092": 0})) == {"signatures-present"}


def test_silas_replaces_two_cards_by_one() -> None:
    gone = {"07014": 0, "07015": 0, "07016": 0}
    assert errors(deck("07005", {**gone, "98014": 1, "98015": 1})) == set()
    assert errors(deck("07005", {**gone, "07016": 1, "98014": 1, "98015": 1})) == {"signature-sets-whole"}


def test_what_the_front_tells_to_add() -> None:
    assert errors(deck("01005", front="90037")) == {"cards-of-the-sides"}
    assert errors(deck("01005", {"90038": 1}, front="90037")) == set()
    assert errors(deck("01005", {"90038": 2}, front="90037")) == {"cards-of-the-sides"}
    assert errors(deck("01005", {"90038": 1}, back="90037", choices={"option_selected": "blessed"})) == {
        "signatures-no-more-than-listed"
    }


def test_three_different_directives() -> None:
    three = {"90025": 1, "90026": 1, "90027": 1}
    assert errors(deck(ROLAND, three, front="90024")) == set()
    assert errors(deck(ROLAND, {"90025": 1, "90026": 1}, front="90024")) == {"cards-of-the-sides"}
    assert errors(deck(ROLAND, {**three, "90028": 1}, front="90024")) == {"cards-of-the-sides"}
    assert errors(deck(ROLAND, {"90025": 2, "90026": 1}, front="90024")) == {"cards-of-the-sides"}
    assert errors(deck(ROLAND, three)) == {"signatures-no-more-than-listed"}


def test_one_burden_for_each_discipline() -> None:
    lily = "08010"
    assert errors(deck(lily, {"08011a": 1, "08015": 1})) == set()
    assert errors(deck(lily, {"08011a": 1, "08012a": 1, "08015": 2})) == set()
    assert errors(deck(lily, {"08011a": 1, "08012a": 1, "08015": 1})) == {"signatures-present"}
    assert errors(deck(lily, {"08011a": 1, "08015": 2})) == {"signatures-no-more-than-listed"}
    assert "cards-of-the-sides" in errors(deck(lily, {"08015": 0}))
    assert "cards-of-the-sides" in errors(deck(lily, {"08011a": 2, "08015": 2}))


def test_between_one_and_four_copies() -> None:
    assert errors(deck("09004", {"09006": 1})) == set()
    assert errors(deck("09004", {"09006": 4})) == set()
    assert errors(deck("09004", {"09006": 0})) == {"signatures-present"}
    assert errors(deck("09004", {"09006": 5})) == {"signatures-no-more-than-listed"}


def test_the_beyond_belongs_to_one_back() -> None:
    assert "signatures-no-more-than-listed" in errors(deck("02004", {"90052": 1}))
    assert "signatures-no-more-than-listed" in errors(deck("02004", {"90053": 1}))


def test_the_requirements_are_those_of_the_back() -> None:
    made = deck(DAISY)
    assert errors(replace(made, front="90001")) == set()
    assert errors(changed(made, c01008=0, c90002=1, c01009=0, c90003=1)) == set()
