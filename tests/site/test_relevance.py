"""Questions that players asked, put to the site's own search in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

from kb.catalog.store import open_catalog


def test_the_first_three_hits_hold_the_answer(site: Path, real: Path, shared: Path, tab: Callable[..., Any]) -> None:
    loader = SourceFileLoader("relevance", str(shared / "tools/relevance"))
    spec = spec_from_loader("relevance", loader)
    assert spec is not None
    tool = module_from_spec(spec)
    loader.exec_module(tool)
    rows = tool.headings(shared / "facts/headings")
    tool.LINES = {
        path.stem: path.read_text(encoding="utf-8", errors="replace").split("\n")
        for path in (shared / "seeds").glob("*.txt")
    }
    assert len(rows) > 1000
    with open_catalog() as catalog:
        covers: dict[str, list[str]] = {}
        for entry, heading in catalog.rows("SELECT entry, heading FROM covers"):
            covers.setdefault(entry, []).append(heading)
    with (shared / "cases/search/dev.jsonl").open(encoding="utf-8") as file:
        questions = [json.loads(line) for line in file if line.strip()]
    page = tab(f"file://{site}").open("index.html")
    answered = 0
    for question in questions:
        found = page.evaluate(
            "([query, scope]) => kbSearch(query, scope, 3)", [question["query"], tool.SCOPE[question["game"]]]
        )
        answered += any(tool.gain(covers.get(hit["id"], []), question["answers"], rows) == 2 for hit in found)
    print(f"hit@3 in the browser: {answered / len(questions):.2f}")
    assert answered / len(questions) >= 0.8
