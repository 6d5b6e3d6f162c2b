"""Reads the catalog into what an export holds: nothing of the user's own, unless it is asked for."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, cast

from kb.api.showing import entry_json
from kb.catalog.reader import Catalog, EntryView
from kb.decks.games import all_rulesets
from kb.export.shapes import LICENCE, OWN_NOTICE, CheckJson, DocumentJson, ExportedEntryJson, GameFileJson, OwnJson


def game_files(catalog: Catalog, own: bool = False) -> dict[str, GameFileJson]:
    """Everything of each game, by its id; with `own` also what the user has imported, under a key of its own."""
    files = public_files(catalog.public())
    for game, imported in own_files(catalog).items() if own else ():
        if game in files:
            files[game]["own"] = imported
    return files


def own_files(catalog: Catalog) -> dict[str, OwnJson]:
    """What the user has imported, by game."""
    found: dict[str, OwnJson] = defaultdict(lambda: {"notice": OWN_NOTICE, "cards": [], "copies": {}, "passages": []})
    for card in catalog.all_cards():
        if "own" in card:
            found[card["game"]]["cards"].append(card)
        elif "owned" in card:
            found[card["game"]]["copies"][card["id"]] = card["owned"]
    for passage in catalog.passages():
        found[passage.game]["passages"].append(
            {
                "id": passage.id,
                "book": passage.book,
                "title": passage.title,
                "source": passage.source,
                "text": passage.text,
            }
        )
    return dict(found)


def public_files(catalog: Catalog) -> dict[str, GameFileJson]:
    """Everything of each game, by its id."""
    entries: dict[str, list[ExportedEntryJson]] = defaultdict(list)
    topics: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for entry in catalog.entries():
        entries[entry.game].append(exported(catalog, entry))
        if entry.topic:
            topics[entry.game].setdefault(entry.topic, []).append(entry.id)
    cards: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for card in catalog.all_cards():
        cards[card["game"]].append(card)
    checks = checks_by_game()
    return {
        game: {
            "licence": LICENCE,
            "id": game,
            "title": title,
            "documents": cast("list[DocumentJson]", catalog.documents(game)),
            "entries": entries[game],
            "topics": {topic: ids for topic, ids in sorted(topics[game].items()) if len(ids) > 1},
            "checks": checks.get(game, []),
            "cards": sorted(cards[game], key=lambda card: str(card["id"])),
        }
        for game, title in sorted(catalog.games().items())
    }


def exported(catalog: Catalog, entry: EntryView) -> ExportedEntryJson:
    """An entry as the export has it."""
    shown = entry_json(catalog, entry.id)
    assert shown is not None
    source = entry.data.get("source") or {}
    return {
        **shown,
        "rulebooks": [],  # the user's own copies stay on this machine
        "place": {
            "document": str(source.get("doc", "")),
            "page": source.get("page"),
            "pages": list(source.get("pages") or []),
            "section": source.get("section"),
            "version": source.get("version"),
            "url": source.get("url"),
        },
        "topic": entry.topic,
    }


def checks_by_game() -> dict[str, list[CheckJson]]:
    """The checks of decks by game, each ruleset's in its order."""
    found: dict[str, list[CheckJson]] = defaultdict(list)
    for game, ruleset, rules in all_rulesets():
        for check in rules.checks:
            found[game].append(
                {
                    "id": check.id,
                    "ruleset": ruleset,
                    "family": check.family,
                    "summary": check.summary,
                    "cites": list(check.cites),
                }
            )
    return dict(found)
