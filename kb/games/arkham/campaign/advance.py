"""Where a group stands after a game, with the step that each changed deck took: `kb deck upgrade` is the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kb.decks.upgrades import StepReport
from kb.games.arkham.campaign.game_file import person_of
from kb.games.arkham.campaign.model import TRAUMA, Group, Held, Person, Played
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.upgrade.campaign import NamedDeck, judge_step


def after(before: Group, played: Played, facts: Facts) -> tuple[Group, Mapping[str, StepReport]]:
    """The group after a game, and the steps of the decks that were recorded with it, by investigator."""
    steps: dict[str, StepReport] = {}
    people: list[Person] = []
    away = list(before.away)
    out = list(before.out)
    for person in before.people:
        now = grown(person, played)
        held = played.decks.get(person.name)
        gone = person.name in (*played.killed, *played.insane)
        if held is not None and not gone:
            now, steps[person.name] = upgraded(now, person, held, played, facts)
        (out if gone else away if person.name in played.left else people).append(now)
    for name in played.joined:
        back = next((person for person in away if person.goes_by(name)), None)
        held = played.decks.get(back.name if back else name)
        if any(person.goes_by(name) for person in people):
            continue
        if back is not None:
            away.remove(back)
            now = back
            if held is not None:
                now, steps[back.name] = upgraded(back, back, held, played, facts)
            people.append(now)
        elif held is not None and (new := person_of(name, held, facts)):
            people.append(new)
    return Group(tuple(people), tuple(away), tuple(out), (*before.played, played.scenario)), steps


def grown(person: Person, played: Played) -> Person:
    """An investigator after a game, before the deck is upgraded."""
    name, suffered = person.name, played.trauma.get(person.name, {})
    return replace(
        person,
        unspent=max(0, person.unspent - (played.cost or 0)) + played.experience.get(name, 0),
        owed=(*person.owed, *played.earned.get(name, ())),
        exiled=(*person.exiled, *played.exiled.get(name, ())),
        lost=(*person.lost, *played.lost.get(name, ())),
        **{kind: getattr(person, kind) + suffered.get(kind, 0) for kind in TRAUMA},
    )


def upgraded(now: Person, before: Person, held: Held, played: Played, facts: Facts) -> tuple[Person, StepReport]:
    """An investigator with the deck after the game, and the step to it.

    What the campaign says of experience and exile holds in place of what the deck file notes of them.
    """
    deck = replace(held.deck, experience=None, adjustment=0, exiled=now.exiled or held.deck.exiled)
    earned = played.experience.get(before.name, 0)
    old = NamedDeck(before.held.file, before.held.deck)
    step = judge_step(old, NamedDeck(held.file, deck), facts, earned, max(0, now.unspent - earned))
    roots = {facts.root(each) for each in deck.cards}
    kept = tuple(code for code in now.owed if facts.root(code) not in roots)
    left = step.unspent if step.unspent is not None else now.unspent
    return replace(now, held=Held(deck, held.file), unspent=left, owed=kept, exiled=(), lost=()), step
