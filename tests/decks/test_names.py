"""Card names and numbers of copies in the forms that players type."""

from kb.decks.names import both, did_you_mean, either, name_key, split_quantity, suggest
from tests.tables import rows_of


@rows_of("decks-names", "test_quantity")
def test_quantity(text, expected):
    assert list(split_quantity(text)) == expected


def test_a_number_in_parentheses_can_be_a_level():
    assert split_quantity("Guts (2)", levels=True) == (1, "Guts (2)")
    assert split_quantity("2x Guts (2)", levels=True) == (2, "Guts (2)")
    assert split_quantity("Guts (x2)", levels=True) == (2, "Guts")


def test_name_keys_ignore_spelling_variants_but_not_the_bonus():
    assert name_key("Thieves’ Tools") == name_key("thieves tools") == name_key("THIEVES' TOOLS")
    assert name_key("Half-Plate") == name_key("half plate")
    assert name_key("Crème & Sôn") == "cremeandson"
    assert len({name_key("Longsword"), name_key("Longsword +1"), name_key("Longsword +2")}) == 3


def test_suggestions():
    known = ["Longsword", "Longsword +1", "Shortbow", "Longbow"]
    assert suggest("Longswrod", known)[0] == "Longsword"
    assert suggest("bow", known) == []
    assert suggest("short", known) == ["Shortbow"]
    assert did_you_mean("Shrotbow", known) == " Did you mean Shortbow?"
    assert did_you_mean("zzzzzz", known) == ""


def test_a_name_that_contains_or_stays_one_name():
    assert both(["Feast or Famine", "Cure"]) == "Feast or Famine and Cure"
    assert either(["Hide and Seek", "Feast or Famine"]) == "Hide and Seek or Feast or Famine"
