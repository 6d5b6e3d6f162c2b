"""Lists the tasks that new card data leaves to a maintainer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kb.plural import counted
from kb.registry import games

Records = Mapping[str, Sequence[Mapping[str, Any]]]
"""Records by the relative path, below `cards/arkham`, of the file that contains them."""


def read_records(folder: Path) -> Records:
    """Return the records in all JSON files below `folder`, by relative path."""
    return {
        path.relative_to(folder).as_posix(): json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.json"))
    }


def to_write(old: Records, new: Records) -> Iterator[str]:
    """Yield a sentence for each task that remains after an import: something to write or to decide.

    `old` and `new` are the records before and after the import.
    """
    before, after = cards_of(old), cards_of(new)
    known = {pack["code"] for pack in old.get("packs.json", ())}
    numbers = Counter(card["pack"] for code, card in after.items() if code not in before)
    for pack in new.get("packs.json", ()):
        if pack["code"] not in known:
            released = pack.get("released") or "no release date"
            yield f"New product: {pack['name']} ({pack['code']}, {released}, {counted(numbers[pack['code']], 'card')}). Add it to CHANGELOG.md."
        if pack["code"] in {says["code"] for says in games()["arkham"].newer.values()}:
            yield f"{pack['name']} is in the data now. Remove it from `newer` in kb/games/arkham/game.yaml and from README.md."
    for card in new.get("investigators.json", ()):
        if card["code"] not in before:
            yield (
                f"New investigator: {card['name']} [{card['code']}]. Compare the deckbuilding rules on the card with the facts, and "
                "add missing facts to special.yaml."
            )
    lists = {row["list"] for row in old.get("taboo_lists.json", ())}
    for row in new.get("taboo_lists.json", ()):
        if row["list"] not in lists:
            yield f"New taboo list: {row['list']} ({row['start']}). Write its rows in content/arkham/taboo/ and content/arkham/taboo.md."
    if gone := sorted(before.keys() - after.keys()):
        yield f"Codes that are gone: {', '.join(gone)}. Check entries and special.yaml."
    changed = [pack["name"] for pack in old.get("packs.json", ()) if pack not in new.get("packs.json", ())]
    if changed:
        yield f"Changed products: {', '.join(changed)}. Compare them with git diff packs.json."
    yield "Then run kb doctor and pytest tests/content tests/games/arkham."


def cards_of(records: Records) -> dict[str, Mapping[str, Any]]:
    """Return the records of all cards, by code."""
    names = [name for name in records if name == "investigators.json" or name.startswith(("player/", "encounter/"))]
    return {card["code"]: card for name in names for card in records[name]}
