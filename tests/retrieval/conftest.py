"""What tests of the search share."""

import pytest

from kb.catalog.store import open_catalog
from kb.retrieval.engine import SearchIndex


@pytest.fixture(scope="module")
def real_index(real_home):
    """The index of our own content and cards."""
    patched = pytest.MonkeyPatch()
    patched.setenv("KB_HOME", str(real_home))
    with open_catalog() as catalog:
        found = SearchIndex(catalog.index_folder)
    patched.undo()
    yield found
    found.close()
