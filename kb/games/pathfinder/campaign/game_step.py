"""A game of a Pathfinder campaign: its record, and the party before and after it."""

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
"""An adventure's deck and the number of a scenario in it, counted from 1; 0 is the adventure itself."""


@frozen
class Feat:
    """A chosen feat: its kind, and the skill, card type or power."""

    kind: FeatKind
    what: str

    def __str__(self) -> str:
        return f"{self.kind} feat: {self.what}"


@frozen
class Visit:
    """A visit to a trader: the cards paid, and the card taken (None: nothing was traded)."""

    trader: str
    paid: Cards = ()
    took: PathfinderCard | None = None

    def __str__(self) -> str:
        return (
            f"{self.trader}, pays {counted_names(names(self.paid))} for {self.took.name}" if self.took else self.trader
        )


@frozen
class ListedDeck:
    """A deck as a file lists it: all its cards, and those that came from the box."""

    cards: Cards
    from_box: Cards = ()


@frozen
class PartyMember:
    """A character at one point of the campaign. `earned` are the rewards that the character has gained."""

    character: PathfinderCharacter
    cards: Cards
    feats: tuple[Feat, ...] = ()
    role: str | None = None
    adjustments: Mapping[str, int] = field(default_factory=dict)
    earned: frozenset[Stop] = frozenset()
    new: bool = True

    @property
    def name(self) -> str:
        """Return the character's name."""
        return self.character.name

    def count(self, kind: FeatKind) -> int:
        """Return the number of feats of a kind."""
        return sum(feat.kind == kind for feat in self.feats)

    @property
    def powers(self) -> PowerFeats:
        """Return the power feats, with the boxes that records name."""
        boxes = (feat.what for feat in self.feats if feat.kind == "power")
        return PowerFeats(self.count("power"), named_boxes(boxes, self.character))

    def boxes(self, kind: FeatKind) -> dict[str, tuple[int, ...]]:
        """Return checked boxes of a kind as positions from the left, by skill or card type."""
        counts = Counter(feat.what for feat in self.feats if feat.kind == kind)
        return {what: tuple(range(1, number + 1)) for what, number in counts.items()}


@frozen
class PartyState(Table[PartyMember]):
    """The state of a campaign; `out` are the dead.

    `won` are scenarios and adventures completed, `traders` those checked off, `removed` cards removed from the game.
    """

    won: frozenset[Stop] = frozenset()
    traders: frozenset[str] = frozenset()
    removed: Cards = ()

    def held(self) -> Counter[PathfinderCard]:
        """Return all cards in decks."""
        return Counter(card for person in self.people for card in person.cards)


SETUP = (
    Key("set", "rotr", either(SET_TITLES), tuple(SET_TITLES.values())),
    Key("start", "1", "the adventure in which your records begin: B (base set) or 1 to 6", ADVENTURES),
    Key("owns", "[base, add-on, 1]", "products in the box; default: all of them"),
    Key("decks", "{Kyra: decks/kyra.yaml}", "each character's starting deck: cards, or a file in this folder"),
    Key("feats", "{Kyra: {skill: [Wisdom]}}", "feats that the characters already have, if records begin later"),
    Key("role", "{Kyra: Exorcist}", "roles that the characters already have, if records begin later"),
    Key(
        "traders",
        "[Falsin Deek]",
        "traders met before the records begin; default: all traders of the adventures before `start`",
    ),
)


@frozen
class PathfinderSetup(AnySetup):
    """The beginning of a campaign. `starts` is the adventure of the first record, `owns` are the products in the box.

    `unsure` are checks whose findings depend on a value of the file that cannot be read.
    """

    begins: PartyState
    set: str
    starts: str
    owns: frozenset[str] | None
    unsure: tuple[Check[Any], ...] = ()


@frozen
class Played(GameRecord):
    """The content of a game's file, by the name of the character; "" means the whole party. `lines` also contains the
    lines of cards.

    Characters who `joined` start with the deck under `decks`.
    """

    place: tuple[Adventure, int] = key(
        "scenario",
        "Attack on Sandpoint",
        "the scenario by its name, or as 1.1",
        name="scenario",
        needs="Which scenario was played? Write `scenario: NAME`.",
    )
    won: bool = key("flag", "yes", "yes or no", bool, needs="Was it won? Write `won: yes` or `won: no`.")
    died: tuple[str, ...] = key("names", "[Lem]", "who died for good", tuple, tells="dies", cite="dying")
    gained: Mapping[str, Cards] = key(
        "piles",
        "{Kyra: [Sage, 2x Cure]}",
        "boons acquired and not lost again",
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
        "who visited which trader, and traded what",
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
    absent: tuple[str, ...] = key("names", "[Lem]", "who did not play this game", tuple)
    left: tuple[str, ...] = key(
        "names",
        "[Lem]",
        "who leaves the party; the deck goes back into the box",
        tuple,
        tells="leaves",
        cite="starting-a-new-character",
    )
    joined: tuple[str, ...] = key(
        "names",
        "[Harsk]",
        "who joins or returns for the next game",
        tuple,
        tells="joins",
        cite="starting-a-new-character",
    )
    decks: Mapping[str, ListedDeck] = key(
        "decks",
        "{Kyra: [2x Mace, Cure]}",
        "the rebuilt decks: cards, {cards: […], from_box: […]}, or a file in this folder",
        dict,
    )

    @property
    def adventure(self) -> Adventure:
        """Return the adventure that was played."""
        return self.place[0]

    @property
    def scenario(self) -> int:
        """Return the number of the scenario in its adventure."""
        return self.place[1]

    @property
    def stop(self) -> Stop:
        """Return the scenario played."""
        return self.adventure.deck, self.scenario

    @property
    def gives(self) -> RewardGives:
        """Return the scenario with its reward."""
        return self.adventure.scenarios[self.scenario - 1]


@frozen
class GameStep(Between):
    """A game with the states of the party before and after it. The rules of campaigns check it."""

    setup: PathfinderSetup
    before: PartyState
    played: Played
    after: PartyState
    facts: Facts

    @property
    def set(self) -> str:
        """Return the set that is played."""
        return self.setup.set

    @property
    def number(self) -> int:
        """Return the number of the adventure deck that was played; 0 for the base set."""
        return ADVENTURES.index(self.played.adventure.deck)

    def rewards(self, person: PartyMember) -> Iterator[RewardGives]:
        """Yield the rewards that a character gains from this game, if it is won: each reward only once in a
        campaign.
        """
        if not self.played.won:
            return
        if self.played.stop not in person.earned:
            yield self.played.gives
        if self.completed and (self.played.adventure.deck, 0) not in person.earned:
            yield self.played.adventure.reward

    @property
    def completed(self) -> bool:
        """Return True if this game completes its adventure, or wins a scenario of a completed one."""
        return (self.played.adventure.deck, 0) in self.after.won

    @property
    def present(self) -> tuple[PartyMember, ...]:
        """Return the characters who played and survived, in their state before the game."""
        gone = {*self.played.died, *self.played.absent}
        return tuple(person for person in self.before.people if person.name not in gone)

    @property
    def returned(self) -> tuple[PartyMember, ...]:
        """Return the members who left before this game and come back now, with their recorded decks."""
        return tuple(person for person in self.before.away if person.name in self.played.joined)

    def hands(self) -> tuple[dict[str, Counter[PathfinderCard]], list[tuple[str, str, PathfinderCard, int]]]:
        """Return the cards of each member before the rebuild ("": cards without an owner), and the cards recorded as
        lost that were not there: the key, the recorded owner, the card, and the number of copies.

        Boons are traded before they are paid, so cards that the payer lacks come from others.
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
                ):  # without an owner: a boon that nobody acquired, or a card of a location
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
        """Return the copies of a card that are neither held nor removed; a large number if the copies in the box are
        unknown.
        """
        copies = GameBox(self.facts, self.set, self.played.adventure.deck, self.setup.owns).copies(card)
        if copies is None:
            return MANY
        return max(0, copies - sum(hand[card] for hand in hands) - self.before.removed.count(card))

    @property
    def leaving(self) -> tuple[PartyMember, ...]:
        """Return the characters who played this game and leave the party after it: they take part in its rebuild."""
        gone = {*self.played.absent, *self.played.died}
        return tuple(each for each in self.before.people if each.name in self.played.left and each.name not in gone)

    def not_owned(self, card: PathfinderCard) -> str:
        """Return the product of a card that the party does not own, in words; empty if it is owned, or ownership is
        unknown.
        """
        owns = self.setup.owns
        products = card.products or ((card.deck,) if card.deck else ())
        if owns is None or card.set != self.set or card.class_deck or owns & {*products}:
            return ""
        return either(map(product_title, products))

    def lost(self) -> Iterator[tuple[str, str, Cards]]:
        """Yield the cards that left decks: the key, the holder ("": the party), and the cards."""
        paid = {name: visit.paid for name, visit in self.played.visits.items()}
        for where, piles in (("banished", self.played.banished), ("removed", self.played.removed), ("traders", paid)):
            for name, cards in piles.items():
                yield where, name, cards

    def pool(self) -> Counter[PathfinderCard]:
        """Return all cards that the party has for rebuilding.

        These are the cards of living, dead, returning and leaving members, and the cards without an owner. A member who
        leaves without having played this game takes no part.
        """
        hands, _ = self.hands()
        gone = {*self.played.left} - {person.name for person in self.leaving}
        return sum((hand for name, hand in hands.items() if name not in gone), Counter())

    def deck(self, person: PartyMember, left_over: Cards = ()) -> PathfinderDeck:
        """Return a character's deck after the game, as the deck rules check it."""
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
        """Return the characters who may replace the dead, one for each: new members, beginning with members whose decks
        contain more than Basic cards.
        """
        joined = self.played.joined
        new = [each for each in self.after.people if each.new and each.name in joined]
        new.sort(key=lambda each: (all(card.basic for card in each.cards), joined.index(each.name)))
        return tuple(each.name for each in new[: len(self.played.died)])

    def won_in_a_row(self) -> int:
        """Return the number of the adventure's last scenario up to which every scenario is won."""
        deck, number = self.played.adventure.deck, 0
        while (deck, number + 1) in self.after.won:
            number += 1
        return number


def deck_of(person: PartyMember, adventure: str, owns: frozenset[str] | None, **more: Any) -> PathfinderDeck:
    """Return a character's deck for the deck rules, with `more` as further fields; a new deck if `from_box` is None."""
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
    """Return the scenarios that must be won before one, in order: earlier ones in its adventure and in the path's
    earlier adventures.

    Adventures before the first record and adventures that are not on the path are not required.
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
    """Return the party after a game."""
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
    """Return the cards in rebuilt decks that the party must have had, not counting new characters' decks and cards from
    the box.
    """
    new = {*step.played.joined} - {each.name for each in step.returned}
    decks = Counter(card for person in step.after.people if person.name not in new for card in person.cards)
    boxed = (listed.from_box for name, listed in step.played.decks.items() if name not in new)
    return decks - Counter(card for cards in boxed for card in cards)


def left_over(step: GameStep) -> Cards:
    """Return the cards that the party had and nobody kept. Members who leave keep their decks, except cards that others
    took.
    """
    hands, _ = step.hands()
    leaving = sum((hands[person.name] for person in step.leaving), Counter[PathfinderCard]())
    return tuple((step.pool() - leaving - kept(step)).elements())


def kept_by_leavers(step: GameStep) -> dict[str, Cards]:
    """Return the decks of leaving members: their cards, except loot and cards that others took."""
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
