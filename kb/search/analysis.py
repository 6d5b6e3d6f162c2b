"""Turns text into index words: lower case, no possessives, stop words left out, stemmed (Porter)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from whoosh.lang.porter import stem

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|\[[a-z_]+\]")
# Words that carry no meaning of their own in a question at the table.
STOP = frozenset(
    "a an and are as at be been being but by did do does doing for from had has have having he her hers him his how i if in "
    "into is it its itself just me my of off on or our ours she so such than that the their them then there these they this "
    "those to too us was we were what when where which while who whom why will with would you your yours am also about any "
    "im ive id dont doesnt isnt cant wont should could i'm i've it's that's what's there's".split()
)


def words(text: str) -> list[str]:
    """The words of a text as typed, in lower case and without accents, possessives dropped."""
    folded = unicodedata.normalize("NFKD", text.casefold().replace("’", "'"))
    folded = "".join(letter for letter in folded if not unicodedata.combining(letter))
    return [re.sub(r"'s?$", "", word).replace("'", "") for word in WORD.findall(folded)]


@lru_cache(maxsize=50_000)
def stemmed(word: str) -> str:
    """A word as the index holds it."""
    return str(stem(word)) if word.isalpha() and len(word) > 2 else word.strip("[]")


def index_words(text: str) -> list[str]:
    """The index words of a text, in order, stop words left out."""
    return [stemmed(word) for word in words(text) if word not in STOP]


def query_words(text: str) -> list[str]:
    """The words of a query worth looking up, as typed (lower case); all of them when only stop words were typed."""
    found = words(text)
    return [word for word in found if word not in STOP] or found
