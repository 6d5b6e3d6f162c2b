"""Compares two decks: copies kept, removed and added, and boxes marked on upgrade sheets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from kb.frozen import NOTHING
from kb.games.arkham.decks.card import ArkhamCard, Customization
from kb.games.arkham.decks.deck import ArkhamDeck, Pile
from kb.games.arkham.decks.edition import GRIMOIRE
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.profile import Kind, Profile, Status, profile_of

DECK, EXTRA = "deck", "extra deck"
_MOST_COPIES = 30
_NEVER_PURCHASED = (
    Kind.SIGNATURE,
    Kind.BASIC,
    Kind.WEAKNESS,
    Kind.STORY,
    Kind.UNKNOWN,
    Kind.OF_NO_DECK,
    Kind.BONDED,
    Kind.OF_OTHERS,
)


@dataclass(slots=True)
class PileChange:
    """The change of one card, in all its printings, in one section of the deck.

    - `pile`: the section.
    - `card`: the card in the new deck, with the taboo list and marked boxes of that deck.
    - `status`, `was`: the card's status in the new deck, and in the old deck.
    - `before`, `after`: the copies in the old deck, and in the new deck.
    - `exiled`: copies of the old deck that were exiled.
    - `beside`: copies that stay, uncounted for the first time, next to a higher level version.
    - `granted`: uncounted copies that a campaign gave.
    - `forced`: copies that had to leave because the new deck may not contain them.
    - `marks`, `marks_before`: the boxes marked on the upgrade sheet, by upgrade, after the step and before it.
      `marks_before` is empty if no copy was left.
    """

    pile: str
    card: ArkhamCard
    status: Status
    was: Status
    before: int
    after: int
    exiled: int = 0
    beside: int = 0
    granted: int = 0
    forced: int = 0
    marks: Mapping[int, int] = NOTHING
    marks_before: Mapping[int, int] = NOTHING

    @property
    def before_label(self) -> str:
        """Return the card's label in the old deck, with the boxes marked then."""
        return self.was.label

    @property
    def swappable(self) -> bool:
        """Return True if copies of the card in the old deck may be swapped for other level 0 cards.

        Cards that may be swapped are purchasable cards of level 0 (with the boxes marked then) that are not permanent.
        """
        was = self.was.card or self.card
        return self.pile == DECK and self.purchasable and was.level == 0 and "permanent" not in was.keywords

    @property
    def left(self) -> int:
        """Return the copies that the old deck still has after exile."""
        return self.before - self.exiled

    @property
    def kept(self) -> int:
        """Return the copies of the old deck that are still in the new deck."""
        return min(self.left, self.after)

    @property
    def gone(self) -> int:
        """Return the copies that left the deck, without exiled copies."""
        return self.left - self.kept

    @property
    def stock(self) -> int:
        """Return the copies of the old deck that can stay or be upgraded."""
        return self.left - self.forced

    @property
    def goal(self) -> int:
        """Return the copies that the new deck has, without copies that a campaign gave."""
        return max(0, self.after - self.granted)

    @property
    def come(self) -> int:
        """Return the copies added to the deck, except uncounted copies that a campaign gave."""
        return self.after - self.kept - self.granted

    @property
    def purchasable(self) -> bool:
        """Return True if copies are added by purchase: the card has a level, and is no weakness, signature card or
        story card.
        """
        return self.card.level is not None and self.status.kind not in _NEVER_PURCHASED

    @property
    def sheet(self) -> bool:
        """Return True for a customizable card in the new deck that has marked boxes, or had some before."""
        return bool(self.card.sheet and self.after > 0 and (self.marks or self.marks_before))

    @property
    def more_boxes(self) -> int:
        """Return the number of boxes that are marked now but were not marked before."""
        return _beyond(self.marks, self.marks_before)

    @property
    def erased_boxes(self) -> int:
        """Return the number of boxes that were marked before but are not marked now."""
        return _beyond(self.marks_before, self.marks)


def _beyond(marks: Mapping[int, int], other: Mapping[int, int]) -> int:
    return sum(max(0, boxes - other.get(index, 0)) for index, boxes in marks.items())


@dataclass(slots=True)
class DeckChanges:
    """All changes between two decks, without unknown cards.

    - `was`, `now`: the profiles of the old deck and the new deck.
    - `cards`: the change of each card.
    - `holes`: for each section, the number of level 0 cards that may be added for free to reach the deck size.
    - `not_held`: codes of exiled cards of which the old deck had no copy left.
    """

    old: ArkhamDeck
    new: ArkhamDeck
    facts: ArkhamFacts
    was: Profile
    now: Profile
    cards: list[PileChange] = field(default_factory=list)
    holes: dict[str, int] = field(default_factory=dict)
    not_held: list[str] = field(default_factory=list)

    def purchases(self) -> Iterator[PileChange]:
        """Yield the changes that added copies by purchase."""
        return (change for change in self.cards if change.come > 0 and change.purchasable)

    def sheets(self) -> Iterator[PileChange]:
        """Yield the changes of customizable cards that have marked boxes, or had some before."""
        return (change for change in self.cards if change.sheet)

    def held(self) -> Iterator[tuple[ArkhamCard, int, int]]:
        """Yield each card of the main deck, with the copies left after exile and the copies in the new deck."""
        for change in self.cards:
            if change.pile == DECK:
                yield change.card, change.left, change.after


def changes_between(old: ArkhamDeck, new: ArkhamDeck, facts: ArkhamFacts) -> DeckChanges:
    """Compare two decks. Copies on the new deck's list of exiled cards have already left the old deck."""
    changes = DeckChanges(old, new, facts, profile_of(facts, old), profile_of(facts, new))
    exiled = Counter(map(facts.root, new.exiled))
    for pile, before, after in ((DECK, old.cards, new.cards), (EXTRA, old.extra, new.extra)):
        rows = list(_pile(changes, pile, before, after, exiled))
        _force_out(rows, new, facts)
        changes.cards += rows
        changes.holes[pile] = _holes(changes, pile)
    changes.not_held = list(exiled.elements())
    return changes


def _pile(changes: DeckChanges, pile: str, old: Pile, new: Pile, exiled: Counter[str]) -> Iterator[PileChange]:
    """Yield the changes of one section. `exiled` maps first printings to copies; copies of this section are subtracted
    from it.
    """
    facts, was, now = changes.facts, changes.was, changes.now
    newly_uncounted = _copies(changes.new.ignored, facts) - _copies(changes.old.ignored, facts)
    if pile == EXTRA:
        was, now, newly_uncounted = was.extra or was, now.extra or now, Counter()
    before, after = _copies(old, facts), _copies(new, facts)
    printed = {facts.root(code): code for code in (*old, *new)}
    for root in dict.fromkeys([*before, *after]):
        had, has = before[root], after[root]
        lost = min(had, exiled[root])
        exiled[root] -= lost
        marks_before, marks = _marks(changes.old, root, facts), _marks(changes.new, root, facts)
        status = _status(now, printed[root], marks)
        if status.card is None:
            continue
        uncounted = min(newly_uncounted[root], has)
        keeps = not now.keeps_lower.isdisjoint(status.card.traits)
        yield PileChange(
            pile=pile,
            card=status.card,
            status=status,
            was=_status(was, printed[root], marks_before),
            before=had,
            after=has,
            exiled=lost,
            beside=uncounted if keeps else 0,
            granted=0 if keeps else min(uncounted, max(0, has - had + lost)),
            marks=_spent(marks),
            marks_before=_spent(marks_before) if had > lost else NOTHING,
        )


def _marks(deck: ArkhamDeck, root: str, facts: ArkhamFacts) -> Customization:
    """Return the boxes that the deck marks on the sheet of a card, given the code of the card's first printing
    (`root`).
    """
    return next((marks for code, marks in deck.customizations.items() if facts.root(code) == root), ())


def _spent(marks: Customization) -> Mapping[int, int]:
    return {mark.index: mark.spent for mark in marks if mark.spent > 0}


def _status(profile: Profile, code: str, marks: Customization) -> Status:
    return profile.upgraded(code, marks) if marks else profile.status(code)


def _force_out(rows: list[PileChange], new: ArkhamDeck, facts: ArkhamFacts) -> None:
    """Set `forced` of each change: the copies that had to leave, because the new deck may not contain the card or
    that many copies of it.

    A card that was added may lower a limit, or may need the only copy of another card (branded spell). Upgraded
    copies do not reduce the number that must leave. Of the other copies, those with the lowest level leave first.
    Source: ruling 1.18.
    """
    alone = {
        named.title
        for code, chosen in new.attachments.items()
        if (card := facts.card(code)) and card.special.attach and card.special.attach.only_copy
        for each in chosen
        if (named := facts.card(each))
    }
    titles: dict[str, list[PileChange]] = {}
    for change in sorted(rows, key=lambda change: change.card.level or 0):
        if change.was.kind is Kind.PLAYER and change.gone and change.status.denied:
            change.forced = change.gone
        elif Kind.PLAYER in (change.was.kind, change.status.kind):
            titles.setdefault(change.card.title, []).append(change)
    for title, changes in titles.items():
        over = sum(each.gone for each in changes) - sum(each.come for each in changes)
        before = min((each.was.limit for each in changes if each.before), default=0)
        most = min((each.status.limit for each in changes if each.after), default=before)
        most = 1 if title in alone else most
        stay = sum(each.kept + each.come for each in changes) + over
        forced = min(over, stay - most) if most < before else 0
        for change in changes:
            change.forced = min(change.gone, max(0, forced))
            forced -= change.forced


def _holes(changes: DeckChanges, pile: str) -> int:
    """Return the number of level 0 cards that may be added for free, after exile, forced removals, and growth of the
    deck size.

    The result is never more than the number of missing cards. If cards were already missing before the step, they are
    replaced for free only under the Grimoire (9.002: "for any reason"). Source: rulings 1.18 and 1.37 (a card
    purchased in this step changes the deck size at once).
    """
    was, now = changes.was, changes.now
    if pile == EXTRA:
        if was.extra is None or now.extra is None:
            return 0
        was, now = was.extra, now.extra
    rows = [change for change in changes.cards if change.pile == pile and change.was.counts]
    lost = sum(change.exiled + change.forced for change in rows)
    uncounted = _copies(changes.old.ignored, changes.facts) if pile == DECK else Counter[str]()
    counted_before = sum(change.before - uncounted[change.card.root] for change in rows)
    missing = now.size - counted_before + lost
    return max(0, missing if changes.new.rules == GRIMOIRE else min(lost + now.size - was.size, missing))


def _copies(cards: Pile, facts: ArkhamFacts) -> Counter[str]:
    """Return copies by first printing. Negative numbers are ignored and high numbers are capped; checks of the deck
    report them.
    """
    counts: Counter[str] = Counter()
    for code, copies in cards.items():
        counts[facts.root(code)] += max(0, copies)
    return Counter({root: min(copies, _MOST_COPIES) for root, copies in counts.items() if copies})
