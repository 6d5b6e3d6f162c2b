"""Replays Pathfinder campaigns: checks each game with the decks after it, and rebuilds the decks for the next game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from kb.campaigns.campaign import CampaignChart, CampaignFile, DeckNow, NextSetUp, StateChange, TableDice
from kb.campaigns.game_campaign import GameCampaign, placed, run
from kb.campaigns.reader import GAME_KEYS, SETUP_KEYS, line_in
from kb.decks.deckfile import DeckFile
from kb.decks.file_keys import described
from kb.decks.names import name_key
from kb.decks.nodes import DeckFileError
from kb.decks.party import RebuildStep
from kb.decks.problems import Finding
from kb.decks.questions import Conversation
from kb.decks.remedies import Set, Unlist
from kb.decks.report import Located
from kb.decks.ruleset import Ruleset
from kb.games.pathfinder.campaign.asking import asked
from kb.games.pathfinder.campaign.game_step import (
    SETUP,
    GameStep,
    PartyState,
    PathfinderSetup,
    Played,
    after,
    deck_of,
    left_over,
)
from kb.games.pathfinder.campaign.reading import PathfinderReader
from kb.games.pathfinder.campaign.rules import CAMPAIGNS
from kb.games.pathfinder.campaign.showing import changes, charts, decks_now, facts_of, next_set_up, table_dice
from kb.games.pathfinder.decks.access import loot_is_earned
from kb.games.pathfinder.decks.deck import PathfinderDeck
from kb.games.pathfinder.decks.deck_check import check_deck
from kb.games.pathfinder.decks.deckfile import listed, read_deck
from kb.games.pathfinder.decks.facts import SET_NAMES, Facts
from kb.games.pathfinder.decks.feats import earned_feats, role_is_earned
from kb.games.pathfinder.decks.players import decks_at_once, one_deck_a_character
from kb.games.pathfinder.decks.rulesets import PARTIES, RULESETS
from kb.games.pathfinder.decks.table import GameTable, seat_of
from kb.games.pathfinder.decks.trades import box_fills_holes_only, what_is_given_is_received
from kb.games.pathfinder.party.rebuild import rebuild_party
from kb.games.pathfinder.party.rebuild_report import steps
from kb.games.pathfinder.party.table_check import check_party
from kb.games.pathfinder.party.to_rebuild import Member, TableToRebuild

NOT_CHECKED = (
    "whether the cards gained were encountered and acquired in the scenario, and whether a trader had drawn the card "
    "that was taken",
    "cards that a reward lets you draw by type: kb cannot tell which ones they were",
    "whether the character's card has boxes for the power feats: kb does not know those boxes",
)


KNOWN_BETTER = (earned_feats, role_is_earned, loot_is_earned, what_is_given_is_received)
"""Deck checks that are not needed in a campaign, because the recorded games show which rewards were gained."""

# The keys that remedies may change: the keys of a file, and those of a deck under `decks:`.
SETUP_NAMES = frozenset({"cards", "from_box", *(key.name for key in (*SETUP_KEYS, *SETUP))})
GAME_NAMES = frozenset({"cards", "from_box", *(key.name for key in (*described(Played).values(), *GAME_KEYS))})

OF_THE_PARTY = (decks_at_once, one_deck_a_character)
"""Checks of the whole party. They are run once, not with the checks of each deck."""


def first_findings(setup: PathfinderSetup, facts: Facts) -> Iterator[Located]:
    """Yield the findings on the decks that the characters start with, each with its line in `campaign.yaml`."""
    decks = [
        deck_of(person, setup.starts, setup.owns, after_scenario=0, from_box=None if person.new else ())
        for person in setup.begins.people
    ]
    for deck in decks:
        at = line_in(setup.lines, f"decks {deck.character.name}")
        found = check_deck(deck, facts, "").findings
        yield from placed(found, deck.character.name, at, setup.unsure, SETUP_NAMES, setup.lines)
    if len(decks) > 1:
        yield from placed(
            check_party(decks, facts), "", line_in(setup.lines, "decks"), setup.unsure, SETUP_NAMES, setup.lines
        )


def findings(step: GameStep) -> Iterator[Located]:
    """Yield the findings on a recorded game and on the decks after it, each with its line in the game's file."""
    yield from run(CAMPAIGNS[step.set], step)
    played, facts = step.played, step.facts
    decks = [step.deck(person) for person in step.after.people]
    told: set[tuple[object, tuple[str, ...]]] = set()
    for deck in decks:
        name = deck.character.name
        found = [each for each in check_deck(deck, facts, "").findings if each.check not in OF_THE_PARTY]
        certain = (each for each in found if step.known or each.family in ("pool", "copies", "access"))
        told |= {(each.check, each.cards) for each in found if each.check not in (*KNOWN_BETTER, box_fills_holes_only)}
        at = played.line(f"decks {name}", f"feats {name}", "decks", "scenario")
        yield from placed(certain, name, at, (*KNOWN_BETTER, box_fills_holes_only), GAME_NAMES, played.lines)
    if decks:
        for key, cards in (("gained", tuple(chain(*played.gained.values()))), ("rewards", played.rewards)):
            gained = replace(decks[0], stage="rebuilt", cards=cards, from_box=())
            yield from placed(not_there_yet(step, gained, key), "", played.line(key), lines=played.lines)
        first = replace(decks[0], left_over=left_over(step) if step.known else ())
        table = GameTable([first, *decks[1:]], facts, removed=step.after.removed)
        news = (each for each in PARTIES[step.set].run(table) if (each.check, each.cards) not in told)
        yield from placed(news, "", played.line("decks", "scenario"), KNOWN_BETTER, GAME_NAMES, played.lines)


def not_there_yet(step: GameStep, gained: PathfinderDeck, key: str) -> Iterator[Finding]:
    """Yield the findings on gained cards that cannot have been in the box.

    The adventure deck of such a card is not in the box yet, or the card belongs to another set. `gained` is a deck of
    the gained cards, and `key` is the key of the file that lists them.
    """
    for check in RULESETS[step.set].checks:
        if check.family == "pool":
            for finding in check.findings(seat_of(gained, step.facts).table):
                yield finding.altered(remedies=(Unlist(key, finding.cards), Set("scenario")))


def decks_after(step: GameStep) -> tuple[dict[str, Any], tuple[RebuildStep, ...]]:
    """Rebuild the decks after a game. Returns the changed decks by character, and the steps that rebuild them.

    Each deck has the form in which the game's file lists it. Unchanged decks are left out.
    """
    table = table_of(step)
    if not table.members:
        return {}, ()
    rebuilt = rebuild_party(table, step.facts, fill=True)
    decks: dict[str, Any] = {}
    for member in table.members:
        cards, chosen = rebuilt.members[member.name].cards, rebuilt.members[member.name].chosen or ()
        before = step.before.person(member.name)
        if member.newcomer:
            decks[member.name] = listed(cards)
        elif chosen:
            decks[member.name] = {"cards": listed(cards), "from_box": listed(chosen)}
        elif before is None or Counter(cards) != Counter(before.cards):
            decks[member.name] = listed(cards)
    return decks, tuple(steps(table, rebuilt))


def table_of(step: GameStep) -> TableToRebuild:
    """Return the party after the game and before its decks are rebuilt, with all cards that it has for the rebuild."""
    played = step.played
    hands = {name: tuple(cards.elements()) for name, cards in step.hands()[0].items()}
    members = []
    for person in step.after.people:
        newcomer = person.new and person.name in played.joined
        cards = () if newcomer else hands.get(person.name, person.cards)
        deck = deck_of(
            replace(person, cards=cards), played.adventure.deck, step.setup.owns, after_scenario=step.won_in_a_row()
        )
        members.append(
            Member(
                replace(deck, after_death=person.name in step.successors() if newcomer else None),
                played.wishes.get(person.name, ()),
                newcomer,
                tuple((Counter(played.keep.get(person.name, ())) & Counter(cards)).elements()),
                played.refuses.get(person.name, ()),
            )
        )
    leaving = tuple((person.name, hands[person.name]) for person in step.leaving)
    return TableToRebuild(
        leaving=leaving,
        set=step.set,
        adventure=played.adventure.deck,
        members=tuple(members),
        rewards=hands[""],
        dead=tuple((name, hands[name]) for name in played.died if name in step.before.names),
        owns=step.setup.owns,
        removed=step.after.removed,
    )


class PathfinderCampaign(GameCampaign[PathfinderSetup, PartyState, Played, GameStep, Facts]):
    """Replays, checks and shows Pathfinder campaigns. Each file records one game, which is a scenario played."""

    game = "pathfinder"
    setup = SETUP
    record = Played
    reader = PathfinderReader
    step = GameStep
    not_checked = NOT_CHECKED
    adds_up = True
    rebuilds = True

    @property
    def rules(self) -> Mapping[str, Ruleset[GameStep]]:
        """The rulesets for campaigns, by their id, such as `mm-campaign`."""
        return {f"{set_id}-campaign": ruleset for set_id, ruleset in CAMPAIGNS.items()}

    def rule_count(self, setup: PathfinderSetup) -> int:
        """Return the number of rules that a campaign is checked against: rules for games, decks and parties."""
        return sum(len(each[setup.set].checks) for each in (CAMPAIGNS, RULESETS, PARTIES))

    def after(self, before: PartyState, played: Played, setup: PathfinderSetup, facts: Facts) -> PartyState:
        """Return the state of the party after the game `played`, given the state `before` it."""
        return after(before, played, setup, facts)

    def named(self, played: Played, page: CampaignFile) -> tuple[str, str]:
        """Return the name of the scenario played, and its outcome: `won` or `lost`."""
        return played.gives.name, "won" if played.won else "lost"

    def questions(self, setup: PathfinderSetup, state: PartyState, facts: Facts, free: Collection[str]) -> Conversation:
        """Ask about the next game. Returns the answers by their keys in the game's file."""
        return asked(setup, state, facts, free)

    def changes(self, step: GameStep) -> Iterator[StateChange]:
        """Yield the changes that a game makes, each with the rules entry that is its reason."""
        return changes(step)

    def first_findings(self, setup: PathfinderSetup, facts: Facts) -> Iterator[Located]:
        """Yield the findings on the decks that the characters start with, each with its line in `campaign.yaml`."""
        return first_findings(setup, facts)

    def findings(self, step: GameStep) -> Iterator[Located]:
        """Yield the findings on a recorded game and on the decks after it, each with its line in the game's file."""
        return findings(step)

    def decks(self, state: PartyState, facts: Facts) -> Iterator[DeckNow]:
        """Yield each character's deck, with its cards listed by type."""
        return decks_now(state, facts)

    def facts_of(self, setup: PathfinderSetup, state: PartyState, facts: Facts) -> Iterable[tuple[str, str]]:
        """Return pairs of label and value to show below the campaign's name, such as `Set` and `Mummy's Mask`."""
        return facts_of(setup, state, facts)

    def next_set_up(self, setup: PathfinderSetup, state: PartyState, facts: Facts) -> NextSetUp | None:
        """Return the next scenario of the Adventure Path, with the link to its set-up for the number of players."""
        return next_set_up(setup, state, facts)

    def dice(self, setup: PathfinderSetup, state: PartyState, facts: Facts) -> TableDice | None:
        """Return the dice that each character rolls for each skill, including skill feats; None if nobody plays."""
        return table_dice(setup, state, facts)

    def charts(self, setup: PathfinderSetup, states: list[PartyState], facts: Facts) -> tuple[CampaignChart, ...]:
        """Return two charts: the scenarios won in each adventure, and the feats of each character."""
        return charts(setup, states, facts)

    def set_called(self, name: str) -> str:
        """Return the id of the set with this name, such as `mm` or `Mummy's Mask`; empty if there is none."""
        return next((each for title, each in SET_NAMES.items() if name_key(title) == name_key(name)), "")

    def set_of(self, deck: DeckFile, facts: Facts) -> str:
        """Return the id of the set that a deck belongs to; empty if its file cannot be read.

        If the file does not name the set, the result is the set that contains the deck's character. If several sets
        do, the result is the one of them that contains the most cards of the deck; empty if there is a tie.
        """
        try:
            return read_deck(deck, facts, without_cards=True).set
        except DeckFileError:
            return ""

    def rebuilt(self, step: GameStep) -> tuple[dict[str, Any], tuple[RebuildStep, ...]]:
        """Rebuild the decks after a game. Returns the changed decks by character, and the steps that rebuild them."""
        return decks_after(step)


campaigns = PathfinderCampaign()
