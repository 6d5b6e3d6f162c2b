"""`kb doctor --clean` removes files that no installation of kb can use any more, and nothing else."""

import shutil

import pytest

from kb import paths
from kb.catalog.store import CURRENT, LOCK, home, open_catalog, read_sealed, write_sealed
from kb.files.swap import LOCKS, hold_lock
from tests.conftest import chess


def catalog_of(root, monkeypatch):
    """Build a catalog from small sources in the folder `root`, and return the folder of that catalog."""
    with monkeypatch.context() as patch:
        patch.setenv("KB_SOURCES", str(chess(root).root))
        open_catalog().close()
        return home()


def cleaned(kb):
    return kb("doctor --clean --json").json["cleaned"]


def test_catalogs_of_other_checkouts_stay_until_the_checkout_is_gone(sources, kb, monkeypatch, tmp_path):
    other = catalog_of(tmp_path / "other", monkeypatch)
    assert cleaned(kb) == {"catalogs": 0, "kept": 1, "locks": 0, "bytes": 0}
    assert "Kept 1 catalog that another kb on this machine may use." in kb("doctor --clean").out
    shutil.rmtree(tmp_path / "other")
    assert (cleaned(kb)["catalogs"], other.exists(), home().exists()) == (1, False, True)
    assert kb("search castling").code == 0


def test_a_catalog_of_a_database_server_stays(sources, kb, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("kb.catalog.store.database_url", lambda own=None: "postgresql+psycopg://here/kb")
        server = home()
    open_catalog().close()
    shutil.copytree(home(), server)
    assert cleaned(kb)["kept"] == 1
    assert server.exists()


@pytest.mark.parametrize(("chosen", "removed"), [(True, 0), (False, 1)])
def test_an_older_versions_catalog_goes_if_only_this_kb_reads_the_folder(chosen, removed, sources, kb, monkeypatch):
    if not chosen:
        monkeypatch.delenv("KB_SOURCES")
        monkeypatch.setattr("kb.paths.sources_root", lambda: sources.root)
    open_catalog().close()
    older = home().with_name("000000000000")
    shutil.copytree(home(), older)
    write_sealed(older / CURRENT, {**read_sealed(older / CURRENT), "schema": "1"})
    assert cleaned(kb)["catalogs"] == removed
    assert older.exists() == (not removed)


def test_folders_without_an_owner_stay(sources, kb):
    unknown = paths.cache_dir() / "unknown"
    unknown.mkdir(parents=True)
    (unknown / LOCK).touch()
    (unknown / CURRENT).write_text('{"folder": "build-1"}')
    (paths.cache_dir() / "site").mkdir()
    assert cleaned(kb)["catalogs"] == 0
    assert unknown.exists()
    assert (paths.cache_dir() / "site").exists()


@pytest.mark.extended
@pytest.mark.posix
def test_a_catalog_that_is_being_built_and_a_held_lock_stay(sources, kb, monkeypatch, tmp_path):
    other = catalog_of(tmp_path / "other", monkeypatch)
    shutil.rmtree(tmp_path / "other")
    locks = paths.cache_dir() / LOCKS
    locks.mkdir(exist_ok=True)
    (locks / "old.lock").touch()
    with hold_lock(other / LOCK), hold_lock(locks / "held.lock"):
        assert cleaned(kb)["locks"] == 1
        assert other.exists()
    assert [path.name for path in locks.iterdir()] == ["held.lock"]
    assert cleaned(kb)["catalogs"] == 1


@pytest.mark.extended
def test_commands_leave_no_lock_files(sources, kb, tmp_path):
    for number in range(3):
        assert kb("export {}", tmp_path / f"data{number}").code == 0
    assert list((paths.cache_dir() / LOCKS).glob("*")) == []
