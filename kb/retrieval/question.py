"""How a question is understood: words that are misspelled or still typed, what players call things, and what each word weighs."""

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
from kb.retrieval.ranking import Part, Query
from kb.retrieval.suggest import SHORTEST, Speller, completions, english, is_foreign, split

# How such questions begin and end, and how they only end, in folded words ("what's" is "what"); what stands between is the name.
FRAMES = (
    "(?:whats?(?: is| are| does| do)?|how (?:does|do)|explain|define|definition of|meaning of|tell me about)"
    "(?: an?| the)? (.+?)(?: (?:means?|works?|do|does|again))*",
    "(?:an? |the )?(.+?) (?:meaning|definition|explained)",
)
LONGEST = 80
# How names end in one number and, instead, in the other; the first that fits holds.
ENDS = (("ies", "y"), ("s", ""), ("y", "ies"), ("", "s"))
_FRAMES = [re.compile(frame) for frame in FRAMES]


def names_meant(typed: str) -> Sequence[str]:
    """The names of which a question, in folded words, asks the meaning: as they are, and in the other of singular and plural.

    None where it asks otherwise. Whether anything is called so is for the index to say.
    """
    if len(typed) > LONGEST:
        return ()
    name = next((match[1] for frame in _FRAMES if (match := frame.fullmatch(typed))), "")
    return (name, other_number(name)) if name else ()


def other_number(name: str) -> str:
    """The plural of a name, or its singular where it ends as plurals do."""
    return next(f"{name[: len(name) - len(end)]}{instead}" for end, instead in ENDS if name.endswith(end))


def tables() -> Mapping[str, Any]:
    """The figures of this module, as the page's search reads them."""
    return {"frames": FRAMES, "longest": LONGEST, "ends": ENDS}


MOST, LONGEST = 3, 80
# How alike (0 to 1) two names are at least, and a word of a name with a single word that was typed.
ALIKE, WORDS_ALIKE = 0.75, 0.8


def near_names(typed: str, known: Sequence[str]) -> list[str]:
    """Of the `known` names those that are most like what was `typed`, MOST at most; all of them as the index compares names."""
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
    """The id prefix of the game or set that a question names, and the question without such names.

    The most specific one wins (a set before its game), then the longer name. A question that is nothing but a name stays as it is.
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
    """The id prefixes that `asked` can mean: the folder itself, else a game or set by a name, else all folders that end in it."""
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
        """The words with misspelled ones replaced, unless they are of another language; while the last one `goes_on`, what it may become
        (index words, each with its own); and the corrected query when a word was replaced."""
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
        """The words with unknown ones joined to the next, or split, where that makes known words; and what was replaced by what.

        `text` has all words of the query, with a space on each side of each. The last word is left alone while it `goes_on`.
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
        """Whether a word is not to be replaced: it is in some document, stands for others, or is a common word of English."""
        return word in STOP or self.knows(word) or self._is_synonym(word) or stemmed(word) in english()

    def _is_beginning(self, typed: Sequence[str]) -> bool:
        """Whether all that was typed is one word that stands nowhere, and others begin with it."""
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
    ) -> tuple[Query, list[Part]]:
        """The query with the weight of each word, and the documents that hold each word.

        Rare words count more; how rare a word is, is counted among the documents asked for. Of a word and its synonyms
        only the best counts.
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
            parts.append(Part(weights[word], own, [self.gains(other, among) for other in others]))
        strange = frozenset(
            word for word, part in zip(weights, parts, strict=True) if not part.own and len(word) >= SHORTEST
        )
        return Query(weights, alternatives, strange, manners(text)), parts

    def _alternatives(self, typed: Sequence[str], within: str | None) -> dict[str, str]:
        """Synonyms of the query's words and phrases: each index word brought in, with the word of the query it stands for.

        Of a phrase only its rarest word is brought in.
        """
        stems = [stemmed(word) for word in typed]
        phrase = f" {' '.join(stems)} "
        synonyms: dict[str, str] = {}
        for game, groups in self.vocabulary["synonyms"].items():
            if within and not within.startswith(game):
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
        """Whether a word that no document holds stands for others: players' own words are not misspelled."""
        return stemmed(word) in self._synonym_words

    @cached_property
    def _synonym_words(self) -> frozenset[str]:
        groups = (group for groups in self.vocabulary["synonyms"].values() for group in groups)
        return frozenset(word for group in groups for phrase in group for word in phrase.split())

    def _rarest(self, phrase: str) -> str:
        """The word of a phrase of index words that stands in the fewest documents."""
        return min(phrase.split(), key=lambda word: self.how_often(word), default="")


def rarity(size: int, common: int) -> float:
    """The weight of a word that `common` of `size` documents hold: more for a rarer word."""
    return log(1 + size / (common + 1)) + 0.5
