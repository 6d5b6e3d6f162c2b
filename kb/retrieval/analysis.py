"""Turn text into index words: in lower case, without possessive endings and stop words, and reduced to stems (Porter)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from whoosh.lang.porter import stem

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|\[[a-z_]+\]")
# Words that carry no meaning in a question about the rules.
STOP_WORDS = """
a an and are as at be been being but by did do does doing for from had has have having he her hers him his
how i if in into is it its itself just me my of off on or our ours she so such than that the their them then
there these they this those to too us was we were what when where which while who whom why will with would
you your yours am also about any im ive id dont doesnt isnt cant wont should could i'm i've it's that's
what's there's
"""
STOP = frozenset(STOP_WORDS.split())
# A doubled consonant at the end of a stem of more than three letters ("add" stays).
DOUBLE_END = re.compile(r"(?<=..)([bdfgmnprt])\1$")


@lru_cache(maxsize=100_000)
def folded(word: str) -> str:
    """Return a word in lower case, without accents, apostrophes or a possessive ending."""
    plain = word.casefold()
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain.replace("’", "'"))
        plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    if "'" in plain:
        plain = plain.removesuffix("'s").replace("'", "")
    return plain


@lru_cache(maxsize=500)  # the texts of a document are split several times
def pieces(text: str) -> list[str]:
    """Return the words of a text, exactly as written."""
    return WORD.findall(text)


def words(text: str) -> list[str]:
    """Return the words of a text, each folded with `folded`."""
    return list(map(folded, pieces(text)))


@lru_cache(maxsize=100_000)
def stemmed(word: str) -> str:
    """Return the stem of a folded word, as the index contains it.

    Whoosh's stemmer keeps the doubled consonant of "committed". Here it is reduced to a single one, as in "commit".
    """
    return DOUBLE_END.sub(r"\1", str(stem(word))) if word.isalpha() and len(word) > 2 else word.strip("[]")


@lru_cache(maxsize=100_000)
def text_word(word: str) -> str:
    """Return a word of a text as the index would contain it. Stop words are treated like other words."""
    return stemmed(folded(word))


@lru_cache(maxsize=100_000)
def index_word(word: str) -> str:
    """Return the form in which the index stores a word of a text; empty for a stop word."""
    plain = folded(word)
    return "" if plain in STOP else stemmed(plain)


@lru_cache(maxsize=500)
def index_words(text: str) -> Sequence[str]:
    """Return the index words of a text in order. Stop words are left out."""
    return tuple(filter(None, map(index_word, pieces(text))))


def query_words(text: str) -> list[str]:
    """Return the folded words of a query, without stop words. If it consists only of stop words, return them all."""
    typed = words(text)
    return [word for word in typed if word not in STOP] or typed
