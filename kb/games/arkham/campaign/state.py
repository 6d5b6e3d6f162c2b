"""The state of a campaign before and after a game: each investigator's experience, trauma, and cards gained and lost."""

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
"""The kind of trauma that each cause of defeat brings."""

FOR_A_DEFEAT = 3
"""Experience that a defeated investigator earns with the Boon of Persephone."""


@frozen
class Investigator:
    """An investigator at one point of the campaign.

    - `name`: the name that the campaign's files use.
    - `card`: the investigator card in use.
    - `held`: the last recorded deck.
    - `unspent`: the experience left.
    - `trauma`: points of trauma by kind: physical, mental, or `either` for a purchase that let the player choose the
      kind. Points that a purchase removed are subtracted.
    - `owed`: story cards and weaknesses (by first printing) that were earned but are in no recorded deck yet.
    - `exiled`, `lost`: cards that left the deck since it was recorded.
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
        """Return the normalized names that files may use: the given name, the printed name, and the first word of the
        printed name.
        """
        return name_key(self.name), name_key(self.card.name), name_key(self.card.name.split()[0])


@frozen
class Group(Table[Investigator]):
    """The group of investigators at one point of a campaign; those in `out` were killed or driven insane.

    - `played`: the names of the scenarios played so far.
    - `steps`: the deck upgrades made after the last game, by investigator.
    """

    played: tuple[str, ...] = ()
    steps: Mapping[str, StepReport] = field(default_factory=dict)


@frozen
class ArkhamSetup(CampaignSetup):
    """The set-up of a campaign.

    - `begins`: the group before the first game.
    - `cycle`: the code of the campaign's cycle, "" if unknown.
    - `taboo`: the taboo list for all decks; None: each deck names its own list.
    - `owned`: the copies of each product that the group owns.
    - `agreement`: the environment, ultimatums and boons that the group uses.
    """

    begins: Group
    difficulty: str
    cycle: str
    taboo: int | None
    owned: Mapping[str, int]
    agreement: Agreement

    @property
    def kills(self) -> bool:
        """Return True if a defeated investigator is out of the campaign (Ultimatum of Finality)."""
        return "finality" in self.agreement.ultimatums

    @property
    def weakens(self) -> bool:
        """Return True if each defeat adds a random basic weakness to the deck (Ultimatum of the Spiral)."""
        return "spiral" in self.agreement.ultimatums

    @property
    def consoles(self) -> bool:
        """Return True if a defeated investigator earns extra experience (Boon of Persephone)."""
        return "persephone" in self.agreement.boons


@frozen
class ArkhamStep(Between):
    """One game of a campaign, with the state of the group `before` and `after` it: the subject of the campaign's
    checks.
    """

    setup: ArkhamSetup
    before: Group
    played: ArkhamGame
    after: Group
    facts: ArkhamFacts


def person_of(name: str, named_deck: NamedDeck, facts: ArkhamFacts) -> Investigator | None:
    """Return the investigator `name`, who starts with `named_deck`; None if the deck's investigator is unknown."""
    card = facts.card(named_deck.deck.front or named_deck.deck.investigator)
    if card is None:
        return None
    person = Investigator(name, card, named_deck, left_at_the_start(named_deck.deck, facts) or 0)
    return with_purchases(person, facts.held(named_deck.deck.cards))


def with_trauma(person: Investigator, points: Mapping[str, int]) -> Investigator:
    """Return `person` with `points` of trauma added, by kind. Negative points remove trauma."""
    trauma = Counter(person.trauma)
    trauma.update(points)
    return replace(person, trauma=trauma)


def with_purchases(person: Investigator, bought: Iterable[tuple[ArkhamCard, int]]) -> Investigator:
    """Return `person` with the trauma that purchased cards give. `bought` contains each card with its number of
    copies.
    """
    for card, copies in bought:
        given = card.special.buying.trauma.items()
        person = with_trauma(person, {kind: points * copies for kind, points in given})
    return person


def experience_of(person: Investigator, played: ArkhamGame, setup: ArkhamSetup, facts: ArkhamFacts) -> int:
    """Return the experience that `person` gained in the game `played`.

    The result is the recorded experience, plus the experience that the Boon of Persephone gives for a defeat.
    """
    consoled = setup.consoles and person.name in played.defeated
    held = facts.held(person.held.deck.cards) if consoled else ()
    barred = any(card.special.buying.earns_nothing for card, _ in held)
    return played.experience.get(person.name, 0) + (FOR_A_DEFEAT if consoled and not barred else 0)


def gained(name: str, played: ArkhamGame, setup: ArkhamSetup, facts: ArkhamFacts) -> tuple[str, ...]:
    """Return the codes of the cards that the game `played` gave to the investigator `name`.

    If a defeat adds a weakness, its placeholder is included.
    """
    weakness = (facts.placeholder(),) if setup.weakens and name in played.defeated else ()
    return (*played.earned.get(name, ()), *weakness)


def basic_weaknesses_of(deck: ArkhamDeck, facts: ArkhamFacts) -> int:
    """Return the number of basic weaknesses in `deck`, including those still to be drawn."""
    return sum(copies for card, copies in facts.held(deck.cards) if card.subtype == BASIC_WEAKNESS)


def after(before: Group, played: ArkhamGame, setup: ArkhamSetup, facts: ArkhamFacts) -> Group:
    """Return the group as it is after the game `played`, including the deck upgrades recorded with that game."""
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
    """Return `person` after the game `played`, before the deck is upgraded."""
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
    """Return an investigator with the deck recorded after a game, and the report on the upgrade to this deck.

    - `now`: the investigator after the game.
    - `before`: the same investigator before the game.
    - `named_deck`: the recorded deck. Experience and exiled cards noted in its file are ignored in favour of the
      campaign's own records.
    - `earned`: the experience from the game.
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
