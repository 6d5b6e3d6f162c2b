"""Checks on how many copies of a card a deck may hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.decks.report import Problem
from kb.games.arkham.decks.model import Card
from kb.games.arkham.decks.profile import Kind
from kb.games.arkham.decks.ruleset import (
    ARKHAM,
    CUSTOMIZABLE,
    DECKBUILDING,
    EXCEPTIONAL,
    LIMITS,
    MYRIAD,
    STORY_ASSETS,
    TABOO,
)
from kb.games.arkham.decks.tally import Crowd, Tally, excess, labels, last, with_copies
from kb.plural import counted

_STANDARD = 2


def _crowds(tally: Tally, kind: str) -> Iterator[Crowd]:
    """The titles with too many copies that a check is about: single, exceptional, myriad or standard ones."""
    for crowd in tally.crowds:
        if tally.profile.single_copies:
            found = "single"
        elif any(card.exceptional for card, _ in crowd.rows):
            found = "exceptional"
        else:
            found = "myriad" if any(card.myriad for card, _ in crowd.rows) else "standard"
        if found == kind:
            yield crowd


def _too_many(tally: Tally, crowd: Crowd, rule: str) -> Problem:
    """There are too many copies of a title."""
    over = crowd.copies - crowd.limit
    return Problem(
        f"{counted(crowd.copies, 'copy')} of {crowd.rows[0][0].name}; {rule}.",
        tally.without(f"Take out {counted(over, 'copy')}.", last(crowd.rows, over)),
        tuple(card.label for card, _ in crowd.rows),
        count=crowd.copies,
        limit=crowd.limit,
    )


@ARKHAM.check(DECKBUILDING, LIMITS, CUSTOMIZABLE, family="copies", when=lambda tally: tally.crowds)
def copies_by_title(tally: Tally) -> Iterator[Problem]:
    """At most 2 copies of a card by title, over printings and levels, or what the card itself allows."""
    for crowd in _crowds(tally, "standard"):
        standard = crowd.limit == _STANDARD
        yield _too_many(
            tally, crowd, f"at most {crowd.limit} by title" if standard else f"the limit is {crowd.limit} per deck"
        )


@ARKHAM.check(EXCEPTIONAL, TABOO, family="copies", when=lambda tally: tally.crowds)
def exceptional_once(tally: Tally) -> Iterator[Problem]:
    """At most 1 copy by title of an exceptional card, exceptional by a taboo list included."""
    for crowd in _crowds(tally, "exceptional"):
        yield _too_many(tally, crowd, "at most 1 copy by title of an exceptional card")


@ARKHAM.check(MYRIAD, family="copies", when=lambda tally: tally.crowds)
def myriad_three(tally: Tally) -> Iterator[Problem]:
    """At most 3 copies by title of a myriad card."""
    for crowd in _crowds(tally, "myriad"):
        yield _too_many(tally, crowd, f"at most {crowd.limit} copies by title of a myriad card")


@ARKHAM.check(LIMITS, DECKBUILDING, family="copies")
def copies_by_subtitle(tally: Tally) -> Iterator[Problem]:
    """A card limited by its subtitle: no more copies with the same subtitle than it allows."""
    same: dict[str, tuple[Card, int]] = {}
    for card, copies in tally.special:
        if card.special.subtitle_limit:
            same[card.root] = (card, copies + same.get(card.root, (card, 0))[1])
    for card, copies in same.values():
        limit = card.special.subtitle_limit
        if copies > limit:
            yield Problem(
                f"{counted(copies, 'copy')} of {card.label}; the limit is {limit} with this subtitle.",
                tally.without(f"Take out {counted(copies - limit, 'copy')}.", [(card, copies - limit)]),
                (card.label,),
                count=copies,
                limit=limit,
            )


@ARKHAM.check(DECKBUILDING, family="copies", when=lambda tally: tally.crowds)
def single_copies(tally: Tally) -> Iterator[Problem]:
    """One copy of each card by title where a card in the deck says so; weaknesses and signatures apart."""
    for crowd in _crowds(tally, "single"):
        source = next(card.name for card, _ in tally.special if card.special.single_copies)
        yield _too_many(tally, crowd, f"only 1 copy of each title with {source} in the deck")


@ARKHAM.check(DECKBUILDING, LIMITS, family="access")
def cards_limited_by_trait(tally: Tally) -> Iterator[Problem]:
    """No more cards with a trait than such a card allows in a deck (one Covenant)."""
    limits = {(limit.trait, limit.max) for card, _ in tally.special if (limit := card.special.trait_limit)}
    for trait, most in sorted(limits):
        rows = [row for row in tally.rows if row[0].card is not None and trait in row[0].card.traits]
        copies = sum(number for _, number in rows)
        if copies > most:
            yield Problem(
                f"{copies} {trait.title()} cards ({with_copies(rows)}); a deck may have {most}.",
                tally.without(f"Take out {counted(copies - most, 'card')}.", last(rows, copies - most)),
                labels(rows),
                count=copies,
                limit=most,
            )


@ARKHAM.check(STORY_ASSETS, family="copies")
def story_card_copies(tally: Tally) -> Iterator[Problem]:
    """No more copies of a story card than its product holds."""
    for status, copies in tally.granted:
        if status.card is not None and status.kind is Kind.STORY and copies > status.limit:
            yield excess(status.card, copies, status.limit, "there is only")


@ARKHAM.check(DECKBUILDING, family="copies", when=lambda tally: tally.ignored)
def uncounted_copies(tally: Tally) -> Iterator[Problem]:
    """Copies that count neither for the deck size nor for limits: only where the investigator or a campaign allows it."""
    for code, copies in tally.ignored.items():
        card = tally.profile.card(code)
        if card is None:
            continue
        keeps = card.traits & tally.profile.keeps_lower and _higher(card, tally.profile.facts.named(card.name))
        if not keeps and copies > card.special.beyond_size:
            yield Problem(
                f"{counted(copies, 'copy')} of {card.label} cannot be left out of the deck size and limits.",
                "Count them as cards of the deck.",
                (card.label,),
            )
        elif keeps and not _higher(card, (other for other, _ in tally.cards())):
            yield Problem(
                f"{card.label} is left out of the deck size, but no higher level of it is in the deck.",
                "Only the lower level version of an upgraded card may stay uncounted.",
                (card.label,),
                severity="warning",
            )


def _higher(card: Card, others: Iterable[Card]) -> bool:
    """Whether a higher level of a card is among others."""
    return any(other.title == card.title and (other.level or 0) > (card.level or 0) for other in others)
