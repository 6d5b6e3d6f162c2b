"""What the tests of all games share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.catalog.store import open_catalog
from kb.decks.games import Table


@pytest.fixture(scope="session")
def table(real_home: Path) -> Iterator[Table]:
    """The facts of every game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KB_HOME", str(real_home))
        catalog = open_catalog()
    with catalog:
        yield Table(catalog.records)
