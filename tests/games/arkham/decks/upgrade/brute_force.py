"""Plays the purchases of a small step out, card by card, and finds the cheapest order: slow, simple, and apart from the engine.

A state is what lies in the deck and what has been used up; a move is one purchase, one upgrade, one swap or one marking of
boxes, each with the card that leaves for it. Dijkstra over all of them. Only prices come from the facts of the cards.
"""

from __future__ import annotations

import heapq
from itertools import count
from typing import NamedTuple

from kb.games.arkham.decks.profile import Kind, profile_of
from tests.games.arkham.decks.conftest import FACTS

Counts = tuple[int, ...]


class Table(NamedTuple):
    """A state. held: copies of each card of the universe; size: cards short of the deck size; swaps: used; left: of each
    discount on upgrades; again: what exiled cards cost less; exiled: copies that may be purchased again; myriad: copies of each
    card that come for nothing; marked: boxes on the sheet; discounted: the sheet has had a discount."""

    held: Counts
    short: int
    swaps: int
    left: Counts
    again: int
    exiled: Counts
    myriad: Counts
    marked: int


class TooMany(Exception):
    """The step is too large to be played out."""


def brute_force(old, new, sheet="", bound=99, most=60_000):
    """The experience of the cheapest order that takes no more than `bound`, None when there is none. Raises TooMany."""
    return _Search(old, new, sheet).run(bound, most)


class _Search:
    def __init__(self, old, new, sheet):
        self.new, self.profile = new, profile_of(FACTS, new)
        self.sheet = sheet if sheet in old.cards or sheet in new.cards else ""
        codes = dict.fromkeys([*old.cards, *new.cards])
        titles = {FACTS.card(code).title for code in codes if FACTS.card(code)}
        universe = []
        for code in FACTS._cards:
            card = self.profile.card(code)
            if card is None or card.title not in titles or code != card.root or card.level is None:
                continue
            entry = self.profile.status(code)
            if code in codes or (entry.kind is Kind.PLAYER and not card.permanent and not card.sheet):
                universe.append(code)
        self.codes = [code for code in universe if self._changes(code, old, new, universe)]
        self.cards = [self.profile.card(code) for code in self.codes]
        self.old = tuple(old.cards.get(code, 0) - new.exiled.count(code) for code in self.codes)
        self.goal = tuple(new.cards.get(code, 0) for code in self.codes)
        self.exiled = tuple(new.exiled.count(code) for code in self.codes)
        self.counts = [self.profile.status(code).counts for code in self.codes]
        self.allowed = [self.profile.status(code).kind is Kind.PLAYER for code in self.codes]
        self.boxes_before = self._boxes(old)
        self.boxes_after = self._boxes(new)
        self.discounts = [
            buying.discount
            for card, left in zip(self.cards, self.old, strict=True)
            if (buying := card.special.buying).discount and buying.discount.when == "upgrade"
            for _ in range(left)
        ]
        self.short = sum(number for number, counted in zip(self.exiled, self.counts, strict=True) if counted)
        self.grows = [card.special.deck_size for card in self.cards]
        titles_here = [card.title for card in self.cards]
        self.filler = [
            self._plain(code) and titles_here.count(card.title) == 1
            for code, card in zip(self.codes, self.cards, strict=True)
        ]

    def _changes(self, code, old, new, universe):
        """Whether the card matters: a title of which something changes, one that helps, one level 0 card to swap out."""
        card = self.profile.card(code)
        same = [c for c in universe if self.profile.card(c).title == card.title]
        if any(old.cards.get(c, 0) != new.cards.get(c, 0) or c in new.exiled for c in same) or code == self.sheet:
            return True
        buying = card.special.buying
        if code in new.cards and (buying.discount or buying.swaps or buying.dearer or buying.second_free):
            return True
        plain = [c for c in universe if c in old.cards and c in new.cards and self._plain(c)]
        return bool(plain) and code == plain[0]

    def _plain(self, code):
        card = self.profile.card(code)
        return bool(card and card.level == 0 and not card.sheet and not card.surcharge and not card.permanent)

    def _boxes(self, deck):
        return sum(mark.spent for code, marks in deck.customizations.items() if code == self.sheet for mark in marks)

    def run(self, bound, most):
        marked = self.boxes_before if self.sheet and self.old[self.codes.index(self.sheet)] else 0
        left = tuple(discount.cards for discount in self.discounts)
        nothing = tuple(0 for _ in self.codes)
        start = Table(self.old, self.short, 0, left, 0, self.exiled, nothing, marked)
        number = count()
        queue = [(0, next(number), start)]
        best = {start: 0}
        while queue:
            cost, _, table = heapq.heappop(queue)
            if cost > best[table]:
                continue
            boxes = table.marked if self.sheet and table.held[self.codes.index(self.sheet)] else 0
            if table.held == self.goal and boxes == self.boxes_after and table.short <= 0:
                return cost
            for price, following in self.moves(table):
                if price + cost < best.get(following, bound + 1):
                    best[following] = price + cost
                    heapq.heappush(queue, (price + cost, next(number), following))
            if len(best) > most:
                raise TooMany
        return None

    def moves(self, t):
        dearer = sum(card.special.buying.dearer * n for card, n in zip(self.cards, self.old, strict=True))
        for i, card in enumerate(self.cards):
            if self.allowed[i] and not card.researched:
                yield from self._purchases(t, i, card, dearer)
            if self.allowed[i]:
                yield from self._upgrades(t, i, card)
        yield from self._swaps(t)
        yield from self._boxes_marked(t, dearer)

    # one copy comes; where the deck is full another leaves

    def _in(self, t, i, number=1):
        """The table with the card in the deck: in a free place, or in place of any card of level, not permanent."""
        held = self._plus(t.held, i, number)
        if self.grows[i]:
            t = t._replace(short=t.short + self.grows[i] * number)
        if not self.counts[i]:
            yield t._replace(held=held)
            return
        if t.short >= number:
            yield t._replace(held=held, short=t.short - number)
        for out in self._outs(t, number):
            gone = held
            for o in out:
                gone = self._plus(gone, o, -1)
            yield t._replace(held=gone)

    def _outs(self, t, number):
        """Cards that may leave for it: such as the deck after does not hold; of plain level 0 cards one will do."""
        if not number:
            yield ()
            return
        filler = False
        for i, n in enumerate(t.held):
            if n <= self.goal[i] or not self.counts[i] or self.cards[i].permanent or (filler and self.filler[i]):
                continue
            filler = filler or self.filler[i]
            for rest in self._outs(t._replace(held=self._plus(t.held, i, -1)), number - 1):
                yield (i, *rest)

    @staticmethod
    def _plus(counts, i, n):
        return (*counts[:i], counts[i] + n, *counts[i + 1 :])

    def _purchases(self, t, i, card, dearer):
        if t.held[i] >= max(self.goal[i], 1) + 1:
            return
        if card.sheet and (t.marked or not self._in_deck_blank(t, i)):
            return
        free_refill = t.short > 0 and card.level == 0 and self.counts[i]
        if t.myriad[i]:
            same = self._myriad(t, card, -1)
            for after in self._in(same, i):
                yield 0, after
            return
        paid = self._bought(t, i, card)
        if free_refill:
            yield 0, paid._replace(held=self._plus(paid.held, i, 1), short=t.short - 1)
        again = t.exiled[i] > 0
        price = max(1, card.cost_of_a_copy + (0 if again else dearer))
        if again:
            for off in self._off_again(t, price):
                used = paid._replace(exiled=self._plus(t.exiled, i, -1), again=t.again + off)
                for after in self._in(used, i):
                    yield price - off, after
        else:
            for after in self._in(paid, i):
                yield price, after

    def _in_deck_blank(self, t, i):
        return self.profile.status(self.codes[i]).kind is Kind.PLAYER

    def _off_again(self, t, price):
        """What may be taken off an exiled card: nothing, or up to once what each copy takes off, each for so many cards."""
        each = total = 0
        for copies, card in zip(t.held, self.cards, strict=True):
            discount = card.special.buying.discount
            if discount and discount.when == "repurchase":
                each += discount.less * copies
                total += discount.less * discount.cards * copies
        return range(min(each, total - t.again, price) + 1)

    def _bought(self, t, i, card):
        """After a purchase of a myriad card two further ones of its level come for nothing."""
        return self._myriad(t, card, 2) if card.myriad else t

    def _myriad(self, t, card, number):
        counts = t.myriad
        for i, other in enumerate(self.cards):
            if other.title == card.title and other.level == card.level and self.allowed[i]:
                counts = self._plus(counts, i, number)
        return t._replace(myriad=counts)

    def _upgrades(self, t, i, card):
        if card.sheet or card.level is None:
            return
        for j, source in enumerate(self.cards):
            if not t.held[j] or source.title != card.title or source.sheet or source.level is None:
                continue
            higher = source.level < card.level or (
                source.level == card.level and card.exceptional and not source.exceptional
            )
            if not higher:
                continue
            price = max(1, card.cost_of_a_copy - source.cost_of_a_copy)
            off, left = self._off(t, source)
            held = self._plus(self._plus(t.held, j, -1), i, 1)
            short = t.short + (self.counts[j] and not self.counts[i])
            after = self._bought(t._replace(held=held, short=short, left=left), i, card)
            yield max(0, price - off), after
            if t.held[j] > 1 and self._second_free(t, source):
                yield from self._second(after, i, j, price, off)

    def _second_free(self, t, source):
        return any(
            n and source.subtitle.casefold() in card.special.buying.second_free
            for n, card in zip(t.held, self.cards, strict=True)
        )

    def _second(self, t, i, j, price, off):
        """A second copy of the same card upgraded, no cheaper than the first, for nothing."""
        for k, card in enumerate(self.cards):
            source = self.cards[j]
            if card.title != source.title or (card.level or 0) <= (source.level or 0) or not self.allowed[k]:
                continue
            if max(1, card.cost_of_a_copy - source.cost_of_a_copy) >= price:
                yield max(0, price - off), t._replace(held=self._plus(self._plus(t.held, j, -1), k, 1))

    def _off(self, t, card):
        off, left = 0, list(t.left)
        for n, discount in enumerate(self.discounts):
            if left[n] and (not discount.traits or not discount.traits.isdisjoint(card.traits)):
                left[n] -= 1
                off += discount.less
        return off, tuple(left)

    def _swaps(self, t):
        swaps = sum(card.special.buying.swaps * n for card, n in zip(self.cards, t.held, strict=True))
        if t.swaps >= swaps:
            return
        for i, card in enumerate(self.cards):
            if card.level != 0 or not self.counts[i] or not self.allowed[i] or (card.sheet and t.marked):
                continue
            if t.held[i] > self.goal[i]:
                continue
            for o, out in enumerate(self.cards):
                if o != i and t.held[o] and out.level == 0 and self.counts[o] and not (out.sheet and t.marked):
                    held = self._plus(self._plus(t.held, i, 1), o, -1)
                    yield 0, t._replace(held=held, swaps=t.swaps + 1)

    def _boxes_marked(self, t, dearer):
        if not self.sheet or t.marked >= self.boxes_after:
            if self.sheet:
                yield from self._further(t, dearer)
            return
        i = self.codes.index(self.sheet)
        card = self.cards[i]
        if not t.held[i]:
            for copies in range(1, self.goal[i] + 1):
                for boxes in range(1, self.boxes_after + 1):
                    again = min(t.exiled[i], copies) > 0
                    price = max(1, boxes + card.surcharge + (0 if again else dearer))
                    exiled = self._plus(t.exiled, i, -min(t.exiled[i], copies))
                    begun = t._replace(marked=boxes, exiled=exiled)
                    for after in self._several(begun, i, copies):
                        for off in self._off_again(t, price) if again else (0,):
                            yield price - off, after._replace(again=t.again + off)
            return
        boxes = self.boxes_after - t.marked
        off, left = self._off(t, card)
        after = t._replace(marked=self.boxes_after, left=left)
        yield max(0, boxes - off), after
        for with_copy in self._in(after, i):
            if with_copy.held[i] <= self.goal[i]:
                yield max(0, boxes - off), with_copy
        yield from self._further(t, dearer)

    def _further(self, t, dearer):
        """A copy at what the sheet says."""
        i = self.codes.index(self.sheet)
        if not t.held[i] or not t.marked or t.held[i] >= self.goal[i]:
            return
        again = t.exiled[i] > 0
        price = max(1, t.marked + self.cards[i].surcharge + (0 if again else dearer))
        bought = t._replace(exiled=self._plus(t.exiled, i, -1)) if again else t
        for off in self._off_again(t, price) if again else (0,):
            for after in self._in(bought._replace(again=t.again + off), i):
                yield price - off, after

    def _several(self, t, i, copies):
        if not copies:
            yield t
            return
        for after in self._in(t, i):
            yield from self._several(after, i, copies - 1)
