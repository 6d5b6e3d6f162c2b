"""Reads and writes decks as plain text lists, including Markdown.

- The first line is the deck's name.
- A line with an investigator's name (or `Investigator: NAME`) names the investigator.
- A line with a number is a card: `2x Guts`, `Guts x2`, `Guts, 2`, `2x 01089`. Below the investigator, the name of a
  card alone is one copy.
- A heading, with or without `#`, begins the side deck or the spirit deck, or returns to the main deck.
- Indented lines below a customizable card are its marked upgrades.
- A line `Word: text` from another program (`Packs: ...`) is ignored.
- A line with `#` that is neither a heading nor copies of a card is a comment.

Any other line is a problem, because it may be a card.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator

from kb.decks.names import as_suggestion, name_key
from kb.decks.nodes import DeckFileError, DeckProblem, whole
from kb.games.arkham.decks.agreement import taboo_called
from kb.games.arkham.decks.card import ArkhamCard
from kb.games.arkham.decks.deck import ArkhamDeck, Pile
from kb.games.arkham.decks.facts import ArkhamFacts, CardFinder, UnknownName
from kb.games.arkham.decks.marked_upgrades import MarkedUpgrade, marked_upgrade, marks, same_name, upgrade_lines

_SPOKEN = """
accessory adjustment ally and arcane asset available basic body bonded campaign card class core cost customizable date deck enemy event
exceptional experience extra free guardian hand head health id in investigator level list location main mental multiclass myriad mystic
neutral no number of or other permanent physical player product random required rogue sanity seeker set side signature size skill slot
special spent spirit starting story survivor tarot the total trauma treachery two unique unspent upgrade version weakness without xp
year
"""
_WORDS = frozenset(_SPOKEN.split())
_ENDS = (("ies", "y"), ("sses", "ss"), ("s", ""))  # plural endings


_BULLET = re.compile(r"^[-*•]\s+|^•")
_KEY_LINE = re.compile(r"^([A-Za-z][A-Za-z ]{1,24}?(?: \d)?)\s*:\s*(.+)$")
_SIDE = re.compile(
    r"^(?:cards (?:in|of) (?:the |your )?)?side[- ]?(?:deck|board|slots|cards?|pile)\b(.*)$", re.IGNORECASE
)
_MAIN = re.compile(
    r"^(?:(?:main |investigator )?deck|(?:basic )?weakness(?:es)?|treacher(?:y|ies)|signatures?)(?:\s*\(\d+[^()]*\))?\s*:?$",
    re.IGNORECASE,
)
_SPIRIT = re.compile(r"^(?:(?:spirit|extra)[- ]?(?:deck|cards?)\b|spirits(?=\s*(?:$|[:(\d])))(.*)$", re.IGNORECASE)
_OF_CONVERT = re.compile(r"^(?:warning: )?not stored in the format \S+: ", re.IGNORECASE)
"""The warning of `kb deck convert`, in case the list was saved together with it."""
_RULED = re.compile(r"^[-=_~*\[<]+\s*([^\W\d_][^<>\[\]]*?)\s*[-=_~*\]>]+$")
"""A heading between rows of symbols, such as `== Side deck ==` or `[Side deck]`."""
_HEADING_COUNT = re.compile(r"^\s*[(\[]\d+[^()\[\]]*[)\]]")
_BEGINS_WITH_COUNT = re.compile(r"^[(\[]?\s?(?:[xX×]\s?\d|\d{1,3}\s?[xX×*]?[)\]]?\s*[^\W\d]|\d{1,3}\s?[xX×]\s?\d)")
"""A line that begins with copies of a card, so that it is never a heading."""
_NEXT_CARD = re.compile(r"(?:\s*;\s*|(?<=[^\s,])\s+)(?=\d{1,2}\s?[xX×]\s?[^\W\d])")
_COMMA_COUNT = re.compile(r"^(\d{1,2})\s*[,;]\s*(?=\D)")
_ONLY_CODE = re.compile(r"#?\d{5}[a-z]?")
_CODE_COUNT = re.compile(r"^[(\[#]?(\d{5}[a-z]?)[)\]]?\s*(?::|,|=|[xX×])\s*(\d{1,2})$")
_CARD_LINK = re.compile(r"\[([^\[\]]+)\]\((?:https?://[^()\s]*)?/card/(\d{5}[a-z]?)(?:[/#?][^()\s]*)?\)")
_LINK = re.compile(
    r"\[([^\[\]]+)\]\(https?://[^()\s]*\)|\[/?(?:[biu]|url(?:=[^\]]*)?)\]", re.IGNORECASE
)  # Markdown, BBCode
# signs in arkham.build's lists: a card on the taboo list, a customizable card, bold type
_MARKS = re.compile(r"†| \(C\)(?= x\d|$)|\*\*(?=[^*\s()][^*]*\*\*)|(?<=[^*\s(])\*\*(?![)\]])")
_CHOICES = {
    "class": "faction_selected",
    "faction 1": "faction_1",
    "faction 2": "faction_2",
    "deck size": "deck_size_selected",
    "option": "option_selected",
}
_CLASS_CHOICE = "class choice"
_KEYS = {
    *_CHOICES,
    _CLASS_CHOICE,
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


def list_deck(text: str, facts: ArkhamFacts, file: str = "", prefer: Collection[str] = ()) -> ArkhamDeck:
    """Return the deck in a text list. Raises DeckFileError with every line that cannot be read.

    If several cards have the same name, those in the products `prefer` come first. `file` is the name for messages.
    """
    reader = _Reader(CardFinder(facts, prefer))
    problems = []
    for number, raw in enumerate(text.splitlines(), 1):
        bare = re.split(r"\s#\s|^//", raw)[0]
        try:
            bare = _MARKS.sub("", _LINK.sub(r"\1", _CARD_LINK.sub(r"\1 [\2]", bare)))
            if (line := bare.strip()) and not _OF_CONVERT.match(line):
                if line.startswith("#"):
                    reader.marked(line.strip("# "))
                elif not reader.upgrade(bare):
                    reader.read_all(_CODE_COUNT.sub(r"\2x \1", _COMMA_COUNT.sub(r"\1x ", line)))
        except UnknownName as error:
            problems.append(DeckProblem(number, str(error), error.typed, error.meant))
    try:
        if reader.investigators or not reader.begun:
            reader.settle()
    except UnknownName as error:
        problems.append(DeckProblem(0, str(error), error.typed, error.meant))
    if problems:
        raise DeckFileError(file, problems)
    return reader.deck


class _Reader:
    """Reads a list line by line. Its methods raise UnknownName for a line that cannot be read.

    - `investigators`: the investigators that the investigator's line may mean.
    - `begun`: True once this line was read, even if it is misspelt.
    - `above`: lines above it that are not understood.
    - `pile`: the section that the next cards belong to.
    - `last`: the card in the previous line.
    - `upgrades`: the upgrades marked below each card.
    """

    def __init__(self, names: CardFinder) -> None:
        self.names = names
        self.deck = ArkhamDeck("", {})
        self.cards: Counter[str] = Counter()
        self.side_deck: Counter[str] = Counter()
        self.extra: Counter[str] = Counter()
        self.pile = self.cards
        self.investigators: list[ArkhamCard] = []
        self.begun = False
        self.above: list[str] = []
        self.packs = ""
        self.classes: list[str] = []
        self.last: ArkhamCard | None = None
        self.upgrades: dict[str, list[MarkedUpgrade]] = {}

    def marked(self, line: str) -> None:
        """Read the text of a line that began with `#`.

        The line may be a heading or, at the top, the deck's name or the investigator. Any other line is a comment.
        """
        if not line or self._heading(line):
            return
        _, name = self.names.counted(_BULLET.sub("", line))
        if name != line and self.names.begins(name):
            raise UnknownName(f"{line!r} after a # may be a card or a comment. Remove the # or the line.", line)
        if not self.begun and not _KEY_LINE.match(line):
            if named := self._investigators(line):
                self.investigators, self.begun = named, True
            elif not self.deck.name:
                self.deck.name = line

    def upgrade(self, line: str) -> bool:
        """Read `line` if it marks an upgrade of the card above it, and return True; otherwise return False."""
        marked = marked_upgrade(line, self.last, self.names) if self.last else None
        if self.last and marked:
            self.upgrades.setdefault(self.last.code, []).append(marked)
        return marked is not None

    def read_all(self, line: str) -> None:
        """Read a line with text, which may list several cards."""
        if self.begun and _BEGINS_WITH_COUNT.match(line):
            line = _NEXT_CARD.sub(", ", line)
        first, *others = self.names.parted(line) if self.begun and "," in line else [line]
        self.read(first)
        for other in others:
            if not self._card(_BULLET.sub("", other)):
                raise UnknownName(f"{other!r} after a comma is neither a card nor a level.", other)
            self.read(other)

    def read(self, line: str) -> None:
        """Read a line, or a part of it, with a heading, a setting or one card."""
        self.last = None
        if self._heading(line):
            return
        if not self.investigators and (named := self._investigators(line)):
            self.investigators, self.begun = named, True
        elif not self.begun and (key := _KEY_LINE.match(_BULLET.sub("", line))) and key[1].casefold() in _KEYS:
            self._key_line(line, key[1], key[2].strip())
        elif card := self._card(_BULLET.sub("", line)):
            copies, name = card
            self.last = self.names.find(name)
            self.pile[self.last.code] += copies
        elif key := _KEY_LINE.match(line):
            self._key_line(line, key[1], key[2].strip())
        elif not is_heading(line, self.names.facts):
            self._other(line)

    def _heading(self, line: str) -> bool:
        """Return True if the line is the heading of a section, and begin this section. Also read cards after the
        heading.
        """
        line = _RULED.sub(r"\1", line)
        if _MAIN.match(line):
            if self.pile is self.side_deck or line.casefold().strip(" :").endswith("deck"):
                self.pile = self.cards  # a side deck contains no weaknesses
            return True
        for pattern, pile in ((_SIDE, self.side_deck), (_SPIRIT, self.extra)):
            if found := pattern.match(line):
                self.pile = pile
                rest = _HEADING_COUNT.sub("", found[1]).strip(" :-–")
                _, name = self.names.counted(rest)
                if self.names.begins(name) or _BEGINS_WITH_COUNT.match(rest):
                    self.read_all(rest)
                elif ":" in line and (meant := self.names.meant(rest)):
                    raise UnknownName(f"There is no card {rest!r}.{as_suggestion(meant)}", rest, meant)
                return True
        return False

    def _key_line(self, line: str, key: str, value: str) -> None:
        """Read a line `key: value`: a setting, or a heading followed by cards.

        Unknown keys are ignored, because lists from other programs contain many.
        """
        if key.casefold() in _KEYS:
            self._setting(key.casefold(), value)
            return
        _, name = self.names.counted(value)
        is_card = bool(_BEGINS_WITH_COUNT.match(value) or name != value) and self.names.begins(name)
        if (
            self.begun
            and is_heading(key, self.names.facts)
            and not re.search(r"\d", key)
            and (is_card or self.names.begins(value))
        ):
            self.read_all(value)
        elif is_card:
            raise UnknownName(
                f"{line!r} begins with a word that kb does not know and ends with a card name. Put the card on its own line.",
                line,
            )

    def settle(self) -> None:
        """Complete the deck after the last line: find the investigator, then set cards, upgrades and choices."""
        if not self.investigators:
            names = ((name, self.names.investigators(name)) for name in (*self.above, self.deck.name))
            typed, meant = next((each for each in names if each[1]), ("", []))
            raise UnknownName(
                f"there is no investigator; write `Investigator: NAME`.{as_suggestion(meant)}", typed, meant
            )
        who = self.names.settled(self.investigators, self.cards, self.packs)
        deck = self.deck
        deck.investigator, deck.cards = who.code, self.names.own(self.cards, who)
        deck.side_deck, deck.extra = self.side_deck, self.extra
        for code, marked in self.upgrades.items():
            if card := self.names.facts.card(code):
                deck.customizations = {**deck.customizations, code: marks(card, marked, deck.taboo, self.names)}
                deck.oddities = (*deck.oddities, *same_name(self.names.facts.by_taboo(card, deck.taboo), marked))
        back = self.names.facts.card(deck.back or who.code)
        classes = [each.chosen_as for each in (back.build.choices if back and back.build else ()) if each.choose_class]
        deck.choices = {**deck.choices, **dict(zip(classes, self.classes, strict=False))}

    def _investigators(self, line: str) -> list[ArkhamCard]:
        """Return the investigators that a line may name; none if it contains anything else."""
        key = _KEY_LINE.match(line)
        try:
            return [] if key and key[1].casefold() in _KEYS else self.names.fitting(line, investigator=True)
        except UnknownName:
            return []

    def _card(self, line: str) -> tuple[int, str] | None:
        """Return the copies and the name in a line that is, or seems to be, a card; None for any other line.

        Above the investigator, only lines with a number count, because the deck's name may be the name of a card.
        """
        copies, name = self.names.counted(line)
        counted, key = name != line or bool(_ONLY_CODE.fullmatch(line)), _KEY_LINE.match(line)
        if not key and not self.begun:
            is_card = counted and line.endswith(name)
        elif key and key[1].casefold() in _KEYS:
            is_card = False
        else:
            is_card = self.names.begins(key[1] if key else name) or (counted and not is_heading(line, self.names.facts))
        return (copies, name) if is_card else None

    def _setting(self, key: str, value: str) -> None:
        """Set the deck's value for a line `key: value`, where `key` is one of `_KEYS`."""
        if key == "investigator":
            self.begun = True
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
        elif key == _CLASS_CHOICE:
            self.classes.append(value.casefold())
        elif key in _CHOICES:
            self.deck.choices = {**self.deck.choices, _CHOICES[key]: value.casefold()}

    def _other(self, line: str) -> None:
        """Read a line that is neither a card, a heading nor a setting.

        At the top, it is the deck's name. Below the investigator, it is an error, unless it repeats the investigator's
        name or may be the name of a deck that has none yet.
        """
        if not self.begun:
            if self.deck.name:
                self.above.append(line)
            else:
                self.deck.name = line
        elif name_key(line) not in [name_key(each.name) for each in self.investigators[:1]]:
            meant = self.names.meant(line)
            if self.deck.name or self.cards or meant:
                message = f"{line!r} is neither a card nor a heading that kb knows.{as_suggestion(meant)} Begin a comment line with #."
                raise UnknownName(message, line, meant)
            self.deck.name = line
        elif not self.deck.name:
            self.deck.name = line


def is_heading(line: str, facts: ArkhamFacts) -> bool:
    """Return True if a line cannot be a card.

    Such a line contains only the name of a product or cycle, or only words for sections, numbers and symbols.
    """
    if _ONLY_CODE.fullmatch(line) or _BEGINS_WITH_COUNT.match(line.strip(" \t-*•=_~#:.")):
        return False
    bare = re.sub(r"[(\[]?[xX×]?\d+[xX×]?[)\]]?", " ", line).strip(" \t-*•=_~#:.")
    if name_key(bare) in facts.pack_names or name_key(bare) in facts.cycle_names:
        return True
    return all(map(_of_sections, re.findall(r"[^\W\d_]+", bare)))


def _of_sections(word: str) -> bool:
    small = word.casefold()
    singular = next((small.removesuffix(end) + instead for end, instead in _ENDS if small.endswith(end)), small)
    return small in _WORDS or singular in _WORDS


def _told(value: int | None, otherwise: str) -> int:
    """Return `value`. Raises UnknownName with the message `otherwise` if it is None."""
    if value is None:
        raise UnknownName(f"{otherwise}.")
    return value


def _parallel(card: ArkhamCard, facts: ArkhamFacts) -> str:
    """Return the code of the parallel version of the investigator `card`; empty if there is none."""
    versions = (each for each in facts.named(card.name) if facts.family(each.code) == facts.family(card.code))
    return next((each.code for each in versions if facts.packs[each.pack].cycle == "parallel"), "")


def list_text(deck: ArkhamDeck, facts: ArkhamFacts) -> str:
    """Return the deck as a text list: name, investigator and settings, then the cards by type."""

    def rows(pile: Pile, kind: str | None = None) -> list[str]:
        return [
            "\n".join((f"{copies}x {card.label if card else code}", *upgrades(card, code)))
            for card, code, copies in facts.in_order(pile)
            if kind is None or kind == (card.type if card and not card.weakness and card.type in _SECTIONS else "")
        ]

    def upgrades(card: ArkhamCard | None, code: str) -> Iterator[str]:
        return upgrade_lines(card, deck.customizations.get(code, ()), deck.taboo, facts) if card else iter(())

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
        if listed := rows(deck.cards, kind):
            copies = sum(int(row.partition("x ")[0]) for row in listed)
            lines += ["", f"{heading} ({copies})", *listed]
    for heading, pile in (("Side deck", deck.side_deck), ("Spirit deck", deck.extra)):
        if pile:
            lines += ["", heading, *rows(pile)]
    return "\n".join(lines) + "\n"
