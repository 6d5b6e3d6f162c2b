"""Questions for a new campaign and for the record of its next game. The game provides most of them; this module adds
questions about the decks, and about characters who join or leave.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from kb import registry
from kb.campaigns.folder import CampaignError
from kb.campaigns.game_campaign import AnyCampaign
from kb.campaigns.record import deck_place, dumped
from kb.campaigns.replay import OpenCampaign
from kb.decks.deckfile import parse_deck
from kb.decks.file_keys import Key
from kb.decks.form import Field, KeyChange, Person, as_file, changed, form_of
from kb.decks.games import Decks
from kb.decks.nodes import DeckFileError
from kb.decks.questions import Conversation, Question, as_form, yes_or_no
from kb.sources.cards import slug

DECKS = "Decks"
AGREED = "House rules and settings"
NAME = Question("Name of the campaign?", id="name")
WHO = Question("Who plays?", id="players", many=True, needed=True)
SUGGESTED = "Each character starts with the suggested deck, unless you choose another one below."
REBUILD = "Rebuild the decks now, by the rules?"
SUCCESSORS, DEATHS = "Who joins in their place?", ("died", "killed", "insane")
ALSO = "Who else starts with a deck?"
SET = "Which set?"
OWN = Question("Another deck for {} (instead of the suggested one)", id="deck", file=True, group=DECKS, key="decks")
CHANGED = replace(OWN, id="deck_after", text="{}'s deck after the game, if it changed")
NO_DECKS: Mapping[str, str] = MappingProxyType({})


def people_of(game: str, facts: Any, chosen: str) -> dict[str, Person]:
    """Return the characters that a player can start with, by label. If `chosen` is not empty, return only the
    characters of this set or group. The result is empty if the game does not list its characters.
    """
    if registry.part(game, "form") is None:
        return {}
    people = form_of(game).people(facts)
    return {each.label: each for each in people if chosen in ("", each.set, each.group)}


def deck_for(
    game: str, rules: tuple[Decks, Any], who: str, own: str, person: Person | None = None, set_id: str = ""
) -> str:
    """Return the text of the deck file that `who` starts with: their `own` deck, or the suggested deck of the character
    `person`. If `person` is None, the character is the one named `who` in the set `set_id`. Raises KbError if there is
    no such deck or it cannot be read.
    """
    module, facts = rules
    name, set_id = (person.name, person.set) if person else (who, set_id)
    text = as_file(own, who, game, name, set_id, facts) if own else module.new_deck(name, set_id or None, facts)
    if text is None:
        raise CampaignError(f"There is no suggested deck for {who!r}. Give a deck file.")
    return text


def filled_in(text: str, who: str, part: AnyCampaign, facts: Any) -> Generator[Question, list[str], str]:
    """Ask for the values in a suggested deck that only the players know. `text` is the text of the deck, and `who` is
    its owner. Return the text with the answers.
    """
    if not part.begins_with:
        return text
    form, file = form_of(part.game), parse_deck(text, "deck.yaml")
    fields, value = form.fields(file, facts), form.value(file, facts)
    answered = value
    for field in fields:
        if field.key.partition(".")[0] in part.begins_with:
            for number in (yield tile(field, who)):
                answered = changed(answered, KeyChange(field.key, number), fields)
    return text if answered is value else form.text(answered)


def tile(field: Field, who: str) -> Question:
    """Return the question about `field`, a number in the deck of `who` that only the players know."""
    text = f"{field.label}: {field.key.partition('.')[2]}"
    return Question(text, id=field.key, tail=f" of {who}", number=True, most=field.most, group=who, of=who)


def successors(free: Collection[str], gone: Collection[str]) -> Generator[Question, list[str], list[str]]:
    """Ask which of the `free` characters replace the characters who are `gone` permanently. Ask nothing if either list
    is empty.
    """
    return (yield Question(SUCCESSORS, tuple(free), id="successors", many=True, key="joined")) if free and gone else []


def recording(campaign: OpenCampaign, before: Mapping[str, str] = NO_DECKS, rebuild: bool = True) -> Conversation:
    """Ask about the next game and its decks.

    The result contains the keys of the game's file, and the texts of decks by owner (`texts`). The key `fill` in the
    result is True if the rules rebuild the decks. `before` contains the texts of decks that are already in the
    folder. With `rebuild`, the first question about the decks is whether to rebuild them by the rules.
    """
    part, facts = campaign.part, campaign.facts
    people = [deck.who for deck in part.decks(campaign.state, facts)]
    free = {label: each for label, each in people_of(part.game, facts, "").items() if each.called not in people}
    values = yield from campaign.conversation(tuple(free))
    fill = rebuild and part.rebuilds and (yield replace(yes_or_no(REBUILD, "yes", "decks"), id="rebuild")) == ["yes"]
    texts: dict[str, str] = {}
    if not fill:
        gone = {name for key in DEATHS for name in values.get(key, ())}
        joined = values.get("joined", [])
        if not gone and not part.rebuilds:
            joined = yield Question(ALSO, tuple(free), many=True, group=DECKS, key="joined")
        new = (
            {} if part.rebuilds else {free[label].called: free[label] for label in joined}
        )  # games that rebuild decks have asked already
        if new:
            values["joined"] = list(new)
        for name in dict.fromkeys((*people, *values.get("joined", ()))):
            if name in gone or name in values.get("left", ()):
                continue
            question = OWN if name in new else CHANGED
            own = "".join((yield replace(question, of=name, default=before.get(slug(name), ""))))
            if own or name in new:
                text = deck_for(part.game, campaign.rules, name, own, new.get(name))
                texts[name] = text if own else (yield from filled_in(text, name, part, facts))
    if texts:
        values["decks"] = {name: deck_place(name, text) for name, text in texts.items()}
    return {**values, "fill": fill, "texts": texts}


def beginning(part: AnyCampaign, rules: tuple[Decks, Any], before: Mapping[str, str] = NO_DECKS) -> Conversation:
    """Ask the questions for a new campaign. The result contains the keys of its first file, and the texts of the decks
    by owner (`texts`).

    `before` contains the texts of the decks of an existing campaign to continue from (see `begun_with`).
    """
    values: dict[str, Any] = {"game": part.game, "name": "".join((yield NAME))}
    agreed, known = [], part.choices(rules[1])
    for key in asked_of(part):
        if key.name == "set":  # the set decides which characters can start
            (values["set"],) = yield Question(SET, key.choices, needed=True, key=key.name)
        else:
            many = key.example.startswith("[")
            usual = key.example if set(key.choices) == {"yes", "no"} else ""
            choices = known.get(key.name, key.choices)
            asked = replace(question_for(key), choices=choices, many=many, default=usual, group=AGREED, key=key.name)
            agreed.append(asked)
    chosen = values.get("set", "")
    people = people_of(part.game, rules[1], chosen)
    texts: dict[str, str] = {}
    called = {label: person.called for label, person in people.items()}
    who_plays = replace(WHO, choices=tuple(people), note=SUGGESTED, called=called)
    for label in (yield who_plays):
        person = people.get(label)
        name = called.get(label, label)
        own = "".join((yield replace(OWN, of=label, who=name, default=before.get(name, ""))))
        text = deck_for(part.game, rules, label, own, person, chosen)
        if name in texts:
            raise CampaignError(f"{name} is chosen twice.")
        texts[name] = text if own else (yield from filled_in(text, label, part, rules[1]))
    for question in agreed:
        if (said := (yield question)) and said != [question.default]:
            values[question.key] = said if question.many else said[0]
    decks = {name: deck_place(name, text) for name, text in texts.items()}
    return {**{key: value for key, value in values.items() if value}, "decks": decks, "texts": texts}


def asked_of(part: AnyCampaign) -> list[Key]:
    """Return the keys of `campaign.yaml` that need a question. Decks are left out because they have their own
    questions. A mapping by person is left out because it can only be written in the file.
    """
    return [key for key in part.setup if not key.example.startswith("{")]


def question_for(key: Key) -> Question:
    """Return the question about a key of `campaign.yaml`."""
    return Question(SET if key.name == "set" else key.says[:1].upper() + key.says[1:], id=key.name, hint=key.note)


def begun_with(campaign: OpenCampaign, files: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the answers that started a campaign (to the questions of `beginning`), and the texts of its first decks
    by owner. `files` contains the texts of the files in the campaign's folder.
    """
    part, facts, setup = campaign.part, campaign.facts, campaign.said
    decks = {
        name: dumped(deck) if isinstance(deck, Mapping) else files.get(str(deck), "")
        for name, deck in (setup.get("decks") or {}).items()
    }
    people = people_of(part.game, facts, setup.get("set", ""))
    suggested = {
        label: campaign.rules[0].new_deck(each.name, each.set or None, facts)
        for label, each in people.items()
        if each.called in decks
    }
    labels = {}
    for name, deck in decks.items():
        called = [label for label in suggested if people[label].called == name]
        labels[name] = next((label for label in called if suggested[label] == deck), next(iter(called), name))
    answers = {NAME.key_in_form: str(setup.get("name") or ""), WHO.key_in_form: "\n".join(labels.values())}
    for key in asked_of(part):
        if value := setup.get(key.name):
            answers[question_for(key).key_in_form] = (
                "\n".join(map(str, value)) if isinstance(value, list) else str(value)
            )
    for name, label in labels.items():
        try:
            fields = form_of(part.game).fields(parse_deck(decks[name], name), facts) if part.begins_with else ()
        except DeckFileError:
            continue
        for field in fields:
            begins = field.key.partition(".")[0]
            if begins in part.begins_with and field.value not in ("", "0"):
                answers[tile(field, label).key_in_form] = field.value
    try:
        values = as_form(beginning(part, campaign.rules), answers)[1]
    except CampaignError:  # a character has no suggested deck
        values = None
    made = values["texts"] if values else {}
    own = {replace(OWN, who=name).key_in_form: text for name, text in decks.items() if text != made.get(name)}
    return answers | own, decks
