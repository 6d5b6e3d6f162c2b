"""Corrects misspelled query words against the words of the index."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from kb.retrieval.analysis import STOP

# Words of fewer letters are never corrected; from these lengths on, one more edit is allowed.
SHORTEST, LONGER = 4, (6, 10)
# In edits: what beginning with the same letter is worth, and having the same consonants (people err in vowels and in doubled letters);
# what a word gains by the root of how much it counts (MOST at most), and the most that can be.
ALIKE, CONSONANTS, OFTEN, MOST = 0.3, 0.3, 0.0375, 60
LEAST = OFTEN * MOST**0.5
VOWELS, DOUBLED = re.compile("[aeiouy]"), re.compile(r"(.)\1")
# Of two words written as one: how many letters each has at least, and how much each counts in the index.
LEAST_PART, COMMON = 3, 100
# Two words written as one have at most as many letters: a longer text without a space is cut nowhere.
LONGEST_PAIR = 40
# How many words are tried that go on from the one being typed.
COMPLETIONS = 12
# So many words of a question at least stand nowhere when it is of another language; one less where all of them do.
STRANGE = 4


def distance(left: str, right: str, limit: int) -> int:
    """Edit distance with swaps of neighbours (optimal string alignment), or `limit` + 1 when it is larger."""
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
    """Whether a question is of another language rather than misspelled: of its `words` (stop words too) more than half are `strange`, which
    stand nowhere, STRANGE of them at least, and a third of these or more are `left`, like no word of ours."""
    return 2 * strange > words and strange >= STRANGE - (strange == words) and 3 * left >= strange


@cache
def english() -> frozenset[str]:
    """Stems of common English words that are no misspelled words of ours (`english.txt`, which says whose list it is)."""
    text = Path(__file__).with_name("english.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def letters_of(word: str) -> int:
    """The letters of a word as a set of bits (letters beyond a to z share one)."""
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) - 97 if "a" <= letter <= "z" else 26)
    return bits


def consonants_of(word: str) -> str:
    """The consonants of a word, with doubled ones written once: misspelled words often keep them."""
    return DOUBLED.sub(r"\1", VOWELS.sub("", word))


class Speller:
    """Corrects words against a vocabulary: known words with how much they count in the index, those first that count most."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._by_length: dict[int, list[tuple[int, str, int, int]]] = {}
        for place, (word, count) in enumerate(vocabulary.items()):
            if word.isalpha():
                self._by_length.setdefault(len(word), []).append((place, word, count, letters_of(word)))

    def correct(self, word: str) -> str | None:
        """The known word that `word` is most likely a misspelling of, or None.

        Within one edit for words of up to five letters, two for longer ones, three from ten; nearer words first, then those
        that begin alike or have the same consonants, then those that count more in the index (titles of entries most).
        Numbers are never corrected.
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
            if (letters ^ item[3]).bit_count() <= 2 * limit  # letters of one that the other lacks
        )
        best: tuple[float, str] | None = None
        for _place, candidate, count, _letters in near:
            # What counts beside the edits is LEAST at most: a word that is further away cannot win.
            allowed = limit if best is None else min(limit, int(best[0] + ALIKE + CONSONANTS + LEAST))
            edits = distance(word, candidate, allowed)
            if edits <= allowed:
                same = CONSONANTS * (consonants_of(candidate) == consonants)
                points = edits - ALIKE * (candidate[0] == word[0]) - same - OFTEN * min(count, MOST) ** 0.5
                if best is None or points < best[0]:
                    best = points, candidate
        return best[1] if best else None


def split(word: str, vocabulary: Mapping[str, int]) -> str | None:
    """Return the two known words that `word` is made of ("skilltest"), with a space between them; None if there are none.

    Each has LEAST_PART letters at least, is no stop word and counts COMMON at least. Of several pairs the one with the more common words.
    """
    if len(word) > LONGEST_PAIR:
        return None
    pairs = [(word[:at], word[at:]) for at in range(LEAST_PART, len(word) - LEAST_PART + 1)]
    known = [(min(vocabulary.get(part, 0) for part in pair), " ".join(pair)) for pair in pairs if STOP.isdisjoint(pair)]
    count, best = max(known, key=lambda item: item[0], default=(0, ""))
    return best if count >= COMMON else None


def completions(start: str, vocabulary: Mapping[str, int]) -> list[str]:
    """The known words that go on from `start`, those first that count most, COMPLETIONS at most."""
    matches = []
    for word in vocabulary:  # in the order of how much they count
        if word != start and word.startswith(start):
            matches.append(word)
            if len(matches) == COMPLETIONS:
                break
    return matches


def tables() -> dict[str, object]:
    """The figures of this module, as the page's search reads them."""
    return {
        "shortest": SHORTEST, "longer": LONGER, "alike": ALIKE, "consonants": CONSONANTS, "often": OFTEN, "most": MOST,
        "completions": COMPLETIONS, "strange": STRANGE, "leastPart": LEAST_PART, "common": COMMON,
        "longestPair": LONGEST_PAIR,
    }  # fmt: skip
