"""Measures the time of searches, compared with SQLite FTS5 on the same documents.

No measured time makes a test fail: read the times, or compare two runs on one machine. Run: pytest
tests/benchmarks/bench_search.py
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import pytest
import sqlite_utils

from kb.catalog.store import open_catalog
from kb.retrieval.engine import SearchIndex
from tests.conftest import ROOT

QUESTIONS = [
    "can I recharge a spell without the skill", "attack of opportunity", "do I discard my hand at the end of my turn",
    "how many copies of a myriad card", "what happens when the villain escapes", "closing a location", "who goes first",
    "experience for level 0 cards", "may I trade cards with a friend between games", "is a massive enemy engaged with me",
    "atack of oportunity", "temporarly close locations", "flame staff", "does exile cost xp again", "card feat order of boxes",
]  # fmt: skip


def run(program, *words, **environment):
    """Run a program that is installed next to this Python interpreter, with `environment` as additional variables, and
    return its standard output.
    """
    command = [Path(sys.executable).with_name(program), *map(str, words)]
    done = subprocess.run(command, check=True, capture_output=True, env={**os.environ, **environment})
    return done.stdout


def cold(benchmark, *words):
    benchmark.pedantic(run, args=words, rounds=10, warmup_rounds=2)


@pytest.fixture(scope="module")
def index(real_home):
    os.environ["KB_HOME"] = str(real_home)
    with open_catalog() as catalog:
        found = SearchIndex(catalog.index_folder)
    yield found
    found.close()


@pytest.fixture(scope="module")
def fts(real_home, tmp_path_factory):
    """Create a SQLite FTS5 database (bm25, Porter stemming) of the same documents that kb searches, and return its
    path.
    """
    os.environ["KB_HOME"] = str(real_home)
    path = tmp_path_factory.mktemp("fts") / "fts.sqlite"
    with open_catalog() as catalog:
        rows = [
            {"id": entry.id, "title": entry.title, "body": entry.body + "\n" + "\n".join(entry.listed("asked"))}
            for entry in catalog.entries()
        ]
        rows += [
            {"id": card["id"], "title": card["name"], "body": " ".join(map(str, card.get("traits") or []))}
            for card in catalog.all_cards()
        ]
    table = sqlite_utils.Database(path)["docs"]
    table.insert_all(rows, pk="id").enable_fts(["title", "body"], tokenize="porter")
    return path


def test_warm_query(benchmark, index):
    benchmark(lambda: [index.search(question) for question in QUESTIONS])


def test_warm_query_percentiles(index, capsys):
    """Measures one search per entry, in all games: the first question of the entry. Prints the median and the 95th
    percentile. Marking the sentence that answers is part of the search.
    """
    with open_catalog() as catalog:
        questions = [entry.listed("asked")[0] for entry in catalog.entries() if entry.listed("asked")]
    taken = []
    for question in [*QUESTIONS, *questions]:
        started = time.perf_counter()
        index.search(question)
        taken.append(time.perf_counter() - started)
    taken = sorted(taken[len(QUESTIONS) :])
    with capsys.disabled():
        p50, p95 = taken[len(taken) // 2] * 1000, taken[int(len(taken) * 0.95)] * 1000
        print(f"\n{len(taken)} questions: p50 {p50:.1f} ms, p95 {p95:.1f} ms")


def test_warm_query_fts5(benchmark, fts):
    database = sqlite3.connect(fts)
    sql = (
        "SELECT id, snippet(docs_fts, 1, '[', ']', '…', 30) FROM docs_fts JOIN docs ON docs.rowid = docs_fts.rowid "
        "WHERE docs_fts MATCH ? ORDER BY bm25(docs_fts, 5, 1) LIMIT 10"
    )
    asked = [" OR ".join(question.split()) for question in QUESTIONS]
    benchmark(lambda: [database.execute(sql, (question,)).fetchall() for question in asked])


def test_cold_kb_search(benchmark, index):
    cold(benchmark, "kb", "search", QUESTIONS[0])


def test_cold_sqlite_utils_search(benchmark, fts):
    cold(benchmark, "sqlite-utils", "search", fts, "docs", " OR ".join(QUESTIONS[0].split()), "--limit", "10")


def test_cold_deck_check(benchmark, real_home, tmp_path):
    os.environ["KB_HOME"] = str(real_home)
    run("kb", "deck", "new", "Lini", "--out", tmp_path / "lini.yaml")
    cold(benchmark, "kb", "deck", "check", tmp_path / "lini.yaml")


def test_full_build(benchmark, tmp_path):
    homes = count()
    benchmark.pedantic(lambda: run("kb", "build", KB_HOME=str(tmp_path / str(next(homes)))), rounds=3)


def test_rebuild_after_one_changed_entry(benchmark, tmp_path):
    for folder in ("content", "cards"):
        shutil.copytree(ROOT / folder, tmp_path / "sources" / folder)
    places = {"KB_HOME": str(tmp_path / "home"), "KB_SOURCES": str(tmp_path / "sources")}
    run("kb", "build", **places)
    entry = tmp_path / "sources/content/pathfinder/mm/recharge.md"

    def change():
        entry.write_text(entry.read_text() + "\nOne more sentence.\n")
        assert json.loads(run("kb", "search", "--json", "recharge", **places))["hits"]

    benchmark.pedantic(change, rounds=3)
