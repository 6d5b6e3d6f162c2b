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

    if isinstance(error, Ambiguous):
        named = [{"id": found, "title": title} for found, title in error.candidates]
        return 409, encoded({"error": str(error), "candidates": named})
    if isinstance(error, NotFound):
        return 404, encoded({"error": str(error)})
    if isinstance(error, DeckFileError):
        problems = [{"line": item.line or None, "message": item.message} for item in error.problems]
        return 422, encoded({"error": str(error), "problems": problems})
    if isinstance(error, KbError) and not isinstance(error, SourceError):
        return (404 if isinstance(error, NoSuchPlace) else 400), encoded({"error": str(error)})
    print(f"kb serve: {type(error).__name__}: {without_secrets(error)[:300]}", file=sys.stderr)
    return 500, encoded({"error": "This is a bug in kb; its log says more."})


def encoded(value: Any) -> bytes:
    """JSON as bytes; half characters, which UTF-8 cannot hold, are escaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def search(session: Session, asked: dict[str, Any]) -> Any:
    """The JSON of `kb search`."""
    return session.as_json(
        session.search(
            asked["q"], within=asked["in"], kind=asked["kind"], limit=asked["limit"], spoilers=asked["spoilers"],
            rules=asked["rules"],
        )
    )  # fmt: skip


def ask(session: Session, asked: dict[str, Any]) -> Any:
    """The JSON of `kb ask`."""
    answer = session.ask(
        asked["q"], within=asked["in"], kind=asked["kind"], spoilers=asked["spoilers"], rules=asked["rules"]
    )
    return session.as_json(answer)


def show(session: Session, asked: dict[str, Any]) -> Any:
    """The JSON of `kb show`."""
    return session.show(asked["name"], within=asked["in"], rules=asked["rules"])


def entry(session: Session, exact_id: str) -> Any:
    """The entry, card or list with an id. Raises NotFound."""
    found = session.get(exact_id.strip("/"))
    if found is None:
        raise NotFound(f"There is no entry with the id {exact_id[:200]!r}; /show finds it by its name.")
    return found


def cards(session: Session, asked: dict[str, Any]) -> Any:
    """The JSON of `kb cards`."""
    return session.cards(asked["q"], limit=asked["limit"])


def check_deck(session: Session, asked: dict[str, Any], text: str) -> Any:
    """A report of `kb deck check --json`."""
    return session.as_json(session.check_deck(session.read_deck(text=text), **asked))


def rebuild_party(session: Session, asked: dict[str, Any], text: str) -> Any:
    """The JSON of `kb party rebuild`."""
    return session.as_json(session.rebuild_party(session.read_deck(text=text), fill=asked["fill"]))
