"""A final position as a form: its questions, and what a file answers to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kb.citation import Citation
from kb.decks.deckfile import DeckFile
from kb.decks.nodes import plain_value
from kb.decks.questions import Conversation, Question
from kb.decks.report import in_words
from kb.games.luxor.score import (
    GAME,
    HIGHEST_POINTS,
    MOST_TILES,
    SARCOPHAGI,
    SCARAB_TOKENS,
    Treasures,
    best_sets,
    read_position,
    score_position,
)

WHO = "Who played? (names parted by commas)"
NOTE = "A note?"
WORTH = "What does your game give for {}?"
TILES = ("vases", "jewelry", "statues", "wild_cards")
COUNTS = (*TILES, "keys")
ASKED = {
    "vases": "Vases of {}",
    "jewelry": "Jewelry of {}",
    "statues": "Statues of {}",
    "wild_cards": "Wild cards of {}",
    "looted": "Points for looted tiles (their sum, or each, with commas) of {}",
    "keys": "Keys left of {}",
    "scarabs": "Points on the scarab tokens (with commas) of {}",
    "locations": "Points on the wall beside the adventurers (with commas) of {}",
    "sarcophagi": "Sarcophagi of {}",
}
"""What is asked of each player, by the key of the file."""
WORDS = {key: text.partition(" (")[0].removesuffix(" of {}") for key, text in ASKED.items()}


def asked_of(name: str, key: str) -> Question:
    """The question about a key of a player."""
    text = ASKED[key].format(name)
    if key == "sarcophagi":
        return Question(text, tuple(SARCOPHAGI), many=True, group=name)
    if key in COUNTS:
        return Question(text, number=True, most=MOST_TILES, default="0", group=name)
    most = max(SCARAB_TOKENS) if key == "scarabs" else HIGHEST_POINTS
    return Question(text, number=True, most=most, many=True, group=name)


def questions() -> Conversation:
    """What is asked of a final position; gives the keys of its file."""
    players: list[dict[str, Any]] = []
    for name in dict.fromkeys((yield Question(WHO, many=True, needed=True))):
        player: dict[str, Any] = {"name": name}
        for key in ASKED:
            if said := (yield asked_of(name, key)):
                several = key in ("scarabs", "locations", "sarcophagi") or len(said) > 1
                player[key] = said if several else said[0]
        players.append(player)
    worth = {}
    for number in sorted({sets for player in players if (sets := sets_of(player))}):
        if said := (yield Question(worth_of(number), number=True, most=HIGHEST_POINTS, group="Treasure sets")):
            worth[str(number)] = said[0]
    note = yield Question(NOTE, group="Treasure sets" if worth else "")
    found = {"game": GAME, "set_points": worth, "players": players, "notes": "".join(note)}
    return {key: value for key, value in found.items() if value}


def worth_of(number: int) -> str:
    """What is asked about a number of sets."""
    return WORTH.format("1 set" if number == 1 else f"{number} sets")


def sets_of(player: Mapping[str, Any]) -> int:
    """How many sets the tiles of a player make."""
    return len(best_sets(Treasures(*(int(player.get(key, 0)) for key in TILES))))


def answers(file: DeckFile) -> dict[str, str]:
    """What a file answers, by the texts of the questions. Raises DeckFileError."""
    position = read_position(file)
    value = plain_value(file.root)
    found = {WHO: ", ".join(plain(player.name) for player in position.players), NOTE: str(value.get("notes") or "")}
    for player in position.players:
        name = plain(player.name)
        told = {
            **{key: getattr(player.treasures, key) for key in TILES},
            "looted": player.looted,
            "keys": player.keys if isinstance(player.keys, int) else sum(player.keys),
            "scarabs": player.scarabs,
            "locations": player.locations if player.locations != () else 0,
            "sarcophagi": player.sarcophagi,
        }
        found |= {ASKED[key].format(name): typed(each) for key, each in told.items()}
    found |= {worth_of(number): str(points) for number, points in position.set_points.items()}
    return {key: text for key, text in found.items() if text}


def plain(name: str) -> str:
    """A name as it can stand between commas."""
    return " ".join(name.replace(",", " ").split())


def typed(value: int | Sequence[Any] | None) -> str:
    """A value as it is typed."""
    if isinstance(value, int) or value is None:
        return "" if value is None else str(value)
    return ", ".join(map(str, value))


def scored(file: DeckFile, cites: Mapping[str, Citation]) -> dict[str, Any]:
    """The score of a final position, as the command prints it; but for what to write into the file the `question` is told. Raises
    DeckFileError."""
    position = read_position(file)
    found: dict[str, Any] = {**score_position(position, file.name).as_json(cites)}
    for told, player in zip(found["players"], position.players, strict=True):
        name, sets = plain(player.name), worth_of(len(best_sets(player.treasures)))
        about = {
            "looted tiles": ASKED["looted"].format(name),
            "locations": ASKED["locations"].format(name),
            "treasure sets": sets,
        }
        for line in told["lines"]:
            line["ask"] = in_words(line["ask"].partition(" Write ")[0], WORDS)
            line["question"] = about.get(line["line"], "") if line["ask"] else ""
    return found
