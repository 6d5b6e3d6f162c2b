"""Defines the records in `cards/pathfinder/`: the keys of each type of record, their values, and checks of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

from kb.frozen import NOTHING
from kb.shapes import Record, key, record

CARD_TYPES = ("weapon", "spell", "armor", "item", "ally", "blessing")
CARDS_IN_A_NEW_DECK = 15
CARD_FEAT_BOXES = 10
SKILL_FEAT_BOXES = 15

CardType = Literal["weapon", "spell", "armor", "item", "ally", "blessing"]
Product = Literal["B", "C", "1", "2", "3", "4", "5", "6", "P"]
AdventureNumber = Literal["B", "1", "2", "3", "4", "5", "6"]
Die = Literal["d4", "d6", "d8", "d10", "d12"]
Skill = Literal["Strength", "Dexterity", "Constitution", "Intelligence", "Wisdom", "Charisma"]
Names = tuple[str, ...]


@record
class SetRecord(Record):
    """The keys that all records in a set's folder have in common."""

    set: str
    """The id of the set: `rotr` or `mm`."""


# Optional keys of a boon's record, with their defaults.
MAY_BE_LEFT_OUT: dict[str, Any] = {"loot": False, "owner": None, "traits_certain": None, "note": None}


@record
class BoonRecord(SetRecord):
    """A boon: a card that a deck can contain."""

    name: str
    """The card's name."""
    also_called: Names = ()
    """Other names that decks may use for the card."""
    type: CardType | None
    """The card's type; `null` if it is unknown (`note` then says why)."""
    deck: Product | None
    """The first product that contains the card: `B` base set, `C` Character Add-On Deck, `1`–`6` adventure deck, `P`
    promo; `null`: unknown.
    """
    copies: Mapping[Product, int | None]
    """The number of copies in each product, beginning with the first product; `null`: the number is unknown."""
    basic: bool | None
    """True if the card has the trait Basic; `null`: unknown."""
    elite: bool | None
    """True if the card has the trait Elite; `null`: unknown."""
    loot: bool = False
    """True if it is a loot card. The card also counts as a card of its `type`. Default: false."""
    owner: str | None = None
    """The character that its Owner trait names; `null` or left out: the card has no Owner trait."""
    traits: Names | None
    """The card's traits; `null`: unknown."""
    traits_certain: bool | None = None
    """True if several sources agree on the traits, false if only one gives them or sources differ; `null` if the traits
    are unknown.
    """
    source: str
    """The source of the facts (see the table of sources)."""
    note: str | None = None
    """A note for readers of the record."""


@record
class CardsListLine(Record):
    """A line of the Cards List: the number of cards of a type in a new deck, and the number with all card feats."""

    base: int = key(ge=0)
    """The number of cards of the type in a new deck."""
    maximum: int | None = key(name="max", ge=0)
    """The number of cards of the type if every card feat box is checked; `null`: unknown."""


@record
class CountsAs(Record):
    """A rule on a character card: when a deck is built, cards of one type may take the place of cards of another type."""

    type: CardType
    """The type of the cards that may take the place of others."""
    counts_as: CardType = key(name="as")
    """The type that they may also count as."""
    without_trait: str | None
    """Cards with this trait must not count as the other type; `null`: no exception."""


@record
class DerivedSkill(Record):
    """A skill such as Arcane, which is based on one of the six basic skills such as Intelligence."""

    skill: Skill
    """The basic skill that it is based on."""
    bonus: int = key(ge=1)
    """The number added to a roll of that skill."""


@record
class CharacterRecord(SetRecord):
    """A character that players can choose."""

    name: str
    """The character's name."""
    product: Literal["B", "C", "P"]
    """The product that contains the character: `B` base set, `C` Character Add-On Deck or `P` promo."""
    character_class: str = key(name="class")
    """The character's class, such as Cleric."""
    race: str | None
    """The character's race; `null`: unknown."""
    cards_list: Mapping[str, CardsListLine]
    """The Cards List, which has a line for each card type."""
    card_feat_boxes: int
    """The number of card feat boxes on the whole Cards List."""
    counts_as: tuple[CountsAs, ...] = ()
    """Types of cards that also count as another type when the deck is built."""
    must_hold: Names = ()
    """The cards that the character's deck must contain, by name."""
    favored_card_type: str | None
    """The character's favored card type; `null`: unknown."""
    hand_size: int | None = key(ge=1)
    """The hand size without feats; `null`: unknown."""
    hand_size_feats: tuple[int, ...] | None
    """The hand sizes that power feats can give without a role card; `null`: unknown."""
    role_hand_sizes: Mapping[str, int] = NOTHING
    """The largest hand size on each role card, by role; a role that is missing: unknown."""
    proficient: Names | None
    """Types of cards that the character is proficient with at the start."""
    proficiency_by_feat: Names | None
    """Types of cards that power feats can make the character proficient with."""
    skills: Mapping[Skill, Die] | None
    """The die that the character rolls for each of the six basic skills."""
    skill_feat_boxes: Mapping[str, int] | None
    """The number of skill feat boxes of each skill."""
    derived_skills: Mapping[str, DerivedSkill] | None
    """Skills such as Arcane that are based on a basic skill."""
    roles: Names | None
    """The known roles on the character's role card, which has two; `null`: unknown."""
    cohorts: Names
    """The cohorts that the character's Cards List names."""
    source: str
    """The source of the facts."""


@record
class DeckLine(Record):
    """A card in a suggested deck, with its number of copies."""

    name: str
    """The card's name."""
    type: CardType
    """The card's type."""
    count: int = key(ge=1)
    """The number of copies."""


@record
class DeckRecord(SetRecord):
    """The suggested deck of a character."""

    character: str
    """The name of the character."""
    cards: tuple[DeckLine, ...]
    """The cards in the deck, with their copies."""
    source: str
    """The source of the list of cards."""
    matched_by: str
    """The reason why this list belongs to this character, because the text of the PDF mixes up names and lists."""


@record
class Gives(Record):
    """A reward in a form that kb can check. If `reward` is `null`, it is an inference that `note` explains."""

    feats: Mapping[Literal["skill", "power", "card"], int]
    """The number of feats of each kind."""
    role: bool
    """True if the reward includes the role card."""
    loot: Names
    """The names of the loot cards that the reward gives."""
    traders: Names
    """The names of the traders that characters can visit from then on."""


@record
class TraderRecord(Record):
    """A trader: the boons that players can get, and the price of a trade."""

    name: str
    """The trader's name."""
    offers: tuple[CardType, ...]
    """The types of the boons that the trader offers."""
    trait: str | None
    """The trait that the offered boons must have; `null`: any trait."""
    own_number: bool = False
    """True if the offered boons have the scenario's adventure deck number; left out: that number or 1 less. A trader of
    Basic boons offers them whatever their number."""
    cost: int = key(ge=1)
    """The number of boons that a player pays for a trade."""


@record
class ScenarioPart(Record):
    """A scenario in the record of its adventure, with its reward."""

    number: int
    """The scenario's number within the adventure, beginning with 1."""
    name: str
    """The scenario's name."""
    reward: str | None
    """The reward in words; `null`: unknown."""
    gives: Gives
    """The reward in a form that kb can check."""
    note: str | None
    """A note for readers of the record."""


@record
class AdventureRecord(SetRecord):
    """An adventure with its scenarios and rewards."""

    record: Literal["adventure"]
    """The type of the record: `adventure`."""
    deck: AdventureNumber
    """The adventure's adventure deck: a number, or `B` for the base set."""
    name: str
    """The adventure's name."""
    path: str | None
    """The name of the Adventure Path that the adventure belongs to; `null`: none."""
    reward: str | None
    """The reward in words; `null`: unknown."""
    gives: Gives
    """The reward in a form that kb can check."""
    traders: tuple[TraderRecord, ...]
    """The traders that characters can meet in the adventure."""
    scenarios: tuple[ScenarioPart, ...]
    """The scenarios of the adventure, in order."""
    source: str
    """The source of the facts."""
    note: str | None
    """A note for readers of the record."""


@record
class PathRecord(SetRecord):
    """An Adventure Path: a series of adventures."""

    record: Literal["path"]
    """The type of the record: `path`."""
    name: str
    """The name of the Adventure Path."""
    adventures: Names
    """The names of its adventures, in the order of play."""
    source: str
    """The source of the facts."""
    note: str | None
    """A note for readers of the record."""


def contradictions(character: CharacterRecord) -> Iterator[str]:
    """Yield the contradictions in a character's record.

    Each is the end of a sentence that begins with the character's name.
    """
    lines = character.cards_list
    if strange := lines.keys() ^ {*CARD_TYPES}:
        yield f"has a Cards List with missing or unknown lines: {', '.join(sorted(strange))}; it needs one line for each type"
        return
    if (total := sum(line.base for line in lines.values())) != CARDS_IN_A_NEW_DECK:
        yield f"has a Cards List of {total} cards instead of {CARDS_IN_A_NEW_DECK}"
    for kind, line in lines.items():
        if line.maximum is not None and line.maximum < line.base:
            yield f"has a Cards List with at most {line.maximum} cards of type {kind}, but {line.base} at the start"
    boxes = sum(line.maximum - line.base for line in lines.values() if line.maximum is not None)
    known = all(line.maximum is not None for line in lines.values())
    if boxes > character.card_feat_boxes or (known and boxes != character.card_feat_boxes):
        where = "its Cards List" if known else "the known lines of its Cards List"
        yield f"has {boxes} card feat boxes on {where}, but `card_feat_boxes` is {character.card_feat_boxes}"
    if character.card_feat_boxes != CARD_FEAT_BOXES:
        yield f"has {character.card_feat_boxes} card feat boxes; every character has {CARD_FEAT_BOXES}"
    if character.skill_feat_boxes is not None and sum(character.skill_feat_boxes.values()) != SKILL_FEAT_BOXES:
        yield f"has {sum(character.skill_feat_boxes.values())} skill feat boxes; every character has {SKILL_FEAT_BOXES}"
    if strange := {*(character.skill_feat_boxes or ())} - {*get_args(Skill)}:
        yield f"has feat boxes for {', '.join(sorted(strange))}, which is not a skill"
    for each in character.counts_as:
        if each.type == each.counts_as:
            yield f"says that {each.type} cards count as themselves"


def slips(value: Any) -> Iterator[str]:
    """Yield a problem for each text with stray blanks in a JSON value, and for each list in the value that contains a
    name twice.

    Each is the end of a sentence that begins with the name of the record.
    """
    if isinstance(value, str) and value != " ".join(value.split()):
        yield f"has stray blanks in {value!r}"
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from slips(inner)
    if isinstance(value, list):
        names = [each.get("name") if isinstance(each, dict) else each for each in value]
        if twice := next((name for name in names if name is not None and names.count(name) > 1), None):
            yield f"lists {twice} twice"
