"""Counts with nouns for sentences: `1 copy`, `2 copies`, `2 boxes`."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, such as `1 card`, `0 cards`, `2 basic weaknesses`; `noun` is the singular."""
    return f"{number} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Return the regular plural of an English noun: `cards`, `copies`, `boxes`."""
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "z", "ch", "sh")) else f"{noun}s"
