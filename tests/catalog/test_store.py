"""kb builds the catalog when it is needed, replaces it in one step, and keeps the old one while the sources are
broken.
"""

import json
import os
import subprocess
import sys

import pytest
from whoosh.index import open_dir

from kb.catalog.queries import rulings_on
from kb.catalog.store import build_catalog, home, open_catalog
from kb.export.write import game_files
from kb.retrieval.engine import SearchIndex
from kb.sources.problems import SourceError


def test_builds_on_demand_and_only_when_sources_change(sources):
    with open_catalog() as catalog:
        first = catalog.index_folder
        assert catalog.counts()["entry"] == {"chess": 2}
    with open_catalog() as catalog:
        assert catalog.index_folder == first
    castling = sources.root / "content/chess/castling.md"
    os.utime(castling, (1, 1))
    with open_catalog() as catalog:
        assert catalog.index_folder == first, "a new file time alone does not cause a rebuild"
    castling.write_text(castling.read_text().replace("two squares", "exactly two squares"))
    with open_catalog() as catalog:
        assert catalog.index_folder != first
        entry = catalog.entry("chess/castling")
    assert "exactly two squares" in entry.body


def test_the_catalog_returns_an_entry_with_everything_related(sources):
    sources.entry(
        "chess/rulings/one",
        "Ruling",
        "Yes.",
        kind="ruling",
        about="[ch.castling]",
        authority="designer",
        formerly="[chess/old]",
    )
    with open_catalog() as catalog:
        entry = catalog.entry("chess/castling")
        assert (entry.title, entry.citation, entry.covers) == ("Castling", "Book of Chess, p. 3", ["ch.castling"])
        assert entry.listed("see") == ["chess/fork"]
        assert [item.id for item in catalog.linking("chess/fork")] == ["chess/castling"]
        assert [item.id for item in rulings_on(catalog, entry)] == ["chess/rulings/one"]
        moved = catalog.entry("chess/old")
        assert moved.id == "chess/rulings/one"
        assert catalog.entry("chess/none") is None
        assert catalog.citations(["chess/fork", "chess/none"]).keys() == {"chess/fork"}


def test_rulings_are_sorted_by_authority(sources):
    for name, fields in (
        ("a", {"authority": "community-consensus"}),
        ("b", {"authority": "developer", "signed": "false"}),
        ("c", {"authority": "developer"}),
        ("d", {"authority": "official-faq", "superseded_by": "[fork]"}),
        ("e", {}),
    ):
        sources.entry(f"chess/rulings/{name}", name, "Yes.", kind="ruling", about="[ch.castling]", **fields)
    with open_catalog() as catalog:
        castling = catalog.entry("chess/castling")
        found = [item.id.rsplit("/", 1)[1] for item in rulings_on(catalog, castling)]
    assert found == ["e", "c", "b", "a", "d"]


def test_broken_sources_leave_the_old_catalog_in_use(sources):
    open_catalog().close()
    path = sources.entry("chess/broken", "Broken", "[[nowhere]]")
    said = []
    with open_catalog(say=said.append) as catalog:
        assert catalog.entry("chess/castling") is not None
        assert catalog.entry("chess/broken") is None
    assert "chess/broken.md:6: the link [[nowhere]] leads nowhere" in said[0]
    with pytest.raises(SourceError):
        build_catalog()
    path.unlink()
    said.clear()
    open_catalog(say=said.append).close()
    assert said == []


@pytest.mark.extended
def test_two_processes_may_start_at_once(sources):
    script = "from kb.catalog.store import open_catalog; print(open_catalog().entry('chess/fork').title)"
    running = [subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate(timeout=120)[0].strip() for process in running] == ["Fork"] * 3
    assert len(list(home().glob("build-*"))) == 1


def test_changed_entries_are_updated_and_deleted_ones_disappear(sources):
    for number in range(12):
        sources.entry(f"chess/filler-{number}", f"Filler {number}", f"Nothing but filler number {number}.")
    open_catalog().close()
    sources.entry("chess/fork", "Fork", "Now it speaks of zugzwang.", kind="term", covers="[ch.fork]")
    (sources.root / "content/chess/filler-3.md").unlink()
    with open_catalog() as catalog:
        index = SearchIndex(catalog.index_folder)
    assert [hit.id for hit in index.search("zugzwang").hits] == ["chess/fork"]
    assert "chess/filler-3" not in [hit.id for hit in index.search("filler", limit=50).hits]
    assert index.search("filler", limit=50).total == 11
    index.close()


def test_whoosh_opens_the_index(sources):
    with open_catalog() as catalog, open_dir(catalog.index_folder).reader() as reader:
        assert {b"chess/castling", b"chess/fork"} <= set(reader.lexicon("id"))


def test_the_real_content_builds(real):
    with open_catalog() as catalog:
        counts = catalog.counts()
    assert set(counts["entry"]) == {"arkham", "luxor", "pathfinder", "tainted-grail"}
    assert counts["character"]["pathfinder"] == 22


def test_every_key_of_a_record_reaches_show_and_export(real):
    """The facts of a card have keys of their own, such as `set`. They must not hide a record's key of the same name."""
    with open_catalog() as catalog:
        found = {card["id"]: card for card in catalog.all_cards()}
        exported = {card["id"]: card for game in game_files(catalog).values() for card in game["cards"]}
        rows = catalog.rows(
            "SELECT c.id, r.data FROM card c JOIN record r "
            "ON r.game = c.game AND r.kind = c.record_kind AND r.position = c.record_position"
        )
    records = {card_id: json.loads(data) for card_id, data in rows}
    lost = {
        (card_id, key) for card_id, record in records.items() for key in record if found[card_id][key] != record[key]
    }
    assert not lost
    assert exported == found
    assert found["arkham/cards/84032"]["encounter_set"] == "Excelsior Management"
    assert found["arkham/cards/98005"]["signature_set"] == "replacement"
    assert found["arkham/cards/98005"]["set"] == "tdor"
