"""Investigators before and after a game: experience, trauma, cards gained and lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from kb.campaigns.game_campaign import Between, CampaignSetup
from kb.campaigns.table import Table
from kb.decks.names import name_key
from kb.decks.upgrades import StepReport
from kb.frozen import frozen
from kb.games.arkham.campaign.game_record import ArkhamGame
from kb.games.arkham.decks.agreement import Agreement, NamedDeck
from kb.games.arkham.decks.card import ArkhamCard
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.upgrade.changes import changes_between
from kb.games.arkham.schema.cards import BASIC_WEAKNESS
from kb.games.arkham.upgrades import judge_step, left_at_the_start

TRAUMA = ("physical", "mental")

TRAUMA_BY = {"damage": "physical", "horror": "mental"}
"""The kind of trauma from each cause of defeat."""

FOR_A_DEFEAT = 3
"""Experience that the Boon of Persephone gives to a defeated investigator."""


@frozen
class Investigator:
    """An investigator at one point of the campaign; `name` is the name used in the files.

    `unspent` is the experience left. `trauma` counts the points of each kind: physical, mental, or `either` if the
    player chose the kind for a purchase. Points that a purchase removed are subtracted. `owed` are story cards and
    weaknesses (by first printing) that were earned but are not in a recorded deck yet. `exiled` and `lost` are cards
    that left the deck since it was recorded.
    """

    name: str
    card: ArkhamCard
    held: NamedDeck
    unspent: int = 0
    trauma: Counter[str] = field(default_factory=Counter)
    owed: tuple[str, ...] = ()
    exiled: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def called(self) -> tuple[str, ...]:
        """Return the names that files may use, normalized: the given name, the printed one, and its first word."""
        return name_key(self.name), name_key(self.card.name), name_key(self.card.name.split()[0])


@frozen
class Group(Table[Investigator]):
    """The state of a campaign; `out` were killed or driven insane.

    `played` are the names of the scenarios played, `steps` the upgrades of the last game by investigator.
    """

    played: tuple[str, ...] = ()
    steps: Mapping[str, StepReport] = field(default_factory=dict)


@frozen
class ArkhamSetup(CampaignSetup):
    """The beginning of a campaign: its cycle ("" if unknown) and the group's agreements on taboo list (None: as each
    deck says), products and agreement.
    """

    begins: Group
    difficulty: str
    cycle: str
    taboo: int | None
    owned: Mapping[str, int]
    agreement: Agreement

    @property
    def kills(self) -> bool:
        """Return True if a defeat ends an investigator (Ultimatum of Finality)."""
        return "finality" in self.agreement.ultimatums

    @property
    def weakens(self) -> bool:
        """Return True if a defeat adds a random basic weakness to the deck (Ultimatum of the Spiral)."""
        return "spiral" in self.agreement.ultimatums

    @property
    def consoles(self) -> bool:
        """Return True if a defeat gives more experience (Boon of Persephone)."""
        return "persephone" in self.agreement.boons


@frozen
class ArkhamStep(Between):
    """A game between two states of the group."""

    setup: ArkhamSetup
    before: Group
    played: ArkhamGame
    after: Group
    facts: ArkhamFacts


def person_of(name: str, named_deck: NamedDeck, facts: ArkhamFacts) -> Investigator | None:
    """Return an investigator who starts with a deck; None if the deck's investigator is unknown."""
    card = facts.card(named_deck.deck.front or named_deck.deck.investigator)
    if card is None:
        return None
    person = Investigator(name, card, named_deck, left_at_the_start(named_deck.deck, facts) or 0)
    return with_purchases(person, facts.held(named_deck.deck.cards))


def with_trauma(person: Investigator, points: Mapping[str, int]) -> Investigator:
    """Return the investigator with trauma added by kind; negative points remove it."""
    trauma = Counter(person.trauma)
    trauma.update(points)
    return replace(person, trauma=trauma)


def with_purchases(person: Investigator, bought: Iterable[tuple[ArkhamCard, int]]) -> Investigator:
    """Return the investigator after a purchase of cards, some of which give trauma."""
    for card, copies in bought:
        given = card.special.buying.trauma.items()
        person = with_trauma(person, {kind: points * copies for kind, points in given})
    return person


def experience_of(person: Investigator, played: ArkhamGame, setup: ArkhamSetup, facts: ArkhamFacts) -> int:
    """Return the experience of an investigator from a game: the recorded amount, and the amount that a boon adds for a defeat."""
    consoled = setup.consoles and person.name in played.defeated
    held = facts.held(person.held.deck.cards) if consoled else ()
    barred = any(card.special.buying.earns_nothing for card, _ in held)
    return played.experience.get(person.name, 0) + (FOR_A_DEFEAT if consoled and not barred else 0)


def gained(name: str, played: ArkhamGame, setup: ArkhamSetup, facts: ArkhamFacts) -> tuple[str, ...]:
    """Return the cards that a game gave to an investigator, and a placeholder for a weakness that a defeat adds."""
    weakness = (facts.placeholder(),) if setup.weakens and name in played.defeated else ()
    return (*played.earned.get(name, ()), *weakness)


def basic_weaknesses_of(deck: ArkhamDeck, facts: ArkhamFacts) -> int:
    """Return the number of basic weaknesses of a deck, including weaknesses still to be drawn."""
    return sum(copies for card, copies in facts.held(deck.cards) if card.subtype == BASIC_WEAKNESS)


def after(before: Group, played: ArkhamGame, setup: ArkhamSetup, facts: ArkhamFacts) -> Group:
    """Return the group after a game, with the upgrades of the decks that were recorded with it."""
    steps: dict[str, StepReport] = {}
    out = (*played.killed, *played.insane)

    def with_deck(now: Investigator, then: Investigator) -> Investigator:
        named_deck = played.decks.get(then.name)
        if named_deck is None or then.name in out:
            return now
        now, steps[then.name] = upgraded(now, then, named_deck, experience_of(then, played, setup, facts), facts)
        return now

    def begin(name: str, back: Investigator | None) -> Investigator | None:
        named_deck = played.decks.get(name)
        return with_deck(back, back) if back else person_of(name, named_deck, facts) if named_deck else None

    people = before.moved(played, out, lambda person: with_deck(grown(person, played, setup, facts), person), begin)
    return Group(*people, (*before.played, played.scenario), steps)


def grown(person: Investigator, played: ArkhamGame, setup: ArkhamSetup, facts: ArkhamFacts) -> Investigator:
    """Return an investigator after a game, before the deck is upgraded."""
    name = person.name
    return replace(
        with_trauma(person, played.trauma.get(name, {})),
        unspent=max(0, person.unspent - (played.cost or 0)) + experience_of(person, played, setup, facts),
        owed=(*person.owed, *gained(name, played, setup, facts)),
        exiled=(*person.exiled, *played.exiled.get(name, ())),
        lost=(*person.lost, *played.lost.get(name, ())),
    )


def upgraded(
    now: Investigator, before: Investigator, named_deck: NamedDeck, earned: int, facts: ArkhamFacts
) -> tuple[Investigator, StepReport]:
    """Return an investigator with the deck recorded after a game, and the upgrade to that deck; `earned` is the game's
    experience.

    The campaign's experience and exiled cards replace those noted in the deck file.
    """
    deck = replace(named_deck.deck, experience=None, adjustment=0, exiled=now.exiled or named_deck.deck.exiled)
    named_deck = replace(named_deck, deck=deck)
    step = judge_step(before.held, named_deck, facts, earned, max(0, now.unspent - earned))
    roots = {facts.root(each) for each in deck.cards}
    drawn = basic_weaknesses_of(deck, facts) - basic_weaknesses_of(before.held.deck, facts)
    weaknesses = now.owed.count(facts.placeholder())
    still_owed = (
        *(code for code in now.owed if code != facts.placeholder() and facts.root(code) not in roots),
        *((facts.placeholder(),) * max(0, weaknesses - max(0, drawn))),
    )
    left = step.unspent if step.unspent is not None else now.unspent
    now = with_purchases(
        now, ((each.card, each.come) for each in changes_between(before.held.deck, deck, facts).purchases())
    )
    return replace(now, held=named_deck, unspent=left, owed=still_owed, exiled=(), lost=()), step
