"""Applies every remedy of a finding to the sheet: the finding disappears, and no new finding appears."""

import pytest
import yaml

from kb.decks.remedies import Advice
from tests.games.camp import named
from tests.games.tainted_grail.decks.conftest import PLAIN, report
from tests.games.tainted_grail.decks.test_checks import VERDICTS
from tests.games.tainted_grail.remedies import applied

ROWS = [row for rows in VERDICTS.values() for row in rows if {*row.get("finds", ())} - {"note"}]


def judged(sheet):
    return named(report(yaml.safe_dump(sheet, sort_keys=False)).findings, "error", "warning")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["more"])
def test_each_remedy_of_a_finding_ends_it(row):
    sheet = {key: value for key, value in yaml.safe_load(PLAIN).items() if key not in row.get("without", "")}
    sheet |= yaml.safe_load(row["more"]) or {}
    found = judged(sheet)
    assert found
    for key, finding in found.items():
        assert finding.remedies, finding
        for remedy in finding.remedies:
            if (new := applied(sheet, remedy)) is None:
                assert isinstance(remedy, Advice) or getattr(remedy, "why", ""), remedy
                continue
            left = judged(new)
            assert key not in left, (remedy, new)
            assert {check for check, _ in left} <= {check for check, _ in found} | FOLLOWS.get(
                finding.check.id, set()
            ), (remedy, left)


# After the remedy of the first check, one of the others may report a problem that was hidden before: for example,
# experience that was not spent once a point is no longer granted.
FOLLOWS = {
    "cards-owned": {"experience-spent", "gained-from-the-pool"},
    "starter-cards": {"experience-spent", "cards-owned"},
    "deck-size": {"cards-owned"},
}
