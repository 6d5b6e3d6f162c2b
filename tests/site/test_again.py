"""Building again makes only the pages that come out otherwise, and the site is, byte for byte, the one that is built from nothing."""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kb import paths
from kb.catalog.store import open_catalog
from kb.site.build import Built, build_site, is_fresh
from kb.site.past import place

TOWER = "content/chess/rulings/tower.md"


class Cut(BaseException):
    """The end of a build."""


def cut(*_args: object) -> None:
    raise Cut


@pytest.fixture(scope="module")
def icons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The icons, drawn once for all sites."""
    return tmp_path_factory.mktemp("icons")


@pytest.fixture
def chess(sources: Any, icons: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Sources with their own templates, and a site of them that was built."""
    shutil.copytree(icons, paths.cache_dir() / "icons")
    shutil.copytree(Path(__file__).resolve().parents[2] / "site", sources.root / "site")
    monkeypatch.delenv("KB_PYODIDE", raising=False)
    sources.entry(
        "chess/rulings/tower", "May the tower castle", "No, the king castles.", kind="ruling", about="[ch.castling]"
    )
    for number in range(6):
        sources.entry(f"chess/more/rule-{number}", f"Rule {number}", f"Piece {number} moves; see [[chess/fork]].")
    sources.write(
        "content/chess/errata.yaml",
        """
        title: Errata of pieces
        kind: erratum
        source: {doc: book}
        entries:
          - {id: queen, title: Queen, body: "She is no [[fork]]."}
          - {id: pawn, title: Pawn, formerly: [chess/peon], body: It moves.}
        """,
    )
    build(tmp_path / "out")
    shutil.copytree(paths.cache_dir() / "icons", icons, dirs_exist_ok=True)
    return sources


def build(out: Path, **how: Any) -> Built:
    with open_catalog() as catalog:
        return build_site(catalog, out, **how)


def everything(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def from_nothing(icons: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], dict[str, bytes]]:
    """The site as it is built where nothing was."""

    def made() -> dict[str, bytes]:
        with monkeypatch.context() as patch:
            patch.setenv("KB_HOME", str(tmp_path / "elsewhere"))
            shutil.copytree(icons, paths.cache_dir() / "icons")
            built = build(tmp_path / "elsewhere-site")
            assert built.anew > 12
            files = everything(built.folder)
        for folder in ("elsewhere", "elsewhere-site"):
            shutil.rmtree(tmp_path / folder)
        return files

    return made


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


# What is changed, and how many pages are made anew for it, where that is the point: the first page is always among them.
ALONE: dict[str, tuple[str, str, str, int | None]] = {
    "nothing": ("content/chess/fork.md", "One", "One", 1),
    "a word that only its page shows": ("content/chess/castling.md", "out of check", "out of a check", 2),
    "the first sentence, which others show": ("content/chess/fork.md", "One piece", "A piece", None),
    "a title": ("content/chess/fork.md", "title: Fork", "title: The fork", None),
    "a template": ("site/templates/entry.md.j2", "Bears on", "It bears on", None),
    "the settings": ("site/mkdocs.yml", "site_description: Rules", "site_description: All rules", None),
    "how the site presents itself": ("site.yaml", "", "name: Our chess\nurl: https://example.org/chess\n", None),
}
IN_A_ROW = {
    "a row of a list": ("content/chess/errata.yaml", "It moves.", "It walks."),
    "a question": ("content/chess/castling.md", "may the king swap", "can the king swap"),
    "a link": ("content/chess/fork.md", "[[castling]]", "[[more/rule-1]]"),
    "a citation": ("content/chess/fork.md", "page: 3", "page: 4"),
    "an old address": (TOWER, "kind: ruling", "kind: ruling\nformerly: [chess/rook]"),
    "a heading": ("content/chess/outline.tsv", "Tactics", "Strategy"),
    "a game's title": ("content/chess/game.yaml", "Chess", "Royal chess"),
    "the frame": ("site/theme/main.html", "Skip to the text", "Skip to it"),
    "a style": ("site/theme/assets/kb/base.css", "}", "} "),
    "the manual": ("site/using/index.md", "# Using kb", "# How to use kb"),
    "a word": ("content/chess/more/rule-3.md", "Piece 3", "Piece three"),
}


@pytest.mark.parametrize("name", ALONE)
def test_a_change(name: str, chess: Any, tmp_path: Path, from_nothing: Callable[[], dict[str, bytes]]) -> None:
    path, old, new, anew = ALONE[name]
    if old:
        change(chess.root / path, old, new)
    else:
        (chess.root / path).write_text(new)
    built = build(tmp_path / "out")
    assert everything(tmp_path / "out") == from_nothing()
    if anew is not None:
        assert built.anew == anew


def test_changes_one_after_the_other(chess: Any, tmp_path: Path, from_nothing: Callable[[], dict[str, bytes]]) -> None:
    for path, old, new in IN_A_ROW.values():
        change(chess.root / path, old, new)
        build(tmp_path / "out")
    assert everything(tmp_path / "out") == from_nothing()


def test_entries_come_go_and_move(chess: Any, tmp_path: Path, from_nothing: Callable[[], dict[str, bytes]]) -> None:
    chess.entry("chess/more/new", "New", "A new rule, as in [[chess/more/rule-2]].", aliases="[fresh]")
    build(tmp_path / "out")
    assert everything(tmp_path / "out") == from_nothing()
    (chess.root / "content/chess/more/rule-5.md").unlink()
    (chess.root / "content/chess/more/new.md").rename(chess.root / "content/chess/newest.md")
    build(tmp_path / "out")
    assert everything(tmp_path / "out") == from_nothing()
    assert not (tmp_path / "out/chess/more/rule-5.html").exists()


def test_what_somebody_did_to_the_site_does_not_stay(
    chess: Any, tmp_path: Path, from_nothing: Callable[[], dict[str, bytes]]
) -> None:
    out = tmp_path / "out"
    change(out / "chess/fork.html", "One piece", "No piece")
    (out / "chess/castling.html").unlink()
    (out / "chess/more/rule-1.html").unlink()
    (out / "chess/more/rule-1.html").symlink_to(out / "chess/more/rule-2.html")
    change(out / "api/games/chess.json", "One piece", "No piece")
    (out / "chess/more/rule-3.html").unlink()
    os.mkfifo(out / "chess/more/rule-3.html")
    build(out)
    assert everything(out) == from_nothing()
    assert not (out / "chess/more/rule-1.html").is_symlink()


@pytest.mark.parametrize("file", ["index.json", "games/chess.json", "entries/chess/castling.json"])
def test_data_that_somebody_changed_are_gathered_anew(file: str, chess: Any, tmp_path: Path) -> None:
    data, old = tmp_path / "out" / "api", tmp_path / "old"
    shutil.copytree(data, old)
    (data / file).write_text((data / file).read_text().replace("chess", "checkers", 1))
    build(tmp_path / "out")
    assert everything(data) == everything(old)
    (data / file).unlink()
    os.mkfifo(data / file)
    build(tmp_path / "out")
    assert everything(data) == everything(old)


def test_a_changed_word_gathers_only_its_entry_for_the_data(
    chess: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def whole(*_args: object) -> None:
        raise AssertionError("everything is gathered")

    data = tmp_path / "out" / "api"
    old = everything(data)
    change(chess.root / "content/chess/fork.md", "One piece", "One knight")
    monkeypatch.setattr("kb.site.data.game_parts", whole)
    build(tmp_path / "out")
    now = everything(data)
    assert {name for name in old if now[name] != old[name]} == {
        "index.json", "games/chess.json", "entries/chess/fork.json",
    }  # fmt: skip
    assert now.keys() == old.keys()


@pytest.mark.parametrize(
    "damage", ["", "[]", "{", '{"pages": {"chess/fork": 3}}', '{"pages": {"../../x": ["a", "", [], "b"]}}']
)
def test_a_damaged_memory_is_none(
    damage: str, chess: Any, tmp_path: Path, from_nothing: Callable[[], dict[str, bytes]]
) -> None:
    place(tmp_path / "out").write_text(damage)
    build(tmp_path / "out")
    assert everything(tmp_path / "out") == from_nothing()


def test_a_build_that_is_cut_off_leaves_the_old_site_and_the_next_one_is_right(
    chess: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, from_nothing: Callable[[], dict[str, bytes]]
) -> None:
    before = everything(tmp_path / "out")
    change(chess.root / "content/chess/fork.md", "One piece", "A piece")
    for step in ("run_mkdocs", "write_sitemap", "put_in_place"):
        with monkeypatch.context() as patch:
            patch.setattr(f"kb.site.build.{step}", cut)
            with pytest.raises(Cut):
                build(tmp_path / "out")
        assert everything(tmp_path / "out") == before
    with monkeypatch.context() as patch:
        patch.setattr("kb.site.build.keep_past", cut)  # the new site is in place, and nothing is known of it
        with pytest.raises(Cut):
            build(tmp_path / "out")
    build(tmp_path / "out")
    assert everything(tmp_path / "out") == from_nothing()


def test_what_comes_out_the_same_is_not_touched(chess: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"

    def marks() -> dict[str, tuple[int, int]]:
        files = {path: path.stat() for path in out.rglob("*") if path.is_file()}
        return {path.relative_to(out).as_posix(): (told.st_mtime_ns, told.st_ino) for path, told in files.items()}

    before = marks()
    change(chess.root / "content/chess/castling.md", "out of check", "out of a check")
    build(out)
    now = marks()
    touched = {name for name in before if now.get(name) != before[name]}
    assert "chess/castling.html" in touched
    assert {name for name in touched if "/search/" not in name} == {
        ".kb-site.json", "api/entries/chess/castling.json", "api/games/chess.json", "api/index.json", "assets/kb/along.bin",
        "assets/kb/search-data.js", "chess/castling.html", "service-worker.js",
    }  # fmt: skip


def test_a_letter_that_somebody_changed_does_not_stay(
    chess: Any, tmp_path: Path, from_nothing: Callable[[], dict[str, bytes]]
) -> None:
    out = tmp_path / "out"
    part = next((out / "assets/kb/search").iterdir())
    for path in (out / "chess/fork.html", out / "api/entries/chess/fork.json", out / "llms.txt", part):
        data = path.read_bytes()
        path.write_bytes(data[:-3] + b"#" + data[-2:])
    build(out)
    assert everything(out) == from_nothing()


def test_a_copied_site_keeps_its_pages(chess: Any, tmp_path: Path) -> None:
    """As when a host keeps the folder between runs: every file is another one, with the same bytes."""
    shutil.copytree(tmp_path / "out", tmp_path / "copy")
    shutil.rmtree(tmp_path / "out")
    (tmp_path / "copy").rename(tmp_path / "out")
    assert build(tmp_path / "out").anew == 1


def test_a_build_that_is_killed_while_files_are_moved_in_is_finished_by_the_next(
    chess: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, from_nothing: Callable[[], dict[str, bytes]]
) -> None:
    out = tmp_path / "out"
    change(chess.root / "content/chess/fork.md", "One piece", "A piece")
    chess.entry("chess/more/new", "New", "A new rule.")
    with monkeypatch.context() as patch:
        patch.setattr("kb.files.patch.apply", cut)
        patch.setattr("kb.files.patch.discard", lambda _folder: None)  # a process that is killed does nothing any more
        with pytest.raises(Cut):
            build(out)
    with open_catalog() as catalog:
        assert not is_fresh(out, catalog)
    build(out)
    assert everything(out) == from_nothing()
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".out")]


def test_a_folder_that_went_elsewhere_is_built_whole(
    chess: Any, tmp_path: Path, from_nothing: Callable[[], dict[str, bytes]]
) -> None:
    shutil.move(tmp_path / "out", tmp_path / "moved")
    held = gc.get_freeze_count()
    assert build(tmp_path / "moved").anew > 12
    assert gc.get_freeze_count() <= held, "what a build kept from being looked through may go again"
    assert everything(tmp_path / "moved") == from_nothing()


def test_pages_for_mkdocs_are_kept_whole(chess: Any, tmp_path: Path) -> None:
    built = build(tmp_path / "out", pages=tmp_path / "pages")
    assert built.anew > 12
    assert (tmp_path / "pages/docs/chess/fork.md").is_file()
