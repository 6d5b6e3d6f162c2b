"""Reads the lists of cards in a Pathfinder file, and the cards that the file describes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from kb.decks.fields import Fields
from kb.decks.file_keys import Key
from kb.decks.names import MOST_SUGGESTIONS, as_suggestion, both, either, name_key, split_quantity, suggest
from kb.decks.nodes import Mapping, Node, Scalar, Sequence, key_name
from kb.decks.remedies import Advice, Move, Remedy
from kb.games.pathfinder.decks.facts import ADVENTURES, PLURALS, SET_TITLES, Cards, Facts, PathfinderCard
from kb.games.pathfinder.records import CARD_TYPES

Note = Callable[..., None]

TYPE_NAMES = {**{kind: kind for kind in CARD_TYPES}, **{plural: kind for kind, plural in PLURALS.items()}}
KINDS = {**TYPE_NAMES, "cohort": "cohort"}
DECKS = (*ADVENTURES, "C", "P")
DECK_HINT = "Write B, C, P or a number from 1 to 6."
CLASS_DECK_HINT = "In a Class Deck, write B or a number from 1 to 6."
DESCRIBED = (
    Key("name", "Wolf", "the name", default="required"),
    Key("type", "ally", either(f"`{each}`" for each in KINDS if each not in PLURALS.values()), default="required"),
    Key("deck", "B", "the set indicator: B, C, P or 1 to 6", default="required"),
    Key("count", "2", "number of copies", default="1"),
    Key("basic", "yes", "`yes` for a Basic card", default="unknown"),
    Key("loot", "yes", "`yes` for loot", default="no"),
    Key("owner", "Lini", "the character named by the Owner trait", default="nobody"),
    Key("class_deck", "Druid", "the Class Deck that the card is from", default="none"),
)
"""The keys of a card that the file describes."""
MOST_COPIES = 99
MOST_CARDS = 12_000


class CardReader:
    """Reads the lists of cards in one deck file.

    The reader reports a problem by calling `note(node, sentence)`. For an unknown card, it also passes the name and a
    list of suggestions (see `kb.decks.fields`). `described` are the cards that the file describes, by normalized name.
    """

    def __init__(self, facts: Facts, set_id: str, note: Note) -> None:
        self.facts = facts
        self.set_id = set_id
        self.note = note
        self.described: dict[str, PathfinderCard] = {}
        self.strangers = 0
        self.contradictions: list[tuple[str, str, Remedy]] = []

    def deck(self, root: Mapping) -> tuple[Cards, tuple[str, ...]]:
        """Return the cards in the deck, and the names of the cohorts among the cards that the file describes.

        The cards are under the key `cards` or under the names of card types.
        """
        cards: list[PathfinderCard] = []
        for key, node in root.pairs:
            if key_name(key.text) == "cards":
                cards.extend(self.pile(node))
            elif kind := TYPE_NAMES.get(key_name(key.text)):
                pile = self.pile(node)
                cards.extend(pile)
                self.misplaced(key.text, kind, pile)
        return tuple(card for card in cards if card.type != "cohort"), tuple(
            dict.fromkeys(card.name for card in cards if card.type == "cohort")
        )

    def pile(self, node: Node | None) -> Cards:
        """Return the cards that `node` lists, one item for each copy. If `node` is None, there are no cards."""
        if node is None:
            return ()
        cards: list[PathfinderCard] = []
        for count, card in self.entries(node):
            if len(cards) + count > MOST_CARDS:
                self.note(node, f"The list contains more than {MOST_CARDS:,} cards; that is not a deck.")
                break
            cards.extend([card] * count)
        return tuple(cards)

    def entries(self, node: Node) -> Iterator[tuple[int, PathfinderCard]]:
        """Yield the cards that `node` lists, each with its number of copies.

        The node is a list, a mapping from names to copies or from types to lists, the description of a card, or a name.
        """
        if isinstance(node, Scalar):
            yield from self.run(self.parts(node))
        elif isinstance(node, Sequence):
            scalars: list[Scalar] = []
            for item in node.items:
                if isinstance(item, Scalar):
                    scalars += self.parts(item)
                else:
                    yield from self.entries(item)
            yield from self.run(scalars)
        elif any(key_name(key.text) == "name" for key, _ in node.pairs):
            if described := self.describe(node):
                yield described
        else:
            for key, value in node.pairs:
                if (kind := TYPE_NAMES.get(name_key(key.text))) and not isinstance(value, Scalar):
                    entries = list(self.entries(value))
                    self.misplaced(key.text, kind, (card for _count, card in entries))
                    yield from entries
                elif (count := self.count(value)) is not None:
                    yield from ((count * times, card) for times, card in self.run([key]))

    def misplaced(self, heading: str, kind: str, cards: Iterable[PathfinderCard]) -> None:
        """Record a contradiction for each card that is listed under another card type. The card still counts as its own
        type.

        `heading` is the key in the file, and `kind` is the type that it means.
        """
        self.contradictions.extend(
            (
                card.name,
                f"is listed under {heading}, but counts as its type, {card.type}",
                Move((card.name,), heading, PLURALS[card.type]),
            )
            for card in cards
            if card.type in PLURALS and card.type != kind
        )

    def parts(self, node: Scalar) -> list[Scalar]:
        """Split a text such as `Dagger, Dart` at its commas, unless it is the name of a single card."""
        if "," not in node.text or self.card(split_quantity(node.text)[1]):
            return [node]
        return [Scalar(part.strip(), node.line) for part in node.text.split(",")]

    def run(self, scalars: list[Scalar]) -> Iterator[tuple[int, PathfinderCard]]:
        """Yield the cards that a list of texts names, each with its number of copies.

        A card's name that contains a comma has been split into two texts of the list, which are joined again.
        """
        place = 0
        while place < len(scalars):
            node = scalars[place]
            place += 1
            count, name = split_quantity(node.text)
            if not name or name == "~" or name_key(name) in TYPE_NAMES:
                continue
            card = self.card(name)
            if card is None and place < len(scalars):
                more, rest = split_quantity(f"{node.text}, {scalars[place].text}")
                if card := self.card(rest):
                    count = more
                    place += 1
            if card is None:
                self.unknown(node, name)
            elif not 1 <= count <= MOST_COPIES:
                self.note(node, f"{count} copies of {card.name}? Write a number from 1 to {MOST_COPIES}.")
            else:
                yield count, card

    def card(self, name: str) -> PathfinderCard | None:
        """Return the card called `name` from the file's descriptions or from any set; None if there is none."""
        return self.described.get(name_key(name)) or self.known(name)

    def unknown(self, node: Scalar, name: str) -> None:
        """Report that no card is called `name`, with suggestions. `node` is its place in the file."""
        self.strangers += 1
        if match := re.match(r"(\d{4,})\s*[xX×*]?\s*(?=\D)", name):
            self.note(node, f"{match[1]} copies? Write a number from 1 to {MOST_COPIES}.")
            return
        few = self.strangers <= MOST_SUGGESTIONS
        meant = suggest(name, [card.name for card in self.facts.of_set(self.set_id)]) if few else []
        hint = as_suggestion(meant)
        if not hint:
            hint = " A card from a Class Deck can be described: {name: …, type: weapon, class_deck: …, deck: B, basic: true}."
        self.note(node, f"There is no card {name!r} in {SET_TITLES[self.set_id]}.{hint}", name, meant)

    def count(self, node: Node) -> int | None:
        """Return the number of copies that `node` gives. If it is not a number, report that and return None."""
        if isinstance(node, Scalar) and re.fullmatch(r"[1-9][0-9]?", node.text):
            return int(node.text)
        self.note(node, "A card in a mapping needs its number of copies, such as `Cure: 2`.")
        return None

    def describe(self, node: Mapping) -> tuple[int, PathfinderCard] | None:
        """Return the card that the file describes at `node`, with its number of copies; None if it cannot be read.

        A file describes a card that is from a Class Deck or whose facts kb lacks. Facts that kb knows take
        precedence. A card from a Class Deck is a separate printing: of this printing, kb knows only the type.
        """
        fields = Fields(node, [])
        fields.check_keys((key.name for key in DESCRIBED), "a described card")
        name, kind = fields.text("name") or "", fields.one_of("type", KINDS, "card type", (*CARD_TYPES, "cohort"))
        written = {key: fields.text(key) for key in ("owner", "class_deck")} | {
            key: fields.said(key) for key in ("basic", "loot")
        }
        known_decks, hint = (ADVENTURES, CLASS_DECK_HINT) if written["class_deck"] else (DECKS, DECK_HINT)
        written["deck"] = fields.one_of("deck", {each: each for each in known_decks}, "deck", hint=hint)
        values: dict[str, Any] = {key: value for key, value in written.items() if value not in (None, "")}
        count = fields.number("count", MOST_COPIES)
        if not self.known(name):
            copies, name = split_quantity(name)
            count = copies if count is None else count
        known = self.known(name)
        first = self.described.get(name_key(known.name if known else name))
        base = first or known or PathfinderCard(name=name, set=self.set_id, type=None, deck=None)
        values["type"] = kind or base.type
        card = replace(base, **values)
        given = {"name": name, "type": card.type, "deck": card.deck if card.deck in known_decks else None}
        unwritten = {
            key for key in given if (at := fields.get(key)) is None or (isinstance(at, Scalar) and not at.text)
        }
        # A value that is written but means nothing has been reported.
        if missing := [key for key, value in given.items() if not value and key in unwritten]:
            fields.note(
                node,
                f"A described card needs a name, a type ({either((*CARD_TYPES, 'cohort'))}) and a deck (B, C, P or 1 to 6). "
                f"Add {both(f'`{key}:`' for key in missing)}.",
            )
        if fields.problems:
            for problem in fields.problems:
                self.note(problem.line, problem.message)
            return None
        card = self.as_known(card, values, base, described=first is not None)
        self.described[name_key(card.name)] = card
        return 1 if count is None else count, card

    def as_known(
        self, card: PathfinderCard, values: dict[str, Any], base: PathfinderCard, described: bool
    ) -> PathfinderCard:
        """Return a described `card` with the facts that kb knows, and record each of the `values` that contradicts them.

        `base` is the card as kb knows it or, if the file has `described` it before, as described there.
        """
        fix = Advice(
            f"write only the name of {card.name}, because kb knows its facts; for a Class Deck printing, add `class_deck`"
        )
        counts = {key: getattr(base, key) for key in values} if described or self.known(base.name) else {}
        if described:
            fix = Advice(f"describe {card.name} once; after that, only use its name")
        elif card.class_deck:
            counts, card = {"type": counts.get("type")}, replace(card, copies=())
        for key, value in counts.items():
            if value is None and key != "owner":
                continue
            card = replace(card, **{key: value})
            same = values[key] in base.products if key == "deck" else name_key(str(values[key])) == name_key(str(value))
            if not same:
                words = {True: "yes", False: "no", None: "nobody"}
                said, known_as = words.get(values[key], values[key]), words.get(value, value)
                what = f"is described with the {key.replace('_', ' ')} {said}; kb uses the card facts: {known_as}"
                self.contradictions.append((card.name, what, fix))
        return card

    def known(self, name: str) -> PathfinderCard | None:
        """Return the card with this name in the card facts: from the deck's set or, failing that, another set."""
        sets = (self.set_id, *(set_id for set_id in SET_TITLES if set_id != self.set_id))
        return next((card for set_id in sets if (card := self.facts.card(set_id, name))), None)
