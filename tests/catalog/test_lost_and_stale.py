"""Nothing is lost and nothing stale: moved and quick edits are seen, damage is found and mended, an old catalog answers."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from kb import Session
from kb.catalog import fingerprint, refresh
from kb.catalog.current import home, read_current, read_sealed, write_sealed
from kb.catalog.fingerprint import Fingerprint, fingerprint_of
from kb.catalog.store import open_index


def built() -> Path:
    current = read_current(home())
    assert current
    return home() / current.folder


def test_a_moved_entry_has_its_new_id(sources: Any, kb: Any) -> None:
    assert "chess/castling" in kb("search", "castling").out
    (sources.root / "content/chess/moves").mkdir()
    (sources.root / "content/chess/castling.md").rename(sources.root / "content/chess/moves/castling.md")
    sources.entry("chess/fork", "Fork", "One piece attacks two. See [[moves/castling]].", kind="term")
    found = kb("search", "castling")
    assert "chess/moves/castling" in found.out
    assert "\n    chess/castling\n" not in found.out


def test_files_that_only_change_places_are_noticed(sources: Any, kb: Any) -> None:
    for name in ("a", "b"):
        (sources.root / "content/chess" / name).mkdir()
    sources.entry("chess/a/pin", "Pin", "It cannot move.")
    assert "chess/a/pin" in kb("search", "pin").out
    (sources.root / "content/chess/a/pin.md").rename(sources.root / "content/chess/b/pin.md")
    assert "chess/b/pin" in kb("search", "pin").out


def test_an_edit_of_the_same_size_within_a_tick_is_seen(sources: Any, kb: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = sources.entry("chess/pin", "Pin", "It cannot move here.")
    assert "Pin" in kb("search", "pin").out
    status = path.stat()
    # What a coarse clock shows: the same size, the same times, another text.
    path.write_text(path.read_text().replace("title: Pin", "title: Nip"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    frozen = read_current(home())
    assert frozen
    known = fingerprint.fingerprint_of
    for module in (fingerprint, refresh):
        monkeypatch.setattr(
            module, "fingerprint_of", lambda files, seen: Fingerprint(frozen.fingerprint, known(files, seen).settled)
        )
    assert "Nip" in kb("search", "nip").out


def test_a_fingerprint_is_trusted_when_the_last_change_was_long_before() -> None:
    second = 1_000_000_000

    def settled(seen: int, *changed: int) -> bool:
        files = [(f"/{number}", 1, time * second, time * second, number) for number, time in enumerate(changed)]
        return fingerprint_of(files, seen * second).settled

    assert settled(20, 10)
    assert not settled(11, 10)
    assert settled(20, 99), "a date in the future says nothing"
    assert not settled(20, 99, 19), "neither does it of other files"


def test_a_file_with_a_date_in_the_future_hides_no_other_change(
    sources: Any, kb: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    future = sources.entry("chess/fork", "Fork", "One piece attacks two.", kind="term", covers="[ch.fork]")
    os.utime(future, (4_000_000_000, 4_000_000_000))
    path = sources.entry("chess/pin", "Pin", "It cannot move here.")
    assert "Pin" in kb("search", "pin").out
    was = {file: seen for file, *seen in fingerprint.source_files(sources.root)}
    path.write_text(path.read_text().replace("title: Pin", "title: Nip"))
    known = fingerprint.seen_file  # a clock that has not ticked since
    monkeypatch.setattr(
        fingerprint, "seen_file", lambda file, status: (file, *was[file]) if file in was else known(file, status)
    )
    assert "Nip" in kb("search", "nip").out


@pytest.mark.parametrize("name", ["?", "a b", "%20", "#x", "a?b#c%41&d", "Ünïcödé ☃", "'quoted\"", ";", "a=b"])
def test_any_home_works(name: str, sources: Any, kb: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_HOME", str(tmp_path / name))
    assert kb("show", "chess/castling").code == 0
    assert kb("search", "castling").code == 0
    assert kb("doctor").code == 0
    assert {path.name for path in tmp_path.iterdir()} == {name, "sources"}
    assert (built() / "catalog.sqlite").stat().st_size > 0


def spoil(path: Path, seed: int) -> None:
    """Random bytes over the file; its size stays."""
    data = bytearray(path.read_bytes())
    chance = random.Random(seed)
    for _ in range(max(1, len(data) // 20)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    path.write_bytes(bytes(data))


INDEX = ["index/*.trm", "index/*.pst", "index/*.col", "index/*.toc"]


@pytest.mark.parametrize("pattern", [*INDEX, "catalog.sqlite"])
def test_damage_of_the_same_size_is_found_and_mended(pattern: str, sources: Any, kb: Any) -> None:
    kb("search", "castling")
    folder = built()
    spoiled = sorted(folder.glob(pattern))
    for path in spoiled:
        spoil(path, 7)
    told = kb("doctor")
    assert told.code == 1
    names = ", ".join(path.relative_to(folder).as_posix() for path in spoiled)
    assert f"was damaged ({names}); it was rebuilt." in told.out
    assert kb("doctor").code == 0
    assert "Castling" in kb("search", "castling").out


@pytest.mark.extended
@pytest.mark.parametrize("pattern", [*INDEX, "catalog.sqlite"])
def test_a_command_that_meets_damage_mends_it(pattern: str, sources: Any, kb: Any) -> None:
    for seed in range(3):
        kb("build")
        for path in built().glob(pattern):
            spoil(path, seed)
        for command in (("search", "castling"), ("show", "chess/castling"), ("search", "casling rook")):
            told = kb(*command)
            assert told.code == 0, told.err
            assert "bug in kb" not in told.err


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", "[" * 100_000, '{"folder": 1}', '{"folder": ["x"]}', "null", "\x00", '{"a":' * 50_000],
)
@pytest.mark.parametrize("name", ["current.json", "failed.json"])
def test_whatever_stands_in_the_cache_a_command_answers(name: str, text: str, sources: Any, kb: Any) -> None:
    kb("search", "castling")
    (home() / name).write_text(text)
    told = kb("search", "castling")
    assert (told.code, told.err) == (0, "")


def test_a_folder_in_current_json_that_leads_elsewhere_is_not_followed(sources: Any, kb: Any, tmp_path: Path) -> None:
    kb("search", "castling")
    current = read_sealed(home() / "current.json")
    built().rename(tmp_path / "elsewhere")
    write_sealed(home() / "current.json", {**current, "folder": str(tmp_path / "elsewhere")})
    assert kb("search", "castling").code == 0
    assert built().parent == home()


def test_on_a_full_disk_the_old_catalog_answers_and_says_so(
    sources: Any, kb: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb("search", "castling")
    sources.entry("chess/pin", "Pin", "It cannot move here.")

    def full(*_args: object, **_options: object) -> None:
        raise OSError(28, "No space left on device", "/x")

    monkeypatch.setattr(refresh, "new_build", full)
    told = kb("search", "castling")
    assert "Castling" in told.out
    assert "No space left on device" in told.err
    assert "the catalog built before stays in use" in told.err
    assert kb("build").code == 2


def test_on_a_disk_that_cannot_be_written_the_old_catalog_answers(
    sources: Any, kb: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb("search", "castling")
    sources.entry("chess/pin", "Pin", "It cannot move here.")

    def read_only(*_args: object, **_options: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("kb.files.lock.opened", read_only)
    told = kb("search", "castling")
    assert (told.code, "Castling" in told.out, "Read-only" in told.err) == (0, True, True)


def test_a_fault_of_a_reader_does_not_stop_commands(sources: Any, kb: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    kb("search", "castling")
    sources.entry("chess/pin", "Pin", "It cannot move here.")

    def faulty(*_args: object) -> None:
        raise ZeroDivisionError("odd")

    monkeypatch.setattr("kb.catalog.build.load_sources", faulty)
    told = kb("search", "castling")
    assert (told.code, "Castling" in told.out, "ZeroDivisionError: odd" in told.err) == (0, True, True)


def test_a_session_answers_on_when_another_process_has_removed_its_build(sources: Any) -> None:
    with Session() as session:
        assert session.search("castling").hits
        old = built()
        os.utime(old, (1, 1))  # a build is left alone while it is new
        sources.entry("chess/pin", "Pin", "It holds a piece.")
        open_index()
        assert not old.exists()
        assert session.search("castlng").corrected == "castling"
        assert session.search("may the tower swap").hits
        assert session.ask("castling").entry is not None
