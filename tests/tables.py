"""Tables that tests read, in tests/data/tables: the rows of a test, each with what the test calls its parts, and what it works on."""

import yaml

from tests.conftest import ROOT

TABLES = ROOT / "tests" / "data" / "tables"


def data(table, name):
    """What a table calls so."""
    return yaml.safe_load((TABLES / f"{table}.yaml").read_text(encoding="utf-8"))[name]


def rows_of(table, test):
    """The names and the rows for `pytest.mark.parametrize`."""
    found = data(table, test)
    return list(found[0]), [tuple(row.values()) for row in found]
