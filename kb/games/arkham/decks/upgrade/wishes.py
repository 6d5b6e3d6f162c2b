"""Finds the order of purchases that fulfils a wish list as early as possible, and the deck after each purchase.

The best order has the shortest total wait: the fewest scenarios, summed over all wishes. Among orders with the same
wait, it has the lowest cost. The price and legality of each step come from the code behind `kb deck upgrade`. The
search goes best first over the purchases after each scenario. Its lower bound adds up prices and is never too high,
so no better order is missed. Tests compare the result with every order of small lists. If the search takes too many
steps, the wishes are bought one by one, cheapest first. This is legal, but perhaps not the best order.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate, count, product
from math import prod

import kb.games.arkham.decks.upgrade.checks  # noqa: F401  (registers the checks)
from kb.decks.problems import Finding
from kb.errors import KbError
from kb.frozen import frozen
from kb.games.arkham.decks.agreement import CAMPAIGN, Agreement
from kb.games.arkham.decks.card import ArkhamCard, Mark
from kb.games.arkham.decks.card_finder import CardFinder, UnknownName
from kb.games.arkham.decks.checks.cards import deck_size
from kb.games.arkham.decks.deck import ArkhamDeck, Pile
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.judging import check_deck
from kb.games.arkham.decks.profile import Kind, Profile, profile_of
from kb.games.arkham.decks.upgrade.changes import DeckChanges, changes_between
from kb.games.arkham.decks.upgrade.plan import UPGRADE, UpgradePlan, UpgradeStep, cheapest_step
from kb.games.arkham.decks.upgrade.purchases import is_upgrade, new_price, terms_of, upgrade_price
from kb.plural import counted

_COPIES = re.compile(r"^(?:(\d{1,2})\s*[xX×]\s*)?(.*\S)$")
_MOST_COPIES = 30
SIDE = "side"
"""The wish that means every card of the side deck."""
State = tuple[int, ...]
"""The fulfilled part of each wish: the number of copies, or 1 if the boxes are marked."""


class PlanError(KbError, ValueError):
    """The wishes cannot be planned. The message is written for users."""


@frozen
class Wish:
    """A wish for copies of a card, or, with `mark`, for boxes of one upgrade on its sheet."""

    card: ArkhamCard
    copies: int
    mark: Mark | None = None

    @property
    def label(self) -> str:
        """Return the wish in words."""
        if self.mark is None:
            return f"{self.copies}x {self.card.label}" if self.copies > 1 else self.card.label
        return f"{counted(self.mark.spent, 'box')} of upgrade {self.mark.index + 1} on {self.card.label}"


@frozen
class Wishes:
    """A deck, the wishes for it, and the cards that may leave to make room.

    - `wanted`: the wishes.
    - `leaving`: codes of the copies that may leave, in order.
    - `exact`: True if only the cards in `leaving` may leave, as for a target deck. Otherwise, lower level versions of
      upgraded cards leave, too.
    - `named`: codes of the cards that the player allowed to leave.
    - `kept`: first printings of the cards that must stay.
    """

    deck: ArkhamDeck
    facts: ArkhamFacts
    wanted: tuple[Wish, ...]
    leaving: tuple[str, ...]
    exact: bool
    named: tuple[str, ...] = ()
    kept: frozenset[str] = frozenset()

    @property
    def nothing(self) -> State:
        """Return the state with no wish fulfilled."""
        return (0,) * len(self.wanted)

    @property
    def everything(self) -> State:
        """Return the state with every wish fulfilled."""
        return tuple(wish.copies for wish in self.wanted)

    def deck_at(self, state: State) -> ArkhamDeck:
        """Return the deck that fulfils the wishes of `state`.

        For each added card that counts toward the deck size, another card leaves. An upgrade replaces its lower level
        version, and a new level 0 card replaces a level 0 card. For any other card, a card above level 0 leaves before
        a level 0 card.
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
        self._make_a_choice_legal(state, cards)
        return replace(come, cards={code: copies for code, copies in cards.items() if copies > 0})

    def proposed(self, state: State) -> tuple[str, ...]:
        """Return the cards that kb removes for the wishes of `state`, with copies.

        Cards that the player named, and cards that are upgraded, are left out.
        """
        if self.exact:
            return ()
        gone = Counter(self.deck.cards) - Counter(self.deck_at(state).cards) - Counter(self.named)
        wanted = {wish.card.title for wish in self.wanted}
        cards = ((self.facts.card(code), copies) for code, copies in gone.items())
        return tuple(
            f"{copies}x {card.label}" for card, copies in cards if card is not None and card.title not in wanted
        )

    def _upgraded(self, state: State, cards: Counter[str], may_leave: Counter[str]) -> None:
        """Remove the lower level versions of the added cards from `cards`, and from the copies in `may_leave`."""
        wanted = {wish.card.root for wish in self.wanted}
        for wish, number in zip(self.wanted, state, strict=True):
            for _ in range(number if wish.mark is None else 0):
                lower = [
                    card
                    for card, copies in self.facts.held(self.deck.cards)
                    if copies and cards[card.code] > 0 and (may_leave[card.code] > 0 or not self.exact)
                    if is_upgrade(card, wish.card) and card.root not in wanted | self.kept
                ]
                if lower:
                    out = max(lower, key=_level).code
                    cards[out] -= 1
                    may_leave[out] -= 1

    def _crowded_out(self, state: State, cards: Counter[str]) -> None:
        """Remove from `cards` the copies of other versions that exceed the limit of an added card."""
        for wish, number in zip(self.wanted, state, strict=True):
            if not number or wish.mark is not None or self.exact:
                continue
            same = [
                card
                for card, _ in self.facts.held(cards)
                if card.title == wish.card.title and not card.only_investigators
            ]
            over = sum(cards[card.code] for card in same) - (
                1 if "exceptional" in wish.card.keywords else wish.card.limit or 1
            )
            for card in sorted(same, key=_level):
                if card.code != wish.card.code and over > 0:
                    gone = min(cards[card.code], over)
                    cards[card.code] -= gone
                    over -= gone

    def _make_a_choice_legal(self, state: State, cards: Counter[str]) -> None:
        """If an added card needs the only copy of another card, and the deck has no suitable card with only one copy,
        remove a second copy from `cards`.
        """
        come = [wish for wish, number in zip(self.wanted, state, strict=True) if number and wish.mark is None]
        for titles in _choosing(come if not self.exact else (), cards, self.facts):
            pairs = {code for codes in titles.values() if len(codes) == 2 for code in codes}
            second = next((code for code in self.leaving if code in pairs), "")
            if second and not _single(titles):
                cards[second] -= 1

    def _order(self, state: State, profile: Profile, may_leave: Counter[str]) -> list[str]:
        """Return the codes of the copies that may leave to make room, in order."""
        level_0 = sum(
            number
            for wish, number in zip(self.wanted, state, strict=True)
            if wish.mark is None and not wish.card.level and profile.status(wish.card.code).counts
        )
        left = Counter(may_leave)
        low: list[str] = []
        high: list[str] = []
        for code in self.leaving:
            status = profile.status(code)
            if left[code] > 0 and status.counts and status.card:
                left[code] -= 1
                (high if status.card.level else low).append(code)
        return [*low[:level_0], *high, *low[level_0:]]


def _level(card: ArkhamCard) -> int:
    return card.level or 0


def _marked(marks: Sequence[Mark], mark: Mark) -> tuple[Mark, ...]:
    """Return the marks of a sheet, with the marks of one upgrade replaced by `mark`."""
    return tuple(sorted((*(one for one in marks if one.index != mark.index), mark), key=lambda one: one.index))


def _size(profile: Profile, deck: ArkhamDeck, cards: Pile) -> int:
    return sum(copies - deck.ignored.get(code, 0) for code, copies in cards.items() if profile.status(code).counts)


def wishes_of_target(deck: ArkhamDeck, target: ArkhamDeck, facts: ArkhamFacts) -> Wishes:
    """Return the wishes that turn `deck` into `target`, a deck of the same investigator. Raises PlanError."""
    if facts.family(deck.investigator) != facts.family(target.investigator):
        raise PlanError("The target deck is for another investigator.")
    if dict(deck.extra) != dict(target.extra):
        raise PlanError("The extra decks differ; kb only plans changes to the main deck.")
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
        if (status := profile.status(code)).denied or status.kind is Kind.PLAYER
    ]
    return _wishes(Wishes(deck, facts, tuple(wanted), tuple(leaving), exact=True))


def wishes_named(
    deck: ArkhamDeck, names: Sequence[str], facts: ArkhamFacts, out: Sequence[str] = (), keep: Sequence[str] = ()
) -> Wishes:
    """Return wishes for the cards in `names` (`2x Shrivelling (3)`), or for the whole side deck if `names` is `side`.

    The cards in `out` may leave first, and the cards in `keep` stay. After the cards in `out`, ordinary level 0 cards
    that are not unique leave. Cards outside the investigator's own class come first, and among them the cards with the
    most copies. Raises PlanError.
    """
    profile = profile_of(facts, deck)
    copies_of = Counter[str]()
    for code, copies in deck.side_deck.items() if [*names] == [SIDE] else _named(names, facts):
        copies_of[code] += copies
    if [*names] == [SIDE] and not +copies_of:
        raise PlanError(
            'No cards to plan for: the deck has no side deck. Name cards (`--want "2x Emergency Cache (2)"`) or a target deck '
            "(`--want FILE`)."
        )
    wanted = [Wish(_card(profile, code), min(copies, _MOST_COPIES)) for code, copies in (+copies_of).items()]
    first = Counter({code: min(copies, _MOST_COPIES) for code, copies in _held(out, deck, facts)})
    staying = frozenset(facts.root(code) for code, _ in _held(keep, deck, facts))
    if both := staying & {facts.root(code) for code in first}:
        raise PlanError(f"{_card(profile, min(both)).label} is both in --drop and --keep. Name it once.")
    stay = staying | {wish.card.root for wish in wanted} | {facts.root(code) for code in deck.ignored}
    own = profile.front.classes if profile.front else None
    proposed: list[tuple[bool, int, str, str]] = []
    for code, copies in deck.cards.items():
        status = profile.status(code)
        card = status.card
        plain = (
            card
            and card.level == 0
            and not ("permanent" in card.keywords or card.sheet or "unique" in card.keywords or card.root in stay)
        )
        if card and plain and copies > 0 and status.counts and status.kind is Kind.PLAYER:
            proposed.append((card.classes == own, -copies, card.name, code))
    left = Counter({code: -copies for _, copies, _, code in proposed}) - first
    ordered = [code for *_, code in sorted(proposed) for _ in range(left[code])]
    chosen = {code for titles in _choosing(wanted, deck.cards, facts) for code in _single(titles)}
    leaving = [*first.elements(), *sorted(ordered, key=chosen.__contains__)]
    made = _wishes(Wishes(deck, facts, tuple(wanted), tuple(leaving), False, tuple(first.elements()), staying))
    after = made.deck_at(made.everything)
    for code, copies in _held(keep, deck, facts):
        if after.cards.get(code, 0) < min(copies, deck.cards[code]):
            raise PlanError(
                f"{counted(min(copies, deck.cards[code]), 'copy')} of {_card(profile, code).label} cannot stay in the deck "
                "together with the cards you want. Leave out --keep for it, or wish for fewer copies."
            )
    return made


def _choosing(wanted: Iterable[Wish], cards: Pile, facts: ArkhamFacts) -> Iterator[dict[str, list[str]]]:
    """For each wanted card that needs the only copy of another card (branded spell), yield the candidates in `cards`.

    The candidates are codes by title, each repeated for every copy.
    """
    for attach in (wish.card.special.attach for wish in wanted):
        if attach is not None and attach.only_copy:
            titles: dict[str, list[str]] = {}
            for card, copies in facts.held(cards):
                if attach.admits(card) and copies > 0:
                    titles.setdefault(card.title, []).extend([card.code] * copies)
            yield titles


def _single(titles: Mapping[str, Sequence[str]]) -> set[str]:
    """Return the codes of the cards in `titles` that have no second copy."""
    return {codes[0] for codes in titles.values() if len(codes) == 1}


def _wishes(wishes: Wishes) -> Wishes:
    if not wishes.wanted:
        raise PlanError("The deck already contains every card you want.")
    for wish in wishes.wanted:
        if wish.card.level is None:
            raise PlanError(f"{wish.card.label} cannot be purchased: it has no level.")
    return wishes


def _named(names: Iterable[str], facts: ArkhamFacts) -> Iterator[tuple[str, int]]:
    """Yield code and copies for each name, which may begin with a number (`2x NAME`). Raises PlanError."""
    known = CardFinder(facts)
    for name in names:
        match = _COPIES.match(name.strip())
        if match is None:
            raise PlanError("`--want` is empty. Name a card, a deck file or `side`.")
        try:
            yield known.find(match[2]).code, int(match[1] or 1)
        except UnknownName as error:
            raise PlanError(str(error)) from None


def _card(profile: Profile, code: str) -> ArkhamCard:
    """Return the card with the code, as the deck's taboo list changes it. Raises PlanError if there is none."""
    card = profile.card(code)
    if card is None:
        raise PlanError(f"No player card has the code {code}.")
    return card


def _more(one: Pile, other: Pile, facts: ArkhamFacts) -> Iterator[tuple[str, int]]:
    """Yield each code with more copies in `one` than in `other`, over all printings, and the difference."""
    there = Counter[str]()
    for code, copies in other.items():
        there[facts.root(code)] += max(0, copies)
    for code, copies in one.items():
        root, number = facts.root(code), min(max(0, copies), _MOST_COPIES)
        common = min(there[root], number)
        there[root] -= common
        if number > common:
            yield code, number - common


def _held(names: Sequence[str], deck: ArkhamDeck, facts: ArkhamFacts) -> Iterator[tuple[str, int]]:
    """Yield a code and a number of copies for each card name in `names`. The code is the one that the deck uses. Raises
    PlanError if the card is not in the deck.
    """
    roots = {facts.root(code): code for code, copies in deck.cards.items() if copies > 0}
    for code, copies in _named(names, facts):
        own_code = roots.get(facts.root(code))
        if own_code is None:
            raise PlanError(
                f"{_card(profile_of(facts, deck), code).label} is not in the deck, so --drop and --keep cannot name it."
            )
        yield own_code, copies


MOST_STATES = 20_000
MOST_STEPS = 5000
"""The most steps whose prices an exact search computes. This takes a few seconds, or more for decks with dozens of
errors.
"""
MOST_SCENARIOS = 40
_MYRIAD_COPIES = 3
Entry = tuple[int, int, int, State, int, tuple[State, ...], int, bool]


class PlanSearch:
    """Searches for the best order of purchases.

    `now` is the experience available at once, and `each` is gained after each scenario. `exact` is True if the result
    is known to be the earliest and cheapest.
    """

    def __init__(self, wishes: Wishes, now: int, each: int, agreement: Agreement = CAMPAIGN) -> None:
        self.wishes, self.now, self.each, self.agreement = wishes, now, each, agreement
        self.exact = prod(number + 1 for number in wishes.everything) <= MOST_STATES
        self.least = _least_prices(wishes)
        self._number = count()
        self._deck, self.step, self.errors = cache(wishes.deck_at), cache(self._step), cache(self._errors)

    def _step(self, old: State, new: State) -> tuple[DeckChanges, UpgradePlan]:
        """Return the changes and the cheapest plan for the step between two states."""
        return cheapest_step(self._deck(old), self._deck(new), self.wishes.facts)

    def wrong(self, old: State, new: State) -> list[str]:
        """Return the messages of all errors in the step from `old` to `new`, and of new errors in the deck after it.

        Errors that the deck had at the beginning are not new. If its size was wrong then, it may still be wrong.
        """
        step = [
            finding.message for finding in UPGRADE.run(UpgradeStep(*self.step(old, new))) if finding.severity == "error"
        ]
        before = self.errors(self.wishes.nothing)
        known = {each.subject for each in before}
        sizes = {each.check for each in before if each.family == "count"}
        added = [each for each in self.errors(new) if each.subject not in known and each.check not in sizes]
        return step + sorted({each.message for each in added})

    def _errors(self, state: State) -> tuple[Finding, ...]:
        """Return the errors of the deck in a state."""
        return tuple(
            each
            for each in check_deck(self._deck(state), self.wishes.facts, agreement=self.agreement).findings
            if each.severity == "error"
            # missing cards are not an error of a plan, because free level 0 cards fill the deck (1.18)
            if state == self.wishes.nothing or not each.by(deck_size) or (each.count or 0) >= (each.limit or 0)
        )

    def find(self) -> tuple[State, ...]:
        """Return the state now and the state after each scenario. Raises PlanError if the deck with all wishes is not
        legal.
        """
        nothing, everything = self.wishes.nothing, self.wishes.everything
        if wrong := self.wrong(nothing, everything):
            raise PlanError("The deck with all wishes is not legal: " + " ".join(wrong))
        short = max(0, self.step(nothing, everything)[1].cost - self.now)
        # a longer plan waits longer than saving up and then buying everything at once
        scenarios = -(-short // self.each) if self.each else 0
        if scenarios > MOST_SCENARIOS:
            raise PlanError(f"All wishes would take {scenarios} scenarios, more than the limit of {MOST_SCENARIOS}.")
        states = self._search(scenarios * sum(everything)) if self.exact else None
        self.exact = states is not None
        return states or tuple(self._one_by_one())

    def _one_by_one(self) -> Iterator[State]:
        """Yield the state after each scenario if every affordable wish is bought at once, cheapest first."""
        state, spent, everything = self.wishes.nothing, 0, self.wishes.everything
        order = sorted(range(len(everything)), key=self.least.__getitem__)
        for scenario in range(MOST_SCENARIOS + 1 if self.each else 1):
            before, left = state, self.now + self.each * scenario - spent
            following: State | None = everything
            while following:
                more = [(*state[:at], state[at] + 1, *state[at + 1 :]) for at in order if state[at] < everything[at]]
                following = next((each for each in (everything, *more) if self._may(before, each, left)), None)
                state = following or state
                if state == everything:
                    yield state
                    return
            yield state
            spent += self.step(before, state)[1].cost

    def _may(self, old: State, new: State, left: int) -> bool:
        """Return True if the step between two states is legal and costs at most `left` experience."""
        return sum(self._missing(old, new)) <= left >= self.step(old, new)[1].cost and not self.wrong(old, new)

    def _search(self, scenarios: int) -> tuple[State, ...] | None:
        """Return the states after each scenario in the best order; None if the search takes too many steps.

        `scenarios` is the maximum number of scenarios to wait. The search follows paths of states in the order of
        their lower bounds. It prices the last step of a path only when the path's turn comes.
        """
        everything = self.wishes.everything
        queue: list[Entry] = [(0, 0, 0, (), 0, (), 0, True)]
        known: dict[tuple[int, State], list[tuple[int, int]]] = {}
        while queue:
            *_, path, spent, priced = heapq.heappop(queue)
            before, state = (self.wishes.nothing, self.wishes.nothing, *path)[-2:]
            left = self.now + self.each * (len(path) - 1) - spent
            if not priced:
                if self.step.cache_info().currsize >= MOST_STEPS:
                    return None
                cost = self.step(before, state)[1].cost
                if cost <= left and not self.wrong(before, state):
                    heapq.heappush(queue, self._entry(path, spent + cost, True, scenarios))
                continue
            if path and (state == everything or not self.each):
                return path
            waited = self._waited(path)
            there = known.setdefault((len(path), state), [])
            if len(path) > scenarios or any(one <= waited and other <= spent for one, other in there):
                continue
            there.append((waited, spent))
            left += self.each
            for following in product(*(range(had, most + 1) for had, most in zip(state, everything, strict=True))):
                if sum(self._missing(state, following)) <= left:
                    entry = self._entry((*path, following), spent, following == state, scenarios)
                    heapq.heappush(queue, entry)
        raise AssertionError("waiting is always possible")

    def _entry(self, path: tuple[State, ...], spent: int, priced: bool, scenarios: int) -> Entry:
        """Return the queue entry of a path: its sort key, then the path itself.

        The sort key contains a lower bound for the waiting and one for the experience. Ties go to the longer path,
        then to the order of the wishes.
        """
        before, state = (self.wishes.nothing, *path)[-2:]
        least = spent + (0 if priced else sum(self._missing(before, state)))
        prices = sorted(self._missing(state, self.wishes.everything))
        waiting = 0
        for scenario in range(len(path), scenarios + 1):
            sums = accumulate(prices)
            missing = sum(paid > self.now + self.each * scenario - least for paid in sums)
            if not missing:
                break
            waiting += missing
        least += sum(prices) if self.each else 0
        rank = self._waited(path) + waiting, least, -len(path), tuple(-had for had in state)
        return *rank, next(self._number), path, spent, priced

    def _waited(self, path: tuple[State, ...]) -> int:
        """Count the unfulfilled wishes after each scenario of a path, and return the sum."""
        return sum(sum(self.wishes.everything) - sum(state) for state in path)

    def _missing(self, had: State, wanted: State) -> list[int]:
        """Return the lowest possible cost of each copy that is in the state `wanted` but not in `had`.

        Two of every three copies of a myriad card are free.
        """
        return [
            0 if "myriad" in wish.card.keywords and copy % _MYRIAD_COPIES else price
            for wish, price, before, after in zip(self.wishes.wanted, self.least, had, wanted, strict=True)
            for copy in range(after - before)
        ]


def _least_prices(wishes: Wishes) -> list[int]:
    """Return the lowest possible cost of one copy for each wish, whatever else is bought."""
    profile, full = profile_of(wishes.facts, wishes.deck), wishes.deck_at(wishes.everything)
    terms = terms_of(changes_between(full, full, wishes.facts))
    off = sum(discount.less for _, discount in terms.on_upgrades)

    def price(wish: Wish) -> int:
        card = wish.card
        if wish.mark is not None:
            have = wishes.deck.customizations.get(card.code, ())
            return max(0, wish.mark.spent - sum(mark.spent for mark in have if mark.index == wish.mark.index) - off)
        if card.sheet or not card.level or terms.second_free:
            return 0  # the copy may be free: with boxes, to fill the deck, swapped in, or as a second copy
        others = (profile.card(other.code) for other in wishes.facts.named(card.name))
        lower = [other for other in others if other is not None and is_upgrade(other, card)]
        cheapest = min([new_price(card), *(upgrade_price(other, card) for other in lower)])
        # the card may be reached by several upgrades, each with discounts
        return max(0, cheapest - off * max(1, len({other.level for other in lower})))

    return [price(wish) for wish in wishes.wanted]
