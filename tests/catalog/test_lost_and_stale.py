"""Answers stay up to date: kb notices moved and edited files, repairs damage, and answers from the old catalog if it
cannot build a new one.
"""

import os

import pytest

from kb import Session
from kb.catalog.store import home, open_index, read_current, read_sealed, write_sealed


def built():
    return home() / read_current(home()).folder


def test_a_moved_entry_has_its_new_id(sources, kb):
    assert "chess/castling" in kb("search castling").out
    (sources.root / "content/chess/moves").mkdir()
    (sources.root / "content/chess/castling.md").rename(sources.root / "content/chess/moves/castling.md")
    sources.entry("chess/fork", "Fork", "One piece attacks two. See [[moves/castling]].", kind="term")
    found = kb("search castling")
    assert "chess/moves/castling" in found.out
    assert "\n    chess/castling\n" not in found.out


@pytest.mark.extended
@pytest.mark.parametrize("name", ["?", "a b", "%20", "#x", "a?b#c%41&d", "Ünïcödé ☃", "'quoted\"", ";", "a=b"])
def test_any_folder_name_works_as_kb_home(name, sources, kb, tmp_path, monkeypatch):
    monkeypatch.setenv("KB_HOME", str(tmp_path / name))
    assert kb("show chess/castling").code == 0
    assert kb("search castling").code == 0
    assert kb("doctor").code == 0
    assert {path.name for path in tmp_path.iterdir()} == {name, "sources"}
    assert (built() / "catalog.sqlite").stat().st_size > 0


@pytest.mark.extended
@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", "[" * 100_000, '{"folder": 1}', '{"folder": ["x"]}', "null", "\x00", '{"a":' * 50_000],
)
def test_commands_answer_with_any_text_in_current_json(text, sources, kb):
    kb("search castling")
    (home() / "current.json").write_text(text)
    told = kb("search castling")
    assert (told.code, told.err) == (0, "")


def test_a_folder_in_current_json_that_leads_elsewhere_is_not_followed(sources, kb, tmp_path):
    kb("search castling")
    current = read_sealed(home() / "current.json")
    built().rename(tmp_path / "elsewhere")
    write_sealed(home() / "current.json", {**current, "folder": str(tmp_path / "elsewhere")})
    assert kb("search castling").code == 0
    assert built().parent == home()


def test_the_old_catalog_answers_on_a_read_only_disk(sources, kb, monkeypatch):
    kb("search castling")
    sources.entry("chess/pin", "Pin", "It cannot move here.")

    def read_only(*_args, **_options):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("filelock.FileLock.acquire", read_only)
    told = kb("search castling")
    assert (told.code, "Castling" in told.out, "Read-only" in told.err) == (0, True, True)


def test_a_session_goes_on_after_another_process_removed_its_catalog(sources):
    with Session() as session:
        assert session.search("castling").hits
        old = built()
        os.utime(old, (1, 1))  # kb removes only builds of a certain age
        sources.entry("chess/pin", "Pin", "It holds a piece.")
        open_index()
        assert not old.exists()
        assert session.search("castlng").corrected == "castling"
        assert session.search("may the tower swap").hits
        assert session.ask("castling").entry is not None


def test_wrong_clocks_neither_lose_nor_hide_changes(sources, kb, monkeypatch):
    """Gives files times far in the future or in the past, with a different clock error each time. kb notices every
    change at once.
    """
    times = iter((4_000_000_000, 1, 2_000_000_000, 0, 4_100_000_000))
    for number, now in enumerate(times):
        monkeypatch.setattr("time.time", lambda now=now: float(now))
        sources.entry("chess/pin", "Pin", f"It holds {'a' * number} piece number{number}.")
        for path in [*sources.root.rglob("*"), *home().rglob("*")]:
            os.utime(path, (now, now))
        assert f"number{number}" in kb(f"search number{number}").out
        assert kb("show chess/castling").code == 0
        assert f"number{number}" in kb("show chess/pin").out
    assert kb("doctor").code == 0
