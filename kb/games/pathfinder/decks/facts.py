"""The facts that Pathfinder decks are judged by: cards, characters, suggested decks and adventures, made of their records."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kb.decks.names import name_key, split_quantity
from kb.games.pathfinder.decks.model import (
    ADVENTURES,
    SET_TITLES,
    Adventure,
    Card,
    Cards,
    Character,
    CountsAs,
    Gives,
    ListLine,
    Trader,
)
from kb.own_records import CARD, CHARACTER, COPIES, FACTS

Record = Mapping[str, Any]
At = tuple[str, str]
MOST_COPIES = 15  # of a card in an own character's suggested deck

SKILL_TRAITS = ("Melee", "Ranged", "Arcane", "Divine")
PROFICIENT = {"weapons": "Weapon", "light armors": "Light Armor", "heavy armors": "Heavy Armor"}


@dataclass(frozen=True, slots=True)
class Facts:
    """All cards, characters, suggested decks and adventures, found by set and name; `other_names` are those of cards.

    `class_printings` are cards of the user's Class Decks that have the name of another card, `owned` the copies that are owned of
    cards whose number the user has told.
    """

    cards: dict[At, Card]
    characters: dict[At, Character]
    suggested: dict[At, Cards]
    adventures: dict[str, tuple[Adventure, ...]]
    other_names: dict[At, Card] = field(default_factory=dict)
    class_printings: dict[At, Cards] = field(default_factory=dict)
    owned: dict[At, int] = field(default_factory=dict)

    @classmethod
    def load(cls, records: Callable[[str], Iterable[Record]]) -> Facts:
        """Facts from the records by kind: those of `cards/pathfinder/` (validated when the catalog was built), and the user's own: cards
        and characters, what they have told of cards of which the facts do not know it, and their copies."""
        facts = cls({}, {}, {}, {}, {}, {}, {})
        told = {(record["set"], record["name"]): record for record in records(FACTS)}
        for record in records("card"):
            known = told.get((record["set"], record["name"]), {})
            filled = {key: value for key, value in known.items() if key in record and record[key] is None}
            card = facts.cards[record["set"], name_key(record["name"])] = card_of({**record, **filled})
            facts.other_names.update({(card.set, name_key(name)): card for name in record.get("also_called", ())})
        for record in records("character"):
            facts.characters[record["set"], name_key(record["name"])] = character_of(record)
        for record in records("deck"):
            lines = [(facts.cards[record["set"], name_key(line["name"])], line["count"]) for line in record["cards"]]
            facts.suggested[record["set"], record["character"]] = tuple(
                card for card, count in lines for _ in range(count)
            )
        adventures = [adventure_of(record) for record in records("adventure")]
        for each in sorted(adventures, key=lambda each: ADVENTURES.index(each.deck)):
            facts.adventures[each.set] = (*facts.adventures.get(each.set, ()), each)
        for record in records(CARD):
            for set_id in SET_TITLES if record["set"] == "own" else (record["set"],):
                facts.bring(card_of({**record, "set": set_id}), record["also_called"])
        for record in records(COPIES):
            at = record["set"], name_key(record["name"])
            facts.owned[at] = facts.owned.get(at, 0) + record["copies"]
        shipped = {key for _, key in facts.characters}
        for record in records(CHARACTER):
            for set_id in SET_TITLES if record["set"] == "own" else (record["set"],):
                facts.bring_character({**record, "set": set_id}, shipped)
        return facts

    def bring(self, card: Card, other_names: Iterable[str]) -> None:
        """Put an own card among those of a set; one whose name a card there has is another printing of it."""
        at = card.set, name_key(card.name)
        if at in self.cards or at in self.other_names:
            self.class_printings[at] = (*self.class_printings.get(at, ()), card)
        else:
            self.cards[at] = card
        for name in other_names:
            self.other_names.setdefault((card.set, name_key(name)), card)

    def bring_character(self, record: Record, shipped: Container[str]) -> None:
        """Put an own character among those of a set. One whose name a character of any set has is called by its Class Deck too,
        `Kyra (Cleric)`: the plain name means who had it before, whether or not a deck says its set."""
        set_id, made = record["set"], character_of(record)
        must_hold = tuple(card.name if (card := self.card(set_id, name)) else name for name in made.must_hold)
        made = replace(made, must_hold=must_hold)
        whole = f"{made.name} ({record['class_deck'] or record['own']})"
        if name_key(made.name) in shipped or (set_id, name_key(made.name)) in self.characters:
            made = replace(made, name=whole, trait=made.name)
        if self.characters.setdefault((set_id, name_key(made.name)), made) is not made:
            return  # another list brings the same one
        self.characters.setdefault((set_id, name_key(whole)), made)
        lines = map(split_quantity, record["deck_list"])
        known = ((min(number, MOST_COPIES), card) for number, name in lines if (card := self.card(set_id, name)))
        self.suggested[set_id, made.name] = tuple(card for number, card in known for _ in range(number))

    def card(self, set_id: str, name: str) -> Card | None:
        """The card of a set by its name or another name of it, however it is written."""
        key = set_id, name_key(name)
        return self.cards.get(key) or self.other_names.get(key)

    def characters_of(self, set_id: str | None = None) -> list[Character]:
        """The characters of a set, or of all."""
        return [each for (owner, _), each in self.characters.items() if set_id in (None, owner)]

    def called(self, name: str, set_id: str | None = None) -> list[Character]:
        """Those of a name; it may be in several sets."""
        key = name_key(name)
        return [
            each for (owner, each_key), each in self.characters.items() if each_key == key and set_id in (None, owner)
        ]

    def suggested_for(self, character: Character) -> Cards:
        """The suggested deck of a character; empty when there is none."""
        return self.suggested.get((character.set, character.name), ())

    def of_set(self, set_id: str) -> list[Card]:
        """All cards of a set."""
        return [card for (owner, _), card in self.cards.items() if owner == set_id]

    def loot(self, set_id: str) -> set[str]:
        """The names of the loot that rewards of a set give."""
        every = self.adventures.get(set_id, ())
        return {name for each in every for gives in (each.reward, *each.scenarios) for name in gives.loot}

    def traders(self, set_id: str) -> dict[str, Trader]:
        """The traders of a set by their names."""
        return {trader.name: trader for adventure in self.adventures.get(set_id, ()) for trader in adventure.traders}

    def adventure(self, set_id: str, deck: str) -> Adventure | None:
        """The adventure with that adventure deck number."""
        return next((each for each in self.adventures.get(set_id, ()) if each.deck == deck), None)


def card_of(record: Record) -> Card:
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
        elite=record["elite"],
    )


def character_of(record: Record) -> Character:
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


def _skills(record: Record) -> dict[str, int]:
    """The highest roll of a character for each trait by which weapons and spells are used; Melee is Strength, Ranged Dexterity."""
    dice = {skill: int(die[1:]) for skill, die in (record.get("skills") or {}).items()}
    found = {"Melee": dice.get("Strength", 0), "Ranged": dice.get("Dexterity", 0)}
    for name, made in (record.get("derived_skills") or {}).items():
        if name in SKILL_TRAITS:
            found[name] = dice.get(made["skill"], 0) + made["bonus"]
    return found


def adventure_of(record: Record) -> Adventure:
    """The adventure of a record."""

    def gives(part: Record) -> Gives:
        given = part["gives"]
        return Gives(
            given["feats"], given["role"], tuple(given["loot"]), part["name"], part["reward"], tuple(given["traders"])
        )

    traders = [
        Trader(each["name"], tuple(each["offers"]), each["trait"], each["cost"], each.get("own_number", False))
        for each in record["traders"]
    ]
    scenarios = tuple(map(gives, record["scenarios"]))
    in_path = record["path"] is not None
    return Adventure(record["set"], record["deck"], record["name"], gives(record), scenarios, in_path, tuple(traders))
