"""Understand questions: correct misspelled words, complete unfinished ones, find synonyms, and weigh each word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from math import log
from typing import Any

from kb.retrieval.analysis import STOP, stemmed, words
from kb.retrieval.index import OpenIndex
from kb.retrieval.manner import manners
from kb.retrieval.ranking import AnalysedQuery, QueryWord
from kb.retrieval.suggest import SHORTEST, Speller, completions, english, is_foreign, split

# Patterns of questions about the meaning of a name, in folded words ("what's" is "what"). The group matches the name.
FRAMES = (
    "(?:whats?(?: is| are| does| do)?|how (?:does|do)|explain|define|definition of|meaning of|tell me about)"
    "(?: an?| the)? (.+?)(?: (?:means?|works?|do|does|again))*",
    "(?:an? |the )?(.+?) (?:meaning|definition|explained)",
)
# The longest text, in characters, that is compared with names.
LONGEST = 80
# Pairs of endings in singular and plural, in either order. The first pair that fits is used.
ENDS = (("ies", "y"), ("s", ""), ("y", "ies"), ("", "s"))
_FRAMES = [re.compile(frame) for frame in FRAMES]


def names_meant(typed: str) -> Sequence[str]:
    """Return the name whose meaning a question asks for, as written and in the other number (singular or plural).

    `typed` is the question in folded words. The result is empty for other kinds of questions. The index decides whether
    there is such a name.
    """
    if len(typed) > LONGEST:
        return ()
    name = next((match[1] for frame in _FRAMES if (match := frame.fullmatch(typed))), "")
    return (name, other_number(name)) if name else ()


def other_number(name: str) -> str:
    """Return the plural of a name, or its singular if it ends like a plural."""
    return next(f"{name[: len(name) - len(end)]}{instead}" for end, instead in ENDS if name.endswith(end))


def tables() -> Mapping[str, Any]:
    """Return the constants of this module for the search on the site."""
    return {"frames": FRAMES, "longest": LONGEST, "ends": ENDS}


MOST = 3
# The least similarity (0 to 1) of two names, and of a word of a name to a single typed word.
ALIKE, WORDS_ALIKE = 0.75, 0.8


def near_names(typed: str, known: Sequence[str]) -> list[str]:
    """Return the `known` names that are most similar to the text `typed`, at most MOST of them. All consist of folded
    words (see kb.retrieval.analysis).
    """
    if not typed or len(typed) > LONGEST:
        return []
    bare = typed.lstrip("0")
    near = [name for name in known if name.lstrip("0") == bare] if typed.isdigit() else []
    near += sorted(name for name in known if name.startswith(typed))[:MOST] if typed.isdigit() else []
    near += get_close_matches(typed, known, MOST, ALIKE)
    if len(near) < MOST and " " not in typed:
        words = dict.fromkeys(word for name in known for word in name.split() if " " in name)
        alike = get_close_matches(typed, words, 1, WORDS_ALIKE)
        near += sorted((name for name in known if alike and alike[0] in name.split()), key=len)[:MOST]
    return list(dict.fromkeys(near))[:MOST]


def named_scope(text: str, called: Mapping[str, Sequence[str]]) -> tuple[str | None, str]:
    """Return the id prefix of the game or set that a question names (or None), and the question without its name.

    `called` has the names of games and sets by id prefix. If several are named, the most specific one is returned (a
    set before its game), and then the one with the longer name. A question that consists only of a name stays
    unchanged.
    """
    typed = f" {' '.join(words(text))} "
    matches = [
        (scope.count("/"), len(name), scope, name)
        for scope, names in called.items()
        for name in names
        if f" {name} " in typed
    ]
    if not matches:
        return None, text
    scope = max(matches)[2]
    rest = typed
    for _depth, _length, other, name in sorted(matches, key=lambda item: -item[1]):
        if scope == other or scope.startswith(f"{other}/"):
            rest = rest.replace(f" {name} ", " ")
    return (scope, rest.strip()) if rest.strip() else (None, text)


def scopes_called(asked: str, called: Mapping[str, Sequence[str]], folders: Iterable[str]) -> list[str]:
    """Return the id prefixes that the name `asked` can mean.

    If a folder has this id, the result is only this folder. Otherwise, the result is a game or set with this name. If
    there is none, the result is all folders whose id ends with the name.
    """
    listed = list(folders)
    plain = asked.strip().strip("/")
    exact = [folder for folder in listed if folder == plain.casefold()]
    name = " ".join(words(plain))
    by_name = [scope for scope, names in called.items() if name and name in names]
    ending = [folder for folder in listed if folder.endswith(f"/{plain.casefold()}")]
    if certain := exact or by_name:
        return certain[:1]
    return sorted(ending, key=lambda folder: (folder.count("/"), folder))


class AskedIndex(OpenIndex):
    """An open index that understands questions."""

    @cached_property
    def _speller(self) -> Speller:
        return Speller(self.words)

    def _understood(
        self, typed: Sequence[str], text: str, goes_on: bool
    ) -> tuple[list[str], dict[str, str], str | None]:
        """Return the query's words after correction, the completions of the last word, and the corrected query.

        Misspelled words are replaced, unless the query seems to be in another language. Completions are found only if
        the last word `goes_on`, that is, may be incomplete. Each completion is an index word, mapped to the stem of
        the typed word. The corrected query is None if no word was replaced.
        """
        known: list[str] = []
        strange = left = 0
        original = typed
        typed, mended = self._respaced(typed, f" {' '.join(words(text))} ", goes_on)
        begun: dict[str, str] = {}
        for at, word in enumerate(typed):
            better = None
            may_go_on = goes_on and at == len(typed) - 1 and len(word) > 2
            if may_go_on and (len(typed) == 1 or not self.knows(word)):
                own = stemmed(word)
                stems = (stemmed(longer) for longer in completions(word, self.words))
                begun = {stem: own for stem in stems if stem != own}
            if word not in STOP and not self.knows(word) and not self._is_synonym(word) and not begun:
                if stemmed(word) not in english():
                    better = mended.get(word) or self._speller.correct(word)
                strange += 1
                left += better is None
            if better:
                mended[word] = better
            known.append(better or word)
        if mended and is_foreign(len(words(text)), strange, left):
            return list(original), begun, None
        known = [word for word in known if word not in STOP] or known
        shown = text.casefold()
        for word, better in mended.items():
            shown = shown.replace(word, better)
        return known, begun, shown if mended else None

    def _respaced(self, typed: Sequence[str], text: str, goes_on: bool) -> tuple[list[str], dict[str, str]]:
        """Join or split unknown words of a query if that makes known words. Return the new words, and the replacements
        that were made.

        `text` contains all words of the query, each with a space before and after it. The last word is unchanged if it
        `goes_on`.
        """
        found: list[str] = []
        replaced: dict[str, str] = {}
        at = 0
        last = len(typed) - goes_on
        while at < len(typed):
            word, following = typed[at], typed[at + 1] if at + 1 < last else ""
            is_known = self._is_understood(word)
            if (
                following
                and f" {word} {following} " in text
                and word + following in self.words
                and not (is_known and self._is_understood(following))
            ):
                replaced[f"{word} {following}"] = word + following
                found.append(word + following)
                at += 1
            elif at < last and not is_known and (parts := split(word, self.words)):
                replaced[word] = parts
                found += parts.split()
            else:
                found.append(word)
            at += 1
        return found, replaced

    def _is_understood(self, word: str) -> bool:
        """Return True if a word needs no correction: a document contains it, or it is a stop word, a synonym or a
        common English word.
        """
        return word in STOP or self.knows(word) or self._is_synonym(word) or stemmed(word) in english()

    def _is_beginning(self, typed: Sequence[str]) -> bool:
        """Return True if the query is a single unknown word that known words begin with."""
        if len(typed) != 1 or len(typed[0]) < 3 or self.knows(typed[0]) or self._is_synonym(typed[0]):
            return False
        return bool(completions(typed[0], self.words))

    def _parts(
        self,
        typed: Sequence[str],
        alternatives: dict[str, str],
        begun: dict[str, str],
        among: frozenset[int] | None,
        text: str,
    ) -> tuple[AnalysedQuery, list[QueryWord]]:
        """Return the analysed query, and for each of its words the documents that contain the word.

        Rare words weigh more. Rarity is counted in the documents that are searched (`among`). Only the best of a word
        and its synonyms counts.
        """
        size = self.size() if among is None else len(among)
        weights: dict[str, float] = {}
        parts = []
        for word in dict.fromkeys(stemmed(word) for word in typed):
            own = self.gains(word, among)
            others = [other for other, meant in alternatives.items() if meant == word]
            begins = word in begun.values()
            common = (
                len(own.keys() | set().union(*(self.gains(other, among) for other in others))) if begins else len(own)
            )
            weights[word] = rarity(size, common)
            parts.append(QueryWord(weights[word], own, [self.gains(other, among) for other in others]))
        strange = frozenset(
            word for word, part in zip(weights, parts, strict=True) if not part.own and len(word) >= SHORTEST
        )
        return AnalysedQuery(weights, alternatives, strange, manners(text)), parts

    def _alternatives(self, typed: Sequence[str], within: str | None) -> dict[str, str]:
        """Return the synonyms of words and phrases in the query. The result maps an index word to the word in the query
        that it can replace.

        Only the rarest word of a phrase is used. With `within`, only synonyms for that game are returned.
        """
        stems = [stemmed(word) for word in typed]
        phrase = f" {' '.join(stems)} "
        synonyms: dict[str, str] = {}
        for game, groups in self.vocabulary["synonyms"].items():
            if within and game not in ("", within.partition("/")[0]):
                continue
            for group in groups:
                present = next((member for member in group if f" {member} " in phrase), None)
                if present is None:
                    continue
                meant = self._rarest(present)
                for word in map(self._rarest, group):
                    if word not in stems:
                        synonyms.setdefault(word, meant)
        return synonyms

    def _is_synonym(self, word: str) -> bool:
        """Return True if a word occurs in a synonym. It is then not misspelled, even if no document contains it."""
        return stemmed(word) in self._synonym_words

    @cached_property
    def _synonym_words(self) -> frozenset[str]:
        groups = (group for groups in self.vocabulary["synonyms"].values() for group in groups)
        return frozenset(word for group in groups for phrase in group for word in phrase.split())

    def _rarest(self, phrase: str) -> str:
        """Return the word of a phrase that occurs in the fewest documents. The phrase consists of index words."""
        return min(phrase.split(), key=lambda word: self.how_often(word), default="")


def rarity(size: int, common: int) -> float:
    """Return the weight of a word that `common` of `size` documents contain. Rare words weigh more."""
    return log(1 + size / (common + 1)) + 0.5
