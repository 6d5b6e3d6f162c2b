"""Applies every remedy of every finding: the finding disappears, and no other check reports a new problem. Applying the
first remedies one after another makes the deck legal.
"""

import pytest

from tests.games.arkham.decks.conftest import check
from tests.games.arkham.decks.test_verdicts import VERDICTS, judged
from tests.games.arkham.remedies import applied

ROWS = [judged(row) for rows in VERDICTS.values() for row in rows if row.get("errors") and row.get("followed", True)]
BUILT_FOR_ANOTHER_BACK = {"sides-of-one-investigator", "choices-made"}
MOST_FINDINGS = 30


def wrong(told):
    """Check a deck. `told` is the deck and the agreement. Return the errors and warnings that have a remedy, as a dict
    with keys (check id, message).
    """
    severities = ("error", "warning")
    found = [each for each in check(*told).findings if each.severity in severities and each.remedies]
    return {(each.check.id, each.message): each for each in found}


@pytest.mark.parametrize("row", range(len(ROWS)))
def test_each_remedy_removes_its_finding_and_causes_no_other(row):
    told = ROWS[row]
    found = wrong(told)
    assert found
    for _ in range(MOST_FINDINGS):
        if not found:
            break
        key, finding = next(iter(found.items()))
        ways = [new for remedy in finding.remedies if (new := applied(*told, remedy))]
        assert ways, f"a program can apply no remedy of {finding}"
        for new in ways:
            after = wrong(new)
            assert key not in after, f"a remedy does not remove {finding}"
            fresh = {check for check, _ in after} - {check for check, _ in found}
            assert not fresh or finding.check.id in BUILT_FOR_ANOTHER_BACK, (
                f"these checks report new problems after a remedy of {finding}: {fresh}"
            )
        told = ways[0]
        found = wrong(told)
    assert check(*told).legal
