"""A host's own site: its name, picture, colour, address and games stand everywhere, and games that are left out nowhere."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kb.catalog.store import build_catalog
from kb.site.build import build_site, is_fresh
from tests.conftest import Sources

LOGO = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><circle cx='4' cy='4' r='4' fill='#7a1f4d'/></svg>"
SETTINGS = """
name: "Rules of our <table>"
url: https://example.org/rules
games: [chess]
colour: "#7a1f4d"
logo: table.svg
"""


@pytest.fixture
def own(sources: Sources, tmp_path: Path) -> Path:
    """A site of one of two games, as a site.yaml beside the sources wants it."""
    sources.write("content/go/game.yaml", "title: Weiqi\n")
    sources.write("content/go/sources.yaml", "- {id: book, title: Book of Weiqi, outline: outline.tsv}\n")
    sources.write("content/go/outline.tsv", "id\ttitle\tkind\tsection\tpage\ngo.ko\tKo\trule\tStones\t3\n")
    sources.entry("go/ko", "Ko", "You may not repeat.", covers="[go.ko]", formerly="[go/repetition]")
    sources.entry("chess/repetition", "Repetition", "It may repeat, unlike [[go/ko|the stones]].", see="[go/ko]")
    sources.write("site.yaml", SETTINGS)
    sources.write("table.svg", LOGO)
    with build_catalog() as catalog:
        out = build_site(catalog, tmp_path / "out").folder
        assert is_fresh(out, catalog)
    return out


def test_a_site_of_ones_own(own: Path, tab: Callable[..., Any]) -> None:
    files = {path.relative_to(own).as_posix(): path for path in own.rglob("*") if path.is_file()}
    texts = {
        name: path.read_text(encoding="utf-8")
        for name, path in files.items()
        if path.suffix in (".html", ".js", ".xml")
    }
    pages = {name: text for name, text in texts.items() if name.endswith(".html") and name != "404.html"}
    # Nothing of the other game, and no address that leads nowhere.
    assert not [name for name, text in texts.items() if "Weiqi" in text or re.search(r"\bgo/|[\"']go[\"']", text)]
    assert "unlike <em" in pages["chess/repetition.html"]
    assert not [name for name in files if name.startswith(("go/", "using/arkham", "using/luxor"))]
    for name, text in texts.items():
        for found in re.findall(r'(?:href|src)="([^"#?]+)', text if name in pages else ""):
            if not found.startswith(("http", "data:")):
                assert (own / name).parent.joinpath(found).resolve().is_file(), (name, found)
    # Every page says where it stands; the sitemap has them all.
    listed = re.findall(r"<loc>https://example.org/rules/(.*?)</loc>", texts["sitemap.xml"])
    assert sorted(listed) == sorted(pages)
    assert "lastmod" not in texts["sitemap.xml"]
    for name, text in pages.items():
        assert f'<link rel="canonical" href="https://example.org/rules/{name}">' in text
        assert '<meta property="og:site_name" content="Rules of our &lt;table&gt;">' in text
        assert re.search(r'<meta property="og:title" content="[^"]+">', text)
        assert "own-logo.svg" in text
    assert '<a data-home href="https://example.org/rules/">' in texts["404.html"]
    assert json.loads(files["manifest.webmanifest"].read_text())["icons"][0]["src"] == "assets/kb/own-logo.svg"
    # And it looks so.
    opened = tab(f"file://{own}")
    page = opened.open("index.html")
    assert page.title() == "Rules of our <table>"
    assert page.inner_text(".kb-logo") == "Rules of our <table>"
    assert page.evaluate("document.querySelector('.kb-logo img').naturalWidth") > 0
    assert page.evaluate("getComputedStyle(document.querySelector('.kb-three a')).color") == "rgb(122, 31, 77)"
    assert page.locator(".kb-topnav a").count() <= 2
    page = opened.open("check.html")
    assert "No game of this site has deck checks" in page.inner_text("article")
    assert opened.strangers == []
    assert opened.errors == []


def test_a_name_on_the_command_line_goes_before_the_file(own: Path, tmp_path: Path, kb: Callable[..., Any]) -> None:
    said = kb("site", "build", "--single", str(tmp_path / "one.html"), "--name", "Another", "--games", "go")
    assert said.code == 0, said.err
    text = (tmp_path / "one.html").read_text(encoding="utf-8")
    assert "<title>Another</title>" in text
    assert "You may not repeat" in text
    assert "Castling" not in text
