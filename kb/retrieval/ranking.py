"""Rank the documents that match a query: by the index's score, and by how well their titles, other names and
questions fit the query.

Every constant in this module is exported to the site (see `tables`), whose search uses the same formula.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kb.authority import OFFICIAL
from kb.frozen import frozen
from kb.retrieval.record import IndexRecord, Places

# The share of its score that a result keeps, by its standing. Rules come before overviews (sheets, sequences) and advice, and official
# rulings before the consensus of players.
STANDING = {
    "rule": 1.0, "character": 0.85, "official-faq": 0.97, "designer": 0.94, "developer": 0.94, "community-consensus": 0.85, "card-change": 0.7,
    "overview": 0.85, "advice": 0.72, "card": 0.45, "rulebook": 0.8, "official-document": 1.0, "superseded": 0.6,
    "designer on a card": 0.82, "developer on a card": 0.82, "community-consensus on a card": 0.76,
}  # fmt: skip
# Standing of an entry that is not a ruling, by its kind (default: `rule`).
OF_KIND = {
    "character": "character",
    "strategy": "advice",
    "example": "advice",
    "product": "advice",
    "reference": "overview",
    "erratum": "card-change",
    "taboo": "card-change",
}
# Weights of the fit of a name, of the fit of a question, and of the share of the query in one sentence, added to the index's score.
NAME, ASKED, SENTENCE = 1.3, 1.6, 0.5
# Weight of the second best question's fit: two matching questions are better evidence than one, which may match by chance.
AGAIN = 0.9
# EXACT: the least fit of a name that was clearly meant. NAMED: the factor for such a result, with which a card is as good as a rule.
EXACT, NAMED = 0.98, 1.3
# Factor for a result that has a question with exactly the words of the query.
ASKED_SO = 2.0
# A question with at least this fit shows what the query is about.
SO_ASKED = 0.5
# Bonus for a hit whose name is the whole query word by word, and for one whose name begins with it.
FIRST, BEGUN = 10_000.0, 6.0
# The share of that bonus for names other than the title.
ALIAS = 0.5
# Exponent of the share of the query that a hit contains: a hit with every word comes before one with the rarest word.
MET = 0.4
# The share that a hit with spoilers of a campaign keeps, so that it never comes before an everyday answer.
SPOILER = 0.6
# Exponent of the share of the query in the names, the best question and the best sentence of a hit together: both conditions of a question
# count ("an aloof hunter").
TOGETHER = 0.2
# The share that a hit about a card or example keeps if the query has no word of it (`names_another`).
ANOTHER = 0.3
# Standings of documents about one card. Such a hit keeps the share ELSEWHERE of its points if the query names the card and nothing of its
# situation. It keeps all of them if one question or sentence has the share IN_SITUATION of the rest of the query.
ON_A_CARD = ("designer on a card", "developer on a card", "community-consensus on a card", "card-change", "character")
TITLED = ("card-change", "character")
ELSEWHERE, IN_SITUATION = 0.3, 0.7
# A rule that replaces a better hit of an earlier edition gets at most this multiple of its own points: it may say less on the question.
MOST_FOR_EARLIER = 8.0
# The share that a rule of an earlier edition keeps if the edition in use has no counterpart.
EARLIER = 0.8
# The weight of a synonym or a completion, compared with the word itself, in a name or question.
NEAR = 0.8
# Weight of a word of a name or question that is not in the query.
OTHER = 4.0
# BM25's saturation (further occurrences of a word add less and less), and the weight of a synonym there.
SATURATION, SYNONYM = 1.2, 0.7
# The number of documents ranked in full.
CANDIDATES = 50


def standing_of(kind: str, authority: str | None, on_cards: bool, superseded: bool) -> str:
    """Return the key of STANDING for an entry. The key ranks the entry among equally good results.

    An answer by staff or players about a single card ranks below the rule and the FAQ, although it contains the words
    of both.
    """
    if superseded:
        return "superseded"
    if authority:
        return f"{authority} on a card" if on_cards and authority not in OFFICIAL else authority
    return OF_KIND.get(kind, "rule")


@dataclass(frozen=True)
class AnalysedQuery:
    """An analysed query.

    `weights` has the weight of each index word. `alternatives` maps each synonym to the word that it replaces.
    `strange` are the words, except short ones, that no document contains. `manners` are the types of question (see
    kb.retrieval.manner).
    """

    weights: Mapping[str, float]
    alternatives: Mapping[str, str]
    strange: frozenset[str] = frozenset()
    manners: frozenset[str] = frozenset()

    @cached_property
    def total(self) -> float:
        """The sum of the weights of the query's words."""
        return sum(self.weights.values()) or 1.0

    @cached_property
    def others(self) -> Mapping[str, list[str]]:
        """The synonyms of each word. Synonyms that are already words of the query are left out."""
        others: dict[str, list[str]] = {}
        for other, meant in self.alternatives.items():
            if other not in self.weights and meant in self.weights:
                others.setdefault(meant, []).append(other)
        return others

    def share_in(self, places: Places, counts: Callable[[int], bool]) -> float:
        """Return the share of the query's weight in some texts of a document. A synonym counts four fifths as much as
        the word itself.

        `places` has the numbers of the texts that contain each word. `counts(number)` returns True for the texts to
        look at.
        """
        share = 0.0
        for word, weight in self.weights.items():
            if any(map(counts, places.get(word, ()))):
                share += weight
            elif any(counts(text) for other in self.others.get(word, ()) for text in places.get(other, ())):
                share += NEAR * weight
        return share / self.total

    def overlap(self, places: Places) -> dict[int, float]:
        """Return the weight of the query's words in each text, by the text's number. A synonym counts four fifths as
        much as the word itself. Texts without such words are left out.
        """
        weights: dict[int, float] = {}
        for word, weight in self.weights.items():
            for number in places.get(word, ()):
                weights[number] = weights.get(number, 0.0) + weight
        for word, others in self.others.items():
            if near := {number for other in others if other in places for number in places[other]}:
                for number in near.difference(places.get(word, ())):
                    weights[number] = weights.get(number, 0.0) + NEAR * self.weights[word]
        return weights


@frozen
class Fit:
    """How well a document fits the query. All values are from 0 to 1.

    `name` is for its best name, `asked` and `again` are for its best and second best question, and `sentence` is for
    its best sentence. `questions` has the values of all questions that share a word with the query, by number.
    `together` is the share of the query in the names, the best question and the best sentence. `situation` is the
    result of the function `situation`.
    """

    name: float
    asked: float
    again: float
    sentence: float
    questions: Mapping[int, float]
    together: float
    situation: float


def fits(query: AnalysedQuery, record: IndexRecord) -> Fit:
    """Return how well the document of `record` fits the query.

    The fit of a name or question is the harmonic mean of two shares: the share of its words that are in the query, and
    the share of the query's words that are in it.
    """
    total, names, questions, body = query.total, record.names, record.names + record.asked, record.body
    places, counts = record.places, record.sizes
    shared = query.overlap(places)
    sizes: dict[int, float] = {}
    for word, weight in query.weights.items():
        for number in places.get(word, ()):
            if number >= questions:
                break
            sizes[number] = sizes.get(number, OTHER * counts[number]) + (weight - OTHER)
    name = sentence = best = again = 0.0
    best_question = best_sentence = -1
    by_question: dict[int, float] = {}
    for number, weight in shared.items():
        if number >= questions:
            if number >= body and (weight > sentence or (weight == sentence and number < best_sentence)):
                sentence, best_sentence = weight, number
            continue
        size = sizes.get(number) or OTHER * counts[number]
        value = 2 * weight / (total + (size if size > weight else weight))
        if number >= names:
            by_question[number - names] = value
            if value > best or (value == best and number < best_question):
                best, again, best_question = value, best, number
            elif value > again:
                again = value
        elif value > name:
            name = value
    said = (best_question, best_sentence)
    together = query.share_in(places, lambda text: text < names or text in said)
    return Fit(name, best, again, sentence / total, by_question, together, situation(query, record))


def situation(query: AnalysedQuery, record: IndexRecord) -> float:
    """Return the share of the query that a single question or sentence contains, not counting card names. The result
    is 1 for records that are not about a single card.

    Card names are recognized by their words. These are the words of the cards that the record is about, and those of
    its title if the title names the card.
    """
    if record.standing not in ON_A_CARD:
        return 1.0
    places, names, questions, body = record.places, record.names, record.names + record.asked, record.body
    titles = 1 if record.standing in TITLED else 0
    rest = {
        word: weight
        for word, weight in query.weights.items()
        if not any(questions <= text < body or text < titles for text in places.get(word, ()))
    }
    if not rest or len(rest) == len(query.weights):
        return 1.0
    shared = AnalysedQuery(rest, query.alternatives).overlap(places)
    best = max((weight for text, weight in shared.items() if names <= text < questions or text >= body), default=0.0)
    return best / sum(rest.values())


def names_another(query: AnalysedQuery, record: IndexRecord, asked: float) -> bool:
    """Return True if the title names a card but the query contains no word of the card's name. The entry is then
    about another situation.

    There is one exception: return False if the query names another card in the title and the entry has a similar
    question. `asked` is the similarity of the best question (0 to 1).
    """
    if not record.title_cards:
        return False
    held = {text for word in (*query.weights, *query.alternatives) for text in record.places.get(word, ())}
    named = [card in held for card in record.title_cards]
    return not all(named) and (not any(named) or asked < SO_ASKED)


def score(
    base: float, fit: Fit, met: float, record: IndexRecord, typed: str, is_typing: bool, is_of_another: bool
) -> float:
    """Return the final score of a document.

    `base` is the index's BM25F score. `met` is the share of the query's weight in the document. `typed` is the query in
    folded words. `is_typing` is True if the last word of the query may be incomplete. `is_of_another` is the result of
    `names_another`.
    """
    weight: float = STANDING.get(record.standing, 1.0)
    start = typed if is_typing else f"{typed} "
    beginning = [name.startswith(start) for name in record.called]
    begins = any(beginning)
    is_card = record.standing in ("card", "own card")
    if fit.name >= EXACT or begins:
        weight = max(NAMED, weight)
    if record.spoiler:
        weight *= SPOILER
    if is_of_another:
        weight *= ANOTHER
    weight *= ELSEWHERE + (1 - ELSEWHERE) * min(1.0, fit.situation / IN_SITUATION)
    gain = 1 + NAME * fit.name + ASKED * fit.asked + AGAIN * fit.again + SENTENCE * fit.sentence
    value: float = base * gain * weight * met**MET * fit.together**TOGETHER * (ASKED_SO if fit.asked >= EXACT else 1)
    if typed in record.called:
        return value + (FIRST if is_card or typed == record.called[0] else FIRST * ALIAS)
    if begins:
        return value * (1 + (BEGUN - 1) * (1 if is_card or beginning[0] else ALIAS))
    return value


def tables() -> dict[str, Any]:
    """Return the constants of this module for the search on the site."""
    return {
        "standing": STANDING, "name": NAME, "asked": ASKED, "again": AGAIN, "sentence": SENTENCE, "exact": EXACT, "named": NAMED,
        "askedSo": ASKED_SO, "first": FIRST,
        "alias": ALIAS, "begun": BEGUN,
        "met": MET, "together": TOGETHER, "onACard": ON_A_CARD, "titled": TITLED, "elsewhere": ELSEWHERE, "inSituation": IN_SITUATION,
        "spoiler": SPOILER, "near": NEAR, "other": OTHER, "saturation": SATURATION, "synonym": SYNONYM, "candidates": CANDIDATES,
        "earlier": EARLIER, "another": ANOTHER, "mostForEarlier": MOST_FOR_EARLIER, "soAsked": SO_ASKED,
    }  # fmt: skip


Gains = Mapping[int, float]
"""For one word, the score of each document that contains it (0 to 1), not yet multiplied by the word's weight."""


@dataclass(frozen=True)
class QueryWord:
    """A word of the query: its weight, the scores of the documents that contain it (`own`), and those for each of its
    synonyms (`others`).
    """

    weight: float
    own: Gains
    others: Sequence[Gains] = ()

    @cached_property
    def gains(self) -> Gains:
        """The score of each document: the score for the word itself or for its best synonym, whichever is higher."""
        if not self.others:
            return self.own
        gains = dict(self.own)
        for other in self.others:
            for number, value in other.items():
                if value * SYNONYM > gains.get(number, 0.0):
                    gains[number] = value * SYNONYM
        return gains


def best_of(parts: Sequence[QueryWord], wanted: int) -> list[tuple[int, float]]:
    """Return the numbers and points of the `wanted` best documents, best first. If points are equal, the lower number
    comes first.
    """
    sums: dict[int, float] = {}
    before = sums.get
    for part in parts:
        weight = part.weight
        for number, gain in part.gains.items():
            sums[number] = before(number, 0.0) + gain * weight
    return heapq.nlargest(wanted, sums.items(), key=lambda pair: (pair[1], -pair[0]))


def points(parts: Sequence[QueryWord], numbers: Sequence[int]) -> list[tuple[int, float]]:
    """Return the given document `numbers`, each with its points."""
    return [(number, sum(part.gains.get(number, 0.0) * part.weight for part in parts)) for number in numbers]


def met(parts: Sequence[QueryWord], number: int) -> float:
    """Return the total weight of the query's words that the document `number` contains. A synonym counts four fifths
    as much as the word itself.
    """
    return sum(part.weight * (1 if number in part.own else NEAR) for part in parts if number in part.gains)


def total(parts: Sequence[QueryWord]) -> int:
    """Return the number of documents that contain any word of the query, or a synonym of one."""
    return len(set[int]().union(*(part.gains for part in parts)))
