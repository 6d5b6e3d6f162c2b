"""Counts the cards of a deck in one pass, for all checks, and assigns cards to limited slots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from kb.decks.names import counted_names, either
from kb.decks.problems import Problem
from kb.decks.remedies import Exchange, Fill, Remedy, Remove, Steps
from kb.decks.ruleset import Ruleset
from kb.frozen import frozen
from kb.games.arkham.decks.agreement import Agreement
from kb.games.arkham.decks.card import ArkhamCard
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.profile import Kind, Profile, Status, profile_of
from kb.games.arkham.schema.options import CLASSES, NOT_SPECIAL, Wanted
from kb.plural import counted

Row = tuple[Status, int]
CardCopies = tuple[ArkhamCard, int]
C = TypeVar("C")


@frozen
class TitleGroup:
    """A title with more copies in the deck than the `limit`.

    `rows` lists the cards with this title, each with its number of copies. `copies` is the sum of these numbers.
    """

    title: str
    rows: tuple[tuple[ArkhamCard, int], ...]
    copies: int
    limit: int


@dataclass(slots=True)
class DeckCounts:
    """The cards of a deck, counted in the ways that the checks need.

    - `rows`: all cards with their copies, including unknown cards.
    - `size`: the number of cards that count toward the deck size. `total`: the number of all cards.
    - `over_limit`: titles with too many copies.
    - `special`: cards that change the rules of the deck, with their copies.
    - `signatures`: copies of the signature cards, by first printing.
    - `demand`: copies that need limited slots, by the bits of the limited options that allow them (see `Status.mask`).
    - `ignored`: copies, by code, that count toward neither the deck size nor the limits.
    - `strange`: codes with an impossible number of copies.
    - `experience`: the experience of each card, including the extra deck. `spent`: their sum.
    - `extra`: the counts of the extra deck; None if there is none.
    """

    deck: ArkhamDeck
    profile: Profile
    agreement: Agreement
    rows: list[Row] = field(default_factory=list)
    size: int = 0
    total: int = 0
    over_limit: list[TitleGroup] = field(default_factory=list)
    special: list[tuple[ArkhamCard, int]] = field(default_factory=list)
    signatures: Counter[str] = field(default_factory=Counter)
    demand: Counter[int] = field(default_factory=Counter)
    ignored: dict[str, int] = field(default_factory=dict)
    strange: list[str] = field(default_factory=list)
    experience: Counter[str] = field(default_factory=Counter)
    spent: int = 0
    extra: DeckCounts | None = None

    @property
    def facts(self) -> ArkhamFacts:
        """Return the facts of all cards."""
        return self.profile.facts

    def rows_of(self, kind: Kind) -> list[Row]:
        """Return the rows of the cards of one kind, including unknown cards."""
        return [row for row in self.rows if row[0].kind is kind]

    def cards_of(self, kind: Kind) -> list[tuple[ArkhamCard, int]]:
        """Return the known cards of one kind, with their copies."""
        return [(status.card, copies) for status, copies in self.rows_of(kind) if status.card]

    @property
    def basics(self) -> list[tuple[ArkhamCard, int]]:
        """Return the basic weaknesses in the deck, with their copies."""
        return self.cards_of(Kind.BASIC)

    @property
    def granted(self) -> list[Row]:
        """Return the rows of the story cards, which only a scenario can add to a deck.

        Reward cards, and cards that the deck may not contain, are left out.
        """
        return [
            row
            for row in self.rows
            if (card := row[0].card) and card.story and "reward" not in card.keywords and not row[0].denied
        ]

    def cards(self) -> Iterator[tuple[ArkhamCard, int]]:
        """Yield all known cards of the deck, with their copies."""
        for status, copies in self.rows:
            if status.card is not None:
                yield status.card, copies

    def removal(self, rows: Iterable[Row | CardCopies], of: Iterable[Row | CardCopies] = ()) -> Remedy:
        """Return the remedy that removes the copies in `rows` and keeps the deck at its size.

        If `of` is given, the user may choose the same number of copies from the rows in `of`; otherwise exactly `rows`
        leave. If a leaving card changes the deck size or the options, the remedy may also add or remove other cards.
        """
        leaving = list(rows)
        left = dict(self.deck.cards)
        for each, copies in leaving:
            left[each.code] = max(0, left.get(each.code, 0) - copies)
        deck = replace(self.deck, cards=left)
        after = count_deck(deck, profile_of(self.facts, deck), self.agreement)
        over = max(0, self.size - self.profile.size)
        lacking = max(0, self.profile.size - self.size)
        more = after.profile.size - after.size
        remove = Remove(sum(copies for _, copies in leaving), each_label(list(of) or leaving))
        if more > lacking:
            return Steps((remove, Fill(more - lacking, "other card")))
        return Steps((remove, Remove(-more - over, ()))) if -more > over else remove

    def replacement(self, rows: Iterable[Row], what: str) -> Remedy:
        """Return the remedy that replaces the copies in `rows` with other cards, described by `what`.

        If one of them does not count toward the deck size, the remedy only removes them.
        """
        leaving = list(rows)
        if all(status.counts for status, _ in leaving):
            return Exchange(sum(copies for _, copies in leaving), each_label(leaving), what=what)
        return self.removal(leaving)

    def _count(self) -> None:
        """Count every card of the deck, and set the fields."""
        deck, profile = self.deck, self.profile
        titles: dict[str, list[tuple[ArkhamCard, int, int]]] = {}
        for code, copies in deck.cards.items():
            if copies <= 0:
                if copies:
                    self.strange.append(code)
                continue
            self.total += copies
            status = profile.status(code)
            card = status.card
            if card is not None and card.sheet and code in deck.customizations:
                status = profile.upgraded(code, deck.customizations[code])
                card = status.card
            self.rows.append((status, copies))
            if card is None:
                continue
            if status.kind is Kind.SIGNATURE:
                self.signatures[card.root] += copies
            if card.special is not NOT_SPECIAL:
                self.special.append((card, copies))
            if not status.title:
                continue
            if ignored := max(0, min(deck.ignored.get(code, 0), copies)):
                self.ignored[code] = ignored
                copies -= ignored
            if status.mask:
                self.demand[status.mask] += copies
            if status.counts:
                self.size += copies
            if copies:
                titles.setdefault(status.title, []).append((card, copies, status.limit))
        for title, rows in sorted(titles.items()):
            # the lowest limit among the cards of a title applies to all of them
            number, limit = sum(row[1] for row in rows), min(row[2] for row in rows)
            if number > limit:
                self.over_limit.append(TitleGroup(title, tuple(row[:2] for row in rows), number, limit))


def count_deck(deck: ArkhamDeck, profile: Profile, agreement: Agreement) -> DeckCounts:
    """Return the counts of a deck and of its extra deck. If the investigator builds no decks, nothing is counted."""
    deck_counts = DeckCounts(deck, profile, agreement)
    if profile.build is None:
        return deck_counts
    deck_counts._count()
    deck_counts.experience = deck_experience(deck_counts.rows)
    if profile.extra is not None:
        deck_counts.extra = count_deck(ArkhamDeck(deck.investigator, deck.extra), profile.extra, agreement)
        deck_counts.experience.update(deck_counts.extra.experience)
    deck_counts.spent = deck_counts.experience.total()
    return deck_counts


def deck_experience(rows: Iterable[Row]) -> Counter[str]:
    """Return the experience of the cards in `rows` by code, without zeros.

    All copies of a myriad card cost as much as one copy (ruling 1.20).
    """
    spent: Counter[str] = Counter()
    myriad: set[tuple[str, int | None]] = set()
    sheets: set[str] = set()
    for status, copies in rows:
        card = status.card
        if card is None or not (status.cost or card.spent):
            continue
        cost = status.cost * copies
        if "myriad" in card.keywords:
            cost = 0 if (card.title, card.level) in myriad else status.cost
            myriad.add((card.title, card.level))
        if card.spent and card.root not in sheets:
            sheets.add(card.root)
            cost += card.spent
        if cost:
            spent[status.code] += cost
    return spent


def labels(rows: Iterable[Row]) -> tuple[str, ...]:
    """Return the label of each row's card: name and code."""
    return tuple(status.label for status, _ in rows)


def with_copies(rows: Iterable[Row | CardCopies]) -> str:
    """Return cards and copies in words: `2x Machete [01020], Beat Cop [01018]`."""
    return counted_names(each_label(rows))


def each_label(rows: Iterable[Row | CardCopies]) -> tuple[str, ...]:
    """Return the label of each row's card, repeated for every copy."""
    return tuple(each.label for each, copies in rows for _ in range(copies))


def excess(
    card: ArkhamCard, copies: int, most: int, rule: str, remedies: tuple[Remedy, ...] | None = None, pile: str = ""
) -> Problem:
    """Return a problem for a deck that has `copies` of a card, although a rule allows only `most`. `rule` states the
    rule in words.

    An example of the message is `3 copies of Machete [01020]; the products owned contain 2.` Without `remedies`, the
    remedy is to remove the copies over the limit, from the section `pile` if it is given.
    """
    return Problem(
        f"{counted(copies, 'copy')} of {card.label}; {rule} {most}.",
        cards=(card.label,),
        count=copies,
        limit=most,
        remedies=(Remove(copies - most, (card.label,) * copies, pile),) if remedies is None else remedies,
    )


def leaving_first(rows: Iterable[tuple[C, int]], copies: int) -> list[tuple[C, int]]:
    """Return the rows that should leave the deck, with `copies` copies in total, taken from the end of `rows`."""
    leaving = []
    for each, number in reversed(list(rows)):
        leaving.append((each, min(number, copies)))
        copies -= leaving[-1][1]
    return leaving


def assign_slots(masks: Sequence[int], capacities: Sequence[int]) -> list[int | None]:
    """Assign each card to a limited option; return the index of the option for each card, None for a card without a
    slot.

    `masks` has a number for each card, with a bit for each option that allows the card. `capacities` are the slots of
    each option. As many cards as possible get a slot (by augmenting paths); earlier cards come first.
    """
    seats: list[int | None] = [None] * len(masks)

    def place(card: int, tried: set[int]) -> bool:
        """Assign a slot to `card`; return False if there is none. Other cards move to other options if that makes room.

        `tried` contains the options already tried.
        """
        for option, capacity in enumerate(capacities):
            if not masks[card] >> option & 1 or option in tried:
                continue
            tried.add(option)
            seated = [other for other, at in enumerate(seats) if at == option]
            if len(seated) < capacity or any(place(other, tried) for other in seated):
                seats[card] = option
                return True
        return False

    for card in range(len(masks)):
        place(card, set())
    return seats


def free_slots(counts: DeckCounts, mask: int, copies: int) -> bool:
    """Return True if the limited options have slots for `copies` more of a card. `mask` has a bit for each option that
    allows the card; 0 means that it needs no slot.
    """
    capacities = [option.limit for option in counts.profile.limited]
    seated = [each for each, number in counts.demand.items() for _ in range(min(number, sum(capacities)))]
    return not mask or all(seat is not None for seat in assign_slots([*seated, *(mask,) * copies], capacities))


def seat_in_limited_slots(counts: DeckCounts) -> tuple[list[dict[str, Any]], list[CardCopies]]:
    """Return the limited options with the cards in their slots, as plain JSON values, and the cards that get no slot.

    Cards that fewer options allow are assigned first.
    """
    profile = counts.profile
    capacities = [option.limit for option in profile.limited]
    rows = sorted(
        (
            (status.mask, status.card, copies - counts.ignored.get(status.code, 0))
            for status, copies in counts.rows
            if status.mask and status.card is not None
        ),
        key=lambda row: row[0].bit_count(),
    )
    # Copies beyond the number of slots cannot get one, so they need not be tried.
    tried = [(mask, card) for mask, card, copies in rows for _ in range(min(copies, sum(capacities)))]
    seats = assign_slots([mask for mask, _ in tried], capacities)
    cards = {card.code: card for _, card, _ in rows}
    taken = [Counter[str]() for _ in capacities]
    for (_, card), at in zip(tried, seats, strict=True):
        if at is not None:
            taken[at][card.code] += 1
    left = [(card, copies - sum(codes[card.code] for codes in taken)) for _, card, copies in rows]
    slots = []
    for option, source, codes in zip(profile.limited, profile.sources, taken, strict=True):
        name = f"slots{f' of {source}' if source else ''} for {'other ' if option.other else ''}{kind_of(option)}"
        seated = [(cards[code], copies) for code, copies in codes.items()]
        listed = ", ".join(f"{copies} {card.label}" for card, copies in seated)
        slots.append(
            {
                "slots": name,
                "used": codes.total(),
                "limit": option.limit,
                "cards": [{"code": card.code, "name": card.name, "copies": copies} for card, copies in seated],
                "text": f"uses {codes.total()} of {option.limit} {name}{': ' if seated else ''}{listed}",
            }
        )
    return slots, [row for row in left if row[1]]


def kind_of(wanted: Wanted) -> str:
    """Return the conditions of `wanted` in words: `level 0-1 seeker or survivor cards`."""
    words = []
    if wanted.level:
        low, high = wanted.level
        words.append(f"level {low}" if low == high else f"level {low}-{high}")
    if wanted.permanent is not None:
        words.append("permanent" if wanted.permanent else "not permanent")
    for names in (
        (name for name in (*CLASSES, "neutral") if name in wanted.classes)
        if not wanted.classes.issuperset(CLASSES)
        else (),
        (name.title() for name in sorted(wanted.traits | wanted.slots)),
        sorted(wanted.tags),
    ):
        words += filter(None, [either(names)])
    words.append(either(f"{kind}s" for kind in sorted(wanted.types)) or "cards")
    return " ".join(words) + (f" with {either(sorted(wanted.uses))}" if wanted.uses else "")


ARKHAM: Ruleset[DeckCounts] = Ruleset("arkham", "Arkham Horror: The Card Game")
