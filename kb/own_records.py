"""The kinds of records that the user's own cards become. A catalog that is read for others has none of them."""

from __future__ import annotations

PREFIX = "own:"
CARD, CHARACTER = f"{PREFIX}card", f"{PREFIX}character"
"""A card, or a character, that kb does not know."""
BROUGHT = (CARD, CHARACTER)
COPIES, FACTS = f"{PREFIX}copies", f"{PREFIX}facts"
"""How many copies of a card that it knows are owned; what kb does not know of such a card."""
