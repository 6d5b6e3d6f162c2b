"""A wish list, and the deck that there is once some of the wishes have come true: what has come, what has left for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kb.errors import KbError
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.model import Card, Deck, Mark
from kb.games.arkham.decks.names import CardFinder, UnknownName
from kb.games.arkham.decks.profile import Kind, Profile, profile_of
from kb.games.arkham.decks.upgrade.purchases import is_upgrade
from kb.plural import counted

_COPIES = re.compile(r"^(?:(\d{1,2})\s*[xX×]\s*)?(.*\S)$")
_MOST_COPIES = 30
State = tuple[int, ...]
"""How much of each wish has come true: copies, or 1 for a box list that is marked."""


class PlanError(KbError, ValueError):
    """The wishes cannot be planned. The message is a sentence."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Copies of a card that are wished for, or (with a mark) boxes of one upgrade on its sheet."""

    card: Card
    copies: int
    mark: Mark | None = None

    @property
    def label(self) -> str:
        """The wish for people."""
        if self.mark is None:
            return f"{self.copies}x {self.card.label}" if self.copies > 1 else self.card.label
        return f"{counted(self.mark.spent, 'box')} of upgrade {self.mark.index} on {self.card.label}"


@dataclass(frozen=True, slots=True)
class Wishes:
    """A deck, what is wished for it, and which copies may leave for it, the first ones first.

    exact: the leaving cards are all that may leave (a target deck says so); otherwise lower versions leave for what they
    are upgraded to. named: those that the player said may leave; kept: first printings of cards that never do.
    """

    deck: Deck
    facts: Facts
    wanted: tuple[Wish, ...]
    leaving: tuple[str, ...]
    exact: bool
    named: tuple[str, ...] = ()
    kept: frozenset[str] = frozenset()

    @property
    def nothing(self) -> State:
        """No wish has come true."""
        return (0,) * len(self.wanted)

    @property
    def everything(self) -> State:
        """Every wish has come true."""
        return tuple(wish.copies for wish in self.wanted)

    def deck_at(self, state: State) -> Deck:
        """The deck when these wishes have come true.

        For a card that counts another one leaves: the lower version that it is made of, for a level 0 card one of level 0,
        otherwise one of a higher level before one of level 0.
        """
        cards = Counter({code: copies for code, copies in self.deck.cards.items() if copies > 0})
        marks = dict(self.deck.customizations)
        for wish, number in zip(self.wanted, state, strict=True):
            if wish.mark is None:
                cards[wish.card.code] += number
            elif number:
                marks[wish.card.code] = _marked(marks.get(wish.card.code, ()), wish.mark)
        may_leave = Counter(self.leaving)
        self._upgraded(state, cards, may_leave)
        self._crowded_out(state, cards)
        come = replace(self.deck, cards=dict(cards), customizations=marks, exiled=(), experience=None, side_deck={})
        profile = profile_of(self.facts, come)
        over = _size(profile, self.deck, cards) - profile.size
        for code in self._order(state, profile, may_leave) if over > 0 else ():
            if over > 0 and cards[code] > 0:
                cards[code] -= 1
                over -= 1
        return replace(come, cards={code: copies for code, copies in cards.items() if copies > 0})

    def proposed(self, state: State) -> tuple[str, ...]:
        """What leaves when these wishes have come true, and nobody said that it may: neither the player nor what replaces it."""
        if self.exact:
            return ()
        gone = Counter(self.deck.cards) - Counter(self.deck_at(state).cards) - Counter(self.named)
        wanted = {wish.card.title for wish in self.wanted}
        cards = ((self.facts.card(code), copies) for code, copies in gone.items())
        return tuple(
            f"{copies}x {card.label}" for card, copies in cards if card is not None and card.title not in wanted
        )

    def _upgraded(self, state: State, cards: Counter[str], may_leave: Counter[str]) -> None:
        """Take out the lower versions of the cards that came."""
        for wish, number in zip(self.wanted, state, strict=True):
            for _ in range(number if wish.mark is None else 0):
                lower = [
                    card
                    for code in cards
                    if cards[code] > 0
                    and (may_leave[code] > 0 or not self.exact)
                    and code in self.deck.cards
                    and self.facts.root(code) not in self.kept
                    and (card := self.facts.card(code)) is not None
                    and is_upgrade(card, wish.card)
                    and all(other.card.root != card.root for other in self.wanted)
                ]
                if lower:
                    out = max(lower, key=lambda card: card.level or 0).code
                    cards[out] -= 1
                    may_leave[out] -= 1

    def _crowded_out(self, state: State, cards: Counter[str]) -> None:
        """Take out the copies that a card which came leaves no room for by its own limit."""
        for wish, number in zip(self.wanted, state, strict=True):
            if not number or wish.mark is not None or self.exact:
                continue
            limit = 1 if wish.card.exceptional else wish.card.limit or 1
            others = [code for code in cards if code != wish.card.code and self._titled(code, wish.card)]
            for code in sorted(others, key=lambda code: getattr(self.facts.card(code), "level", 0) or 0):
                over = cards[wish.card.code] + sum(cards[each] for each in others) - limit
                cards[code] -= max(0, min(cards[code], over))

    def _titled(self, code: str, card: Card) -> bool:
        other = self.facts.card(code)
        return other is not None and other.title == card.title and not other.only_investigators

    def _order(self, state: State, profile: Profile, may_leave: Counter[str]) -> list[str]:
        """Copies that may leave to make room, in the order in which they do."""
        level_0 = sum(
            number
            for wish, number in zip(self.wanted, state, strict=True)
            if wish.mark is None and not wish.card.level and profile.status(wish.card.code).counts
        )
        left = Counter(may_leave)
        there = []
        for code in self.leaving:
            if left[code] > 0 and profile.status(code).counts:
                left[code] -= 1
                there.append(code)
        low = [code for code in there if not getattr(self.facts.card(code), "level", 0)]
        high = [code for code in there if getattr(self.facts.card(code), "level", 0)]
        return [*low[:level_0], *high, *low[level_0:]]


def _marked(marks: Sequence[Mark], mark: Mark) -> tuple[Mark, ...]:
    """A sheet with the boxes of one upgrade as wished."""
    return tuple(sorted((*(one for one in marks if one.index != mark.index), mark), key=lambda one: one.index))


def _size(profile: Profile, deck: Deck, cards: Mapping[str, int]) -> int:
    return sum(copies - deck.ignored.get(code, 0) for code, copies in cards.items() if profile.status(code).counts)


def wishes_of_target(deck: Deck, target: Deck, facts: Facts) -> Wishes:
    """The wishes that lead from a deck to a target deck of the same investigator. Raises PlanError."""
    if facts.family(deck.investigator) != facts.family(target.investigator):
        raise PlanError("The target deck is for another investigator.")
    if dict(deck.extra) != dict(target.extra):
        raise PlanError("The decks differ in the extra deck; only cards of the deck itself are planned.")
    profile = profile_of(facts, deck)
    wanted = [Wish(_card(profile, code), copies) for code, copies in _more(target.cards, deck.cards, facts)]
    for code, marks in target.customizations.items():
        have = {mark.index: mark.spent for mark in deck.customizations.get(code, ())}
        card = _card(profile, code)
        wanted += [Wish(card, 1, mark) for mark in marks if mark.spent > have.get(mark.index, 0)]
    leaving = [
        code
        for code, copies in _more(deck.cards, target.cards, facts)
        for _ in range(copies)
        if profile.status(code).kind in (Kind.PLAYER, Kind.DENIED)
    ]
    return _wishes(deck, facts, wanted, leaving, exact=True)


def wishes_of_side_deck(deck: Deck, facts: Facts, out: Sequence[str] = (), keep: Sequence[str] = ()) -> Wishes:
    """The cards of the side deck as wishes; `out` names cards that may leave first, `keep` those that stay. Raises PlanError."""
    profile = profile_of(facts, deck)
    wanted = [Wish(_card(profile, code), copies) for code, copies in deck.side_deck.items() if copies > 0]
    if not wanted:
        raise PlanError(
            'Nothing is wished for: the deck has no side deck. Wish for cards (`--want "2x Emergency Cache (2)"`), or for a deck to '
            "get to (`--want FILE`)."
        )
    return _leaving(_wishes(deck, facts, wanted, [], exact=False), out, keep)


def wishes_named(
    deck: Deck, names: Iterable[str], facts: Facts, out: Sequence[str] = (), keep: Sequence[str] = ()
) -> Wishes:
    """The cards named (`2x Shrivelling (3)`) as wishes; `out` names cards that may leave first, `keep` those that stay. Raises PlanError."""
    profile, wanted = profile_of(facts, deck), Counter[str]()
    for code, copies in _named(names, facts):
        wanted[code] += copies
    wishes = [Wish(_card(profile, code), min(copies, _MOST_COPIES)) for code, copies in wanted.items()]
    return _leaving(_wishes(deck, facts, wishes, [], exact=False), out, keep)


def _wishes(deck: Deck, facts: Facts, wanted: list[Wish], leaving: list[str], exact: bool) -> Wishes:
    if not wanted:
        raise PlanError("The deck already holds everything that is wished for.")
    for wish in wanted:
        if wish.card.level is None:
            raise PlanError(f"{wish.card.label} is not purchased: it has no level.")
    return Wishes(deck, facts, tuple(wanted), tuple(leaving), exact)


def _named(names: Iterable[str], facts: Facts) -> Iterator[tuple[str, int]]:
    """Codes and copies of `2x NAME`. Raises PlanError."""
    known = CardFinder(facts)
    for name in names:
        found = _COPIES.match(name.strip())
        if found is None:
            raise PlanError("A wish is empty; name a card, a deck file or `side`.")
        try:
            yield known.find(found[2]).code, int(found[1] or 1)
        except UnknownName as error:
            raise PlanError(str(error)) from None


def _card(profile: Profile, code: str) -> Card:
    """A card with the taboo list of the deck. Raises PlanError."""
    card = profile.card(code)
    if card is None:
        raise PlanError(f"No player card has the code {code}.")
    return card


def _more(one: Mapping[str, int], other: Mapping[str, int], facts: Facts) -> Iterator[tuple[str, int]]:
    """Codes of which one pile has more copies than the other, whatever their printing, and how many more."""
    there = Counter[str]()
    for code, copies in other.items():
        there[facts.root(code)] += max(0, copies)
    for code, copies in one.items():
        root, number = facts.root(code), min(max(0, copies), _MOST_COPIES)
        kept = min(there[root], number)
        there[root] -= kept
        if number > kept:
            yield code, number - kept


def _leaving(wishes: Wishes, out: Sequence[str], keep: Sequence[str]) -> Wishes:
    """The wishes with the copies that may leave: those named by `out`, then a proposal: cards of level 0 that are nothing special, never
    unique ones, nor those of `keep`.

    Those that are not of the investigator's own class first, and of these the ones of which there are most. Raises PlanError.
    """
    deck, facts = wishes.deck, wishes.facts
    profile = profile_of(facts, deck)
    front = profile.front
    wished = {wish.card.root for wish in wishes.wanted}
    first = [code for code, copies in _held(out, deck, facts) for _ in range(min(copies, _MOST_COPIES))]
    kept = frozenset(facts.root(code) for code, _ in _held(keep, deck, facts))
    if both := kept & {facts.root(code) for code in first}:
        raise PlanError(f"{_card(profile, min(both)).label} is to leave and to stay: name it once.")
    rows = []
    for code, copies in deck.cards.items():
        status = profile.status(code)
        card = status.card
        if card is None or copies <= 0 or card.root in wished | kept or code in deck.ignored or not status.counts:
            continue
        if status.kind is Kind.PLAYER and card.level == 0 and not (card.permanent or card.sheet or card.unique):
            rows.append((card.classes == front.classes if front else False, -copies, card.name, code))
    left = Counter({code: -copies for _, copies, _, code in rows}) - Counter(first)
    leaving = (*first, *(code for *_, code in sorted(rows) for _ in range(left[code])))
    return replace(wishes, leaving=leaving, named=tuple(first), kept=kept)


def _held(names: Sequence[str], deck: Deck, facts: Facts) -> Iterator[tuple[str, int]]:
    """The deck's codes of cards that are named, with copies. Raises PlanError."""
    roots = {facts.root(code): code for code, copies in deck.cards.items() if copies > 0}
    for code, copies in _named(names, facts):
        here = roots.get(facts.root(code))
        if here is None:
            raise PlanError(
                f"{_card(profile_of(facts, deck), code).label} is not in the deck: it can neither leave it nor stay."
            )
        yield here, copies
