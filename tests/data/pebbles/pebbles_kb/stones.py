"""The card facts of Pebbles: records of stones in `cards/pebbles/stones.json`."""

from __future__ import annotations

import json
from pathlib import Path

from kb.sources.cards import CardFacts, Record, slug
from kb.sources.problems import Problems


def load(root: Path, problems: Problems, own: Path | None) -> dict[str, list[Record]]:
    path = root / "pebbles" / "stones.json"
    found = []
    for line, record in enumerate(json.loads(path.read_text("utf-8")), 2):
        if isinstance(record.get("weight"), int):
            found.append(record)
        else:
            problems.add(path, line, f"the stone {record.get('name')} needs a weight")
    return {"card": found}


def facts(kind: str, record: Record) -> CardFacts | None:
    return CardFacts(
        id=f"pebbles/stones/{slug(record['name'])}",
        game="pebbles",
        set="base",
        code=None,
        name=record["name"],
        subtitle=None,
        type=record["type"],
        number=str(record["weight"]),
        traits=tuple(record["traits"]),
        counts="weight",
    )
