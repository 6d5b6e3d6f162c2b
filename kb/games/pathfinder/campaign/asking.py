"""Asks the questions that players answer to record the next game of a Pathfinder campaign."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from dataclasses import replace
from typing import Any

from kb.decks.names import either, split_quantity
from kb.decks.questions import Conversation, Question, for_each, yes_or_no
from kb.games.pathfinder.campaign.game_step import (
    Feat,
    GameStep,
    PartyState,
    PathfinderSetup,
    Played,
    Stop,
    after,
    stops_before,
)
from kb.games.pathfinder.campaign.rules import open_boxes
from kb.games.pathfinder.decks.facts import ADVENTURES, FEAT_KINDS, Facts, names
from kb.games.pathfinder.party.after_scenario import GAINED, JOINS, KEPT, REWARDS, WISHES, found_by
from kb.plural import counted


def asked(setup: PathfinderSetup, party: PartyState, facts: Facts, free: Collection[str]) -> Conversation:
    """Ask about the next game of a party. Returns the answers by their keys in the game's file.

    `free` is not used: a new member may be any character in the set that nobody plays.
    """
    stops, every = facts.scenarios(setup.set), facts.of_set(setup.set)
    in_set = names(every)
    places = {name: (adventure.deck, number) for name, (adventure, number) in stops.items()}
    follow = [name for name, stop in places.items() if may_follow(setup, party, facts, stop)]
    follow.sort(key=lambda name: (places[name] in party.won, not stops[name][0].path))
    fresh = [name for name in follow if places[name] not in party.won]
    hint = f"next: {either(fresh[:3]) or 'none is left'}"
    default = next((name for name in fresh if stops[name][0].path), "")
    (name,) = yield Question("Which scenario?", hint=hint, choices=follow, needed=True, default=default, key="scenario")
    values: dict[str, Any] = {"scenario": name}
    (values["won"],) = yield yes_or_no("Was it won?", key="won")
    people = [person.name for person in party.people]
    there = yield from some_of(people, Question("Who played?", id="played", default=", ".join(people)))
    values["absent"] = [each for each in people if each not in there]
    values["died"] = yield from some_of(there, Question("Who died?", id="died", key="died"))
    others = [
        each.name for (owner, _), each in facts.characters.items() if owner == setup.set and each.name not in people
    ]
    values["joined"] = yield from some_of(others, Question(JOINS, key="joined"))
    played = Played(stops[name], values["won"] == "yes", died=tuple(values["died"]), absent=tuple(values["absent"]))
    step = GameStep(setup, party, played, after(party, played, setup, facts), True, facts)
    begun = [card.name for card in every if card.number is None or card.number <= step.number]
    cards = Question(choices=begun, many=True, copies=True, finds=found_by(every))
    gained = replace(cards, key="gained", note=GAINED, cite=KEPT.format(setup.set))
    values["gained"] = yield from for_each(there, "Which new boons did {} end with?", gained)
    values["banished"] = yield from for_each(there, "Which cards of {} were banished?", replace(cards, key="banished"))
    if played.won:
        values |= yield from rewards(step, replace(gained, choices=in_set, key="rewards"))
        new = [split_quantity(each)[1] for cards in values["gained"].values() for each in cards]
        values["traders"] = yield from trades(step, list(dict.fromkeys([*names(party.held()), *new])))
    living = [person.name for person in step.present]
    wish = replace(cards, choices=in_set, copies=False, key="wishes")
    values["wishes"] = yield from for_each(living, WISHES, wish)
    values["left"] = yield from some_of(living, Question("Who leaves the party?", key="left"))
    return values


def some_of(people: Sequence[str], question: Question) -> Generator[Question, list[str], list[str]]:
    """Ask `question` with `people` as choices and return the names chosen.

    Without people, nothing is asked, because a question without choices would accept any text.
    """
    return (yield replace(question, choices=people, many=True)) if people else []


def may_follow(setup: PathfinderSetup, party: PartyState, facts: Facts, stop: Stop) -> bool:
    """Return True if the party may play the scenario `stop`, because it has won all scenarios before it."""
    if stop[0] != "B" and ADVENTURES.index(stop[0]) < ADVENTURES.index(setup.starts):
        return False
    return all(each in party.won for each, _ in stops_before(facts, setup.set, stop, setup.starts))


def rewards(step: GameStep, cards: Question) -> Conversation:
    """Ask which cards the reward gave, and which feats and roles the characters chose.

    Returns the answers under `rewards`, `feats` and `role`. `cards` is the question about cards, without its text.
    """
    gives = {each.name: each for person in step.present for each in step.rewards(person)}.values()
    loot = [name for each in gives if each.said is not None for name in each.loot]
    reward = "; ".join(each.said for each in gives if each.said) or "no source states the reward"
    said = f"The reward: {reward}. {cards.note}"
    taken = yield replace(cards, text=REWARDS, default=", ".join(loot), note=said)
    feats: dict[str, Any] = {}
    roles: dict[str, str] = {}
    for person in step.present:
        due = list(step.rewards(person))
        for kind in FEAT_KINDS:
            asks = Question(f"{{}}: what is the {kind} feat spent on?", id=f"feats.{kind}", key="feats", of=person.name)
            for _ in range(sum(each.feats.get(kind, 0) for each in due if each.said is not None)):
                for what in (yield replace(asks, choices=open_boxes(person, kind))):
                    feats.setdefault(person.name, {}).setdefault(kind, []).append(what)
                    person = replace(person, feats=(*person.feats, Feat(kind, what)))
        if any(each.role for each in due) and not person.role:
            roles_of = person.character.roles
            side = yield Question("{}: which side of the role card?", choices=roles_of, key="role", of=person.name)
            roles.update((person.name, name) for name in side)
    return {"rewards": taken, "feats": feats, "role": roles}


def trades(step: GameStep, boons: Sequence[str]) -> Conversation:
    """Ask for each living character which trader they visited, which card they took, and what they paid.

    `boons` are the names of the cards that the characters can pay with. Returns the visits by the name of the
    character.
    """
    visits: dict[str, Any] = {}
    for person in step.present if step.after.traders else ():
        there = sorted(step.after.traders)
        visit = Question("Which trader did {} visit?", choices=there, key="traders", of=person.name)
        for named in (yield visit):
            visits[person.name] = {"trader": named}
            trader, in_set = step.facts.traders(step.set).get(named), step.facts.of_set(step.set)
            offered = [card.name for card in in_set if trader is None or trader.may_have(card, step.number)]
            price = f"a trade costs {counted(trader.cost, 'boon')}" if trader else ""
            which = f"{{}}: which card from {named}?"
            take = Question(which, offered, f"took.{named}", hint=price, key="traders.took", of=person.name)
            for took in (yield take):
                words = f"{{}}: what was paid to {named}?"
                pay = Question(words, boons, f"paid.{named}", key="traders.paid", of=person.name)
                paid = yield replace(pay, many=True, copies=True)
                visits[person.name] |= {"took": took, "paid": paid}
    return visits
