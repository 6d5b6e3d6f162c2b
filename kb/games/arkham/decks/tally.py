"""One pass over a deck: what its cards come to, before any check looks at it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from kb.decks.report import Problem
from kb.games.arkham.decks.frame import CAMPAIGN, Frame
from kb.games.arkham.decks.model import Card, Deck
from kb.games.arkham.decks.profile import Profile, profile_of
from kb.games.arkham.decks.status import Denial, Kind, Status
from kb.games.arkham.schema.special import NOT_SPECIAL
from kb.plural import counted

Row = tuple[Status, int]
C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class Crowd:
    """A title of which the deck has more copies than it may: its cards with their copies, and the limit."""

    title: str
    rows: tuple[tuple[Card, int], ...]
    copies: int
    limit: int


@dataclass(slots=True)
class Tally:
    """What the checks read of a deck.

    rows: cards with their copies. size: cards that count towards the deck size, total: all of them. crowds: titles with
    too many copies. unusual: rows that are not plain; among them special (cards that change what a deck may hold), denied (by
    reason) and unknown (codes that no card has). signatures: copies by first printing. demand: copies by the limited options
    that let them in. ignored: copies that count neither for size nor for limits, by code. strange: codes with a number of
    copies that makes no sense. experience: what each card costs (with the extra deck), spent: all of it. extra: the same
    of the extra deck.
    """

    deck: Deck
    profile: Profile
    frame: Frame
    rows: list[Row] = field(default_factory=list)
    size: int = 0
    total: int = 0
    crowds: Sequence[Crowd] = ()
    unusual: list[Row] = field(default_factory=list)
    special: list[tuple[Card, int]] = field(default_factory=list)
    signatures: dict[str, int] = field(default_factory=dict)
    denied: dict[Denial, list[Row]] = field(default_factory=dict)
    unknown: list[Row] = field(default_factory=list)
    demand: dict[int, int] = field(default_factory=dict)
    ignored: dict[str, int] = field(default_factory=dict)
    strange: list[str] = field(default_factory=list)
    experience: dict[str, int] = field(default_factory=dict)
    spent: int = 0
    extra: Tally | None = None

    @property
    def framed(self) -> bool:
        """Whether the frame asks for more than the rules that always hold."""
        return self.frame is not CAMPAIGN and self.frame != CAMPAIGN

    @property
    def irregular(self) -> bool:
        """Whether the signature cards are others than the original set."""
        return self.profile.build is not None and self.signatures != self.profile.expected

    def of_kind(self, kind: Kind) -> list[tuple[Card, int]]:
        """The cards of one kind (not the plain player cards) with their copies."""
        return [(status.card, copies) for status, copies in self.unusual if status.kind is kind and status.card]

    @property
    def basics(self) -> list[tuple[Card, int]]:
        """The basic weaknesses with their copies."""
        return self.of_kind(Kind.BASIC)

    @property
    def granted(self) -> list[Row]:
        """The story cards that a scenario must have given."""
        return [
            row
            for row in self.unusual
            if (card := row[0].card) and card.story and not card.reward and row[0].kind is not Kind.DENIED
        ]

    def refused(self, denial: Denial) -> list[tuple[Card, int]]:
        """The cards that are not allowed for one reason, with their copies."""
        return [(status.card, copies) for status, copies in self.denied.get(denial, ()) if status.card]

    def cards(self) -> Iterator[tuple[Card, int]]:
        """All cards of the deck that are known, with their copies."""
        for status, copies in self.rows:
            if status.card is not None:
                yield status.card, copies

    def without(self, fix: str, rows: Iterable[Row | tuple[Card, int]]) -> str:
        """A fix that takes copies of cards out, with what the deck size asks for then, if it was right until now."""
        left = dict(self.deck.cards)
        for each, copies in rows:
            left[each.code] = max(0, left.get(each.code, 0) - copies)
        deck = replace(self.deck, cards=left)
        after = tally(deck, profile_of(self.profile.facts, deck), self.frame)
        over = max(0, self.size - self.profile.size)
        lacking = max(0, self.profile.size - self.size)
        more = after.profile.size - after.size
        if more > lacking:
            return f"{fix} Put {counted(more - lacking, 'other card')} in."
        return f"{fix} Take {counted(-more - over, 'other card')} out too." if -more > over else fix

    def _count(self) -> None:
        """Count every card of the deck."""
        deck, profile = self.deck, self.profile
        statuses, rows, customizations, ignored = profile.statuses, self.rows, deck.customizations, deck.ignored
        titles: set[str] = set()
        crowded: set[str] = set()
        size = total = 0
        for code, copies in deck.cards.items():
            if copies <= 0:
                if copies:
                    self.strange.append(code)
                continue
            total += copies
            status = statuses.get(code) or profile.status(code)
            if status.plain and code not in customizations and code not in ignored:
                rows.append((status, copies))
                if status.counts:
                    size += copies
            else:
                status, copies, counting = self._add_unusual(status, copies)
                size += counting
            title = status.title
            if title:
                if title in titles or copies > status.limit:
                    crowded.add(title)
                titles.add(title)
        self.size, self.total = size, total
        if crowded:
            self.crowds = self._crowded(crowded)

    def _add_unusual(self, status: Status, copies: int) -> tuple[Status, int, int]:
        """Note a card that is not plain.

        Returns its status (with its upgrades), the copies that count for limits and those that count towards the deck size.
        """
        deck, code, card = self.deck, status.code, status.card
        if card is None:
            rows = self.unknown if status.kind is Kind.UNKNOWN else self.denied.setdefault(status.denial, [])
            rows.append((status, copies))
            return status, 0, 0
        if card.sheet and code in deck.customizations:
            status = self.profile.upgraded(code, deck.customizations[code])
        row = (status, copies)
        self.rows.append(row)
        self.unusual.append(row)
        if status.kind is Kind.SIGNATURE:
            self.signatures[card.root] = self.signatures.get(card.root, 0) + copies
        elif status.kind is Kind.DENIED:
            self.denied.setdefault(status.denial, []).append(row)
        if card.special is not NOT_SPECIAL:
            self.special.append((card, copies))
        if not status.title:
            return status, 0, 0
        ignored = min(deck.ignored.get(code, 0), copies)
        if ignored > 0:
            self.ignored[code] = ignored
            copies -= ignored
        if status.mask:
            self.demand[status.mask] = self.demand.get(status.mask, 0) + copies
        return status, copies, copies if status.counts else 0

    def _crowded(self, crowded: set[str]) -> list[Crowd]:
        """The titles with too many copies. The smallest limit among the cards of a title holds for all of them."""
        by_title: dict[str, list[tuple[Card, int, int]]] = {title: [] for title in sorted(crowded)}
        for status, copies in self.rows:
            counting = copies - self.ignored.get(status.code, 0)
            if status.title in crowded and status.card is not None and counting > 0:
                by_title[status.title].append((status.card, counting, status.limit))
        crowds = []
        for title, rows in by_title.items():
            copies, limit = sum(row[1] for row in rows), min((row[2] for row in rows), default=0)
            if copies > limit:
                crowds.append(Crowd(title, tuple(row[:2] for row in rows), copies, limit))
        return crowds


def tally(deck: Deck, profile: Profile, frame: Frame) -> Tally:
    """Count a deck, and its extra deck with it."""
    found = Tally(deck, profile, frame)
    if profile.build is None:
        return found
    found._count()
    found.experience = deck_experience(found.rows)
    if profile.extra is not None:
        found.extra = tally(Deck(deck.investigator, deck.extra), profile.extra, frame)
        for code, cost in found.extra.experience.items():
            found.experience[code] = found.experience.get(code, 0) + cost
    found.spent = sum(found.experience.values())
    return found


def deck_experience(rows: Iterable[Row]) -> dict[str, int]:
    """Experience by card (code, 0 left out). Copies of a myriad card after the first are free (ruling 1.20)."""
    spent: dict[str, int] = {}
    myriad: set[tuple[str, int | None]] = set()
    sheets: set[str] = set()
    for status, copies in rows:
        card = status.card
        if card is None or not (status.cost or card.spent):
            continue
        cost = status.cost * copies
        if card.myriad:
            cost = 0 if (card.title, card.level) in myriad else status.cost
            myriad.add((card.title, card.level))
        if card.spent and card.root not in sheets:
            sheets.add(card.root)
            cost += card.spent
        if cost:
            spent[status.code] = spent.get(status.code, 0) + cost
    return spent


def labels(rows: Iterable[Row]) -> tuple[str, ...]:
    """Names of the cards of rows, with codes."""
    return tuple(status.label for status, _ in rows)


def with_copies(rows: Iterable[Row]) -> str:
    """`2 Machete [01020], 1 Beat Cop [01018]`."""
    return ", ".join(f"{copies} {status.label}" for status, copies in rows)


def excess(card: Card, copies: int, most: int, rule: str, fix: str = "") -> Problem:
    """More copies of a card than a rule allows: `3 copies of Machete [01020]; the products owned hold 2.`"""
    said = f"{counted(copies, 'copy')} of {card.label}; {rule} {most}."
    return Problem(said, fix or f"Take out {counted(copies - most, 'copy')}.", (card.label,), count=copies, limit=most)


def last(rows: Iterable[tuple[C, int]], copies: int) -> list[tuple[C, int]]:
    """The last rows, as many as hold so many copies: those that leave first."""
    found = []
    for each, number in reversed(list(rows)):
        found.append((each, min(number, copies)))
        copies -= found[-1][1]
    return found
