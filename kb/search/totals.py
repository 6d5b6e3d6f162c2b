"""What the documents of an index bring together: the words a query can be corrected to, the words of games, and those of cards' names."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kb.search.names import LIKELY, share
from kb.search.record import as_json
from kb.search.terms import Terms

KNOWN_WORDS = "words.json"
GAMES = "games.json"
COUNTS = ".counts.json"


class Totals:
    """What the documents of a segment bring to the totals: `known` words, and of entries the number (`sizes`), how many hold each
    index word (`often`) and how many are about a card with it in its name (`about`), by game, with the words of all cards' names
    (`bears`). Cards and the user's own rulebooks are no entries."""

    def __init__(self) -> None:
        self._known: Counter[str] = Counter()
        self._sizes: Counter[str] = Counter()
        self._often, self._about, self._bears = (defaultdict[str, Counter[str]](Counter) for _which in range(3))

    def add(self, terms: Terms) -> None:
        """Count a document."""
        known, before = self._known, self._known.get
        for word, number in terms.known.items():
            known[word] = before(word, 0) + number
        self._about[terms.game].update(terms.about)
        self._bears[terms.game].update(terms.bears)
        if terms.counts:
            self._sizes[terms.game] += 1
            self._often[terms.game].update(list(terms.text))

    def told(self) -> dict[str, Any]:
        """What was counted."""
        return {
            "known": self._known, "sizes": self._sizes, "often": self._often, "about": self._about, "bears": self._bears,
        }  # fmt: skip


def write_totals(folder: Path, names: Iterable[str]) -> None:
    """Add up what the segments brought: the words a query can be corrected to, those first that count most, the words of games, and
    those that are likely a card's name (see kb.search.names.likely)."""
    known: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    often, about, bears = (defaultdict[str, Counter[str]](Counter) for _which in range(3))
    for name in names:
        told = json.loads((folder / f"{name}{COUNTS}").read_text(encoding="utf-8"))
        known.update(told["known"])
        sizes.update(told["sizes"])
        for whole, key in ((often, "often"), (about, "about"), (bears, "bears")):
            for game, held in told[key].items():
                whole[game].update(held)
    by_word: dict[str, dict[str, int]] = {}
    for game, counted in often.items():
        for word, number in counted.items():
            by_word.setdefault(word, {})[game] = number
    named = {
        game: {word: about[game][word] for word in words if share(about[game][word], often[game][word]) >= LIKELY}
        for game, words in bears.items()
    }
    write_json(folder / KNOWN_WORDS, dict(sorted(known.items(), key=lambda pair: (-pair[1], pair[0]))), sort=False)
    write_json(folder / GAMES, {"sizes": sizes, "often": by_word, "named": named})


def write_json(path: Path, value: object, sort: bool = True) -> None:
    """Write a side file of the index."""
    path.write_text(as_json(value, sort), encoding="utf-8")
