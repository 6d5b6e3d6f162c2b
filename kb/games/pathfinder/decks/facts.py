"""The facts that Pathfinder decks are judged by: cards, characters, suggested decks and adventures, made of their records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kb.decks.names import name_key
from kb.games.pathfinder.decks.model import ADVENTURES, Adventure, Card, Character, CountsAs, Gives, ListLine, Trader

SKILL_TRAITS = ("Melee", "Ranged", "Arcane", "Divine")
PROFICIENT = {"weapons": "Weapon", "light armors": "Light Armor", "heavy armors": "Heavy Armor"}


@dataclass(frozen=True, slots=True)
class Facts:
    """All cards, characters, suggested decks and adventures, found by set and name; `other_names` are those of cards.

    `class_printings` are cards of the user's Class Decks that have the name of another card, `owned` the copies that are owned of
    cards whose number the user has told. `unknown` are lines of suggested decks that name no card of the set.
    """

    cards: Mapping[tuple[str, str], Card]
    characters: Mapping[tuple[str, str], Character]
    suggested: Mapping[tuple[str, str], tuple[Card, ...]]
    adventures: Mapping[str, tuple[Adventure, ...]]
    other_names: Mapping[tuple[str, str], Card] = field(default_factory=dict)
    class_printings: Mapping[tuple[str, str], tuple[Card, ...]] = field(default_factory=dict)
    owned: Mapping[tuple[str, str], int] = field(default_factory=dict)
    unknown: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def from_records(
        cls,
        cards: Iterable[Mapping[str, Any]],
        characters: Iterable[Mapping[str, Any]],
        decks: Iterable[Mapping[str, Any]],
        adventures: Iterable[Mapping[str, Any]],
    ) -> Facts:
        """Facts from the records of `cards/pathfinder/` (validated when the catalog was built)."""
        boons: dict[tuple[str, str], Card] = {}
        other_names: dict[tuple[str, str], Card] = {}
        for record in cards:
            card = boons[record["set"], name_key(record["name"])] = card_of(record)
            other_names |= {(card.set, name_key(name)): card for name in record.get("also_called", ())}
        suggested = {
            (record["set"], record["character"]): tuple(
                boons[record["set"], name_key(line["name"])] for line in record["cards"] for _ in range(line["count"])
            )
            for record in decks
        }
        by_set: dict[str, list[Adventure]] = {}
        for record in adventures:
            by_set.setdefault(record["set"], []).append(_adventure(record))
        return cls(
            cards=boons,
            characters={(record["set"], name_key(record["name"])): character_of(record) for record in characters},
            suggested=suggested,
            adventures={
                set_id: tuple(sorted(found, key=lambda each: ADVENTURES.index(each.deck)))
                for set_id, found in by_set.items()
            },
            other_names=other_names,
        )

    def card(self, set_id: str, name: str) -> Card | None:
        """The card of a set by its name or another name of it, however it is written."""
        key = set_id, name_key(name)
        return self.cards.get(key) or self.other_names.get(key)

    def of_set(self, set_id: str) -> list[Card]:
        """All cards of a set."""
        return [card for (owner, _), card in self.cards.items() if owner == set_id]

    def traders(self, set_id: str) -> dict[str, Trader]:
        """The traders of a set by their names."""
        return {trader.name: trader for adventure in self.adventures.get(set_id, ()) for trader in adventure.traders}

    def adventure(self, set_id: str, deck: str) -> Adventure | None:
        """The adventure with that adventure deck number."""
        return next((each for each in self.adventures.get(set_id, ()) if each.deck == deck), None)


def card_of(record: Mapping[str, Any]) -> Card:
    """The card of a record."""
    return Card(
        name=record["name"],
        set=record["set"],
        type=record["type"],
        deck=record["deck"],
        copies=tuple(record["copies"].items()),
        basic=record["basic"],
        loot=record["loot"],
        owner=record["owner"],
        traits=None if record["traits"] is None else tuple(record["traits"]),
        class_deck=record.get("class_deck"),
        own=record.get("own", ""),
    )


def character_of(record: Mapping[str, Any]) -> Character:
    """The character of a record."""
    return Character(
        name=record["name"],
        set=record["set"],
        product=record["product"],
        cards_list={kind: ListLine(line["base"], line["max"]) for kind, line in record["cards_list"].items()},
        card_feat_boxes=record["card_feat_boxes"],
        skill_feat_boxes=record["skill_feat_boxes"],
        roles=tuple(record["roles"] or ()),
        cohorts=tuple(record["cohorts"]),
        counts_as=tuple(
            CountsAs(each["type"], each["as"], each["without_trait"]) for each in record.get("counts_as", ())
        ),
        must_hold=tuple(record.get("must_hold", ())),
        class_deck=record.get("class_deck"),
        own=record.get("own", ""),
        skills=_skills(record),
        proficient=tuple(PROFICIENT[each] for each in record.get("proficient") or () if each in PROFICIENT),
    )


def _skills(record: Mapping[str, Any]) -> dict[str, int]:
    """The highest roll of a character for each trait by which weapons and spells are used; Melee is Strength, Ranged Dexterity."""
    dice = {skill: int(die[1:]) for skill, die in (record.get("skills") or {}).items()}
    found = {"Melee": dice.get("Strength", 0), "Ranged": dice.get("Dexterity", 0)}
    for name, made in (record.get("derived_skills") or {}).items():
        if name in SKILL_TRAITS:
            found[name] = dice.get(made["skill"], 0) + made["bonus"]
    return found


def _adventure(record: Mapping[str, Any]) -> Adventure:
    def gives(part: Mapping[str, Any]) -> Gives:
        given = part["gives"]
        feats, loot, traders = given["feats"], tuple(given["loot"]), tuple(given["traders"])
        return Gives(feats, given["role"], loot, part["name"], part["reward"], traders)

    scenarios = tuple(gives(part) for part in record["scenarios"])
    path = record["path"] is not None
    traders = tuple(
        Trader(each["name"], tuple(each["offers"]), each["trait"], each["cost"], each.get("own_number", False))
        for each in record["traders"]
    )
    return Adventure(record["set"], record["deck"], record["name"], gives(record), scenarios, path, traders)
