"""The class `Session`, through which all user interfaces and scripts use kb. The functions of `import kb` open a
session for each call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, wraps
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from kb.citation import Citations
from kb.errors import KbError
from kb.shapes import Jsonable, plain_json

if TYPE_CHECKING:
    from kb.api.card_lists import CardLists
    from kb.api.searching import Place
    from kb.api.showing import Answer, Shown
    from kb.catalog.reader import Catalog
    from kb.catalog.store import Progress, Say
    from kb.decks.contract import CheckOption
    from kb.decks.deckfile import DeckFile
    from kb.decks.games import DeckRules
    from kb.decks.nodes import DeckFileError
    from kb.decks.report import Report
    from kb.retrieval.engine import Results, SearchIndex


Path = str | PathLike[str]


class FilesError(KbError, PermissionError):
    """A session that may not open files was given the name of a file."""


class Session:
    """A kb session for many questions. It opens the index, the catalog and the deck rules on first use.

    `chosen` is the default game: searches look there unless they specify a scope or the question names another game.
    `rules` is the edition of the rules; the default is the one in KB_RULES or chosen with `kb use`, or else the newest.
    If others read the answers, set `own=False`: the session does not open the user's imports (rulebooks, cards). If
    others ask the questions, set `files=False`: the session opens no file named in a question, so decks are texts and
    `for:NAME` is a character. The session calls `progress(step, share)` while it builds the catalog, and
    `say(sentence)` if the sources cannot be read. Use it as a context manager, in one thread. An open session does not
    see changes to the sources.

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
        """Citations (title and source) by the ids of entries. Each is looked up only once."""

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the index and the catalog."""
        for opened in ("index", "catalog"):
            if (resource := self.__dict__.pop(opened, None)) is not None:
                resource.close()
        for made in ("deck_rules", "card_lists"):
            self.__dict__.pop(made, None)

    @cached_property
    def index(self) -> SearchIndex:
        """The search index, which needs no database."""
        from kb.catalog.store import open_index
        from kb.retrieval.engine import SearchIndex

        return SearchIndex(open_index(self._progress, self._say, own=self._own))

    @cached_property
    def catalog(self) -> Catalog:
        """The catalog: entries, cards and their links."""
        from kb.catalog.store import open_catalog

        return open_catalog(self._progress, self._say, own=self._own)

    @cached_property
    def card_lists(self) -> CardLists:
        """The cards of all games, for queries by their facts."""
        from kb.api.card_lists import CardLists

        return CardLists(self.catalog, self.deck_rules, self._files)

    @cached_property
    def deck_rules(self) -> DeckRules:
        """The deck rules of every game, with their facts."""
        from kb.decks.games import DeckRules

        return DeckRules(self.catalog.records)

    def place(self, within: str | None = None, rules: str | None = None) -> Place:
        """Return the scope of a search.

        `within` is a game, set or folder by any of its names, or `all`; the default is the chosen game. `rules` is the
        edition of the rules; the default is the session's edition. Raises NoSuchPlace or NoSuchEdition for an unknown
        name.
        """
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
        """Search for the entries and cards that answer a question, best first.

        `within` is a game, set or folder by any of its names; without it, the question may name one. `kind` is a kind
        of entry, or `card`. `spoilers=False` leaves out entries that spoil a campaign. `rules` is the edition of the
        rules, such as `"faq"`; the default is the chosen one, or else the newest. Raises NoSuchPlace for unknown names,
        and NoSuchEdition.

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
            question,
            place.within,
            kind,
            limit,
            spoilers,
            chosen=place.chosen,
            anywhere=place.anywhere,
            rules=place.rules,
        )

    def ask(
        self,
        question: str,
        *,
        within: str | None = None,
        kind: str | None = None,
        spoilers: bool = True,
        rules: str | None = None,
    ) -> Answer:
        """Answer a question. Return the complete entry if the answer is certain, and the three nearest results. The
        arguments are the same as for `search`.

        >>> import kb
        >>> answer = kb.ask("how many copies of a myriad card can I have")
        >>> answer.certain, answer.results.hits[0].title, answer.results.hits[0].kind
        (True, 'Myriad', 'term')
        """
        from kb.api.showing import NEAREST, Answer
        from kb.retrieval.certainty import PROBABLE, SURE

        results = self.search(question, within=within, kind=kind, limit=NEAREST, spoilers=spoilers, rules=rules)
        if (
            results.scope is None and results.sure >= PROBABLE
        ):  # the answer must not be more certain than if its game were chosen
            game = results.hits[0].game
            chosen = self.search(question, within=game, kind=kind, limit=1, spoilers=spoilers, rules=rules)
            is_first_there = bool(chosen.hits) and chosen.hits[0].id == results.hits[0].id
            results = replace(results, sure=min(results.sure, chosen.sure) if is_first_there else 0.0)
        best = results.hits[0].id if results.hits and results.sure >= SURE else None
        return Answer(results, self.get(best) if best else None)

    def get(self, exact_id: str) -> Shown | None:
        """Return the entry, card or list with the id `exact_id`; None if there is none."""
        from kb.api.showing import shown

        return shown(self.catalog, exact_id)

    def show(self, name: str, *, within: str | None = None, rules: str | None = None) -> Shown:
        """Return a complete entry, card or list of entries, by its id, title, name or printed code. If several editions
        have it, return the one in `rules`.

        An entry has a `body`, a card `facts`, a list `entries`, and a passage of your own rulebook a `text`. Raises
        NotFound if nothing has the name, and Ambiguous (with `candidates`, ids and titles) if several entries or cards
        have it.

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
            raise KbError(
                f"{called[0][0]} is in the index but not in the catalog. Rebuild both with `kb doctor --rebuild`."
            )
        return shown

    def compare(self, name: str, *, within: str | None = None, rules: str | None = None) -> dict[str, Any]:
        """Compare a rule, given by id, title or name, in all editions or sets of its game that state it. Return the
        JSON of `kb compare`. For the name of a game, return all its rules that
        differ between editions or sets.

        Raises NotFound if no rule has this name, or if no other edition or set states the rule. Raises Ambiguous if
        several rules have this name.

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
        """Return the id of the game with this name; None if there is none."""
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
        """Return the ids and titles of all entries and cards with this name, starting with the chosen game.

        If the edition in use has the name, other editions are left out. Raises NotFound, with similar names, if nothing
        has the name. For the name of an adventure, the message names its scenarios.
        """
        from kb.api.showing import NotFound
        from kb.catalog.queries import adventures_called
        from kb.registry import games

        place = self.place(within, rules)
        documents = self.index.named(name, place.within)
        if any(document.edition in place.rules.chosen for document in documents):
            documents = [document for document in documents if document.edition in (None, *place.rules.chosen)]
        if place.chosen:
            documents.sort(key=lambda document: place.chosen not in document.scopes)
        if documents:
            return [(document.by_code(name), document.title) for document in documents]
        for game, adventure in adventures_called(self.catalog, name)[:1]:
            listed = ", ".join(part["name"] for part in adventure["scenarios"])
            lists = f"`kb scenarios --in {game}/{adventure['set']}` lists them"
            raise NotFound(f"{name} is an adventure, not an entry. Show one of its scenarios ({listed}); {lists} too.")
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
        """Return the cards that match a query in the language of `kb cards`. `limit` shortens the list, not the total.
        Raises CardQueryError if the query cannot be read.

        >>> import kb
        >>> found = kb.cards("type:weapon set:mm deck<=2 trait:magic", limit=3)
        >>> found["total"] > 3, len(found["cards"])
        (True, 3)
        """
        return self.card_lists.asked(query, limit, self.chosen).as_json(self.cites)

    def read_decks(self, files: Iterable[Path | DeckFile | DeckFileError]) -> Iterator[DeckFile | DeckFileError]:
        """Yield every deck in files and folders. Instead of a deck that cannot be read, yield the error. A plain list
        that names no game is read as a deck for the chosen game. Raises FilesError for a path if the session may not
        open files.
        """
        from kb.decks.deckfile import DeckFile
        from kb.decks.reading import read_each

        played = self.chosen or ""
        for file in read_each(self.named(file) if isinstance(file, (str, PathLike)) else file for file in files):
            yield replace(file, played=played) if isinstance(file, DeckFile) and played else file

    def check_decks(
        self, files: Iterable[Path | DeckFile | DeckFileError], **options: CheckOption
    ) -> Iterator[Report | DeckFileError]:
        """Yield the report on each deck in order, as soon as it is ready. Instead of a deck that cannot be read, yield
        the error; see `kb.check_decks`.
        """
        from kb.decks.contract import check_one

        for file in self.read_decks(files):
            yield check_one(file, self.deck_rules, options)

    def as_json(self, found: Any) -> Any:
        """Convert the result of a kb function to the object that the command prints with `--json`. Raises TypeError for
        any other value.

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
        """Return the path of a file to open, as text. Raises FilesError if the session may not open files."""
        if not self._files:
            raise FilesError("Files cannot be opened here. Give the text of the deck.")
        return fspath(file)


Given = ParamSpec("Given")
Found = TypeVar("Found")


def _once(method: Callable[Concatenate[Session, Given], Found]) -> Callable[Given, Found]:
    """Convert a method of a session to a function that opens a session for each call."""

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


def check_decks(files: Iterable[Path], **options: CheckOption) -> Iterator[Report | DeckFileError]:
    """Yield the report on each deck in files and folders, in order and as soon as it is ready. For a deck that cannot
    be read, yield its DeckFileError.

    `options` are the same as for `Deck.check`.

    >>> for report in check_decks(["kyra.yaml", "missing.yaml"]):
    ...     print(getattr(report, "legal", report))
    False
    missing.yaml: cannot be read: No such file or directory.
    """
    with Session() as session:
        yield from session.check_decks(files, **options)


def open_catalog() -> Catalog:
    """Open the catalog, including your imports, for your own queries. If the sources have changed, build it first.

    Use it as a context manager.

    >>> with open_catalog() as catalog:
    ...     catalog.games()["luxor"]
    'Luxor'
    """
    from kb.catalog.store import open_catalog as opened

    return opened(own=True)
