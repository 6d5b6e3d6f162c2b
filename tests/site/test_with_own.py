"""A site built with a host's own imports contains all their words, marked as imports. A site built without them
contains no word of them.
"""

import json
import re

import pytest

from kb.api.session import Session
from kb.site.build import Given, build_site
from tests.conftest import ROOT

BOOK = """# Quorbel rules

## Zorblax gambit

A gambit may be <script>alert(1)</script> {{ 7 * 7 }} taken *once*. [Here](javascript:alert(2))

Twice is too often.

## Castling

The king moves two squares.
"""
CARDS = "name,copies,type,deck,class_deck,traits\n<b>Grimble</b> Mace,2,weapon,B,Cleric,Magic; Odd\n"


def texts(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for path in folder.rglob("*")
        if path.is_file()
    }


def shown_rows(found):
    """Return the rows of the site's search data, by the name of the file. `found` contains the texts of all files by
    name.
    """
    parts = {}
    for name, text in found.items():
        if name.startswith("assets/kb/search/"):
            data = json.loads(text[text.index(",") + 1 :].rstrip().removesuffix(")").replace("<\\/", "</"))
            if isinstance(data, list):
                parts[name] = data
    return parts


@pytest.fixture
def imported(sources, kb, tmp_path):
    (tmp_path / "book.md").write_text(BOOK, "utf-8")
    (tmp_path / "cards.csv").write_text(CARDS, "utf-8")
    for path in sorted((ROOT / "cards" / "pathfinder" / "rotr").glob("*.json")):
        sources.write(f"cards/pathfinder/rotr/{path.name}", path.read_text("utf-8"))
    sources.write("content/pathfinder/game.yaml", "title: Pathfinder\n")
    sources.write("content/pathfinder/sources.yaml", "- {id: rotr-rulebook, title: Rotr, outline: rotr/outline.tsv}\n")
    sources.write(
        "content/pathfinder/rotr/outline.tsv", "id\ttitle\tkind\tsection\tpage\nrotr.hand\tHand\trule\tPlay\t3\n"
    )
    sources.entry(
        "pathfinder/rotr/hand", "Hand", "You hold cards.", covers="[rotr.hand]", source="{doc: rotr-rulebook}"
    )
    for done in (
        kb("import rulebook {} --game chess --title Quorbel", tmp_path / "book.md"),
        kb("import cards {} --game pathfinder --title Grimbles", tmp_path / "cards.csv"),
    ):
        assert done.code == 0, done


def test_own_imports_are_on_the_site_only_on_request(imported, tmp_path):
    out = tmp_path / "site"
    build_site(out, given=Given(with_own=True))
    found = texts(out)
    with Session() as session:
        (gambit, *_more) = [hit for hit in session.search("zorblax gambit").hits if hit.kind == "rulebook"]
        (mace,) = [hit for hit in session.search("grimble mace").hits if "own-cards" in hit.id]
    page = found[f"{gambit.id}.html"]
    assert "Your copy of Quorbel" in page
    assert "Twice is too often." in page
    assert "only if you have the right to" in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert(1)" not in page
    assert "javascript:" not in re.sub(r"<p>.*?</p>", "", page)
    book = found[f"{gambit.id.rpartition('/')[0]}/index.html"]
    assert book.count("your copy of Quorbel") >= 2
    listed = found["pathfinder/own-cards/grimbles/index.html"]
    assert "Grimble" in listed
    assert "<b>Grimble" not in listed
    assert re.findall(r"<th[^>]*>\s*(?:<button[^>]*>)?\s*([A-Z][\w ]*)", listed) == [
        "Name",
        "Type",
        "Traits",
        "Deck or level",
        "Copies",
    ]
    assert any(
        "1 own card" in text and "1 own cards" not in text
        for name, text in found.items()
        if name.endswith("pathfinder/index.html")
    )
    rows = [
        row for listed in shown_rows(found).values() for row in listed if len(row) > 2
    ]  # rows with two columns are vectors
    (row,) = [row for row in rows if row[3].startswith("your copy of Quorbel") and "zorblax" in row[2].lower()]
    assert row[1] in (1, f"{gambit.id}.html")
    (card,) = [row for row in rows if "Grimble" in row[2]]
    assert card[0] == mace.id.rpartition("/")[2]
    place, _mark, anchor = str(card[1]).partition("#")
    assert place in found
    assert anchor
    assert anchor in listed
    assert any("rulebooks/quorbel/index.html" in text for name, text in found.items() if name == "chess/index.html")
    for name, text in found.items():
        if name.startswith("api/"):
            assert "zorblax" not in text.lower()
            assert "grimble" not in text.lower()
    # A later build without the imports contains no word of them.
    build_site(out)
    for name, text in texts(out).items():
        for word in ("zorblax", "quorbel", "grimble"):
            assert word not in f"{name} {text}".lower(), name


def test_the_phone_edition_refuses(kb, sources, tmp_path):
    for given in (("--with-own",), ("--out", "x"), ("--url", "https://example.org")):
        assert (
            "cannot be combined with --out, --config, --with-own or --url"
            in kb(["site", "build", "--single", str(tmp_path / "kb.html"), *given]).refusal
        )
    assert not (tmp_path / "kb.html").exists()
