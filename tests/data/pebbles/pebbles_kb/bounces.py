"""The score of Pebbles: how often the stones of each player bounced."""

from __future__ import annotations

from kb.decks.deckfile import DeckFile, refusal
from kb.decks.fields import Fields
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.questions import Conversation, Question, for_each, single
from kb.decks.remedies import Set
from kb.decks.scores import PlayerScore, Score, ScoreLine

PLAYERS = Question("Who threw stones?", id="players", many=True, needed=True)
BOUNCES = Question(id="bounces", number=True)


def questions() -> Conversation:
    names = yield PLAYERS
    counted = single((yield from for_each(names, "How many bounces did {} count?", BOUNCES)))
    return {"game": "pebbles", "bounces": {name: counted.get(name) for name in names}}


def answers(file: DeckFile) -> dict[str, str]:
    bounces = read(file)
    counted = {f"bounces/{name}": str(number) for name, number in bounces.items() if number is not None}
    return {"players": ", ".join(bounces), **counted}


def scored(file: DeckFile) -> Score:
    players = tuple(PlayerScore(name, (line(name, number),)) for name, number in read(file).items())
    return Score(players, file.name, "pebbles", "The lighter pouch wins.")


def line(name: str, number: int | None) -> ScoreLine:
    if number is not None:
        return ScoreLine("bounces", number, "after seven turns", ("pebbles/win",))
    missing, remedies = f"{name} counted no bounces.", (Set("bounces", who=name),)
    return ScoreLine("bounces", None, "not counted", ("pebbles/win",), missing, remedies, f"bounces/{name}")


def read(file: DeckFile) -> dict[str, int | None]:
    problems: list[DeckProblem] = []
    bounces = Fields(file.root, problems).below("bounces")
    if bounces is None:
        raise refusal(file.name, "needs `bounces:` with a number for each player.")
    counted = {
        name.text: bounces.count(node, name.text, 999) if getattr(node, "text", "?") else None
        for name, node in bounces.mapping.pairs
    }
    if problems:
        raise DeckFileError(file.name, problems)
    return counted
