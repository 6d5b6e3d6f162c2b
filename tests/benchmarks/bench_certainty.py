"""How often `kb ask` answers and how often it is right then, on questions held out of our own content; fits its weights anew.

One question of every entry with four or more is taken out, the rest is indexed (and the likeness of words learned from it, which needs
numpy), and the questions are asked. Run:
pytest -s tests/benchmarks/bench_certainty.py
"""

import random
from dataclasses import astuple
from math import exp

import pytest

from kb import paths
from kb.retrieval import certainty, engine
from kb.retrieval.document import Vocabulary
from kb.retrieval.engine import SearchIndex
from kb.retrieval.index import write_index
from kb.sources.content import load_sources
from tests.benchmarks.documents import documents, without


def held_out(listed, chance):
    """The documents without one question each, and these questions."""
    kept, held = [], []
    for item in listed:
        if len(item.asked) >= 4:
            at = chance.randrange(len(item.asked))
            held.append((item.asked[at], item))
            item = without(item, {at})
        kept.append(item)
    return kept, held


def is_right(hit, meant):
    """Whether a hit is the entry that was meant, its twin, or states the same heading."""
    return meant.id in {hit.id, *(twin.id for twin in hit.twins)} or bool(set(hit.covers) & set(meant.covers))


def fitted(rows, rounds=400):
    """Weights of a logistic model, by gradient descent."""
    weights = [0.0] * len(rows[0][0])
    for _round in range(rounds):
        slope = [0.0] * len(weights)
        for features, right in rows:
            wrong_by = chance_of(weights, features) - right
            slope = [old + wrong_by * feature for old, feature in zip(slope, features, strict=True)]
        weights = [old - step / len(rows) - 1e-3 * old for old, step in zip(weights, slope, strict=True)]
    return weights


def chance_of(weights, features):
    return 1 / (1 + exp(-sum(weight * feature for weight, feature in zip(weights, features, strict=True))))


def test_certainty(tmp_path, capsys, monkeypatch):
    content, facts = load_sources(paths.sources_root())
    pytest.importorskip("numpy", reason="numpy is not here, and words must not be learned from the questions held out")
    from tests.benchmarks.learn_likeness import learn, use

    kept, held = held_out(documents(content, facts), random.Random(3))
    use(learn(kept))
    write_index(tmp_path / "index", kept, Vocabulary(content.synonyms, content.called))
    index = SearchIndex(tmp_path / "index")
    seen = []

    def note(first):
        seen.append((1.0, *astuple(first)))
        return 0.0

    monkeypatch.setattr(engine, "certainty", note)
    rows = []
    first = three = ten = 0
    for question, meant in held:
        seen.clear()
        hits = index.search(question, meant.game).hits
        right = [is_right(hit, meant) for hit in hits]
        first, three, ten = first + any(right[:1]), three + any(right[:3]), ten + any(right)
        if seen:  # a ruling on a card that is not named is never an answer
            rows.append((seen[-1], any(right[:1])))
    with capsys.disabled():
        number = len(held)
        print(
            f"\n{number} held-out questions: first hit {first / number:.3f}, first three {three / number:.3f}, ten {ten / number:.3f}"
        )
        weights = fitted(rows[::2])
        print("weights fitted on the even ones:", [round(weight, 2) for weight in weights])
        for name, used in (("fitted", weights), ("in use", certainty.WEIGHTS)):
            for least in (0.5, 0.6, 0.7, 0.8, certainty.SURE):
                given = [right for features, right in rows[1::2] if chance_of(used, features) >= least]
                share, good = len(given) / len(rows[1::2]), sum(given) / max(1, len(given))
                print(f"  {name}, from {least:.2f}: answers {share:.2f} of the odd ones, right {good:.2f}")
