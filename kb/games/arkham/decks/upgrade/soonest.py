"""The order of purchases that has the wishes soonest, exactly: a best-first search over what is bought after which scenario.

Soonest: summed over all wishes, the fewest scenarios to wait; of such orders the one that costs least. What a step costs
and whether it is legal the engine of `kb deck upgrade` says; only for the bound of the search are prices added up, and
never too high, so that no better order is missed (tests compare it with every order of small lists). A list for which that takes
too many steps is bought wish by wish, the cheapest first: legal, and perhaps neither the soonest nor the cheapest.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, product
from math import prod

from kb.games.arkham.decks.check import check_deck
from kb.games.arkham.decks.frame import CAMPAIGN, Frame
from kb.games.arkham.decks.model import Deck
from kb.games.arkham.decks.profile import profile_of
from kb.games.arkham.decks.upgrade.campaign import check_step
from kb.games.arkham.decks.upgrade.changes import Changes, changes_between
from kb.games.arkham.decks.upgrade.plan import Plan, cheapest
from kb.games.arkham.decks.upgrade.purchases import full_price, is_upgrade, terms_of, upgrade_price
from kb.games.arkham.decks.upgrade.wishes import PlanError, State, Wish, Wishes

MOST_STATES = 20_000
MOST_STEPS = 5000
"""Steps that are priced for an exact plan: some seconds, more for decks with dozens of errors."""
MOST_SCENARIOS = 40
_MYRIAD_COPIES = 3


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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
            cheapest = min([full_price(card), *(upgrade_price(other, card) for other in lower)])
            # each upgrade that leads to it may have the discounts of its own
            return max(0, cheapest - off * max(1, len({other.level for other in lower})))

        self.each = [price(wish) for wish in wishes.wanted]

    def missing(self, had: State, wanted: State) -> list[int]:
        """What each missing copy costs at least; two further copies of a myriad card come with one that is paid."""
        return [
            0 if wish.card.myriad and copy % _MYRIAD_COPIES else price
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


class Soonest:
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
        found = [finding.message for finding in check_step(*self.step(old, new)) if finding.severity == "error"]
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
