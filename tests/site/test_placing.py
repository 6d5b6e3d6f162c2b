"""A new site replaces what kb wrote and nothing else, and never half."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from kb.files import swap
from kb.files.folders import real_folder
from kb.site.build import keep_pages
from kb.site.folder import SiteError, reason
from kb.site.placing import MARKER, check_places, foreign, put_in_place, read_marker

TOLD = {"version": "1", "catalog": "now"}


def make(folder: Path, *names: str, text: str = "new") -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def everything(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and path.name != MARKER
    }


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site of two pages."""
    monkeypatch.setenv("KB_HOME", str(tmp_path / "home"))
    folder = tmp_path / "public/site"
    folder.parent.mkdir()
    put_in_place(make(tmp_path / "first", "index.html", "old/page.html", text="old"), folder, TOLD, False)
    return folder


def test_a_site_is_replaced_whole_and_keeps_its_mode(out: Path, tmp_path: Path) -> None:
    out.chmod(0o750)
    put_in_place(make(tmp_path / "second", "index.html", "a/b.html"), out, TOLD, False)
    assert everything(out) == {"index.html": "new", "a/b.html": "new"}
    assert out.stat().st_mode & 0o777 == 0o750
    assert [path.name for path in out.parent.iterdir()] == ["site"]


def test_what_others_put_there_stops_a_build_or_stays_by_request(out: Path, tmp_path: Path) -> None:
    make(out, ".git/HEAD", "CNAME", "old/notes.txt", text="mine")
    assert foreign(out) == [".git/HEAD", "CNAME", "old/notes.txt"]
    with pytest.raises(SiteError, match=r"\.git/HEAD, CNAME, old/notes\.txt.*--keep"):
        check_places(out, None, False)
    check_places(out, None, True)
    put_in_place(make(tmp_path / "second", "index.html", "a/b.html"), out, TOLD, True)
    mine = {".git/HEAD": "mine", "CNAME": "mine", "old/notes.txt": "mine"}
    assert everything(out) == {**mine, "index.html": "new", "a/b.html": "new"}
    put_in_place(make(tmp_path / "third", "index.html"), out, TOLD, True)
    assert everything(out) == {**mine, "index.html": "new"}


def test_a_file_of_others_is_never_overwritten(out: Path, tmp_path: Path) -> None:
    make(out, "a.html", text="mine")
    before = everything(out)
    with pytest.raises(SiteError, match=r"holds a\.html"):
        put_in_place(make(tmp_path / "second", "index.html", "a.html"), out, TOLD, True)
    assert everything(out) == before


def test_a_folder_without_a_marker_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="something else than a site"):
        check_places(make(tmp_path / "mine", "index.html"), None, False)
    check_places(tmp_path / "none", None, False)
    (tmp_path / "empty").mkdir()
    check_places(tmp_path / "empty", None, False)
    with pytest.raises(SiteError, match="is not a folder"):
        check_places(tmp_path / "mine/index.html", None, False)


def test_a_site_of_an_older_kb_keeps_no_list_and_yet_loses_no_repository(out: Path) -> None:
    (out / MARKER).write_text('{"version": "0", "catalog": "x"}')
    assert foreign(out) == []
    make(out, ".git/HEAD", "CNAME")
    assert foreign(out) == [".git/HEAD", "CNAME"]


def test_folders_that_lie_in_each_other_are_refused(tmp_path: Path) -> None:
    for out, pages in (("a", "a"), ("a", "a/b"), ("a/b", "a")):
        with pytest.raises(SiteError, match="lie in each other"):
            check_places(tmp_path / out, tmp_path / pages, False)
    check_places(tmp_path / "a", tmp_path / "b", False)


def test_a_link_to_the_folder_stays_a_link(out: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(out)
    put_in_place(make(tmp_path / "second", "index.html"), real_folder(link), TOLD, False)
    assert link.is_symlink()
    assert everything(out) == {"index.html": "new"}


@pytest.mark.parametrize("failing", [1, 2])
def test_when_a_rename_fails_the_old_site_is_there(
    failing: int, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, really, calls = everything(out), swap.replace, 0

    def replace(*paths: Any) -> None:
        nonlocal calls
        calls += paths[1].name != MARKER
        if calls == failing:
            calls += 1
            raise OSError(5, "Input/output error")
        really(*paths)

    new = make(tmp_path / "second", "index.html")
    monkeypatch.setattr(swap, "replace", replace)
    with pytest.raises(OSError, match="Input/output"):
        put_in_place(new, out, TOLD, False)
    assert everything(out) == before
    assert read_marker(out)


def test_files_that_stay_are_not_touched_and_others_come_and_go(out: Path, tmp_path: Path) -> None:
    before = (out / "index.html").stat()
    put_in_place(make(tmp_path / "second", "a/b.html"), out, TOLD, False, {"index.html"})
    assert everything(out) == {"index.html": "old", "a/b.html": "new"}
    assert (out / "index.html").stat() == before
    assert not (out / "old").exists()
    assert foreign(out) == []
    assert [path.name for path in out.parent.iterdir()] == ["site"]


@pytest.mark.parametrize("name", ["many", "in the way"])
def test_where_much_or_a_folder_changes_the_whole_is_swapped(
    name: str, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb.site.placing.patch_in", None)
    if name == "many":
        monkeypatch.setattr("kb.site.placing.MOST_ANEW", 0)
    new = "a.html" if name == "many" else "old/page.html/index.html"
    put_in_place(make(tmp_path / "second", new), out, TOLD, False, {"index.html"})
    assert everything(out) == {"index.html": "old", new: "new"}
    assert foreign(out) == []


def test_files_of_others_stay_beside_files_that_stay(out: Path, tmp_path: Path) -> None:
    make(out, "CNAME", text="mine")
    with pytest.raises(SiteError, match="CNAME"):
        put_in_place(make(tmp_path / "second", "a.html"), out, TOLD, False, {"index.html"})
    assert everything(out) == {"index.html": "old", "old/page.html": "old", "CNAME": "mine"}
    put_in_place(make(tmp_path / "third", "a.html"), out, TOLD, True, {"index.html"})
    assert everything(out) == {"index.html": "old", "a.html": "new", "CNAME": "mine"}
    assert foreign(out) == ["CNAME"]


def test_when_a_file_cannot_be_moved_in_the_old_site_is_there(
    out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, really, failed = everything(out), swap.replace, []

    def replace(source: Path, target: Path) -> None:
        if target == out / MARKER and not failed:
            failed.append(target)
            raise OSError(28, "No space left on device")
        really(source, target)

    new = make(tmp_path / "second", "a/b.html", "old/page.html")
    monkeypatch.setattr("kb.files.patch.replace", replace)
    with pytest.raises(OSError, match="No space"):
        put_in_place(new, out, TOLD, False, {"index.html"})
    assert everything(out) == before
    assert read_marker(out)
    assert foreign(out) == []


def test_pages_that_found_no_room_are_told_in_words_and_leave_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: str, target: str, **_how: object) -> None:
        raise OSError(28, "No space left on device", source, None, target)

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(
        SiteError, match=r"^The site is built, but its pages cannot be kept in .*/pages: No space left on device\.$"
    ):
        keep_pages(make(tmp_path / "staging", "docs/a.md", "docs/b.md"), tmp_path / "pages", TOLD)
    assert reason(OSError(27, "File too large", "x")) == "File too large"
    assert [path.name for path in tmp_path.iterdir()] == ["staging"]
