"""What a deck file says of a card, against what the facts know of it: it may fill gaps, it overrules nothing."""

from __future__ import annotations

from dataclasses import replace

from kb.decks.names import name_key
from kb.games.pathfinder.decks.model import Card


def settled(said: Card, known: Card | None) -> tuple[Card, list[str]]:
    """The card that counts, and what the file says of it against the facts, each as the end of a sentence.

    What the facts do not know is taken from the file. A Class Deck has printings of its own, so of a card of one only the type
    can contradict them.
    """
    if known is None:
        return said, []
    against: list[str] = []

    def differs(there: str, here: str) -> None:
        against.append(f"is described as {there}, but is {here}; the latter counts")

    card = replace(said, name=known.name)
    if known.type is not None and said.type != known.type:
        differs(a_type(said.type), a_type(known.type))
        card = replace(card, type=known.type)
    if said.class_deck is not None:
        return replace(card, copies=()), against
    card = replace(card, set=known.set, copies=known.copies)
    if known.deck is not None:
        if said.deck not in known.products:
            differs(f"of deck {said.deck}", f"of deck {known.deck}")
        card = replace(card, deck=known.deck)
    if known.basic is not None and said.basic != known.basic:
        differs(marked(said.basic, "Basic"), marked(known.basic, "Basic"))
        card = replace(card, basic=known.basic)
    if said.loot != known.loot:
        differs(marked(said.loot, "loot"), marked(known.loot, "loot"))
        card = replace(card, loot=known.loot)
    if name_key(said.owner or "") != name_key(known.owner or ""):
        differs(f"owned by {said.owner}", f"owned by {known.owner}" if known.owner else "without the Owner trait")
        card = replace(card, owner=known.owner)
    return card, against


def a_type(card_type: str | None) -> str:
    """`a weapon`, `an ally`."""
    return f"{'an' if card_type[0] in 'aeiou' else 'a'} {card_type}" if card_type else "of no type"


def marked(flag: bool | None, word: str) -> str:
    """`Basic` or `not Basic`."""
    return word if flag else f"not {word}"
