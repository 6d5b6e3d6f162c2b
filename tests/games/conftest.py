"""Fixtures for the tests of all games."""

import pytest

from kb.catalog.store import open_catalog
from kb.decks.games import DeckRules
from tests.conftest import at_home


@pytest.fixture(scope="session")
def table(real_home):
    """Yield the card facts and deck rules of all games."""
    with at_home(real_home):
        catalog = open_catalog()
    with catalog:
        yield DeckRules(catalog.records)
