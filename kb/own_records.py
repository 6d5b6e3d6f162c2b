"""The kinds of records made from the user's own cards. An export for other people contains none of them."""

from __future__ import annotations

PREFIX = "own:"
CARD, CHARACTER = f"{PREFIX}card", f"{PREFIX}character"
"""A card or character that is new to kb."""
BROUGHT = (CARD, CHARACTER)
COPIES, FACTS = f"{PREFIX}copies", f"{PREFIX}facts"
"""The number of owned copies of a known card, and new facts of a known card."""
