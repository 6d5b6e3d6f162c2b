"""The repository's own content: it covers every heading, cites only existing entries, and copies no sentences from the
sources.
"""

import re
from collections import Counter

import pytest

from kb.catalog.queries import borne_on, rulings_on
from kb.catalog.store import open_catalog
from kb.decks.games import all_rulesets
from tests.conftest import ROOT


def test_every_heading_of_every_source_is_covered(real):
    with open_catalog() as catalog:
        missing = catalog.rows(
            "SELECT id FROM heading WHERE id NOT IN (SELECT heading FROM covers WHERE about = 0) ORDER BY id"
        )
        assert [row[0] for row in missing] == []
        assert catalog.rows("SELECT id FROM heading")


def test_every_check_cites_entries_that_exist(real):
    cited = {cite for _game, _set, ruleset in all_rulesets() for check in ruleset.checks for cite in check.cites}
    assert len(cited) > 30
    with open_catalog() as catalog:
        assert cited - set(catalog.citations(cited)) == set()


def test_entries_have_source_and_questions(real):
    with open_catalog() as catalog:
        entries = list(catalog.entries())
    assert all(entry.citation for entry in entries)
    silent = [
        entry.id
        for entry in entries
        if not entry.listed("asked") and entry.kind in {"rule", "term", "step", "ruling", "faq"}
    ]
    assert silent == []


def test_rulings_are_labelled_and_linked(real):
    with open_catalog() as catalog:
        rulings = [entry for entry in catalog.entries("pathfinder") if entry.kind == "ruling"]
        about = (ROOT / "content/pathfinder/about-rulings.md").read_text()
        numbers = {
            who.lower().replace(" ", "-"): int(number)
            for who, number in re.findall(r"^\| (.*?) \|.*\| (\d+) \|$", about, re.M)
        }
        assert Counter(entry.authority for entry in rulings) == numbers, (
            "update the table in content/pathfinder/about-rulings.md"
        )
        assert f"Each of the {len(rulings)} rulings" in about
        for entry in rulings:
            ruled = [catalog.entry(cited.id) for cited in borne_on(catalog, entry)]
            assert ruled, entry.id
            for other in ruled:  # each entry that the ruling affects links to it
                assert entry.id in {cited.id for cited in rulings_on(catalog, other)}, (entry.id, other.id)


def test_topics_are_in_both_sets(real):
    with open_catalog() as catalog:
        shared = catalog.rows(
            "SELECT topic FROM entry WHERE topic IS NOT NULL AND game = 'pathfinder' GROUP BY topic HAVING count(*) > 1"
        )
    assert len(shared) > 100


def test_the_adventure_paths_are_in_the_catalog(real):
    with open_catalog() as catalog:
        paths = {record["set"]: len(record["adventures"]) for record in catalog.records("pathfinder", "path")}
    assert {"mm": 7, "rotr": 6}.items() <= paths.items()


@pytest.mark.extended
def test_every_question_names_its_answering_sentence(real, kb):
    for folder in sorted(path for path in (ROOT / "content").iterdir() if path.is_dir()):
        done = kb("doctor --content", folder)
        found = re.search(r"(\d+) questions, (\d+) with an answering", done.out)
        assert found, done.out
        assert found[1] == found[2], f"{folder.name}: {done.out[-300:]}"
        assert done.code == 0, done.out  # the page links every citation and every shared card
