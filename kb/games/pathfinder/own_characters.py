"""Characters that a player brings to Pathfinder: those of Class Decks, promotional ones, and one's own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import ValidationError

from kb.games.pathfinder.records import CharacterRecord, sentence
from kb.records import RecordError, key, read
from kb.sources.own_cards import Column, OwnCardError, Record

CHARACTER = "character"
"""What stands in the column `type` of such a row."""
LINES = {"weapons": "weapon", "spells": "spell", "armors": "armor", "items": "item", "allies": "ally", "blessings": "blessing"}  # fmt: skip
SKILLS = ("Strength", "Dexterity", "Constitution", "Intelligence", "Wisdom", "Charisma")
LINE = re.compile(r"(\d{1,2})(?:\s*(?:to|-|–)\s*(\d{1,2}))?", re.I)
SKILL = re.compile(r"(d(?:4|6|8|10|12))(?:\s*\+\s*(\d))?", re.I)
DERIVED = re.compile(r"([^:]+):\s*(\w+)\s*\+\s*(\d{1,2})")
BOXES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCharacter:
    """A row of a table that is a character."""

    name: str = key("The character's name.")
    type: Literal["character"] = key("`character`.")
    set: Literal["", "rotr", "mm"] = key("The set it is used with.", default="")
    class_deck: str = key("The Class Deck it is of.", default="")
    character_class: str = key("A character's class; left out: the name of its Class Deck.", default="")
    race: str = key("A character's race.", default="")
    weapons: str = key(
        "A character's Cards List: weapons in a new deck and with all boxes checked, such as `3 to 6`; `3`: the boxes are unknown.",
        default="",
    )
    spells: str = key("The same of spells.", default="")
    armors: str = key("The same of armors.", default="")
    items: str = key("The same of items.", default="")
    allies: str = key("The same of allies.", default="")
    blessings: str = key("The same of blessings.", default="")
    favored_card_type: str = key("A character's favored card type.", default="")
    hand_size: int | None = key("A character's hand size.", default=None, least=1, most=20)
    proficient: tuple[str, ...] | None = key("What a character is proficient with.", default=None)
    strength: str = key("A character's die and number of skill feat boxes, such as `d10 + 4`.", default="")
    dexterity: str = key("The same of Dexterity.", default="")
    constitution: str = key("The same of Constitution.", default="")
    intelligence: str = key("The same of Intelligence.", default="")
    wisdom: str = key("The same of Wisdom.", default="")
    charisma: str = key("The same of Charisma.", default="")
    derived_skills: tuple[str, ...] = key("Skills that build on these, such as `Divine: Wisdom + 2`.", default=())
    roles: tuple[str, ...] = key("The two sides of a character's role card.", default=())
    cohorts: tuple[str, ...] = key("The cohorts on a character's list.", default=())
    must_hold: tuple[str, ...] = key("Cards that a character's deck must hold.", default=())
    deck_list: tuple[str, ...] = key("A deck to begin with, such as `2x Cure; Mace`.", default=())


COMMON = frozenset({"name", "type", "set", "class_deck"})
ALSO = {
    "character_class": ("class of the character",), "favored_card_type": ("favored", "favored card"), "hand_size": ("hand",),
    "deck_list": ("suggested deck", "starting deck"), "derived_skills": ("skills",),
    **{line: (kind,) for line, kind in LINES.items()}, **{skill.casefold(): (skill[:3],) for skill in SKILLS},
}  # fmt: skip
LISTS = frozenset({"proficient", "derived_skills", "roles", "cohorts", "must_hold", "deck_list"})
columns = tuple(
    Column(
        each.name,
        each.metadata["meaning"],
        "list" if each.name in LISTS else "number" if each.name == "hand_size" else "text",
        ALSO.get(each.name, ()),
    )
    for each in OwnCharacter.__dataclass_fields__.values()
    if each.name not in COMMON
)
sample = {
    "name": "Sample Priest", "type": CHARACTER, "class_deck": "Cleric", "character_class": "Cleric", "race": "Human",
    "weapons": "2 to 4", "spells": "5 to 8", "armors": "2 to 3", "items": "1 to 2", "allies": "1 to 3", "blessings": "4 to 5",
    "favored_card_type": "spell", "hand_size": "5", "strength": "d8 + 2", "dexterity": "d4 + 1", "constitution": "d6 + 3",
    "intelligence": "d6 + 2", "wisdom": "d12 + 4", "charisma": "d6 + 3", "derived_skills": "Divine: Wisdom + 2",
}  # fmt: skip
further = frozenset({"counts_as"})
"""Keys of a character in JSON besides the columns, as `cards/pathfinder/README.md` explains them."""


def is_character(row: Mapping[str, Any]) -> bool:
    """Whether a row is a character's."""
    return str(row.get("type", "")).casefold() == CHARACTER


def character(row: Mapping[str, Any]) -> Record:
    """The record of a character, with the keys of `cards/pathfinder/`. Raises OwnCardError."""
    given = {**row, "type": CHARACTER}
    counts_as = given.pop("counts_as", [])
    for name in ("copies", "deck"):  # a character is one card, whatever a table says in these columns
        given.pop(name, None)
    try:
        made = read(OwnCharacter, given)
    except RecordError as error:
        raise OwnCardError(*map(str, error.wrong)) from None
    wrong: list[str] = []
    cards_list = {kind: _line(made, name, wrong) for name, kind in LINES.items()}
    skills = {skill: found for skill in SKILLS if (found := _skill(made, skill, wrong))}
    if skills and len(skills) < len(SKILLS) and not wrong:
        missing = ", ".join(f"`{skill.casefold()}`" for skill in SKILLS if skill not in skills)
        wrong.append(f"{made.name} has some skills and not {missing}; tell all six or none")
    derived = dict(filter(None, (_derived(made, each, wrong) for each in made.derived_skills)))
    if wrong:
        raise OwnCardError(*wrong)
    boxes = {skill: number for skill, (_die, number) in skills.items() if number is not None}
    record: Record = {
        "name": made.name, "set": made.set or "own", "product": "P",
        "class": made.character_class or made.class_deck or "unknown", "race": made.race or None,
        "cards_list": cards_list, "card_feat_boxes": BOXES, "counts_as": counts_as, "must_hold": list(made.must_hold),
        "favored_card_type": made.favored_card_type or None, "hand_size": made.hand_size, "hand_size_feats": None,
        "proficient": None if made.proficient is None else list(made.proficient), "proficiency_by_feat": None,
        "skills": {skill: die for skill, (die, _number) in skills.items()} or None,
        "skill_feat_boxes": boxes if len(boxes) == len(SKILLS) else None,
        "derived_skills": derived or None, "roles": list(made.roles) or None, "cohorts": list(made.cohorts),
        "source": "your own cards",
    }  # fmt: skip
    try:
        CharacterRecord.model_validate(record)
    except ValidationError as error:
        raise OwnCardError(*(f"{made.name} {sentence(dict(each))}" for each in error.errors())) from None
    return {
        **record, "type": CHARACTER, "traits": [], "product": "own", "class_deck": made.class_deck or None,
        "deck_list": list(made.deck_list),
    }  # fmt: skip


def _line(made: OwnCharacter, name: str, wrong: list[str]) -> dict[str, int | None]:
    """A line of the Cards List."""
    said = str(getattr(made, name)).strip()
    found = LINE.fullmatch(said)
    if found is None:
        what = f"`{name}` is {said!r}" if said else f"{made.name} needs `{name}`"
        wrong.append(f"{what}: write the numbers of the Cards List, such as `3 to 6`, or `0`")
        return {"base": 0, "max": None}
    return {"base": int(found[1]), "max": None if found[2] is None else int(found[2])}


def _skill(made: OwnCharacter, skill: str, wrong: list[str]) -> tuple[str, int | None] | None:
    """Die and number of boxes of a skill; None when the row does not tell it."""
    said = str(getattr(made, skill.casefold())).strip()
    if not said:
        return None
    found = SKILL.fullmatch(said)
    if found is None:
        wrong.append(f"`{skill.casefold()}` is {said!r}: write its die and number of boxes, such as `d10 + 4`")
        return None
    return found[1].casefold(), None if found[2] is None else int(found[2])


def _derived(made: OwnCharacter, said: str, wrong: list[str]) -> tuple[str, dict[str, object]] | None:
    found = DERIVED.fullmatch(said.strip())
    if found is None or found[2].title() not in SKILLS or not int(found[3]):
        wrong.append(f"`derived_skills` is {said!r}: write `Divine: Wisdom + 2`")
        return None
    return found[1].strip(), {"skill": found[2].title(), "bonus": int(found[3])}
