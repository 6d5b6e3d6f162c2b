"""The facts of the Pathfinder sets as frozen dataclasses: cards, characters, adventures, rewards and traders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any, Literal, get_args

from kb.decks.names import name_key, split_quantity
from kb.frozen import frozen
from kb.games.pathfinder import records
from kb.games.pathfinder.records import CARD_TYPES
from kb.own_records import CARD, CHARACTER, COPIES, FACTS
from kb.records import build
from kb.records import record as record_type

PLURALS = dict(zip(CARD_TYPES, ("weapons", "spells", "armors", "items", "allies", "blessings"), strict=True))


@frozen
class PlayedSet:
    """A set that is a game of its own: its title, and the differences in its rulebook.

    `dead_cards` says where the cards of the dead go if nobody keeps them. `roles_adjust`: role cards may change the
    Cards List. `open_to_promos`: promotional cards come from the box like others, and have a rule. `traders`: traders
    are visited after a scenario. `class_decks`: the rulebook covers Class Decks. `compatibility`, `limited_resources`:
    entries with these names say which boxes may be mixed, and what happens if the box runs out of cards.
    """

    id: str
    title: str
    dead_cards: str
    roles_adjust: bool = False
    open_to_promos: bool = False
    traders: bool = False
    class_decks: bool = False
    compatibility: bool = False
    limited_resources: bool = False


SETS = {
    each.id: each
    for each in (
        PlayedSet("rotr", "Rise of the Runelords", dead_cards="banished", roles_adjust=True),
        PlayedSet(
            "mm",
            "Mummy's Mask",
            dead_cards="returned to the box",
            open_to_promos=True,
            traders=True,
            class_decks=True,
            compatibility=True,
            limited_resources=True,
        ),
    )
}
SET_TITLES = {each.id: each.title for each in SETS.values()}
SET_NAMES = {**{set_id: set_id for set_id in SET_TITLES}, **{title: set_id for set_id, title in SET_TITLES.items()}}
SKILLS = ("Strength", "Dexterity", "Constitution", "Intelligence", "Wisdom", "Charisma")
ADVENTURES = ("B", "1", "2", "3", "4", "5", "6")
PRODUCT_TITLES = {"B": "the base set", "C": "the Character Add-On Deck", "P": "the promotional cards"}


def sets_where(holds: Callable[[PlayedSet], bool]) -> tuple[str, ...]:
    """Return the ids of the sets for which `holds` returns True."""
    return tuple(each.id for each in SETS.values() if holds(each))


FeatKind = Literal["skill", "power", "card"]
FEAT_KINDS: tuple[FeatKind, ...] = get_args(FeatKind)


def product_title(product: str) -> str:
    """Return a product in words: `3` is `adventure deck 3`."""
    return PRODUCT_TITLES.get(product, f"adventure deck {product}")


@frozen
class PathfinderCard:
    """A boon. None means unknown.

    `deck` is its set indicator (the first product that contains it), `copies` pairs each product with its number of
    copies, `traits` are all its traits. `class_deck` names the Class Deck that it comes from; such cards are described
    in the deck file or in one of the user's own lists. `own` is the title of that list.
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
    elite: bool | None = None

    @property
    def number(self) -> int | None:
        """Return the adventure deck number; a letter counts as 0 (mm rulebook, set indicators)."""
        return None if self.deck is None else int(self.deck) if self.deck.isdigit() else 0

    @property
    def products(self) -> tuple[str, ...]:
        """Return the products that contain the card; empty if unknown."""
        return tuple(product for product, _ in self.copies)


Cards = tuple[PathfinderCard, ...]


def names(cards: Iterable[PathfinderCard]) -> list[str]:
    """Return the names of cards."""
    return [card.name for card in cards]


class CountedType(records.CountsAs):
    """Cards of `type` may also fill places of the type `counts_as`, except those with the trait `without_trait`."""

    def fits(self, card: PathfinderCard) -> bool:
        """Return True if the rule applies to this card. A card with unknown traits is included."""
        return card.type == self.type and (self.without_trait is None or self.without_trait not in (card.traits or ()))

    def __str__(self) -> str:
        but = f" without the {self.without_trait} trait" if self.without_trait else ""
        return f"{PLURALS[self.type]}{but} count as {PLURALS[self.counts_as]}"


SKILL_TRAITS = ("Melee", "Ranged", "Arcane", "Divine")
SKILL_OF: Mapping[str, records.Skill] = {"Melee": "Strength", "Ranged": "Dexterity"}
PROFICIENT = {"weapons": "Weapon", "light armors": "Light Armor", "heavy armors": "Heavy Armor"}


@record_type
class PathfinderCharacter(records.CharacterRecord):
    """A character. For one of the user's own characters, `class_deck` is its Class Deck, if any, and `own` the title of
    its list. `trait` is its name in Owner traits, if that differs.
    """

    counts_as: tuple[CountedType, ...] = ()
    roles: tuple[str, ...] = ()
    class_deck: str | None = None
    own: str = ""
    trait: str = ""

    def may_fill(self, card: PathfinderCard) -> tuple[str, ...]:
        """Return the lines of the Cards List that a card may fill, its own type first; none if its type is unknown."""
        if card.type is None:
            return ()
        return (card.type, *(rule.counts_as for rule in self.counts_as if rule.fits(card)))

    def base(self, card_type: str) -> int:
        """Return the number of cards of a type in a new deck."""
        return self.cards_list[card_type].base

    def roll(self, trait: str) -> int:
        """Return the highest roll, die and bonus, of the skill used with a card that has a trait; 0 for other traits."""
        derived = (self.derived_skills or {}).get(trait) if trait in SKILL_TRAITS else None
        skill = derived.skill if derived else SKILL_OF.get(trait)
        die = (self.skills or {}).get(skill, "d0") if skill else "d0"
        return int(die[1:]) + (derived.bonus if derived else 0)

    def proficient_with(self, trait: str) -> bool:
        """Return True if it is proficient with the weapons or armors of a trait."""
        return any(PROFICIENT.get(each) == trait for each in self.proficient or ())


@record_type
class RewardGives(records.Gives):
    """The cards, feats and role that a reward gives.

    `name` is the scenario or adventure. `said` is the reward in words; None if no source states it, so that the other
    values are inferred.
    """

    name: str = ""
    said: str | None = None

    @property
    def most_drawn(self) -> int | None:
        """Return the number of cards other than loot that a character draws; None if the reward's words give no
        number.
        """
        words = (self.said or "").replace("card feat", "").split()
        kinds = ("boon", *CARD_TYPES)
        if self.said is None or any(word in words for word in ("boons", *PLURALS.values())) or "set aside" in self.said:
            return None
        if not {*kinds} & {word.strip(",;") for word in words}:
            return 0
        if not {"draw", "random", "Elite"} & {*words}:
            return None
        return sum(word.strip(",;") in kinds for word in words)

    def lets_draw(self, card: PathfinderCard) -> bool:
        """Return True if the reward may give a card other than loot: its words name the type or any boon, or they are
        unknown.
        """
        words = self.said or "boon"
        for name in self.loot:
            words = words.replace(name, "")
        return card.type is None or any(word in words.split() for word in ("boon", "boons", card.type))


class Trader(records.TraderRecord):
    """A trader that characters visit after a scenario."""

    def may_have(self, card: PathfinderCard, scenario: int) -> bool:
        """Return True if a card may be drawn for the trader after a scenario of an adventure deck, as far as the facts
        say.
        """
        return not card.loot and self.deals_in(card) and self.has_number(card, scenario)

    def deals_in(self, card: PathfinderCard) -> bool:
        """Return True if a card has a type and trait that the trader offers, as far as the facts say."""
        if card.type is None:
            return True
        return card.type in self.offers and (not self.trait or card.traits is None or self.trait in card.traits)

    def has_number(self, card: PathfinderCard, scenario: int) -> bool:
        """Return True if the trader draws from a card's adventure deck after a scenario, as far as the facts say."""
        numbers = (scenario,) if self.own_number else (scenario, scenario - 1)
        return card.number is None or card.number in numbers or self.trait == "Basic"  # the visitor chooses the deck


@frozen
class Adventure:
    """An adventure; `scenarios` are its scenarios with their rewards in order. `path`: it is part of the Adventure Path."""

    set: str
    deck: str
    name: str
    reward: RewardGives
    scenarios: tuple[RewardGives, ...]
    path: bool = True
    traders: tuple[Trader, ...] = ()


Record = Mapping[str, Any]
SetAndName = tuple[str, str]
MOST_COPIES = 15  # of a card in an own character's suggested deck


@frozen
class Facts:
    """All cards, characters, suggested decks and adventures by set and name; `other_names` are other names of cards.

    `class_printings` are cards of the user's Class Decks with the name of another card, `owned` the copies owned of
    cards whose number the user entered.
    """

    cards: dict[SetAndName, PathfinderCard]
    characters: dict[SetAndName, PathfinderCharacter]
    suggested: dict[SetAndName, Cards]
    adventures: dict[str, tuple[Adventure, ...]]
    other_names: dict[SetAndName, PathfinderCard] = field(default_factory=dict)
    class_printings: dict[SetAndName, Cards] = field(default_factory=dict)
    owned: Counter[SetAndName] = field(default_factory=Counter)

    @classmethod
    def load(cls, records_of: Callable[[str], Iterable[Record]]) -> Facts:
        """Load facts from the records by kind: the records of `cards/pathfinder/` (validated when the catalog was
        built), and the user's own cards, characters, additions to incomplete facts, and copies.
        """
        facts = cls({}, {}, {}, {})
        own_facts = {(record["set"], record["name"]): record for record in records_of(FACTS)}
        for record in records_of("card"):
            known = own_facts.get((record["set"], record["name"]), {})
            filled = {key: value for key, value in known.items() if key in record and record[key] is None}
            card = facts.cards[record["set"], name_key(record["name"])] = card_of({**record, **filled})
            facts.other_names.update({(card.set, name_key(name)): card for name in record.get("also_called", ())})
        for record in records_of("character"):
            facts.characters[record["set"], name_key(record["name"])] = build(PathfinderCharacter, record)
        for record in records_of("deck"):
            lines = [(facts.cards[record["set"], name_key(line["name"])], line["count"]) for line in record["cards"]]
            facts.suggested[record["set"], record["character"]] = tuple(
                card for card, count in lines for _ in range(count)
            )
        adventures = [adventure_of(record) for record in records_of("adventure")]
        for each in sorted(adventures, key=lambda each: ADVENTURES.index(each.deck)):
            facts.adventures[each.set] = (*facts.adventures.get(each.set, ()), each)
        for record in in_their_sets(records_of(CARD)):
            facts.bring(card_of(record), record["also_called"])
        for record in records_of(COPIES):
            facts.owned[record["set"], name_key(record["name"])] += record["copies"]
        shipped = {key for _, key in facts.characters}
        for record in in_their_sets(records_of(CHARACTER)):
            facts.bring_character(record, shipped)
        return facts

    def bring(self, card: PathfinderCard, other_names: Iterable[str]) -> None:
        """Add one of the user's own cards to a set; if its name is taken there, it is another printing of that card."""
        at = card.set, name_key(card.name)
        if at in self.cards or at in self.other_names:
            self.class_printings[at] = (*self.class_printings.get(at, ()), card)
        else:
            self.cards[at] = card
        for name in other_names:
            self.other_names.setdefault((card.set, name_key(name)), card)

    def bring_character(self, record: Record, shipped: Container[str]) -> None:
        """Add one of the user's own characters to a set. If a character of any set has the name, the Class Deck is
        added to it: `Kyra (Cleric)`. The plain name means the other character, even if a deck names its set.
        """
        set_id, made = record["set"], build(PathfinderCharacter, record)
        must_hold = tuple(card.name if (card := self.card(set_id, name)) else name for name in made.must_hold)
        made = replace(made, must_hold=must_hold)
        whole = f"{made.name} ({record['class_deck'] or record['own']})"
        if name_key(made.name) in shipped or (set_id, name_key(made.name)) in self.characters:
            made = replace(made, name=whole, trait=made.name)
        if self.characters.setdefault((set_id, name_key(made.name)), made) is not made:
            return  # another list contains the same one
        self.characters.setdefault((set_id, name_key(whole)), made)
        lines = map(split_quantity, record["deck_list"])
        known = ((min(number, MOST_COPIES), card) for number, name in lines if (card := self.card(set_id, name)))
        self.suggested[set_id, made.name] = tuple(card for number, card in known for _ in range(number))

    def card(self, set_id: str, name: str) -> PathfinderCard | None:
        """Return the card of a set by its name or another name, in any spelling."""
        key = set_id, name_key(name)
        return self.cards.get(key) or self.other_names.get(key)

    def characters_of(self, set_id: str | None = None) -> list[PathfinderCharacter]:
        """Return the characters of a set, or of all."""
        return [each for (owner, _), each in self.characters.items() if set_id in (None, owner)]

    def called(self, name: str, set_id: str | None = None) -> list[PathfinderCharacter]:
        """Return the characters with a name, of one set or of all."""
        key = name_key(name)
        return [
            each for (owner, each_key), each in self.characters.items() if each_key == key and set_id in (None, owner)
        ]

    def suggested_for(self, character: PathfinderCharacter) -> Cards:
        """Return the suggested deck of a character; empty if there is none."""
        return self.suggested.get((character.set, character.name), ())

    def of_set(self, set_id: str) -> list[PathfinderCard]:
        """Return all cards of a set."""
        return [card for (owner, _), card in self.cards.items() if owner == set_id]

    def loot(self, set_id: str) -> set[str]:
        """Return the names of the loot that rewards of a set give."""
        every = self.adventures.get(set_id, ())
        return {name for each in every for gives in (each.reward, *each.scenarios) for name in gives.loot}

    def scenarios(self, set_id: str) -> dict[str, tuple[Adventure, int]]:
        """Return the scenarios of a set by their names, each as its adventure and its number there."""
        every = self.adventures.get(set_id, ())
        return {gives.name: (each, number) for each in every for number, gives in enumerate(each.scenarios, 1)}

    def traders(self, set_id: str) -> dict[str, Trader]:
        """Return the traders of a set by their names."""
        return {trader.name: trader for adventure in self.adventures.get(set_id, ()) for trader in adventure.traders}

    def adventure(self, set_id: str, deck: str) -> Adventure | None:
        """Return the adventure with an adventure deck number."""
        return next((each for each in self.adventures.get(set_id, ()) if each.deck == deck), None)


def in_their_sets(records: Iterable[Record]) -> Iterator[Record]:
    """Yield the user's own records; a record for all sets is repeated for each set."""
    for record in records:
        for set_id in SET_TITLES if record["set"] == "own" else (record["set"],):
            yield {**record, "set": set_id}


def card_of(record: Record) -> PathfinderCard:
    """Return the card of a record."""
    traits = None if record["traits"] is None else tuple(record["traits"])
    values = {name: record[name] for name in PathfinderCard.__annotations__ if name in record}
    return PathfinderCard(**values | {"copies": tuple(record["copies"].items()), "traits": traits})


def adventure_of(record: Record) -> Adventure:
    """Return the adventure of a record."""
    reward, *scenarios = (
        build(RewardGives, {**part["gives"], "name": part["name"], "said": part["reward"]})
        for part in (record, *record["scenarios"])
    )
    traders = tuple(build(Trader, each) for each in record["traders"])
    is_of_path = record["path"] is not None
    return Adventure(record["set"], record["deck"], record["name"], reward, tuple(scenarios), is_of_path, traders)
