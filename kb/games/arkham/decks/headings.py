"""Which lines of a plain list are headings of its sections rather than cards: `Assets (12)`, `Hand x2`, `Level 0`, a product's name."""

from __future__ import annotations

import re

from kb.decks.names import name_key
from kb.games.arkham.decks.facts import Facts

_SPOKEN = """
accessory adjustment ally and arcane asset available basic body bonded campaign card class core cost customizable date deck enemy event
exceptional experience extra free guardian hand head health id in investigator level list location main mental multiclass myriad mystic
neutral no number of or other permanent physical player product random required rogue sanity seeker set side signature size skill slot
special spent spirit starting story survivor tarot the total trauma treachery two unique unspent upgrade version weakness without xp
year
"""
_WORDS = frozenset(_SPOKEN.split())
_ENDS = (("ies", "y"), ("sses", "ss"), ("s", ""))  # of more than one


def is_heading(line: str, facts: Facts) -> bool:
    """Whether nothing in a line can be a card: words of sections and numbers, the name of a product, a rule of signs."""
    bare = re.sub(r"[(\[]?[xX×]?\d+[xX×]?[)\]]?", " ", line).strip(" \t-*•=_~#:.")
    if name_key(bare) in facts.pack_names or name_key(bare) in facts.cycle_names:
        return True
    return all(map(_of_sections, re.findall(r"[^\W\d_]+", bare)))


def _of_sections(word: str) -> bool:
    small = word.casefold()
    singular = next((small.removesuffix(end) + instead for end, instead in _ENDS if small.endswith(end)), small)
    return small in _WORDS or singular in _WORDS
