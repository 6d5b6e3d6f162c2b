"""Writes what the site's search reads: every document of the search index, and the figures that rank them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kb.search import answer, index, ranking, suggest
from kb.search.analysis import STOP
from kb.search.document import Document
from kb.search.engine import SearchIndex
from kb.site.addresses import Addresses
from kb.site.library import Library


def write_search_data(library: Library, addresses: Addresses, index_folder: Path, path: Path) -> None:
    """Write `path`: one JavaScript file that calls `kbSearchData(...)`, which also works from a folder without a server.

    `places` are games and sets, `words` the words a query can be corrected to with how much each counts; `entries` and `cards` are rows
    as `entry_row` and `card_row` make them, of the very documents that the command line searches.
    """
    places = list(dict.fromkeys([*library.games, *library.shelves]))
    titles = {**library.games, **{shelf.id: shelf.title for shelf in library.shelves.values()}}
    opened = SearchIndex(index_folder)
    try:
        shown = library.games.keys()
        asked_for = library.own_passages.keys() | library.own_cards.keys()
        documents = [
            found
            for found in opened.documents()
            if found.id.split("/")[0] in shown and (not found.own or found.id in asked_for)
        ]
        vocabulary, words = opened.vocabulary, opened.words
    finally:
        opened.close()
    data = {
        "places": [[place, titles[place]] for place in places],
        "rules": rules(),
        "synonyms": {game: told for game, told in vocabulary["synonyms"].items() if game in shown},
        "called": {scope: names for scope, names in vocabulary["called"].items() if scope.split("/")[0] in shown},
        "words": [part for pair in words.items() for part in pair],
        "entries": [entry_row(addresses, document) for document in documents if document.kind != "card"],
        "cards": list(card_rows(addresses, documents)),
    }
    text = (
        json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        .replace("</", "<\\/")
        .replace("\u2028", " ")
        .replace("\u2029", " ")
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"kbSearchData({text})\n", encoding="utf-8")


def rules() -> dict[str, Any]:
    """The figures by which the command line ranks, corrects and answers: the page does it by the same."""
    return {
        "weights": index.WEIGHTS,
        "length_share": index.LENGTH_SHARE,
        "usual_length": index.USUAL_LENGTH,
        "stop": sorted(STOP),
        "suggest": suggest.tables(),
        "answer": answer.tables(),
        **ranking.tables(),
    }


def entry_row(addresses: Addresses, document: Document) -> list[Any]:
    """An entry: id, address (empty: the id with `.html`), kind, title, source, standing, names, questions, the number of the sentence that
    answers each, sentences, cards it is about, spoiler, parts, further places, older wordings, topic, what differs in the twin."""
    address = addresses.entry(document.id)
    further = [scope for scope in document.scopes if not f"{document.id}/".startswith(f"{scope}/")]
    return [
        document.id, "" if address == f"{document.id}.html" else address, document.kind, document.title, document.source,
        document.standing, document.aliases, document.asked, document.answered_by, document.sentences, document.related,
        document.spoiler or "", document.parts, further, document.older, document.topic or "", document.differs or "",
    ]  # fmt: skip


def card_rows(addresses: Addresses, documents: list[Document]) -> Iterator[list[Any]]:
    """A row for each card: id, address (1: the id with `.html`, empty: it has no page), title, name without subtitle, source, types."""
    for document in documents:
        if document.kind == "card":
            address = addresses.card(document.id) or ""
            yield [
                document.id, 1 if address == f"{document.id}.html" else address, document.title, "".join(document.aliases),
                document.source, " ".join(document.sentences),
            ]  # fmt: skip
