"""Reads and writes a deck as a plain text list, such as ArkhamDB's text export.

The first line is the deck's name, a line with an investigator's name (or `Investigator: NAME`) names the investigator;
lines with a number are cards (`2x Guts`, `Guts x2`, `Guts, 2`), and below the investigator a card's name alone is one copy; `Side deck`
begins the side deck. Headings of sections and what other programs say of a deck (`Packs: …`) are passed over; any other line below the
investigator is a problem, for it may be a card.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from kb.decks.names import name_key
from kb.decks.nodes import DeckFileError, DeckProblem, whole
from kb.games.arkham.decks.facts import CardFinder, Facts, UnknownName
from kb.games.arkham.decks.frame import taboo_called
from kb.games.arkham.decks.model import Card, Deck

_SPOKEN = """
accessory adjustment ally and arcane asset available basic body bonded campaign card class core cost customizable date deck enemy event
exceptional experience extra free guardian hand head health id in investigator level list location main mental multiclass myriad mystic
neutral no number of or other permanent physical player product random required rogue sanity seeker set side signature size skill slot
special spent spirit starting story survivor tarot the total trauma treachery two unique unspent upgrade version weakness without xp
year
"""
_WORDS = frozenset(_SPOKEN.split())
_ENDS = (("ies", "y"), ("sses", "ss"), ("s", ""))  # of more than one


_BULLET = re.compile(r"^[-*•]\s+|^•")
_KEY_LINE = re.compile(r"^([A-Za-z][A-Za-z ]{1,24}?(?: \d)?)\s*:\s*(.+)$")
_SIDE = re.compile(r"^(side ?(?:deck|board|slots))\b", re.IGNORECASE)
_SPIRIT = re.compile(r"^(?:(?:spirit|extra) deck\b|spirits$)", re.IGNORECASE)
_LINK = re.compile(
    r"\[([^\[\]]+)\]\(https?://[^()\s]*\)|\[/?(?:[biu]|url(?:=[^\]]*)?)\]", re.IGNORECASE
)  # Markdown, BBCode
_MARKS = re.compile(r"†| \(C\)(?= x\d|$)|\*\*")  # of arkham.build: under taboo, customizable; bold
_CHOICES = {
    "class": "faction_selected",
    "faction 1": "faction_1",
    "faction 2": "faction_2",
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
_SECTIONS = {"asset": "Assets", "event": "Events", "skill": "Skills", "": "Others"}


def list_deck(text: str, facts: Facts, file: str = "", prefer: Collection[str] = ()) -> Deck:
    """The deck of a text list. Raises DeckFileError with every line that cannot be read."""
    reader = _Reader(CardFinder(facts, prefer))
    problems = []
    for number, raw in enumerate(text.splitlines(), 1):
        bare = re.split(r"\s#\s|^#(?!#? ?spirits)|^//", raw, flags=re.IGNORECASE)[0]
        try:
            if line := _MARKS.sub("", _LINK.sub(r"\1", bare)).strip().lstrip("# "):
                reader.read(line)
        except UnknownName as error:
            problems.append(DeckProblem(number, str(error)))
    try:
        reader.settle()
    except UnknownName as error:
        problems.append(DeckProblem(0, str(error)))
    if problems:
        raise DeckFileError(file, problems)
    return reader.deck


class _Reader:
    """Reads a list line by line; each line that cannot be read raises UnknownName.

    investigators: those whom the line that names one may mean. above: lines above it that are nothing else.
    """

    def __init__(self, names: CardFinder) -> None:
        self.names = names
        self.deck = Deck("", {})
        self.cards: dict[str, int] = {}
        self.side_deck: dict[str, int] = {}
        self.extra: dict[str, int] = {}
        self.pile = self.cards
        self.investigators: list[Card] = []
        self.above: list[str] = []
        self.packs = ""

    def read(self, line: str) -> None:
        """Read a line that is not empty."""
        if _SIDE.match(line):
            self.pile = self.side_deck
        elif _SPIRIT.match(line):
            self.pile = self.extra
        elif not self.investigators and (named := self._investigators(line)):
            self.investigators = named
        elif card := self._card(_BULLET.sub("", line)):
            copies, name = card
            code = self.names.find(name).code
            self.pile[code] = self.pile.get(code, 0) + copies
        elif key := _KEY_LINE.match(line):
            self._setting(key[1].casefold(), key[2].strip())
        elif not is_heading(line, self.names.facts):
            self._other(line)

    def settle(self) -> None:
        """Settle who the investigator is, once all lines are read."""
        if not self.investigators:
            hint = self.names.nearest_investigator([*self.above, self.deck.name])
            raise UnknownName(f"no line names an investigator; write `Investigator: NAME`.{hint}")
        who = self.names.settled(self.investigators, self.cards, self.packs)
        deck = self.deck
        deck.investigator, deck.cards = who.code, self.names.own(self.cards, who)
        deck.side_deck, deck.extra = self.side_deck, self.extra

    def _investigators(self, line: str) -> list[Card]:
        """The investigators whom a line means that holds nothing else."""
        key = _KEY_LINE.match(line)
        try:
            return [] if key and key[1].casefold() in _KEYS else self.names.fitting(line, investigator=True)
        except UnknownName:
            return []

    def _card(self, line: str) -> tuple[int, str] | None:
        """Copies and name of a line that is a card, or is meant to be one; None for others.

        Above the investigator only copies before a name tell, for a deck may be called like a card.
        """
        copies, name = self.names.counted(line)
        counted, key = name != line, _KEY_LINE.match(line)
        if not key and not self.investigators:
            is_card = counted and line.endswith(name)
        elif key and key[1].casefold() in _KEYS:
            is_card = False
        else:
            is_card = self.names.begins(key[1] if key else name) or (counted and not is_heading(line, self.names.facts))
        return (copies, name) if is_card else None

    def _setting(self, key: str, value: str) -> None:
        """A line `key: value`. Keys that mean nothing to us are passed over: exports have many."""
        if key == "investigator":
            self.investigators = self.names.fitting(value, investigator=True)
        elif key in ("front", "back"):
            setattr(self.deck, key, self.names.find(value, investigator=True).code)
        elif key == "parallel" and self.investigators:
            for side in ("front", "back"):
                if f"parallel {side}" in value.casefold():
                    setattr(self.deck, side, _parallel(self.investigators[0], self.names.facts))
        elif key == "packs":
            self.packs = value
        elif key in ("name", "deck"):
            self.deck.name = value
        elif key in ("taboo", "taboo list"):
            self.deck.taboo = _told(
                taboo_called(value, self.names.facts), f"`{key}` must be the number of a list, `latest` or `none`"
            )
        elif key in ("experience", "xp"):
            self.deck.experience = _told(whole(value), f"`{key}` must be a whole number")
        elif key in _CHOICES:
            self.deck.choices = {**self.deck.choices, _CHOICES[key]: value.casefold()}

    def _other(self, line: str) -> None:
        """A line without a number: the deck's name at the top, or the investigator; below, it may be a card."""
        if not self.investigators:
            if self.deck.name:
                self.above.append(line)
            else:
                self.deck.name = line
        elif name_key(line) != name_key(self.investigators[0].name):
            hint = self.names.hint(line)
            if self.deck.name or self.cards or hint:
                raise UnknownName(
                    f"{line!r} is neither a card nor a heading that kb knows.{hint} A remark of yours begins with #."
                )
            self.deck.name = line
        elif not self.deck.name:
            self.deck.name = line


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


def _told(value: int | None, otherwise: str) -> int:
    """A value that could be read. Raises UnknownName."""
    if value is None:
        raise UnknownName(f"{otherwise}.")
    return value


def _parallel(card: Card, facts: Facts) -> str:
    """Code of the parallel version of an investigator; empty when there is none."""
    versions = (each for each in facts.named(card.name) if facts.family(each.code) == facts.family(card.code))
    return next((each.code for each in versions if facts.packs[each.pack].cycle == "parallel"), "")


def list_text(deck: Deck, facts: Facts) -> str:
    """A list for people: name, investigator, settings, then the cards by type."""

    def rows(pile: Mapping[str, int], kind: str | None = None) -> list[str]:
        return [
            f"{copies}x {card.label if card else code}"
            for card, code, copies in facts.in_order(pile)
            if kind is None or kind == (card.type if card and not card.weakness and card.type in _SECTIONS else "")
        ]

    settings = {
        "Name": deck.name,
        "Investigator": facts.label(deck.investigator),
        "Front": facts.label(deck.front),
        "Back": facts.label(deck.back),
        **{key.capitalize(): deck.choices.get(choice, "") for key, choice in _CHOICES.items()},
        "Taboo": deck.taboo or "",
        "Experience": "" if deck.experience is None else deck.experience,
    }
    lines = [f"{key}: {value}" for key, value in settings.items() if value != ""]
    for kind, heading in _SECTIONS.items():
        if found := rows(deck.cards, kind):
            copies = sum(int(row.partition("x ")[0]) for row in found)
            lines += ["", f"{heading} ({copies})", *found]
    for heading, pile in (("Side deck", deck.side_deck), ("Spirit deck", deck.extra)):
        if pile:
            lines += ["", heading, *rows(pile)]
    return "\n".join(lines) + "\n"
