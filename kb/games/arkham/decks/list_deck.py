"""Reads a deck from a plain text list, such as ArkhamDB's text export.

The first line is the deck's name, a line with an investigator's name (or `Investigator: NAME`) names the investigator;
lines with a number are cards (`2x Guts`, `Guts x2`), and below the investigator a card's name alone is one copy; `Side deck` begins
the side deck; other lines (sections, `Packs: …`) are passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kb.decks.names import name_key
from kb.decks.nodes import DeckFileError, DeckProblem, whole
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.model import Card, Deck
from kb.games.arkham.decks.names import CardFinder, UnknownName

_CARD_LINE = re.compile(r"^(?:[-*•]\s*)?(\d{1,4})\s*(?:[xX×]\s*|\s)(\S.*)$")
_COPIES_AFTER = re.compile(r"^(?:[-*•]\s*)?(\S.*?)\s+\(?[xX×]\s?(\d{1,4})\)?$")
_BULLET = re.compile(r"^[-*•]\s*")
_SLOTS = frozenset({"hand", "arcane"})  # `Hand x2` is the heading of a section
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
        if card := _card_line(line, found.investigator is not None):
            copies, name = card
            try:
                code = names.find(name).code
                pile[code] = pile.get(code, 0) + copies
            except UnknownName as error:
                found.problems.append(DeckProblem(number, str(error)))
        elif _SIDE.match(line):
            pile = found.side_deck
        elif _SPIRIT.match(line):
            pile = found.extra
        elif key := _KEY_LINE.match(line):
            _setting(found, key[1].casefold(), key[2].strip(), names, number)
        elif found.investigator is not None and (alone := _named_alone(line, names)):
            pile[alone.code] = pile.get(alone.code, 0) + 1
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


def _card_line(line: str, below: bool) -> tuple[int, str] | None:
    """Copies and name of a line that says both; copies after the name count `below` the investigator only, for a deck may be called so."""
    if card := _CARD_LINE.match(line):
        return int(card[1]), card[2]
    card = _COPIES_AFTER.match(line) if below else None
    return (int(card[2]), card[1]) if card and name_key(card[1]) not in _SLOTS else None


def _named_alone(line: str, names: CardFinder) -> Card | None:
    """The card whose name is all of a line; None for a heading."""
    name = _BULLET.sub("", line)
    try:
        return names.find(name) if names.begins(name) else None
    except UnknownName:
        return None


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
