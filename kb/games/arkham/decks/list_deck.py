"""Reads a deck from a plain text list, such as ArkhamDB's text export.

The first line is the deck's name, a line with an investigator's name (or `Investigator: NAME`) names the investigator;
lines with a number are cards; `Side deck` begins the side deck; other lines (sections, `Packs: …`) are passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kb.decks.nodes import DeckFileError, DeckProblem, whole
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.model import Card, Deck
from kb.games.arkham.decks.names import CardFinder, UnknownName

_CARD_LINE = re.compile(r"^(?:[-*•]\s*)?(\d{1,4})\s*(?:[xX×]\s*|\s)(\S.*)$")
_KEY_LINE = re.compile(r"^([A-Za-z][A-Za-z ]{2,24}?)\s*:\s*(.+)$")
_SIDE = re.compile(r"^(side ?deck|side ?slots)\b", re.IGNORECASE)
_SPIRIT = re.compile(r"^(spirit|extra) deck\b", re.IGNORECASE)
_CHOICES = {"class": "faction_selected", "deck size": "deck_size_selected", "option": "option_selected"}


@dataclass(slots=True)
class _List:
    """What has been read so far."""

    name: str = ""
    investigator: Card | None = None
    front: str = ""
    back: str = ""
    taboo: int = 0
    experience: int | None = None
    choices: dict[str, str] = field(default_factory=dict)
    cards: dict[str, int] = field(default_factory=dict)
    side_deck: dict[str, int] = field(default_factory=dict)
    extra: dict[str, int] = field(default_factory=dict)
    problems: list[DeckProblem] = field(default_factory=list)


def list_deck(text: str, facts: Facts, file: str = "") -> Deck:
    """The deck of a text list. Raises DeckFileError with every line that cannot be read."""
    names, found = CardFinder(facts), _List()
    pile = found.cards
    for number, raw in enumerate(text.splitlines(), 1):
        line = re.split(r"\s#\s|^#|^//", raw)[0].strip()
        if not line:
            continue
        if card := _CARD_LINE.match(line):
            try:
                code = names.find(card[2]).code
                pile[code] = pile.get(code, 0) + int(card[1])
            except UnknownName as error:
                found.problems.append(DeckProblem(number, str(error)))
        elif _SIDE.match(line):
            pile = found.side_deck
        elif _SPIRIT.match(line):
            pile = found.extra
        elif key := _KEY_LINE.match(line):
            _setting(found, key[1].casefold(), key[2].strip(), names, number)
        else:
            _other_line(found, line, names)
    if found.investigator is None:
        found.problems.append(DeckProblem(0, "no line names an investigator; write `Investigator: NAME`."))
    if found.problems or found.investigator is None:
        raise DeckFileError(file, found.problems)
    return Deck(
        investigator=found.investigator.code,
        cards=found.cards,
        name=found.name,
        front=found.front,
        back=found.back,
        side_deck=found.side_deck,
        extra=found.extra,
        choices=found.choices,
        taboo=found.taboo,
        experience=found.experience,
    )


def _setting(found: _List, key: str, value: str, names: CardFinder, number: int) -> None:
    """A line `key: value`. Keys that mean nothing to us are passed over: exports have many."""
    try:
        if key == "investigator":
            found.investigator = names.find(value, investigator=True)
        elif key in ("front", "back"):
            setattr(found, key, names.find(value, investigator=True).code)
        elif key in ("name", "deck"):
            found.name = value
        elif key in ("taboo", "taboo list") and (given := whole(value)) is not None:
            found.taboo = given
        elif key in ("experience", "xp") and (given := whole(value)) is not None:
            found.experience = given
        elif key in _CHOICES:
            found.choices[_CHOICES[key]] = value.casefold()
    except UnknownName as error:
        found.problems.append(DeckProblem(number, str(error)))


def _other_line(found: _List, line: str, names: CardFinder) -> None:
    """A line without a number: the deck's name at the top, the investigator, or a section's heading."""
    if not found.cards and found.investigator is None:
        try:
            found.investigator = names.find(line, investigator=True)
            return
        except UnknownName:
            pass
    if not found.name:
        found.name = line
