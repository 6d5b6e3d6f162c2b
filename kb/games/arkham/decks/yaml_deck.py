"""Reads a deck written as YAML (`game: arkham`).

game: arkham
investigator: Roland Banks        # name or code
back: By the Book                 # another version's pack or code; front: likewise
taboo: 8
rules: faq                          # the edition that judges; without it the one that is chosen (`kb use`), else the newest
experience: 5                     # available experience; adjustment: what is added to it
choices: {faction_selected: mystic, deck_size_selected: 40}
cards:                            # name, `Name (level)`, `Name: Subtitle`, or a code, with the number of copies
  Machete: 2
  Shrivelling (3): 1
uncounted: {Shrivelling: 1}       # copies left out of deck size and limits
upgrades:                         # boxes marked, by the number of the upgrade on the sheet
  Hunter's Armor: {1: 1, 2: 2}
side_deck: {Knife: 2}
spirit_deck: {Beat Cop: 1}
exiled: [Fire Extinguisher]
xp_spent: 5                       # likewise next_deck, version, date_creation, date_update, tags, description_md: kept as they are
pool: [core, "cycle:dwl"]         # packs to which the deck is confined; sealed: {Machete: 1} for a sealed pool
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from kb.decks.deckfile import DeckFile
from kb.decks.nodes import DeckFileError, DeckProblem, Mapping, Node, Scalar, Sequence, key_name, whole
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import taboo_called
from kb.games.arkham.decks.model import MOST_CARDS, Card, Customization, Deck, Mark
from kb.games.arkham.decks.names import CardFinder, UnknownName

_ONE_VALUE = (
    "game",
    "name",
    "investigator",
    "front",
    "back",
    "taboo",
    "experience",
    "adjustment",
    "previous",
    "id",
    "transformed",
)
_PILES = ("cards", "uncounted", "side_deck", "spirit_deck", "exiled", "attached", "pool", "sealed")
CARRIED = ("rules", "xp_spent", "next_deck", "version", "date_creation", "date_update", "tags", "description_md")
"""What other programs note of a deck; kept as it is, for them and for the account of experience."""
KEYS = (*_ONE_VALUE, *_PILES, *CARRIED, "choices", "upgrades", "notes", "player")


@dataclass(slots=True)
class _Reader:
    """Reads one file, collecting problems instead of stopping at the first."""

    file: DeckFile
    names: CardFinder
    facts: Facts
    problems: list[DeckProblem] = field(default_factory=list)

    def note(self, node: Node, message: str) -> None:
        """Note a problem at a node's line."""
        self.problems.append(DeckProblem(node.line, message))

    def text(self, key: str) -> str:
        """A single value, empty when the key is missing."""
        node = self.file.get(key)
        if node is not None and not isinstance(node, Scalar):
            self.note(node, f"`{key}` must be a single value.")
        return node.text if isinstance(node, Scalar) else ""

    def number(self, key: str) -> int | None:
        """A whole number, None when the key is missing."""
        node = self.file.get(key)
        return self.whole(node, f"`{key}`") if node is not None else None

    def taboo(self) -> int:
        """The number of the taboo list, 0 for none."""
        if not (said := self.text("taboo")):
            return 0
        number = taboo_called(said, self.facts)
        if number is None and (node := self.file.get("taboo")):
            self.note(node, "`taboo` must be the number of a list (a whole number), `latest` or `none`.")
        return number or 0

    def carried(self, key: str) -> int | str:
        """A value that is only kept: a whole number where it is one by nature."""
        return (self.number(key) or 0) if key == "xp_spent" else self.text(key)

    def whole(self, node: Node, what: str) -> int | None:
        """The whole number of a node."""
        if isinstance(node, Scalar) and (number := whole(node.text)) is not None:
            return number
        self.note(node, f"{what} must be a whole number.")
        return None

    def card(self, node: Scalar, text: str | None = None, investigator: bool = False) -> Card | None:
        """The card that a node (or a text in its line) means."""
        try:
            return self.names.find(node.text if text is None else text, investigator)
        except UnknownName as error:
            self.note(node, str(error))
            return None

    def investigator(self, node: Scalar, held: Iterable[str]) -> Card | None:
        """The investigator that a node means: of namesakes the one to whom the cards belong."""
        try:
            return self.names.settled(self.names.fitting(node.text, investigator=True), held)
        except UnknownName as error:
            nobody = str(error).startswith("There is no") and "Did you mean" not in str(error)
            self.note(node, str(error) + (self.names.nearest_investigator([node.text]) if nobody else ""))
            return None

    def side(self, key: str, investigator: Card | None) -> str:
        """Code of another version of the investigator: a code, a name, or the pack of the version."""
        node = self.file.get(key)
        if not isinstance(node, Scalar) or not node.text:
            return ""
        texts = [node.text] if investigator is None else [f"{investigator.name} ({node.text})", node.text]
        for text in texts:
            try:
                return self.names.find(text, investigator=True).code
            except UnknownName:
                continue
        self.note(node, f"{node.text!r} is not a version of an investigator; give its code or pack.")
        return ""

    def pile(self, key: str) -> dict[str, int]:
        """Cards with copies that stand under a key."""
        return self.counted(self.file.get(key), key)

    def counted(self, node: Node | None, key: str) -> dict[str, int]:
        """Cards with copies: a mapping, or a list of lines such as `2x Machete`."""
        counts: dict[str, int] = {}
        in_all = 0
        for scalar, text, copies in self.lines(node, key):
            card = self.card(scalar, text)
            if card is None:
                continue
            in_all += abs(copies)
            if in_all > MOST_CARDS:
                self.note(scalar, f"`{key}` holds more than {MOST_CARDS:,} cards in one pile; that is not a deck.")
                break
            counts[card.code] = counts.get(card.code, 0) + copies
        return counts

    def lines(self, node: Node | None, key: str) -> list[tuple[Scalar, str, int]]:
        """Node, name and copies of each line."""
        found: list[tuple[Scalar, str, int]] = []
        if isinstance(node, Mapping):
            for name, value in node.pairs:
                copies = self.whole(value, f"The number of copies of {name.text}")
                if copies is not None:
                    found.append((name, name.text, copies))
        elif isinstance(node, Sequence):
            for item in node.items:
                if isinstance(item, Scalar):
                    number, written = self.names.counted(item.text)
                    found.append((item, written, number))
                else:
                    self.note(item, f"`{key}` must list one card a line.")
        elif node is not None and not (isinstance(node, Scalar) and not node.text):
            self.note(node, f"`{key}` must list cards, one a line.")
        return found

    def choices(self) -> dict[str, str]:
        """What was chosen at deck creation, by the names that deck files of other programs use."""
        node = self.file.get("choices")
        if node is None:
            return {}
        if not isinstance(node, Mapping):
            self.note(node, "`choices` must be a mapping, such as `{faction_selected: mystic}`.")
            return {}
        return {name.text: value.text.casefold() for name, value in node.pairs if isinstance(value, Scalar)}

    def upgrades(self) -> dict[str, Customization]:
        """Marked boxes by card; upgrades count from 1, `2: {boxes: 1, chosen: Item}` also says what was chosen."""
        node = self.file.get("upgrades")
        if not isinstance(node, Mapping):
            if node is not None:
                self.note(node, "`upgrades` must be a mapping of cards to their marked boxes.")
            return {}
        found: dict[str, Customization] = {}
        for name, sheet in node.pairs:
            card = self.card(name)
            if not isinstance(sheet, Mapping):
                self.note(sheet, f"The upgrades of {name.text} must be a mapping such as `{{1: 2}}`.")
            elif card is not None:
                marks = [self.mark(number, value) for number, value in sheet.pairs]
                found[card.code] = tuple(mark for mark in marks if mark is not None)
        return found

    def mark(self, number: Scalar, value: Node) -> Mark | None:
        """One upgrade."""
        index, chosen = self.whole(number, "The number of an upgrade"), ""
        if isinstance(value, Mapping):
            parts = {key_name(key.text): part for key, part in value.pairs}
            picked = parts.get("chosen")
            chosen = picked.text if isinstance(picked, Scalar) else ""
            value = parts.get("boxes", value)
        boxes = self.whole(value, "The number of boxes")
        return Mark(index - 1, boxes, chosen) if index is not None and boxes is not None else None


def yaml_deck(file: DeckFile, facts: Facts, prefer: Collection[str] = ()) -> Deck:
    """The deck of a YAML file. Raises DeckFileError with every problem of the file and its line."""
    reader = _Reader(file, CardFinder(facts, prefer), facts)
    for key, node in file.top_keys().items():
        if key not in KEYS:
            reader.note(node, f"Unknown key `{node.text}`. Known are {', '.join(sorted(KEYS))}.")
    named = file.get("investigator")
    cards = reader.pile("cards")
    investigator = reader.investigator(named, cards) if isinstance(named, Scalar) else None
    if named is None:
        reader.problems.append(DeckProblem(0, "The key `investigator` is missing."))
    deck = Deck(
        investigator=investigator.code if investigator else "",
        cards=reader.names.own(cards, investigator) if investigator else cards,
        name=reader.text("name"),
        front=reader.side("front", investigator),
        back=reader.side("back", investigator),
        side_deck=reader.pile("side_deck"),
        extra=reader.pile("spirit_deck"),
        ignored=reader.pile("uncounted"),
        choices=reader.choices(),
        customizations=reader.upgrades(),
        attachments=_attached(reader),
        transformed=reader.side("transformed", None),
        taboo=reader.taboo(),
        experience=reader.number("experience"),
        adjustment=reader.number("adjustment") or 0,
        exiled=_each(reader.pile("exiled")),
        previous=reader.text("previous"),
        id=reader.text("id"),
        pool=tuple(node.text for node, _, _ in reader.lines(file.get("pool"), "pool")),
        sealed=reader.pile("sealed"),
        rest={key: reader.carried(key) for key in CARRIED if file.get(key) is not None},
    )
    if reader.problems:
        raise DeckFileError(file.name, reader.problems)
    return deck


def _attached(reader: _Reader) -> dict[str, tuple[str, ...]]:
    """Cards set beside the deck, by the card that does so."""
    node = reader.file.get("attached")
    found: dict[str, tuple[str, ...]] = {}
    if isinstance(node, Mapping):
        for name, listed in node.pairs:
            card = reader.card(name)
            codes = _each(reader.counted(listed, name.text))
            if card is not None:
                found[card.code] = codes
    return found


def _each(counts: dict[str, int]) -> tuple[str, ...]:
    """The code of each copy."""
    return tuple(code for code, copies in counts.items() for _ in range(copies))
