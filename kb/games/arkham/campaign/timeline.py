"""What the timeline of an Arkham Horror campaign tells: changes with their reasons, decks, numbers to draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kb.campaigns.model import Change, DeckNow, Line, Row, Step, Tally
from kb.decks.names import name_key, tally
from kb.games.arkham.campaign.model import TRAUMA as KINDS
from kb.games.arkham.campaign.model import Group, Head, Moment, Person
from kb.games.arkham.campaign.rules import JOINING, KILLED
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.profile import profile_of
from kb.games.arkham.decks.ruleset import EXILE, EXPERIENCE, STORY_ASSETS, TRAUMA

NOT_CHECKED = (
    "what a resolution gives and where it leads: no source here holds the campaign guides",
    "what a side story costs: it is taken from `cost:`",
)
TRAUMA_OF_PURCHASES = "trauma-of-purchases"
SECTIONS = ("investigator", "asset", "event", "skill", "weakness")


def changes(moment: Moment) -> Iterator[Change]:
    """What a game changed and why."""
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
