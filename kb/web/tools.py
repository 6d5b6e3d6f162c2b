"""What an assistant gets for its questions: our entries in few words, each with its id, source and page, so that it can cite them."""

from __future__ import annotations

import re
from typing import Any

from kb.api.session import Session
from kb.catalog.reader import Catalog
from kb.web import asked

PAGE = re.compile(r",? pp?\. ([\d, -]+)$")
MOST_NAMED = 10


def sourced(exact_id: str, title: str, source: str) -> dict[str, Any]:
    """What is cited: id and title, the document, and the page where it has one."""
    page = PAGE.search(source)
    return {"id": exact_id, "title": title, "source": PAGE.sub("", source), "page": page[1] if page else None}


def search(session: Session, question: str, game: str | None, kind: str | None, limit: int) -> dict[str, Any]:
    """The entries that answer, each with the sentence that does."""
    found = session.as_json(session.search(question, within=game, kind=kind, limit=limit))
    return {
        "sure": found["sure"],
        "corrected": found["corrected"],
        "searched": found["scope"] or "all games",
        "hits": [
            {
                **sourced(hit["id"], hit["title"], hit["source"]), "game": hit["game"], "kind": hit["kind"],
                "sentence": hit["snippet"], "spoiler": hit["spoiler"], "edition": hit["edition"],
                "same_rule_in": [
                    {**sourced(twin["id"], twin["title"], twin["source"]), "differs": twin["differs"], "edition": twin["edition"]}
                    for twin in hit["twins"]
                ],
            }
            for hit in found["hits"]
        ],
    }  # fmt: skip


def ask(session: Session, question: str, game: str | None) -> dict[str, Any]:
    """The entry that answers for certain, whole; else the nearest."""
    answer = session.ask(question, within=game)
    nearest = [
        {**sourced(hit.id, hit.title, hit.source), "sentence": plain(hit.snippet)} for hit in answer.results.hits
    ]
    if answer.entry is None:
        return {"certain": False, "answer": None, "nearest": nearest}
    return {"certain": True, "answer": whole(session, dict(answer.entry)), "nearest": nearest[1:]}


def show(session: Session, name: str, game: str | None) -> dict[str, Any]:
    """An entry, a card or a list whole."""
    return whole(session, dict(session.show(name, within=game)))


def cards(session: Session, query: str, limit: int) -> dict[str, Any]:
    """Cards by their facts, without those that are unknown; what kb knows of cards is its own compilation."""
    found = session.cards(query, limit=limit)
    known = [{key: value for key, value in card.items() if value not in (None, [], {}, "")} for card in found["cards"]]
    return {
        "total": found["total"], "unknown": found["unknown"],
        "cards": [{**card, **sourced(str(card["id"]), str(card.get("name", "")), CARD_FACTS)} for card in known],
    }  # fmt: skip


CARD_FACTS = "kb's card facts"


def check_deck(session: Session, deck: str, options: dict[str, Any]) -> dict[str, Any]:
    """The report on a deck, each finding with the rule it cites."""
    found = session.as_json(session.check_deck(session.read_deck(text=deck), **asked.options(options)))
    for finding in found["findings"]:
        finding["cites"] = [sourced(cite["id"], cite["title"], cite["source"]) for cite in finding["cites"]]
    return dict(found)


def whole(session: Session, found: dict[str, Any]) -> dict[str, Any]:
    """An entry, card, list or passage with its source, and what bears on it."""
    if "facts" in found:
        facts = {key: value for key, value in found["facts"].items() if value not in (None, [], {}, "")}
        head = sourced(found["id"], str(facts.get("name", found["id"])), CARD_FACTS)
        return {**head, "facts": facts, "ruled_in": named(found["entries"])}
    if "entries" in found:
        entries = session.cites(entry["id"] for entry in found["entries"])
        listed = [sourced(each.id, each.title, each.source) for each in entries.values()]
        return {**sourced(found["id"], found["title"], found["title"]), "intro": found["intro"], "entries": listed}
    head = sourced(found["id"], found["title"], found["source"])
    if "book" in found:
        return {**head, "game": found["game"], "kind": found["kind"], "text": found["text"]}
    superseded = follow(session.catalog, [each["id"] for each in found["superseded_by"]])
    return {
        **head, "game": found["game"], "kind": found["kind"], "text": found["text"], "authority": found["authority"],
        "spoiler": found["spoiler"], "superseded_by": superseded, "differs_in_other_set": found["topic_note"], "edition": found["edition"],
        "in_other_editions": [
            {**sourced(each["id"], each["title"], each["source"]), "edition": each["edition"], "differs": each["differs"]}
            for each in found["counterparts"]
        ],
        "stands": found["stands"],
        "rulings": named(found["rulings"]), "see_also": [each["id"] for each in found["see"]][:MOST_NAMED],
    }  # fmt: skip


def named(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first entries of a list, each with its source."""
    return [sourced(each["id"], each["title"], each["source"]) for each in found[:MOST_NAMED]]


def follow(catalog: Catalog, ids: list[str]) -> list[dict[str, Any]]:
    """The later texts that hold instead of an entry."""
    return [sourced(each.id, each.title, each.source) for each in catalog.citations(ids).values()]


def plain(snippet: str) -> str:
    """A sentence without the signs of its matched words."""
    from kb.retrieval.answer import unmarked

    return unmarked(snippet)
