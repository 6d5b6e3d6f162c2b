"""Fixtures for tests of the search."""

import pytest

from kb.catalog.store import open_catalog
from kb.retrieval.engine import SearchIndex
from tests.conftest import at_home


@pytest.fixture(scope="module")
def real_index(real_home):
    """Open the search index of the repository's entries and cards."""
    with at_home(real_home), open_catalog() as catalog:
        found = SearchIndex(catalog.index_folder)
    yield found
    found.close()
