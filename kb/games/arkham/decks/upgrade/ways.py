"""The ways in which what came between two decks can have been purchased: chains that begin with a copy and end in the deck.

Cards are purchased one at a time, and a card just purchased may be upgraded (ruling 1.37). So a copy in the deck after the
step is one that stayed, or the end of a chain: a copy of the deck before, or one purchased anew, upgraded once or more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations, combinations_with_replacement, islice, pairwise, product

from kb.games.arkham.decks.model import Card, Mark
from kb.games.arkham.decks.status import Kind, Status
from kb.games.arkham.decks.upgrade.changes import DECK, Change, Changes, Sheet
from kb.games.arkham.decks.upgrade.purchases import (
    MINIMUM,
    Free,
    How,
    Purchase,
    Terms,
    is_upgrade,
    price_of_new,
    upgrade_price,
)


@dataclass(frozen=True, slots=True)
class Chain:
    """Purchases that make one copy, in their order, and why each of them is free (Free.NO: it is not)."""

    purchases: tuple[Purchase, ...]
    free: tuple[Free, ...]

    @staticmethod
    def of(*purchases: Purchase) -> Chain:
        """A chain that is paid."""
        return Chain(purchases, (Free.NO,) * len(purchases))

    def given(self, why: Free, place: int) -> Chain:
        """The chain with the purchase at a place for nothing."""
        return Chain(self.purchases, (*self.free[:place], why, *self.free[place + 1 :]))


@dataclass(frozen=True, slots=True)
class Way:
    """One way for one title: its chains. leaving: level 0 copies that leave and may be swapped out. swapped: the copies can
    only have been swapped in. broken: rules that it breaks (a researched card purchased new, a lower version that stays
    uncounted although no higher one was purchased)."""

    chains: tuple[Chain, ...]
    leaving: int = 0
    swapped: bool = False
    broken: int = 0


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a title: copies that could stay or be upgraded, copies in the deck after, exiled copies."""

    card: Card
    change: Change | None
    counts: bool
    old: int = 0
    new: int = 0
    exiled: int = 0
    beside: int = 0
    purchasable: bool = True


def version_of(change: Change) -> Version:
    """What a change tells of the version whose copies it counts."""
    card = change.card
    assert card is not None
    return Version(
        card=card,
        change=change,
        counts=change.status.counts,
        old=change.left - change.forced,
        new=max(0, change.after - change.granted),
        exiled=change.exiled,
        beside=change.beside,
    )


def others(changes: Changes, rows: list[Change]) -> Iterator[Version]:
    """The versions that are in neither deck but may be purchased and upgraded on the way."""
    card = rows[0].card
    assert card is not None
    profile = changes.now if rows[0].pile == DECK else changes.now.extra or changes.now
    here = {change.card.root for change in rows if change.card}
    masks = {change.status.mask for change in rows if change.after}
    for other in changes.facts.named(card.name):
        if other.code != other.root or other.root in here or other.level is None or other.sheet:
            continue
        status = profile.status(other.code)
        lasting = status.card is not None and not status.card.permanent and not status.card.special.at_creation
        # a card that takes a limited slot passes only through the slot that the card after it takes
        if status.kind is Kind.PLAYER and lasting and status.card and (not status.mask or status.mask in masks):
            yield Version(status.card, None, status.counts, purchasable=not status.card.researched)


def sheet_ways(changes: Changes, sheet: Sheet, change: Change, terms: Terms, helped: bool) -> Iterator[Way]:
    """The ways of one sheet.

    Boxes on the sheet of a card that is in the deck are one upgrade. New copies cost what their upgrades take, all
    together; or fewer boxes, or none, are purchased with them, and the rest is marked afterwards as an upgrade. A further
    copy costs what the sheet indicates, or nothing when a box is marked (Rules Reference, "Customizable"; FAQ).
    """
    marking = _boxes(sheet, change, sheet.more, sheet.left or sheet.come)
    leaving = change.gone - change.forced if change.swappable else 0
    if sheet.left:
        boxes = (marking,) if sheet.more else ()
        for out in range(_swapped_out(sheet, change, terms) + 1):
            come = sheet.come + out
            for given in range(min(come, sheet.more), -1, -1):
                yield Way((*boxes, *_further(sheet, change, terms, come, given)), leaving + out)
        if not sheet.come and not sheet.more and leaving:
            yield Way((), leaving)
        return
    if not sheet.come:
        return
    blanks = _blank_copies(changes, sheet, change, terms)
    if not sheet.spent:
        yield Way(tuple(blanks), leaving)
        return
    for boxes_first in range(sheet.spent, 0, -1) if helped else (sheet.spent,):
        if boxes_first == sheet.spent or _allowed(changes, sheet, boxes_first):
            first = _bundle(sheet, change, terms, boxes_first)
            rest = sheet.spent - boxes_first
            yield Way(
                (Chain.of(first, *_boxes(sheet, change, rest, sheet.come).purchases) if rest else Chain.of(first),)
            )
    if helped and _allowed(changes, sheet, 0):
        for given in range(min(sheet.come - 1, sheet.spent), -1, -1):
            paid = len(blanks) - given
            first_chain = Chain.of(*blanks[0].purchases, *marking.purchases)
            free = [_given(chain) for chain in blanks[paid:]]
            yield Way((first_chain, *blanks[1:paid], *free), leaving)


def _swapped_out(sheet: Sheet, change: Change, terms: Terms) -> int:
    """How many copies that stay may have been swapped out first, to come back with boxes that are marked: not the last."""
    if not sheet.more or not change.swappable:
        return 0
    return max(0, min(change.kept - 1, sheet.more, terms.swaps))


def _further(sheet: Sheet, change: Change, terms: Terms, come: int, given: int) -> Iterator[Chain]:
    """Copies beside those in the deck: `given` come with boxes that are marked, the others cost what the sheet says."""
    before = sum(sheet.before.values())
    exiled = min(come, sheet.exiled)
    for copy in range(come):
        again = copy < exiled
        if copy >= come - given:
            yield _given(Chain.of(_copy(sheet, change, 0, again)))
        elif before:
            price = max(MINIMUM, before + sheet.card.surcharge + (0 if again else terms.dearer))
            yield Chain.of(_copy(sheet, change, price, again))
        else:
            yield Chain.of(_blank(sheet, change, terms, again))


def _given(chain: Chain) -> Chain:
    return Chain.of(chain.purchases[0]).given(Free.BOXES, 0)


def _copy(sheet: Sheet, change: Change, price: int, again: bool) -> Purchase:
    level = sheet.card.level or 0
    return Purchase(sheet.pile, sheet.card, How.COPY, price, counts=change.status.counts, exiled=again, level=level)


def _blank(sheet: Sheet, change: Change, terms: Terms, again: bool) -> Purchase:
    price = price_of_new(sheet.card, 0 if again else terms.dearer)
    how = How.AGAIN if again else How.NEW
    return Purchase(sheet.pile, sheet.card, how, price, counts=change.status.counts, exiled=again)


def _blank_copies(changes: Changes, sheet: Sheet, change: Change, terms: Terms) -> list[Chain]:
    exiled = min(sheet.come, sheet.exiled)
    return [Chain.of(_blank(sheet, change, terms, copy < exiled)) for copy in range(sheet.come)]


def _boxes(sheet: Sheet, change: Change, boxes: int, copies: int) -> Chain:
    """Boxes marked on the sheet of a card in the deck."""
    counts, level = change.status.counts, sheet.card.level or 0
    return Chain.of(Purchase(sheet.pile, sheet.card, How.BOXES, boxes, counts=counts, copies=copies, level=level))


def _bundle(sheet: Sheet, change: Change, terms: Terms, boxes: int) -> Purchase:
    """All new copies with some of the boxes marked."""
    exiled = min(sheet.come, sheet.exiled) > 0
    price = max(MINIMUM, boxes + sheet.card.surcharge + (0 if exiled else terms.dearer))
    level = (min(boxes, sum(box.level_boxes for box in sheet.card.sheet)) + 1) // 2
    counts = change.status.counts
    return Purchase(
        sheet.pile, sheet.card, How.SHEET, price, counts=counts, copies=sheet.come, exiled=exiled, level=level
    )


def _allowed(changes: Changes, sheet: Sheet, boxes: int) -> bool:
    """Whether the deck may hold the card with only so many of its boxes marked."""
    profile = changes.now if sheet.pile == DECK else changes.now.extra or changes.now
    final = profile.upgraded(sheet.card.code, _marks(sheet.after, sum(sheet.after.values())))
    status: Status = profile.upgraded(sheet.card.code, _marks(sheet.after, boxes))
    return status.kind is Kind.PLAYER and (not status.mask or status.mask == final.mask)


def _marks(after: Mapping[int, int], boxes: int) -> tuple[Mark, ...]:
    """The first boxes of a sheet, in its order."""
    marks: list[Mark] = []
    for index, spent in sorted(after.items()):
        take = min(boxes, spent)
        if take:
            marks.append(Mark(index, take))
            boxes -= take
    return tuple(marks)


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


def ways(changes: Changes, terms: Terms) -> list[list[Way]]:
    """For each title and each upgrade sheet, the ways to purchase what came of it, the plainest first."""
    found: list[list[Way]] = []
    titles: dict[tuple[str, str], list[Change]] = {}
    sheets = {(sheet.pile, sheet.card.root): sheet for sheet in changes.sheets}
    helped = _helped(changes, terms)
    for change in changes.cards:
        card = change.card
        if card is None or not change.purchasable:
            continue
        sheet = sheets.get((change.pile, card.root))
        if sheet is None:
            titles.setdefault((change.pile, card.title), []).append(change)
        elif options := list(sheet_ways(changes, sheet, change, terms, helped)):
            found.append(options)
    for rows in titles.values():
        versions = [version_of(change) for change in rows]
        if helped or any(version.card.researched and version.new > version.old for version in versions):
            versions += others(changes, rows)
        if options := Title(versions, rows[0].pile, terms, helped).ways():
            found.append(options)
    return found


def _helped(changes: Changes, terms: Terms) -> bool:
    """Whether anything can make a detour (a lower version first) cheaper than the straight way."""
    room = any(change.come > 0 and change.card and change.card.permanent for change in changes.cards)
    return bool(
        room or terms.on_upgrades or terms.dearer or terms.swaps or terms.second_free or any(changes.holes.values())
    )
