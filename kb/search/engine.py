"""Answers queries from the index. Only this class and kb.search.index know Whoosh."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log
from pathlib import Path
from typing import Any

from whoosh.index import open_dir

from kb.search import scope
from kb.search.analysis import STOP, query_words, stemmed, words
from kb.search.answer import answer
from kb.search.certainty import certainty
from kb.search.document import Document
from kb.search.index import GAMES, KNOWN_WORDS, VOCABULARY, handles
from kb.search.ranking import CANDIDATES, GAME, NEAR, SATURATION, SYNONYM, Fit, Query, evidence, fits, score
from kb.search.suggest import Speller, completions

KEPT = 2_000


@dataclass(frozen=True, slots=True)
class Twin:
    """The same rule in another set of the game; `differs` says in a sentence what is different there, if anything."""

    id: str
    title: str
    source: str
    differs: str | None


@dataclass(frozen=True, slots=True)
class Hit:
    """One result. `snippet` has the matched words between the signs of kb.search.answer.MARK; `twins` state the same rule for other
    sets; `covers` are the outline ids of all of them."""

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
    twins: tuple[Twin, ...] = ()


@dataclass(frozen=True, slots=True)
class Results:
    """Hits of a query, best first. `corrected` is the query as it was understood when a word was misspelled; `total`
    counts all that match; `sure` is how likely (0 to 1) the first hit answers; `scope` is the id prefix that was searched, and `named`
    whether the question itself named it."""

    query: str
    corrected: str | None
    total: int
    hits: tuple[Hit, ...]
    sure: float
    scope: str | None = None
    named: bool = False


@dataclass(slots=True)
class Candidate:
    """A document that is ranked in full: its points, its stored record and how it fits; `twins` are those merged into it."""

    points: float
    number: int
    record: dict[str, Any]
    fit: Fit
    met: float
    twins: list[Candidate]


class SearchIndex:
    """An index opened for searching."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index = open_dir(str(folder), readonly=True)
        self._reader = self._index.reader()
        self._within: dict[tuple[str, str], frozenset[int]] = {}
        # A prompt asks the same words again with every key: what was read of the index is kept for the next query.
        self._all_postings = lru_cache(KEPT)(self._read_postings)
        self._record = lru_cache(KEPT)(self._read_record)

    @cached_property
    def _vocabulary(self) -> dict[str, Any]:
        return dict(json.loads((self._folder / VOCABULARY).read_text(encoding="utf-8")))

    @cached_property
    def _words(self) -> dict[str, int]:
        return dict(json.loads((self._folder / KNOWN_WORDS).read_text(encoding="utf-8")))

    @cached_property
    def _speller(self) -> Speller:
        return Speller(self._words)

    @cached_property
    def _games(self) -> dict[str, Any]:
        return dict(json.loads((self._folder / GAMES).read_text(encoding="utf-8")))

    def close(self) -> None:
        """Close the index's files."""
        self._reader.close()
        self._index.close()

    def search(
        self,
        text: str,
        within: str | None = None,
        kind: str | None = None,
        limit: int = 10,
        spoilers: bool = True,
        *,
        chosen: str | None = None,
        anywhere: bool = False,
        typing: bool = False,
    ) -> Results:
        """The entries and cards that answer `text`.

        `within` is an id prefix (`arkham`, `pathfinder/mm`), `kind` a kind of entry or `card`; `spoilers=False` leaves out what is
        marked as giving away a campaign. `chosen` is the prefix that holds unless the question names another game; with `anywhere`
        a game that it names is a word like others. While `typing`, the last word may go on.
        """
        named, rest = (None, text) if anywhere else self._named_scope(text, within)
        place = named or within or chosen
        found = self._ranked(rest, text, place, kind, limit, spoilers, typing)
        if named and not found[0]:
            named, place = None, within or chosen
            found = self._ranked(text, text, place, kind, limit, spoilers, typing)
        ranked, query, total, corrected = found
        hits = tuple(self._hit(candidate, query) for candidate in ranked[:limit])
        sure = certainty(query, [(item.points, item.fit, item.met) for item in ranked[:2]])
        return Results(text, corrected, total, hits, sure, place, named is not None)

    def has_scope(self, within: str) -> bool:
        """Whether anything lies below an id prefix."""
        return ("scope", within) in self._reader

    def kinds(self) -> list[str]:
        """The kinds of entries (and `card`) that are there."""
        return [kind.decode() for kind in self._reader.lexicon("kind")]

    def scopes(self, depth: int) -> list[str]:
        """The id prefixes of up to `depth` parts."""
        found = (scope.decode() for scope in self._reader.lexicon("scope"))
        return [scope for scope in found if scope.count("/") < depth]

    def resolve_scope(self, asked: str) -> list[str]:
        """The id prefixes that people mean by a game's or folder's name, the likeliest first; empty when there are none."""
        if self.has_scope(plain := asked.strip().strip("/")):
            return [plain]
        return scope.resolve(asked, self._vocabulary["called"], self._folders())

    def _folders(self) -> list[str]:
        """The id prefixes that hold something: scopes that are no document's own id."""
        return [place for place in self.scopes(4) if ("id", place) not in self._reader]

    def called(self) -> dict[str, list[str]]:
        """What people call the games and sets that are there, by id prefix."""
        names = self._vocabulary["called"]
        return {
            place: list(names.get(place, ())) for place in sorted({*self.scopes(1), *filter(self.has_scope, names)})
        }

    def named(self, name: str, within: str | None = None) -> list[Document]:
        """What a name, title, printed code or last part of an id means: entries first, then cards, in the order of their ids.

        What has it as title, card's name, code or id stands for it alone; other names of entries count when nothing has. Those
        below `within` alone where there are any.
        """
        typed = " ".join(words(name.replace("-", " ")))
        numbers = {
            number
            for field, value in (("name", " ".join(words(name))), ("name", typed), ("handle", typed))
            if (field, value) in self._reader
            for number in self._reader.postings(field, value).all_ids()
        }
        found = sorted(map(self._document, numbers), key=lambda item: (item.kind == "card", item.id))
        found = [item for item in found if within and within in item.scopes] or found
        return [item for item in found if item.kind == "card" or typed in own_names(item)] or found

    def documents(self) -> Iterator[Document]:
        """Every document, as it was indexed, in the order of the ids."""
        yield from sorted(map(self._document, self._reader.all_doc_ids()), key=lambda document: document.id)

    def vocabulary(self) -> dict[str, Any]:
        """Synonyms and names of games as the index uses them."""
        return self._vocabulary

    def words(self) -> dict[str, int]:
        """The words a query can be corrected to, with how much each counts, those first that count most."""
        return self._words

    def _document(self, number: int) -> Document:
        stored: dict[str, Any] = json.loads(self._reader.stored_fields(number)["data"].partition("\n")[2])
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in stored.items()
        }
        return Document(**values)

    def _ranked(
        self, rest: str, text: str, place: str | None, kind: str | None, limit: int, spoilers: bool, typing: bool
    ) -> tuple[list[Candidate], Query, int, str | None]:
        """Candidates best first with twins merged, the query as it was understood, how many match, and the corrected query."""
        goes_on = typing and rest[-1:].isalnum()
        known, begun, corrected = self._understood(query_words(rest), text, goes_on)
        narrow = [self._documents(name, value) for name, value in (("scope", place), ("kind", kind)) if value]
        among = frozenset.intersection(*narrow) if narrow else None
        query, points, met = self._match(known, self._alternatives(known, place) | begun, begun, among)
        if among is None:
            self._favour_game(query, points)
        typed = " ".join(words(rest))
        whole = " ".join(words(text))
        exact = {number for name in {typed, whole} if name for number in self._exact(name, among)}
        best = heapq.nlargest(max(CANDIDATES, limit), points.items(), key=lambda pair: (pair[1], -pair[0]))
        candidates = []
        for number, base in [
            *best,
            *((number, points.get(number, 0.0)) for number in exact - {pair[0] for pair in best}),
        ]:
            record = self._record(number)
            if spoilers or not record["spoiler"]:
                found, share = fits(query, record), min(1.0, met.get(number, 0.0) / query.total)
                value = score(base, found, share, record, whole if whole in record["called"] else typed, goes_on)
                candidates.append(Candidate(value, number, record, found, share, []))
        candidates.sort(key=lambda item: (-item.points, item.record["id"]))
        return merged(candidates), query, len(points | dict.fromkeys(exact)), corrected

    def _favour_game(self, query: Query, points: dict[int, float]) -> None:
        """Raise the points of the documents of the game whose words the query uses."""
        spoken = evidence(query, self._games["often"], self._games["sizes"])
        for game, share in spoken.items():
            within = self._documents("scope", game)
            for number in points.keys() & within:
                points[number] *= 1 + GAME * share

    def _hit(self, candidate: Candidate, query: Query) -> Hit:
        document = self._document(candidate.number)
        twins = [self._document(twin.number) for twin in candidate.twins]
        record = candidate.record
        return Hit(
            id=document.id, title=document.title, game=document.game, kind=document.kind, source=document.source,
            score=round(candidate.points, 3),
            snippet=answer(document.sentences, query, record["names"][0], record["asked"], document.answered_by),
            covers=tuple(dict.fromkeys(heading for item in (document, *twins) for heading in item.covers)),
            spoiler=document.spoiler, standing=document.standing,
            twins=tuple(Twin(item.id, item.title, item.source, item.differs) for item in twins),
        )  # fmt: skip

    def _named_scope(self, text: str, within: str | None) -> tuple[str | None, str]:
        """The id prefix of a game or set (below `within`) that the query names, and the query without that name."""
        called = self._vocabulary["called"]
        if within:
            called = {place: names for place, names in called.items() if f"{place}/".startswith(f"{within}/")}
        return scope.named(text, called, self._is_longer_name)

    def _is_longer_name(self, text: str, name: str) -> bool:
        """Whether the words `name` in `text` are only a part of a title or card's name that stands there."""
        typed, part = text.split(), name.split()
        starts = [at for at in range(len(typed)) if typed[at : at + len(part)] == part]
        return any(
            ("name", " ".join(typed[first:last])) in self._reader
            for at in starts
            for first in range(max(0, at - 3), at + 1)
            for last in range(at + len(part), min(len(typed), at + len(part) + 3) + 1)
            if last - first > len(part)
        )

    def _exact(self, name: str, among: frozenset[int] | None) -> list[int]:
        """The documents that are called just so."""
        if ("name", name) not in self._reader:
            return []
        return [number for number in self._reader.postings("name", name).all_ids() if among is None or number in among]

    def _known(self, word: str) -> bool:
        return ("text", stemmed(word)) in self._reader

    def _understood(
        self, typed: Sequence[str], text: str, goes_on: bool
    ) -> tuple[list[str], dict[str, str], str | None]:
        """The words with misspelled ones replaced; while the last one `goes_on`, what it may become (index words, each with its own);
        and the corrected query when a word was replaced."""
        known, changed, shown = [], False, text
        begun: dict[str, str] = {}
        for at, word in enumerate(typed):
            better = None
            may_go_on = goes_on and at == len(typed) - 1 and len(word) > 2
            if may_go_on and (len(typed) == 1 or not self._known(word)):
                own = stemmed(word)
                stems = (stemmed(longer) for longer in completions(word, self._words))
                begun = {stem: own for stem in stems if stem != own}
            if word not in STOP and not self._known(word) and not begun:
                better = self._speller.correct(word)
            if better:
                shown, changed = shown.casefold().replace(word, better), True
            known.append(better or word)
        return known, begun, shown if changed else None

    def _documents(self, field: str, value: str) -> frozenset[int]:
        """Numbers of the documents with this value in a field."""
        if (field, value) not in self._within:
            known = (field, value) in self._reader
            self._within[field, value] = frozenset(self._reader.postings(field, value).all_ids() if known else ())
        return self._within[field, value]

    def _postings(self, word: str, among: frozenset[int] | None) -> list[tuple[int, float]]:
        """Documents that hold an index word, with its weight in each."""
        found = self._all_postings(word)
        return found if among is None else [pair for pair in found if pair[0] in among]

    def _read_postings(self, word: str) -> list[tuple[int, float]]:
        if ("text", word) not in self._reader:
            return []
        matcher, found = self._reader.postings("text", word), []
        while matcher.is_active():
            found.append((matcher.id(), matcher.weight()))
            matcher.next()
        return found

    def _read_record(self, number: int) -> dict[str, Any]:
        return dict(json.loads(self._reader.stored_fields(number)["data"].partition("\n")[0]))

    def _match(
        self, typed: Sequence[str], alternatives: dict[str, str], begun: dict[str, str], among: frozenset[int] | None
    ) -> tuple[Query, dict[int, float], dict[int, float]]:
        """The query with the weight of each word; the BM25F score of every document that holds one; and the weight of the words it holds.

        Rare words count more; how rare a word is, is counted among the documents asked for. Of a word and its synonyms
        only the best counts. (Whoosh's own union of matchers took three times as long.)
        """
        total = self._reader.doc_count() if among is None else len(among)
        weights: dict[str, float] = {}
        points: dict[int, float] = {}
        met: dict[int, float] = {}
        for word in dict.fromkeys(stemmed(word) for word in typed):
            own = self._postings(word, among)
            gained = {number: often / (often + SATURATION) for number, often in own}
            held = dict.fromkeys(gained, 1.0)
            for other in (other for other, meant in alternatives.items() if meant == word):
                for number, often in self._postings(other, among):
                    gained[number] = max(gained.get(number, 0.0), SYNONYM * often / (often + SATURATION))
                    held.setdefault(number, NEAR)
            common = len(gained) if word in begun.values() else len(own)
            weight = weights[word] = log(1 + total / (common + 1)) + 0.5
            for number, value in gained.items():
                points[number] = points.get(number, 0.0) + value * weight
                met[number] = met.get(number, 0.0) + held[number] * weight
        return Query(weights, alternatives), points, met

    def _alternatives(self, typed: Sequence[str], within: str | None) -> dict[str, str]:
        """Synonyms of the query's words and phrases: each index word brought in, with the word of the query it stands for.

        Of a phrase only its rarest word is brought in.
        """
        stems = [stemmed(word) for word in typed]
        phrase = f" {' '.join(stems)} "
        found: dict[str, str] = {}
        for game, groups in self._vocabulary["synonyms"].items():
            if within and not within.startswith(game):
                continue
            for group in groups:
                present = next((member for member in group if f" {member} " in phrase), None)
                if present is None:
                    continue
                meant = self._rarest(present)
                for word in map(self._rarest, group):
                    if word not in stems:
                        found.setdefault(word, meant)
        return found

    def _rarest(self, phrase: str) -> str:
        """The word of a phrase of index words that stands in the fewest documents."""
        return min(phrase.split(), key=lambda word: self._reader.doc_frequency("text", word), default="")


def own_names(document: Document) -> set[str]:
    """What a document alone is called: its title, codes and last part of its id, as `SearchIndex.named` compares them."""
    return {" ".join(words(document.title.replace("-", " "))), *handles(document)}


def merged(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, best first, those of the same game and topic as one: ten hits are ten answers."""
    kept: list[Candidate] = []
    first: dict[tuple[str, str], Candidate] = {}
    for candidate in candidates:
        topic = candidate.record["topic"]
        twin = first.setdefault((candidate.record["game"], topic), candidate) if topic else candidate
        if twin is candidate:
            kept.append(candidate)
        else:
            twin.twins.append(candidate)
    return kept
