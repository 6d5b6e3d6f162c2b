"""Replays an Arkham Horror campaign: the changes made by each game, the findings, and the state of the group."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.campaigns.campaign import CampaignChart, CampaignFile, CardLine, ChartRow, ChartShare, DeckNow, StateChange
from kb.campaigns.game_campaign import GameCampaign, placed, recorded_changes, run
from kb.decks.names import both, counted_names
from kb.decks.questions import Conversation
from kb.decks.report import Located
from kb.decks.ruleset import Ruleset
from kb.games.arkham.campaign.dialog import choices, questions
from kb.games.arkham.campaign.file_reader import ArkhamReader
from kb.games.arkham.campaign.game_record import SETUP, ArkhamGame
from kb.games.arkham.campaign.rules import CAMPAIGN
from kb.games.arkham.campaign.state import TRAUMA as KINDS
from kb.games.arkham.campaign.state import ArkhamSetup, ArkhamStep, Group, Investigator, after, experience_of
from kb.games.arkham.decks.agreement import CAMPAIGN as PLAIN
from kb.games.arkham.decks.deck_counts import ARKHAM
from kb.games.arkham.decks.deck_rules import SECTIONS
from kb.games.arkham.decks.edition import RulesEdition, edition_of_all
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.judging import check_deck
from kb.games.arkham.decks.party import PARTY, check_party
from kb.games.arkham.decks.upgrade import checks as step_rules
from kb.games.arkham.decks.upgrade.plan import UPGRADE
from kb.games.arkham.upgrades import DECK_BEFORE_IS_LEGAL

NOT_CHECKED = (
    "the rewards of a resolution and the scenario that follows it: kb does not have the campaign guides",
    "the cost of a side story: accepted as entered",
)


def changes(step: ArkhamStep) -> Iterator[StateChange]:
    """Yield the changes that one game makes, in words, each with the entry that gives the reason.

    The entries are from the newest edition that a deck in the group uses.
    """
    by, names = edition_of(step), [person.name for person in step.before.people]

    def in_words(value: Any) -> str:
        if isinstance(value, Mapping):
            return both(f"{number} {kind}" for kind, number in value.items() if number)
        known = [step.facts.card(each) for each in value] if isinstance(value, tuple) else []
        return counted_names(card.name for card in known if card) or ", ".join(value) if known else str(value)

    def entry(name: str) -> str:
        return by.entries([f"arkham/glossary/{name}"])[0]

    yield from recorded_changes(step.played, dict.fromkeys((*names, *step.played.joined)), in_words, entry)
    for person in step.before.people:
        more = experience_of(person, step.played, step.setup, step.facts) - step.played.experience.get(person.name, 0)
        if more:
            entry_of = by.entries(["arkham/variants/boons/persephone"])[0]
            yield StateChange(person.name, f"earns {more} more experience for the defeat", entry_of)
    for name, bought in step.after.steps.items():
        for line in bought.lines:
            yield StateChange(name, line.text.rstrip("."), by.entries(line.cites[:1])[0] if line.cites else "")
        for finding in bought.findings:
            if finding.by(step_rules.trauma_of_purchases):
                yield StateChange(name, finding.message, by.entries(finding.cites)[0])
        if left := step.after.person(name):
            yield StateChange(name, f"{bought.cost} experience spent, {left.unspent} left", entry("experience"))


def stands(person: Investigator) -> Iterator[str]:
    """Yield an investigator's unspent experience and trauma, in words; nothing for an amount of 0."""
    if person.unspent:
        yield f"{person.unspent} experience left"
    for kind in (*KINDS, "either"):
        if number := person.trauma[kind]:
            yield f"{number} {kind if kind in KINDS else 'physical or mental'} trauma"


def decks_now(group: Group, facts: ArkhamFacts) -> Iterator[DeckNow]:
    """Yield the current deck of each active investigator, with the cards by type."""
    for person in group.people:
        piles: dict[str, list[CardLine]] = {section: [] for section in SECTIONS}
        for card, _, copies in facts.in_order(person.held.deck.cards):
            if copies > 0 and card is not None:
                level = f" ({card.level})" if card.level else ""
                line = CardLine(f"{card.name}{level}", copies, " ".join(sorted(card.classes)))
                piles.setdefault(card.section, []).append(line)
        heading = person.card.name + (f" ({where_it_stands})" if (where_it_stands := ", ".join(stands(person))) else "")
        yield DeckNow(person.name, heading, {section: lines for section, lines in piles.items() if lines})


def facts_of(setup: ArkhamSetup, group: Group, facts: ArkhamFacts) -> Iterable[tuple[str, str]]:
    """Return labels and values to show below the name of a campaign, such as its difficulty and its investigators."""
    cycle, taboo = facts.cycles.get(setup.cycle), setup.taboo
    return (
        ("Campaign", cycle.name if cycle else ""),
        ("Difficulty", setup.difficulty),
        ("Investigators", called(group.people) or "none"),
        ("Taboo list", "" if taboo is None else str(taboo or "none")),
        ("Killed or insane", called(group.out)),
        ("Away", called(group.away)),
    )


def called(people: Sequence[Investigator]) -> str:
    """Return the names of the investigators in `people`, separated by commas."""
    return ", ".join(person.card.name for person in people)


def charts(setup: ArkhamSetup, groups: Sequence[Group], facts: ArkhamFacts) -> tuple[CampaignChart, ...]:
    """Return the charts of a campaign: the trauma and the unspent experience of each investigator.

    `groups` contains the state of the group after each game; the charts show the last state.
    """
    last = groups[-1]
    trauma = [
        ChartRow(
            person.name,
            (
                ChartShare(person.trauma["physical"], "combat", "physical"),
                ChartShare(person.trauma["mental"], "diplomacy", "mental"),
            ),
        )
        for person in (*last.people, *last.away, *last.out)
    ]
    left = [ChartRow(person.name, (ChartShare(person.unspent, "resource"),)) for person in last.people]
    return (
        CampaignChart("Trauma", tuple(trauma)),
        CampaignChart("Experience left", tuple(left)),
    )


# Checks of upgrades that are left out, because the campaign's own checks know more than two decks show.
KNOWN_BETTER = (
    DECK_BEFORE_IS_LEGAL,
    step_rules.given_by_the_campaign,
    step_rules.no_more_experience,
    step_rules.trauma_of_purchases,
)

MAY_BE_LOST = (step_rules.weaknesses_stay, step_rules.permanents_stay, step_rules.signatures_stay)


def first_findings(setup: ArkhamSetup, facts: ArkhamFacts) -> Iterator[Located]:
    """Yield the findings on the decks that the campaign starts with."""
    begins = ArkhamGame(decks={person.name: person.held for person in setup.begins.people}, lines=setup.lines)
    return deck_findings(ArkhamStep(setup, Group(), begins, setup.begins, True, facts))


def findings(step: ArkhamStep) -> Iterator[Located]:
    """Yield the findings on a game, and on the decks recorded after it."""
    by = edition_of(step)
    for each in run(CAMPAIGN, step):
        yield replace(each, finding=next(by.restated([each.finding])))
    yield from deck_findings(step)


def edition_of(step: ArkhamStep) -> RulesEdition:
    """Return the newest edition of the rules that a deck before or after the game uses."""
    return edition_of_all(person.held.deck.rules for person in (*step.before.people, *step.after.people))


def deck_findings(step: ArkhamStep) -> Iterator[Located]:
    """Yield the findings on decks recorded with a game.

    First come the upgrades, then the decks of investigators who start, and last all decks of the group together.
    """
    facts, played, agreement = step.facts, step.played, step.setup.agreement
    for name, bought in step.after.steps.items():
        at = played.line(f"decks {name}")
        lost = {card.label for code in lost_by(step, name) if (card := facts.card(code))}
        of_the_purchase = [
            each
            for each in bought.findings
            if not (each.by(*MAY_BE_LOST) and set(each.cards) <= lost) and (step.known or each.family != "experience")
        ]
        yield from placed(of_the_purchase, name, at, KNOWN_BETTER)
        person = step.after.person(name)
        if agreement != PLAIN and person is not None:
            seen = {each.subject for each in bought.findings}
            judged = check_deck(person.held.deck, facts, agreement=agreement).findings
            yield from placed((each for each in judged if each.subject not in seen), name, at)
    for person in step.after.people:
        if person.name in played.decks and person.name not in {*step.after.steps, *step.before.names}:
            deck = person.held.deck
            begins = replace(agreement, start=not deck.previous and deck.experience is None)
            at = played.line(f"decks {person.name}")
            yield from placed(check_deck(deck, facts, agreement=begins).findings, person.name, at)
    if played.decks:
        decks = [replace(person.held, file=person.name) for person in step.after.people]
        out = [person.card.name for person in step.after.out]
        together = check_party(decks, facts, step.setup.owned, out) if decks else ()
        yield from placed(together, "", played.line("decks"))


def lost_by(step: ArkhamStep, name: str) -> tuple[str, ...]:
    """Return the codes of the cards that the campaign has removed from an investigator's deck since it was last
    recorded.
    """
    person = step.before.person(name)
    return (*(person.lost if person else ()), *step.played.lost.get(name, ()))


class ArkhamCampaign(GameCampaign[ArkhamSetup, Group, ArkhamGame, ArkhamStep, ArkhamFacts]):
    """Arkham Horror campaigns: each scenario has a record, and kb checks records, decks and upgrades."""

    game = "arkham"
    setup = SETUP
    record = ArkhamGame
    reader = ArkhamReader
    step = ArkhamStep
    not_checked = NOT_CHECKED

    @property
    def rules(self) -> Mapping[str, Ruleset[ArkhamStep]]:
        """Return the ruleset of campaigns, by its name."""
        return {"campaign": CAMPAIGN}

    def rule_count(self, setup: ArkhamSetup) -> int:
        """Return the number of checks on games, decks, upgrades and groups together."""
        return sum(len(checks) for checks in (CAMPAIGN.checks, ARKHAM.checks, UPGRADE.checks, PARTY.checks))

    def after(self, before: Group, played: ArkhamGame, setup: ArkhamSetup, facts: ArkhamFacts) -> Group:
        """Return the state of the group after the game `played`; `before` is the state before it."""
        return after(before, played, setup, facts)

    def named(self, played: ArkhamGame, page: CampaignFile) -> tuple[str, str]:
        """Return the scenario of a game, and its resolution."""
        return played.scenario, played.resolution

    def questions(self, setup: ArkhamSetup, state: Group, facts: ArkhamFacts, free: Collection[str]) -> Conversation:
        """Ask about the next game, and return the answers under the keys of a game's file."""
        return questions(setup, state, facts, free)

    def changes(self, step: ArkhamStep) -> Iterator[StateChange]:
        """Yield the changes that one game makes, each with the entry that gives the reason."""
        return changes(step)

    def first_findings(self, setup: ArkhamSetup, facts: ArkhamFacts) -> Iterator[Located]:
        """Yield the findings on the decks that the campaign starts with."""
        return first_findings(setup, facts)

    def findings(self, step: ArkhamStep) -> Iterator[Located]:
        """Yield the findings on a game, and on the decks recorded after it."""
        return findings(step)

    def decks(self, state: Group, facts: ArkhamFacts) -> Iterator[DeckNow]:
        """Yield the current deck of each active investigator."""
        return decks_now(state, facts)

    def facts_of(self, setup: ArkhamSetup, state: Group, facts: ArkhamFacts) -> Iterable[tuple[str, str]]:
        """Return labels and values to show below the name of a campaign."""
        return facts_of(setup, state, facts)

    def charts(self, setup: ArkhamSetup, states: list[Group], facts: ArkhamFacts) -> tuple[CampaignChart, ...]:
        """Return the charts of trauma and unspent experience."""
        return charts(setup, states, facts)

    def choices(self, facts: ArkhamFacts) -> Mapping[str, Sequence[str]]:
        """Return the campaigns and the taboo lists that a player can choose when a campaign is set up."""
        return choices(facts)


campaigns = ArkhamCampaign()
