"""Sources, cards and folders of card data, spoiled: problems with their places, never a traceback, and quickly."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from kb.games.arkham.imports.arkhamdb import ImportFailed
from kb.games.arkham.imports.own import import_folder
from kb.sources.sources import read_sources
from tests.conftest import ROOT
from tests.fuzz.conftest import fuzzed, quick
from tests.fuzz.hostile import as_json, spoiled, warped
from tests.fuzz.seeds import FOLDER, SMALL


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def fresh(root: Path) -> Path:
    """Valid small sources."""
    shutil.rmtree(root / "sources", ignore_errors=True)
    chess = root / "sources/content/chess"
    chess.mkdir(parents=True)
    for name, text in SMALL.items():
        (chess / name).write_text(text, encoding="utf-8")
    return root / "sources"


def told(root: Path, what: str) -> None:
    """Reading says what is wrong, each with its file."""
    with quick(what):
        _content, _facts, problems = read_sources(root)
    assert all(problem.path and problem.message for problem in problems)
    assert len(problems) < 10_000


def of_file(name: str) -> Callable[..., None]:
    """A test that spoils one file of the small sources."""

    @fuzzed
    @given(text=spoiled([SMALL[name]]))
    def test(root: Path, text: str) -> None:
        sources = fresh(root)
        (sources / "content/chess" / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        told(sources, text)

    return test


test_front_matter = of_file("castling.md")
test_lists = of_file("rulings.yaml")
test_outlines = of_file("outline.tsv")
test_documents = of_file("sources.yaml")
test_synonyms = of_file("synonyms.yaml")
test_names_of_a_game = of_file("game.yaml")


def some(path: str, number: int = 4) -> list[Any]:
    """The first records of a file of cards."""
    return list(json.loads((ROOT / "cards" / path).read_text(encoding="utf-8"))[:number])


ARKHAM = {
    "player/core.json": some("arkham/player/core.json"),
    "investigators.json": some("arkham/investigators.json", 2),
    "packs.json": some("arkham/packs.json"),
    "cycles.json": some("arkham/cycles.json"),
    "taboos.json": some("arkham/taboos.json"),
    "taboo_lists.json": some("arkham/taboo_lists.json"),
}


@fuzzed
@given(value=warped([{name: rows} for name, rows in ARKHAM.items()]))
def test_arkham_cards(root: Path, value: Any) -> None:
    folder = root / "sources/cards/arkham"
    fresh(root)
    (folder / "player").mkdir(parents=True)
    (root / "sources/content/arkham").mkdir()
    (folder / "special.yaml").write_text("[]\n")
    for name, rows in ARKHAM.items():
        (folder / name).write_text(as_json(rows))
    for name, rows in value.items() if isinstance(value, dict) else ():
        if name in ARKHAM:
            (folder / name).write_text(as_json(rows))
    told(root / "sources", str(value))


PATHFINDER = [path.name for path in sorted((ROOT / "cards/pathfinder/mm").glob("*.json"))]


@fuzzed
@given(value=warped([{name: some(f"pathfinder/mm/{name}", 2)} for name in PATHFINDER]))
def test_pathfinder_cards(root: Path, value: Any) -> None:
    fresh(root)
    folder = root / "sources/cards/pathfinder/mm"
    folder.mkdir(parents=True)
    for name, rows in value.items() if isinstance(value, dict) else ():
        if name in PATHFINDER:
            (folder / name).write_text(as_json(rows))
    told(root / "sources", str(value))


@fuzzed
@given(text=spoiled(["[\n" + ",\n".join(json.dumps(row) for row in some("pathfinder/mm/ally.json", 3)) + "\n]"]))
def test_pathfinder_cards_as_text(root: Path, text: str) -> None:
    fresh(root)
    folder = root / "sources/cards/pathfinder/mm"
    folder.mkdir(parents=True)
    (folder / "ally.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    told(root / "sources", text)


@fuzzed
@given(value=warped([FOLDER]))
def test_import_of_arkhamdb(root: Path, value: Any) -> None:
    shutil.rmtree(root / "import", ignore_errors=True)
    for name, rows in value.items() if isinstance(value, dict) else ():
        if name in FOLDER:
            path = root / "import/in" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(as_json(rows))
    before = sorted(path for path in root.glob("*"))
    with quick(value), contextlib.suppress(ImportFailed), pytest.MonkeyPatch.context() as patch:
        patch.setenv("KB_HOME", str(root / "import/home"))
        import_folder(root / "import/in", root / "import/data", root / "nothing")
    assert sorted(path for path in root.glob("*")) == before
