"""The way docs/next-faq.md tells to take in the next FAQ, gone with an invented FAQ v2.6 of five changes."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
ERRATUM = """  - id: invented-lantern
    title: "Invented erratum of Flashlight"
    covers: [ah.errata.card.invented]
    cards: ["01087"]
    source: {doc: faq, section: Card Errata, since: "2.6"}
    asked:
      "It has 4 supplies":
        - how many supplies with the erratum
    body: |
      It has **4** supplies.
"""
QUESTION = """---
title: "May I shine a light at nothing?"
kind: faq
covers: [ah.faq.invented-light]
source: {doc: faq, section: Frequently Asked Questions, since: "2.6"}
asked:
  "You may, and nothing happens":
    - is an empty beam allowed
cards: ["01087"]
---
You may, and nothing happens. [[arkham/errata/player-cards/invented-lantern|Its supplies]] are spent all the same.
"""


class Copy:
    """A copy of the entries and facts of one game, to write the next document's changes into."""

    def __init__(self, root: Path) -> None:
        self.content = root / "content" / "arkham"
        shutil.copytree(ROOT / "content" / "arkham", self.content)
        shutil.copytree(ROOT / "cards" / "arkham", root / "cards" / "arkham")

    def change(self, path: str, old: str, new: str) -> None:
        """Replace what stands in a file exactly once."""
        text = (self.content / path).read_text(encoding="utf-8")
        assert text.count(old) == 1, (path, old)
        (self.content / path).write_text(text.replace(old, new), encoding="utf-8")

    def append(self, path: str, text: str) -> None:
        with (self.content / path).open("a", encoding="utf-8") as file:
            file.write(text)


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Copy:
    monkeypatch.setenv("KB_SOURCES", str(tmp_path / "sources"))
    monkeypatch.setenv("KB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("KB_DATABASE_URL", raising=False)
    return Copy(tmp_path / "sources")


def take_in(copy: Copy) -> None:
    """Steps 2 to 4 of the guide, with two slips that the checks must find."""
    copy.append(
        "outline.tsv",
        "ah.errata.card.invented\tCard Erratum v2.6: Flashlight\terratum\tCard Errata\t\n"
        "ah.faq.invented-light\tA light at nothing\tfaq\tFrequently Asked Questions\t\n",
    )
    copy.change(
        "outline.tsv",
        "ah.taboo.forbidden.burn-after-reading\tTaboo, Forbidden: Burn After Reading\ttaboo\t"
        "Notes, Errata, and FAQ v2.5 > List of Taboos > Forbidden\t\n",
        "",
    )
    copy.append("errata/player-cards.yaml", ERRATUM)  # 1: a new erratum
    (copy.content / "faq/invented-light.md").write_text(QUESTION, encoding="utf-8")  # 2: a new question
    copy.change(
        "rulings/1-31.md", "always begin the game with 3.", "always begin the game with 4."
    )  # 3: a changed ruling
    copy.change(
        "rulings/1-31.md",
        "see: [arkham/timing/4-2",
        'history:\n  - {until: before FAQ 2.6, since: "2.6", text: "You began the game with 3 actions."}\nsee: [arkham/timing/4-2',
    )
    copy.change(  # 4: a changed environment (slip: a question names words that are gone)
        "environments/current.md", "the **three most recently released**", "the **four most recently released**"
    )
    copy.change("environments/current.md", "the three newest **investigator", "the four newest **investigator")
    copy.change(
        "environments/current.md",
        "see: [",
        'history:\n  - {until: before FAQ 2.6, since: "2.6", text: "The three newest expansions."}\nsee: [',
    )
    text = (copy.content / "taboo/forbidden.yaml").read_text(encoding="utf-8")  # 5: a card leaves a list
    kept, gone, _row = text.partition("  - id: burn-after-reading\n")
    assert gone
    (copy.content / "taboo/forbidden.yaml").write_text(kept, encoding="utf-8")
    copy.change(
        "sources.yaml", 'short: FAQ\n  version: "2.5"\n  date: 2026-02', 'short: FAQ\n  version: "2.6"\n  date: 2027-01'
    )


def mend(copy: Copy) -> None:
    """What the checks asked for."""
    copy.change(
        "environments/current.md",
        '"the three newest investigator expansions":',
        '"the four newest investigator expansions":',
    )
    copy.change(
        "taboo.md", "aliases: [taboo,", "formerly: [arkham/taboo/forbidden/burn-after-reading]\naliases: [taboo,"
    )


def test_the_next_faq_is_taken_in_as_the_guide_says(copy: Copy, kb: Callable[..., Any]) -> None:
    take_in(copy)
    slipped = kb("doctor", "--content", str(copy.content))
    assert slipped.code == 1
    assert "content/arkham/environments/current.md" in slipped.out
    assert "no sentence of the text says 'the three newest investigator expansions'" in slipped.out

    mend(copy)
    mended = kb("doctor", "--content", str(copy.content))
    assert mended.code == 0, mended.out
    assert mended.out.endswith("Nothing is wrong.\n")

    found = {name: json.loads(kb("show", name, "--json").out) for name in (
        "arkham/errata/player-cards/invented-lantern", "arkham/faq/invented-light", "arkham/rulings/1-31",
        "arkham/environments/current", "arkham/taboo/forbidden/burn-after-reading", "arkham/errata/player-cards/samuel-blake",
    )}  # fmt: skip
    erratum, question, ruling, environment, gone, older = found.values()
    assert erratum["source"] == "FAQ v2.6, Card Errata (since v2.6)"
    assert question["id"] in {item["id"] for item in erratum["same_card"]}
    assert erratum["id"] in {item["id"] for item in question["same_card"]}
    assert ruling["source"].startswith("FAQ v2.6, Game Play 1.31")
    assert ruling["history"][0]["text"] == "You began the game with 3 actions."
    assert environment["history"][0]["since"] == "2.6"
    assert gone["id"] == "arkham/taboo"  # the old address still leads somewhere
    assert older["source"] == "FAQ v2.6, Card Errata (since v2.5)"  # what did not change keeps its version


def test_the_changes_of_the_next_faq_are_listed(copy: Copy) -> None:
    from kb.catalog.editions import changes, documents
    from kb.catalog.store import open_catalog

    take_in(copy)
    mend(copy)
    with open_catalog() as catalog:
        told = changes(documents(catalog).values(), catalog.entries())["arkham"]
        uncovered = catalog.rows(
            "SELECT id FROM heading WHERE id LIKE 'ah.%' AND id NOT IN (SELECT heading FROM covers WHERE about = 0)"
        )
    newest, before = told.versions[:2]
    assert (told.document.called, told.document.version, told.document.date) == ("FAQ", "2.6", "2027-01")
    assert [newest.version, before.version] == ["2.6", "2.5"]
    assert {entry.id for entry in newest.new} == {
        "arkham/errata/player-cards/invented-lantern",
        "arkham/faq/invented-light",
    }
    assert {entry.id: before for entry, before in newest.changed} == {
        "arkham/rulings/1-31": "You began the game with 3 actions.",
        "arkham/environments/current": "The three newest expansions.",
    }
    assert uncovered == []


def test_versions_stand_newest_first(real: Path) -> None:
    from kb.catalog.editions import changes, documents
    from kb.catalog.store import open_catalog

    with open_catalog() as catalog:
        told = changes(documents(catalog).values(), catalog.entries())["arkham"]
    versions = {(version.document.called, version.version): version for version in told.versions}
    assert next(iter(versions)) == (told.document.called, told.document.version) == ("Grimoire", "1.1")
    order = list(versions).index
    assert order(("Grimoire", "1.1")) < order(("FAQ", "2.5")), "the document that took its place comes first"
    assert order(("FAQ", "1.5")) < order(("FAQ", "1.41")) < order(("FAQ", "1.4"))
    newest_faq = versions["FAQ", "2.5"]
    assert {entry.id for entry, _ in newest_faq.changed} >= {"arkham/glossary/permanent", "arkham/glossary/blank"}
    assert told.newest() is versions["Grimoire", "1.1"]


def test_every_answer_and_erratum_says_since_when(real: Path) -> None:
    """But for the pages that introduce a section."""
    from kb.catalog.store import open_catalog

    with open_catalog() as catalog:
        undated = [
            entry.id
            for entry in catalog.entries("arkham")
            if entry.kind in ("faq", "erratum")
            and "/grimoire/" not in entry.id
            and entry.data["source"]["doc"] == "faq"
            if not entry.data["source"].get("since") and not entry.id.endswith("/about")
        ]
    assert undated == []


def test_a_list_of_taboos_says_since_when_as_the_facts_do() -> None:
    """Rows new in the document's version are those that the list in force brought."""
    rows = [
        json.loads(line.rstrip(","))
        for line in (ROOT / "cards/arkham/taboos.json").read_text().splitlines()
        if line[:1] == "{"
    ]
    newest = max(row["list"] for row in rows)

    def told(code: str, number: int) -> list[Any]:
        return [{**row, "list": 0} for row in rows if row["code"] == code and row["list"] == number]

    for path in sorted((ROOT / "content/arkham/taboo").glob("*.yaml")):
        for row in path.read_text(encoding="utf-8").split("\n  - id: ")[1:]:
            listed = re.search(r"\n    cards: \[(.*?)\]", row)
            codes = re.findall(r'"(\w+)"', listed[1]) if listed else []
            known = [code for code in codes if told(code, newest)]
            fresh = bool(known) and not any(told(code, newest)[0] in told(code, newest - 1) for code in known)
            assert fresh == ('since: "2.5"' in row), f"{path.name}: {row.splitlines()[0]}"


def test_card_facts_that_are_newer_than_the_documents_are_told_with_dates() -> None:
    from kb.catalog.editions import DocumentView, newer_facts

    known = [
        DocumentView("arkham", "faq", "The FAQ", "FAQ", "2.5", None, "2026-02"),
        DocumentView("arkham", "new", "The Book", "Book", "1.1", None, "2026-07-14"),
    ]
    packs = [{"name": "A box", "released": "2026-07-14"}, {"name": "Undated", "released": None}]
    assert newer_facts("arkham", known, packs) is None
    told = newer_facts("arkham", known, [*packs, {"name": "A ship", "released": "2026-09-01"}])
    assert told is not None
    assert "A ship came out on 2026-09-01, Book v1.1 on 2026-07-14" in told
    assert newer_facts("arkham", known[:1], [{"name": "Late", "released": "2026-02-20"}]) is None, "dated by its month"
