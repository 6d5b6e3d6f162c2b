"""How long 1,000 deck checks take in one process. Run: pytest tests/benchmarks/bench_decks.py"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from kb.catalog.store import open_catalog
from kb.decks.deckfile import parse_deck
from kb.decks.games import decks_of


def test_1000_pathfinder_deck_checks(benchmark: Any, real_home: Path) -> None:
    os.environ["KB_HOME"] = str(real_home)
    game = decks_of("pathfinder")
    with open_catalog() as catalog:
        facts = game.load_facts(lambda kind: catalog.records("pathfinder", kind))
        names = [(item["set"], item["name"]) for item in catalog.records("pathfinder", "character")]
    texts = [game.new_deck(name, set_id, facts) for set_id, name in names]
    decks = [parse_deck(text, "deck.yaml") for text in texts if text]
    many = [decks[number % len(decks)] for number in range(1000)]
    reports = benchmark(lambda: [game.check(deck, facts) for deck in many])
    assert all(report.legal for report in reports)
