"""The questions that ask for a final Luxor position, in a form on the web or in the terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.file_keys import described
from kb.decks.questions import Conversation, Question
from kb.games.luxor.position import GAME, HIGHEST_POINTS, SARCOPHAGI, TILES, Player, read_position, sets_of

WHO = Question("Who played?", id="players", hint="names separated by commas", many=True, needed=True)
NOTE = Question("A note?", id="notes")
WORTH = "How many points does your game give for {}?"
ASKED = {name: key for name, key in described(Player).items() if key.asks}
"""The keys that the form asks for, out of a player's keys in the file, by the name of their field in `Player`."""
LISTS = ("points", "sarcophagi")
"""Kinds of keys whose value is always a list, even if it contains only one number."""


def asked_of(name: str, key: str) -> Question:
    """Return the question that asks for the value of `key` of the player called `name`."""
    about = ASKED[key]
    return Question(
        about.asks,
        about.choices,
        id=key,
        tail=f" of {name}",
        group=name,
        who=name,
        many=about.kind != "number",
        default=about.default,
        number=not about.choices,
        most=about.most,
    )


def of(name: str, key: str) -> str:
    """Return the id of the form field that asks for the value of `key` of the player called `name`."""
    return asked_of(name, key).key_in_form


def questions() -> Conversation:
    """Ask for a final position, question by question. Returns the content of its file, as keys with their values."""
    players: list[dict[str, Any]] = []
    for name in dict.fromkeys((yield WHO)):
        player: dict[str, Any] = {"name": name}
        for key in ASKED:
            if answer := (yield asked_of(name, key)):
                player[key] = answer if ASKED[key].kind in LISTS or len(answer) > 1 else answer[0]
        players.append(player)
    worth = {}
    tiles = ([int(player.get(key, 0)) for key in TILES] for player in players)
    for number in sorted({sets for each in tiles if (sets := len(sets_of(each)))}):
        if answer := (yield worth_of(number)):
            worth[str(number)] = answer[0]
    note = yield replace(NOTE, group="Treasure sets" if worth else "")
    position = {"game": GAME, "set_points": worth, "players": players, "notes": "".join(note)}
    return {key: value for key, value in position.items() if value}


def worth_of(number: int) -> Question:
    """Return the question that asks how many points the game gives for `number` treasure sets."""
    text = WORTH.format("1 set" if number == 1 else f"{number} sets")
    return Question(text, id=f"set_points.{number}", number=True, most=HIGHEST_POINTS, group="Treasure sets")


def answers(file: DeckFile) -> dict[str, str]:
    """Return the form's answers that describe the position in `file`, by the id of their form field.

    Raises DeckFileError if the file cannot be read.
    """
    position = read_position(file)
    by_question = {
        WHO.key_in_form: ", ".join(plain(player.name) for player in position.players),
        NOTE.key_in_form: str(position.notes or ""),
    }
    for player in position.players:
        held = {key: getattr(player, key) for key in ASKED}
        held["sarcophagi"] = [which for which, points in SARCOPHAGI.items() if points in player.sarcophagi]
        for key, value in held.items():
            if value is not None:
                listed = str(value) if isinstance(value, int) else ", ".join(map(str, value))
                by_question[of(plain(player.name), key)] = listed or ("0" if key in ("looted", "locations") else "")
    by_question |= {worth_of(number).key_in_form: str(points) for number, points in position.set_points.items()}
    return {key: text for key, text in by_question.items() if text}


def plain(name: str) -> str:
    """Return `name` with blanks instead of commas, so that it can be an item of a comma-separated list."""
    return " ".join(name.replace(",", " ").split())
