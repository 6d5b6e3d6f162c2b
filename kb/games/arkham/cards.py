"""Loads the Arkham Horror cards for the catalog and for search: the game's `cards` part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kb.frozen import frozen
from kb.games.arkham import own_cards as own
from kb.games.arkham.schema import cards as schema
from kb.games.arkham.schema.options import SpecialRow
from kb.own_records import CARD
from kb.sources.arrays import records_in
from kb.sources.cards import CardFacts
from kb.sources.frontmatter import read_yaml
from kb.sources.problems import Problems
from kb.sources.validation import faults

__all__ = ["facts", "load", "load_arkham", "own"]

Record = dict[str, Any]

_FILES: dict[str, tuple[str, type[Any]]] = {
    "cycle": ("cycles.json", schema.Cycle),
    "pack": ("packs.json", schema.Pack),
    "card": ("player/*.json", schema.CardRecord),
    "investigator": ("investigators.json", schema.CardRecord),
    "encounter": ("encounter/*.json", schema.EncounterRecord),
    "taboo_list": ("taboo_lists.json", schema.TabooList),
    "taboo": ("taboos*.json", schema.TabooRow),
    "text": ("texts.json", schema.TextRecord),
    "name": ("names/*.json", schema.NameRecord),
}
_IN_PLACE = ("limit", "duplicate_of", "alternate_of", "modified")
_OPTIONS = {"deck_options": "deck", "side_options": "side_deck"}
# Keys whose values are card codes.
_NAMING = frozenset(
    {
        "code",
        "duplicate_of",
        "alternate_of",
        "back",
        "investigators",
        "cards",
        "any_of",
        "stands_for_basic",
        "as_many_as",
    }
)
_NOT_KEPT = ("code", "name", "source", *_OPTIONS, *_IN_PLACE)


@frozen
class _Placed:
    """A record, with the file and line that contain it."""

    path: Path
    line: int
    record: Record


def load_arkham(root: Path, problems: Problems, own: Path | None = None) -> dict[str, list[Record]]:
    """Read the folder `root`/arkham, where `root` is the `cards` folder, and return records by kind.

    The kinds are `card` (including investigators), `encounter`, `taboo`, `taboo_list`, `taboo_now`, `pack` and `cycle`.
    If the user imported data (`own`/arkham), its records replace ours, and there are also the kinds `text` and `name`.
    The rows of special.yaml are added to their cards under the key `special`. The options and `duplicate_of` in these
    rows go into the card itself.

    Every problem of every file is added to `problems` with the line of its record. Records with and without problems
    are returned.
    """
    placed = _read_all(root / "arkham", problems)
    if own is not None and (own / "arkham").is_dir():
        theirs = _read_all(own / "arkham", problems)
        replaced = {_key(kind, item.record) for kind, items in theirs.items() for item in items}
        for kind, items in placed.items():
            placed[kind] = [item for item in items if _key(kind, item.record) not in replaced] + theirs[kind]
    cards = placed.pop("investigator") + placed.pop("card")
    by_code = _unique(cards + placed["encounter"], problems)
    _join_special(root / "arkham" / "special.yaml", by_code, problems)
    _check_names(cards, by_code, placed, problems)
    facts = {kind: [item.record for item in items] for kind, items in placed.items()}
    facts["card"] = sorted((item.record for item in cards), key=lambda record: str(record["code"]))
    facts["taboo_now"] = list(_taboos_now(facts))
    return facts


def _taboos_now(facts: Mapping[str, list[Record]]) -> Iterator[Record]:
    """Yield a record for each card on the newest taboo list, with the list's effects on the card.

    An effect is `up` (harder to include in a deck), `down` (easier), or, if there is no other, `changed` (only
    reworded).
    """
    lists = sorted(facts["taboo_list"], key=lambda each: str(each["start"]))
    newest = lists[-1]["list"] if lists else None
    ways: dict[str, set[str]] = {}
    for row in facts["taboo"]:
        if row["list"] == newest:
            ways.setdefault(row["code"], set()).update(_ways(row))
    for card in facts["card"]:
        if way := ways.get(str(card.get("duplicate_of", card["code"]))) or ways.get(card["code"]):
            yield {"code": card["code"], "taboo_now": sorted(way - {"changed"} or way)}


def _ways(row: Record) -> Iterator[str]:
    experience, exceptional = row.get("experience", 0), row.get("exceptional")
    if (
        experience > 0
        or exceptional
        or row.get("forbidden")
        or row.get("campaign_only")
        or row.get("limit") is not None
    ):
        yield "up"
    if experience < 0 or exceptional is False:
        yield "down"
    yield "changed"


def _read_all(folder: Path, problems: Problems) -> dict[str, list[_Placed]]:
    return {
        kind: [item for path in sorted(folder.glob(pattern)) for item in _read(path, shape, problems)]
        for kind, (pattern, shape) in _FILES.items()
    }


def _key(kind: str, record: Record) -> tuple[str, ...]:
    """Return a key that is the same for two records about the same card, list or product.

    A card's code is unique among cards, investigators and encounter cards, so these kinds share their keys.
    """
    kind = "card" if kind in ("investigator", "encounter") else kind
    return (kind, *(str(record[name]) for name in ("list", "code", "language") if name in record))


def _read(path: Path, shape: type[Any], problems: Problems) -> Iterator[_Placed]:
    """Yield the valid records in the file `path`, and report the faults in the other records. `shape` is the type of
    record.
    """
    for line, each in records_in(path, problems):
        record = schema.of_today(each, shape) if isinstance(each, dict) else each
        if _valid(path, line, record, shape, problems):
            yield _Placed(path, line, record)


def _valid(path: Path, line: int, record: object, shape: type[Any], problems: Problems) -> bool:
    code = record.get("code", "") if isinstance(record, dict) else ""
    wrong = faults(shape, record)
    if not wrong and isinstance(record, dict) and record.get("special") and shape is schema.CardRecord:
        wrong = ["`special` belongs in special.yaml, not here"]
    for each in wrong:
        problems.add(path, line, f"record {code}: {each}")
    return not wrong


def _unique(items: list[_Placed], problems: Problems) -> dict[str, _Placed]:
    by_code: dict[str, _Placed] = {}
    for item in items:
        first = by_code.setdefault(item.record["code"], item)
        if first is not item:
            problems.add(
                item.path, item.line, f"code {item.record['code']} is already in {first.path.name}:{first.line}"
            )
    return by_code


def _join_special(path: Path, by_code: dict[str, _Placed], problems: Problems) -> None:
    """Put each row of special.yaml (`path`) into the record of its card. Report rows without a card."""
    if not path.is_file():
        problems.add(
            path, 0, "the file is missing: without it kb does not know deck-size cards and other special cards"
        )
        return
    before = len(problems.found)
    rows, place = read_yaml(path, problems)
    if len(problems.found) > before:
        return
    if not isinstance(rows, list):
        problems.add(path, 1, "the file must contain a list of rows")
        return
    seen: set[str] = set()
    for number, row in enumerate(rows):
        line = place.line(number)
        if not _valid(path, line, row, SpecialRow, problems):
            continue
        item = by_code.get(row["code"])
        if item is None or item.record["name"] != row["name"]:
            problems.add(path, line, f"no card {row['code']} is called {row['name']}")
        elif any(key in row and part not in item.record for key, part in _OPTIONS.items()):
            problems.add(path, line, f"{row['name']} ({row['code']}) has no deck that the row could change")
        elif row["code"] in seen:
            problems.add(path, line, f"{row['code']} already has a row")
        else:
            seen.add(row["code"])
            _merge(item.record, row)


def _merge(record: Record, row: Record) -> None:
    for key in _IN_PLACE:
        if key in row:
            record[key] = row[key]
    for key, part in _OPTIONS.items():
        if key in row:
            record[part] = {**record[part], "options": row[key]}
    special = {key: value for key, value in row.items() if key not in _NOT_KEPT}
    if special:
        record["special"] = special


def _check_names(
    cards: list[_Placed], by_code: dict[str, _Placed], placed: dict[str, list[_Placed]], problems: Problems
) -> None:
    """Report each record that names a pack, cycle, card or taboo list that does not exist."""
    known = {
        "cycle": {item.record["code"] for item in placed["cycle"]},
        "pack": {item.record["code"] for item in placed["pack"]},
        "list": {item.record["list"] for item in placed["taboo_list"]},
        "card": set(by_code),
    }
    facts, taboos = [*cards, *placed["encounter"]], placed["taboo"]
    keyed = (("cycle", placed["pack"]), ("pack", facts), ("list", taboos))
    named = [(item, kind, item.record[kind]) for kind, items in keyed for item in items]
    named += [(item, "card", code) for item in (*cards, *taboos) for code in _named_codes(item.record)]
    for item, kind, name in named:
        if name not in known[kind]:
            problems.add(
                item.path, item.line, f"record {item.record['code']} names the {kind} {name}, which no file contains"
            )


def _named_codes(value: Any, named: bool = False) -> Iterator[str]:
    """Yield every card code in `value`, a record or a part of it. `named` is True below a key whose values are card
    codes.
    """
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _named_codes(part, key in _NAMING)
    elif isinstance(value, list):
        for part in value:
            yield from _named_codes(part, named)
    elif named and isinstance(value, str):
        yield value


_CARDS = ("card", "encounter")


def load(root: Path, problems: Problems, imported: Path | None) -> dict[str, list[Record]]:
    """Return validated records by kind (see `load_arkham`), with cards first. Problems are added to `problems`."""
    records = load_arkham(root, problems, imported)
    return {kind: records[kind] for kind in (*_CARDS, *(kind for kind in records if kind not in _CARDS))}


def facts(kind: str, record: Record) -> CardFacts | None:
    """Return the facts about a card that all games share; None if `kind` is not a kind of card.

    An investigator is also marked as a character. `record` is already validated.
    """
    if kind not in (*_CARDS, CARD):
        return None
    place, level = "cards" if kind in _CARDS else f"own-cards/{record['list']}", record.get("level")
    return CardFacts(
        id=f"arkham/{place}/{record['code']}",
        game="arkham",
        set=record["pack"],
        code=record["code"],
        name=record["name"],
        subtitle=record.get("subtitle") or None,
        type=record["type"],
        number=None if level is None else str(level),
        traits=tuple(record.get("traits") or ()),
        character=record["type"] == "investigator",
        own=record.get("own", ""),
    )
