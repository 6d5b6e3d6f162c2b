"""All ways in which what came of one title can have been purchased."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, combinations_with_replacement, islice, pairwise, product

from kb.games.arkham.decks.upgrade.chains import Chain, Way
from kb.games.arkham.decks.upgrade.changes import DECK
from kb.games.arkham.decks.upgrade.purchases import (
    Free,
    How,
    Purchase,
    Terms,
    is_upgrade,
    price_of_new,
    upgrade_price,
)
from kb.games.arkham.decks.upgrade.versions import Version

_MOST_TRIED = 4000
_MOST_COPIES = 4
_MYRIAD_COPIES = 3


@dataclass(frozen=True, slots=True)
class Template:
    """Where a copy comes from (an old copy of a version, or a new one) and the versions it passes."""

    new: bool
    path: tuple[int, ...]
    beside: bool = False


@dataclass(slots=True)
class Used:
    """What the chains of a way take: old copies and exiled ones by version."""

    old: Counter[int] = field(default_factory=Counter)
    again: Counter[int] = field(default_factory=Counter)
    beside: Counter[int] = field(default_factory=Counter)


class Title:
    """All ways of one title."""

    def __init__(self, versions: list[Version], pile: str, terms: Terms, helped: bool) -> None:
        self.versions = sorted(versions, key=lambda version: (version.card.level or 0, version.card.exceptional))
        self.pile, self.terms, self.helped = pile, terms, helped

    def ways(self) -> list[Way]:
        """Every way, each worth trying; empty when nothing came."""
        needed = [
            (place, version)
            for place, version in enumerate(self.versions)
            if version.change is not None and version.new > 0
        ]
        staying = [range(min(v.old, v.new), self._fewest(v) - 1, -1) for _, v in needed]
        if all(v.new <= v.old for _, v in needed) and not self._may_turn():
            leaving = self._leaving(Counter({place: v.new for place, v in needed}))
            unchanged = [Way((), leaving), *self._passing(Way((), leaving))]
            return unchanged if leaving or len(unchanged) > 1 else []
        found: dict[tuple[object, ...], Way] = {}
        for stays in product(*staying):
            counts = Counter({place: stay for (place, _), stay in zip(needed, stays, strict=True)})
            missing = Counter({place: v.new - stay for (place, v), stay in zip(needed, stays, strict=True)})
            for chosen in islice(self._chosen(missing), _MOST_TRIED):
                for plain in self._way(chosen, counts, missing):
                    for way in (plain, *self._passing(plain)):
                        found.setdefault(_worth(way), way)
        return sorted(found.values(), key=lambda way: (way.broken, _gross(way), len(way.chains)))

    def _passing(self, way: Way) -> Iterator[Way]:
        """The way with exiled level 0 cards that are purchased again, for less, only to be swapped out at once."""
        if not self.terms.swaps or not self.terms.on_exiled or self.pile != DECK:
            return
        chains = list(way.chains)
        for place, v in enumerate(self.versions):
            taken = sum(p.exiled and p.card.root == v.card.root for chain in chains for p in chain.purchases)
            if v.card.level == 0 and v.counts and v.purchasable and not v.card.researched:
                for _ in range(min(v.exiled - taken, self.terms.swaps)):
                    chains.append(Chain.of(self._new(place, Used())))
                    yield replace(way, chains=tuple(chains), leaving=way.leaving + len(chains) - len(way.chains))

    def _may_turn(self) -> bool:
        return any(v.beside for v in self.versions)

    def _fewest(self, version: Version) -> int:
        """The fewest copies that stay: one that stays might be upgraded and another purchased in its place."""
        most = min(version.old, version.new)
        turns = (self.terms.on_upgrades or self.terms.dearer or self.terms.second_free) and version.new <= _MOST_COPIES
        higher = any(v.new and is_upgrade(version.card, v.card) for v in self.versions)
        return 0 if turns and higher else most

    def _leaving(self, kept: Counter[int]) -> int:
        """Level 0 copies of the deck that leave it and could be swapped out."""
        if self.pile != DECK:
            return 0
        return sum(
            v.old - kept[place] for place, v in enumerate(self.versions) if v.change is not None and v.change.swappable
        )

    def _chosen(self, missing: Counter[int]) -> Iterator[tuple[Template, ...]]:
        """For the copies that came and are paid, the templates they are made by."""
        groups = []
        for places in self._paid_together(missing):
            number = sum(missing[place] for place in places)
            paid = -(-number // _MYRIAD_COPIES) if self.versions[places[0]].card.myriad else number
            templates = [made for place in places for made in self._templates(place, paid <= _MOST_COPIES)]
            groups.append(list(islice(combinations_with_replacement(templates, paid), _MOST_TRIED)))
        for combined in product(*groups):
            yield tuple(template for group in combined for template in group)

    def _paid_together(self, missing: Counter[int]) -> list[list[int]]:
        """The versions that came, those together of which one copy is paid for all: myriad ones of the same level."""
        found: dict[tuple[int, int | None], list[int]] = {}
        for place, number in missing.items():
            card = self.versions[place].card
            if number:
                found.setdefault((-1 if card.myriad else place, card.level), []).append(place)
        return list(found.values())

    def _templates(self, target: int, detours: bool) -> list[Template]:
        """How one copy of a version can be made; straight ways only where nothing helps."""
        top = self.versions[target]
        found: list[Template] = []
        lower = [place for place, v in enumerate(self.versions) if is_upgrade(v.card, top.card)]
        for place in lower:
            v = self.versions[place]
            for path in self._paths(place, target, lower, detours):
                if v.beside:
                    found.append(Template(False, path, beside=True))
                if v.old:
                    found.append(Template(False, path))
                if v.purchasable and not v.card.researched and detours and (self.helped or top.card.researched):
                    found.append(Template(True, path))
        found.append(Template(True, (target,)))
        return found

    def _paths(self, origin: int, target: int, lower: list[int], detours: bool) -> Iterator[tuple[int, ...]]:
        yield (origin, target)
        if not detours or not self.terms.on_upgrades:
            return
        between = [place for place in lower if is_upgrade(self.versions[origin].card, self.versions[place].card)]
        for number in range(1, len(between) + 1):
            for chosen in combinations(between, number):
                path = (origin, *chosen, target)
                cards = [self.versions[place].card for place in path]
                if all(is_upgrade(a, b) for a, b in pairwise(cards)):
                    yield path

    def _way(self, chosen: tuple[Template, ...], stays: Counter[int], missing: Counter[int]) -> Iterator[Way]:
        """The way of these templates, if there are copies enough; twice for what may have been swapped in."""
        ends = Counter(template.path[-1] for template in chosen)
        if any(ends[place] > number for place, number in missing.items()):
            return
        used = Used()
        chains: list[Chain] = []
        for template in chosen:
            chain = self._chain(template, used)
            chains.append(chain)
        kept = stays + used.old
        if any(kept[place] > v.old for place, v in enumerate(self.versions)):
            return
        beside = sum(v.beside for v in self.versions)
        if any(used.beside[place] > v.beside for place, v in enumerate(self.versions)):
            return
        broken = beside - sum(used.beside.values())
        broken += sum(c.purchases[0].card.researched and not c.purchases[0].upgrades for c in chains)
        chains = self._second_free(chains)
        all_chains = (*chains, *self._further(missing - ends, ends))
        leaving = self._leaving(kept)
        yield Way(tuple(all_chains), leaving, broken=broken)
        singles = [self.versions[t.path[-1]].card for t in chosen]
        if self.terms.swaps and self.pile == DECK and len(all_chains) > len(chains):
            swappable = all(card.level == 0 and not card.permanent for card in singles)
            if swappable and all(len(chain.purchases) == 1 for chain in all_chains):
                yield Way(tuple(Chain.of(c.purchases[0]) for c in all_chains), leaving, swapped=True, broken=broken)

    def _chain(self, template: Template, used: Used) -> Chain:
        purchases: list[Purchase] = []
        first, *rest = template.path
        if template.new:
            purchases.append(self._new(first, used))
        elif template.beside:
            used.beside[first] += 1
        else:
            used.old[first] += 1
        source = self.versions[first].card
        for number, place in enumerate(rest):
            version = self.versions[place]
            card, beside = version.card, template.beside and number == 0
            price = price_of_new(card, 0) if beside else upgrade_price(source, card)
            purchases.append(
                Purchase(self.pile, card, How.UPGRADE, price, source, beside, version.counts, level=card.level or 0)
            )
            source = card
        return Chain.of(*purchases)

    def _new(self, place: int, used: Used) -> Purchase:
        """A copy purchased: again after exile as long as exiled copies are left, else as a new card."""
        v = self.versions[place]
        again = used.again[place] < v.exiled
        used.again[place] += 1
        price = price_of_new(v.card, 0 if again else self.terms.dearer)
        how = How.AGAIN if again else How.NEW
        return Purchase(self.pile, v.card, how, price, counts=v.counts, exiled=again, level=v.card.level or 0)

    def _second_free(self, chains: list[Chain]) -> list[Chain]:
        """Of two upgrades of the same card the dearer is free where a card says so."""
        if not self.terms.second_free:
            return chains
        found: dict[str, list[tuple[int, int]]] = {}
        for number, chain in enumerate(chains):
            for place, purchase in enumerate(chain.purchases):
                source = purchase.source
                if source and not purchase.beside and source.subtitle.casefold() in self.terms.second_free:
                    found.setdefault(source.root, []).append((number, place))
        result = list(chains)
        for links in found.values():
            links.sort(key=lambda link: chains[link[0]].purchases[link[1]].price)
            for number, place in links[len(links) - len(links) // 2 :]:
                result[number] = result[number].given(Free.SECOND, place)
        return result

    def _further(self, further: Counter[int], paid: Counter[int]) -> Iterator[Chain]:
        """Copies of myriad cards that come with the one that is paid ("Myriad")."""
        for place, number in further.items():
            used = Used(again=Counter({place: paid[place]}))
            for _ in range(number):
                yield Chain.of(self._new(place, used)).given(Free.MYRIAD, 0)


def _gross(way: Way) -> int:
    return sum(
        purchase.price
        for chain in way.chains
        for purchase, free in zip(chain.purchases, chain.free, strict=True)
        if free is Free.NO
    )


def _worth(way: Way) -> tuple[object, ...]:
    """What tells ways apart; of those that are alike in it the first will do."""
    parts = sorted(
        tuple(
            (p.price, p.how.value, free.value, p.card.root, p.level == 0 and p.counts, p.makes_room)
            for p, free in zip(chain.purchases, chain.free, strict=True)
        )
        for chain in way.chains
    )
    return (tuple(parts), way.leaving, way.swapped, way.broken)
