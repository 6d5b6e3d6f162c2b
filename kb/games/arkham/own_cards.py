"""The user's own cards for Arkham Horror: fan-made cards and investigators, and the number of copies owned of other
cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args

from kb.games.arkham.fan_made import project_cards, row_of
from kb.games.arkham.schema.cards import CardRecord, of_today
from kb.games.arkham.schema.keywords import KEYWORDS
from kb.games.arkham.schema.options import CardType
from kb.own_records import CARD, COPIES
from kb.shapes import build, fits, keys
from kb.sources.own_cards import MOST_COPIES, Column, Known, OwnCardError, Record

BESIDE = frozenset({"list", "own", "owned"})
"""Keys in the record of one of the user's own cards that do not describe the card itself."""
PACK = "own"
"""Code of the product that the user's own cards belong to."""
CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{4,63}")

columns = (
    Column("code", "The card's number; for your own card, a number that no card has, such as `my-01`.", also=("id", "card code")),
    Column("copies", "Copies that you own; default for your own card: the `limit`.", "number", ("quantity", "count", "owned")),
    Column("name", "The title. Leave out this and all following columns for a card that kb knows.", also=("title", "card name")),
    Column("subtitle", "The subtitle.", also=("subname",)),
    Column("type", f"The type: {', '.join(get_args(CardType))}.", also=("card type", "type_code")),
    Column("class", "The class, or several: guardian, seeker, rogue, mystic, survivor, neutral.", "list", ("faction", "faction_code")),
    Column("level", "The level; default: none.", "number", ("xp",)),
    Column("cost", "Resources to pay for the card: a number or `X`; default: none is printed."),
    Column("traits", "The traits.", "list"),
    Column("slots", "The slots that the card takes; a two-handed card lists Hand twice.", "list", ("slot",)),
    Column("limit", "The most copies by title that a deck may contain; default: 2 (exceptional 1, myriad 3).", "number", ("deck_limit",)),
    Column("subtype", "`weakness` or `basic weakness`; default: no weakness.", also=("subtype_code",)),
    Column("health", "The health.", "number"),
    Column("sanity", "The sanity.", "number"),
    *(Column(word.name, f"Yes if the card has the keyword {word.name}.", "yes or no", (word.key,)) for word in KEYWORDS if word.key),
    Column("investigators", "Codes of the only investigators who may have the card (a signature card).", "list"),
)  # fmt: skip
samples = (
    {"code": "01020", "copies": "2"},
    {"code": "my-01", "copies": "2", "name": "Sample Lantern", "type": "asset", "class": "seeker", "level": "2", "cost": "3",
     "traits": "Item; Tool", "slots": "Hand"},
    {"code": "my-02", "copies": "1", "name": "Sample Weakness", "type": "treachery", "class": "neutral", "traits": "Madness",
     "subtype": "basic weakness"},
)  # fmt: skip
further = frozenset({*(each.name for each in keys(CardRecord)), *(word.name for word in KEYWORDS)}) - {
    "pack",
    "position",
    "quantity",
    "special",
    "duplicate_of",
}
"""Keys that a row in JSON may have in addition to the columns: all keys in cards/arkham/README.md, including `deck` for
an investigator.
"""
USUAL_LIMIT = 2
PLAYED = ("asset", "event", "skill", "investigator")


Index = Mapping[str, Record]


def foreign(document: Any) -> Iterable[Record] | None:
    """Return the player cards in an arkham.build project as rows of the user's own cards; None for any other
    `document`.

    Scenario cards and cards with invalid facts are left out (see `kb.sources.own_cards.OwnCards`).
    """
    cards = project_cards(document)
    if cards is None:
        return None
    return (row for row, card in readable(cards) if card["type"] in PLAYED or card.get("subtype"))


def readable(cards: Iterable[Any]) -> Iterator[tuple[Record, Record]]:
    """Yield the cards with valid facts, each as a row of the user's own cards and as a card record.

    `cards` are in arkham.build's form, or already rows.
    """
    for raw in cards:
        try:
            row = raw if isinstance(raw, dict) and raw.get("type") else row_of(raw)
            record = own_card(row, row.get("copies", 1))
            if not fits(CardRecord, record):
                continue
            build(CardRecord, record)  # checks that need the whole record
        except (OwnCardError, ValueError):
            continue
        yield row, record


def index(known: Known) -> Index:
    """Return the records of all player and scenario cards in `known`, by code."""
    return {record["code"]: record for kind in ("encounter", "card") for record in known.get(kind, ())}


def records(row: Mapping[str, Any], index: Index, strict: bool) -> list[tuple[str, Record]]:
    """Return the records that a row of the user's own cards produces, each with its kind (see
    `kb.sources.own_cards.OwnCards`).

    `index` contains the cards that kb knows, by code. With `strict`, the row of a known card must have the card's
    name and a number of copies. Raises OwnCardError.
    """
    code = row.get("code")
    if not isinstance(code, str) or not CODE.fullmatch(code):
        raise OwnCardError(
            "needs a `code` of five or more letters, digits, _ and -: the number of the card, or one that you give it"
        )
    copies = row.get("copies")
    if copies is not None and (not isinstance(copies, int) or not 0 <= copies <= MOST_COPIES):
        raise OwnCardError(f"`copies` is {copies!r}; it must be a whole number from 0 to {MOST_COPIES}")
    if (ours := index.get(code)) is not None:
        return _of_known(row, ours, copies, strict)
    if not row.get("name") or not row.get("type"):
        raise OwnCardError(f"there is no card {code}; a card of your own needs `name`, `type` and `class`")
    return [(CARD, _card(row, index, copies))]


def named(record: Record) -> str:
    """Return the code of a record. No two of the user's own cards may have the same code."""
    return str(record["code"])


def _of_known(row: Mapping[str, Any], ours: Record, copies: int | None, strict: bool) -> list[tuple[str, Record]]:
    """Return a list with one record: the user owns `copies` copies of the known card `ours`. If `copies` is None, the
    list is empty.

    With `strict`, raise OwnCardError if the row has a name that is not the card's name, or no copies.
    """
    if strict and (name := row.get("name")) is not None and str(name).casefold() != str(ours["name"]).casefold():
        raise OwnCardError(f"{ours['code']} is {ours['name']}; give {name} a code that no card has")
    if strict and copies is None:
        raise OwnCardError(f"kb knows {ours['name']} ({ours['code']}) already; in `copies`, enter how many you own")
    card = {"card": f"arkham/cards/{ours['code']}", "code": ours["code"], "name": ours["name"]}
    return [] if copies is None else [(COPIES, {**card, "copies": copies})]


def _card(row: Mapping[str, Any], index: Index, copies: int | None) -> Record:
    """Convert a row about a new card, which kb does not know, to a card record. The card cannot refer to other new
    cards.

    Raises OwnCardError if the record has faults.
    """
    from kb.sources.validation import faults

    record = own_card(row, copies)
    if wrong := faults(CardRecord, record):
        raise OwnCardError(*wrong)
    if missing := [code for key in ("alternate_of", "back") if (code := record.get(key)) and code not in index]:
        raise OwnCardError(f"{record['name']} names the card {missing[0]}, which kb does not know")
    return {**record, "owned": record["quantity"]}


def own_card(row: Mapping[str, Any], copies: int | None) -> Record:
    """Return a row as a card record, not yet checked. Without `copies`, the user owns as many copies as a deck may
    contain.
    """
    given = {key: _small(key, value) for key, value in row.items() if key not in ("copies", "investigators")}
    record = of_today(given, CardRecord)
    if isinstance(cost := record.get("cost"), str):
        record["cost"] = int(cost) if cost.isdecimal() and len(cost) < 4 else cost
    if only := row.get("investigators"):
        record["restrictions"] = {"investigators": only}
    if record.get("type") != "investigator":
        record.setdefault(
            "limit",
            next(
                (word.limit for word in KEYWORDS if word.limit and word.name in record.get("keywords", ())), USUAL_LIMIT
            ),
        )
    record |= {"quantity": record.get("limit", 1) if copies is None else copies, "pack": PACK, "position": 0}
    return record


def _small(key: str, value: Any) -> Any:
    """Return `value` in the spelling that card records use for `key`: types, subtypes and classes are in lower case."""
    if key in ("type", "subtype") and isinstance(value, str):
        return value.casefold().replace("basicweakness", "basic weakness")
    if key == "class" and isinstance(value, list):
        return [each.casefold() if isinstance(each, str) else each for each in value]
    return value
