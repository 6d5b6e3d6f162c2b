"""Where a Pathfinder party stands after a game: what the file says is taken as it is; the rules judge it afterwards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from kb.decks.names import name_key
from kb.games.pathfinder.campaign.model import Moment, Party, Person, Played, Stop
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import Card


def after(before: Party, played: Played, facts: Facts, set_id: str) -> Party:
    """The party after a game."""
    won = before.won | won_now(before, played)
    gone = {name_key(name) for name in (*played.died, *played.left)}
    people = [grown(person, played, won) for person in before.people if name_key(person.name) not in gone]
    away = {
        name_key(person.name): person for person in (*before.away, *(
            grown(person, played, won) for person in before.people if name_key(person.name) in map(name_key, played.left)
        ))
    }  # fmt: skip
    for name in played.joined:
        character = facts.characters.get((set_id, name_key(name)))
        if character is None or any(person.name == character.name for person in people):
            continue
        back = away.pop(name_key(name), None)
        people.append(rebuilt(back, played) if back else rebuilt(Person(character, ()), played))
    return Party(
        people=tuple(people),
        away=tuple(away.values()),
        dead=(*before.dead, *(name for name in played.died if before.person(name))),
        won=frozenset(won),
        traders=before.traders | (frozenset(played.gives.traders) if played.won else frozenset()),
        removed=(*before.removed, *(card for pile in played.removed.values() for card in pile)),
    )


def won_now(before: Party, played: Played) -> frozenset[Stop]:
    """The scenario, where it was won, and its adventure, where that is complete by it."""
    if not played.won:
        return frozenset()
    deck, number = played.stop
    others = all((deck, each) in before.won for each in range(1, len(played.adventure.scenarios) + 1) if each != number)
    return frozenset({played.stop, (deck, 0)} if others else {played.stop})


def grown(person: Person, played: Played, won: frozenset[Stop]) -> Person:
    """A character with what she gained by a game, and with her rebuilt deck."""
    there = played.won and name_key(person.name) not in map(name_key, played.absent)
    earned = {stop for stop in (played.stop, (played.adventure.deck, 0)) if stop in won} if there else set()
    adjustments = {**person.adjustments, **played.adjustments.get(person.name, {})}
    grown_up = replace(
        person,
        feats=(*person.feats, *played.feats.get(person.name, ())),
        role=played.roles.get(person.name, person.role),
        adjustments=adjustments,
        earned=person.earned | earned,
        new=False,
    )
    return rebuilt(grown_up, played)


def rebuilt(person: Person, played: Played) -> Person:
    """A character with the deck that the file gives; without one, the deck stays as it is."""
    listed = played.decks.get(person.name)
    return replace(person, cards=listed.cards) if listed else person


def from_the_box(moment: Moment) -> Counter[Card]:
    """The cards that came from the box into rebuilt decks."""
    joined = set(map(name_key, moment.played.joined)) - {name_key(each.name) for each in moment.returned}
    return Counter(
        card for name, listed in moment.played.decks.items() if name_key(name) not in joined for card in listed.from_box
    )


def kept(moment: Moment) -> Counter[Card]:
    """The cards in rebuilt decks that must have been at the table."""
    joined = {name_key(name) for name in moment.played.joined} - {name_key(each.name) for each in moment.returned}
    decks = Counter(
        card for person in moment.after.people if name_key(person.name) not in joined for card in person.cards
    )
    return decks - from_the_box(moment)


def left_over(moment: Moment) -> tuple[Card, ...]:
    """What the table had and nobody kept."""
    return tuple((moment.pool() - kept(moment)).elements())
