"""Replays a campaign of Arkham Horror: the changes of each game, the findings, the state of the group."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.campaigns.campaign import CampaignFile, CardLine, ChartRow, DeckNow, StateChange, Tally
from kb.campaigns.game_campaign import GameCampaign, placed, recorded_changes, run
from kb.decks.names import both, counted_names
from kb.decks.questions import Conversation
from kb.decks.report import Located
from kb.decks.ruleset import Ruleset
from kb.games.arkham.campaign.dialog import choices, questions
from kb.games.arkham.campaign.file_reader import ArkhamReader
from kb.games.arkham.campaign.game_record import HEAD, ArkhamGame
from kb.games.arkham.campaign.rules import CAMPAIGN
from kb.games.arkham.campaign.state import TRAUMA as KINDS
from kb.games.arkham.campaign.state import ArkhamHead, ArkhamMoment, Group, Investigator, after, experience_of
from kb.games.arkham.decks.agreement import CAMPAIGN as PLAIN
from kb.games.arkham.decks.deck_rules import SECTIONS
from kb.games.arkham.decks.edition import RulesEdition, edition_of_all
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.judging import check_deck
from kb.games.arkham.decks.party import PARTY, check_party
from kb.games.arkham.decks.tally import ARKHAM
from kb.games.arkham.decks.upgrade import checks as step_rules
from kb.games.arkham.decks.upgrade.plan import UPGRADE
from kb.games.arkham.upgrades import DECK_BEFORE_IS_LEGAL

NOT_CHECKED = (
    "what a resolution gives and where it leads: kb does not have the campaign guides",
    "what a side story costs: accepted as entered",
)


def changes(moment: ArkhamMoment) -> Iterator[StateChange]:
    """Yield the changes of a game and their reasons, by the edition of the decks."""
    by, names = edition_of(moment), [person.name for person in moment.before.people]

    def in_words(value: Any) -> str:
        if isinstance(value, Mapping):
            return both(f"{number} {kind}" for kind, number in value.items() if number)
        known = [moment.facts.card(each) for each in value] if isinstance(value, tuple) else []
        return counted_names(card.name for card in known if card) or ", ".join(value) if known else str(value)

    def entry(name: str) -> str:
        return by.entries([f"arkham/glossary/{name}"])[0]

    yield from recorded_changes(moment.played, dict.fromkeys((*names, *moment.played.joined)), in_words, entry)
    for person in moment.before.people:
        more = experience_of(person, moment.played, moment.head, moment.facts) - moment.played.experience.get(
            person.name, 0
        )
        if more:
            entry_of = by.entries(["arkham/variants/boons/persephone"])[0]
            yield StateChange(person.name, f"earns {more} more experience for the defeat", entry_of)
    for name, step in moment.after.steps.items():
        for line in step.lines:
            yield StateChange(name, line.text.rstrip("."), by.entries(line.cites[:1])[0] if line.cites else "")
        for finding in step.findings:
            if finding.by(step_rules.trauma_of_purchases):
                yield StateChange(name, finding.message, by.entries(finding.cites)[0])
        if left := moment.after.person(name):
            yield StateChange(name, f"{step.cost} experience spent, {left.unspent} left", entry("experience"))


def stands(person: Investigator) -> Iterator[str]:
    """Yield the unspent experience and the trauma of an investigator, in words."""
    if person.unspent:
        yield f"{person.unspent} experience left"
    for kind in (*KINDS, "either"):
        if number := person.trauma[kind]:
            yield f"{number} {kind if kind in KINDS else 'physical or mental'} trauma"


def decks_now(group: Group, facts: ArkhamFacts) -> Iterator[DeckNow]:
    """Yield the decks of a group by type of card."""
    for person in group.people:
        piles: dict[str, list[CardLine]] = {section: [] for section in SECTIONS}
        for card, _, copies in facts.in_order(person.held.deck.cards):
            if copies > 0 and card is not None:
                level = f" ({card.level})" if card.level else ""
                line = CardLine(f"{card.name}{level}", copies, " ".join(sorted(card.classes)))
                piles.setdefault(card.section, []).append(line)
        heading = person.card.name + (f" ({where_it_stands})" if (where_it_stands := ", ".join(stands(person))) else "")
        yield DeckNow(person.name, heading, {section: lines for section, lines in piles.items() if lines})


def facts_of(head: ArkhamHead, group: Group, facts: ArkhamFacts) -> Iterable[tuple[str, str]]:
    """Return labels and values below the campaign's name."""
    cycle, taboo = facts.cycles.get(head.cycle), head.taboo
    return (
        ("Campaign", cycle.name if cycle else ""),
        ("Difficulty", head.difficulty),
        ("Investigators", called(group.people) or "none"),
        ("Taboo list", "" if taboo is None else str(taboo or "none")),
        ("Killed or insane", called(group.out)),
        ("Away", called(group.away)),
    )


def called(people: Sequence[Investigator]) -> str:
    """Return the names of investigators."""
    return ", ".join(person.card.name for person in people)


def tallies(head: ArkhamHead, groups: Sequence[Group], facts: ArkhamFacts) -> tuple[Tally, ...]:
    """Return charts of experience in the decks and of trauma, by investigator, at present."""
    last = groups[-1]
    trauma = [
        ChartRow(
            person.name,
            ((person.trauma["physical"], "combat", "physical"), (person.trauma["mental"], "diplomacy", "mental")),
        )
        for person in (*last.people, *last.away, *last.out)
    ]
    left = [ChartRow(person.name, ((person.unspent, "resource", ""),)) for person in last.people]
    return (
        Tally("Trauma", tuple(trauma)),
        Tally("Experience left", tuple(left)),
    )


# Checks replaced here, because the campaign log knows more than two decks do.
KNOWN_BETTER = (
    DECK_BEFORE_IS_LEGAL,
    step_rules.given_by_the_campaign,
    step_rules.no_more_experience,
    step_rules.trauma_of_purchases,
)

MAY_BE_LOST = (step_rules.weaknesses_stay, step_rules.permanents_stay, step_rules.signatures_stay)


def first_findings(head: ArkhamHead, facts: ArkhamFacts) -> Iterator[Located]:
    """Yield the findings on the first decks of the campaign."""
    begins = ArkhamGame(decks={person.name: person.held for person in head.begins.people}, lines=head.lines)
    return deck_findings(ArkhamMoment(head, Group(), begins, head.begins, True, facts))


def findings(moment: ArkhamMoment) -> Iterator[Located]:
    """Yield the findings on a game and on the decks after it."""
    by = edition_of(moment)
    for each in run(CAMPAIGN, moment):
        yield replace(each, finding=next(by.restated([each.finding])))
    yield from deck_findings(moment)


def edition_of(moment: ArkhamMoment) -> RulesEdition:
    """Return the edition of the rules that a group plays by."""
    return edition_of_all(person.held.deck.rules for person in (*moment.before.people, *moment.after.people))


def deck_findings(moment: ArkhamMoment) -> Iterator[Located]:
    """Yield the findings on each upgrade, on the decks of investigators who start, and on all decks together."""
    facts, played, frame = moment.facts, moment.played, moment.head.frame
    for name, step in moment.after.steps.items():
        at = played.line(f"decks {name}")
        lost = {card.label for code in lost_by(moment, name) if (card := facts.card(code))}
        of_the_step = [
            each for each in step.findings
            if not (each.by(*MAY_BE_LOST) and set(each.cards) <= lost)
            and (moment.known or each.family != "experience")
        ]  # fmt: skip
        yield from placed(of_the_step, name, at, KNOWN_BETTER)
        person = moment.after.person(name)
        if frame != PLAIN and person is not None:
            seen = {(each.check, each.message) for each in step.findings}
            framed = check_deck(person.held.deck, facts, frame=frame).findings
            yield from placed((each for each in framed if (each.check, each.message) not in seen), name, at)
    for person in moment.after.people:
        if person.name in played.decks and person.name not in {*moment.after.steps, *moment.before.names}:
            deck = person.held.deck
            begins = replace(frame, start=not deck.previous and deck.experience is None)
            at = played.line(f"decks {person.name}")
            yield from placed(check_deck(deck, facts, frame=begins).findings, person.name, at)
    if played.decks:
        decks = [replace(person.held, file=person.name) for person in moment.after.people]
        out = [person.card.name for person in moment.after.out]
        together = check_party(decks, facts, moment.head.owned, out) if decks else ()
        yield from placed(together, "", played.line("decks"))


def lost_by(moment: ArkhamMoment, name: str) -> tuple[str, ...]:
    """Return the cards that the campaign removed from a deck since it was recorded."""
    person = moment.before.person(name)
    return (*(person.lost if person else ()), *moment.played.lost.get(name, ()))


class ArkhamCampaign(GameCampaign[ArkhamHead, Group, ArkhamGame, ArkhamMoment, ArkhamFacts]):
    """Campaigns of Arkham Horror: a record for each scenario, with the checks of decks and upgrades."""

    game = "arkham"
    head = HEAD
    record = ArkhamGame
    reader = ArkhamReader
    moment = ArkhamMoment
    not_checked = NOT_CHECKED

    @property
    def rules(self) -> Mapping[str, Ruleset[ArkhamMoment]]:
        """The one ruleset of campaigns."""
        return {"campaign": CAMPAIGN}

    def rule_count(self, head: ArkhamHead) -> int:
        """Return the number of rules for games, decks, upgrades and groups."""
        return sum(len(checks) for checks in (CAMPAIGN.checks, ARKHAM.checks, UPGRADE.checks, PARTY.checks))

    def after(self, before: Group, played: ArkhamGame, head: ArkhamHead, facts: ArkhamFacts) -> Group:
        """Return the group after a game."""
        return after(before, played, head, facts)

    def named(self, played: ArkhamGame, page: CampaignFile) -> tuple[str, str]:
        """Return the name of the scenario, and its resolution."""
        return played.scenario, played.resolution

    def questions(self, head: ArkhamHead, state: Group, facts: ArkhamFacts, free: Collection[str]) -> Conversation:
        """Ask for the next game."""
        return questions(head, state, facts, free)

    def changes(self, moment: ArkhamMoment) -> Iterator[StateChange]:
        """Yield the changes of a game, and their reasons."""
        return changes(moment)

    def first_findings(self, head: ArkhamHead, facts: ArkhamFacts) -> Iterator[Located]:
        """Yield the findings on the first decks."""
        return first_findings(head, facts)

    def findings(self, moment: ArkhamMoment) -> Iterator[Located]:
        """Yield the findings on a game and on the decks after it."""
        return findings(moment)

    def decks(self, state: Group, facts: ArkhamFacts) -> Iterator[DeckNow]:
        """Yield the decks of the group."""
        return decks_now(state, facts)

    def facts_of(self, head: ArkhamHead, state: Group, facts: ArkhamFacts) -> Iterable[tuple[str, str]]:
        """Return labels and values below the campaign's name."""
        return facts_of(head, state, facts)

    def tallies(self, head: ArkhamHead, states: list[Group], facts: ArkhamFacts) -> tuple[Tally, ...]:
        """Return the charts of trauma and experience."""
        return tallies(head, states, facts)

    def choices(self, facts: ArkhamFacts) -> Mapping[str, Sequence[str]]:
        """Return the campaigns and the taboo lists."""
        return choices(facts)


campaigns = ArkhamCampaign()
