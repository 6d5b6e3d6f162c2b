"""Correct misspelled words of a query with the help of the words in the index."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from kb.retrieval.analysis import STOP

# Words of fewer letters are never corrected; from these lengths on, one more edit is allowed.
SHORTEST, LONGER = 4, (6, 10)
# Bonuses, measured in edits. ALIKE: for the same first letter. CONSONANTS: for the same consonants, because errors are mostly in vowels
# and doubled letters. OFTEN: for each 1 of the square root of a word's weight, of which at most MOST counts. LEAST: the greatest such bonus.
ALIKE, CONSONANTS, OFTEN, MOST = 0.3, 0.3, 0.0375, 60
LEAST = OFTEN * MOST**0.5
VOWELS, DOUBLED = re.compile("[aeiouy]"), re.compile(r"(.)\1")
# For two words written as one: the least length of each, and the least weight of each in the index.
LEAST_PART, COMMON = 3, 100
# The longest text without a space that is split into two words.
LONGEST_PAIR = 40
# The number of completions to try for the word being typed.
COMPLETIONS = 12
# A question in another language has at least this many unknown words, or one less if all of its words are unknown.
STRANGE = 4


def distance(left: str, right: str, limit: int) -> int:
    """Return the edit distance of two words, or `limit` + 1 if it is larger. A swap of two neighbouring letters counts
    as one edit.
    """
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    previous = list(range(len(right) + 1))
    for row, letter in enumerate(left, 1):
        current = [row]
        for column, other in enumerate(right, 1):
            cost = min(previous[column] + 1, current[-1] + 1, previous[column - 1] + (letter != other))
            if before and column > 1 and letter == right[column - 2] and left[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        if min(current) > limit:
            return limit + 1
        before, previous = previous, current
    return previous[-1]


def is_foreign(words: int, strange: int, left: int) -> bool:
    """Return True if a question seems to be in another language, rather than misspelled.

    `words` is the number of its words, including stop words. `strange` of them are unknown, and `left` of these have no
    similar known word. Three conditions must hold. More than half of the words are unknown. At least STRANGE words are
    unknown, or one less if all words are. At least a third of the unknown words have no similar word.
    """
    return 2 * strange > words and strange >= STRANGE - (strange == words) and 3 * left >= strange


@cache
def english() -> frozenset[str]:
    """Return the stems of common English words, which are not misspellings. The file `english.txt` contains them and
    states its source.
    """
    text = Path(__file__).with_name("english.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def letters_of(word: str) -> int:
    """Return the set of letters in a word, as bits of a number. All letters other than a to z share one bit."""
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) - 97 if "a" <= letter <= "z" else 26)
    return bits


def consonants_of(word: str) -> str:
    """Return the consonants of a word, with doubled ones written once. Misspelled words often have the same consonants."""
    return DOUBLED.sub(r"\1", VOWELS.sub("", word))


class Speller:
    """Corrects words with the help of `vocabulary`: known words with their weights, highest weight first."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._by_length: dict[int, list[tuple[int, str, int, int]]] = {}
        for place, (word, count) in enumerate(vocabulary.items()):
            if word.isalpha():
                self._by_length.setdefault(len(word), []).append((place, word, count, letters_of(word)))

    def correct(self, word: str) -> str | None:
        """Return the known word that `word` most likely misspells. None if there is none.

        At most one edit is allowed for words of up to five letters, two for longer ones, and three from ten letters on.
        Words with fewer edits come first, then those with the same first letter or the same consonants, then those with
        a higher weight. Numbers are never corrected.
        """
        if len(word) < SHORTEST or not word.isalpha():
            return None
        limit = sum(len(word) >= length for length in LONGER) + 1
        letters, consonants = letters_of(word), consonants_of(word)
        lengths = range(len(word) - limit, len(word) + limit + 1)
        near = sorted(
            item
            for length in lengths
            for item in self._by_length.get(length, ())
            if (letters ^ item[3]).bit_count() <= 2 * limit  # letters in only one of the two
        )
        best: tuple[float, str] | None = None
        for _place, candidate, count, _letters in near:
            # The other bonuses are at most LEAST, so a word that is further away cannot win.
            allowed = limit if best is None else min(limit, int(best[0] + ALIKE + CONSONANTS + LEAST))
            edits = distance(word, candidate, allowed)
            if edits <= allowed:
                same = CONSONANTS * (consonants_of(candidate) == consonants)
                points = edits - ALIKE * (candidate[0] == word[0]) - same - OFTEN * min(count, MOST) ** 0.5
                if best is None or points < best[0]:
                    best = points, candidate
        return best[1] if best else None


def split(word: str, vocabulary: Mapping[str, int]) -> str | None:
    """Return the two known words that `word` consists of ("skilltest"), with a space between them. None if there are no
    such words.

    Each of them has at least LEAST_PART letters, is not a stop word, and has at least the weight COMMON. If there are
    several pairs, the more common words are returned.
    """
    if len(word) > LONGEST_PAIR:
        return None
    pairs = [(word[:at], word[at:]) for at in range(LEAST_PART, len(word) - LEAST_PART + 1)]
    known = [(min(vocabulary.get(part, 0) for part in pair), " ".join(pair)) for pair in pairs if STOP.isdisjoint(pair)]
    count, best = max(known, key=lambda item: item[0], default=(0, ""))
    return best if count >= COMMON else None


def completions(start: str, vocabulary: Mapping[str, int]) -> list[str]:
    """Return the known words that begin with `start`, highest weight first. There are at most COMPLETIONS of them."""
    matches = []
    for word in vocabulary:  # in the order of their weights
        if word != start and word.startswith(start):
            matches.append(word)
            if len(matches) == COMPLETIONS:
                break
    return matches


def tables() -> dict[str, object]:
    """Return the constants of this module for the search on the site."""
    return {
        "shortest": SHORTEST,
        "longer": LONGER,
        "alike": ALIKE,
        "consonants": CONSONANTS,
        "often": OFTEN,
        "most": MOST,
        "completions": COMPLETIONS,
        "strange": STRANGE,
        "leastPart": LEAST_PART,
        "common": COMMON,
        "longestPair": LONGEST_PAIR,
    }
