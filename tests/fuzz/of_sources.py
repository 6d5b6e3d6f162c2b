"""Readers of what we and hosts write: entries, lists of them, cards, bodies as pages and on a terminal."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

from kb.cli.terminal import body_lines
from kb.sentences import sentences
from kb.site.markdown import BodyRenderer
from kb.sources.sources import read_sources
from tests.conftest import ROOT
from tests.fuzz.mutate import Corpus, Reader
from tests.fuzz.of_decks import BETWEEN
from tests.fuzz.seeds import SMALL

CHANGES = """\
- date: '2026-01-02'
  text: Castling was told anew.
  entries: [castling]
- {date: '2025-01-02', text: x, entries: [rulings/one]}
"""
# What a page must not hold, whatever the body is.
ALIVE = re.compile(
    r"<script|<img|<iframe|\son\w+\s*=\s*[\"']|(?:href|src)=[\"']?\s*(?:javascript|data|vbscript):", re.I
)
ALLOWED = re.compile(
    r"</?(?:p|em|strong|a|code|pre|h\d|ul|ol|li|table|thead|tbody|tr|td|th|div|blockquote|br|hr|figure|details|summary|i)\b"
)


def told(folder: Path) -> Any:
    """What is wrong with the sources in a folder, each with its place."""
    _content, _facts, problems = read_sources(folder)
    assert all(problem.path and problem.message for problem in problems)
    assert len(problems) < 10_000
    return [str(problem) for problem in problems]


def small(folder: Path) -> Path:
    """Valid small sources of a game."""
    chess = folder / "content/chess"
    chess.mkdir(parents=True)
    for name, text in {**SMALL, "changes.yaml": CHANGES}.items():
        (chess / name).write_text(text, encoding="utf-8")
    return chess


def of_file(folder: Path, name: str, form: str, seeds: list[bytes | str] | None = None) -> Reader:
    """A reader of one file of the small sources."""
    chess = small(folder)

    def read(data: bytes) -> Any:
        (chess / name).write_bytes(data)
        return told(folder)

    return Reader(Corpus.of(seeds or [SMALL[name]], form), read)


def entries(folder: Path) -> Reader:
    """An entry with its front matter."""
    real = sorted((ROOT / "content").glob("*/glossary/a*.md"))[:10]
    return of_file(
        folder,
        "castling.md",
        "text",
        [SMALL["castling.md"], SMALL["castling.md"], *(path.read_bytes() for path in real)],
    )


def lists_of_entries(folder: Path) -> Reader:
    """A list of entries."""
    return of_file(folder, "rulings.yaml", "yaml")


def about_the_game(folder: Path) -> Reader:
    """Names, documents, outline, synonyms and changes of a game, one of them at a time."""
    chess = small(folder)
    texts = {
        name: text
        for name, text in {**SMALL, "changes.yaml": CHANGES}.items()
        if not name.endswith((".md", "rulings.yaml"))
    }

    def read(data: bytes) -> Any:
        pieces = BETWEEN.split(data)
        for name, text in texts.items():
            (chess / name).write_text(text, encoding="utf-8")
        name = pieces[1].decode("utf-8", "replace") if len(pieces) > 2 else ""
        if name in texts:
            (chess / name).write_bytes(pieces[2].removeprefix(b"\n"))
        return told(folder)

    return Reader(Corpus.of([f"=== {name}\n{text}" for name, text in texts.items()]), read)


def cards(folder: Path, game: str, files: dict[str, int]) -> Reader:
    """Cards of a game: the first records of some of its files, one file of which is spoiled."""
    small(folder)
    shelf = folder / "cards" / game
    (folder / "content" / game).mkdir()
    (folder / "content" / game / "game.yaml").write_text(f"title: {game}\n")
    kept = {
        name: json.loads((ROOT / "cards" / game / name).read_text(encoding="utf-8"))[:most]
        for name, most in files.items()
    }

    def read(data: bytes) -> Any:
        shutil.rmtree(shelf, ignore_errors=True)
        for name, rows in kept.items():
            (shelf / name).parent.mkdir(parents=True, exist_ok=True)
            (shelf / name).write_text(json.dumps(rows), encoding="utf-8")
        if game == "arkham":
            (shelf / "special.yaml").write_text("[]\n")
        name, _, text = data.partition(b"\n")
        if (known := name.strip(b'"= ').decode("utf-8", "replace")) in kept:
            (shelf / known).write_bytes(text)
        else:
            (shelf / next(iter(kept))).write_bytes(data)
        return told(folder)

    seeds = [f"=== {name}\n{json.dumps(rows, indent=1)}" for name, rows in kept.items()]
    return Reader(Corpus.of([*seeds, *map(json.dumps, kept.values())], "json"), read)


def arkham_cards(folder: Path) -> Reader:
    """Cards, investigators, packs and taboos of Arkham Horror."""
    files = {
        "player/core.json": 4,
        "investigators.json": 2,
        "packs.json": 4,
        "cycles.json": 4,
        "taboos.json": 4,
        "taboo_lists.json": 4,
    }
    return cards(folder, "arkham", files)


def pathfinder_cards(folder: Path) -> Reader:
    """Cards, characters and scenarios of Pathfinder."""
    return cards(
        folder, "pathfinder", {f"mm/{path.name}": 2 for path in sorted((ROOT / "cards/pathfinder/mm").glob("*.json"))}
    )


def bodies(_folder: Path) -> Reader:
    """Bodies of entries: as HTML of a page, as lines of a terminal, as sentences."""
    renderer = BodyRenderer(lambda name: "<i></i>" if name == "damage" else None, lambda _source: None)

    def read(data: bytes) -> Any:
        text = data.decode("utf-8", "replace")
        page = renderer.render(text, lambda path, _anchor, _card: "../x/" if path else None, lambda path, _card: path)
        strange = ALIVE.search(re.sub(r'title="[^"]*"|>[^<]*<', "><", page)) or next(
            (tag for tag in re.finditer(r"<[^>]*>?", page) if not ALLOWED.match(tag[0])), None
        )
        assert strange is None, strange[0][:200]
        return body_lines(text), [sentence.text for sentence in sentences(text)]

    real = [
        path.read_text(encoding="utf-8").split("---", 2)[2]
        for path in sorted((ROOT / "content").glob("*/*/*.md"))[:200:10]
    ]
    odd = "a ``` b\n\n~~~\n```\nx\n~~~\n\n[x][1] ![y](z) <b onclick=x> &lt; [a](javascript:x) [[fork|*x*]] [damage] {#p}\n\n[1]: javascript:x\n"
    return Reader(Corpus.of([SMALL["castling.md"].split("---", 2)[2], odd, odd, *real]), read)
