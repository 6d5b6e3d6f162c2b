"""Corrects misspelled query words against the words of the index."""

from __future__ import annotations

import difflib
from collections.abc import Mapping


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


def correct(word: str, vocabulary: Mapping[str, int]) -> str | None:
    """The known word that `word` is most likely a misspelling of, or None.

    Within one edit for words of up to five letters, two for longer ones, three from ten; nearer words first, then those
    that begin alike, then those that count more in the index (titles of entries most). Numbers are never corrected.
    """
    if len(word) < 4 or not word.isalpha():
        return None
    limit = 1 if len(word) <= 5 else 2 if len(word) <= 9 else 3
    best: tuple[float, str] | None = None
    for candidate, count in vocabulary.items():
        if abs(len(candidate) - len(word)) > limit or not candidate.isalpha():
            continue
        # Cheap bound: letters of one that the other lacks.
        if len(set(word) ^ set(candidate)) > 2 * limit:
            continue
        edits = distance(word, candidate, limit)
        if edits > limit:
            continue
        score = edits - 0.3 * (candidate[0] == word[0]) - 0.15 * min(count, 60) ** 0.5 / 4
        if best is None or score < best[0]:
            best = score, candidate
    return best[1] if best else None


def close_names(name: str, names: list[str], most: int = 3) -> list[str]:
    """The names most like `name`, best first."""
    return difflib.get_close_matches(name, names, most, 0.6)
