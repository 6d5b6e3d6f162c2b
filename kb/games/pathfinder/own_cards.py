"""What a player brings to Pathfinder: promotional and own cards and characters, those of Class Decks, and copies that are owned.

How they are used follows the entries: pathfinder/mm/class-decks (with any Adventure Path, B from the first session on, a number
with the adventure of that number), pathfinder/mm/promotional-cards, pathfinder/mm/set-indicators.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, create_model

from kb.decks.names import did_you_mean, either, name_key
from kb.games.pathfinder.records import (
    CARD_FEAT_BOXES,
    AdventureNumber,
    CardType,
    CharacterRecord,
    Product,
    Skill,
)
from kb.own_records import CARD, CHARACTER, COPIES, FACTS
from kb.sources.cards import slug
from kb.sources.own_cards import MOST_COPIES, Column, Known, OwnCardError, Record
from kb.sources.validation import faults

Index = Mapping[str, Sequence[Record]]
LINES = {"weapons": "weapon", "spells": "spell", "armors": "armor", "items": "item", "allies": "ally", "blessings": "blessing"}  # fmt: skip
SETS = ("rotr", "mm")
SKILLS = get_args(Skill)
LINE = re.compile(r"(\d{1,2})(?:\s*(?:to|-|–)\s*(\d{1,2}))?", re.I)
SKILL = re.compile(r"(d(?:4|6|8|10|12))(?:\s*\+\s*(\d))?", re.I)
DERIVED = re.compile(r"([^:]+):\s*(\w+)\s*\+\s*(\d{1,2})")

BOTH = (
    Column("name", "Its name.", also=("card", "card name")),
    Column("copies", "Copies that you own; left out of a card of your own: one.", "number", ("count", "quantity", "number", "owned")),
    Column("set", f"The set it is used with, {either(f'`{each}`' for each in SETS)}; left out of a card of your own: with every set."),
    Column("type", "Its card type, or `character`. Leave it out of a card that kb knows.", also=("card type",)),
    Column("deck", "What is printed in its upper right corner: `B`, a number from 1 to 6, `P`.",
           also=("set indicator", "adventure deck", "adventure deck number", "level")),
    Column("class_deck", "The Class Deck it is of, such as `Cleric`; left out: none.", also=("class",)),
)  # fmt: skip
OF_CARDS = (
    Column("basic", "Whether it has the trait Basic.", "yes or no"),
    Column("elite", "Whether it has the trait Elite.", "yes or no"),
    Column("loot", "Whether it is loot.", "yes or no"),
    Column("owner", "The character of its Owner trait.", also=("owner trait",)),
    Column("traits", "Its traits.", "list"),
    Column("also_called", "Other names that decks may use for it.", "list"),
)
CARDS_LIST = "A character's Cards List: weapons in a new deck and with all boxes checked, such as `3 to 6`; `3`: the boxes are unknown."
DIE = "A character's die and number of skill feat boxes, such as `d10 + 4`."
OF_CHARACTERS = (
    Column("character_class", "A character's class; left out: the name of its Class Deck.", also=("class of the character",)),
    Column("race", "A character's race."),
    *(Column(line, CARDS_LIST if line == "weapons" else f"The same of {line}.", also=(kind,)) for line, kind in LINES.items()),
    Column("favored_card_type", "A character's favored card type.", also=("favored", "favored card")),
    Column("hand_size", "A character's hand size.", "number", ("hand",)),
    Column("proficient", "What a character is proficient with.", "list"),
    *(Column(each.casefold(), DIE if each == "Strength" else f"The same of {each}.", also=(each[:3],)) for each in SKILLS),
    Column("derived_skills", "Skills that build on these, such as `Divine: Wisdom + 2`.", "list", ("skills",)),
    Column("roles", "The two sides of a character's role card.", "list"),
    Column("cohorts", "The cohorts on a character's list.", "list"),
    Column("must_hold", "Cards that a character's deck must hold.", "list"),
    Column("deck_list", "A deck to begin with, such as `2x Cure; Mace`.", "list", ("suggested deck", "starting deck")),
)  # fmt: skip
columns = (*BOTH, *OF_CARDS, *OF_CHARACTERS)
further = frozenset({"counts_as"})
"""Keys of a character in JSON besides the columns, as `cards/pathfinder/README.md` explains them."""
samples = (
    {"name": "Dagger", "copies": "3", "set": "rotr"},
    {"name": "Sample Mace +1", "copies": "1", "type": "weapon", "deck": "1", "class_deck": "Cleric", "basic": "no", "traits": "Mace; Magic"},
    {"name": "Sample Promo", "copies": "1", "set": "mm", "type": "item", "deck": "P", "basic": "no", "owner": "Ezren"},
    {
        "name": "Sample Priest", "type": "character", "class_deck": "Cleric", "character_class": "Cleric", "race": "Human",
        "weapons": "2 to 4", "spells": "5 to 8", "armors": "2 to 3", "items": "1 to 2", "allies": "1 to 3", "blessings": "4 to 5",
        "favored_card_type": "spell", "hand_size": "5", "strength": "d8 + 2", "dexterity": "d4 + 1", "constitution": "d6 + 3",
        "intelligence": "d6 + 2", "wisdom": "d12 + 4", "charisma": "d6 + 3", "derived_skills": "Divine: Wisdom + 2",
    },
)  # fmt: skip

KINDS: dict[str, Any] = {
    "text": (str, ""), "number": (int | None, None), "yes or no": (bool | None, None), "list": (list[str] | None, None)
}  # fmt: skip
SPECIAL: dict[str, Any] = {
    "name": (Annotated[str, Field(min_length=1)], ...),
    "copies": (Annotated[int, Field(ge=0, le=MOST_COPIES)] | None, None),
    "set": (Literal["", *SETS], ""),
    "type": (Literal["", *get_args(CardType)], ""),
    "deck": (Literal["", *get_args(Product)], ""),
    "hand_size": (Annotated[int, Field(ge=1, le=20)] | None, None),
}


def _shape(name: str, these: Sequence[Column], **others: Any) -> type[BaseModel]:
    """What the rows of these columns are checked by."""
    keys = {each.name: SPECIAL.get(each.name, KINDS[each.kind]) for each in these} | others
    return create_model(name, __config__=ConfigDict(extra="forbid", strict=True), **keys)


CARD_ROW = _shape("Card", (*BOTH, *OF_CARDS))
CHARACTER_ROW = _shape("Character", (*BOTH, *OF_CHARACTERS), type=(Literal["character"], ...), counts_as=(Any, []))


def _read(shape: type[BaseModel], row: Mapping[str, Any], name: str = "") -> Any:
    """A row by what it is checked by. Raises OwnCardError."""
    if wrong := faults(shape, row):
        raise OwnCardError(*(f"{name} {each}".strip() for each in wrong))
    return shape.model_validate(row)


def foreign(_document: Any) -> None:
    """No other program writes cards of this game; see `kb.sources.own_cards.OwnCards`."""


def index(known: Known) -> Index:
    """The cards of the sets by what they are called."""
    found: dict[str, list[Record]] = {}
    for record in known.get("card", ()):
        for name in dict.fromkeys(map(name_key, (record["name"], *record.get("also_called", ())))):
            found.setdefault(name, []).append(record)
    return found


def records(row: Mapping[str, Any], index: Index, strict: bool) -> list[tuple[str, Record]]:
    """The records that a row makes; see `kb.sources.own_cards.OwnCards`."""
    if str(row.get("type", "")).casefold() == "character":
        return [(CHARACTER, _character(row))]
    if strange := sorted(row.keys() & {*further, *(each.name for each in OF_CHARACTERS)}):
        raise OwnCardError(f"{row.get('name')} has `{strange[0]}`, which only a row of type `character` has")
    made = _read(CARD_ROW, row)
    said: dict[str, Any] = {
        "type": made.type or None, "basic": made.basic, "elite": made.elite, "loot": made.loot, "owner": made.owner or None,
        "deck": made.deck or None, "traits": made.traits,
    }  # fmt: skip
    for flag in ("basic", "elite") if made.traits is not None else ():
        among = flag.capitalize() in made.traits
        if said[flag] not in (None, among):
            raise OwnCardError(
                f"has `{flag}` {_shown(said[flag])}, but its traits say otherwise; write it in one of the two columns"
            )
        said[flag] = among
    if made.class_deck and made.deck and made.deck not in get_args(AdventureNumber):
        raise OwnCardError(f"is of a Class Deck with `deck` {made.deck}; its cards have B or a number from 1 to 6")
    known = [] if made.class_deck else index.get(name_key(made.name), ())
    found = [record for record in known if made.set in ("", record["set"])]
    if len(found) > 1 and not made.set:
        sets = either(sorted(str(record["set"]) for record in found))
        raise OwnCardError(f"{made.name} is in several sets; write {sets} into `set`")
    if found:
        return _of_known(made.copies, said, found[0], strict)
    return [(CARD, _card(made, said, index))]


def named(record: Record) -> str:
    """What no two cards of one's own may share: name, set and Class Deck."""
    first = "character:" if record["type"] == "character" else ""
    return first + "/".join(name_key(str(record[part] or "")) for part in ("name", "set", "class_deck"))


def _of_known(copies: int | None, said: Record, record: Record, strict: bool) -> list[tuple[str, Record]]:
    """How many copies of a card are owned, and what the facts do not know of it."""
    against = [
        f"`{field}` of {record['name']} is {_shown(record[field])} by the facts that kb has, not {_shown(value)}; leave it out"
        for field, value in said.items()
        if value is not None and field != "traits" and not _agrees(field, value, record)
    ]
    if against and strict:
        raise OwnCardError(*against)
    at = f"pathfinder/{record['set']}/cards/{slug(record['name'])}"
    card = {"card": at, "name": record["name"], "set": record["set"]}
    made: list[tuple[str, Record]] = [] if copies is None else [(COPIES, {**card, "copies": copies})]
    if filled := {field: value for field, value in said.items() if value is not None and record.get(field) is None}:
        made.append((FACTS, {**card, **filled}))
    if not made and strict:
        raise OwnCardError(f"kb knows {record['name']} already; say in `copies` how many you own")
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


def _card(row: Any, said: Record, index: Index) -> Record:
    """A card that kb does not know, with the keys of its own cards."""
    if not row.type or not row.deck:
        missing = " and ".join(f"`{field}`" for field in ("type", "deck") if not said[field])
        if row.type or row.deck or row.class_deck:
            raise OwnCardError(f"{row.name} needs {missing}: the card itself tells")
        names = (str(each["name"]) for found in index.values() for each in found if row.set in ("", each["set"]))
        where = f" in {row.set}" if row.set else ""
        hint = did_you_mean(row.name, names)
        raise OwnCardError(f"there is no card {row.name!r}{where}.{hint} A card of your own needs {missing}")
    copies = 1 if row.copies is None else row.copies
    return {
        "name": row.name, "also_called": row.also_called or [], "set": row.set or "own", "copies": {row.deck: copies},
        "class_deck": row.class_deck or None, "owned": copies, **said, "loot": bool(row.loot),
    }  # fmt: skip


def _character(row: Mapping[str, Any]) -> Record:
    """The record of a character, with the keys of `cards/pathfinder/`. Raises OwnCardError."""
    # A character is one card, whatever a table says in these columns.
    given = {key: value for key, value in row.items() if key not in ("copies", "deck")}
    made = _read(CHARACTER_ROW, {**given, "type": "character"})
    wrong: list[str] = []
    cards_list = {}
    for line, kind in LINES.items():
        said = getattr(made, line).strip()
        if not (found := LINE.fullmatch(said)):
            what = f"`{line}` is {said!r}" if said else f"{made.name} needs `{line}`"
            wrong.append(f"{what}: write the numbers of the Cards List, such as `3 to 6`, or `0`")
        else:
            cards_list[kind] = {"base": int(found[1]), "max": found[2] and int(found[2])}
    skills: dict[str, str] = {}
    boxes: dict[str, int] = {}
    for skill in SKILLS:
        said = getattr(made, skill.casefold()).strip()
        if found := SKILL.fullmatch(said):
            skills[skill] = found[1].casefold()
            boxes |= {skill: int(found[2])} if found[2] else {}
        elif said:
            wrong.append(f"`{skill.casefold()}` is {said!r}: write its die and number of boxes, such as `d10 + 4`")
    if skills and len(skills) < len(SKILLS) and not wrong:
        missing = ", ".join(f"`{skill.casefold()}`" for skill in SKILLS if skill not in skills)
        wrong.append(f"{made.name} has some skills and not {missing}; tell all six or none")
    derived = {}
    for said in made.derived_skills or ():
        found = DERIVED.fullmatch(said.strip())
        if found and found[2].title() in SKILLS and int(found[3]):
            derived[found[1].strip()] = {"skill": found[2].title(), "bonus": int(found[3])}
        else:
            wrong.append(f"`derived_skills` is {said!r}: write `Divine: Wisdom + 2`")
    if wrong:
        raise OwnCardError(*wrong)
    record: Record = {
        "name": made.name, "set": made.set or "own", "product": "P",
        "class": made.character_class or made.class_deck or "unknown", "race": made.race or None,
        "cards_list": cards_list, "card_feat_boxes": CARD_FEAT_BOXES, "counts_as": made.counts_as,
        "must_hold": made.must_hold or [], "favored_card_type": made.favored_card_type or None, "hand_size": made.hand_size,
        "hand_size_feats": None, "proficient": made.proficient, "proficiency_by_feat": None, "skills": skills or None,
        "skill_feat_boxes": boxes if len(boxes) == len(SKILLS) else None,
        "derived_skills": derived or None, "roles": made.roles or None, "cohorts": made.cohorts or [],
        "source": "your own cards",
    }  # fmt: skip
    _read(CharacterRecord, record, made.name)
    return {
        **record, "type": "character", "traits": [], "product": "own", "class_deck": made.class_deck or None,
        "deck_list": made.deck_list or [],
    }  # fmt: skip
