"""If a player's question names a card, the search finds the rule or ruling that answers it, not the card."""

from __future__ import annotations

import csv
from dataclasses import dataclass

from kb.api.searching import played_rules
from kb.catalog.store import open_catalog
from kb.retrieval.engine import SearchIndex
from tests.conftest import ROOT


@dataclass(frozen=True)
class Asked:
    """A question that names a card. `want` is the kind of answer (a ruling on the `card`, or a `rule`), and `answers`
    are the beginnings of the right entries' ids.
    """

    want: str
    game: str
    question: str
    answers: tuple[str, ...]

    def is_answered_by(self, hit):
        return any(id.startswith(self.answers) for id in (hit.id, *(twin.id for twin in hit.twins)))


def asked_with_names():
    """Return the questions in `tests/data/search/card_names.tsv`, as a list of Asked."""
    with (ROOT / "tests" / "data" / "search" / "card_names.tsv").open(encoding="utf-8") as file:
        rows = csv.DictReader(
            (line for line in file if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE
        )
        return [Asked(row["want"], row["game"], row["question"], tuple(row["entries"].split())) for row in rows]


def test_players_questions_with_names_find_the_rule_or_the_ruling(real_home, monkeypatch):
    monkeypatch.setenv("KB_HOME", str(real_home))
    with open_catalog() as catalog:
        index = SearchIndex(catalog.index_folder)
    ranked = [
        (
            item,
            list(
                map(item.is_answered_by, index.search(item.question, item.game, rules=played_rules(index, None)).hits)
            ),
        )
        for item in asked_with_names()
    ]
    index.close()
    for want, number, once, thrice in (("rule", 81, 0.5, 0.72), ("card", 64, 0.9, 0.95)):
        right = [found for item, found in ranked if item.want == want]
        assert len(right) == number
        assert sum(any(found[:1]) for found in right) / number >= once, want
        assert sum(any(found[:3]) for found in right) / number >= thrice, want
