"""Answer queries from the search index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kb.frozen import frozen
from kb.retrieval import likeness
from kb.retrieval.analysis import query_words, words
from kb.retrieval.answer import EntryAnswer, answer, said, unmarked
from kb.retrieval.certainty import (
    ASIDE,
    NEXT,
    OF_A_CARD,
    First,
    asks_for_product,
    certainty,
    lead_over,
    shared_manner,
)
from kb.retrieval.document import Document
from kb.retrieval.index import handles
from kb.retrieval.manner import manners
from kb.retrieval.question import AskedIndex, named_scope, names_meant, near_names, scopes_called
from kb.retrieval.ranking import (
    ALIAS,
    CANDIDATES,
    EARLIER,
    FIRST,
    MOST_FOR_EARLIER,
    AnalysedQuery,
    Fit,
    best_of,
    fits,
    met,
    names_another,
    points,
    score,
    total,
)
from kb.retrieval.record import IndexRecord
from kb.shapes import Jsonable, computed, key


@frozen
class ChosenEditions:
    """The editions of the rules that a search uses, as id prefixes.

    `chosen` are the editions in use. `later` are newer editions, whose rules do not apply. All other editions are
    earlier ones.
    """

    chosen: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()

    def within(self, place: str | None) -> ChosenEditions:
        """Return the editions for a search inside the id prefix `place`. If `place` is inside a later edition, this
        edition becomes the chosen one.
        """
        for later in self.later:
            if place and f"{place}/".startswith(f"{later}/"):
                return ChosenEditions(frozenset({later}))
        return self


ALL = ChosenEditions()
"""No edition is chosen, so all editions are searched equally."""


@dataclass(slots=True)
class Candidate:
    """A document that is ranked in full.

    A candidate has the document's points, its number, its stored record, its fit to the query, and its similarity in
    meaning to the query (`alike`). `twins` are other candidates that state the same rule and are shown with it.
    """

    points: float
    number: int
    record: IndexRecord
    fit: Fit
    alike: float
    twins: list[Candidate]


@frozen
class Search:
    """A search: the typed `text`, the `rest` of it without the name of a game, and the other arguments of
    `SearchIndex.search`.
    """

    text: str
    rest: str
    place: str | None
    kind: str | None
    limit: int
    spoilers: bool
    typing: bool
    rules: ChosenEditions


@frozen
class Ranking:
    """The result of a ranking: the merged candidates, best first, the analysed query, and the number of matching
    documents.

    `corrected` is the query with corrected words, or None if no word was corrected.
    """

    candidates: list[Candidate]
    query: AnalysedQuery
    total: int
    corrected: str | None


def merged(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Merge the candidates that state the same rule (same game and topic), so that ten results are ten different
    answers.

    The first candidate of each rule is kept, and gets the others as its `twins`.
    """
    distinct: list[Candidate] = []
    first: dict[tuple[str, str], Candidate] = {}
    for candidate in candidates:
        topic = candidate.record.topic
        twin = first.setdefault((candidate.record.game, topic), candidate) if topic else candidate
        if twin is candidate:
            distinct.append(candidate)
        else:
            twin.twins.append(candidate)
    return distinct


def played_by(candidates: Sequence[Candidate], rules: ChosenEditions) -> list[Candidate]:
    """Adapt ranked candidates to the editions in use: replace an earlier rule by its counterpart.

    The counterpart takes the position of the earlier rule if that is better than its own. An earlier rule without a
    counterpart loses some of its points.
    """
    by_id = {item.record.id: item for item in candidates if item.record.edition in rules.chosen}
    own: dict[int, float] = {}
    playable = []
    for item in candidates:
        if item.record.edition is None or item.record.edition in rules.chosen:
            playable.append(item)
        elif others := [by_id[other] for other in item.record.counterparts if other in by_id]:
            counterpart = max(others, key=lambda other: other.points)
            own_points = own.setdefault(counterpart.number, counterpart.points)
            counterpart.points = max(counterpart.points, min(item.points, MOST_FOR_EARLIER * own_points))
            counterpart.twins.append(item)
        else:
            item.points *= EARLIER
            playable.append(item)
    return sorted(playable, key=lambda item: (-item.points, item.record.id))


@frozen
class Twin(Jsonable):
    """The same rule in another set or edition of the game."""

    id: str
    """Id of the entry."""
    title: str
    """Title of the entry."""
    source: str
    """Source: document and page."""
    differs: str | None
    """A sentence about the difference there; null if there is none."""
    edition: str | None = None
    """Edition of the rules that the entry belongs to, if the game has several."""


@frozen
class Hit(Jsonable):
    """A result of a search.

    `marked` is `snippet` with kb.retrieval.answer.MARK around each matched word. `said` lists the sentences of the
    snippet.
    """

    id: str
    """Id of the entry or card: its address on the site, and the argument of `kb show`."""
    title: str
    """Title of the entry or card."""
    game: str
    """Id of the game."""
    kind: str
    """Kind of entry (rule, term, ruling, faq …), or card."""
    source: str
    """Source: document and page."""
    score: float
    """Points. They are comparable only within one search."""
    marked: str = key("hidden")
    covers: tuple[str, ...]
    """Headings of the source that the entry restates, and the headings of the same rule in other sets and editions."""
    spoiler: str | None
    """The campaign that the entry spoils; null for none."""
    standing: str = key("hidden")
    twins: tuple[Twin, ...] = ()
    """The same rule in other sets and editions."""
    edition: str | None = None
    """Edition of the rules that the entry belongs to, if the game has several."""
    answers: str | None = None
    """The question that `snippet` answers, as worded in the entry; null if the entry has no similar question."""
    said: tuple[str, ...] = key("hidden", default=())

    @computed
    def snippet(self) -> str:
        """The sentence that answers the query, with `**` around the matched words."""
        return unmarked(self.marked)


@frozen
class Results(Jsonable):
    """The results of a search, best first."""

    query: str
    """The question as asked."""
    corrected: str | None
    """The question with corrections, if a word was misspelled."""
    total: int
    """The total number of entries and cards that match."""
    hits: tuple[Hit, ...]
    """The best matches, up to the limit of the search."""
    sure: float
    """The probability (0 to 1) that the first result answers the question."""
    scope: str | None = None
    """The id prefix that the search was limited to; null if everything was searched."""
    named: bool = False
    """True if the question itself names the game or set that was searched."""


class SearchIndex(AskedIndex):
    """An open index that answers queries."""

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
        rules: ChosenEditions = ALL,
    ) -> Results:
        """Return the entries and cards that answer `text`.

        `within` is an id prefix (a game, or one of its sets). `kind` is a kind of entry, or `card`. `spoilers=False`
        leaves out entries that spoil a campaign. `chosen` is the id prefix to search if the question names no game and
        `within` is not given. With `anywhere`, the name of a game is an ordinary word. With `typing`, the last word may
        be incomplete; a single unknown word may be incomplete in any case. `rules` are the editions in use.
        """
        named, rest = (None, text) if anywhere else self._named_scope(text, within)
        place = named or within or chosen
        rules = rules.within(place)
        asked = Search(text, rest, place, kind, limit, spoilers, typing, rules)
        found = self._ranked(asked)
        if named and not found.candidates:
            named, place = None, within or chosen
            found = self._ranked(replace(asked, rest=text, place=place))
        hits = tuple(self._hit(candidate, found.query) for candidate in found.candidates[:limit])
        sure = self._certainty(found.candidates, found.query) if hits and self._asks(rest) else 0.0
        return Results(text, found.corrected, found.total, hits, sure, place, named is not None)

    def resolve_scope(self, name: str) -> list[str]:
        """Return the id prefixes that the name of a game or folder can mean, most likely first. Empty if there are
        none.
        """
        if self.has_scope(plain := name.strip().strip("/")):
            return [plain]
        return scopes_called(name, self.vocabulary["called"], self.folders())

    def named(self, name: str, within: str | None = None) -> list[Document]:
        """Return the documents with the given name, which may be a title, another name, a printed code or the last part
        of an id.

        Entries come before cards, and both are in the order of their ids. If `name` is a title, a card's name, a code
        or an id, documents that have it only as another name are left out. If some documents are below `within`, only
        these are returned.
        """
        typed = " ".join(words(name.replace("-", " ")))
        numbers = {
            number
            for field, value in (("name", " ".join(words(name))), ("name", typed), ("handle", typed))
            for number in self.numbers(field, value)
        }
        documents = sorted(map(self.document, numbers), key=lambda item: (item.kind == "card", item.id))
        documents = [item for item in documents if within and within in item.scopes] or documents
        documents = [
            item for item in documents if not item.own
        ] or documents  # a passage of the user's rulebook is left out, because `kb show` lists it with the entry
        return [item for item in documents if item.kind == "card" or typed in own_names(item)] or documents

    def near(self, name: str, within: str | None = None) -> list[Document]:
        """Return the documents that have a name or code similar to the unknown `name`, most similar first.

        If some documents are below `within`, only these are returned.
        """

        typed = " ".join(words(name.strip("/ ").rsplit("/", 1)[-1].replace("-", " ")))
        called = near_names(typed, [*self.terms("name"), *self.terms("handle")])
        numbers = (
            number for each in called for field in ("name", "handle") for number in sorted(self.numbers(field, each))
        )
        documents = [self.document(number) for number in dict.fromkeys(numbers)]
        return [item for item in documents if within and within in item.scopes] or documents

    def _ranked(self, asked: Search) -> Ranking:
        """Return the ranked documents for a search."""
        rest, text, place, rules = asked.rest, asked.text, asked.place, asked.rules
        query_terms = query_words(rest)
        goes_on = rest[-1:].isalnum() and (asked.typing or self._is_beginning(query_terms))
        known, begun, corrected = self._understood(query_terms, text, goes_on)
        among = self.searched(place, asked.kind, rules.later)
        query, parts = self._parts(known, self._alternatives(known, place) | begun, begun, among, rest)
        typed = " ".join(words(rest))
        asked_as = (" ".join(words(text)), " ".join(words(corrected or "")), typed)
        names = [name for name in (*asked_as, *names_meant(typed)) if name]
        best = best_of(parts, max(CANDIDATES, asked.limit))
        called = frozenset[int]().union(*(self.numbers("name", name) for name in names))
        exact = (called if among is None else called & among) - {number for number, _points in best}
        best += points(parts, list(exact))
        best += points(parts, self._taking_their_place([number for number, _points in best], among, rules))
        meant = likeness.vector_of_query(query.weights)
        candidates = []
        for number, base in best:
            record = self.record(number)
            if asked.spoilers or not record.spoiler:
                name = next((name for name in names if name in record.called), typed)
                alike = likeness.alike(meant, record.vector)
                fit, share = fits(query, record), min(1.0, met(parts, number) / query.total)
                of_another = names_another(query, record, fit.asked)
                value = score(base * likeness.gain(alike), fit, share, record, name, goes_on, of_another)
                candidates.append(Candidate(value, number, record, fit, alike, []))
        candidates.sort(key=lambda item: (-item.points, item.record.id))
        matching = total(parts) + sum(met(parts, number) == 0 for number in exact)
        by_edition = played_by(candidates, rules) if rules.chosen else candidates
        return Ranking(merged(by_edition), query, matching, corrected)

    def _taking_their_place(self, numbers: list[int], among: frozenset[int] | None, rules: ChosenEditions) -> list[int]:
        """Return the documents of the editions in use that replace earlier documents among `numbers`.

        Documents that are already in `numbers` are left out. With `among`, only documents in it are returned.
        """
        earlier = (self.record(number) for number in numbers) if rules.chosen else ()
        others = {
            number
            for record in earlier
            if record.edition and record.edition not in rules.chosen
            for counterpart in record.counterparts
            for number in self.numbers("id", counterpart)
        }
        return [
            number
            for number in sorted(others.difference(numbers))
            if (among is None or number in among) and self.record(number).edition in rules.chosen
        ]

    def _certainty(self, ranked: list[Candidate], query: AnalysedQuery) -> float:
        """Return the probability (0 to 1) that the first of the ranked candidates answers the query."""
        first = ranked[0]
        record = first.record
        if names_another(query, record, first.fit.asked):
            return 0.0
        document, found = self.document(first.number), self._said(first, query)
        asked = None if found.asked is None else manners(document.asked[found.asked])
        if asks_for_product(query.manners, asked):
            return 0.0
        shown = {
            None if found.asked is None else record.names + found.asked,
            None if found.leads is None else record.body + found.leads,
        }
        others = ranked[1:NEXT]
        return certainty(
            First(
                asked=found.fit - max((item.fit.asked for item in others), default=0.0),
                lead=lead_over(first.points, others[0].points if others else 0.0),
                alike=first.alike,
                of_a_card=record.standing in OF_A_CARD and first.points < FIRST * ALIAS,
                aside=record.standing in ASIDE,
                strange=sum(query.weights[word] for word in query.strange) / query.total,
                unsaid=1 - query.share_in(record.places, lambda text: text < record.names or text in shown),
                manner=shared_manner(query.manners, asked),
            )
        )

    def _asks(self, rest: str) -> bool:
        """Return True if a query can be a question. If it consists of numbers only, some document must have it as a
        name or code.
        """
        typed = words(rest)
        return (
            not all(map(str.isdecimal, typed))
            or self.holds("name", " ".join(typed))
            or self.holds("handle", " ".join(typed))
        )

    def _hit(self, candidate: Candidate, query: AnalysedQuery) -> Hit:
        document, found = self.document(candidate.number), self._said(candidate, query)
        twins = [self.document(twin.number) for twin in candidate.twins]
        # Add the same rule in other editions even if the query did not find it there.
        for counterpart in document.counterparts:
            others = (self.document(number) for number in self.numbers("id", counterpart))
            twins += [other for other in others if other.topic == document.topic and other not in twins]
        return Hit(
            id=document.id, title=document.title, game=document.game, kind=document.kind, source=document.source,
            score=round(candidate.points, 3),
            marked=answer(document.sentences, found.shown, query),
            answers=None if found.asked is None else document.asked[found.asked],
            said=tuple(document.sentences[number] for number in found.shown),
            covers=tuple(dict.fromkeys(heading for item in (document, *twins) for heading in item.covers)),
            spoiler=document.spoiler, standing=document.standing,
            edition=self._edition(document),
            twins=tuple(
                Twin(item.id, item.title, item.source, document.counterparts.get(item.id, item.differs), self._edition(item))
                for item in twins
            ),
        )  # fmt: skip

    def _said(self, candidate: Candidate, query: AnalysedQuery) -> EntryAnswer:
        """Return the answer of a candidate to the query."""
        return said(self.document(candidate.number), candidate.record, query, candidate.fit.questions)

    def _edition(self, document: Document) -> str | None:
        """Return the title of a document's edition. None if the document belongs to no edition."""
        editions = self.editions.get(document.game, ()) if document.edition else ()
        return next((edition.title for edition in editions if edition.within == document.edition), None)

    def _named_scope(self, text: str, within: str | None) -> tuple[str | None, str]:
        """Return the id prefix of the game or set that a query names, and the query without that name.

        With `within`, only games and sets below it count. A query that is itself the name of a document stays whole,
        because that name can contain the name of a game.
        """
        if self.holds("name", " ".join(words(text))):
            return None, text
        called = self.vocabulary["called"]
        if within:
            called = {place: names for place, names in called.items() if f"{place}/".startswith(f"{within}/")}
        return named_scope(text, called)


def own_names(document: Document) -> set[str]:
    """Return the names that only this document has: its title, its codes and the last part of its id, normalized as
    `SearchIndex.named` compares names.
    """
    return {" ".join(words(document.title.replace("-", " "))), *handles(document)}
