"""Tables that tests read, in tests/data: a key that is there twice is refused, for the first one would say nothing."""

import pytest
import yaml
from yaml.composer import Composer

from kb.files.safe_yaml import Loader
from tests.conftest import ROOT


class Rows(Loader):
    compose_node = Composer.compose_node  # a row may be an alias


def read(path):
    """A table of tests/data."""
    return yaml.load((ROOT / "tests" / "data" / path).read_text("utf-8"), Rows)


def data(table, name):
    """What a file of tests/data/tables calls so."""
    return read(f"tables/{table}.yaml")[name]


def rows_of(table, test):
    """The mark of a test that runs once with each row."""
    found = data(table, test)
    return pytest.mark.parametrize(list(found[0]), [tuple(row.values()) for row in found])
