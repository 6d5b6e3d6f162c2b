"""Chapters of a volume: the page about gaps in the source comes first, and an overview begins the chapter that has
its name.
"""

from kb.catalog.store import open_catalog
from kb.site.chapters import chapters_of
from kb.site.library import Library

OUTLINE = (
    "id\ttitle\tkind\tsection\tpage\n"
    "c.game\tThe Game\trule\tRules\t1\n"
    "c.pieces\tPieces (King, Rook)\trule\tThe Game\t2\n"
    "c.king\tKing\tterm\tThe Game > Pieces\t2\n"
    "c.rook\tRook\tterm\tThe Game > Pieces\t3\n"
    "c.clock\tClock\trule\tThe Game\t4\n"
)


def test_the_about_page_and_overviews_come_first(sources):
    sources.write("content/chess/outline.tsv", OUTLINE)
    (sources.root / "content/chess/fork.md").unlink()
    (sources.root / "content/chess/castling.md").unlink()
    for name in ("game", "pieces", "king", "rook", "clock"):
        sources.entry(f"chess/{name}", name.title(), f"This is about the {name}.", covers=f"[c.{name}]")
    sources.entry("chess/about", "About", "The rules of draws are missing.")
    with open_catalog() as catalog:
        chapters = chapters_of(Library(catalog), "chess")
    told = [
        (title, [each.id.split("/")[-1] for each in listed]) for chapter in chapters for title, listed in chapter.groups
    ]
    assert told == [("", ["about"]), ("", ["game", "clock"]), ("Pieces", ["pieces", "king", "rook"])]


def test_pages_without_a_heading_follow_their_overview(sources):
    sources.write("content/chess/outline.tsv", OUTLINE)
    (sources.root / "content/chess/fork.md").unlink()
    (sources.root / "content/chess/castling.md").unlink()
    for name in ("game", "pieces", "king", "rook", "clock"):
        sources.entry(f"chess/{name}", name.title(), f"This is about the {name}.", covers=f"[c.{name}]")
    sources.entry("chess/check", "Check", "Look at the king.", kind="reference")
    sources.entry("chess/move", "Move", "A move.", kind="reference", see="[touch, check]")
    sources.entry("chess/touch", "Touch", "Touch it, and it moves.", kind="reference")
    sources.entry("chess/castle", "Castle", "The king and the rook.", kind="rule", see="[king]")
    with open_catalog() as catalog:
        chapters = {chapter.title: chapter.groups for chapter in chapters_of(Library(catalog), "chess")}
    steps = [each.id for _title, listed in chapters["Step by step"] for each in listed]
    assert steps == ["chess/move", "chess/touch", "chess/check"]  # in the order in which the overview names them
    pieces = dict(chapters["The Game"])["Pieces"]
    assert [each.id for each in pieces] == ["chess/pieces", "chess/king", "chess/rook", "chess/castle"]
