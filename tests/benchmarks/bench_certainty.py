"""Measures how often `kb ask` shows an answer, and how often a human reader found that answer right. Also fits the
weights that kb uses to compute how certain an answer is.

The questions and the reader's verdicts are in tests/data/search/judged.tsv. If kb now answers with another entry or
another sentence, the verdict no longer applies and the row is not counted: read the new answer, and enter a new
verdict. Run: pytest -s tests/benchmarks/bench_certainty.py
"""

import csv
from dataclasses import astuple
from math import exp

import pytest

from kb.api.searching import played_rules
from kb.catalog.store import open_catalog
from kb.retrieval import certainty, engine
from kb.retrieval.engine import SearchIndex
from tests.conftest import ROOT, at_home

FOLDS, LEVELS = 10, (0.6, 0.65, 0.7, 0.75, 0.85)


def is_right(hit, meant):
    """Return True if the search result `hit` is as good an answer as the entry `meant`. It may be that entry, the
    same rule in another set, or an entry that covers one of the same headings.
    """
    return meant.id in {hit.id, *(twin.id for twin in hit.twins)} or bool(set(hit.covers) & set(meant.covers))


def fitted(rows, rounds=1500):
    """Return the weights of a logistic model, fitted by gradient descent. Each row of `rows` is a pair: a tuple of
    features, and True or False (is this answer right?).
    """
    weights = [0.0] * len(rows[0][0])
    for _round in range(rounds):
        slope = [0.0] * len(weights)
        for features, right in rows:
            wrong_by = chance_of(weights, features) - right
            slope = [old + wrong_by * feature for old, feature in zip(slope, features, strict=True)]
        weights = [old - 2 * step / len(rows) - 1e-3 * old for old, step in zip(weights, slope, strict=True)]
    return weights


def chance_of(weights, features):
    return 1 / (1 + exp(-sum(weight * feature for weight, feature in zip(weights, features, strict=True))))


def judged():
    """Return the rows of tests/data/search/judged.tsv as a list of dicts."""
    with (ROOT / "tests/data/search/judged.tsv").open(encoding="utf-8") as file:
        return list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))


@pytest.fixture
def features(real_home, monkeypatch):
    """Return a function that searches for a question in a game, and returns the first result with its features as a
    tuple. The function returns None if there is no result, or no features were computed.
    """
    seen = []
    monkeypatch.setattr(engine, "certainty", lambda first: seen.append((1.0, *astuple(first))) or 0.0)
    with at_home(real_home), open_catalog() as catalog:
        index = SearchIndex(catalog.index_folder)

    def ask(question, place):
        seen.clear()
        hits = index.search(question, place, rules=played_rules(index, None)).hits
        return (hits[0], seen[-1]) if seen else None

    yield ask
    index.close()


def test_certainty(features, capsys):
    rows, moved = [], 0
    for each in judged():
        if found := features(each["question"], each["place"]):
            hit, numbers = found
            same = hit.id == each["entry"] and bool(hit.said) and hit.said[0].startswith(each["begins"][:30])
            if each["judged"] != "foreign" and not same:
                moved += 1
                continue
            rows.append((numbers, each["judged"] == "right", each["judged"] == "foreign"))
    chances = [0.0] * len(rows)
    for fold in range(FOLDS):
        weights = fitted([row[:2] for at, row in enumerate(rows) if at % FOLDS != fold])
        for at in range(fold, len(rows), FOLDS):
            chances[at] = chance_of(weights, rows[at][0])
    in_use = [chance_of(certainty.WEIGHTS, row[0]) for row in rows]
    with capsys.disabled():
        print(
            f"\n{len(rows)} judged answers; {moved} rows not counted: kb now answers differently, so judge them again"
        )
        print("weights fitted on all rows:", [round(weight, 2) for weight in fitted([row[:2] for row in rows])])
        for name, values in ((f"weights fitted on the other {FOLDS - 1} parts", chances), ("weights in use", in_use)):
            for least in sorted({*LEVELS, certainty.SURE}):
                ours = [row[1] for row, value in zip(rows, values, strict=True) if value >= least and not row[2]]
                foreign = sum(row[2] for row, value in zip(rows, values, strict=True) if value >= least)
                share = len(ours) / sum(not row[2] for row in rows)
                right = sum(ours) / max(1, len(ours))
                print(
                    f"  {name}, certainty at least {least:.2f}: answered {share:.2f}, right {right:.2f}; "
                    f"answers to {foreign} foreign questions"
                )
