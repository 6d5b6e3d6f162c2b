"""Reads and writes decks as plain text lists, including Markdown.

- The first line is the deck's name.
- A line with an investigator's name (or `Investigator: NAME`) names the investigator.
- A line with a number is a card: `2x Guts`, `Guts x2`, `Guts, 2`, `2x 01089`. Below the investigator, the name of a
  card alone is one copy.
- A heading, with or without `#`, begins the side deck or the spirit deck, or returns to the main deck. Bonded cards
  below such a heading are left out, because they are not part of the deck. Cards below `Maybeboard` or a similar
  heading are refused.
- Indented lines below a customizable card are its marked upgrades.
- A line `Word: text` from another program (`Packs: ...`) is ignored.
- A line with `#` or `//` that is neither a heading nor copies of a card is a comment.

Any other line is a problem, because it may be a card.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator

from kb.decks.names import as_suggestion, name_key, nearest
from kb.decks.nodes import DeckFileError, DeckProblem, whole
from kb.games.arkham.decks.agreement import taboo_called
from kb.games.arkham.decks.card import ArkhamCard
from kb.games.arkham.decks.card_finder import CardFinder, UnknownName
from kb.games.arkham.decks.deck import ArkhamDeck, Pile
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.list_headings import BEGINS_WITH_COUNT, Section, heading_of, is_heading
from kb.games.arkham.decks.marked_upgrades import MarkedUpgrade, marked_upgrade, marks, same_name, upgrade_lines
from kb.registry import games

_BULLET = re.compile(r"^[-*•]\s+|^•")
_KEY_LINE = re.compile(r"^([A-Za-z][A-Za-z_ ]{1,24}?(?:[ _]\d)?)\s*:\s*(.+)$")
_OF_CONVERT = re.compile(r"^(?:warning: )?not stored in the format \S+: ", re.IGNORECASE)
"""The warning of `kb deck convert`, in case the list was saved together with it."""
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
_CHOICE_KEYS = {**_CHOICES, **{choice.replace("_", " "): choice for choice in _CHOICES.values()}}
_CLASS_CHOICES = ("class choice", "secondary class", "secondary class choice")
_KEYS = {
    *_CHOICE_KEYS,
    *_CLASS_CHOICES,
    "choices",
    "rules",
    "adjustment",
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
_ONLY_YAML = ("uncounted", "attached", "sealed", "pool", "transformed")
"""Keys of a YAML deck that affect its check and that a text list cannot store."""
_FOREIGN = ("id", "deck id", "previous", "next deck", "version", "author", "tags", "notes", "player")
"""Keys of other programs, whose values may look like a card's code or name."""
_SECTIONS = {"asset": "Assets", "event": "Events", "skill": "Skills", "": "Others"}


def list_deck(text: str, facts: ArkhamFacts, file: str = "", prefer: Collection[str] = ()) -> ArkhamDeck:
    """Return the deck in a text list. Raises DeckFileError with every line that cannot be read.

    If several cards have the same name, those in the products `prefer` come first. `file` is the name for messages.
    """
    reader = _Reader(CardFinder(facts, prefer))
    problems = []
    for number, raw in enumerate(text.splitlines(), 1):
        bare = re.split(r"\s#\s", raw)[0]
        reader.line = number
        try:
            bare = _MARKS.sub("", _LINK.sub(r"\1", _CARD_LINK.sub(r"\1 [\2]", bare)))
            if (line := bare.strip()) and not _OF_CONVERT.match(line):
                if line.startswith("#"):
                    reader.marked(line.strip("# "))
                elif raw.startswith("//"):
                    reader.comment(line.lstrip("/ "))
                elif not reader.upgrade(bare):
                    reader.read_all(_CODE_COUNT.sub(r"\2x \1", _COMMA_COUNT.sub(r"\1x ", line)))
        except UnknownName as error:
            problems.append(DeckProblem(number, str(error), error.typed, error.meant))
    try:
        if reader.investigators or not reader.begun:
            reader.line = 0
            reader.settle()
    except UnknownName as error:
        problems.append(DeckProblem(reader.line, str(error), error.typed, error.meant))
    if problems:
        raise DeckFileError(file, problems)
    return reader.deck


class _Reader:
    """Reads a list line by line. Its methods raise UnknownName for a line that cannot be read.

    - `investigators`: the investigators that the investigator's line may mean.
    - `begun`: True once this line was read, even if it is misspelt.
    - `above`: lines above it that are not understood.
    - `line`: the number of the line that is being read; 0 if an error concerns the whole list.
    - `section`: the section that the next cards belong to, and `heading`, its heading.
    - `piles`: the cards in each section. `sides`: the versions named for `front` and `back`, with their lines.
    - `last`: the card in the previous line.
    - `upgrades`: the upgrades marked below each card.
    """

    def __init__(self, names: CardFinder) -> None:
        self.names = names
        self.deck = ArkhamDeck("", {})
        self.line = 0
        self.piles: dict[Section, Counter[str]] = {section: Counter() for section in Section}
        self.section, self.heading = Section.DECK, ""
        self.sides: dict[str, tuple[int, str]] = {}
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
        self.comment(line)
        if not self.begun and not _KEY_LINE.match(line):
            if named := self._investigators(line):
                self.investigators, self.begun = named, True
            elif not self.deck.name:
                self.deck.name = line

    def comment(self, line: str) -> None:
        """Read the text of a comment. Raises UnknownName for copies of a card, which may have been commented out."""
        key = _KEY_LINE.match(line)
        for part in (line, key[2] if key else ""):
            _, name = self.names.counted(_BULLET.sub("", part))
            if name != part and self.names.begins(name):
                raise UnknownName(
                    f"{line!r} in a comment may be a card. Remove the # (or //), or the whole line.", line
                )

    def upgrade(self, line: str) -> bool:
        """Read `line` if it marks an upgrade of the card above it, and return True; otherwise return False."""
        marked = marked_upgrade(line, self.last, self.names) if self.last else None
        if self.last and marked:
            self.upgrades.setdefault(self.last.code, []).append(marked)
        return marked is not None

    def read_all(self, line: str) -> None:
        """Read a line with text, which may list several cards."""
        if self.begun and BEGINS_WITH_COUNT.match(line):
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
        elif not self.begun and (key := _KEY_LINE.match(_BULLET.sub("", line))) and _key(key[1]) in _KEYS:
            self._key_line(line, key[1], key[2].strip())
        elif card := self._card(_BULLET.sub("", line)):
            copies, name = card
            self._put(self.names.find(name), copies)
        elif key := _KEY_LINE.match(line):
            self._key_line(line, key[1], key[2].strip())
        elif not is_heading(line, self.names.facts):
            self._other(line)

    def _put(self, card: ArkhamCard, copies: int) -> None:
        """Add copies of a card to the current section. Raises UnknownName if its cards may be in no deck."""
        self.last = card
        self.piles[self.section][card.code] += copies
        if self.section is Section.BONDED and not card.bonded:
            raise UnknownName(
                f"{card.name} is below the heading {self.heading!r}, but is not a bonded card. Write `Deck` above it, or "
                "remove it.",
                card.name,
            )
        if self.section is Section.OTHER and self.piles[self.section].total() == copies:  # once for each heading
            raise UnknownName(
                f"The cards below the heading {self.heading!r} may or may not be in the deck. Write `Deck` or `Side deck` "
                "instead, or remove them.",
                self.heading,
            )

    def _heading(self, line: str) -> bool:
        """Return True if the line is the heading of a section, and begin this section. Also read cards after the
        heading.
        """
        found = heading_of(line)
        if found is None:
            return False
        section, rest = found.section, found.rest
        _, name = self.names.counted(rest)
        has_cards = self.names.begins(name) or bool(BEGINS_WITH_COUNT.match(rest))
        titled = found.name.casefold() == "deck" and rest and not (has_cards and self.begun)
        if titled or (not self.begun and (found.whose or section in (Section.BONDED, Section.OTHER))):
            return False  # the deck's name
        if section is not Section.WEAKNESSES:
            self.section = section
        elif self.section is not Section.SPIRIT:  # a spirit deck may contain weaknesses, a side deck does not
            self.section = Section.DECK
        self.heading = found.name
        self.piles[Section.OTHER].clear()
        if has_cards:
            self.read_all(rest)
        elif ":" in line and rest:
            self._misspelt(rest)
        return True

    def _misspelt(self, text: str) -> None:
        """Raise UnknownName if `text`, behind a heading and a colon, seems to be a misspelt card."""
        if meant := self.names.meant(text):
            raise UnknownName(f"There is no card {text!r}.{as_suggestion(meant)}", text, meant)

    def _key_line(self, line: str, key: str, value: str) -> None:
        """Read a line `key: value`: a setting, or a heading followed by cards.

        Other keys are ignored unless they affect the check or may name a card, because lists from other programs
        contain many.
        """
        setting = _key(key)
        if setting in _KEYS:
            self._setting(setting, value)
            return
        if setting in _ONLY_YAML:
            raise UnknownName(
                f"A text list cannot store `{setting}`. Convert it (`kb deck convert FILE --to yaml`) and add the key there.",
                key,
            )
        if setting in {each.name for each in games()["arkham"].options}:
            raise UnknownName(f"{line!r} is not a part of a deck. Use the option --{setting} of `kb deck check`.", key)
        _, name = self.names.counted(value)
        counted = bool(BEGINS_WITH_COUNT.match(value) or name != value) and self.names.begins(name)
        if setting in _FOREIGN and not counted:
            return
        is_card = self.names.begins(value) or (bool(_ONLY_CODE.fullmatch(value)) and self.names.known(value))
        if self.begun and is_heading(key, self.names.facts) and not re.search(r"\d", key):
            if counted or is_card:
                self.read_all(value)
            elif not re.match(r"\W*\d", value):
                self._misspelt(value)
        elif counted or (self.begun and is_card):
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
        cards, deck = self.piles[Section.DECK], self.deck
        who = self.names.settled(self.investigators, cards, self.packs)
        deck.investigator, deck.cards = who.code, self.names.own(cards, who)
        deck.side_deck, deck.extra = self.piles[Section.SIDE], self.piles[Section.SPIRIT]
        for key, (line, value) in self.sides.items():
            self.line = line
            setattr(deck, key, self.names.version(value, who).code)
        self.line = 0
        deck.guessed = {code: labels for code, labels in self.names.guessed.items() if code in deck.cards}
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
            return [] if key and _key(key[1]) in _KEYS else self.names.fitting(line, investigator=True)
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
        elif key and _key(key[1]) in _KEYS:
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
            self.sides[key] = self.line, value
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
        elif key == "adjustment":
            self.deck.adjustment = _told(whole(value), f"`{key}` must be a whole number")
        elif key == "rules":
            self.deck.rest = {"rules": value}
        elif key in _CLASS_CHOICES:
            self.classes.append(value.casefold())
        elif key == "choices":
            self._choices(value)
        elif key in _CHOICE_KEYS:
            self.deck.choices = {**self.deck.choices, _CHOICE_KEYS[key]: value.casefold()}

    def _choices(self, value: str) -> None:
        """Set the choices in a text such as `{faction_selected: mystic}`, with or without braces."""
        for part in value.strip("{} ").split(","):
            choice, _, chosen = (each.strip() for each in part.partition(":"))
            if _key(choice) not in _CHOICE_KEYS:
                raise UnknownName(f"There is no choice {choice!r}.{nearest(choice, _CHOICES.values())}", choice)
            self._setting(_key(choice), chosen)

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
            if self.deck.name or self.piles[Section.DECK] or meant:
                message = f"{line!r} is neither a card nor a heading that kb knows.{as_suggestion(meant)} Begin a comment line with #."
                raise UnknownName(message, line, meant)
            self.deck.name = line
        elif not self.deck.name:
            self.deck.name = line


def _key(written: str) -> str:
    """Return a key of a list, normalized for comparison: in lower case, with spaces for underscores."""
    return written.casefold().replace("_", " ")


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
        "Adjustment": deck.adjustment or "",
        "Rules": deck.rest.get("rules") or "",
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
