"""One pass over a deck: what its cards come to, before any check looks at it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kb.games.arkham.decks.frame import CAMPAIGN, Frame
from kb.games.arkham.decks.model import Card, Deck
from kb.games.arkham.decks.profile import Profile
from kb.games.arkham.decks.status import Denial, Kind, Status
from kb.games.arkham.schema.special import NOT_SPECIAL


def deck_experience(rows: Iterable[tuple[Status, int]]) -> dict[str, int]:
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


Row = tuple[Status, int]


@dataclass(frozen=True, slots=True)
class Crowd:
    """A title of which the deck has more copies than it may: its cards with their copies, and the limit."""

    title: str
    rows: tuple[tuple[Card, int], ...]
    copies: int
    limit: int


class Tally(NamedTuple):
    """What the checks read and none of them changes (a tuple: a frozen dataclass of as many fields takes longer to make).

    rows: cards with their copies. size: cards that count towards the deck size, total: all of them. crowds: titles with
    too many copies. unusual: rows that are not plain; among them basics, weaknesses, granted (scenario cards), researched,
    special (cards that change what a deck may hold), denied (by reason) and unknown (codes that no card has). signatures:
    copies by first printing; irregular: whether they differ from the original set. demand: copies by the limited options
    that let them in. ignored: copies that count neither for size nor for limits, by code. strange: codes with a number of
    copies that makes no sense. experience: what each card costs (with the extra deck), spent: all of it. extra: the same
    of the extra deck.
    """

    deck: Deck
    profile: Profile
    frame: Frame
    rows: Sequence[Row]
    size: int
    total: int
    crowds: Sequence[Crowd]
    unusual: Sequence[Row]
    basics: Sequence[Row]
    weaknesses: Sequence[Row]
    granted: Sequence[Row]
    researched: Sequence[Row]
    special: Sequence[Row]
    signatures: Mapping[str, int]
    irregular: bool
    denied: Mapping[Denial, Sequence[Row]]
    unknown: Sequence[Row]
    demand: Mapping[int, int]
    ignored: Mapping[str, int]
    strange: Sequence[str]
    experience: Mapping[str, int]
    spent: int
    extra: Tally | None

    @property
    def framed(self) -> bool:
        """Whether the frame asks for more than the rules that always hold."""
        return self.frame is not CAMPAIGN and self.frame != CAMPAIGN

    def of_kind(self, kind: Kind) -> list[Row]:
        """The rows of one kind (not the plain player cards)."""
        return [row for row in self.unusual if row[0].kind is kind]

    def cards(self) -> Iterator[tuple[Card, int]]:
        """All cards of the deck that are known, with their copies."""
        return self.cards_of(self.rows)

    def special_cards(self) -> Iterator[tuple[Card, int]]:
        """The cards that change what a deck may hold, with their copies."""
        return self.cards_of(self.special)

    @staticmethod
    def cards_of(rows: Iterable[Row]) -> Iterator[tuple[Card, int]]:
        """The known cards of rows, with their copies."""
        for status, copies in rows:
            if status.card is not None:
                yield status.card, copies


def tally(deck: Deck, profile: Profile, frame: Frame) -> Tally:
    """Count a deck, and its extra deck with it."""
    extra = None
    if profile.build is not None and profile.extra is not None:
        extra = _tally(Deck(deck.investigator, deck.extra), profile.extra, frame, None)
    return _tally(deck, profile, frame, extra)


def _tally(deck: Deck, profile: Profile, frame: Frame, extra: Tally | None) -> Tally:
    found = _Count(deck, profile)
    if profile.build is not None:
        found.all()
    experience = deck_experience(found.rows)
    if extra is not None:
        for code, cost in extra.experience.items():
            experience[code] = experience.get(code, 0) + cost
    return Tally(
        deck,
        profile,
        frame,
        found.rows,
        found.size,
        found.total,
        found.crowds,
        found.unusual,
        found.basics,
        found.weaknesses,
        found.granted,
        found.researched,
        found.special,
        found.signatures,
        profile.build is not None and found.signatures != profile.expected,
        found.denied,
        found.unknown,
        found.demand,
        found.ignored,
        found.strange,
        experience,
        sum(experience.values()),
        extra,
    )


class _Count:
    """The count of one deck while it is under way; its parts are those of `Tally`."""

    def __init__(self, deck: Deck, profile: Profile) -> None:
        self.deck = deck
        self.profile = profile
        self.size = self.total = 0
        self.rows: list[Row] = []
        self.crowds: list[Crowd] = []
        self.unusual: list[Row] = []
        self.basics: list[Row] = []
        self.weaknesses: list[Row] = []
        self.granted: list[Row] = []
        self.researched: list[Row] = []
        self.special: list[Row] = []
        self.signatures: dict[str, int] = {}
        self.denied: dict[Denial, list[Row]] = {}
        self.unknown: list[Row] = []
        self.demand: dict[int, int] = {}
        self.ignored: dict[str, int] = {}
        self.strange: list[str] = []

    def all(self) -> None:
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
        kind = status.kind
        if kind is Kind.SIGNATURE:
            self.signatures[card.root] = self.signatures.get(card.root, 0) + copies
        elif kind is Kind.BASIC:
            self.basics.append(row)
        elif kind is Kind.WEAKNESS:
            self.weaknesses.append(row)
        elif kind is Kind.DENIED:
            self.denied.setdefault(status.denial, []).append(row)
        if card.story and not card.reward and kind is not Kind.DENIED:
            self.granted.append(row)
        if card.special is not NOT_SPECIAL:
            self.special.append(row)
        if card.researched and kind is Kind.PLAYER:
            self.researched.append(row)
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
        by_title: dict[str, list[tuple[Card, int]]] = {title: [] for title in sorted(crowded)}
        limits: dict[str, int] = {}
        ignored = self.ignored
        for status, copies in self.rows:
            title = status.title
            if title in crowded and status.card is not None:
                counting = copies - ignored.get(status.code, 0)
                if counting > 0:
                    by_title[title].append((status.card, counting))
                    limits[title] = min(status.limit, limits.get(title, status.limit))
        crowds = []
        for title, rows in by_title.items():
            copies = sum([number for _, number in rows])
            if rows and copies > limits[title]:
                crowds.append(Crowd(title, tuple(rows), copies, limits[title]))
        return crowds
