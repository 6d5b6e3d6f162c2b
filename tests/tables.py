"""Tables that tests read: the rows of a test in tests/data/tables, each with what the test calls its parts."""

import yaml

from tests.conftest import ROOT

TABLES = ROOT / "tests" / "data" / "tables"


def rows_of(table, test):
    """The names and the rows for `pytest.mark.parametrize`."""
    found = yaml.safe_load((TABLES / f"{table}.yaml").read_text(encoding="utf-8"))[test]
    return list(found[0]), [tuple(row.values()) for row in found]
