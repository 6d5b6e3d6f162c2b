"""Answers queries from the index. Only this class and kb.search.index know Whoosh."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from whoosh import query as q
from whoosh.index import open_dir
from whoosh.scoring import BM25F

from kb.search.analysis import STOP, query_words, stemmed
from kb.search.answer import answer
from kb.search.index import LEXICON
from kb.search.ranking import Query, score
from kb.search.suggest import correct

CANDIDATES = 60
SYNONYM = 0.7


@dataclass(frozen=True, slots=True)
class Hit:
    """One result. `snippet` has the matched words between the signs of kb.search.answer.MARK."""

    id: str
    title: str
    game: str
    kind: str
    source: str
    score: float
    snippet: str
    covers: tuple[str, ...]
    spoiler: str | None
    standing: str


@dataclass(frozen=True, slots=True)
class Results:
    """Hits of a query, best first. `corrected` is the query as it was understood when a word was misspelled; `total`
    counts all that match; `sure` is the share (0 to 1) of the question's weight that the first hit's text holds."""

    query: str
    corrected: str | None
    total: int
    hits: tuple[Hit, ...]
    sure: float


class SearchIndex:
    """An index opened for searching."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index = open_dir(str(folder), readonly=True)
        self._searcher = self._index.searcher(weighting=BM25F(B=0.4, K1=1.2))
        self._reader = self._searcher.reader()

    @cached_property
    def _lexicon(self) -> dict[str, Any]:
        return dict(json.loads((self._folder / LEXICON).read_text(encoding="utf-8")))

    def close(self) -> None:
        """Close the index's files."""
        self._searcher.close()
        self._index.close()

    def search(self, text: str, within: str | None = None, kind: str | None = None, limit: int = 10, spoilers: bool = True) -> Results:
        """The entries and cards that answer `text`.

        `within` is an id prefix (`arkham`, `pathfinder/mm`), `kind` a kind of entry or `card`; `spoilers=False` leaves out what is
        marked as giving away a campaign.
        """
        typed = query_words(text)
        known, corrected = self._correct(typed, text)
        query, tree = self._analyse(known, within)
        if tree is None:
            return Results(text, corrected, 0, (), 0.0)
        narrow = [q.Term("scope", within)] if within else []
        narrow += [q.Term("kind", kind)] if kind else []
        found = self._searcher.search(tree, limit=max(CANDIDATES, limit), filter=q.And(narrow) if narrow else None)
        rarity: dict[str, float] = {}
        ranked: list[tuple[float, dict[str, Any]]] = []
        for item in found:
            record = json.loads(item["data"])
            if spoilers or not record["spoiler"]:
                ranked.append((score(query, item.score, record, rarity), record))
        ranked.sort(key=lambda pair: (-pair[0], pair[1]["id"]))
        hits = tuple(self._hit(points, record, query) for points, record in ranked[:limit])
        sure = max((self._coverage(query, record) for _points, record in ranked[:3]), default=0.0)
        return Results(text, corrected, max(len(found), len(hits)), hits, sure)

    def has_scope(self, within: str) -> bool:
        """Whether anything lies below an id prefix."""
        return ("scope", within) in self._reader

    def scopes(self, depth: int) -> list[str]:
        """The id prefixes of up to `depth` parts."""
        found = (scope.decode() for scope in self._reader.lexicon("scope"))
        return [scope for scope in found if scope.count("/") < depth]

    def _hit(self, points: float, record: dict[str, Any], query: Query) -> Hit:
        return Hit(
            id=record["id"], title=record["title"], game=record["game"], kind=record["kind"], source=record["source"],
            score=round(points, 3), snippet=answer(record["sentences"], query), covers=tuple(record["covers"]),
            spoiler=record["spoiler"], standing=record["standing"],
        )  # fmt: skip

    @staticmethod
    def _coverage(query: Query, record: dict[str, Any]) -> float:
        from kb.search.analysis import index_words

        said = {word for key in ("names", "asked") for text in record[key] for word in text.split()}
        said.update(word for sentence in record["sentences"] for word in index_words(sentence))
        return query.overlap(list(said)) / query.total

    def _known(self, word: str) -> bool:
        return ("text", stemmed(word)) in self._reader

    def _correct(self, typed: Sequence[str], text: str) -> tuple[list[str], str | None]:
        """The words with misspelled ones replaced, and the corrected query when one was."""
        known, changed = [], False
        shown = text
        for word in typed:
            better = None
            if word not in STOP and not self._known(word):
                better = correct(word, self._lexicon["words"])
            if better:
                shown, changed = shown.casefold().replace(word, better), True
            known.append(better or word)
        return known, shown if changed else None

    def _analyse(self, typed: Sequence[str], within: str | None) -> tuple[Query, Any]:
        """The query as index words with weights (rare words count more), and as a tree for the index."""
        stems = list(dict.fromkeys(stemmed(word) for word in typed))
        weights = {word: float(self._searcher.idf("text", word)) for word in stems}
        alternatives: dict[str, str] = {}
        groups = self._lexicon["synonyms"]
        phrase = f" {' '.join(stemmed(word) for word in typed)} "
        for game, listed in groups.items():
            if within and game != "all" and not within.startswith(game):
                continue
            for group in listed:
                present = [member for member in group if f" {member} " in phrase]
                if not present:
                    continue
                meant = max(present[0].split(), key=lambda word: weights.get(word, 0.0))
                for member in group:
                    for word in member.split():
                        if word not in weights:
                            alternatives.setdefault(word, meant)
        leaves = []
        for word in stems:
            others = [q.Term("text", other, boost=SYNONYM) for other, meant in alternatives.items() if meant == word]
            leaf = q.Term("text", word)
            leaves.append(q.DisjunctionMax([leaf, *others]) if others else leaf)
        return Query(weights, alternatives), q.Or(leaves) if leaves else None
