"""Reads and writes a deck as YAML (`game: arkham`). `FILE_KEYS` in `deck.py` describes its keys."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.fields import Fields
from kb.decks.nodes import DeckFileError, DeckProblem, Mapping, Node, Scalar, Sequence, key_name, plain_value, whole
from kb.games.arkham.decks.agreement import taboo_called
from kb.games.arkham.decks.card import ArkhamCard, Customization, Mark
from kb.games.arkham.decks.card_finder import CardFinder, UnknownName
from kb.games.arkham.decks.deck import BY_NAME, CARRIED, FAN_MADE, KEYS, MOST_CARDS, ArkhamDeck, Pile, each_copy
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.formats import brought
from kb.games.arkham.decks.marked_upgrades import upgrade_named


class YamlDeckReader(Fields):
    """Reads the values of one YAML deck and collects every problem with its line. The upgrade sheets are those of the
    taboo list with the number `taboo_list`.
    """

    def __init__(self, root: Mapping, names: CardFinder, problems: list[DeckProblem]) -> None:
        super().__init__(root, problems)
        self.names = names
        self.taboo_list = 0

    def integer(self, key: str) -> int | None:
        """Return the whole number under `key`, possibly below 0; None if the key is missing or has another value."""
        node = self.get(key)
        return self.whole(node, f"`{key}`") if node is not None else None

    def taboo(self) -> int:
        """Return the number of the taboo list under the key `taboo`; 0 for none."""
        if not (node := self.scalar("taboo")):
            return 0
        number = taboo_called(node.text, self.names.facts)
        if number is None:
            self.note(node, "`taboo` must be the number of a list (a whole number), `latest` or `none`.")
        return number or 0

    def whole(self, node: Node, what: str) -> int | None:
        """Return the whole number in `node`. If there is none, report a problem about `what` and return None."""
        if isinstance(node, Scalar) and (number := whole(node.text)) is not None:
            return number
        self.note(node, f"{what} must be a whole number.")
        return None

    def card(self, node: Scalar, text: str = "") -> ArkhamCard | None:
        """Return the card that `text` names. If `text` is empty, the text of `node` names the card. If the name is
        unknown, report it and return None.
        """
        try:
            return self.names.find(text or node.text)
        except UnknownName as error:
            self.note(node, str(error), error.typed, error.meant)
            return None

    def investigator(self, node: Scalar, codes: Iterable[str]) -> ArkhamCard | None:
        """Return the investigator that `node` names. If several investigators have the name, the cards in the deck
        (`codes`) decide.

        If the name is unknown, report it and return None.
        """
        try:
            return self.names.settled(self.names.fitting(node.text, investigator=True), codes)
        except UnknownName as error:
            self.note(node, str(error), error.typed, error.meant)
            return None

    def side(self, key: str, investigator: ArkhamCard | None) -> str:
        """Return the code of the version whose front or back is in use; empty if `key` (`front`, `back` …) is missing.

        The file gives the version by code, by name, or by its pack.
        """
        if (node := self.scalar(key)) is None:
            return ""
        try:
            return self.names.version(node.text, investigator).code
        except UnknownName as error:
            self.note(node, str(error), error.typed, error.meant)
            return ""

    def pile(self, node: Node | None, key: str) -> dict[str, int]:
        """Return copies by card code from `node`: a mapping of names to numbers, or a list of lines such as `2x
        Machete`.
        """
        counts: Counter[str] = Counter()
        in_all = 0
        for scalar, text, copies in self.lines(node, key):
            card = self.card(scalar, text)
            if card is None:
                continue
            in_all += abs(copies)
            if in_all > MOST_CARDS:
                self.note(
                    scalar, f"`{key}` contains more than {MOST_CARDS:,} cards in one section; that is not a deck."
                )
                break
            counts[card.code] += copies
        return counts

    def lines(self, node: Node | None, key: str) -> list[tuple[Scalar, str, int]]:
        """Return the lines of a section of cards: for each, the node, the card's name and the number of copies."""
        lines: list[tuple[Scalar, str, int]] = []
        if isinstance(node, Mapping):
            for name, value in node.pairs:
                copies = self.whole(value, f"The number of copies of {name.text}")
                if copies is not None:
                    lines.append((name, name.text, copies))
        elif isinstance(node, Sequence):
            for item in node.items:
                if isinstance(item, Scalar):
                    number, written = self.names.counted(item.text)
                    lines.append((item, written, number))
                else:
                    self.note(item, f"`{key}` must list one card per line.")
        elif node is not None and not (isinstance(node, Scalar) and not node.text):
            self.note(node, f"`{key}` must list cards, one per line.")
        return lines

    def choices(self, node: Node | None, key: str) -> dict[str, str]:
        """Return the choices made when the deck was built. Their names are the same in deck files from other
        programs.
        """
        pairs = self.pairs(node, "`choices` must be a mapping, such as `{faction_selected: mystic}`.")
        for name, value in pairs:
            if not isinstance(value, Scalar):
                self.note(value, f"Each value in `choices` must be a single value: give one for `{name.text}`.")
        return {name.text: value.text.casefold() for name, value in pairs if isinstance(value, Scalar)}

    def upgrades(self, node: Node | None, key: str) -> dict[str, Customization]:
        """Return the marked boxes by card code.

        A file gives the name of an upgrade, or its number, counted from 1. `2: {boxes: 1, chosen: Item}` marks a box of
        the second upgrade and records a choice.
        """
        by_card: dict[str, Customization] = {}
        for name, sheet in self.pairs(node, "`upgrades` must be a mapping of cards to their marked boxes."):
            card = self.card(name)
            pairs = self.pairs(sheet, f"The upgrades of {name.text} must be a mapping such as `{{1: 2}}`.")
            card = self.names.facts.by_taboo(card, self.taboo_list) if card else None
            marks = [self.mark(number, value, card) for number, value in pairs]
            if card is not None and isinstance(sheet, Mapping):
                by_card[card.code] = tuple(mark for mark in marks if mark is not None)
        return by_card

    def attached(self, node: Node | None, key: str) -> dict[str, tuple[str, ...]]:
        """Return the codes of the cards set aside, by the code of the card that sets them aside."""
        by_card: dict[str, tuple[str, ...]] = {}
        for name, listed in self.pairs(node, "`attached` must map cards to the cards that they set aside."):
            codes = each_copy(self.pile(listed, name.text))
            if (card := self.card(name)) is not None:
                by_card[card.code] = codes
        return by_card

    def pairs(self, node: Node | None, otherwise: str) -> tuple[tuple[Scalar, Node], ...]:
        """Return the keys and values of a mapping. Report any other node with the message `otherwise`."""
        if isinstance(node, Sequence) or (isinstance(node, Scalar) and node.text):
            self.note(node, otherwise)
        return node.pairs if isinstance(node, Mapping) else ()

    def index(self, written: Scalar, card: ArkhamCard | None) -> int | None:
        """Return the index of the upgrade that `written` gives by its number or name on the sheet of `card`. If there is
        none, report it and return None.
        """
        if (number := whole(written.text)) is not None:
            return number - 1
        try:
            return (
                upgrade_named(written.text, card)
                if card and card.sheet
                else self.whole(written, "The number of an upgrade")
            )
        except UnknownName as error:
            self.note(written, str(error), error.typed, error.meant)
            return None

    def mark(self, written: Scalar, value: Node, card: ArkhamCard | None) -> Mark | None:
        """Return the boxes marked for one upgrade of `card`, given its number or name (`written`) and its `value` in the
        file.

        If a part is invalid, report it and return None.
        """
        index, chosen = self.index(written, card), ""
        if isinstance(value, Mapping):
            parts = {key_name(key.text): part for key, part in value.pairs}
            picked = parts.get("chosen")
            chosen = picked.text if isinstance(picked, Scalar) else ""
            value = parts.get("boxes", value)
        boxes = self.whole(value, "The number of boxes")
        return Mark(index, boxes, chosen) if index is not None and boxes is not None else None


def yaml_deck(file: DeckFile, facts: ArkhamFacts, prefer: Collection[str] = ()) -> ArkhamDeck:
    """Return the deck in a YAML file. Raises DeckFileError with every problem in the file and the problem's line.

    If several cards have the same name, those in the products `prefer` come first.
    """
    own_cards = file.get(FAN_MADE)
    made = () if own_cards is None else tuple(brought(plain_value(own_cards)))
    facts = facts.with_cards_of(ArkhamDeck("", {}, brought=made))
    reader = YamlDeckReader(file.root, CardFinder(facts, prefer), [])
    listed = own_cards.items if isinstance(own_cards, Sequence) else ()
    if own_cards is not None and not 0 < len(listed) == sum(bool(each.record) for each in made):
        what = "`code`, `name`, `type`, `class` and the other columns of `kb import cards`"
        reader.note(own_cards, f"`{FAN_MADE}` must be a list of your own cards, each with {what}.")
    reader.check_keys((*BY_NAME, "notes", "player"))
    if (named := reader.scalar("investigator")) is None:
        reader.note(0, BY_NAME["investigator"].needs)
    reader.taboo_list = reader.taboo()
    cards = reader.pile(reader.get("cards"), "cards")
    who = reader.investigator(named, cards) if named else None
    read: dict[str, Callable[[Node | None, str], Any]] = {
        "text": lambda node, key: reader.text(key) or "",
        "code": lambda node, key: reader.side(key, who if key != "transformed" else None),
        "number": lambda node, key: reader.integer(key),
        "pile": reader.pile,
        "codes": lambda node, key: each_copy(reader.pile(node, key)),
        "packs": lambda node, key: tuple(text for _, text, _ in reader.lines(node, key)),
        "choices": reader.choices,
        "customizations": reader.upgrades,
        "attachments": reader.attached,
    }
    own: dict[str, Any] = {
        "investigator": who.code if who else "",
        "cards": reader.names.own(cards, who) if who else cards,
        "taboo": reader.taboo_list,
    }
    values: dict[str, Any] = {
        row.field: read[row.kind](reader.get(row.name), row.name) for row in KEYS if row.field not in own
    }
    values["adjustment"] = values["adjustment"] or 0
    noted = {
        key.name: (reader.integer(key.name) or 0) if key.kind == "number" else reader.text(key.name) or ""
        for key in CARRIED
        if reader.get(key.name) is not None
    }
    guessed = {code: labels for code, labels in reader.names.guessed.items() if code in own["cards"]}
    deck = ArkhamDeck(**own, **values, brought=made, rest=noted, guessed=guessed)
    if reader.problems:
        raise DeckFileError(file.name, reader.problems)
    return deck


def yaml_text(deck: ArkhamDeck, facts: ArkhamFacts) -> str:
    """Return the deck as YAML. Cards are given by code, with their names in comments."""

    def named(code: str) -> str:
        card = facts.card(code)
        return f"  # {card.name}{f' ({card.level})' if card.level else ''}" if card else ""

    def rows(pile: Pile, indent: str = "  ") -> list[str]:
        return [f'{indent}"{code}": {copies}{named(code)}' for _, code, copies in facts.in_order(pile)]

    def as_json(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    lines = ["game: arkham"]
    for kind, key, value in ((row.kind, row.name, getattr(deck, row.field)) for row in KEYS):
        if (not value and key not in ("cards", "experience")) or value is None:
            continue
        if kind == "code":
            lines.append(f'{key}: "{value}"{named(value)}')
        elif kind in ("pile", "codes"):
            lines += [f"{key}:", *rows(Counter(value) if kind == "codes" else value)]
        elif kind == "choices":
            lines += [f"{key}:", *(f"  {name}: {as_json(chosen)}" for name, chosen in value.items())]
        elif kind == "customizations":
            lines.append(f"{key}:")
            for code, marks in value.items():
                lines.append(f'  "{code}":{named(code)}')
                for mark in marks:
                    boxes = f"{{boxes: {mark.spent}, chosen: {as_json(mark.chosen)}}}" if mark.chosen else mark.spent
                    lines.append(f"    {mark.index + 1}: {boxes}")
        elif kind == "attachments":
            lines.append(f"{key}:")
            for code, codes in value.items():
                lines += [f'  "{code}":{named(code)}', *rows(Counter(codes), "    ")]
        else:
            lines.append(f"{key}: {as_json(list(value) if kind == 'packs' else value)}")
    for each in CARRIED:
        if (value := deck.rest.get(each.name)) not in (None, ""):
            lines.append(f"{each.name}: {as_json(value if each.kind == 'number' else str(value))}")
    if rows_brought := [each.row for each in deck.brought if each.record]:
        lines += [f"{FAN_MADE}:", *(f"  - {as_json(row)}" for row in rows_brought)]
    return "\n".join(lines) + "\n"
