"""Reads tables of tests in tests/data. A duplicate key is refused, as its first value would be ignored."""

import pytest
import yaml
from yaml.composer import Composer

from kb.files.safe_yaml import Loader
from tests.conftest import ROOT


class Rows(Loader):
    compose_node = Composer.compose_node  # a row may be an alias


def read(path):
    """Read a table of tests/data."""
    return yaml.load((ROOT / "tests" / "data" / path).read_text("utf-8"), Rows)


def data(table, name):
    """Return the value with a name in a file of tests/data/tables."""
    return read(f"tables/{table}.yaml")[name]


def rows_of(table, test):
    """Return the mark for a test that runs once per row."""
    found = data(table, test)
    return pytest.mark.parametrize(list(found[0]), [tuple(row.values()) for row in found])
