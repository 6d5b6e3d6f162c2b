"""Translate a description of cards in ordinary words to the card query language: `seeker assets level 0` is
`class=seeker type=asset level=0`.

The known words are the values on cards (types, traits, classes …), the names of fields and flags, and the `words` in
each game's `game.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kb.frozen import frozen
from kb.registry import games
from kb.retrieval.analysis import stemmed, words
from kb.retrieval.cards import FOR, Card, values
from kb.retrieval.language import FLAGS, flags_of, language

LONGEST = 3  # words of a phrase
# Fields whose values players do not use as words.
_NO_WORDS = frozenset({"name", "text", "set", "pack", "game", "id", "code", "released", "owner"})
_FILLER_WORDS = """
a all an and any are as can card cards costs do each every find from get give gives got has have i in into is list
me my of only please shall show that the their them there they this to want what which who with you
"""
_FILLER = frozenset(_FILLER_WORDS.split())
OR = "or"
_NOT = frozenset({"no", "not", "non", "without", "except"})
_NUMBER_WORDS = "zero one two three four five six seven eight nine ten"
_NUMBERS = {word: str(number) for number, word in enumerate(_NUMBER_WORDS.split())}
_BEFORE = {
    "under": "<", "below": "<", "less than": "<", "fewer than": "<", "over": ">", "above": ">", "more than": ">", "at least": ">=",
    "min": ">=", "minimum": ">=", "at most": "<=", "max": "<=", "maximum": "<=", "up to": "<=", "exactly": "=",
}  # fmt: skip
_AFTER = {"more": ">=", "higher": ">=", "above": ">=", "less": "<=", "fewer": "<=", "lower": "<=", "below": "<="}
_AMOUNT = re.compile(
    rf"(?:({'|'.join(_BEFORE)}) )?(\d+|{'|'.join(_NUMBERS)})(\+?) (?:(?:or|and) ({'|'.join(_AFTER)}) )?"
)
_NO_NAME = {",", FOR, OR} | _FILLER | _NOT | {word for phrase in (*_BEFORE, *_AFTER) for word in phrase.split()}
"""Words that end a character's name in a description."""
_PIECE = re.compile(r"\d+\+?|[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?|,")


@frozen
class Reading:
    """The query for a description, and the words that were not understood (`unread`).

    `texts` is True if the query would need the texts of cards, which are not available.
    """

    query: str
    unread: tuple[str, ...]
    texts: bool = False


class CardWords:
    """The vocabulary for descriptions of some cards, by game. The vocabulary is collected once for many descriptions."""

    def __init__(self, cards: Iterable[Card]) -> None:
        by_game: dict[str, list[Card]] = {}
        for card in cards:
            by_game.setdefault(str(card["game"]), []).append(card)
        self._terms = {game: _terms(own) for game, own in by_game.items()}
        self._texts = {game: any("text" in card for card in own) for game, own in by_game.items()}

    def read(self, text: str) -> Reading:
        """Translate a description of cards to a query.

        It uses the vocabulary of the game that leaves the fewest words unread. If several games leave equally few,
        their vocabularies are combined.
        """
        readings = {game: _Reader(self._vocabulary([game]), text).read() for game in self._terms}
        least = min((len(reading.unread) for reading in readings.values()), default=0)
        fitting = [game for game, reading in readings.items() if len(reading.unread) == least]
        if len(fitting) == 1:
            return readings[fitting[0]]
        return _Reader(self._vocabulary(fitting), text).read()

    def _vocabulary(self, of: Sequence[str]) -> dict[tuple[str, ...], str]:
        """Return the query term for each known phrase, in the games whose ids are in `of`. A phrase is a tuple of
        stems.

        Terms come from values on cards (combined if several fields have the value), from flags, and from the games'
        `words`; later ones override earlier ones. A term that needs card texts is empty if there are none.
        """
        by_phrase: dict[tuple[str, ...], dict[str, None]] = {}
        for game in of:
            for phrase, terms in self._terms[game].items():
                by_phrase.setdefault(phrase, {}).update(terms)
        texts = any(self._texts[game] for game in of)
        vocabulary = {phrase: _either(list(terms)) for phrase, terms in by_phrase.items() if phrase}
        for about in (about for about in games().values() if about.id in of):
            vocabulary |= {_stems(flag): f"is:{flag}" for flag in (*FLAGS, *flags_of(about))}
            vocabulary |= {
                _stems(name): f"set={scope.rpartition('/')[2]}" if "/" in scope else f"game={scope}"
                for scope, names in about.called.items()
                for name in names
            }
            vocabulary |= {
                _stems(phrase): term if texts or "text:" not in term else ""
                for phrase, term in about.query.words.items()
            }
        return vocabulary


def _terms(cards: Iterable[Card]) -> dict[tuple[str, ...], dict[str, None]]:
    """Return the query terms for each value of a card's fields. A value is a tuple of stems."""
    grammar = language()
    word_fields = [(name, keys) for name, keys in grammar.fields.items() if name not in _NO_WORDS | grammar.numbers]
    found = dict.fromkeys(
        (name, value)
        for card in cards
        for name, keys in word_fields
        for value in values(card, keys)
        if isinstance(value, str)
    )
    by_phrase: dict[tuple[str, ...], dict[str, None]] = {}
    for name, value in found:
        by_phrase.setdefault(_stems(value), {})[f"{name}={_quoted(value.casefold())}"] = None
    return by_phrase


def _stems(text: str) -> tuple[str, ...]:
    return tuple(stemmed(word) for word in words(text.replace("-", " ")))


def _quoted(value: str) -> str:
    return f'"{value}"' if re.search(r"[\s()\"']", value) else value


def _either(terms: list[str]) -> str:
    return terms[0] if len(terms) == 1 else f"({' or '.join(terms)})"


@dataclass(slots=True)
class _Reader:
    vocabulary: dict[tuple[str, ...], str]
    text: str
    pieces: list[str] = field(default_factory=list)
    terms: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    at: int = 0
    texts: bool = False
    joined: str = ""
    """The last term that combines several terms with `or`."""

    def read(self) -> Reading:
        """Translate the words from left to right, trying the longest known phrase first."""
        self.pieces = _PIECE.findall(re.sub(r"(?<=\w)-(?=\w)|(?<=\d)\s*to\s*(?=\d)", " ", self.text))
        fields = {_stems(name) for name in (*language().fields, *language().short)}
        minus = joins = False
        while self.at < len(self.pieces):
            word = self.pieces[self.at].casefold()
            if word in _NOT:
                minus, self.at = True, self.at + 1
            elif word == OR:
                joins, self.at = bool(self.terms), self.at + 1
            elif (term := self._number() or self._phrase() or self._character()) is not None:
                term = f"-{term}" if minus else term
                before = self.terms[-1] if self.terms else ""
                if joins or (
                    before.startswith("type=") and term.startswith("type=")
                ):  # `assets and events`: a card is of one type
                    self.terms[-1] = self.joined = _either([before[1:-1] if before == self.joined else before, term])
                else:
                    self.terms.append(term)
                minus = joins = False
            else:
                last = self.at + 1 == len(self.pieces)
                filler = word in _FILLER or word == "," or (word == FOR and not last)
                if not filler and _stems(word)[:1] not in fields:
                    self.unread.append(self.pieces[self.at])
                    minus = joins = False
                self.at += 1
        return Reading(" ".join(dict.fromkeys(self.terms)), tuple(self.unread), self.texts)

    def _phrase(self) -> str | None:
        """Return the term for the longest known phrase at the current position, and move past it. Return None if no
        phrase there is known.

        A numeric field without a number (`with health`) becomes `field>=1`, which any value but 0 matches.
        """
        for length in range(LONGEST, 0, -1):
            some = self.pieces[self.at : self.at + length]
            term = self.vocabulary.get(_stems(" ".join(some))) if len(some) == length else None
            if term == "":
                self.texts = True
            elif term is not None and term not in language().numbers:
                if length == 1 and some[0].casefold() in _FILLER:
                    return None
                self.at += length
                return term
        named = self._field(self.at)
        if named is None:
            return None
        self.at += named[1]
        return f"{named[0]}>=1"

    def _field(self, at: int) -> tuple[str, int] | None:
        """Return the numeric field named by the words at position `at`, and the number of these words. None if there is
        no such field.
        """
        grammar = language()
        for length in (2, 1):
            phrase = " ".join(self.pieces[at : at + length]).casefold()
            for name in (phrase, phrase.removesuffix("s"), self.vocabulary.get(_stems(phrase), "")):
                if grammar.full(name) in grammar.numbers:
                    return grammar.full(name), length
        return None

    def _number(self) -> str | None:
        """Return the comparison at the current position, and move past it. Examples of comparisons are `level 0`,
        `level 2 or less`, `levels 1-3`, `under 2 resources` and `3+ health`.

        None if there is no comparison.
        """
        if (named := self._field(self.at)) and (amount := self._amount(self.at + named[1])):
            op, number, self.at = amount
            further = self._amount(self.at)
            if op == "=" and further and further[0] == "=" and not self._field(further[2]):  # two numbers are a range
                self.at = further[2]
                return f"{named[0]}>={number} {named[0]}<={further[1]}"
            return f"{named[0]}{op}{number}"
        if (amount := self._amount(self.at)) and (named := self._field(amount[2])):
            self.at = amount[2] + named[1]
            return f"{named[0]}{amount[0]}{amount[1]}"
        return None

    def _amount(self, at: int) -> tuple[str, str, int] | None:
        """Return the operator and the number of an amount (`under 2`, `2 or more`) at position `at`, and the position
        after it. None if there is no amount.
        """
        match = _AMOUNT.match("".join(f"{piece.casefold()} " for piece in self.pieces[at : at + 5]))
        if match is None:
            return None
        before, number, plus, after = match.groups()
        op = _AFTER.get(after) or (">=" if plus else _BEFORE.get(before, "="))
        return op, _NUMBERS.get(number, number), at + match[0].count(" ")

    def _character(self) -> str | None:
        """Return the term for the name after `for` (`for Wendy Adams`) and move on. The name ends before the next known
        word.

        None if no name follows, or if the query already names a character.
        """
        if self.pieces[self.at].casefold() != FOR:
            return None
        end = self.at + 1
        while end < len(self.pieces) and not self._ends_name(end):
            end += 1
        name = " ".join(self.pieces[self.at + 1 : end])
        asked = any(term.lstrip("-").startswith(f"{FOR}:") for term in self.terms)
        if not name or asked:  # a query may name only one character
            return None
        self.at = end
        return f"{FOR}:{_quoted(name)}"

    def _ends_name(self, place: int) -> bool:
        """Return True if the word at position `place` cannot belong to a character's name, because it is a known search
        term or a word of the grammar.
        """
        if self.pieces[place].casefold() in _NO_NAME:
            return True
        here, self.at = self.at, place
        known = self._number() or self._phrase()
        self.at = here
        return known is not None
