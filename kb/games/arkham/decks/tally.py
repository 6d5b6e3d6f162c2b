"""One pass over a deck: what its cards come to, before any check looks at it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kb.games.arkham.decks.experience import deck_experience
from kb.games.arkham.decks.frame import CAMPAIGN, Frame
from kb.games.arkham.decks.model import Card, Deck
from kb.games.arkham.decks.profile import Profile
from kb.games.arkham.decks.status import Denial, Kind, Status
from kb.games.arkham.schema.special import NOT_SPECIAL

Row = tuple[Status, int]


@dataclass(frozen=True, slots=True)
class Crowd:
    """A title of which the deck has more copies than it may: its cards with their copies, and the limit."""

    title: str
    rows: tuple[tuple[Card, int], ...]
    copies: int
    limit: int


@dataclass(slots=True, eq=False)  # frozen, each of its fields would cost a call, a tenth of a check
class Tally:
    """What the checks read and none of them changes.

    rows: cards with their copies. size: cards that count towards the deck size. crowds: titles with too many copies.
    unusual: rows that are not plain; among them basics, weaknesses, granted (scenario cards), researched, special (cards
    that change what a deck may hold), denied (by reason) and unknown (codes that no card has). signatures: copies by
    first printing; irregular: whether they differ from the original set. demand: copies by the limited options that let
    them in. ignored: copies that count neither for size nor for limits, by code. strange: codes with a number of copies
    that makes no sense. experience: what each card costs (with the extra deck), spent: all of it. extra: the same of the extra deck.
    """

    deck: Deck
    profile: Profile
    frame: Frame
    rows: list[Row] = field(default_factory=list)
    size: int = 0
    total: int = 0
    crowds: list[Crowd] = field(default_factory=list)
    unusual: list[Row] = field(default_factory=list)
    basics: list[Row] = field(default_factory=list)
    weaknesses: list[Row] = field(default_factory=list)
    granted: list[Row] = field(default_factory=list)
    researched: list[Row] = field(default_factory=list)
    special: list[Row] = field(default_factory=list)
    signatures: dict[str, int] = field(default_factory=dict)
    irregular: bool = False
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
    def cards_of(rows: list[Row]) -> Iterator[tuple[Card, int]]:
        """The known cards of rows, with their copies."""
        for status, copies in rows:
            if status.card is not None:
                yield status.card, copies


def tally(deck: Deck, profile: Profile, frame: Frame) -> Tally:
    """Count a deck."""
    found = Tally(deck, profile, frame)
    if profile.build is not None:
        _count(found)
        found.irregular = found.signatures != profile.expected
        if profile.extra is not None:
            found.extra = extra = Tally(Deck(deck.investigator, deck.extra), profile.extra, frame)
            _count(extra)
            extra.irregular = extra.signatures != profile.extra.expected
            extra.experience = deck_experience(extra.rows)
            extra.spent = sum(extra.experience.values())
    experience = found.experience = deck_experience(found.rows)
    if found.extra is not None:
        for code, cost in found.extra.experience.items():
            experience[code] = experience.get(code, 0) + cost
    found.spent = sum(experience.values())
    return found


def _count(found: Tally) -> None:
    deck, profile = found.deck, found.profile
    statuses, rows, customizations, ignored = profile.statuses, found.rows, deck.customizations, deck.ignored
    titles: set[str] = set()
    crowded: set[str] = set()
    size = total = 0
    for code, copies in deck.cards.items():
        if copies <= 0:
            if copies:
                found.strange.append(code)
            continue
        total += copies
        status = statuses.get(code) or profile.status(code)
        if status.plain and code not in customizations and code not in ignored:
            rows.append((status, copies))
            if status.counts:
                size += copies
        else:
            status, copies, counting = _unusual(found, status, copies)
            size += counting
        title = status.title
        if title:
            if title in titles or copies > status.limit:
                crowded.add(title)
            titles.add(title)
    found.size, found.total = size, total
    if crowded:
        found.crowds = _crowds(found, crowded)


def _unusual(found: Tally, status: Status, copies: int) -> tuple[Status, int, int]:
    """Note a card that is not plain.

    Returns its status (with its upgrades), the copies that count for limits and those that count towards the deck size.
    """
    deck, code, card = found.deck, status.code, status.card
    if card is None:
        rows = found.unknown if status.kind is Kind.UNKNOWN else found.denied.setdefault(status.denial, [])
        rows.append((status, copies))
        return status, 0, 0
    if card.sheet and code in deck.customizations:
        status = found.profile.upgraded(code, deck.customizations[code])
    row = (status, copies)
    found.rows.append(row)
    found.unusual.append(row)
    kind = status.kind
    if kind is Kind.SIGNATURE:
        found.signatures[card.root] = found.signatures.get(card.root, 0) + copies
    elif kind is Kind.BASIC:
        found.basics.append(row)
    elif kind is Kind.WEAKNESS:
        found.weaknesses.append(row)
    elif kind is Kind.DENIED:
        found.denied.setdefault(status.denial, []).append(row)
    if card.story and kind is not Kind.DENIED:
        found.granted.append(row)
    if card.special is not NOT_SPECIAL:
        found.special.append(row)
    if card.researched and kind is Kind.PLAYER:
        found.researched.append(row)
    if not status.title:
        return status, 0, 0
    ignored = min(deck.ignored.get(code, 0), copies)
    if ignored > 0:
        found.ignored[code] = ignored
        copies -= ignored
    if status.mask:
        found.demand[status.mask] = found.demand.get(status.mask, 0) + copies
    return status, copies, copies if status.counts else 0


def _crowds(found: Tally, crowded: set[str]) -> list[Crowd]:
    """The titles with too many copies. The smallest limit among the cards of a title holds for all of them."""
    by_title: dict[str, list[tuple[Card, int]]] = {title: [] for title in sorted(crowded)}
    limits: dict[str, int] = {}
    ignored = found.ignored
    for status, copies in found.rows:
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
