"""The questions that `kb campaign` asks to set up an Arkham Horror campaign and to record a game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from kb.campaigns.conversation import successors
from kb.decks.names import name_key
from kb.decks.questions import Conversation, Question, for_each, single, yes_or_no
from kb.games.arkham.campaign.file_reader import CORE_CAMPAIGN, SOMETHING
from kb.games.arkham.campaign.state import TRAUMA as KINDS
from kb.games.arkham.campaign.state import TRAUMA_BY, ArkhamSetup, Group
from kb.games.arkham.decks.card import ArkhamCard
from kb.games.arkham.decks.facts import ArkhamFacts

SUFFERED = "An investigator defeated by damage suffers 1 physical trauma; one defeated by horror, 1 mental trauma."

NUMBER = Question(number=True, default="0")


def questions(setup: ArkhamSetup, state: Group, facts: ArkhamFacts, free: Collection[str]) -> Conversation:
    """Ask about the next game, and return the answers under the keys of a game's file.

    `state` is the group before the game. `free` are the names of investigators who may join.
    """
    people = [person.name for person in state.people]
    (scenario,) = yield Question("Which scenario?", needed=True, default=coming(setup, state, facts), key="scenario")
    values: dict[str, Any] = {"scenario": scenario}
    values["resolution"] = "".join((yield Question("How did it end?", hint="such as R1", key="resolution")))
    if (yield yes_or_no("Was it a side story?", "no", "side_story")) == ["yes"]:
        values["side_story"] = "yes"
        values["cost"] = "".join(
            (yield Question("How much experience did each investigator pay for it?", number=True, key="cost"))
        )
    there = yield Question("Who played?", people, "played", many=True, default=", ".join(people))
    values["experience"] = single(
        (yield from for_each(there, "How much experience did {} earn?", replace(NUMBER, key="experience")))
    )
    values |= yield from harm(there)
    values["killed"] = yield Question("Who was killed?", there, many=True, key="killed")
    values["insane"] = yield Question("Who was driven insane?", there, many=True, key="insane")
    values["joined"] = yield from successors(free, [*values["killed"], *values["insane"]])
    given = Question(choices=given_names(facts), many=True, copies=True, key="earned")
    values["earned"] = yield from for_each(there, "Which story cards and weaknesses did {} gain?", given)
    for key, words in (("lost", "did {} lose to the campaign"), ("exiled", "did {} exile")):
        values[key] = {}
        for person in state.people:
            if person.name in there:
                codes = (*person.held.deck.cards, *person.owed)
                held = Question(choices=labels(map(facts.card, codes)), many=True, copies=True, key=key)
                values[key] |= yield from for_each([person.name], f"Which cards {words}?", held)
    values["log"] = yield Question("What did you write in the campaign log?", id="log", many=True, lines=True)
    values["left"] = yield Question("Who leaves the campaign?", people, many=True, key="left")
    return values


def harm(there: Sequence[str]) -> Conversation:
    """Ask who was defeated and how, and who suffered trauma; return the answers under `defeated` and `trauma`.

    `there` are the investigators who played. The suggested answer is 1 physical trauma for a defeat by damage, 1 mental
    trauma for a defeat by horror.
    """
    defeated = yield Question("Who was defeated?", there, many=True, key="defeated")
    ways = Question(choices=(*TRAUMA_BY, SOMETHING), needed=True, default=SOMETHING, key="defeated")
    how = single((yield from for_each(defeated, "{} was defeated by", ways)))
    by = {name: TRAUMA_BY[way] for name, way in how.items() if way in TRAUMA_BY}
    words = "Who suffered trauma, physical or mental?"
    hurt = yield Question(
        words, there, many=True, default="; ".join(by), key="trauma", cite="arkham/glossary/trauma", note=SUFFERED
    )
    trauma: dict[str, dict[str, str]] = {}
    for name in hurt:
        for kind in KINDS:
            default = "1" if by.get(name) == kind else "0"
            about = Question(f"{{}}: {kind} trauma", id=f"trauma.{kind}", key="trauma", of=name)
            number = yield replace(about, number=True, default=default)
            if number != ["0"]:
                trauma.setdefault(name, {})[kind] = number[0]
    return {"defeated": how, "trauma": trauma}


def labels(cards: Iterable[ArkhamCard | None]) -> tuple[str, ...]:
    """Return the names of `cards` as answers to choose from, without repeats. Skip items that are None."""
    return tuple(dict.fromkeys(card.label.name for card in cards if card))


def given_names(facts: ArkhamFacts) -> tuple[str, ...]:
    """Return the sorted names of all cards that a campaign can give to investigators: story cards and weaknesses."""
    cards = (card for code in facts.codes() if facts.root(code) == code and (card := facts.card(code)))
    return tuple(
        sorted(labels(card for card in cards if card.type != "investigator" and (card.story or card.weakness)))
    )


def coming(setup: ArkhamSetup, group: Group, facts: ArkhamFacts) -> str:
    """Return the name of the scenario that follows the last one played in the campaign's cycle; empty if there is none."""
    own = [(key, name) for key, (name, cycle) in facts.scenarios.items() if cycle and cycle == setup.cycle]
    played = {name_key(name) for name in group.played}
    last = max((place for place, (key, _) in enumerate(own) if key in played), default=-1)
    return next((name for _, name in own[last + 1 :]), "")


def choices(facts: ArkhamFacts) -> dict[str, tuple[str, ...]]:
    """Return the answers to choose from when a campaign is set up.

    `campaign` lists campaigns in the order of their products. `taboo` lists the numbers of taboo lists, newest first.
    """
    played = [
        each
        for code, each in facts.cycles.items()
        if each.expansion and any(code == of for _, of in facts.scenarios.values())
    ]
    return {
        "campaign": (CORE_CAMPAIGN, *(each.name for each in sorted(played, key=lambda each: each.position))),
        "taboo": tuple(map(str, reversed(facts.taboos))),
    }
