"""Reads names in deck files: tolerant comparison, numbers of copies, and suggestions for misspelt names."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

# Optional blanks match at most once: with more of them on both sides of an `x`, matching would take quadratic time.
_BEFORE = re.compile(
    r"^\s*(?:(\d{1,3})\s*(?:[xX×*]\s*|\s)|[xX×]\s?(\d{1,3})\s|[(\[]\s?[xX×]?\s?(\d{1,3})\s?[xX×]?\s?[)\]]\s*)(?=\S)(.+)$"
)
_AFTER = re.compile(
    r"^(.*[^\s,:=])\s*(?:[(\[]\s?[xX×]?\s?(\d{1,3})\s?[xX×]?\s?[)\]]|(?<!\w)[xX×*]\s?(\d{1,3})|[,:=]\s?[xX×]?\s?(\d{1,3})\s?[xX×]?)\s*$"
)
_LEVEL_AFTER = re.compile(r"[(\[]\s?\d{1,3}\s?[)\]]\s*$")

MOST_NAMED = 3
MOST_SUGGESTIONS = 40
"""The largest number of names in one file that get a suggestion. Each suggestion takes milliseconds, so a file that is
not a deck at all would take minutes.
"""


class CardLabel(str):
    """The label of a card in findings, such as `Shrivelling (3) [02154]`. The label consists of the `name` for people
    and, in a game whose cards have codes, the `key` in brackets.

    In other games, the label is the name, which is also the card's key in a deck.
    """

    __slots__ = ("key", "name")
    name: str
    key: str

    def __new__(cls, name: str, key: str = "") -> CardLabel:
        """Return the label of the card `name` with the key `key`."""
        label = super().__new__(cls, f"{name} [{key}]" if key else name)
        label.name, label.key = name, key or name
        return label

    def __reduce__(self) -> tuple[type[CardLabel], tuple[str, str]]:
        """Let pickle build the label again in another process."""
        return CardLabel, (self.name, "" if self.key == self.name else self.key)

    @classmethod
    def of(cls, label: str) -> CardLabel:
        """Return `label` as a CardLabel. A plain string becomes the label of a card without a code."""
        return label if isinstance(label, cls) else cls(label)


def name_key(name: str) -> str:
    """Return a name normalized for comparison: without case, accents, apostrophes, hyphens and blanks. Plus signs stay,
    as in `+1`.
    """
    bare = unicodedata.normalize("NFKD", name).casefold().replace("&", "and")
    return re.sub(r"[^a-z0-9+]", "", bare)


def split_quantity(text: str, levels: bool = False) -> tuple[int, str]:
    """Split a text such as `2x Cure`, `x2 Cure`, `2 Cure`, `[2] Cure`, `Cure x2`, `Cure, 2`, `Cure: 2` or `Cure (2)`
    into the number of copies and the name.

    Without a number, the number of copies is 1. With `levels`, a number in brackets after the name is the card's level
    and stays in the name.
    """
    if match := _BEFORE.match(text):
        return int(match[1] or match[2] or match[3]), match[4].strip()
    if not (levels and _LEVEL_AFTER.search(text)) and (match := _AFTER.match(text)):
        return int(match[2] or match[3] or match[4]), match[1].strip()
    return 1, text.strip()


def suggest(name: str, known: Iterable[str]) -> list[str]:
    """Return the names in `known` that the misspelt `name` may mean, closest first."""
    keys: dict[str, str] = {}
    for candidate in known:
        keys.setdefault(name_key(candidate), candidate)
    wanted = name_key(name)
    close = difflib.get_close_matches(wanted, list(keys), MOST_NAMED, 0.7)
    if not close and len(wanted) > 3:
        close = [key for key in keys if wanted in key][:MOST_NAMED]
    return [keys[key] for key in close]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ` Did you mean A, B or C?` with names of `known` that are similar to `name`; empty if there are none."""
    return as_suggestion(suggest(name, known))


def as_suggestion(mean: Iterable[str]) -> str:
    """Return ` Did you mean A, B or C?` for the given names; empty if there are none."""
    return f" Did you mean {either(mean)}?" if mean else ""


def nearest(typed: str, names: Iterable[str]) -> str:
    """Return ` Did you mean …?` with the `names` that contain `typed` as a word, or else with similar names; empty if
    there are none.
    """
    known = list(dict.fromkeys(names))
    begun = [name for name in known if typed.casefold() in name.casefold().split()]
    return f" Did you mean {either(begun[:5])}?" if begun else did_you_mean(typed, known)


def either(names: Iterable[str], word: str = "or") -> str:
    """Return the names as `A, B or C`; empty for no names."""
    *first, last = list(names) or [""]
    return f"{', '.join(first)} {word} {last}" if first else last


def both(names: Iterable[str]) -> str:
    """Return the names as `A, B and C`; empty for no names."""
    return either(names, "and")


def counted_names(names: Iterable[str]) -> str:
    """Return names with their numbers of copies, such as `2x Cure, Dagger`, in the order of their first appearance."""
    return ", ".join(each_counted(names))


def each_counted(names: Iterable[str]) -> list[str]:
    """Return each name once with its number of copies, such as `2x Cure` and `Dagger`, in the order of first
    appearance.
    """
    return [f"{count}x {name}" if count > 1 else name for name, count in Counter(names).items()]
