"""The refusals that a page keeps between answers: a text with one `NAME: CARD` on each line."""

from __future__ import annotations

REFUSES = "refuses"
"""The key of the refusals among the answers of a form, and in the record of a game."""


def refusals(text: str) -> dict[str, list[str]]:
    """Return the refused cards by member."""
    by_member: dict[str, list[str]] = {}
    for line in text.splitlines():
        name, _, card = line.partition(": ")
        by_member.setdefault(name, []).append(card)
    return by_member


def refusing(text: str, who: str, card: str, refuses: bool) -> str:
    """Return the refusals in `text` (see `refusals`) after the member `who` refuses `card` or, if `refuses` is False,
    takes the refusal back.
    """
    line = f"{who}: {card}"
    others = [each for each in text.splitlines() if each != line]
    return "\n".join([*others, line] if refuses else others)
