"""A KB_HOME folder written by kb 0.1.0: settings and imports are kept, and the old catalogs are ignored."""

import json
import shutil

import pytest

from kb.catalog.store import CURRENT, read_sealed, write_sealed
from tests.conftest import ROOT


@pytest.fixture
def older(tmp_path, monkeypatch):
    """Copy a KB_HOME folder of kb 0.1.0, and return it. In that folder, kb 0.1.0 ran `kb use chess`, `kb import
    rulebook` and `kb import arkhamdb`.
    """
    home = tmp_path / "home"
    shutil.copytree(ROOT / "tests/data/home-0.1.0", home)
    build = home / "cache" / "318c1bd25d9b" / "build-78912dae449b-18ec868523a6e34e"
    build.mkdir()
    (build / "catalog.sqlite").write_bytes(b"SQLite format 3\0")
    monkeypatch.setenv("KB_HOME", str(home))
    monkeypatch.setenv("KB_SOURCES", str(ROOT / "tests/data/fuzz/sources"))
    monkeypatch.delenv("KB_DATABASE_URL", raising=False)
    return home


def test_settings_and_imports_of_0_1_0_are_kept(older, kb):
    assert "chess/rulebooks/tome/2" in kb("search move the king and the tower").out
    assert [each["name"] for each in kb("import rulebook --list --json").json] == ["tome"]
    assert kb("use").out == "Your default is chess.\n"
    assert json.loads((older / "settings.json").read_text("utf-8"))["game"] == "chess"
    assert kb("doctor").code == 0
    kept = ROOT / "tests/data/home-0.1.0/data"
    for path in (path for path in kept.rglob("*") if path.is_file()):
        assert (older / "data" / path.relative_to(kept)).read_bytes() == path.read_bytes()
    assert kb("import rulebook --remove tome").code == 0
    assert "tome" not in kb("search move the king and the tower").out


def test_a_catalog_of_0_1_0_is_built_again(older, kb):
    assert kb("show castling").code == 0
    current = [path for path in (older / "cache").glob(f"*/{CURRENT}") if path.parent.name != "318c1bd25d9b"]
    assert current
    for path in current:
        write_sealed(path, {**read_sealed(path), "version": "0.1.0"})
    assert kb("show castling").code == 0
    assert {read_sealed(path)["version"] for path in current} != {"0.1.0"}
