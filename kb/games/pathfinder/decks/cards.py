"""Reads lists of cards in a Pathfinder deck file: names with numbers of copies, and cards described in the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from kb.decks.fields import YES_NO
from kb.decks.names import MOST_SUGGESTIONS, did_you_mean, name_key, split_quantity
from kb.decks.nodes import Mapping, Node, Scalar, Sequence, key_name
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import ADVENTURES, CARD_TYPES, PLURALS, SET_TITLES, Card


def settled(said: Card, known: Card | None) -> tuple[Card, list[str]]:
    """The card that counts, and what the file says of it against the facts, each as the end of a sentence.

    What the facts do not know is taken from the file. A Class Deck has printings of its own, so of a card of one only the type
    can contradict them.
    """
    if known is None:
        return said, []
    against: list[str] = []
    card = replace(said, name=known.name)
    if said.class_deck is None:
        card = replace(card, set=known.set)
    card = replace(card, copies=() if said.class_deck else known.copies)
    for field in ("type",) if said.class_deck else WORDS:
        there, here = getattr(said, field), getattr(known, field)
        if here is None and field != "owner":
            continue
        same = there == here
        if field == "deck":
            same = there in known.products
        elif field == "owner":
            same = name_key(there or "") == name_key(here or "")
        if not same:
            words = WORDS[field]
            against.append(f"is described as {words(there)}, but is {words(here)}; the latter counts")
        card = replace(card, **{field: here})
    return card, against


def a_type(card_type: str | None) -> str:
    """`a weapon`, `an ally`."""
    return f"{'an' if card_type[0] in 'aeiou' else 'a'} {card_type}" if card_type else "of no type"


# What a deck file can say of a card, in words.
WORDS: dict[str, Callable[[Any], str]] = {
    "type": a_type,
    "deck": lambda deck: f"of deck {deck}",
    "basic": lambda basic: "Basic" if basic else "not Basic",
    "loot": lambda loot: "loot" if loot else "not loot",
    "owner": lambda owner: f"owned by {owner}" if owner else "without the Owner trait",
}

Note = Callable[[Node | int, str], None]

TYPE_NAMES = {**{kind: kind for kind in CARD_TYPES}, **{plural: kind for kind, plural in PLURALS.items()}}
DESCRIBED = ("name", "type", "deck", "count", "basic", "loot", "owner", "class_deck")
MOST_COPIES = 99
MOST_CARDS = 12_000


class CardReader:
    """Reads the card lists of one deck file; what is wrong goes to `note(node, sentence)`."""

    def __init__(self, facts: Facts, set_id: str, note: Note) -> None:
        self.facts = facts
        self.set_id = set_id
        self.note = note
        self.described: dict[str, Card] = {}
        self.strangers = 0
        self.contradictions: list[tuple[str, str, str]] = []

    def deck(self, root: Mapping) -> tuple[tuple[Card, ...], tuple[str, ...]]:
        """The cards under `cards:` and under the names of card types, and the cohorts described among them."""
        cards: list[Card] = []
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

    def pile(self, node: Node | None) -> tuple[Card, ...]:
        """A list of cards, each as often as it is there."""
        if node is None:
            return ()
        found: list[Card] = []
        for count, card in self.entries(node):
            if len(found) + count > MOST_CARDS:
                self.note(node, f"The list holds more than {MOST_CARDS:,} cards; that is not a deck.")
                break
            found.extend([card] * count)
        return tuple(found)

    def entries(self, node: Node) -> Iterator[tuple[int, Card]]:
        """Cards with their number of copies, from a list, a mapping or a single name."""
        if isinstance(node, Scalar):
            yield from self.run(self.parts(node))
        elif isinstance(node, Sequence):
            scalars: list[Scalar] = []
            for item in node.items:
                if isinstance(item, Scalar):
                    scalars.append(item)
                else:
                    yield from self.run(scalars)
                    scalars = []
                    yield from self.entries(item)
            yield from self.run(scalars)
        elif any(key_name(key.text) == "name" for key, _ in node.pairs):
            if described := self.describe(node):
                yield described
        else:
            for key, value in node.pairs:
                if (kind := TYPE_NAMES.get(name_key(key.text))) and not isinstance(value, Scalar):
                    found = list(self.entries(value))
                    self.misplaced(key.text, kind, (card for _count, card in found))
                    yield from found
                elif (count := self.count(value)) is not None:
                    yield from ((count * times, card) for times, card in self.run([key]))

    def misplaced(self, heading: str, kind: str, cards: Iterable[Card]) -> None:
        """Remember cards that stand below the name of another card type: they count as what they are."""
        self.contradictions.extend(
            (
                card.name,
                f"stands under `{heading}`; it is {a_type(card.type)} and counts as one",
                f"Move {card.name} under `{PLURALS[card.type]}`, or list all cards under `cards`.",
            )
            for card in cards
            if card.type in PLURALS and card.type != kind
        )

    def parts(self, node: Scalar) -> list[Scalar]:
        """`Dagger, Dart` written without brackets as two names, unless it is the name of one card."""
        if "," not in node.text or self.card(split_quantity(node.text)[1]):
            return [node]
        return [Scalar(part.strip(), node.line) for part in node.text.split(",")]

    def run(self, scalars: list[Scalar]) -> Iterator[tuple[int, Card]]:
        """Cards from names in a row. A name with a comma, parted by the list's commas, is put together again."""
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

    def card(self, name: str) -> Card | None:
        """The card of that name: described in the file, of the deck's set, or of another."""
        return self.described.get(name_key(name)) or self.known(name)

    def unknown(self, node: Scalar, name: str) -> None:
        """Note that no card has that name."""
        self.strangers += 1
        if found := re.match(r"(\d{4,})\s*[xX×*]?\s*(?=\D)", name):
            self.note(node, f"{found[1]} copies? Write a number from 1 to {MOST_COPIES}.")
            return
        hint = ""
        if self.strangers <= MOST_SUGGESTIONS:
            hint = did_you_mean(name, [card.name for card in self.facts.of_set(self.set_id)])
        if not hint:
            hint = " A card of a Class Deck can be described: {name: …, type: weapon, class_deck: …, deck: B, basic: true}."
        self.note(node, f"There is no card {name!r} in {SET_TITLES[self.set_id]}.{hint}")

    def count(self, node: Node) -> int | None:
        """A number of copies as the value of a key."""
        if isinstance(node, Scalar) and re.fullmatch(r"[1-9][0-9]?", node.text):
            return int(node.text)
        self.note(node, "A card in a mapping needs its number of copies, such as `Cure: 2`.")
        return None

    def describe(self, node: Mapping) -> tuple[int, Card] | None:
        """A card described in the file: of a Class Deck, or with facts that are missing here."""
        values = {key_name(key.text): value for key, value in node.pairs}
        for key, _ in node.pairs:
            if key_name(key.text) not in DESCRIBED:
                hint = did_you_mean(key.text, DESCRIBED) or f" Known are {', '.join(DESCRIBED)}."
                self.note(key, f"Unknown key `{key.text}` of a described card.{hint}")
        texts = {key: value.text for key, value in values.items() if isinstance(value, Scalar) and value.text}
        name = texts.get("name", "")
        known = self.known(name)
        first = self.described.get(name_key(known.name if known else name))
        base = first or known or Card(name=name, set=self.set_id, type=None, deck=None)
        kind, deck = texts.get("type", base.type or ""), texts.get("deck", base.deck)
        card_type = "cohort" if kind == "cohort" else TYPE_NAMES.get(name_key(kind))
        if not name or card_type is None or deck not in (*ADVENTURES, "C", "P"):
            types = ", ".join(CARD_TYPES)
            self.note(
                node, f"A described card needs a name, a type ({types} or cohort) and a deck (B, C, P or 1 to 6)."
            )
            return None
        flags = {"basic": base.basic, "loot": base.loot}
        for flag in flags.keys() & values.keys():
            written = texts.get(flag, "").casefold()
            if written not in YES_NO:
                self.note(values[flag], f"`{flag}` must be true or false.")
            flags[flag] = YES_NO.get(written, flags[flag])
        owner, class_deck = texts.get("owner", base.owner), texts.get("class_deck", base.class_deck)
        said = replace(
            base, type=card_type, deck=deck, basic=flags["basic"], loot=bool(flags["loot"]), owner=owner, class_deck=class_deck
        )  # fmt: skip
        card, against = settled(said, known)
        fix = f"Write only the name of {card.name}, whose facts are known; a printing of a Class Deck needs `class_deck:`."
        if first is not None and first != card and not against:
            against, card = ["is described a second time, otherwise than before; the first counts"], first
            fix = f"Describe {card.name} once; its name alone will do after that."
        self.contradictions.extend((card.name, each, fix) for each in against)
        self.described[name_key(card.name)] = card
        count = self.count(values["count"]) if "count" in values else 1
        return None if count is None else (count, card)

    def known(self, name: str) -> Card | None:
        """The card of that name in the facts: of the deck's set, or of another."""
        sets = (self.set_id, *(set_id for set_id in SET_TITLES if set_id != self.set_id))
        return next((card for set_id in sets if (card := self.facts.card(set_id, name))), None)
