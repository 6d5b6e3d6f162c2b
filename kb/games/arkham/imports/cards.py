"""Turns a complete ArkhamDB card into a record of facts in our schema: no rules text, no flavour, no picture."""

from __future__ import annotations

import re
from typing import Any

from kb.games.arkham.imports.arkhamdb import Record
from kb.games.arkham.imports.options import TAGS, deck_of, side_deck_of

_SKILLS = ("willpower", "intellect", "combat", "agility", "wild")
_ENEMY = ("fight", "evade", "damage", "horror")
_NUMBERS = {name: name for name in ("health", "sanity", "victory", "vengeance")} | {
    f"enemy_{name}": name for name in _ENEMY
}
_FLAGS = ("permanent", "exceptional", "myriad", "exile", "hidden", "double_sided")
_USES = re.compile(r"\b[Uu]ses? \((?:X|\d+)[^)]*?\b([a-z]+)\)")
_MOST_SLOTS = 9
_NO_PLURAL = ("ammo", "evidence", "time", "aether")
_RESEARCHED = re.compile(r"\bResearched\.")
CAMPAIGN_ONLY = re.compile(r"\bCampaign [Mm]ode only\b")
_SET = re.compile(r"\b(Advanced|Replacement)\.")


def card_facts(raw: Record) -> Record:
    """The facts of one card. What a card does not have is left out of the record."""
    facts: Record = {"code": raw["code"], "name": raw["name"], "type": raw["type_code"]}
    if raw.get("subname"):
        facts["subtitle"] = raw["subname"]
    facts["class"] = [raw[key] for key in ("faction_code", "faction2_code", "faction3_code") if raw.get(key)]
    if raw.get("subtype_code"):
        facts["subtype"] = {"basicweakness": "basic weakness"}.get(raw["subtype_code"], raw["subtype_code"])
    if raw.get("xp") is not None:
        facts["level"] = raw["xp"]
    if raw["type_code"] in ("asset", "event") and "cost" in raw:
        facts["cost"] = "X" if raw["cost"] == -2 else raw["cost"]
    if skills := {name: raw[f"skill_{name}"] for name in _SKILLS if raw.get(f"skill_{name}")}:
        facts["skills"] = skills
    if traits := split_traits(raw.get("traits")):
        facts["traits"] = traits
    if slots := split_slots(raw.get("slot")):
        facts["slots"] = slots
    for theirs, ours in _NUMBERS.items():
        if raw.get(theirs) is not None:
            facts[ours] = raw[theirs]
    if raw.get("deck_limit") is not None:
        facts["limit"] = raw["deck_limit"]
    facts["quantity"] = raw.get("quantity", 1)
    if raw.get("is_unique"):
        facts["unique"] = True
    facts |= {flag: True for flag in _FLAGS if raw.get(flag)}
    if raw.get("bonded_to"):
        facts["bonded"] = {"to": raw["bonded_to"], "count": raw.get("bonded_count", 1)}
    facts |= _from_text(raw)
    if restrictions := parse_restrictions(raw.get("restrictions")):
        facts["restrictions"] = restrictions
    if raw.get("customization_options"):
        facts["sheet"] = sheet(raw["customization_options"])
    if raw["type_code"] == "investigator" and raw.get("deck_requirements"):
        facts["deck"] = deck_of(raw)
        if raw.get("side_deck_options"):
            facts["side_deck"] = side_deck_of(raw)
    for theirs, ours in (("duplicate_of", "duplicate_of"), ("alternate_of", "alternate_of"), ("back_link", "back"),
                         ("encounter_code", "encounter")):  # fmt: skip
        if raw.get(theirs):
            facts[ours] = raw[theirs]
    facts["pack"] = raw["pack_code"]
    facts["position"] = raw.get("position", 0)
    return facts


def split_traits(traits: str | None) -> list[str]:
    """`"Item. Weapon. Melee."` as a list."""
    return [part.strip() for part in (traits or "").split(".") if part.strip()]


def split_slots(slot: str | None) -> list[str]:
    """`"Hand x2. Arcane"` as `["Hand", "Hand", "Arcane"]`."""
    slots: list[str] = []
    for part in (slot or "").split("."):
        name, _, times = part.strip().partition(" x")
        if name:
            if (not times.isdecimal() and times) or len(times) > 1 or times == "0":
                raise ValueError(f"a slot is taken up to {_MOST_SLOTS} times, not {times[:40]!r}")
            slots += [name] * int(times or 1)
    return slots


def split_tags(tags: str | None) -> list[str]:
    """`"hd.hh."` as our names of the facts that an option may ask for; unknown ones are left out."""
    return [TAGS[part] for part in (tags or "").split(".") if part in TAGS]


def parse_restrictions(text: str | None) -> Record:
    """`"trait:civic, trait:socialite"` as `{"traits": ["civic", "socialite"]}`; any of a list is enough."""
    restrictions: Record = {}
    names = {"investigator": "investigators", "trait": "traits", "faction": "classes"}
    for part in (text or "").split(","):
        kind, *values = part.strip().split(":")
        if kind in names:
            restrictions.setdefault(names[kind], []).extend(values)
    return restrictions


def sheet(options: list[Record]) -> list[Record]:
    """An upgrade sheet as boxes and effects, in the order of the sheet (its index is what deck files refer to)."""
    rows: list[Record] = []
    for option in options:
        row: dict[str, Any] = {"boxes": option.get("xp", 0)}
        if option.get("choice"):
            row["choose"] = {"choose_trait": "trait", "choose_skill": "skill", "choose_card": "card",
                             "remove_slot": "slot"}[option["choice"]]  # fmt: skip
            if option.get("quantity"):
                row["count"] = option["quantity"]
            if card := option.get("card"):
                row["among"] = {"type": card.get("type", []), "trait": card.get("trait", [])}
        if "real_traits" in option:
            row["traits"] = split_traits(option["real_traits"])
        if "real_slot" in option:
            row["slots"] = split_slots(option["real_slot"])
        if tags := split_tags(option.get("tags")):
            row["tags"] = tags
        row |= {name: option[name] for name in ("cost", "health", "sanity") if name in option}
        if "deck_limit" in option:
            row["limit"] = option["deck_limit"]
        rows.append(row)
    return rows


def _from_text(raw: Record) -> Record:
    """The few facts that only the text tells: two keywords, what its uses are called, the set of a signature."""
    text = raw.get("text") or ""
    facts: Record = {}
    if uses := _USES.search(text):
        facts["uses"] = uses[1] if uses[1].endswith("s") or uses[1] in _NO_PLURAL else f"{uses[1]}s"
    if tags := split_tags(raw.get("tags")):
        facts["tags"] = tags
    if _RESEARCHED.search(text):
        facts["researched"] = True
    if CAMPAIGN_ONLY.search(text):
        facts["campaign_only"] = True
    if raw.get("restrictions") and (found := _SET.search(text)):
        facts["set"] = found[1].lower()
    return facts
