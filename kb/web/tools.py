"""What an assistant gets for its questions: the JSON of the commands, in fewer words and with the page of each source."""

from __future__ import annotations

import re
from typing import Any

from kb.api.session import Session
from kb.web import asked

PAGE = re.compile(r",? pp?\. ([\d, -]+)$")
CARD_FACTS = "kb's card facts"
# Of an entry, what an assistant has no use for, and the lists that may be long.
UNSAID = {"body", "covers", "aliases", "asked", "linked_from", "checks"}
LONG, MOST = {"rulings", "see", "same_card", "rulebooks", "bears_on"}, 10


def in_short(value: Any, key: str = "") -> Any:
    """JSON without what an assistant has no use for; each source is parted into document and page."""
    if isinstance(value, list):
        return [in_short(each) for each in (value[:MOST] if key in LONG else value)]
    if not isinstance(value, dict):
        return value
    found = {name: in_short(each, name) for name, each in value.items() if name not in UNSAID}
    if isinstance(source := found.get("source"), str):
        page = PAGE.search(source)
        found |= {"source": PAGE.sub("", source), "page": page[1] if page else None}
    return found


def card(facts: dict[str, Any]) -> dict[str, Any]:
    """What is known of a card; it is kb's own compilation."""
    known = {key: value for key, value in facts.items() if value not in (None, [], {}, "")}
    return {**known, "title": known.get("name", known["id"]), "source": CARD_FACTS, "page": None}


def search(session: Session, question: str, game: str | None, kind: str | None, limit: int) -> dict[str, Any]:
    """The entries that answer, each with the sentence that does."""
    found: dict[str, Any] = in_short(session.as_json(session.search(question, within=game, kind=kind, limit=limit)))
    return found


def ask(session: Session, question: str, game: str | None) -> dict[str, Any]:
    """The entry that answers for certain, whole; and the nearest."""
    answer = session.ask(question, within=game)
    return {"certain": answer.certain, **in_short(session.as_json(answer)), "answer": whole(answer.entry)}


def show(session: Session, name: str, game: str | None) -> dict[str, Any]:
    """An entry, a card or a list whole."""
    return dict(whole(session.show(name, within=game)) or {})


def whole(found: Any) -> dict[str, Any] | None:
    """An entry, card, list or passage with its source."""
    if found is None or "facts" not in found:
        told: dict[str, Any] | None = in_short(found)
        return told if told is None or "source" in told else {**told, "source": told["title"], "page": None}
    facts = card(found["facts"])
    return {
        **{key: facts[key] for key in ("id", "title", "source", "page")},
        "facts": facts,
        "entries": in_short(found["entries"]),
    }


def cards(session: Session, query: str, limit: int) -> dict[str, Any]:
    """Cards by their facts, without those that are unknown."""
    found = session.cards(query, limit=limit)
    return {**found, "cards": [card(each) for each in found["cards"]]}


def check_deck(session: Session, deck: str, options: dict[str, Any]) -> dict[str, Any]:
    """The report on a deck, each finding with the rule it cites."""
    report = session.check_deck(session.read_deck(text=deck), **asked.options(options))
    found: dict[str, Any] = in_short(session.as_json(report))
    return found
