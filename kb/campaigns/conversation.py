"""What is asked when the next game of a campaign is recorded: the game's own questions, who comes instead of the dead, and the decks."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping
from typing import Any

from kb import registry
from kb.campaigns.model import Folder
from kb.campaigns.record import deck_place
from kb.campaigns.replay import Campaigns
from kb.decks.deckfile import parse_deck
from kb.decks.form import as_file, changed, form_of
from kb.decks.games import Decks
from kb.decks.questions import Conversation, Question, yes_or_no
from kb.sources.cards import slug

DECKS = "Decks"
REBUILD = "Rebuild the decks now, by the rules?"
SUCCESSORS, DEATHS = "Who begins in their place?", ("died", "killed", "insane")
ALSO = "Who else begins with a deck?"


def people_of(game: str, facts: Any, chosen: str) -> dict[str, tuple[str, str]]:
    """Who can begin, by what they are called: the name and set that a new deck is asked for; nobody where a game does not list them."""
    if registry.part(game, "form") is None:
        return {}
    found = form_of(game).people(facts)
    return {each.label: (each.name, each.set) for each in found if chosen in ("", each.set, each.group)}


def filled_in(text: str, who: str, part: Campaigns, facts: Any) -> Generator[Question, list[str], str]:
    """A suggested deck with what only the players can know of it."""
    if not part.begins_with:
        return text
    form, file = form_of(part.game), parse_deck(text, "deck.yaml")
    fields, value = form.fields(file, facts), form.value(file, facts)
    told = value
    for field in fields:
        key, _, name = field.key.partition(".")
        if key in part.begins_with:
            asked = Question(f"{field.label}: {name} of {who}", number=True, most=field.most, group=who)
            for said in (yield asked):
                told = changed(told, {"key": field.key, "value": said}, fields)
    return text if told is value else form.text(told)


def with_successors(
    asked: Conversation, free: Collection[str]
) -> Generator[Question, list[str], tuple[dict[str, Any], list[str] | None]]:
    """The questions of a game, and once somebody is out of it for good, who of those `free` comes instead; None where nobody was asked for."""
    question, out, chosen = next(asked), False, None
    while True:
        answer = yield question
        out = out or (question.key in DEATHS and bool(answer))
        try:
            question = asked.send(answer)
        except StopIteration as done:
            return done.value, chosen
        if free and out and chosen is None and question.key not in DEATHS:
            chosen = yield Question(SUCCESSORS, tuple(free), many=True, key="joined")


def recording(part: Campaigns, files: Folder, rules: tuple[Decks, Any], before: Mapping[str, str]) -> Conversation:
    """The questions about the next game, and its decks; gives the keys of its file, with `fill` and `texts`.

    `before` are the texts of decks that the folder holds, to go on from.
    """
    module, facts = rules
    people = [deck.who for deck in part.replay(files, facts).decks]
    free = {
        label: each for label, each in people_of(part.game, facts, "").items() if label.partition(" (")[0] not in people
    }
    asked = part.conversation(files, facts)
    values, chosen = yield from with_successors(asked, () if part.rebuilt else free)
    fill = part.rebuilt is not None and (yield yes_or_no(REBUILD, "yes", "decks")) == ["yes"]
    texts: dict[str, str] = {}
    if not fill:
        gone = {name for key in (*DEATHS, "left") for name in values.get(key, ())}
        known = [name for name in (*people, *values.get("joined", ())) if name not in gone]
        if chosen is None and not part.rebuilt:
            chosen = yield Question(ALSO, tuple(free), many=True, group=DECKS, key="joined")
        new = {label.partition(" (")[0]: free[label] for label in chosen or ()}  # who rebuilds has asked
        for name in dict.fromkeys([*known, *new]):
            words = "begins with (empty: the suggested one)" if name in new else "has after the game, where it changed"
            own = "".join(
                (
                    yield Question(
                        f"The deck that {name} {words}",
                        file=True,
                        group=DECKS,
                        of=name,
                        default=before.get(slug(name), ""),
                        key="decks",
                    )
                )
            )
            called, set_id = new.get(name, ("", ""))
            if own:
                texts[name] = as_file(own, name, part.game, called or name, set_id, facts)
            elif called and (suggested := module.new_deck(called, set_id or None, facts)):
                texts[name] = yield from filled_in(suggested, name, part, facts)
        if new and any(key.name == "joined" for key in part.game_keys()):
            values["joined"] = list(new)
    if texts:
        values["decks"] = {name: deck_place(name, text) for name, text in texts.items()}
    return {**values, "fill": fill, "texts": texts}
