"""Makes the whole of a build: what is read from the sources goes into the tables and to the search index as it comes.

Of tens of thousands of entries neither all are held, nor does one work wait for the other to end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

from kb.catalog.build import BATCH, Tables, content_in, entries_in, facts_in, writing
from kb.catalog.current import DATABASE
from kb.catalog.documents import card_documents, entry_document, passage_document, sets_of
from kb.catalog.fingerprint import Now
from kb.catalog.kept import KEPT, Face, Kept, write_kept
from kb.catalog.quick import table_titles
from kb.files.swap import replace
from kb.load.cards import LoadedCards
from kb.load.entries import LoadedEntry
from kb.load.problems import Problems, SourceError
from kb.load.references import Content
from kb.load.shapes import without_defaults
from kb.load.sources import read_entries, read_facts
from kb.search.beside import index_beside, index_here, is_worth_it
from kb.search.document import Document, Vocabulary
from kb.version import __version__

Report = Callable[[str, float], None]


def whole_build(
    target: Path, root: Path, own: Path, now: Now, previous: Path | None, url: str | None, report: Report
) -> None:
    """Read the sources (those of `root`, and the user's `own`), and write database and index into the new folder `target`.

    `previous` is an index to take segments from, `url` the server for the tables (None: a SQLite file in the new folder), which are in use
    as soon as they are written. Raises SourceError.
    """
    meta = {"hash": now.hash, "version": __version__}
    put = index_beside if is_worth_it(sum(state.size for state in now.states.values())) else index_here
    reading = Reading(root, own, report)
    vocabulary = Vocabulary(reading.content.synonyms, reading.content.called)

    held: list[LoadedEntry] = []
    with ExitStack() as open_tables:
        tables = None if url else open_tables.enter_context(writing(f"sqlite:///{target / DATABASE}", meta))
        cards, others = reading.cards(tables), reading.others(tables, None if tables else held)
        with put(target / "index", cards, others, vocabulary, previous, reading.told):
            open_tables.close()
            write_kept(target / KEPT, reading.kept(now))
            if tables:
                reading.let_go()
    if url:
        with writing(url, meta) as tables:
            facts_in(tables, reading.facts)
            entries_in(tables, held, sets_of(reading.content))
            content_in(tables, reading.content)
    replace(target / KEPT, target.parent / KEPT)
    report("done", 1.0)


class Reading:
    """The sources while they are read; `content` is filled, but for its entries, and `facts` are the cards."""

    def __init__(self, root: Path, own: Path, report: Report) -> None:
        self.content, self.facts = Content(), LoadedCards()
        self._root, self._own, self._report, self._problems = root, own, report, Problems(root)
        self._faces: dict[str, dict[str, Face]] = {}
        self._links: dict[str, list[str]] = {}

    def cards(self, tables: Tables | None) -> Iterator[Document]:
        """Read the cards: their documents; their rows and records go to `tables`, where there are some."""
        self._report("reading the cards", 0.0)
        self.facts = facts = read_facts(self._root, self._own, self._problems)
        if tables and not self._problems.found:
            facts_in(tables, facts)
            facts.records = {game: {} for game in facts.records}
        yield from card_documents(facts.cards)

    def others(self, tables: Tables | None, held: list[LoadedEntry] | None) -> Iterator[Document]:
        """Read the content, after the cards: the documents of entries and passages; their rows go to `tables` meanwhile, the entries to
        `held`. Raises SourceError, with all that is wrong, when the last was read."""
        content, facts, problems = self.content, self.facts, self._problems
        self._report("reading the entries", 0.1)
        entries = read_entries(self._root, self._own, content, facts, problems)
        names, sets = {card.id: card.name for card in facts.cards}, sets_of(content)
        while batch := list(islice(entries, BATCH)):
            self._report("writing the catalog", 0.3)
            if problems.found:
                continue  # only what else is wrong is still asked
            if tables:
                entries_in(tables, batch, sets)
            if held is not None:
                held.extend(batch)
            for entry in batch:
                self._keep(entry)
                yield entry_document(entry, names, sets)
        if problems.found:
            raise SourceError(problems.told())
        if tables:
            content_in(tables, content)
        yield from map(passage_document, content.passages)

    def let_go(self) -> None:
        """Forget everything: while the index is written in another process, its memory is wanted there."""
        self.content, self.facts = Content(), LoadedCards()
        self._faces, self._links = {}, {}

    def told(self, share: float) -> None:
        """Report which share of the index is written."""
        self._report("writing the index", 0.4 + 0.55 * share)

    def kept(self, now: Now) -> Kept:
        """What is to be kept of the sources."""
        content, cards = self.content, self.facts.cards
        return Kept(
            __version__, now.hash, now.seen, {path: list(state) for path, state in now.states.items()}, self._faces,
            {key: [game, heading.position] for key, (game, heading) in content.headings.items()},
            [[game, without_defaults(source)] for (game, _id), source in content.sources.items()],
            [[card.id, card.game, card.set, card.code, card.name, bool(card.own)] for card in cards],
            table_titles(content), self._links, [passage.id for passage in content.passages],
        )  # fmt: skip

    def _keep(self, entry: LoadedEntry) -> None:
        """Note what others can know of an entry, and what it links to."""
        face = [entry.fields.title, sorted(self.content.anchors.get(entry.id, ())), entry.fields.formerly]
        self._faces.setdefault(str(self._root / entry.path), {})[entry.id] = face
        if linked := sorted({link.target for link in entry.links if not link.is_card}):
            self._links[entry.id] = linked
