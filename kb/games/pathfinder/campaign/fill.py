"""Rebuilds the decks after a recorded game: what the file leaves open, `kb party rebuild` decides."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from kb.decks.names import name_key
from kb.games.pathfinder.campaign.model import Moment, Person, deck_of
from kb.games.pathfinder.decks.model import Card
from kb.games.pathfinder.party.model import Member, Table
from kb.games.pathfinder.party.rebuild import rebuild_party
from kb.games.pathfinder.party.told import pile


def decks_after(moment: Moment) -> dict[str, Any]:
    """The rebuilt decks of a game as its file lists them, by character; those that did not change are left out."""
    table = table_of(moment)
    if not table.members:
        return {}
    rebuilt = rebuild_party(table, moment.facts, fill=True)
    found: dict[str, Any] = {}
    for member in table.members:
        cards, chosen = rebuilt.cards(member.name), rebuilt.chosen.get(member.name, ())
        before = moment.before.person(member.name)
        if member.newcomer:
            found[member.name] = pile(cards)
        elif chosen:
            found[member.name] = {"cards": pile(cards), "from_box": pile(chosen)}
        elif before is None or Counter(cards) != Counter(before.cards):
            found[member.name] = pile(cards)
    return found


def table_of(moment: Moment) -> Table:
    """The table between the game and the next, with all that everybody holds."""
    played = moment.played
    lost = Counter(
        card for piles in (played.banished, played.removed) for card in piles.get("", ())
    )  # said of the table: whoever holds it
    members = []
    for person in moment.after.people:
        newcomer = person.new and name_key(person.name) in map(name_key, played.joined)
        cards = () if newcomer else holds(moment, person, lost)
        deck = deck_of(
            replace(person, cards=cards), played.adventure.deck, moment.owns, after_scenario=moment.won_in_a_row()
        )
        members.append(Member(replace(deck, after_death=bool(played.died) if newcomer else None), newcomer=newcomer))
    dead = [
        (person.name, holds(moment, person, lost))
        for person in moment.before.people
        if name_key(person.name) in map(name_key, played.died)
    ]
    return Table(
        set=moment.set,
        adventure=played.adventure.deck,
        members=tuple(members),
        rewards=(*played.rewards, *played.gained.get("", ())),
        dead=tuple(dead),
        owns=moment.owns,
        removed=moment.after.removed,
    )


def holds(moment: Moment, person: Person, lost: Counter[Card]) -> tuple[Card, ...]:
    """What a character holds after the game, before anything is rebuilt; what the table lost is taken off `lost`."""
    played = moment.played
    old = moment.before.person(person.name)
    held = Counter(old.cards if old else person.cards) + Counter(played.gained.get(person.name, ()))
    if visit := played.visits.get(person.name):
        held = held - Counter(visit.paid) + Counter([visit.took] if visit.took else [])
    for piles in (played.banished, played.removed):
        held -= Counter(piles.get(person.name, ()))
    shared = held & lost
    lost -= shared
    return tuple((held - shared).elements())
