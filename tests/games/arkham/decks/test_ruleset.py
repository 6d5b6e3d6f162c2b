"""The registry: every check is cited, and the engine knows no card."""

import re
from pathlib import Path

import pytest
import yaml

import kb.games.arkham.decks
from kb.games.arkham.decks.frame import EDITIONS, FAQ, GRIMOIRE, Frame, judged_by
from kb.registry.editions import editions_of
from kb.sources.cards import CardNames
from kb.sources.content import read_content
from kb.sources.problems import Problems
from kb.sources.references import Content
from tests.conftest import ROOT
from tests.games.arkham.decks.conftest import FACTS, check, deck

CODE = Path(kb.games.arkham.decks.__file__).parent


@pytest.fixture(scope="module")
def entries():
    return {entry.id for entry in read_content(ROOT / "content", Content(), CardNames(()), Problems(ROOT))}


def test_citations_given_with_a_finding_exist(entries):
    cited = set()
    for path in CODE.rglob("*.py"):
        cited |= set(re.findall(r'"(arkham/[a-z0-9/-]+)"', path.read_text("utf-8")))
    prefixes = {name for name in cited if any(entry.startswith(f"{name}/") for entry in entries)}
    assert cited <= entries | prefixes


def test_no_card_code_or_name_is_in_the_engine():
    names = {
        record["name"] for record in FACTS._cards.values() if "special" in record or record["type"] == "investigator"
    }
    for path in CODE.rglob("*.py"):
        source = re.sub(r'"""(?:.|\n)*?"""|#.*', "", path.read_text("utf-8"))
        literals = re.findall(r'"([^"\n]*)"', source)
        assert not [text for text in literals if re.fullmatch(r"\d{5}[a-z]?", text)]
        assert not names & set(literals)


def test_a_report_is_plain():
    report = check(deck())
    assert (report.game, report.character, report.file, report.legal) == ("arkham", "Roland Banks", "deck.json", True)
    assert report.details["lines"] == ["Deck size 30 of 30, 0 experience."]
    (judged,) = report.details["once"]
    assert judged.startswith("Judged by: Rules Reference with FAQ 2.5; taboo list: none; environment: legacy")


def test_a_report_says_by_which_rules_it_judges():
    judged = check(deck(taboo=8), Frame(environment="current")).details["judged_by"]
    assert judged["taboo"] == "list 8, in force from 2024-10-23"
    assert judged["environment"].startswith("current")
    assert judged["rules"] == EDITIONS[FAQ].rules
    assert judged["cards"].startswith("newer than these rules: Core Set (2026) (2026-03-20)")
    newest = judged_by(GRIMOIRE, 0, "legacy", FACTS)
    assert (newest["rules"], newest["cards"]) == ("Arkham Grimoire 1.1", "no newer than these rules")


def test_the_editions_are_those_of_the_documents():
    sources = yaml.safe_load((ROOT / "content/arkham/sources.yaml").read_text("utf-8"))
    known = {source["id"]: source for source in sources}
    assert list(EDITIONS) == [each.id for each in editions_of("arkham")]
    assert EDITIONS[FAQ].rules == f"Rules Reference with FAQ {known['faq']['version']}"
    assert EDITIONS[FAQ].dated == known["faq"]["date"]
    assert EDITIONS[GRIMOIRE].rules.split()[-1] == known["grimoire"]["version"]
    assert known["grimoire"]["date"].startswith(EDITIONS[GRIMOIRE].dated)


def test_what_an_edition_restates_is_there(entries):
    for by in EDITIONS.values():
        assert set(by.cites) | set(by.cites.values()) <= entries
