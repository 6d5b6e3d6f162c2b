"""kb held open: what every window asks, and what scripts get with `kb.Session`; the functions of `import kb` open one for each question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, wraps
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, Unpack

from kb.citation import Citations
from kb.errors import KbError
from kb.jsonable import Jsonable, plain_json

if TYPE_CHECKING:
    from kb.api.card_lists import CardLists
    from kb.api.searching import Place
    from kb.api.showing import Answer, Shown
    from kb.catalog.reader import Catalog
    from kb.catalog.store import Progress, Say
    from kb.decks.contract import CheckOptions
    from kb.decks.deckfile import DeckFile
    from kb.decks.games import DeckRules
    from kb.decks.nodes import DeckFileError
    from kb.decks.report import Report
    from kb.retrieval.engine import Results, SearchIndex


Path = str | PathLike[str]


class FilesError(KbError, PermissionError):
    """A session without files was given the name of one."""


class Session:
    """kb open for many questions: index, catalog and rules of decks, each opened when it is first asked for.

    `chosen` is the game that is played: searches look there unless they say otherwise or the question names another one. `rules` is the
    edition that a game with several is searched by; None: the one that KB_RULES or `kb use` names, else the newest.
    Without `own` what the user has imported (rulebooks, cards) is not opened, for answers that others read. Without `files` no
    file that a question names is opened, for questions that others ask: decks are texts, `for:NAME` is a character.
    `progress(step, share)` is told how far a build of the catalog is, `say(sentence)` that broken sources could not be
    taken in. Use it as a context manager, and from one thread. What changes in the sources while it is open it does not see.

    >>> with Session(chosen="arkham") as session:
    ...     session.search("mulligan").hits[0].title
    'Mulligan'
    """

    def __init__(
        self,
        *,
        chosen: str | None = None,
        rules: str | None = None,
        own: bool = True,
        files: bool = True,
        progress: Progress | None = None,
        say: Say | None = None,
    ) -> None:
        self.chosen = chosen
        self.rules = rules
        self._own = own
        self._files = files
        self._progress = progress
        self._say = say
        self.cites = Citations(lambda ids: self.catalog.citations(ids))
        """Title and source of each entry by its id; what was looked up once is kept."""

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close what was opened."""
        for opened in ("index", "catalog"):
            if (resource := self.__dict__.pop(opened, None)) is not None:
                resource.close()
        for made in ("deck_rules", "card_lists"):
            self.__dict__.pop(made, None)

    @cached_property
    def index(self) -> SearchIndex:
        """The index, which needs no database."""
        from kb.catalog.store import open_index
        from kb.retrieval.engine import SearchIndex

        return SearchIndex(open_index(self._progress, self._say, own=self._own))

    @cached_property
    def catalog(self) -> Catalog:
        """The catalog: entries, cards and what links them."""
        from kb.catalog.store import open_catalog

        return open_catalog(self._progress, self._say, own=self._own)

    @cached_property
    def card_lists(self) -> CardLists:
        """The cards, to be asked for by their facts."""
        from kb.api.card_lists import CardLists

        return CardLists(self.catalog, self.deck_rules, self._files)

    @cached_property
    def deck_rules(self) -> DeckRules:
        """The deck rules of every game, with their facts."""
        from kb.decks.games import DeckRules

        return DeckRules(self.catalog.records)

    def place(self, within: str | None = None, rules: str | None = None) -> Place:
        """Where a search looks: a game, set or folder by any of its names, `all`, or (None) the chosen game; by the edition `rules` (None:
        the session's). Raises NoSuchPlace and NoSuchEdition."""
        from kb.api.searching import EVERYWHERE, Place, played_rules, scope_called

        played = played_rules(self.index, rules or self.rules)
        if within and within.strip().casefold() in EVERYWHERE:
            return Place(anywhere=True, rules=played)
        if within:
            return Place(within=scope_called(self.index, within), rules=played)
        return Place(chosen=self.chosen if self.chosen and self.index.has_scope(self.chosen) else None, rules=played)

    def search(
        self,
        question: str,
        *,
        within: str | None = None,
        kind: str | None = None,
        limit: int = 10,
        spoilers: bool = True,
        rules: str | None = None,
    ) -> Results:
        """The entries and cards that answer a question, best first.

        `within` is a game, set or folder by any of its names (else the question may name one), `kind` a kind of entry or `card`;
        `spoilers=False` leaves out what gives away a campaign; `rules` is the edition of a game's rules to answer by (`"faq"`), None the
        chosen one, else the newest. Raises NoSuchPlace for names that nothing has, and NoSuchEdition.

        >>> import kb
        >>> results = kb.search("does playing a card while engaged provoke an attack", within="arkham")
        >>> results.hits[0].title
        'Attack of opportunity'
        >>> 0 <= results.sure <= 1
        True
        """
        from kb.api.searching import NoSuchPlace

        place = self.place(within, rules)
        if kind and kind not in self.index.kinds():
            raise NoSuchPlace(f"There is no kind {kind!r}. Kinds are {', '.join(self.index.kinds())}.")
        return self.index.search(
            question, place.within, kind, limit, spoilers,
            chosen=place.chosen, anywhere=place.anywhere, rules=place.rules,
        )  # fmt: skip

    def ask(
        self,
        question: str,
        *,
        within: str | None = None,
        kind: str | None = None,
        spoilers: bool = True,
        rules: str | None = None,
    ) -> Answer:
        """The entry that answers a question for certain, whole, and the nearest three; the arguments are those of `search`.

        >>> import kb
        >>> answer = kb.ask("how many copies of a myriad card can I have")
        >>> answer.certain, answer.results.hits[0].title, answer.results.hits[0].kind
        (True, 'Myriad', 'term')
        """
        from kb.api.showing import NEAREST, Answer
        from kb.retrieval.certainty import PROBABLE, SURE

        results = self.search(question, within=within, kind=kind, limit=NEAREST, spoilers=spoilers, rules=rules)
        if results.scope is None and results.sure >= PROBABLE:  # no answer is more certain than with its game chosen
            game = results.hits[0].game
            chosen = self.search(question, within=game, kind=kind, limit=1, spoilers=spoilers, rules=rules)
            results = replace(results, sure=min(results.sure, chosen.sure))
        best = results.hits[0].id if results.hits and results.sure >= SURE else None
        return Answer(results, self.get(best) if best else None)

    def get(self, exact_id: str) -> Shown | None:
        """The entry, card or list with this id; None when there is none."""
        from kb.api.showing import shown

        return shown(self.catalog, exact_id)

    def show(self, name: str, *, within: str | None = None, rules: str | None = None) -> Shown:
        """An entry, a card or a list of entries whole, by its id, title, name or printed code; of several editions the one of `rules`.

        An entry has a `body`, a card `facts`, a list `entries`, a passage of your own rulebook a `text`. Raises NotFound when nothing is
        called so, and Ambiguous (its `candidates` are ids and titles) when several are.

        >>> import kb
        >>> kb.show("mulligan")["id"]
        'arkham/grimoire/glossary/mulligan'
        >>> "facts" in kb.show("01020")
        True
        """
        from kb.api.showing import Ambiguous

        if (exact := self.get(name.strip("/ "))) is not None:
            return exact
        called = self.called(name, within, rules)
        if len(called) > 1:
            raise Ambiguous(name, called)
        shown = self.get(called[0][0])
        if shown is None:  # the index and the catalog are built together
            raise KbError(f"{called[0][0]} is in the index but not in the catalog. Rebuild both with `kb build`.")
        return shown

    def compare(self, name: str, *, within: str | None = None, rules: str | None = None) -> dict[str, Any]:
        """A rule in all editions or sets of its game that state it, by its id, title or name: the JSON of `kb compare`. The name of a game
        gives all its rules that differ.

        Raises NotFound when nothing is called so or nothing else states it, and Ambiguous when several rules are called so.

        >>> import kb
        >>> [entry["of"] for entry in kb.compare("elusive", within="arkham")["entries"]]
        ['Grimoire 1.1', 'FAQ 2.5']
        """
        from kb.api.showing import Ambiguous, comparison, differences

        if (game := self.game_called(name)) is not None:
            return differences(self.catalog, game)
        if self.catalog.entry(exact := name.strip("/ ")):
            return comparison(self.catalog, exact)
        called = self.called(name, within, rules)
        entries = [entry for exact, _title in called if (entry := self.catalog.entry(exact))]
        if len({(entry.game, entry.topic or entry.id) for entry in entries}) > 1:
            raise Ambiguous(name, [(entry.id, entry.title) for entry in entries])
        return comparison(self.catalog, entries[0].id if entries else called[0][0])

    def game_called(self, name: str) -> str | None:
        """The id of the game that is called so; None when none is."""
        from kb.registry import games

        wanted = name.strip().casefold()
        known = self.catalog.games()
        by_name = {
            each.casefold(): game.id
            for game in games().values()
            if game.id in known
            for each in (game.id, game.title, game.short)
        }
        return by_name.get(wanted)

    def called(self, name: str, within: str | None = None, rules: str | None = None) -> list[tuple[str, str]]:
        """Id and title of all that is called so, the chosen game's first; of several editions those of the one that is played, where it
        has any. Raises NotFound, which names what is near."""
        from kb.api.showing import NotFound
        from kb.registry import games

        place = self.place(within, rules)
        documents = self.index.named(name, place.within)
        if any(document.edition in place.rules.chosen for document in documents):
            documents = [document for document in documents if document.edition in (None, *place.rules.chosen)]
        if place.chosen:
            documents.sort(key=lambda document: place.chosen not in document.scopes)
        if documents:
            return [(document.by_code(name), document.title) for document in documents]
        near = [(item.id, item.title) for item in self.index.near(name, place.within)[:3]]
        if not near:
            words = name.replace("/", " ").replace("-", " ")
            hits = self.index.search(words, place.within, limit=3, chosen=place.chosen, rules=place.rules).hits
            near = [(hit.id, hit.title) for hit in hits]
        listed = ", ".join(f"{exact_id} ({title})" if len(title) < 60 else exact_id for exact_id, title in near)
        newer = next(filter(None, (about.newer_than_facts(name) for about in games().values())), None)
        if newer is not None:
            raise NotFound(f"There is no entry {name!r}. {newer}")
        raise NotFound(f"There is no entry {name!r}." + (f" Did you mean {listed}?" if near else ""))

    def cards(self, query: str, *, limit: int | None = None) -> dict[str, Any]:
        """Cards by their facts, in the language of `kb cards`; `limit` cuts the list, not the total. Raises CardQueryError.

        >>> import kb
        >>> found = kb.cards("type:weapon set:mm deck<=2 trait:magic", limit=3)
        >>> found["total"] > 3, len(found["cards"])
        (True, 3)
        """
        return self.card_lists.asked(query, limit, self.chosen).as_json(self.cites)

    def read_decks(self, files: Iterable[Path | DeckFile | DeckFileError]) -> Iterator[DeckFile | DeckFileError]:
        """Every deck in files and folders, or what is wrong with one that cannot be read. Raises FilesError where no file is opened."""
        from kb.decks.reading import read_each

        return read_each(self.named(file) if isinstance(file, (str, PathLike)) else file for file in files)

    def check_decks(
        self, files: Iterable[Path | DeckFile | DeckFileError], **options: Unpack[CheckOptions]
    ) -> Iterator[Report | DeckFileError]:
        """The report on each deck, in order, as it is ready, or why there is none; see `kb.check_decks`."""
        from kb.decks.contract import check_one

        frame = given(options)
        for file in self.read_decks(files):
            yield check_one(file, self.deck_rules, frame)

    def as_json(self, found: Any) -> Any:
        """What one of the functions gave, as the object that the command of its name prints with `--json`. Raises TypeError.

        >>> import kb
        >>> kb.as_json(kb.search("mulligan", within="arkham", limit=1))["hits"][0]["id"]
        'arkham/grimoire/glossary/mulligan'
        """
        if isinstance(found, dict | Jsonable):
            return plain_json(found, self.cites)
        from kb.decks.contract import Unreadable
        from kb.decks.nodes import DeckFileError

        if isinstance(found, DeckFileError):
            return Unreadable(found.file, found.problems).as_json(self.cites)
        raise TypeError(f"{type(found).__name__} is not a result of a kb function")

    def named(self, file: Path) -> str:
        """The name of a file to open. Raises FilesError where none may be."""
        if not self._files:
            raise FilesError("Files cannot be opened here. Give the text of the deck.")
        return fspath(file)


def given(options: CheckOptions) -> dict[str, object]:
    """The options that are set, by name."""
    return {name: value for name, value in options.items() if value}


Given = ParamSpec("Given")
Found = TypeVar("Found")


def _once(method: Callable[Concatenate[Session, Given], Found]) -> Callable[Given, Found]:
    """A method of a session as a function with a session of its own."""

    @wraps(method)
    def call(*arguments: Given.args, **options: Given.kwargs) -> Found:
        with Session() as session:
            return method(session, *arguments, **options)

    return call


search = _once(Session.search)
ask = _once(Session.ask)
show = _once(Session.show)
compare = _once(Session.compare)
cards = _once(Session.cards)
as_json = _once(Session.as_json)


def check_decks(files: Iterable[Path], **options: Unpack[CheckOptions]) -> Iterator[Report | DeckFileError]:
    """The report on each deck in files and folders, in order, as it is ready; for one that cannot be read the DeckFileError.

    `options` are those of `Deck.check`.

    >>> for report in check_decks(["kyra.yaml", "missing.yaml"]):
    ...     print(getattr(report, "legal", report))
    False
    missing.yaml: cannot be read: No such file or directory.
    """
    with Session() as session:
        yield from session.check_decks(files, **options)


def open_catalog() -> Catalog:
    """The catalog itself, with what you have imported, to read in your own way; built first when the sources have changed.

    Use it as a context manager.

    >>> with open_catalog() as catalog:
    ...     catalog.games()["luxor"]
    'Luxor'
    """
    from kb.catalog.store import open_catalog as opened

    return opened(own=True)
