"""The functions of `import kb`: each opens what it needs, answers and closes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, Unpack

from kb.api.session import Path, Session

if TYPE_CHECKING:
    from kb.catalog.reader import Catalog
    from kb.decks.contract import CheckOptions
    from kb.decks.nodes import DeckFileError
    from kb.decks.report import Report

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
changes = _once(Session.changes)
cards = _once(Session.cards)


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
