"""Badly broken sources: kb names each broken file, and neither crashes nor waits."""

import os

import pytest

from kb.catalog.store import source_files
from kb.sources.content import read_sources

DEEP = "[" * 30_000
CHESS = "content/chess/"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("game.yaml", DEEP, "nested deeper than"),
        ("game.yaml", b"\xff\xfe", "not UTF-8"),
        ("sources.yaml", DEEP, "nested deeper than"),
        ("sources.yaml", b"\xff", "not UTF-8"),
        ("synonyms.yaml", "- " * 30_000 + "x", "nested deeper than"),
        ("outline.tsv", b"\xff", "not UTF-8"),
        ("outline.tsv", "id\nch.castling\n", "`section` is missing"),
        ("bad.md", b"---\ntitle: \xfc\n---\nx\n", "not UTF-8"),
        ("bad.md", f"---\ntitle: {DEEP}\n---\nx\n", "nested deeper than"),
        ("list.yaml", "a: {" * 20_000, "nested deeper than"),
    ],
)
def test_broken_files_are_named(sources, kb, name, data, said):
    path = sources.root / CHESS / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    told = kb("search castling").refusal
    assert f"{CHESS}{name}" in told
    assert said in told


@pytest.mark.posix
def test_sources_that_are_not_files_are_named_and_hide_nothing(sources, kb):
    folder = sources.root / CHESS
    os.mkfifo(folder / "pipe.md")
    (folder / "gone.md").symlink_to("nowhere")
    (folder / "loop.md").symlink_to("loop.md")
    (folder / "folder.md").mkdir()
    assert [line.split(":")[0] for line in kb("search castling").refusal.split("\n")[:4]] == [
        f"{CHESS}{name}.md" for name in ("folder", "gone", "loop", "pipe")
    ]
    assert str(folder / "fork.md") in [path for path, *_ in source_files(None)]


def test_names_that_are_not_utf8_are_named(sources, kb):
    folder = sources.root / CHESS
    try:
        (folder / "fork.md").rename(folder / os.fsdecode(b"f\xff.md"))
    except OSError:
        pytest.skip("this file system has UTF-8 names only")
    assert "the name of the file is not UTF-8" in kb("search castling").refusal


def test_deep_card_facts_are_named(sources, kb):
    for name in ("cards/pathfinder/rotr/weapon.json", "cards/arkham/packs.json"):
        path = sources.root / name
        path.parent.mkdir(parents=True)
        path.write_text("[" + DEEP)
    told = kb("build").refusal
    assert "cards/pathfinder/rotr/weapon.json" in told
    assert "cards/arkham/packs.json" in told


@pytest.mark.parametrize("file", ["arkham/packs.json", "pathfinder/mm/ally.json", "../content/chess/huge.md"])
def test_a_file_of_a_hundred_megabytes_is_not_read(file, sources, tmp_path):
    game = file.split("/")[0]
    if game != "..":
        sources.write(f"cards/{game}/special.yaml" if game == "arkham" else f"cards/{game}/mm/adventures.json", "[]\n")
    path = (sources.root / "cards" / file).resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.truncate(path, 100_000_000)
    _content, _facts, problems = read_sources(sources.root)
    assert [problem for problem in problems if path.name in problem.path and "larger than" in problem.message]
