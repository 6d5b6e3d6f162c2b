"""Reads a deck from a plain text list, such as ArkhamDB's text export.

The first line is the deck's name, a line with an investigator's name (or `Investigator: NAME`) names the investigator;
lines with a number are cards (`2x Guts`, `Guts x2`, `Guts, 2`), and below the investigator a card's name alone is one copy; `Side deck`
begins the side deck. Headings of sections and what other programs say of a deck (`Packs: …`) are passed over; any other line below the
investigator is a problem, for it may be a card.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from kb.decks.names import name_key
from kb.decks.nodes import DeckFileError, DeckProblem, whole
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import taboo_called
from kb.games.arkham.decks.model import Card, Deck
from kb.games.arkham.decks.names import CardFinder, UnknownName

_SPOKEN = """
accessory adjustment ally and arcane asset available basic body bonded campaign card class core cost customizable date deck enemy event
exceptional experience extra free guardian hand head health id in investigator level list location main mental multiclass myriad mystic
neutral no number of or other permanent physical player product random required rogue sanity seeker set side signature size skill slot
special spent spirit starting story survivor tarot the total trauma treachery two unique unspent upgrade version weakness without xp
year
"""
_WORDS = frozenset(_SPOKEN.split())
_ENDS = (("ies", "y"), ("sses", "ss"), ("s", ""))  # of more than one


def is_heading(line: str, facts: Facts) -> bool:
    """Whether nothing in a line can be a card: words of sections and numbers, the name of a product, a rule of signs."""
    bare = re.sub(r"[(\[]?[xX×]?\d+[xX×]?[)\]]?", " ", line).strip(" \t-*•=_~#:.")
    if name_key(bare) in facts.pack_names or name_key(bare) in facts.cycle_names:
        return True
    return all(map(_of_sections, re.findall(r"[^\W\d_]+", bare)))


def _of_sections(word: str) -> bool:
    small = word.casefold()
    singular = next((small.removesuffix(end) + instead for end, instead in _ENDS if small.endswith(end)), small)
    return small in _WORDS or singular in _WORDS


_BULLET = re.compile(r"^[-*•]\s+|^•")
_KEY_LINE = re.compile(r"^([A-Za-z][A-Za-z ]{1,24}?(?: \d)?)\s*:\s*(.+)$")
_SIDE = re.compile(r"^(side ?(?:deck|board|slots))\b", re.IGNORECASE)
_SPIRIT = re.compile(r"^(?:(?:spirit|extra) deck\b|spirits$)", re.IGNORECASE)
_MARKS = re.compile(r"†| \(C\)(?= x\d|$)")  # of arkham.build: under taboo, customizable
_CHOICES = {
    "faction 1": "faction_1",
    "faction 2": "faction_2",
    "class": "faction_selected",
    "deck size": "deck_size_selected",
    "option": "option_selected",
}
_KEYS = {
    *_CHOICES,
    "investigator",
    "front",
    "back",
    "name",
    "deck",
    "taboo",
    "taboo list",
    "experience",
    "xp",
    "packs",
    "parallel",
}


@dataclass(slots=True)
class _List:
    """What has been read so far."""

    name: str = ""
    investigators: list[Card] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    packs: str = ""
    front: str = ""
    back: str = ""
    taboo: int = 0
    experience: int | None = None
    choices: dict[str, str] = field(default_factory=dict)
    cards: dict[str, int] = field(default_factory=dict)
    side_deck: dict[str, int] = field(default_factory=dict)
    extra: dict[str, int] = field(default_factory=dict)
    problems: list[DeckProblem] = field(default_factory=list)


def list_deck(text: str, facts: Facts, file: str = "", prefer: Collection[str] = ()) -> Deck:
    """The deck of a text list. Raises DeckFileError with every line that cannot be read."""
    names, found = CardFinder(facts, prefer), _List()
    pile = found.cards
    for number, raw in enumerate(text.splitlines(), 1):
        line = (
            _MARKS.sub("", re.split(r"\s#\s|^#(?!#? ?spirits)|^//", raw, flags=re.IGNORECASE)[0]).strip().lstrip("# ")
        )
        if not line:
            continue
        try:
            if _SIDE.match(line):
                pile = found.side_deck
            elif _SPIRIT.match(line):
                pile = found.extra
            elif not found.investigators and _names_investigator(line, names):
                found.investigators = names.fitting(line, investigator=True)
            elif card := _card_line(found, _BULLET.sub("", line), names, facts):
                copies, name = card
                code = names.find(name).code
                pile[code] = pile.get(code, 0) + copies
            elif key := _KEY_LINE.match(line):
                _setting(found, key[1].casefold(), key[2].strip(), names)
            elif not is_heading(line, facts):
                _other_line(found, line, names)
        except UnknownName as error:
            found.problems.append(DeckProblem(number, str(error)))
    investigator = ""
    try:
        if found.investigators:
            settled = names.settled(found.investigators, found.cards, found.packs)
            investigator, found.cards = settled.code, names.own(found.cards, settled)
        else:
            hint = names.nearest_investigator([*found.above, found.name])
            raise UnknownName(f"no line names an investigator; write `Investigator: NAME`.{hint}")
    except UnknownName as error:
        found.problems.append(DeckProblem(0, str(error)))
    if found.problems:
        raise DeckFileError(file, found.problems)
    return Deck(
        investigator=investigator,
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


def _card_line(found: _List, line: str, names: CardFinder, facts: Facts) -> tuple[int, str] | None:
    """Copies and name of a line that is a card, or is meant to be one; None for others.

    Above the investigator only copies before a name tell, for a deck may be called like a card.
    """
    copies, name = names.counted(line)
    counted = name != line
    if key := _KEY_LINE.match(line):
        card = key[1].casefold() not in _KEYS and (names.begins(key[1]) or (counted and not is_heading(line, facts)))
        return (copies, name) if card else None
    if not found.investigators:
        return (copies, name) if counted and line.endswith(name) else None
    return (copies, name) if names.begins(name) or (counted and not is_heading(line, facts)) else None


def _setting(found: _List, key: str, value: str, names: CardFinder) -> None:
    """A line `key: value`. Keys that mean nothing to us are passed over: exports have many. Raises UnknownName."""
    if key == "investigator":
        found.investigators = names.fitting(value, investigator=True)
    elif key in ("front", "back"):
        setattr(found, key, names.find(value, investigator=True).code)
    elif key == "parallel":
        for side in ("front", "back"):
            if f"parallel {side}" in value.casefold() and found.investigators:
                setattr(found, side, _parallel(found.investigators[0], names.facts))
    elif key == "packs":
        found.packs = value
    elif key in ("name", "deck"):
        found.name = value
    elif key in ("taboo", "taboo list"):
        found.taboo = _told(
            taboo_called(value, names.facts), f"`{key}` must be the number of a list, `latest` or `none`"
        )
    elif key in ("experience", "xp"):
        found.experience = _told(whole(value), f"`{key}` must be a whole number")
    elif key in _CHOICES:
        found.choices[_CHOICES[key]] = value.casefold()


def _told(value: int | None, otherwise: str) -> int:
    """A value that could be read. Raises UnknownName."""
    if value is None:
        raise UnknownName(f"{otherwise}.")
    return value


def _other_line(found: _List, line: str, names: CardFinder) -> None:
    """A line without a number: the deck's name at the top, or the investigator. Raises UnknownName below, where it may be a card."""
    who = found.investigators[0].name if found.investigators else None
    if who is not None and name_key(line) != name_key(who):
        hint = names.hint(line)
        if found.name or found.cards or hint:
            raise UnknownName(
                f"{line!r} is neither a card nor a heading that kb knows.{hint} A remark of yours begins with #."
            )
        found.name = line
    elif not found.name:
        found.name = line
    elif who is None:
        found.above.append(line)


def _names_investigator(line: str, names: CardFinder) -> bool:
    """Whether a line is an investigator and nothing else."""
    if _KEY_LINE.match(line):
        return False
    try:
        return bool(names.fitting(line, investigator=True))
    except UnknownName:
        return False


def _parallel(card: Card, facts: Facts) -> str:
    """Code of the parallel version of an investigator; empty when there is none."""
    versions = (each for each in facts.named(card.name) if facts.family(each.code) == facts.family(card.code))
    return next((each.code for each in versions if facts.packs[each.pack].cycle == "parallel"), "")
