"""Arkham Horror campaigns as the framework replays them, with the engine of upgrades and the rules of decks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.campaigns.findings import placed, run
from kb.campaigns.keys import line_in
from kb.campaigns.model import Change, DeckNow, Line, Row, Step, Tally
from kb.campaigns.replay import Campaigns
from kb.decks.names import name_key, tally
from kb.decks.questions import Conversation, Question, for_each, single, yes_or_no
from kb.decks.report import Finding, Located
from kb.games.arkham.campaign.game_file import after, read_game, read_head
from kb.games.arkham.campaign.model import HEAD, Group, Head, Moment, Person, Played
from kb.games.arkham.campaign.model import TRAUMA as KINDS
from kb.games.arkham.campaign.rules import CAMPAIGN, JOINING, KILLED
from kb.games.arkham.decks.check import check_deck
from kb.games.arkham.decks.editions import Edition, edition_of_all
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import CAMPAIGN as PLAIN
from kb.games.arkham.decks.frame import Frame
from kb.games.arkham.decks.party import PARTY, check_party
from kb.games.arkham.decks.profile import profile_of
from kb.games.arkham.decks.ruleset import ARKHAM, EXILE, EXPERIENCE, STORY_ASSETS, TRAUMA, UPGRADE

NOT_CHECKED = (
    "what a resolution gives and where it leads: no source here holds the campaign guides",
    "what a side story costs: it is taken from `cost:`",
)
TRAUMA_OF_PURCHASES = "trauma-of-purchases"
SECTIONS = ("investigator", "asset", "event", "skill", "weakness")


def changes_of(moment: Moment) -> Iterator[Change]:
    """What a game changed and why, by the entries of the first edition."""
    for person in moment.before.people:
        yield from of_person(moment, person)
    for name in moment.played.joined:
        back = any(person.goes_by(name) for person in moment.before.away)
        yield Change(name, "comes back" if back else "joins", JOINING)
    for line in moment.played.log:
        yield Change("", f"log: {line}", "arkham/glossary/record-in-your-campaign-log")


def of_person(moment: Moment, person: Person) -> Iterator[Change]:
    """What a game changed for an investigator."""
    played, name = moment.played, person.name

    def cards(found: Mapping[str, tuple[str, ...]]) -> str:
        known = (moment.facts.card(code) for code in found.get(name, ()))
        return tally(card.name for card in known if card)

    earned = played.experience.get(name)
    way = played.defeated.get(name)
    suffered = played.trauma.get(name, {})
    for there, text, cite in (
        (earned, f"earns {earned} experience", EXPERIENCE),
        (played.cost, f"pays {played.cost} experience for the side story", EXPERIENCE),
        (way is not None, f"is defeated by {way}" if way else "is defeated", TRAUMA),
        *((suffered.get(kind), f"suffers {suffered.get(kind)} {kind} trauma", TRAUMA) for kind in KINDS),
        (played.earned.get(name), f"earns {cards(played.earned)}", STORY_ASSETS),
        (played.lost.get(name), f"loses {cards(played.lost)}", STORY_ASSETS),
        (played.exiled.get(name), f"exiles {cards(played.exiled)}", EXILE),
        (name in played.killed, "is killed", KILLED),
        (name in played.insane, "is driven insane", KILLED),
        (name in played.left, "leaves", JOINING),
    ):
        if there:
            yield Change(name, text, cite)
    if step := moment.steps.get(name):
        for line in step.lines:
            yield Change(name, line.text.rstrip("."), line.cites[0] if line.cites else "")
        for finding in step.findings:
            if finding.check == TRAUMA_OF_PURCHASES:
                yield Change(name, finding.message, finding.cites[0])
        if left := moment.after.person(name):
            yield Change(name, f"{step.cost} experience spent, {left.unspent} left", EXPERIENCE)


def decks_now(group: Group, facts: Facts) -> Iterator[DeckNow]:
    """The decks of a group by type of card."""
    for person in group.people:
        told = [f"{person.unspent} experience left"] if person.unspent else []
        told += [f"{number} {kind} trauma" for kind in KINDS if (number := getattr(person, kind))]
        profile = profile_of(facts, person.held.deck)
        piles: dict[str, list[Line]] = {section: [] for section in SECTIONS}
        for code, copies in person.held.deck.cards.items():
            card = profile.card(code)
            if copies > 0 and card is not None:
                section = "weakness" if card.weakness else card.type if card.type in piles else "asset"
                level = f" ({card.level})" if card.level else ""
                piles[section].append(Line(f"{card.name}{level}", copies, " ".join(sorted(card.classes))))
        kept = tuple(
            (section, tuple(sorted(lines, key=lambda line: line.name))) for section, lines in piles.items() if lines
        )
        heading = person.card.name + (f" ({', '.join(told)})" if told else "")
        yield DeckNow(person.name, heading, kept)


def facts_of(head: Head, group: Group, facts: Facts) -> Iterator[tuple[str, str]]:
    """Labels and values below the campaign's name."""
    cycle, taboo = facts.cycles.get(head.agreed.cycle), head.agreed.taboo
    for label, value in (
        ("Campaign", cycle.name if cycle else ""),
        ("Difficulty", head.difficulty),
        ("Investigators", called(group.people) or "none"),
        ("Taboo list", "" if taboo is None else str(taboo or "none")),
        ("Killed or insane", called(group.out)),
        ("Away", called(group.away)),
    ):
        if value:
            yield label, value


def called(people: Sequence[Person]) -> str:
    """The names of investigators."""
    return ", ".join(person.card.name for person in people)


def next_game(head: Head, group: Group, facts: Facts) -> dict[str, str]:
    """What is known of the next game: the scenario of the campaign that is listed after the last one played."""
    own = [(key, name) for key, (name, cycle) in facts.scenarios.items() if cycle and cycle == head.agreed.cycle]
    played = {name_key(name) for name in group.played}
    last = max((place for place, (key, _) in enumerate(own) if key in played), default=-1)
    rest = [name for _, name in own[last + 1 :]]
    return {"scenario": f'"{rest[0]}"', "experience": "0"} if rest else {}


def tallies(head: Head, groups: Sequence[Group], steps: Sequence[Step], facts: Facts) -> tuple[Tally, ...]:
    """Experience in the decks and trauma, by investigator, as they are now."""
    last = groups[-1]
    trauma = [
        Row(person.name, ((person.physical, "combat", "physical"), (person.mental, "diplomacy", "mental")))
        for person in (*last.people, *last.away, *last.out)
    ]
    left = [Row(person.name, ((person.unspent, "resource", ""),)) for person in last.people]
    return (
        Tally("Trauma", tuple(trauma)),
        Tally("Experience left", tuple(left)),
        Tally("Investigators at the table", tuple(
            Row(str(number) if number else "start", ((len(group.people), "arkham", ""),)) for number, group in enumerate(groups)
        )),
    )  # fmt: skip


NUMBER = Question(number=True, default="0")
# What the log of a campaign knows better than two decks do.
KNOWN_BETTER = ("deck-before-is-legal", "given-by-the-campaign")
MAY_BE_LOST = ("weaknesses-stay", "permanents-stay", "signatures-stay")


def questions(head: Head, state: Group, facts: Facts) -> Conversation:
    """What is asked when the next game is recorded."""
    people = [person.name for person in state.people]
    values: dict[str, Any] = {"scenario": (yield Question("Which scenario?", needed=True))[0]}
    values["resolution"] = "".join((yield Question("How did it end? (such as R1)")))
    if (yield yes_or_no("Was it a side story?", "no")) == ["yes"]:
        values["side_story"] = "yes"
        values["cost"] = "".join((yield Question("How much experience did each pay for it?", number=True)))
    there = yield Question("Who played?", people, many=True, default=", ".join(people))
    values["experience"] = single((yield from for_each(there, "How much experience did {} earn?", NUMBER)))
    values["killed"] = yield Question("Who was killed?", there, many=True)
    values["insane"] = yield Question("Who was driven insane?", there, many=True)
    cards = Question(many=True)
    for key, words in (
        ("earned", "did {} earn"),
        ("lost", "did {} lose to the campaign"),
        ("exiled", "did {} exile"),
    ):
        values[key] = yield from for_each(there, f"Which cards {words}?", cards)
    values["log"] = yield Question("What was written into the campaign log? (parted by commas)", many=True)
    values["left"] = yield Question("Who does not go on?", people, many=True)
    return values


def between(head: Head, before: Group, played: Played, facts: Facts, known: bool) -> Moment:
    """A game with the group after it, and the steps of its decks."""
    now, steps = after(before, played, facts)
    return Moment(before, played, now, known, facts, head.agreed, steps)


def begins(state: Group) -> Iterator[Change]:
    """Who begins, with how much experience left."""
    for person in state.people:
        left = f", {person.unspent} experience left" if person.unspent else ""
        yield Change(person.name, f"{person.card.name} begins{left}")


def changes(moment: Moment) -> Iterator[Change]:
    """What a game changed and why, by the edition of the decks."""
    by = edition_of(moment)
    for each in changes_of(moment):
        yield replace(each, cite=by.entries([each.cite])[0] if each.cite else "")


def first_findings(head: Head, facts: Facts) -> Iterator[Located]:
    """What the rules say of the decks with which the campaign begins."""
    for person in head.begins.people:
        yield from first_deck(person, facts, head.agreed.frame, line_in(head.lines, f"decks {person.name}"))
    yield from placed(together(head, head.begins, facts), "", line_in(head.lines, "decks"))


def findings(head: Head, moment: Moment, facts: Facts) -> Iterator[Located]:
    """What the rules say of a game, and of the decks after it."""
    by = edition_of(moment)
    for each in run(CAMPAIGN, moment):
        yield replace(each, finding=next(by.restated([each.finding])))
    yield from deck_findings(moment, head)


def edition_of(moment: Moment) -> Edition:
    """The edition of the rules by which a group plays."""
    return edition_of_all(person.held.deck.rules for person in (*moment.before.people, *moment.after.people))


def first_deck(person: Person, facts: Facts, frame: Frame, at: int) -> Iterator[Located]:
    """What the rules say of a deck that begins a campaign."""
    deck = person.held.deck
    begins = replace(frame, start=not deck.previous and deck.experience is None)
    return placed(check_deck(deck, facts, frame=begins).findings, person.name, at)


def deck_findings(moment: Moment, head: Head) -> Iterator[Located]:
    """What the engine of upgrades says of each step, the rules of decks of those who begin, and of all decks together."""
    facts, played, frame = moment.facts, moment.played, head.agreed.frame
    for name, step in moment.steps.items():
        at = played.line(f"decks {name}")
        lost = {card.label for code in lost_by(moment, name) if (card := facts.card(code))}
        found = [
            each for each in step.findings
            if not (each.check in MAY_BE_LOST and set(each.cards) <= lost)
            and (moment.known or each.family != "experience")
        ]  # fmt: skip
        yield from placed(found, name, at, KNOWN_BETTER)
        person = moment.after.person(name)
        if frame != PLAIN and person is not None:
            seen = {(each.check, each.message) for each in step.findings}
            framed = check_deck(person.held.deck, facts, frame=frame).findings
            yield from placed((each for each in framed if (each.check, each.message) not in seen), name, at)
    for person in moment.after.people:
        if (
            person.name not in moment.steps
            and moment.before.person(person.name) is None
            and person.name in played.decks
        ):
            yield from first_deck(person, facts, frame, played.line(f"decks {person.name}"))
    if played.decks:
        yield from placed(together(head, moment.after, facts), "", played.line("decks"))


def lost_by(moment: Moment, name: str) -> tuple[str, ...]:
    """What the campaign took out of a deck since it was recorded."""
    person = moment.before.person(name)
    return (*(person.lost if person else ()), *moment.played.lost.get(name, ()))


def together(head: Head, group: Group, facts: Facts) -> tuple[Finding, ...]:
    """What the rules say of all decks together."""
    decks = [person.held.deck for person in group.people]
    out = [person.card.name for person in group.out]
    return check_party(decks, [person.name for person in group.people], facts, head.agreed.owned, out) if decks else ()


campaigns = Campaigns(
    game="arkham",
    head=HEAD,
    record=Played,
    rules={"campaign": CAMPAIGN},
    rule_count=lambda head: sum(len(each.checks) for each in (CAMPAIGN, ARKHAM, UPGRADE, PARTY)),
    not_checked=NOT_CHECKED,
    read_head=read_head,
    read_game=read_game,
    between=between,
    named=lambda played, page: (played.scenario, played.resolution),
    begins=begins,
    changes=changes,
    first_findings=first_findings,
    findings=findings,
    decks=decks_now,
    facts_of=facts_of,
    tallies=tallies,
    next_game=next_game,
    questions=questions,
)
