"""Which words of a question are a card's name, and what answers when a card is named.

A name explains its own words only. A document is ranked by the rest of the question, with the card's types in the place of its name ("can an
exhausted Beat Cop take damage" asks of an ally), or, when it speaks of the card and that is more, by the whole question: the more surely the
shorter the question is (a long one tells what it is about without the name) and the fewer other cards the document is about. How alike the two
are in what they mean is a matter of the rest alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from math import exp
from typing import Any

from kb.retrieval.analysis import index_words
from kb.retrieval.document import Document
from kb.retrieval.record import Record

# Standings of what has a name of this kind.
NAMED = frozenset({"card", "character"})
# A word of a card's name is taken for it when at least this share of a game's entries that have the word have it as one of their cards;
# where only a part of the name stands in the question, at least half of it and only words that are likelier.
LIKELY, PARTLY, HALF = 0.3, 0.45, 0.5
# How many cards are looked for, and of how many that bear one name the types are taken.
NAMES, BEARERS = 4, 4
# What the types of a named card count of a word, and how many documents are ranked besides that fit the rest best.
TYPES, BESIDES = 0.6, 25
# The exponent of what a hit gains that speaks of the named card, at once and for the length of the rest (LONG words count in full).
FAVOUR, LENGTH, LONG = 1.8, -1.0, 8
# Share of its points that the named card or character's page itself keeps: it tells facts, and the rest of the question asks for more.
FACTS = 0.4


@dataclass(frozen=True, slots=True)
class Name:
    """Words of a question that are a card's name, and the documents that bear it."""

    words: frozenset[str]
    bearers: tuple[int, ...]


def words_of_names(document: Document) -> tuple[list[str], list[str]]:
    """The index words of what a document bears as a card's name, and of the cards that it is about; a character's page is about itself."""
    own: dict[str, None] = {}
    about: dict[str, None] = {}
    if document.standing in NAMED:
        own = dict.fromkeys(chain.from_iterable(map(index_words, (document.title, *document.aliases))))
    if document.standing != "card" and not document.own:
        about = dict.fromkeys(chain.from_iterable(map(index_words, document.related))) | own
    return list(own), list(about)


def likely(
    asked: Iterable[str],
    about: Mapping[str, Mapping[str, int]],
    often: Mapping[str, Mapping[str, int]],
    games: Collection[str],
) -> dict[str, float]:
    """The words of a question that may be of a card's name in one of `games`, with how likely they are.

    `about` has, for the words of names that are likely in a game, how many of its entries are about a card with that word; `often` how
    many entries of each game hold a word.
    """
    found = {}
    for word in asked:
        held = [about[game][word] for game in games if word in about.get(game, {})]
        if held:
            entries = often.get(word, {})
            found[word] = share(sum(held), sum(entries.get(game, 0) for game in games))
    return {word: value for word, value in found.items() if value >= LIKELY}


def share(about: int, entries: int) -> float:
    """How likely a word is of a card's name when `about` of the `entries` that have it have it as one of their cards."""
    return (about + 1) / (entries + 1)


def names_in(asked: Collection[str], sure: Mapping[str, float], records: Iterable[tuple[int, Record]]) -> list[Name]:
    """The cards that a question names, those first of which it has most words; each word is of one name.

    `sure` are the words that may be of a name; `records` are the cards with one of these.
    """
    fitting = []
    for number, record in records:
        if record.standing not in NAMED:
            continue
        best: tuple[int, float, list[str]] | None = None
        for text in range(record.names):
            held = sorted(word for word in asked if text in record.places.get(word, ()))
            part = len(held) / record.sizes[text] if held else 0.0
            whole = part == 1 or (part >= HALF and all(sure.get(word, 0.0) >= PARTLY for word in held))
            if whole and (best is None or (len(held), part) > best[:2]):
                best = len(held), part, held
        if best:
            fitting.append((best, number))
    found: list[Name] = []
    while fitting and len(found) < NAMES:
        first = max(best for best, _number in fitting)
        said = frozenset(first[2])
        found.append(Name(said, tuple(sorted(number for best, number in fitting if best == first))[:BEARERS]))
        fitting = [(best, number) for best, number in fitting if said.isdisjoint(best[2])]
    return found


def types(document: Document) -> list[str]:
    """The index words of a card's types and traits (of a character's page none): its first sentence without what counts something."""
    if document.standing != "card" or not document.sentences:
        return []
    told = [piece for piece in document.sentences[0].split(", ") if not any(letter.isdigit() for letter in piece)]
    return list(index_words(" ".join(told)))


def favour(length: int) -> float:
    """What a hit gains that speaks of the named card, when the rest of the question has `length` words."""
    return exp(FAVOUR + LENGTH * min(length, LONG) / LONG)


def part_in(record: Record, said: Iterable[str]) -> float:
    """The share of that which a document has that speaks of the cards of which the question has these words: what is about other cards as
    well is meant less surely, and a card's own page tells nothing but its facts."""
    if record.standing in NAMED:
        return FACTS
    first, end = record.names + record.asked, record.body
    named = {text for word in said for text in record.places.get(word, ()) if first <= text < end}
    return (len(named) + 1) / (end - first + 1)


def tables() -> Mapping[str, Any]:
    """The figures of this module, as the page's search reads them."""
    return {
        "named": sorted(NAMED), "likely": LIKELY, "partly": PARTLY, "half": HALF, "names": NAMES, "bearers": BEARERS, "types": TYPES,
        "besides": BESIDES, "favour": FAVOUR, "length": LENGTH, "long": LONG, "facts": FACTS,
    }  # fmt: skip
