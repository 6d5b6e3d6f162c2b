"""What is asked when a Pathfinder game is recorded: scenario, outcome, who was there, what each gained, what the reward gave."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kb.decks.names import either
from kb.decks.questions import Conversation, Question, for_each, yes_or_no
from kb.games.pathfinder.campaign.advance import after
from kb.games.pathfinder.campaign.model import Feat, Head, Moment, Party, Person, Played, Stop, stops_before
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import ADVENTURES, CARD_TYPES, FEAT_KINDS, Adventure, FeatKind


def asked(head: Head, party: Party, facts: Facts) -> Conversation:
    """The questions about the next game of a party."""
    stops = {
        gives.name: (adventure, number)
        for adventure in facts.adventures.get(head.set, ())
        for number, gives in enumerate(adventure.scenarios, 1)
    }
    follow = [
        name for name, (adventure, number) in stops.items() if may_follow(head, party, facts, (adventure.deck, number))
    ]
    follow.sort(key=lambda name: not stops[name][0].path)
    fresh = [name for name in follow if (stops[name][0].deck, stops[name][1]) not in party.won]
    words = f"Which scenario? (next: {either(fresh[:3]) or 'none is left'})"
    (name,) = yield Question(
        words, [*fresh, *(each for each in follow if each not in fresh)], needed=True, default="".join(fresh[:1])
    )
    adventure, number = stops[name]
    values: dict[str, Any] = {"scenario": name}
    (values["won"],) = yield yes_or_no("Was it won?")
    people = [person.name for person in party.people]
    there = yield Question("Who played?", people, many=True, default=", ".join(people))
    values["absent"] = [each for each in people if each not in there]
    values["died"] = yield Question("Who died?", there, many=True)
    deck = ADVENTURES.index(adventure.deck)
    known = [card.name for card in facts.of_set(head.set) if card.number is None or card.number <= deck]
    cards = Question(choices=known, many=True, copies=True)
    values["gained"] = yield from for_each(there, "Which boons did {} gain, and not lose again?", cards)
    values["banished"] = yield from for_each(there, "Which cards of {} were banished?", cards)
    if values["won"] == "yes":
        values |= yield from rewards(head, party, facts, adventure, number, values)
    free = [each.name for each in characters(head, facts) if each.name not in people]
    wish = Question(choices=[card.name for card in facts.of_set(head.set)], many=True)
    values["wishes"] = yield from for_each(there, "Which cards of the table would {} like to have?", wish)
    values["left"] = yield Question(
        "Who leaves the party?", [each for each in there if each not in values["died"]], many=True
    )
    values["joined"] = yield Question("Who begins, or comes back, for the next game?", free, many=True)
    return values


def may_follow(head: Head, party: Party, facts: Facts, stop: Stop) -> bool:
    """Whether all scenarios before one are won, so that it may be played."""
    if stop[0] != "B" and ADVENTURES.index(stop[0]) < ADVENTURES.index(head.starts):
        return False
    return all(each in party.won for each, _ in stops_before(facts, head.set, stop, head.starts))


def characters(head: Head, facts: Facts) -> Iterator[Any]:
    """The characters of the set."""
    return (each for (owner, _), each in facts.characters.items() if owner == head.set)


def rewards(
    head: Head, party: Party, facts: Facts, adventure: Adventure, number: int, said: dict[str, Any]
) -> Conversation:
    """What the reward gave: its cards, and the feats and role of each who is there."""
    played = Played((adventure, number), True, died=tuple(said["died"]), absent=tuple(said["absent"]))
    moment = Moment(party, played, after(party, played, facts, head.set), True, facts, head)
    known = [card.name for card in facts.of_set(head.set)]
    gives = {each.name: each for person in moment.present for each in moment.rewards(person)}.values()
    loot = [name for each in gives if each.said is not None for name in each.loot]
    told = "; ".join(each.said for each in gives if each.said)
    cards = yield Question(f"Which cards did the reward give? ({told or 'no source tells the reward'})", known, many=True, copies=True,
                           default=", ".join(loot))  # fmt: skip
    feats: dict[str, Any] = {}
    roles: dict[str, str] = {}
    for person in moment.present:
        here = list(moment.rewards(person))
        for kind in FEAT_KINDS:
            for _ in range(sum(each.feats.get(kind, 0) for each in here if each.said is not None)):
                if chosen := (
                    yield Question(f"{person.name}: what is the {kind} feat spent on?", open_boxes(person, kind))
                ):
                    feats.setdefault(person.name, {}).setdefault(kind, []).append(chosen[0])
                    person = replace(person, feats=(*person.feats, Feat(kind, chosen[0])))
        if any(each.role for each in here) and not person.role:
            side = yield Question(f"{person.name}: which side of the role card?", person.character.roles)
            roles.update((person.name, name) for name in side)
    return {"rewards": cards, "feats": feats, "role": roles}


def open_boxes(person: Person, kind: FeatKind) -> list[str]:
    """What a feat may be spent on; empty where any text will do."""
    taken = [feat.what for feat in person.feats if feat.kind == kind]
    if kind == "card":
        lines = person.character.cards_list
        boxes = {each: (lines[each].maximum or 99) - lines[each].base for each in CARD_TYPES}
    else:
        boxes = dict(person.character.skill_feat_boxes or {}) if kind == "skill" else {}
    return [what for what, number in boxes.items() if taken.count(what) < number]
