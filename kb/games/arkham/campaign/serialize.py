"""What the timeline of an Arkham Horror campaign tells: changes with their reasons, decks, numbers to draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.campaigns.model import Change, DeckNow, Line, Row, Tally
from kb.decks.names import name_key, tally
from kb.games.arkham.campaign.advance import Steps
from kb.games.arkham.campaign.game_file import Head
from kb.games.arkham.campaign.model import Group, Moment, Person
from kb.games.arkham.campaign.rules import JOINING, KILLED
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.profile import profile_of
from kb.games.arkham.decks.ruleset import EXPERIENCE, STORY_ASSETS, TRAUMA
from kb.games.arkham.decks.upgrade.rules import EXILE

NOT_CHECKED = (
    "what a resolution gives and where it leads: no source here holds the campaign guides",
    "what a side story costs: it is taken from `cost:`",
)
TRAUMA_OF_PURCHASES = "trauma-of-purchases"
SECTIONS = ("investigator", "asset", "event", "skill", "weakness")


def changes(moment: Moment | None, group: Group, steps: Steps, facts: Facts) -> Iterator[Change]:
    """What a game changed and why; without a game, who begins."""
    if moment is None:
        for person in group.people:
            yield Change(
                person.name,
                f"{person.card.name} begins" + (f", {person.unspent} experience left" if person.unspent else ""),
            )
        return
    played = moment.played
    for person in moment.before.people:
        yield from of_person(moment, person, steps)
    for name in played.joined:
        back = any(person.goes_by(name) for person in moment.before.away)
        yield Change(name, "comes back" if back else "joins", JOINING)
    for line in played.log:
        yield Change("", f"log: {line}", "arkham/glossary/record-in-your-campaign-log")


def of_person(moment: Moment, person: Person, steps: Steps) -> Iterator[Change]:
    """What a game changed for an investigator."""
    played, name = moment.played, person.name
    if number := played.experience.get(name):
        yield Change(name, f"earns {number} experience", EXPERIENCE)
    if played.cost:
        yield Change(name, f"pays {played.cost} experience for the side story", EXPERIENCE)
    if name in played.defeated:
        yield Change(name, f"is defeated{f' by {played.defeated[name]}' if played.defeated[name] else ''}", TRAUMA)
    for kind, number in played.trauma.get(name, {}).items():
        if number:
            yield Change(name, f"suffers {number} {kind} trauma", TRAUMA)
    for key, verb, cite in (
        ("earned", "earns", STORY_ASSETS),
        ("lost", "loses", STORY_ASSETS),
        ("exiled", "exiles", EXILE),
    ):
        codes = getattr(played, key).get(name, ())
        if codes:
            cards = (moment.facts.card(code) for code in codes)
            yield Change(name, f"{verb} {tally(card.name for card in cards if card)}", cite)
    for names, verb in ((played.killed, "is killed"), (played.insane, "is driven insane")):
        if name in names:
            yield Change(name, verb, KILLED)
    if name in played.left:
        yield Change(name, "leaves", JOINING)
    if step := steps.get(name):
        for line in step.lines:
            yield Change(name, line.text.rstrip("."), line.cites[0] if line.cites else "")
        for finding in step.findings:
            if finding.check == TRAUMA_OF_PURCHASES:
                yield Change(name, finding.message, finding.cites[0])
        left = moment.after.person(name)
        if left:
            yield Change(name, f"{step.cost} experience spent, {left.unspent} left", EXPERIENCE)


def decks_now(group: Group, facts: Facts) -> Iterator[DeckNow]:
    """The decks of a group by type of card."""
    for person in group.people:
        told = [f"{person.unspent} experience left"] if person.unspent else []
        told += [
            f"{number} {kind} trauma"
            for kind, number in (("physical", person.physical), ("mental", person.mental))
            if number
        ]
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


def facts_of(head: Head, group: Group, facts: Facts) -> tuple[tuple[str, str], ...]:
    """Labels and values below the campaign's name."""
    cycle = facts.cycles.get(head.agreed.cycle)
    told = [("Campaign", cycle.name)] if cycle else []
    told += [*head.told, ("Investigators", ", ".join(person.card.name for person in group.people) or "none")]
    if head.agreed.taboo is not None:
        told.append(("Taboo list", str(head.agreed.taboo or "none")))
    if group.out:
        told.append(("Killed or insane", ", ".join(person.card.name for person in group.out)))
    if group.away:
        told.append(("Away", ", ".join(person.card.name for person in group.away)))
    return tuple(told)


def next_game(head: Head, group: Group, facts: Facts) -> dict[str, str]:
    """What is known of the next game: the scenario of the campaign that is listed after the last one played."""
    own = [(key, name) for key, (name, cycle) in facts.scenarios.items() if cycle and cycle == head.agreed.cycle]
    played = {name_key(name) for name in group.played}
    last = max((place for place, (key, _) in enumerate(own) if key in played), default=-1)
    rest = [name for _, name in own[last + 1 :]]
    return {"scenario": f'"{rest[0]}"', "experience": "0"} if rest else {}


def tallies(groups: Sequence[Group]) -> tuple[Tally, ...]:
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
