"""The facts that Pathfinder's rules need, as frozen dataclasses: cards, characters, adventures, rewards and traders."""

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
from kb.shapes import build
from kb.shapes import record as record_type

PLURALS = dict(zip(CARD_TYPES, ("weapons", "spells", "armors", "items", "allies", "blessings"), strict=True))


@frozen
class PlayedSet:
    """A set that is played on its own, with the rules that differ between the sets' rulebooks.

    dead_cards: what happens to dead characters' cards that nobody keeps. roles_adjust: role cards may change the Cards
    List. open_to_promos: the rulebook has a rule for promotional cards, and characters may take them from the box.
    traders: characters visit traders after a scenario. class_decks: the rulebook covers Class Decks. compatibility:
    there is a rules entry about mixing boxes. limited_resources: there is a rules entry about a box that runs out of
    cards.
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
    """Return the ids of the sets where `holds` returns True."""
    return tuple(each.id for each in SETS.values() if holds(each))


FeatKind = Literal["skill", "power", "card"]
FEAT_KINDS: tuple[FeatKind, ...] = get_args(FeatKind)


def product_title(product: str) -> str:
    """Return the name of a product in words, such as `adventure deck 3` for `3`."""
    return PRODUCT_TITLES.get(product, f"adventure deck {product}")


@frozen
class PathfinderCard:
    """A boon: a card that a deck can contain. A value of None means that the fact is unknown.

    `deck` is the set indicator: the first product that contains the card. `copies` are pairs of a product and its
    number of copies. `class_deck` is the Class Deck that the card is from, or None. Cards of Class Decks are described
    in the deck file or in the user's own card data. `own` is the title of that data.
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
        """The adventure deck number; None if unknown.

        A letter counts as 0, as the Mummy's Mask entry on set indicators says.
        """
        return None if self.deck is None else int(self.deck) if self.deck.isdigit() else 0

    @property
    def products(self) -> tuple[str, ...]:
        """The products that contain the card; empty if they are unknown."""
        return tuple(product for product, _ in self.copies)


Cards = tuple[PathfinderCard, ...]


def names(cards: Iterable[PathfinderCard]) -> list[str]:
    """Return the card names, in the order of the cards."""
    return [card.name for card in cards]


class CountedType(records.CountsAs):
    """A rule that cards of `type` may count as cards of the type `counts_as`, unless they have `without_trait`."""

    def fits(self, card: PathfinderCard) -> bool:
        """Return True if the rule applies to `card`. It also applies if the card's traits are unknown."""
        return card.type == self.type and (self.without_trait is None or self.without_trait not in (card.traits or ()))

    def __str__(self) -> str:
        but = f" without the {self.without_trait} trait" if self.without_trait else ""
        return f"{PLURALS[self.type]}{but} count as {PLURALS[self.counts_as]}"


SKILL_TRAITS = ("Melee", "Ranged", "Arcane", "Divine")
SKILL_OF: Mapping[str, records.Skill] = {"Melee": "Strength", "Ranged": "Dexterity"}
PROFICIENT = {"weapons": "Weapon", "light armors": "Light Armor", "heavy armors": "Heavy Armor"}


@record_type
class PathfinderCharacter(records.CharacterRecord):
    """A character. `trait` is the character's name in Owner traits; empty if it is the same as `name`.

    Only a character that the user made has values for `own` and `class_deck`. `own` is the title of the user's data,
    and `class_deck` is the character's Class Deck, if any.
    """

    counts_as: tuple[CountedType, ...] = ()
    roles: tuple[str, ...] = ()
    class_deck: str | None = None
    own: str = ""
    trait: str = ""

    def may_fill(self, card: PathfinderCard) -> tuple[str, ...]:
        """Return the types that the Cards List may count `card` as, with its own type first; empty if that type is
        unknown.
        """
        if card.type is None:
            return ()
        return (card.type, *(rule.counts_as for rule in self.counts_as if rule.fits(card)))

    def base(self, card_type: str) -> int:
        """Return the number of cards of a type in a new deck of this character."""
        return self.cards_list[card_type].base

    def roll(self, trait: str) -> int:
        """Return the highest result (die plus bonus) of the skill that a trait such as `Melee` or `Arcane` names.

        The result is 0 for a trait that names no skill.
        """
        derived = (self.derived_skills or {}).get(trait) if trait in SKILL_TRAITS else None
        skill = derived.skill if derived else SKILL_OF.get(trait)
        die = (self.skills or {}).get(skill, "d0") if skill else "d0"
        return int(die[1:]) + (derived.bonus if derived else 0)

    def proficient_with(self, trait: str) -> bool:
        """Return True if the character is proficient with cards that have the trait, such as `Weapon` or `Light Armor`."""
        return any(PROFICIENT.get(each) == trait for each in self.proficient or ())


@record_type
class RewardGives(records.Gives):
    """The cards, feats and role that the reward of a scenario or adventure gives.

    `name` is the name of the scenario or adventure. `said` is the reward in words. It is None if no source states the
    reward; the other values are then inferred.
    """

    name: str = ""
    said: str | None = None

    @property
    def most_drawn(self) -> int | None:
        """The number of cards other than loot that each character draws; None if the reward gives no number."""
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
        """Return True if a character may have drawn `card` as this reward.

        That is so if the reward names the card's type or any boon, or if the card's type or the reward is unknown.
        """
        words = self.said or "boon"
        for name in self.loot:
            words = words.replace(name, "")
        return card.type is None or any(word in words.split() for word in ("boon", "boons", card.type))


class Trader(records.TraderRecord):
    """A trader whom characters can visit after a scenario. Unknown facts of a card never exclude it."""

    def may_have(self, card: PathfinderCard, scenario: int) -> bool:
        """Return True if the trader may offer `card` after a scenario with the adventure deck number `scenario`."""
        return not card.loot and self.deals_in(card) and self.has_number(card, scenario)

    def deals_in(self, card: PathfinderCard) -> bool:
        """Return True if `card` has a type and a trait that the trader offers."""
        if card.type is None:
            return True
        return card.type in self.offers and (not self.trait or card.traits is None or self.trait in card.traits)

    def has_number(self, card: PathfinderCard, scenario: int) -> bool:
        """Return True if the trader may offer cards with the adventure deck number of `card` after a scenario.

        `scenario` is the adventure deck number of the scenario.
        """
        numbers = (scenario,) if self.own_number else (scenario, scenario - 1)
        # Basic cards may have any number, because the visitor chooses the adventure deck.
        return card.number is None or card.number in numbers or self.trait == "Basic"


@frozen
class Adventure:
    """An adventure. `scenarios` contains the reward of each scenario, in order; a reward includes the scenario's name.

    `path` is True if the adventure is part of the set's Adventure Path.
    """

    set: str
    deck: str
    name: str
    reward: RewardGives
    scenarios: tuple[RewardGives, ...]
    path: bool = True
    traders: tuple[Trader, ...] = ()


Record = Mapping[str, Any]
SetAndName = tuple[str, str]
MOST_COPIES = 15  # the most copies of a card in the suggested deck of a character that the user made


@frozen
class Facts:
    """All cards, characters and suggested decks, by set and name, and the adventures of each set.

    `other_names` gives the card for each other name that a card has. `class_printings` are cards from the user's
    Class Decks that have the same name as another card. `owned` is the number of copies that the user entered for
    each card.
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
        """Return the facts in the records that `records_of(kind)` supplies.

        These are the records of `cards/pathfinder/`, which were validated when the catalog was built, and the user's
        own data: cards, characters, facts that kb lacks, and numbers of copies.
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
        """Add a card that the user made. If the set has a card with this name, the new card becomes another printing of
        that card.
        """
        at = card.set, name_key(card.name)
        if at in self.cards or at in self.other_names:
            self.class_printings[at] = (*self.class_printings.get(at, ()), card)
        else:
            self.cards[at] = card
        for name in other_names:
            self.other_names.setdefault((card.set, name_key(name)), card)

    def bring_character(self, record: Record, shipped: Container[str]) -> None:
        """Add a character that the user made.

        If another character has the same name, the name of the Class Deck is added: `Kyra (Cleric)`. The bare name then
        means the other character, even in a deck that names the set. `shipped` are the names of kb's characters.
        """
        set_id, made = record["set"], build(PathfinderCharacter, record)
        must_hold = tuple(card.name if (card := self.card(set_id, name)) else name for name in made.must_hold)
        made = replace(made, must_hold=must_hold)
        whole = f"{made.name} ({record['class_deck'] or record['own']})"
        if name_key(made.name) in shipped or (set_id, name_key(made.name)) in self.characters:
            made = replace(made, name=whole, trait=made.name)
        if self.characters.setdefault((set_id, name_key(made.name)), made) is not made:
            return  # the character is already there, from another list of the user
        self.characters.setdefault((set_id, name_key(whole)), made)
        lines = map(split_quantity, record["deck_list"])
        known = ((min(number, MOST_COPIES), card) for number, name in lines if (card := self.card(set_id, name)))
        self.suggested[set_id, made.name] = tuple(card for number, card in known for _ in range(number))

    def card(self, set_id: str, name: str) -> PathfinderCard | None:
        """Return the card in a set with this name or other name, in any spelling; None if there is none."""
        key = set_id, name_key(name)
        return self.cards.get(key) or self.other_names.get(key)

    def characters_of(self, set_id: str | None = None) -> list[PathfinderCharacter]:
        """Return the characters in a set, or in all sets."""
        return [each for (owner, _), each in self.characters.items() if set_id in (None, owner)]

    def called(self, name: str, set_id: str | None = None) -> list[PathfinderCharacter]:
        """Return the characters with this name, of one set or of all sets."""
        key = name_key(name)
        return [
            each for (owner, each_key), each in self.characters.items() if each_key == key and set_id in (None, owner)
        ]

    def suggested_for(self, character: PathfinderCharacter) -> Cards:
        """Return the suggested deck of a character; empty if there is none."""
        return self.suggested.get((character.set, character.name), ())

    def of_set(self, set_id: str) -> list[PathfinderCard]:
        """Return all cards in a set, without the set's characters, banes, locations and scenarios."""
        return [card for (owner, _), card in self.cards.items() if owner == set_id]

    def loot(self, set_id: str) -> set[str]:
        """Return the names of the loot cards that rewards in a set give."""
        every = self.adventures.get(set_id, ())
        return {name for each in every for gives in (each.reward, *each.scenarios) for name in gives.loot}

    def scenarios(self, set_id: str) -> dict[str, tuple[Adventure, int]]:
        """Return the scenarios of a set by name, each as its adventure and its number in that adventure."""
        every = self.adventures.get(set_id, ())
        return {gives.name: (each, number) for each in every for number, gives in enumerate(each.scenarios, 1)}

    def traders(self, set_id: str) -> dict[str, Trader]:
        """Return the traders of a set, by name."""
        return {trader.name: trader for adventure in self.adventures.get(set_id, ()) for trader in adventure.traders}

    def adventure(self, set_id: str, deck: str) -> Adventure | None:
        """Return the adventure of a set with this adventure deck number; None if there is none."""
        return next((each for each in self.adventures.get(set_id, ()) if each.deck == deck), None)


def in_their_sets(records: Iterable[Record]) -> Iterator[Record]:
    """Yield the user's records with the id of their set. A record for all sets is repeated for each set."""
    for record in records:
        for set_id in SET_TITLES if record["set"] == "own" else (record["set"],):
            yield {**record, "set": set_id}


def card_of(record: Record) -> PathfinderCard:
    """Return the card that a record describes."""
    traits = None if record["traits"] is None else tuple(record["traits"])
    values = {name: record[name] for name in PathfinderCard.__annotations__ if name in record}
    return PathfinderCard(**values | {"copies": tuple(record["copies"].items()), "traits": traits})


def adventure_of(record: Record) -> Adventure:
    """Return the adventure that a record describes."""
    reward, *scenarios = (
        build(RewardGives, {**part["gives"], "name": part["name"], "said": part["reward"]})
        for part in (record, *record["scenarios"])
    )
    traders = tuple(build(Trader, each) for each in record["traders"])
    is_of_path = record["path"] is not None
    return Adventure(record["set"], record["deck"], record["name"], reward, tuple(scenarios), is_of_path, traders)
