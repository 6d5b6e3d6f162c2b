"""Each check of a character sheet just inside and just outside its limit (tests/data/tainted-grail-verdicts.yaml)."""

import pytest

from tests.tables import read, rows_of

VERDICTS = read("tainted-grail-verdicts.yaml")


@pytest.mark.parametrize("check", VERDICTS)
def test_checks_report_exactly_the_expected_findings(found, check):
    for row in VERDICTS[check]:
        problems = found(check, f"{row['more']}\n", row.get("without", ""))
        assert [each.severity for each in problems] == row.get("finds", []), row
        for key in ("count", "limit", "cards"):
            value = getattr(problems[0], key) if problems else None
            assert key not in row or ([*value] if key == "cards" else value) == row[key], (row, problems)
        assert "remedy" not in row or problems[0].remedies[0].as_json({}).items() >= row["remedy"].items(), (
            row,
            problems,
        )


@rows_of("games-tainted-grail-checks", "test_experience_spent_at_its_edge")
def test_experience_spent_at_its_edge(found, change, cost):
    given = " ".join(line.split(":")[0] for line in change.splitlines())
    assert found("experience-spent", f"{change}\nexperience_spent: {cost}\n", without=given) == []
    if cost:
        (problem,) = found("experience-spent", f"{change}\nexperience_spent: {cost - 1}\n", without=given)
        assert problem.severity == "error"
        assert (problem.count, problem.limit) == (cost, cost - 1)
        (unknown,) = found("experience-spent", f"{change}\n", without=given)
        assert unknown.severity == "note"
