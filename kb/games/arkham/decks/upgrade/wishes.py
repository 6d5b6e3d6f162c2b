"""A wish list, the deck that there is once some of the wishes have come true, and the order of purchases that has them soonest, exactly.

Soonest: summed over all wishes, the fewest scenarios to wait; of such orders the one that costs least. What a step costs
and whether it is legal the engine of `kb deck upgrade` says; only for the bound of the search (best first, over what is bought after which
scenario) are prices added up, and never too high, so that no better order is missed (tests compare it with every order of small lists). A
list for which that takes too many steps is bought wish by wish, the cheapest first: legal, and perhaps neither the soonest nor the cheapest.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count, product
from math import prod

import kb.games.arkham.decks.upgrade.checks  # noqa: F401  (registers the checks)
from kb.errors import KbError
from kb.frozen import frozen
from kb.games.arkham.decks.adapter import check_deck
from kb.games.arkham.decks.facts import CardFinder, Facts, UnknownName
from kb.games.arkham.decks.frame import CAMPAIGN, Frame
from kb.games.arkham.decks.model import Card, Deck, Mark, Pile
from kb.games.arkham.decks.profile import Kind, Profile, profile_of
from kb.games.arkham.decks.upgrade.changes import (
    Changes,
    Terms,
    changes_between,
    is_upgrade,
    terms_of,
    upgrade_price,
)
from kb.games.arkham.decks.upgrade.plan import UPGRADE, Plan, Step, cheapest
from kb.plural import counted

_COPIES = re.compile(r"^(?:(\d{1,2})\s*[xX×]\s*)?(.*\S)$")
_MOST_COPIES = 30
State = tuple[int, ...]
"""How much of each wish has come true: copies, or 1 for a box list that is marked."""


class PlanError(KbError, ValueError):
    """The wishes cannot be planned. The message is a sentence."""


@frozen
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


@frozen
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
            limit = 1 if "exceptional" in wish.card.keywords else wish.card.limit or 1
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


def _size(profile: Profile, deck: Deck, cards: Pile) -> int:
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
    if not any(copies > 0 for copies in deck.side_deck.values()):
        raise PlanError(
            'Nothing is wished for: the deck has no side deck. Wish for cards (`--want "2x Emergency Cache (2)"`), or for a deck to '
            "get to (`--want FILE`)."
        )
    return _wishes_for(deck, deck.side_deck, facts, out, keep)


def wishes_named(
    deck: Deck, names: Iterable[str], facts: Facts, out: Sequence[str] = (), keep: Sequence[str] = ()
) -> Wishes:
    """The cards named (`2x Shrivelling (3)`) as wishes; `out` names cards that may leave first, `keep` those that stay. Raises PlanError."""
    wanted = Counter[str]()
    for code, copies in _named(names, facts):
        wanted[code] += copies
    return _wishes_for(deck, wanted, facts, out, keep)


def _wishes_for(deck: Deck, cards: Pile, facts: Facts, out: Sequence[str], keep: Sequence[str]) -> Wishes:
    profile = profile_of(facts, deck)
    wanted = [Wish(_card(profile, code), min(copies, _MOST_COPIES)) for code, copies in cards.items() if copies > 0]
    return _leaving(_wishes(deck, facts, wanted, [], exact=False), out, keep)


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


def _more(one: Pile, other: Pile, facts: Facts) -> Iterator[tuple[str, int]]:
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
        if (
            status.kind is Kind.PLAYER
            and card.level == 0
            and not ("permanent" in card.keywords or card.sheet or "unique" in card.keywords)
        ):
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


MOST_STATES = 20_000
MOST_STEPS = 5000
"""Steps that are priced for an exact plan: some seconds, more for decks with dozens of errors."""
MOST_SCENARIOS = 40
_MYRIAD_COPIES = 3


@frozen
class Bought:
    """What is bought after one scenario (0: now). available: experience there is; had: wishes that have come true then."""

    scenario: int
    available: int
    had: State
    changes: Changes | None
    plan: Plan | None

    @property
    def cost(self) -> int:
        """Experience spent."""
        return self.plan.cost if self.plan else 0


@frozen
class _Node:
    """What has come true after a scenario. settled: whether the cost of the last step is known or only at least so much."""

    scenario: int
    state: State
    waited: int
    spent: int
    before: _Node | None
    settled: bool

    def states(self) -> list[State]:
        """What had come true after each scenario until then."""
        return [*self.before.states(), self.state] if self.before else []


class _Prices:
    """What wishes cost at least, whatever is bought with them."""

    def __init__(self, wishes: Wishes) -> None:
        self._wanted = wishes.wanted
        profile = profile_of(wishes.facts, wishes.deck)
        full = wishes.deck_at(wishes.everything)
        terms = terms_of(changes_between(full, full, wishes.facts))
        off = sum(discount.less for discount in terms.on_upgrades)

        def price(wish: Wish) -> int:
            card = wish.card
            if wish.mark is not None:
                have = wishes.deck.customizations.get(card.code, ())
                boxes = wish.mark.spent - sum(mark.spent for mark in have if mark.index == wish.mark.index)
                return max(0, boxes - off)
            if card.sheet or not card.level or terms.second_free:
                return 0  # it may come with boxes, fill a place, be swapped in, or be the second
            others = (profile.card(other.code) for other in wishes.facts.named(card.name))
            lower = [other for other in others if other is not None and is_upgrade(other, card)]
            cheapest = min([Terms().of_new(card), *(upgrade_price(other, card) for other in lower)])
            # each upgrade that leads to it may have the discounts of its own
            return max(0, cheapest - off * max(1, len({other.level for other in lower})))

        self.each = [price(wish) for wish in wishes.wanted]

    def missing(self, had: State, wanted: State) -> list[int]:
        """What each missing copy costs at least; two further copies of a myriad card come with one that is paid."""
        return [
            0 if "myriad" in wish.card.keywords and copy % _MYRIAD_COPIES else price
            for wish, price, before, after in zip(self._wanted, self.each, had, wanted, strict=True)
            for copy in range(after - before)
        ]


def _affordable(prices: Sequence[int], available: int) -> int:
    """How many of the cheapest things so much pays."""
    number = 0
    for price in prices:
        available -= price
        if available < 0:
            break
        number += 1
    return number


class TooManySteps(PlanError):
    """The exact search is given up."""


class PlanSearch:
    """Finds the order. exact: whether it is known to be the soonest and cheapest."""

    def __init__(self, wishes: Wishes, now: int, each: int, frame: Frame = CAMPAIGN) -> None:
        self.wishes, self.now, self.each, self.frame = wishes, now, each, frame
        self.exact = prod(number + 1 for number in wishes.everything) <= MOST_STATES
        self.prices = _Prices(wishes)
        self._decks: dict[State, Deck] = {}
        self._steps: dict[tuple[State, State], tuple[Changes, Plan]] = {}
        self._errors: dict[State, frozenset[tuple[str, str, str]]] = {}

    def step(self, old: State, new: State) -> tuple[Changes, Plan]:
        """The cheapest step between two states."""
        found = self._steps.get((old, new))
        if found is None:
            changes = changes_between(self._deck(old), self._deck(new), self.wishes.facts)
            found = self._steps[old, new] = (changes, cheapest(changes))
        return found

    def wrong(self, old: State, new: State) -> list[str]:
        """What is not legal about that step."""
        found = [finding.message for finding in UPGRADE.run(Step(*self.step(old, new))) if finding.severity == "error"]
        return found + self._new_errors(new)

    def _deck(self, state: State) -> Deck:
        if state not in self._decks:
            self._decks[state] = self.wishes.deck_at(state)
        return self._decks[state]

    def _new_errors(self, state: State) -> list[str]:
        """What is not legal about the deck of a state and was legal before; a deck that is too small may stay too small."""
        before = self.errors(self.wishes.nothing)
        sizes = {check for check, family, _ in before if family == "count"}
        return sorted(message for check, _, message in self.errors(state) - before if check not in sizes)

    def errors(self, state: State) -> frozenset[tuple[str, str, str]]:
        """What is not legal about the deck of a state: check, family and message of each error."""
        if state not in self._errors:
            report = check_deck(self._deck(state), self.wishes.facts, frame=self.frame)
            # places that purchases leave open are filled with level 0 cards for nothing (1.18): no error of the plan
            found = (
                finding
                for finding in report.findings
                if finding.severity == "error"
                and not (
                    state != self.wishes.nothing
                    and finding.check == "deck-size"
                    and (finding.count or 0) < (finding.limit or 0)
                )
            )
            self._errors[state] = frozenset((each.check, each.family, each.message) for each in found)
        return self._errors[state]

    def find(self) -> list[Bought]:
        """What is bought now and after each scenario. Raises PlanError when the wishes together are not legal."""
        nothing, everything = self.wishes.nothing, self.wishes.everything
        _, whole = self.step(nothing, everything)
        if wrong := self.wrong(nothing, everything):
            raise PlanError("The deck with all wishes is not legal: " + " ".join(wrong))
        scenarios = -(-max(0, whole.cost - self.now) // self.each) if self.each else 0
        if scenarios > MOST_SCENARIOS:
            raise PlanError(
                f"All wishes would take {scenarios} scenarios, more than the {MOST_SCENARIOS} that are planned for."
            )
        if self.exact:
            try:
                # who finished later than this would have waited longer than for everything bought at once when it can be paid
                return list(self._bought(self._search(scenarios * sum(everything)).states()))
            except TooManySteps:
                self.exact = False
        return list(self._bought(self._one_by_one()))

    def _bought(self, states: Iterable[State]) -> Iterator[Bought]:
        before, spent = self.wishes.nothing, 0
        for scenario, state in enumerate(states):
            available = self.now + self.each * scenario - spent
            if state == before:
                yield Bought(scenario, available, state, None, None)
                continue
            changes, plan = self.step(before, state)
            yield Bought(scenario, available, state, changes, plan)
            before, spent = state, spent + plan.cost

    def _one_by_one(self) -> Iterator[State]:
        """What there is after each scenario when whatever can be paid is bought, the cheapest wishes first."""
        state, spent, everything = self.wishes.nothing, 0, self.wishes.everything
        order = sorted(range(len(everything)), key=lambda wish: self.prices.each[wish])
        for scenario in range(MOST_SCENARIOS + 1 if self.each else 1):
            before, left = state, self.now + self.each * scenario - spent
            if self._may(before, everything, left):
                state = everything
            for wish in order:
                while state[wish] < everything[wish]:
                    more = (*state[:wish], state[wish] + 1, *state[wish + 1 :])
                    if not self._may(before, more, left):
                        break
                    state = more
            yield state
            if state == everything:
                return
            spent += self.step(before, state)[1].cost

    def _may(self, old: State, new: State, left: int) -> bool:
        """Whether a step is legal and no dearer than what there is."""
        return sum(self.prices.missing(old, new)) <= left >= self.step(old, new)[1].cost and not self.wrong(old, new)

    def _search(self, scenarios: int) -> _Node:
        """The last node of the best path, the nodes in the order of what they may at best come to."""
        number = count()
        Status = tuple[int, int, int, State, int, _Node]
        first = _Node(-1, self.wishes.nothing, 0, 0, None, True)
        queue: list[Status] = [(0, 0, 0, (), next(number), first)]
        known: dict[tuple[int, State], list[tuple[int, int]]] = {}
        while queue:
            *_, node = heapq.heappop(queue)
            if not node.settled:
                if len(self._steps) >= MOST_STEPS:
                    raise TooManySteps
                settled = self._settled(node)
                if settled is not None:
                    heapq.heappush(queue, (*self._rank(settled, scenarios), next(number), settled))
                continue
            if node.state == self.wishes.everything or (node.scenario == 0 and not self.each):
                return node
            if node.scenario == scenarios:
                continue
            there = known.setdefault((node.scenario, node.state), [])
            if any(waited <= node.waited and spent <= node.spent for waited, spent in there):
                continue
            there.append((node.waited, node.spent))
            for following in self._following(node):
                heapq.heappush(queue, (*self._rank(following, scenarios), next(number), following))
        raise AssertionError("waiting is always possible")

    def _rank(self, node: _Node, scenarios: int) -> tuple[int, int, int, State]:
        """What a node comes to at best: waiting, experience; then the further one, then the order of the wishes."""
        prices = sorted(self.prices.missing(node.state, self.wishes.everything))
        left = self.now + self.each * node.scenario - node.spent
        waiting = 0
        for scenario in range(1, scenarios - node.scenario + 1):
            missing = len(prices) - _affordable(prices, left + self.each * scenario)
            if not missing:
                break
            waiting += missing
        more = sum(prices) if self.each else 0
        return node.waited + waiting, node.spent + more, -node.scenario, tuple(-had for had in node.state)

    def _settled(self, node: _Node) -> _Node | None:
        """The node with what its last step really costs; None when that is not legal or more than there is."""
        assert node.before is not None
        spent = node.before.spent + self.step(node.before.state, node.state)[1].cost
        if spent > self.now + self.each * node.scenario or self.wrong(node.before.state, node.state):
            return None
        return _Node(node.scenario, node.state, node.waited, spent, node.before, True)

    def _following(self, node: _Node) -> Iterator[_Node]:
        """All that may have come true after the next scenario, as far as the experience may reach."""
        scenario = node.scenario + 1
        left = self.now + self.each * scenario - node.spent
        ranges = [range(had, all_of + 1) for had, all_of in zip(node.state, self.wishes.everything, strict=True)]
        for state in product(*ranges):
            least = sum(self.prices.missing(node.state, state))
            if least <= left:
                waited = node.waited + sum(self.wishes.everything) - sum(state)
                settled = state == node.state
                yield _Node(scenario, state, waited, node.spent + least, node, settled)
