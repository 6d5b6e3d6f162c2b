"""Reads tables of test cases in tests/data. Duplicate keys are refused, because YAML would silently ignore the first
value.
"""

import pytest
import yaml
from yaml.composer import Composer

from kb.files.safe_yaml import Loader
from tests.conftest import ROOT


class Rows(Loader):
    compose_node = Composer.compose_node  # a row may be a YAML alias


def read(path):
    """Read the YAML file at `path`, relative to tests/data."""
    return yaml.load((ROOT / "tests" / "data" / path).read_text("utf-8"), Rows)


def data(table, name):
    """Return the value of the key `name` in the file tests/data/tables/TABLE.yaml."""
    return read(f"tables/{table}.yaml")[name]


def rows_of(table, test):
    """Return a pytest mark that runs a test once per row. The rows are those of the key `test` in
    tests/data/tables/TABLE.yaml.
    """
    found = data(table, test)
    return pytest.mark.parametrize(list(found[0]), [tuple(row.values()) for row in found])
