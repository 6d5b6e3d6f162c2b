"""Names that are near to one that nothing has: a letter wrong, a part of a longer name, a number without its zeros or its end."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

MOST, LONGEST = 3, 80
# How alike (0 to 1) two names are at least, and a word of a name with a single word that was typed.
ALIKE, WORDS_ALIKE = 0.75, 0.8


def near_names(typed: str, known: Sequence[str]) -> list[str]:
    """Of the `known` names those that are most like what was `typed`, MOST at most; all of them as the index compares names."""
    if not typed or len(typed) > LONGEST:
        return []
    bare = typed.lstrip("0")
    found = [name for name in known if name.lstrip("0") == bare] if typed.isdigit() else []
    found += sorted(name for name in known if name.startswith(typed))[:MOST] if typed.isdigit() else []
    found += get_close_matches(typed, known, MOST, ALIKE)
    if len(found) < MOST and " " not in typed:
        words = dict.fromkeys(word for name in known for word in name.split() if " " in name)
        alike = get_close_matches(typed, words, 1, WORDS_ALIKE)
        found += sorted((name for name in known if alike and alike[0] in name.split()), key=len)[:MOST]
    return list(dict.fromkeys(found))[:MOST]
