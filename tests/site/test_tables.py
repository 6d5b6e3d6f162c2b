"""Tables that a script draws: the orders that a reader can choose."""

import pytest

from kb.site.tables import SiteTable, TableColumn


@pytest.mark.parametrize(
    ("names", "first"),
    [
        ([".45 Thompson", "21 or Bust", "Blood-Rite", "Bloodlust", "Émile"], [("", "Name"), ("2", "Cost")]),
        (["The Poison Pill", "Attack on Sandpoint"], [("", "As listed"), ("0", "Name"), ("2", "Cost")]),
        ([], [("", "Name"), ("2", "Cost")]),
    ],
)
def test_the_first_order_has_the_name_of_the_column_that_the_rows_are_sorted_by(names, first):
    columns = [TableColumn("Name", "link"), TableColumn("Traits", sorts=False), TableColumn("Cost", "number")]
    rows = [[[name, ""], [], 1] for name in names]
    assert SiteTable("cards", columns, rows=rows).sorts() == first
