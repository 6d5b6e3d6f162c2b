"""What the tests of all games share."""

import pytest

from kb.catalog.store import open_catalog
from kb.decks.games import DeckRules


@pytest.fixture(scope="session")
def table(real_home):
    """The facts of every game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KB_HOME", str(real_home))
        catalog = open_catalog()
    with catalog:
        yield DeckRules(catalog.records)
