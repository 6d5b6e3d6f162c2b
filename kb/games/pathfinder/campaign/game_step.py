"""A recorded game of a Pathfinder campaign, with the states of the party before and after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from kb.campaigns.game_campaign import Between
from kb.campaigns.game_campaign import CampaignSetup as AnySetup
from kb.campaigns.reader import GameRecord
from kb.campaigns.table import Table
from kb.decks.file_keys import Key, key
from kb.decks.names import counted_names, either, name_key
from kb.decks.problems import Check
from kb.frozen import frozen
from kb.games.pathfinder.decks.deck import PathfinderDeck
from kb.games.pathfinder.decks.facts import (
    ADVENTURES,
    SET_TITLES,
    Adventure,
    Cards,
    Facts,
    FeatKind,
    PathfinderCard,
    PathfinderCharacter,
    RewardGives,
    names,
    product_title,
)
from kb.games.pathfinder.decks.power_feats import PowerFeats, named_boxes
from kb.games.pathfinder.decks.table import GameBox

MANY = 99
Stop = tuple[str, int]
"""A scenario: its adventure deck and its number within the adventure, from 1. The number 0 means the whole adventure.
"""


@frozen
class Feat:
    """A feat that a character has chosen. `what` is the skill, card type or power that it improves."""

    kind: FeatKind
    what: str

    def __str__(self) -> str:
        return f"{self.kind} feat: {self.what}"


@frozen
class Visit:
    """A character's visit to a trader. `took` is the card bought; None if nothing was traded."""

    trader: str
    paid: Cards = ()
    took: PathfinderCard | None = None

    def __str__(self) -> str:
        return (
            f"{self.trader}, pays {counted_names(names(self.paid))} for {self.took.name}" if self.took else self.trader
        )


@frozen
class ListedDeck:
    """A deck as a game's file lists it. `from_box` are the cards in the deck that were taken from the box."""

    cards: Cards
    from_box: Cards = ()


@frozen
class PartyMember:
    """The state of a character after a game or at the start of the campaign.

    `earned` are the scenarios and adventures whose rewards the character has gained. `adjustments` are changes that
    the role card makes to the Cards List. `new` is True until the character has played a game.
    """

    character: PathfinderCharacter
    cards: Cards
    feats: tuple[Feat, ...] = ()
    role: str | None = None
    adjustments: Mapping[str, int] = field(default_factory=dict)
    earned: frozenset[Stop] = frozenset()
    new: bool = True

    @property
    def name(self) -> str:
        """The character's name."""
        return self.character.name

    def count(self, kind: FeatKind) -> int:
        """Return the number of feats of a kind that the character has."""
        return sum(feat.kind == kind for feat in self.feats)

    @property
    def powers(self) -> PowerFeats:
        """The character's power feats: their number, and the boxes that the records name."""
        boxes = (feat.what for feat in self.feats if feat.kind == "power")
        return PowerFeats(self.count("power"), named_boxes(boxes, self.character, self.role))

    def boxes(self, kind: FeatKind) -> dict[str, tuple[int, ...]]:
        """Return the checked feat boxes of a kind, by skill or card type, as positions from the left, starting at 1."""
        counts = Counter(feat.what for feat in self.feats if feat.kind == kind)
        return {what: tuple(range(1, number + 1)) for what, number in counts.items()}


@frozen
class PartyState(Table[PartyMember]):
    """The state of a campaign. `people` are the party's members, and `out` are the dead characters.

    `won` are the scenarios and adventures completed. `traders` are the traders that are checked off, so that characters
    can visit them. `removed` are the cards removed from the game.
    """

    won: frozenset[Stop] = frozenset()
    traders: frozenset[str] = frozenset()
    removed: Cards = ()

    def held(self) -> Counter[PathfinderCard]:
        """Return the copies of each card in the decks of the party."""
        return Counter(card for person in self.people for card in person.cards)


SETUP = (
    Key("set", "rotr", either(SET_TITLES), tuple(SET_TITLES.values())),
    Key("start", "1", "the adventure that your records begin in: B (base set) or 1 to 6", ADVENTURES),
    Key("owns", "[base, add-on, 1]", "products in the box; default: all of them"),
    Key(
        "decks",
        "{Kyra: decks/kyra.yaml}",
        "each character's starting deck: a list of cards, or the path of a file in this folder",
    ),
    Key("feats", "{Kyra: {skill: [Wisdom]}}", "feats that the characters already have, if records begin later"),
    Key("role", "{Kyra: Exorcist}", "roles that the characters already have, if records begin later"),
    Key(
        "traders",
        "[Falsin Deek]",
        "traders met before the records begin; default: all traders from the adventures before `start`",
    ),
)


@frozen
class PathfinderSetup(AnySetup):
    """The start of a campaign, from the file `campaign.yaml`.

    `starts` is the adventure of the first recorded game. `owns` are the products in the box; None means all of them.
    `unsure` are checks whose findings depend on a value in the file that cannot be read.
    """

    begins: PartyState
    set: str
    starts: str
    owns: frozenset[str] | None
    unsure: tuple[Check[Any], ...] = ()


@frozen
class Played(GameRecord):
    """The content of a game's file. The keys of its mappings are characters; "" means the whole party.

    Characters who `joined` start with their deck in `decks`. `lines` also contains the lines of the file that name
    cards.
    """

    place: tuple[Adventure, int] = key(
        "scenario",
        "Attack on Sandpoint",
        "the scenario, by name or as 1.1",
        name="scenario",
        needs="Which scenario was played? Write `scenario: NAME`.",
    )
    won: bool = key("flag", "yes", "yes or no", bool, needs="Was it won? Write `won: yes` or `won: no`.")
    died: tuple[str, ...] = key("names", "[Lem]", "characters who died permanently", tuple, tells="dies", cite="dying")
    gained: Mapping[str, Cards] = key(
        "piles",
        "{Kyra: [Sage, 2x Cure]}",
        "boons that each character acquired and did not lose again",
        dict,
        tells="gains {}",
    )
    rewards: tuple[PathfinderCard, ...] = key(
        "shared_pile",
        "[Sihedron Medallion]",
        "cards that the reward gave",
        tuple,
        tells="the reward gives {}",
        cite="rewards",
    )
    feats: Mapping[str, tuple[Feat, ...]] = key(
        "feats",
        "{Kyra: {skill: Wisdom, card: spell}}",
        "the feats that each character chose",
        dict,
        tells="{}",
        cite="feat-reward",
    )
    roles: Mapping[str, str] = key(
        "texts",
        "{Kyra: Exorcist}",
        "the chosen side of the role card",
        dict,
        name="role",
        tells="becomes {}",
        cite="role-cards",
    )
    adjustments: Mapping[str, Mapping[str, int]] = key(
        "adjustments",
        "{Kyra: {item: 1}}",
        "changes that the role card makes to the Cards List",
        dict,
        name="deck_adjustments",
    )
    banished: Mapping[str, Cards] = key(
        "piles", "{Kyra: [Cure]}", "cards that went back into the box", dict, tells="banishes {}", cite="banish"
    )
    removed: Mapping[str, Cards] = key(
        "piles",
        "[Caltrops]",
        "cards that were removed from the game",
        dict,
        tells="removes from the game {}",
        cite="banish",
    )
    visits: Mapping[str, Visit] = key(
        "visits",
        "{Estra: {trader: Falsin Deek, paid: [Acid Flask, Bladeguard], took: Antitoxin}}",
        "visits to traders: the trader, the cards paid, and the card taken",
        dict,
        name="traders",
        tells="visits {}",
        cite="traders",
    )
    keep: Mapping[str, Cards] = key(
        "piles", "{Kyra: [Cure]}", "cards that a character keeps when the decks are rebuilt", dict
    )
    wishes: Mapping[str, Cards] = key(
        "piles", "{Kyra: [Codex]}", "cards that a character wishes for when the decks are rebuilt", dict
    )
    refuses: Mapping[str, Cards] = key(
        "piles",
        "{Kyra: [Codex]}",
        "cards that a character neither gives away nor takes when the decks are rebuilt",
        dict,
    )
    absent: tuple[str, ...] = key("names", "[Lem]", "party members who did not play this game", tuple)
    left: tuple[str, ...] = key(
        "names",
        "[Lem]",
        "characters who leave the party; their decks go back into the box",
        tuple,
        tells="leaves",
        cite="starting-a-new-character",
    )
    joined: tuple[str, ...] = key(
        "names",
        "[Harsk]",
        "characters who join or return for the next game",
        tuple,
        tells="joins",
        cite="starting-a-new-character",
    )
    decks: Mapping[str, ListedDeck] = key(
        "decks",
        "{Kyra: [2x Mace, Cure]}",
        "each rebuilt deck: a list of cards, {cards: […], from_box: […]}, or the path of a file in this folder",
        dict,
    )

    @property
    def adventure(self) -> Adventure:
        """The adventure of the scenario that was played."""
        return self.place[0]

    @property
    def scenario(self) -> int:
        """The number of the scenario within its adventure, from 1."""
        return self.place[1]

    @property
    def stop(self) -> Stop:
        """The scenario played, as its adventure deck and number."""
        return self.adventure.deck, self.scenario

    @property
    def gives(self) -> RewardGives:
        """The reward of the scenario played, which includes the scenario's name."""
        return self.adventure.scenarios[self.scenario - 1]


@frozen
class GameStep(Between):
    """A recorded game with the states of the party before and after it. The campaign rules check this object."""

    setup: PathfinderSetup
    before: PartyState
    played: Played
    after: PartyState
    facts: Facts

    @property
    def set(self) -> str:
        """The id of the set that the campaign is played with."""
        return self.setup.set

    @property
    def number(self) -> int:
        """The number of the adventure deck of the scenario played; 0 for the base set."""
        return ADVENTURES.index(self.played.adventure.deck)

    def rewards(self, person: PartyMember) -> Iterator[RewardGives]:
        """Yield the rewards that `person` gains from this game: the scenario's reward, and the reward for a completed
        adventure.

        A lost game gives no reward. A character gains each reward only once in a campaign.
        """
        if not self.played.won:
            return
        if self.played.stop not in person.earned:
            yield self.played.gives
        if self.completed and (self.played.adventure.deck, 0) not in person.earned:
            yield self.played.adventure.reward

    @property
    def completed(self) -> bool:
        """True if all scenarios of the adventure are won after this game, even if they were won before it."""
        return (self.played.adventure.deck, 0) in self.after.won

    @property
    def present(self) -> tuple[PartyMember, ...]:
        """The characters who played this game and survived it, in their state before the game."""
        gone = {*self.played.died, *self.played.absent}
        return tuple(person for person in self.before.people if person.name not in gone)

    @property
    def returned(self) -> tuple[PartyMember, ...]:
        """The characters who left the party before this game and return now, with the decks that they had."""
        return tuple(person for person in self.before.away if person.name in self.played.joined)

    def hands(self) -> tuple[dict[str, Counter[PathfinderCard]], list[tuple[str, str, PathfinderCard, int]]]:
        """Return two results: the cards of each member before the rebuild, and the cards that the file records as lost
        although the party did not have them.

        The first result has the copies of each card by the member's name; "" is for cards without an owner. Each item
        of the second result is a card that the file wrongly records as banished, removed or paid: the key in the file,
        the member, the card, and the number of copies. Members may trade boons before they pay a trader, so a card that
        the payer lacks is taken from another member.
        """
        hands = {person.name: Counter(person.cards) for person in (*self.before.people, *self.returned)}
        hands[""] = Counter(self.played.rewards)
        for name, cards in self.played.gained.items():
            hands.setdefault(name, Counter()).update(cards)
        lacking = []
        for where, name, cards in self.lost():
            anybody = [hand for who, hand in hands.items() if who != name]
            piles = (
                [hands[name], *(anybody if where == "traders" or not name else [hands[""]])] if name in hands else []
            )
            for card, number in Counter(cards).items():
                if (
                    where == "removed" and not name
                ):  # a card without an owner: a boon that nobody acquired, or a card of a location deck
                    number -= min(number, self.left_in_the_box(card, hands.values()))
                for pile in piles:
                    taken = min(number, pile[card])
                    pile[card] -= taken
                    number -= taken
                if number and (not name or name in self.before.names):
                    lacking.append((where, name, card, number))
        for name, visit in self.played.visits.items():
            if visit.took and name in hands:
                hands[name][visit.took] += 1
        return hands, lacking

    def left_in_the_box(self, card: PathfinderCard, hands: Iterable[Counter[PathfinderCard]]) -> int:
        """Return the number of copies of `card` in the box, which are neither in `hands` nor removed from the game.

        The result is a large number if the number of copies in the box is unknown.
        """
        copies = GameBox(self.facts, self.set, self.played.adventure.deck, self.setup.owns).copies(card)
        if copies is None:
            return MANY
        return max(0, copies - sum(hand[card] for hand in hands) - self.before.removed.count(card))

    @property
    def leaving(self) -> tuple[PartyMember, ...]:
        """The characters who played this game and leave the party after it. They take part in the rebuild of decks."""
        gone = {*self.played.absent, *self.played.died}
        return tuple(each for each in self.before.people if each.name in self.played.left and each.name not in gone)

    def not_owned(self, card: PathfinderCard) -> str:
        """Return the products that contain `card`, in words, if the party owns none of them.

        The result is empty if the party owns one of them, or if it is unknown what the party owns.
        """
        owns = self.setup.owns
        products = card.products or ((card.deck,) if card.deck else ())
        if owns is None or card.set != self.set or card.class_deck or owns & {*products}:
            return ""
        return either(map(product_title, products))

    def lost(self) -> Iterator[tuple[str, str, Cards]]:
        """Yield the cards that left the decks in this game: the key in the file, the member, and the cards.

        The key is `banished`, `removed` or `traders`. The member is "" if the file names the whole party.
        """
        paid = {name: visit.paid for name, visit in self.played.visits.items()}
        for where, piles in (("banished", self.played.banished), ("removed", self.played.removed), ("traders", paid)):
            for name, cards in piles.items():
                yield where, name, cards

    def pool(self) -> Counter[PathfinderCard]:
        """Return the copies of each card that the party can use to rebuild its decks.

        These are the cards of living, dead, returning and leaving members, and the cards without an owner. The cards of
        a member who leaves without having played this game do not count.
        """
        hands, _ = self.hands()
        gone = {*self.played.left} - {person.name for person in self.leaving}
        return sum((hand for name, hand in hands.items() if name not in gone), Counter())

    def deck(self, person: PartyMember, left_over: Cards = ()) -> PathfinderDeck:
        """Return the deck of `person` after the game, for the deck rules. `left_over` are cards that nobody kept."""
        listed = self.played.decks.get(person.name)
        new = person.name in self.played.joined and person.new
        return deck_of(
            person,
            self.played.adventure.deck,
            self.setup.owns,
            after_scenario=self.won_in_a_row(),
            from_box=None if new else listed.from_box if listed else (),
            left_over=() if new else left_over,
            party=tuple(each.name for each in self.after.people),
            after_death=person.name in self.successors() if new else None,
        )

    def successors(self) -> tuple[str, ...]:
        """Return the new members who replace characters that died in this game, at most one for each death.

        If more members joined than died, members whose decks contain cards without the trait Basic are chosen first.
        """
        joined = self.played.joined
        new = [each for each in self.after.people if each.new and each.name in joined]
        new.sort(key=lambda each: (all(card.basic for card in each.cards), joined.index(each.name)))
        return tuple(each.name for each in new[: len(self.played.died)])

    def won_in_a_row(self) -> int:
        """Return how many scenarios of the adventure are won without a gap, counted from its first scenario."""
        deck, number = self.played.adventure.deck, 0
        while (deck, number + 1) in self.after.won:
            number += 1
        return number


def deck_of(person: PartyMember, adventure: str, owns: frozenset[str] | None, **more: Any) -> PathfinderDeck:
    """Return the deck of `person` for the deck rules. `more` are further fields of the deck.

    The deck is a new deck if the field `from_box` is None, and otherwise a rebuilt one.
    """
    return PathfinderDeck(
        character=person.character,
        stage="new" if more.setdefault("from_box", ()) is None else "rebuilt",
        adventure=adventure,
        cards=person.cards,
        card_feats=person.boxes("card"),
        skill_feats=person.boxes("skill"),
        powers=person.powers,
        role=person.role,
        deck_adjustments=person.adjustments,
        owns=owns,
        **more,
    )


def stops_before(facts: Facts, set_id: str, stop: Stop, starts: str) -> list[tuple[Stop, RewardGives]]:
    """Return the scenarios that must be won before the scenario `stop`, in order, with their rewards.

    These are the earlier scenarios of its adventure, and all scenarios of earlier adventures on the Adventure Path. The
    records begin with the adventure `starts`, so adventures before it are not required.
    """
    deck, number = stop
    order = ADVENTURES.index
    found: list[tuple[Stop, RewardGives]] = []
    for adventure in facts.adventures.get(set_id, ()):
        own = adventure.deck == deck
        if own or (adventure.path and order(starts) <= order(adventure.deck) < order(deck)):
            scenarios = adventure.scenarios[: number - 1] if own else adventure.scenarios
            found.extend(((adventure.deck, place), gives) for place, gives in enumerate(scenarios, 1))
    return found


def after(before: PartyState, played: Played, setup: PathfinderSetup, facts: Facts) -> PartyState:
    """Return the state of the party after the game `played`, given the state `before` it."""
    deck = played.adventure.deck
    won = before.won | ({played.stop} if played.won else set())
    if all((deck, number) in won for number in range(1, len(played.adventure.scenarios) + 1)):
        won |= {(deck, 0)}

    def rebuilt(person: PartyMember) -> PartyMember:
        listed = played.decks.get(person.name)
        return replace(person, cards=listed.cards) if listed else person

    def grown(person: PartyMember) -> PartyMember:
        there = played.won and person.name not in played.absent
        return rebuilt(
            replace(
                person,
                feats=(*person.feats, *played.feats.get(person.name, ())),
                role=played.roles.get(person.name, person.role),
                adjustments={**person.adjustments, **played.adjustments.get(person.name, {})},
                earned=person.earned | ({played.stop, (deck, 0)} & won if there else set()),
                new=False,
            )
        )

    def begin(name: str, back: PartyMember | None) -> PartyMember | None:
        character = facts.characters.get((setup.set, name_key(name)))
        return rebuilt(back or PartyMember(character, ())) if character else None

    party = PartyState(
        *before.moved(played, played.died, grown, begin),
        won=won,
        traders=before.traders | (frozenset(played.gives.traders) if played.won else frozenset()),
        removed=(*before.removed, *(card for pile in played.removed.values() for card in pile)),
    )
    if not played.left:
        return party
    decks = kept_by_leavers(GameStep(setup, before, played, party, True, facts))
    away = tuple(replace(each, cards=decks.get(each.name, each.cards)) for each in party.away)
    return replace(party, away=away)


def kept(step: GameStep) -> Counter[PathfinderCard]:
    """Return the cards in the rebuilt decks that the party must have had before, with their copies.

    The decks of new characters and cards taken from the box do not count.
    """
    new = {*step.played.joined} - {each.name for each in step.returned}
    decks = Counter(card for person in step.after.people if person.name not in new for card in person.cards)
    boxed = (listed.from_box for name, listed in step.played.decks.items() if name not in new)
    return decks - Counter(card for cards in boxed for card in cards)


def left_over(step: GameStep) -> Cards:
    """Return the cards that the party had before the rebuild and that nobody kept.

    Members who leave the party keep their cards, except those that other members took.
    """
    hands, _ = step.hands()
    leaving = sum((hands[person.name] for person in step.leaving), Counter[PathfinderCard]())
    return tuple((step.pool() - leaving - kept(step)).elements())


def kept_by_leavers(step: GameStep) -> dict[str, Cards]:
    """Return the decks of the members who leave, by name: their cards without loot and without cards that others took."""
    hands, _ = step.hands()
    leaving = {person.name for person in step.leaving}
    others = sum((hand for name, hand in hands.items() if name not in step.played.left), Counter[PathfinderCard]())
    taken = kept(step) - others
    decks: dict[str, Cards] = {}
    for name in leaving:
        lost = taken & hands[name]
        taken -= lost
        decks[name] = tuple(card for card in (hands[name] - lost).elements() if not card.loot)
    return decks
