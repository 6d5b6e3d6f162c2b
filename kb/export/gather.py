"""Reads the catalog into what an export holds: nothing of the user's own, unless it is asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, cast

from kb.api.schema import json_of
from kb.api.showing import whole_entry
from kb.catalog.reader import Catalog, EntryView
from kb.decks.games import all_rulesets, checks_by_entry
from kb.decks.ruleset import Check
from kb.export.shapes import (
    LICENCE,
    OWN_NOTICE,
    CheckJson,
    DocumentJson,
    ExportedEntryJson,
    GameFileJson,
    OwnJson,
    OwnPassageJson,
)


def game_files(catalog: Catalog, own: Catalog | None = None) -> dict[str, GameFileJson]:
    """Everything of each game, by its id; with the catalog `own` also what the user has imported, under a key of its own."""
    files = {game: game_file(catalog, game) for game in sorted(catalog.games())}
    for game, imported in own_files(own).items() if own else ():
        if game in files:
            files[game]["own"] = imported
    return files


def own_files(catalog: Catalog) -> dict[str, OwnJson]:
    """What the user has imported, by game, as the catalog with it says."""
    found: dict[str, OwnJson] = defaultdict(lambda: {"notice": OWN_NOTICE, "cards": [], "copies": {}, "passages": []})
    for card in catalog.all_cards():
        if "own" in card:
            found[card["game"]]["cards"].append(card)
        elif "owned" in card:
            found[card["game"]]["copies"][card["id"]] = card["owned"]
    for passage in catalog.passages():
        found[passage.game]["passages"].append(json_of(OwnPassageJson, passage))
    return dict(found)


def game_file(catalog: Catalog, game: str) -> GameFileJson:
    """Everything of a game but for what is the user's own. Raises KeyError for a game that is not in the catalog."""
    title = catalog.games()[game]
    cited = checks_by_entry()
    entries = [exported(catalog, entry, cited.get(entry.id, ())) for entry in catalog.entries(game)]
    topics: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        if entry["topic"]:
            topics[entry["topic"]].append(entry["id"])
    return {
        "licence": LICENCE, "id": game, "title": title, "documents": cast(list[DocumentJson], catalog.documents(game)), "entries": entries,
        "topics": {topic: ids for topic, ids in sorted(topics.items()) if len(ids) > 1}, "checks": checks_of(game),
        "cards": list(catalog.all_cards(game=game, by_id=True)),
    }  # fmt: skip


def exported(catalog: Catalog, entry: EntryView, citing: Iterable[tuple[str, Check[Any]]]) -> ExportedEntryJson:
    """An entry as the export has it; `citing` are the checks that cite it, with their game."""
    source = entry.data.get("source") or {}
    return {
        **whole_entry(catalog, entry, citing),
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


def checks_of(game: str) -> list[CheckJson]:
    """The checks of a game's decks, each ruleset's in its order."""
    return [
        json_of(CheckJson, check, ruleset=ruleset, cites=list(check.cites))
        for about, ruleset, rules in all_rulesets()
        if about == game
        for check in rules.checks
    ]
