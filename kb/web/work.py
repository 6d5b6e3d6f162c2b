"""What the service asks of a session, and every answer as a status and JSON, what is wrong too."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from kb.api.places import NoSuchPlace
from kb.api.session import Session
from kb.api.showing import Ambiguous, NotFound
from kb.catalog.postgres import without_secrets
from kb.errors import KbError
from kb.version import __version__

Answered = tuple[int, bytes]
"""Status and JSON."""


def answered(session: Session, work: Callable[..., Any], *given: Any) -> Answered:
    """The answer that `work(session, *given)` makes; an error as its status and a sentence."""
    try:
        return 200, encoded(work(session, *given))
    except Exception as error:  # one request must not end the others
        return failure(error)


def failure(error: Exception) -> Answered:
    """An error as its status and a sentence: 404 nothing is called so, 409 several are, 400 what else was asked wrongly, 422 a deck
    that cannot be read, 500 a bug in kb."""
    from kb.decks.nodes import DeckFileError
    from kb.sources.problems import SourceError

    told: dict[str, Any] = {"error": str(error)}
    status = 400
    if isinstance(error, Ambiguous):
        status, told["candidates"] = 409, [{"id": found, "title": title} for found, title in error.candidates]
    elif isinstance(error, NotFound | NoSuchPlace):
        status = 404
    elif isinstance(error, DeckFileError):
        problems = [{"line": item.line or None, "message": item.message} for item in error.problems]
        status, told["problems"] = 422, problems
    elif not isinstance(error, KbError) or isinstance(error, SourceError):
        print(f"kb serve: {type(error).__name__}: {without_secrets(error)[:300]}", file=sys.stderr)
        status, told = 500, {"error": "This is a bug in kb; its log says more."}
    return status, encoded(told)


def encoded(value: Any) -> bytes:
    """JSON as bytes; half characters, which UTF-8 cannot hold, are escaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def search(session: Session, asked: dict[str, Any]) -> Any:
    """The JSON of `kb search`."""
    return session.as_json(session.search(asked.pop("q"), within=asked.pop("in"), **asked))


def ask(session: Session, asked: dict[str, Any]) -> Any:
    """The JSON of `kb ask`."""
    return session.as_json(session.ask(asked.pop("q"), within=asked.pop("in"), **asked))


def show(session: Session, asked: dict[str, Any]) -> Any:
    """The JSON of `kb show`."""
    return session.show(asked["name"], within=asked["in"], rules=asked["rules"])


def entry(session: Session, asked: dict[str, Any]) -> Any:
    """The entry, card or list with an id. Raises NotFound."""
    found = session.get(asked["id"].strip("/"))
    if found is None:
        raise NotFound(f"There is no entry with the id {asked['id'][:200]!r}; /show finds it by its name.")
    return found


def cards(session: Session, asked: dict[str, Any]) -> Any:
    """The JSON of `kb cards`."""
    return session.cards(asked["q"], limit=asked["limit"])


def health(session: Session, _asked: dict[str, Any]) -> Any:
    """The version of kb, after a question was answered."""
    session.search("mulligan")
    return {"kb": __version__}


def check_deck(session: Session, asked: dict[str, Any], text: str) -> Any:
    """A report of `kb deck check --json`."""
    return session.as_json(session.check_deck(session.read_deck(text=text), **asked))


def rebuild_party(session: Session, asked: dict[str, Any], text: str) -> Any:
    """The JSON of `kb party rebuild`."""
    return session.as_json(session.rebuild_party(session.read_deck(text=text), fill=asked["fill"]))
