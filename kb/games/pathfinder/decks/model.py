"""What the Pathfinder deck checks work on: cards, characters, adventures and a deck, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from kb.decks.names import name_key

CARD_TYPES = ("weapon", "spell", "armor", "item", "ally", "blessing")
PLURALS = dict(zip(CARD_TYPES, ("weapons", "spells", "armors", "items", "allies", "blessings"), strict=True))
SET_TITLES = {"rotr": "Rise of the Runelords", "mm": "Mummy's Mask"}
SET_NAMES = {**{set_id: set_id for set_id in SET_TITLES}, **{title: set_id for set_id, title in SET_TITLES.items()}}
SKILLS = ("Strength", "Dexterity", "Constitution", "Intelligence", "Wisdom", "Charisma")
ADVENTURES = ("B", "1", "2", "3", "4", "5", "6")
PRODUCT_TITLES = {"B": "the base set", "C": "the Character Add-On Deck", "P": "the promotional cards"}
CARDS_IN_A_NEW_DECK = 15

Stage = Literal["new", "rebuilt"]
FeatKind = Literal["skill", "power", "card"]
FEAT_KINDS: tuple[FeatKind, ...] = get_args(FeatKind)


def product_title(product: str) -> str:
    """A product in words: `3` is `adventure deck 3`."""
    return PRODUCT_TITLES.get(product, f"adventure deck {product}")


@dataclass(frozen=True, slots=True)
class Card:
    """A boon. None stands for unknown.

    `deck` is its set indicator (the first product it is in), `copies` pairs each product with its number of copies,
    `traits` are all its traits. `class_deck` names the Class Deck a card of one is from; such cards are described in the deck file,
    or in a list of the user's own, whose title is `own`.
    """

    name: str
    set: str
    type: str | None
    deck: str | None
    copies: tuple[tuple[str, int | None], ...] = ()
    basic: bool | None = None
    loot: bool = False
    owner: str | None = None
    class_deck: str | None = None
    traits: tuple[str, ...] | None = None
    own: str = ""

    @property
    def number(self) -> int | None:
        """Adventure deck number; a letter counts as 0 (mm rulebook, set indicators)."""
        return None if self.deck is None else int(self.deck) if self.deck.isdigit() else 0

    @property
    def products(self) -> tuple[str, ...]:
        """The products that hold the card; empty when unknown."""
        return tuple(product for product, _ in self.copies)


@dataclass(frozen=True, slots=True)
class ListLine:
    """One line of a Cards List: cards of the type in a new deck, and with all boxes checked (None: unknown)."""

    base: int
    maximum: int | None


@dataclass(frozen=True, slots=True)
class CountsAs:
    """Cards of `type` fill places of the type `counts_as` too; not those that have the trait `without_trait`."""

    type: str
    counts_as: str
    without_trait: str | None

    def fits(self, card: Card) -> bool:
        """Whether the rule is about this card. A card of unknown traits gets the benefit of the doubt."""
        return card.type == self.type and (self.without_trait is None or self.without_trait not in (card.traits or ()))

    def __str__(self) -> str:
        but = f" without the {self.without_trait} trait" if self.without_trait else ""
        return f"{PLURALS[self.type]}{but} count as {PLURALS[self.counts_as]}"


@dataclass(frozen=True, slots=True)
class Character:
    """A character with what decides its deck. `roles` are the known sides of the role card (two when complete).

    `counts_as` and `must_hold` are what the character card says about building its deck. A character of the user's own names its
    `class_deck` (if any) and the list it is `own` of; `trait` is what Owner traits call it where its name says more.
    """

    name: str
    set: str
    product: str
    cards_list: Mapping[str, ListLine]
    card_feat_boxes: int
    skill_feat_boxes: Mapping[str, int] | None
    roles: tuple[str, ...]
    cohorts: tuple[str, ...]
    counts_as: tuple[CountsAs, ...] = ()
    must_hold: tuple[str, ...] = ()
    class_deck: str | None = None
    own: str = ""
    trait: str = ""

    def may_fill(self, card: Card) -> tuple[str, ...]:
        """The lines of the Cards List that a card may fill, its own type first; none when its type is unknown."""
        if card.type is None:
            return ()
        return (card.type, *(rule.counts_as for rule in self.counts_as if rule.fits(card)))

    def base(self, card_type: str) -> int:
        """Cards of a type in a new deck."""
        return self.cards_list[card_type].base


@dataclass(frozen=True, slots=True)
class Gives:
    """What a reward gives: feats by kind, the role card, loot by name, traders to visit. `name` is what it is the reward of.

    `said` is the reward in words, None when no source tells it.
    """

    feats: Mapping[str, int]
    role: bool
    loot: tuple[str, ...]
    name: str = ""
    said: str | None = None
    traders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Adventure:
    """An adventure; `scenarios` are its scenarios with their rewards in order. `path`: it is one of the Adventure Path's."""

    set: str
    deck: str
    name: str
    reward: Gives
    scenarios: tuple[Gives, ...]
    path: bool = True


@dataclass(frozen=True, slots=True)
class Deck:
    """A character's deck as its file describes it.

    `adventure` is the adventure being played, `after_scenario` the last scenario of it that was played (0: none, None: not
    said). Feat boxes are positions from the left, counted from 1. `from_box`, `had` and `owns` are None when not said.
    `owns` holds products (`B`, `C`, `1` … `6`, `P`), `class decks` and other sets. `after_death` says whether a new character
    replaces one who died (None: not said). `contradictions` are cards that the file describes, each with what it says against
    the facts and what to do about it.
    """

    character: Character
    stage: Stage
    adventure: str
    cards: tuple[Card, ...]
    after_scenario: int | None = None
    card_feats: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    skill_feats: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    power_feats: int | None = None
    role: str | None = None
    deck_adjustments: Mapping[str, int] = field(default_factory=dict)
    cohorts: tuple[str, ...] = ()
    from_box: tuple[Card, ...] | None = None
    left_over: tuple[Card, ...] = ()
    had: tuple[Card, ...] | None = None
    received: tuple[Card, ...] = ()
    gave: tuple[Card, ...] = ()
    owns: frozenset[str] | None = None
    party: tuple[str, ...] = ()
    after_death: bool | None = None
    contradictions: tuple[tuple[str, str, str], ...] = ()

    @property
    def set(self) -> str:
        """The set of the character, whose rulebook applies."""
        return self.character.set

    @property
    def number(self) -> int:
        """Adventure deck number of the adventure being played."""
        return ADVENTURES.index(self.adventure)

    def of_type(self, card_type: str | None) -> tuple[Card, ...]:
        """The deck's cards of a type; loot counts as its type."""
        return tuple(card for card in self.cards if card.type == card_type)


@dataclass(frozen=True, slots=True)
class Facts:
    """All cards, characters, suggested decks and adventures, found by set and name; `other_names` are those of cards.

    `class_printings` are cards of the user's Class Decks that have the name of another card, `owned` the copies that are owned of
    cards whose number the user has told.
    """

    cards: Mapping[tuple[str, str], Card]
    characters: Mapping[tuple[str, str], Character]
    suggested: Mapping[tuple[str, str], tuple[Card, ...]]
    adventures: Mapping[str, tuple[Adventure, ...]]
    other_names: Mapping[tuple[str, str], Card] = field(default_factory=dict)
    class_printings: Mapping[tuple[str, str], tuple[Card, ...]] = field(default_factory=dict)
    owned: Mapping[tuple[str, str], int] = field(default_factory=dict)

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
    )


def _adventure(record: Mapping[str, Any]) -> Adventure:
    def gives(part: Mapping[str, Any]) -> Gives:
        given = part["gives"]
        feats, loot, traders = given["feats"], tuple(given["loot"]), tuple(given["traders"])
        return Gives(feats, given["role"], loot, part["name"], part["reward"], traders)

    scenarios = tuple(gives(part) for part in record["scenarios"])
    path = record["path"] is not None
    return Adventure(record["set"], record["deck"], record["name"], gives(record), scenarios, path)
