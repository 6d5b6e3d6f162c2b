"""Imports the user's own Pathfinder cards: promotional cards, cards and characters that the user made, cards of Class
Decks, and the number of copies that the user owns.

The rules for using them are in the entries pathfinder/mm/class-decks, pathfinder/mm/promotional-cards and
pathfinder/mm/set-indicators. Cards of Class Decks fit every Adventure Path. A card with the set indicator B can be
used from the first session on. A card with a number can be used from the adventure with that number on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

from pydantic import ConfigDict, Field, create_model

from kb.decks.names import did_you_mean, either, name_key
from kb.games.pathfinder.records import (
    CARD_FEAT_BOXES,
    AdventureNumber,
    CardType,
    CharacterRecord,
    Product,
    contradictions,
    slips,
)
from kb.own_records import CARD, CHARACTER, COPIES, FACTS
from kb.registry import games
from kb.shapes import build
from kb.sources.cards import slug
from kb.sources.own_cards import MOST_COPIES, Column, Known, OwnCardError, Record
from kb.sources.validation import faults

Index = Mapping[str, Sequence[Record]]
SETS = tuple(key.partition("/")[2] for key in games()["pathfinder"].called if "/" in key)

BOTH = (
    Column("name", "The name of the card or character.", also=("card", "card name")),
    Column("copies", "Copies that you own; default for a card of your own: 1.", "number", ("count", "quantity", "number", "owned")),
    Column("set", f"The set that the card is used with, {either(f'`{each}`' for each in SETS)}; default for your own card: every set."),
    Column("type", "The card type, or `character`. Leave the type out for a card that kb knows.", also=("card type",)),
    Column("deck", "The deck in the card's upper right corner: `B`, a number from 1 to 6, or `P`.",
           also=("set indicator", "adventure deck", "adventure deck number", "level")),
    Column("class_deck", "The card's Class Deck, such as `Cleric`; default: none.", also=("class",)),
)  # fmt: skip
OF_CARDS = (
    Column("basic", "Yes if the card has the trait Basic.", "yes or no"),
    Column("elite", "Yes if the card has the trait Elite.", "yes or no"),
    Column("loot", "Yes if the card is loot.", "yes or no"),
    Column("owner", "The character named by the card's Owner trait.", also=("owner trait",)),
    Column("traits", "The card's traits.", "list"),
    Column("also_called", "Other names that decks may use for the card.", "list"),
)
OF_CHARACTERS = (
    Column("deck_list", "A starting deck, such as `2x Cure; Mace`.", "list", ("suggested deck", "starting deck")),
)
columns = (*BOTH, *OF_CARDS, *OF_CHARACTERS)
# Optional keys of a character's record, with their defaults.
LEFT_OUT: dict[str, Any] = {
    "race": None, "favored_card_type": None, "hand_size": None, "hand_size_feats": None, "proficient": None,
    "proficiency_by_feat": None, "skills": None, "skill_feat_boxes": None, "derived_skills": None, "roles": None, "cohorts": [],
    "counts_as": [], "must_hold": [], "card_feat_boxes": CARD_FEAT_BOXES, "product": "P", "source": "your own cards",
}  # fmt: skip
further = frozenset({*LEFT_OUT, "class", "cards_list"})
"""Keys that a character in JSON may have in addition to the columns. `cards/pathfinder/README.md` explains them."""
samples = (
    {"name": "Dagger", "copies": "3", "set": "rotr"},
    {
        "name": "Sample Mace +1",
        "copies": "1",
        "type": "weapon",
        "deck": "1",
        "class_deck": "Cleric",
        "basic": "no",
        "traits": "Mace; Magic",
    },
    {"name": "Sample Promo", "copies": "1", "set": "mm", "type": "item", "deck": "P", "basic": "no", "owner": "Ezren"},
)

KINDS: dict[str, Any] = {
    "text": (str, ""),
    "number": (int | None, None),
    "yes or no": (bool | None, None),
    "list": (list[str] | None, None),
}
SPECIAL: dict[str, Any] = {
    "name": (Annotated[str, Field(min_length=1)], ...),
    "copies": (Annotated[int, Field(ge=0, le=MOST_COPIES)] | None, None),
    "set": (Literal["", *SETS], ""),
    "type": (Literal["", *get_args(CardType)], ""),
    "deck": (Literal["", *get_args(Product)], ""),
}
CLOSED = ("set", "type", "deck")


CARD_ROW = create_model(
    "Card",
    __config__=ConfigDict(extra="forbid", strict=True),
    **{each.name: SPECIAL.get(each.name, KINDS[each.kind]) for each in (*BOTH, *OF_CARDS)},
)


def _spelled(key: str, value: Any) -> Any:
    """Return `value` with the capitals that records use, if the column `key` accepts only certain words."""
    known = {each.casefold(): each for each in get_args(SPECIAL[key][0])} if key in CLOSED else {}
    return known.get(value.casefold(), value) if isinstance(value, str) else value


def foreign(_document: Any) -> None:
    """Return None, because kb does not know another program's file format for this game's cards."""


def index(known: Known) -> Index:
    """Return the known cards by their normalized names, including the names in `also_called`."""
    by_name: dict[str, list[Record]] = {}
    for record in known.get("card", ()):
        for name in dict.fromkeys(map(name_key, (record["name"], *record.get("also_called", ())))):
            by_name.setdefault(name, []).append(record)
    return by_name


def records(row: Mapping[str, Any], index: Index, strict: bool) -> list[tuple[str, Record]]:
    """Return the records that a row of the user's file describes, each with its kind.

    `index` contains the known cards by name. With `strict`, values that contradict kb's facts raise an error. Raises
    OwnCardError for a row that cannot be used; see `kb.sources.own_cards.OwnCards`.
    """
    if str(row.get("type", "")).casefold() == "character":
        return [(CHARACTER, _character(row))]
    if strange := sorted(row.keys() & {*further, *(each.name for each in OF_CHARACTERS)}):
        raise OwnCardError(f"{row.get('name')} has `{strange[0]}`, which is only allowed in a row of type `character`")
    row = {key: _spelled(key, value) for key, value in row.items()}
    if wrong := faults(CARD_ROW, row):
        raise OwnCardError(*wrong)
    made: Any = CARD_ROW.model_validate(row)
    values: dict[str, Any] = {
        "type": made.type or None,
        "basic": made.basic,
        "elite": made.elite,
        "loot": made.loot,
        "owner": made.owner or None,
        "deck": made.deck or None,
        "traits": made.traits,
    }
    for flag in ("basic", "elite") if made.traits is not None else ():
        among = flag.capitalize() in made.traits
        if values[flag] not in (None, among):
            raise OwnCardError(
                f"has `{flag}` {_shown(values[flag])}, but its traits say otherwise; write it in one of the two columns"
            )
        values[flag] = among
    if made.class_deck and made.deck and made.deck not in get_args(AdventureNumber):
        raise OwnCardError(f"is from a Class Deck, but `deck` is {made.deck}; write B or a number from 1 to 6")
    known = [] if made.class_deck else index.get(name_key(made.name), ())
    matches = [record for record in known if made.set in ("", record["set"])]
    if len(matches) > 1 and not made.set:
        sets = either(sorted(str(record["set"]) for record in matches))
        raise OwnCardError(f"{made.name} is in several sets; write {sets} in `set`")
    if matches:
        return _of_known(made.copies, values, matches[0], strict)
    return [(CARD, _card(made, values, index))]


def named(record: Record) -> str:
    """Return a key made from name, set and Class Deck. No two of the user's own cards may have the same key."""
    first = "character:" if record["type"] == "character" else ""
    return first + "/".join(name_key(str(record[part] or "")) for part in ("name", "set", "class_deck"))


def _of_known(copies: int | None, values: Record, record: Record, strict: bool) -> list[tuple[str, Record]]:
    """Return the records that a row adds to a card that kb knows: the copies owned, and values that kb's facts lack."""
    against = [
        f"`{field}` of {record['name']} is {_shown(record[field])} according to kb's facts, not {_shown(value)}; leave it out"
        for field, value in values.items()
        if value is not None and field != "traits" and not _agrees(field, value, record)
    ]
    if against and strict:
        raise OwnCardError(*against)
    at = f"pathfinder/{record['set']}/cards/{slug(record['name'])}"
    card = {"card": at, "name": record["name"], "set": record["set"]}
    made: list[tuple[str, Record]] = [] if copies is None else [(COPIES, {**card, "copies": copies})]
    if filled := {field: value for field, value in values.items() if value is not None and record.get(field) is None}:
        made.append((FACTS, {**card, **filled}))
    if not made and strict:
        raise OwnCardError(f"kb knows {record['name']} already; in `copies`, enter how many you own")
    return made


def _agrees(field: str, value: object, record: Record) -> bool:
    known = record.get(field)
    if field == "deck":
        return known is None or value in record["copies"]
    if field == "owner":
        return known is not None and name_key(str(known)) == name_key(str(value))
    return known is None or known == value


def _shown(value: object) -> str:
    return {True: "yes", False: "no", None: "nothing"}.get(value, str(value))  # type: ignore[call-overload, no-any-return]


def _card(row: Any, values: Record, index: Index) -> Record:
    """Return the record of a card that kb does not know. The record has the same keys as the records in
    `cards/pathfinder/`.
    """
    if not row.type or not row.deck:
        missing = " and ".join(f"`{field}`" for field in ("type", "deck") if not values[field])
        if row.type or row.deck or row.class_deck:
            raise OwnCardError(f"{row.name} needs {missing} (printed on the card)")
        names = (
            str(each["name"]) for same_name in index.values() for each in same_name if row.set in ("", each["set"])
        )
        where = f" in {row.set}" if row.set else ""
        hint = did_you_mean(row.name, names)
        raise OwnCardError(f"there is no card {row.name!r}{where}.{hint} A card of your own needs {missing}")
    copies = 1 if row.copies is None else row.copies
    return {
        "name": row.name,
        "also_called": row.also_called or [],
        "set": row.set or "own",
        "copies": {row.deck: copies},
        "class_deck": row.class_deck or None,
        "owned": copies,
        **values,
        "loot": bool(row.loot),
    }


def _character(row: Mapping[str, Any]) -> Record:
    """Return the record of a character that the user made. Raises OwnCardError if a key is missing or wrong.

    The record has the same keys as the characters in `cards/pathfinder/`.
    """
    if "cards_list" not in row:
        keys = "the keys in `cards/pathfinder/README.md`, above all `cards_list`"
        raise OwnCardError(f"{row.get('name')} is a character: write it in JSON, with {keys}")
    if row.get("set", "own") not in ("own", *SETS):
        raise OwnCardError(f"`set` is {row['set']!r}; it must be one of {', '.join(SETS)}, or left out")
    class_deck = row.get("class_deck") or None
    # A character is a single card, so the columns `copies` and `deck` are not used.
    values = {key: value for key, value in row.items() if key in (*further, "name", "set")}
    record: Record = {**LEFT_OUT, "set": "own", "class": class_deck or "unknown", **values}
    if wrong := faults(CharacterRecord, record) or [*slips(record), *contradictions(build(CharacterRecord, record))]:
        raise OwnCardError(*(f"{row.get('name')} {each}" for each in wrong))
    return {
        **record,
        "type": "character",
        "traits": [],
        "product": "own",
        "class_deck": class_deck,
        "deck_list": row.get("deck_list") or [],
    }
