"""The one function from a deck's text to its JSON: what the command line prints is what it gives."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kb.decks.contract import check_text
from kb.decks.nodes import DeckFileError
from kb.decks.table import Table

DECKS = {
    "new.yaml": "game: arkham\ninvestigator: Roland Banks\ncards:\n  Machete: 3\n",
    "list.txt": "Investigator: Daisy Walker\n2x Knife\n1x Emergency Cache\n",
    "lini.yaml": "game: rotr\ncharacter: Lini\ncards: [Dagger, Dagger, Sleep]\n",
    "beor.yaml": "game: tainted-grail\ncharacter: Beor\ncombat: 3\n",
}


@pytest.fixture
def desk(real: Path) -> Iterator[Callable[[str], tuple[Any, Any]]]:
    from kb.catalog.store import open_catalog

    with open_catalog() as catalog:
        yield Table(catalog.records).game


@pytest.mark.parametrize("name", DECKS)
def test_the_command_line_prints_what_the_function_gives(
    name: str, desk: Any, kb: Callable[..., Any], tmp_path: Path
) -> None:
    from kb.catalog.store import open_catalog

    path = tmp_path / name
    path.write_text(DECKS[name], encoding="utf-8")
    done = kb("deck", "check", "--json", str(path))
    first = check_text(DECKS[name].encode(), str(path), desk, {})
    with open_catalog() as catalog:
        cites = catalog.citations({rule["id"] for finding in first["findings"] for rule in finding["cites"]})
    assert json.loads(done.out) == [check_text(DECKS[name].encode(), str(path), desk, cites)]
    assert first["findings"]


def test_bytes_that_are_no_text_are_refused_with_their_line(desk: Any) -> None:
    with pytest.raises(DeckFileError, match=r"mine\.yaml:2: is not UTF-8"):
        check_text(b"game: arkham\ncharacter: \xff\n", "mine.yaml", desk, {})


def test_an_option_of_another_game_is_refused(desk: Any) -> None:
    with pytest.raises(DeckFileError, match="--taboo: not for decks of this game"):
        check_text("game: rotr\ncharacter: Lini\n", "lini.yaml", desk, {}, {"taboo": "latest"})
