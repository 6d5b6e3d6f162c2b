"""`kb doctor` finds every kind of damage, says how to repair it, and repairs the catalog itself."""

import os
import shutil
import sqlite3
from itertools import product
from pathlib import Path

import pytest

from kb import paths
from kb.catalog.store import home, read_current
from kb.games.arkham.imports.own import import_folder
from tests.conftest import ROOT


def cut_off(path):
    os.truncate(path, path.stat().st_size // 2)


def overwritten(path):
    """Change one byte in the middle of the file; its size stays the same."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


def changed(command):
    """Return a function that runs the SQL `command` on the SQLite database at a path."""

    def damage(path):
        with sqlite3.connect(path) as database:
            database.executescript(command)
        database.close()

    return damage


def built():
    return home() / read_current(home()).folder


FILES = ["catalog.sqlite", "index/*.trm", "index/*.pst", "index/*.col", "index/*.toc"]


@pytest.mark.parametrize(
    ("pattern", "damage"),
    [
        *((pattern, cut_off) for pattern in FILES),
        *(pytest.param(*case, marks=pytest.mark.extended) for case in product(FILES, (Path.unlink, overwritten))),
        ("catalog.sqlite", changed("DROP TABLE entry")),
        ("catalog.sqlite", changed("DELETE FROM entry")),
        ("catalog.sqlite", changed("DELETE FROM meta")),
        ("catalog.sqlite", changed("UPDATE entry SET title = 'x'")),
        *(("../current.json", damage) for damage in (cut_off, overwritten, lambda path: path.write_text("[]"))),
    ],
)
def test_the_doctor_reports_and_repairs_a_damaged_catalog(pattern, damage, sources, kb):
    kb("search castling")
    path = built() / pattern if ".." in pattern else next(built().glob(pattern))
    damage(path)
    told = kb("doctor")
    assert (told.code, f"{path.name}); it was rebuilt." in told.out) == (1, True), told
    assert kb("doctor").out.endswith("No problems found.\n")


@pytest.mark.extended
@pytest.mark.parametrize("damage", [cut_off, overwritten])
def test_with_broken_sources_the_doctor_reports_damage_without_repair(damage, sources, kb):
    kb("search castling")
    path = sources.root / "content/chess/castling.md"
    whole = path.read_text()
    path.write_text(whole.replace("title:", "tilte:"))
    damage(built() / "catalog.sqlite")
    told = kb("doctor")
    assert told.code == 1
    assert "content/chess/castling.md:2" in told.out
    assert "The catalog is damaged (catalog.sqlite); kb rebuilds it once the sources are valid again." in told.out
    path.write_text(whole)
    assert (kb("build").code, kb("doctor").code) == (0, 0)


@pytest.mark.extended
@pytest.mark.parametrize("text", ["", "[", '[{"code": 1}]', "[" * 5000, '{"a": 1}'])
@pytest.mark.parametrize("name", ["packs.json", "pack", "texts.json"])
def test_the_doctor_names_damaged_imports(name, text, sources, kb, tmp_path):
    sources.write("content/arkham/game.yaml", "title: Arkham\n")
    sources.write("cards/arkham/special.yaml", "[]\n")
    data = paths.user_data_dir()
    import_folder(ROOT / "tests/data/fuzz/arkhamdb", data, sources.root / "cards")
    assert kb("doctor").code == 0
    path = data / "arkham" / name if name.endswith(".json") else next((data / "arkham/player").glob("*.json"))
    path.write_text(text)
    told = kb("doctor")
    assert (told.code, path.name in told.out) == (1, True), told


def test_the_doctor_reports_a_full_disk(sources, kb, monkeypatch):
    kb("search castling")
    cut_off(built() / "catalog.sqlite")

    def full(*_args, **_options):
        raise OSError(28, "No space left on device", "/x")

    monkeypatch.setattr("kb.catalog.store.new_build", full)
    assert "Free some space" in kb("doctor").refusal


@pytest.mark.extended
def test_kb_says_how_to_use_a_checkout_that_it_does_not_read(sources, kb, tmp_path, monkeypatch):
    (sources.root / "content" / "README.md").write_text("How to write an entry.\n")
    (sources.root / "cards").mkdir(exist_ok=True)
    other = tmp_path / "checkout"
    shutil.copytree(sources.root, other)
    monkeypatch.chdir(other)
    for words in (["doctor", "--content", "content"], ["doctor", "--content", str(other / "content/chess/fork.md")]):
        told = kb(words)
        assert (told.code, f"KB_SOURCES={other}" in told.err, "pip install -e" in told.err) == (2, True, True)
    assert str(other) not in kb("doctor").err  # no hint here, because KB_SOURCES is set
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("KB_SOURCES")
        patch.setattr("kb.paths.sources_root", lambda: sources.root)
        assert f"KB_SOURCES={other}" in kb("build").err
    assert kb("doctor --content", sources.root / "content").err == ""
