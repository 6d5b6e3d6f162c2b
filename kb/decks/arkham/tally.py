"""One pass over a deck: what its cards come to, before any check looks at it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kb.decks.arkham.entries import Denial, Entry, Kind
from kb.decks.arkham.experience import deck_experience
from kb.decks.arkham.facts import Facts
from kb.decks.arkham.frame import Frame
from kb.decks.arkham.model import Card, Deck
from kb.decks.arkham.profile import Profile, profile_of

Row = tuple[Entry, int]


@dataclass(slots=True)
class Tally:
    """What the checks read. Nobody changes it once `tally` has returned it.

    rows: cards with their copies. size: cards that count towards the deck size. crowded: titles with more than one card
    or too many copies. unusual: rows that are not plain. denied: rows by reason. demand: copies by the limited options
    that let them in. ignored: copies that count neither for size nor for limits, by code. strange: codes with a number
    of copies that makes no sense.
    """

    deck: Deck
    profile: Profile
    frame: Frame
    rows: list[Row] = field(default_factory=list)
    size: int = 0
    total: int = 0
    titles: dict[str, int] = field(default_factory=dict)
    crowded: set[str] = field(default_factory=set)
    unusual: list[Row] = field(default_factory=list)
    signatures: dict[str, int] = field(default_factory=dict)
    denied: dict[Denial, list[Row]] = field(default_factory=dict)
    unknown: list[Row] = field(default_factory=list)
    demand: dict[int, int] = field(default_factory=dict)
    ignored: dict[str, int] = field(default_factory=dict)
    strange: list[str] = field(default_factory=list)
    side: Tally | None = None

    @property
    def experience(self) -> dict[str, int]:
        """Experience of the deck (and the deck beside it) by card, level 0 left out."""
        spent = deck_experience(self.rows)
        if self.side is not None:
            for code, cost in deck_experience(self.side.rows).items():
                spent[code] = spent.get(code, 0) + cost
        return spent

    def of_kind(self, kind: Kind) -> list[Row]:
        """The rows of one kind (not the plain player cards)."""
        return [row for row in self.unusual if row[0].kind is kind]

    def cards(self) -> Iterator[tuple[Card, int]]:
        """All cards of the deck that are known, with their copies."""
        for entry, copies in self.rows:
            if entry.card is not None:
                yield entry.card, copies


def tally(deck: Deck, profile: Profile, frame: Frame) -> Tally:
    """Count a deck."""
    found = Tally(deck, profile, frame)
    _count(found)
    if profile.side is not None:
        found.side = Tally(Deck(deck.investigator, deck.extra), profile.side, frame)
        _count(found.side)
    return found


def tally_of(deck: Deck, facts: Facts, frame: Frame) -> Tally:
    """Count a deck with the rules of its investigator."""
    return tally(deck, profile_of(facts, deck), frame)


def _count(found: Tally) -> None:
    deck, profile = found.deck, found.profile
    entries, rows, titles = profile.entries, found.rows, found.titles
    size = total = 0
    for code, copies in deck.slots.items():
        if copies <= 0:
            if copies:
                found.strange.append(code)
            continue
        entry = entries.get(code) or profile.entry(code)
        if not entry.plain or code in deck.customizations or code in deck.ignored:
            total += copies
            size += _unusual(found, entry, copies)
            continue
        rows.append((entry, copies))
        total += copies
        if entry.counts:
            size += copies
        title = entry.title
        if title in titles:
            titles[title] += copies
            found.crowded.add(title)
        else:
            titles[title] = copies
            if copies > entry.limit:
                found.crowded.add(title)
    found.size, found.total = size, total


def _unusual(found: Tally, entry: Entry, copies: int) -> int:
    """Count a card that is not plain; returns how many copies count towards the deck size."""
    deck = found.deck
    card = entry.card
    if card is None:
        (found.unknown if entry.kind is Kind.UNKNOWN else found.denied.setdefault(entry.denial, [])).append((entry, copies))
        return 0
    if card.sheet and entry.code in deck.customizations:
        entry = found.profile.upgraded(entry.code, deck.customizations[entry.code])
    row = (entry, copies)
    found.rows.append(row)
    found.unusual.append(row)
    if entry.kind is Kind.SIGNATURE:
        found.signatures[card.root] = found.signatures.get(card.root, 0) + copies
        return 0
    if entry.kind is Kind.DENIED:
        found.denied.setdefault(entry.denial, []).append(row)
    if entry.kind in (Kind.BASIC, Kind.WEAKNESS):
        return 0
    ignored = min(deck.ignored.get(entry.code, 0), copies)
    if ignored > 0:
        found.ignored[entry.code] = ignored
        copies -= ignored
    if entry.mask:
        found.demand[entry.mask] = found.demand.get(entry.mask, 0) + copies
    if entry.title in found.titles or copies > entry.limit or card.special.subtitle_limit:
        found.crowded.add(entry.title)
    found.titles[entry.title] = found.titles.get(entry.title, 0) + copies
    return copies if entry.counts else 0
