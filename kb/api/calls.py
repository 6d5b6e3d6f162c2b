"""The functions of `import kb`: each opens what it needs, answers and closes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Unpack

from kb.api.session import Path, Session

if TYPE_CHECKING:
    from kb.api.card_lists import CardsJson
    from kb.api.comparing import ChangesJson, ComparisonJson
    from kb.api.searching import Answer
    from kb.api.showing import Shown
    from kb.catalog.reader import Catalog
    from kb.decks.contract import CheckOptions
    from kb.decks.nodes import DeckFileError
    from kb.decks.report import Report
    from kb.retrieval.engine import Results


def search(
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

    >>> results = search("does playing a card while engaged provoke an attack", within="arkham")
    >>> results.hits[0].title
    'Attack of opportunity'
    >>> 0 <= results.sure <= 1
    True
    """
    with Session() as session:
        return session.search(question, within=within, kind=kind, limit=limit, spoilers=spoilers, rules=rules)


def ask(
    question: str,
    *,
    within: str | None = None,
    kind: str | None = None,
    spoilers: bool = True,
    rules: str | None = None,
) -> Answer:
    """The entry that answers a question for certain, whole, and the nearest three; the arguments are those of `search`.

    >>> answer = ask("how many copies of a myriad card can I have")
    >>> answer.certain, answer.entry["title"], answer.results.hits[0].kind
    (True, 'Myriad', 'term')
    """
    with Session() as session:
        return session.ask(question, within=within, kind=kind, spoilers=spoilers, rules=rules)


def show(name: str, *, within: str | None = None, rules: str | None = None) -> Shown:
    """An entry, a card or a list of entries whole, by its id, title, name or printed code; of several editions the one of `rules`.

    Raises NotFound when nothing is called so, and Ambiguous (its `candidates` are ids and titles) when several are.

    >>> show("mulligan")["id"]
    'arkham/grimoire/glossary/mulligan'
    >>> show("01020")["facts"]["name"]
    'Machete'
    """
    with Session() as session:
        return session.show(name, within=within, rules=rules)


def compare(name: str, *, within: str | None = None, rules: str | None = None) -> ComparisonJson:
    """A rule in all editions or sets of its game that state it, by its id, title or name: the JSON of `kb compare`.

    Raises NotFound when nothing is called so or nothing else states it, and Ambiguous when several rules are called so.

    >>> [entry["of"] for entry in compare("alert", within="arkham")["entries"]]
    ['Grimoire 1.1', 'FAQ 2.5']
    """
    with Session() as session:
        return session.compare(name, within=within, rules=rules)


def changes(within: str | None = None) -> ChangesJson:
    """What the newest edition of a game's rules changed: entries that are new, changed and gone. Raises NotFound where there is but one.

    >>> found = changes("arkham")
    >>> found["edition"], len(found["changed"]) > 50
    ('Grimoire 1.1', True)
    """
    with Session() as session:
        return session.changes(within)


def cards(query: str, *, limit: int | None = None) -> CardsJson:
    """Cards by their facts, in the language of `kb cards`; `limit` cuts the list, not the total. Raises CardQueryError.

    >>> found = cards("type:weapon set:mm deck<=2 trait:magic", limit=3)
    >>> found["total"] > 3, len(found["cards"])
    (True, 3)
    """
    with Session() as session:
        return session.cards(query, limit=limit)


def check_decks(
    files: Iterable[Path], *, jobs: int = 1, **options: Unpack[CheckOptions]
) -> Iterator[Report | DeckFileError]:
    """The report on each deck in files and folders, in order, as it is ready; for one that cannot be read the DeckFileError.

    `jobs` is a number of processes to share them among, `options` are those of `Deck.check`.

    >>> for report in check_decks(["kyra.yaml", "missing.yaml"]):
    ...     print(getattr(report, "legal", report))
    False
    missing.yaml: cannot be read: No such file or directory.
    """
    with Session() as session:
        yield from session.check_decks(files, jobs=jobs, **options)


def as_json(found: Any) -> Any:
    """What one of the functions gave, as the object that the command of its name prints with `--json`.

    >>> as_json(search("mulligan", within="arkham", limit=1))["hits"][0]["id"]
    'arkham/grimoire/glossary/mulligan'
    """
    with Session() as session:
        return session.as_json(found)


def open_catalog() -> Catalog:
    """The catalog itself, with what you have imported, to read in your own way; built first when the sources have changed.

    Use it as a context manager.

    >>> with open_catalog() as catalog:
    ...     catalog.entry("arkham/glossary/mulligan").title
    'Mulligan'
    """
    from kb.catalog.store import open_catalog as opened

    return opened(own=True)
