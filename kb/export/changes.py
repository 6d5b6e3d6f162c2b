"""What changed between two exports."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kb.errors import KbError
from kb.export.shapes import LICENCE, ChangedJson, ChangesFileJson, GameFileJson
from kb.files.inside import inside
from kb.files.read import read_bounded

LARGEST = 500_000_000
INDEX = "index.json"


class ExportError(KbError, ValueError):
    """An export cannot be read or written; the message is a sentence."""


def read_games(folder: Path) -> tuple[str, dict[str, GameFileJson]]:
    """The version of an export and its games by id. Raises ExportError."""
    try:
        index = json.loads(read_bounded(folder / INDEX, LARGEST))
        games = {
            str(game): json.loads(read_bounded(inside(folder, f"games/{game}.json"), LARGEST))
            for game in index["games"]
        }
        for game in games.values():
            if not all(isinstance(item["id"], str) for item in [*game["entries"], *game["cards"]]):
                raise ValueError("an id is not a text")
        return str(index["version"]), games
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ExportError(f"{folder} holds no export of kb that can be read ({reason}).") from error


def changes(before: Mapping[str, Any], after: Mapping[str, Any], versions: tuple[str, str]) -> ChangesFileJson:
    """What changed from the games of one export to those of another."""
    found: dict[str, list[ChangedJson]] = {}
    for key, name in (("entries", "title"), ("cards", "name")):
        old = {item["id"]: item for game in before.values() for item in game[key]}
        new = {item["id"]: item for game in after.values() for item in game[key]}
        found[f"{key}_added"] = [told(new[each], name) for each in sorted(new.keys() - old.keys())]
        found[f"{key}_removed"] = [told(old[each], name) for each in sorted(old.keys() - new.keys())]
        found[f"{key}_changed"] = [
            told(new[each], name, differing(old[each], new[each]))
            for each in sorted(new.keys() & old.keys())
            if old[each] != new[each]
        ]
    return {"licence": LICENCE, "before": versions[0], "after": versions[1], **found}  # type: ignore[typeddict-item]


def told(item: Mapping[str, Any], name: str, keys: list[str] | None = None) -> ChangedJson:
    """An entry or card as a change names it."""
    return {"id": str(item["id"]), "title": str(item.get(name)), "keys": keys or []}


def differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """The keys whose values are not the same."""
    return sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))


def in_words(found: ChangesFileJson) -> str:
    """The changes as Markdown, for people."""
    lines = [f"# Changes from {found['before']} to {found['after']}", ""]
    for key in ("entries_added", "entries_changed", "entries_removed", "cards_added", "cards_changed", "cards_removed"):
        listed: list[ChangedJson] = dict(found)[key]  # type: ignore[assignment]
        if listed:
            what, how = key.split("_")
            lines += [f"## {what.capitalize()} {how}: {len(listed)}", ""]
            lines += [
                f"* {item['title']} (`{item['id']}`){': ' + ', '.join(item['keys']) if item['keys'] else ''}"
                for item in listed
            ]
            lines.append("")
    return "\n".join(lines) if len(lines) > 2 else f"{lines[0]}\n\nNothing has changed.\n"
