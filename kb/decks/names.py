"""How names in deck files are read: forgiving keys, numbers of copies, suggestions."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

# Blanks that may be left out are at most one: more of them on both sides of an `x` would take a time that grows with their square.
_BEFORE = re.compile(
    r"^\s*(?:(\d{1,3})\s*(?:[xX×*]\s*|\s)|[xX×]\s?(\d{1,3})\s|[(\[]\s?[xX×]?\s?(\d{1,3})\s?[xX×]?\s?[)\]]\s*)(?=\S)(.+)$"
)
_AFTER = re.compile(
    r"^(.*[^\s,:=])\s*(?:[(\[]\s?[xX×]?\s?(\d{1,3})\s?[xX×]?\s?[)\]]|(?<!\w)[xX×*]\s?(\d{1,3})|[,:=]\s?[xX×]?\s?(\d{1,3})\s?[xX×]?)\s*$"
)
_LEVEL_AFTER = re.compile(r"[(\[]\s?\d{1,3}\s?[)\]]\s*$")

MOST_NAMED = 3
MOST_SUGGESTIONS = 40
"""How many names of a file get one: a suggestion takes milliseconds, and a file of another kind would take minutes."""


def name_key(name: str) -> str:
    """A name without what people write differently: case, accents, apostrophes, hyphens, blanks; a `+1` is kept."""
    bare = unicodedata.normalize("NFKD", name).casefold().replace("&", "and")
    return re.sub(r"[^a-z0-9+]", "", bare)


def split_quantity(text: str, levels: bool = False) -> tuple[int, str]:
    """Number of copies and name in `2x Cure`, `x2 Cure`, `2 Cure`, `[2] Cure`, `Cure x2`, `Cure, 2`, `Cure: 2` or `Cure (2)`; 1 without
    a number. With `levels` a bare number in brackets behind a name is the card's level and stays."""
    if match := _BEFORE.match(text):
        return int(match[1] or match[2] or match[3]), match[4].strip()
    if not (levels and _LEVEL_AFTER.search(text)) and (match := _AFTER.match(text)):
        return int(match[2] or match[3] or match[4]), match[1].strip()
    return 1, text.strip()


def suggest(name: str, known: Iterable[str]) -> list[str]:
    """Known names that a misspelt one may mean, the closest first."""
    keys: dict[str, str] = {}
    for candidate in known:
        keys.setdefault(name_key(candidate), candidate)
    wanted = name_key(name)
    close = difflib.get_close_matches(wanted, list(keys), MOST_NAMED, 0.7)
    if not close and len(wanted) > 3:
        close = [key for key in keys if wanted in key][:MOST_NAMED]
    return [keys[key] for key in close]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """` Did you mean A, B or C?` or nothing."""
    return as_suggestion(suggest(name, known))


def as_suggestion(mean: Iterable[str]) -> str:
    """` Did you mean A, B or C?` for suggestions already at hand; empty without any."""
    return f" Did you mean {either(mean)}?" if mean else ""


def nearest(typed: str, names: Iterable[str]) -> str:
    """` Did you mean …?` with the names of which a part is typed, else those that are spelled alike; nothing without any."""
    known = list(dict.fromkeys(names))
    begun = [name for name in known if typed.casefold() in name.casefold().split()]
    return f" Did you mean {either(begun[:5])}?" if begun else did_you_mean(typed, known)


def either(names: Iterable[str], word: str = "or") -> str:
    """`A, B or C`; nothing for no names."""
    *first, last = list(names) or [""]
    return f"{', '.join(first)} {word} {last}" if first else last


def both(names: Iterable[str]) -> str:
    """`A, B and C`; nothing for no names."""
    return either(names, "and")


def counted_names(names: Iterable[str]) -> str:
    """`2x Cure, Dagger`: names with their number of copies, in the order in which they first appear."""
    return ", ".join(each_counted(names))


def each_counted(names: Iterable[str]) -> list[str]:
    """`2x Cure` and `Dagger`: each name once, with its number of copies, in the order in which they first appear."""
    return [f"{count}x {name}" if count > 1 else name for name, count in Counter(names).items()]
