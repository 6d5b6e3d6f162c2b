"""Checks of the frame: start of a campaign, standalone mode, ultimatums."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.report import Problem
from kb.games.arkham.decks.profile import Kind
from kb.games.arkham.decks.ruleset import (
    ARKHAM,
    BONUS,
    BOONS,
    DECKBUILDING,
    EXPERIENCE,
    MYRIAD_RULING,
    STANDALONE,
    TABOO,
    ULTIMATUMS,
)
from kb.games.arkham.decks.tally import Row, Tally, last
from kb.plural import counted

_MOST_STANDALONE = 49
_PER_WEAKNESS = 10
_ANCIENTS = 5


def starting_experience(tally: Tally) -> int:
    """Experience at the start of a campaign: of the investigator, of cards in the deck, of a boon, of the file."""
    given = bonus_experience(tally) + (tally.deck.experience or 0)
    return given + (_ANCIENTS if "ancients" in tally.frame.boons else 0)


def bonus_experience(tally: Tally) -> int:
    """Experience that the investigator's back and cards in the deck give when the deck is built."""
    given = sum(card.special.experience * copies for card, copies in tally.special)
    return tally.profile.starting_experience + given


@ARKHAM.check(DECKBUILDING, EXPERIENCE, f"{BOONS}/ancients", family="experience", when=lambda tally: tally.spent)
def level_0_at_the_start(tally: Tally) -> Iterator[Problem]:
    """A new deck holds level 0 cards only, unless experience is given at the start of the campaign."""
    if tally.frame.standalone:
        return
    if not tally.frame.start and (tally.deck.previous or tally.deck.experience is not None):
        return
    given = starting_experience(tally)
    if tally.spent <= given:
        return
    if tally.frame.start:
        yield Problem(
            f"The deck needs {tally.spent} experience; at the start of the campaign there is {given}.",
            f"Replace cards with level 0 cards{_unmarked(tally)}.",
            count=tally.spent,
            limit=given,
        )
    else:
        yield Problem(
            f"The deck needs {tally.spent} experience: legal once it is earned, not at the start of a campaign.",
            severity="note",
            count=tally.spent,
            limit=given,
        )


def _unmarked(tally: Tally) -> str:
    """What a fix adds where boxes of customizable cards cost experience."""
    return ", and mark no boxes of customizable cards" if any(card.spent for card, _ in tally.cards()) else ""


@ARKHAM.check(STANDALONE, MYRIAD_RULING, family="experience", when=lambda tally: tally.framed)
def standalone_experience(tally: Tally) -> Iterator[Problem]:
    """A standalone deck holds less than 50 experience."""
    if tally.frame.standalone and tally.spent > _MOST_STANDALONE:
        yield Problem(
            f"The deck has {tally.spent} experience; a standalone deck cannot have 50 or more.",
            f"Replace cards with others that need {tally.spent - _MOST_STANDALONE} experience less.",
            count=tally.spent,
            limit=_MOST_STANDALONE,
        )


@ARKHAM.check(STANDALONE, BONUS, family="required", when=lambda tally: tally.framed)
def standalone_weaknesses(tally: Tally) -> Iterator[Problem]:
    """A standalone deck has an additional random basic weakness for each full 10 experience, bonus experience apart."""
    build = tally.profile.build
    if not tally.frame.standalone or build is None:
        return
    bonus = min(tally.spent, bonus_experience(tally))
    more = (min(tally.spent, _MOST_STANDALONE) - bonus) // _PER_WEAKNESS
    wanted = build.random_weaknesses + more + ("disaster" in tally.frame.ultimatums)
    there = sum(copies for _, copies in tally.basics)
    apart = f", {bonus} of it bonus experience that counts for none," if bonus else ""
    if there < wanted and more:
        yield Problem(
            f"{tally.spent} experience{apart} needs {counted(more, 'additional random basic weakness')}: {wanted} in all, "
            f"{there} in the deck.",
            f"Draw {wanted - there} at random (`kb deck weakness`).",
            count=there,
            limit=wanted,
        )


@ARKHAM.check(STANDALONE, f"{ULTIMATUMS}/exile", family="pool", when=lambda tally: tally.framed)
def campaign_mode_only(tally: Tally) -> Iterator[Problem]:
    """No "Campaign Mode only" card in a standalone deck; with the Ultimatum of Exile, no card with exile either."""
    if not tally.frame.standalone:
        return
    exile = "exile" in tally.frame.ultimatums
    for card, copies in tally.cards():
        if card.campaign_only or (exile and card.exile):
            why = "says Campaign Mode only" if card.campaign_only else "has exile, which counts as Campaign Mode only"
            fix = tally.without("Take it out of the deck.", [(card, copies)])
            yield Problem(f"{card.label} {why}.", fix, (card.label,))


@ARKHAM.check(f"{ULTIMATUMS}/highlander", family="copies", when=lambda tally: tally.framed)
def highlander(tally: Tally) -> Iterator[Problem]:
    """Ultimatum of the Highlander: one copy of each title, weaknesses and required copies apart."""
    if "highlander" not in tally.frame.ultimatums:
        return
    by_name: dict[str, list[Row]] = {}
    for status, copies in tally.rows:
        if status.card is not None and not status.card.subtype and status.kind is not Kind.SIGNATURE:
            by_name.setdefault(status.card.name, []).append((status, copies))
    for name, rows in by_name.items():
        copies = sum(number for _, number in rows)
        if copies > 1:
            yield Problem(
                f"{counted(copies, 'copy')} of {name}; only 1 of each title.",
                tally.without(f"Take out {copies - 1}.", last(rows, copies - 1)),
                (name,),
                count=copies,
                limit=1,
            )


@ARKHAM.check(f"{ULTIMATUMS}/induction", family="experience", when=lambda tally: tally.framed)
def induction(tally: Tally) -> Iterator[Problem]:
    """Ultimatum of Induction: only level 0 cards, no experience."""
    if "induction" not in tally.frame.ultimatums:
        return
    names = tuple(dict.fromkeys(card.label for card, _ in tally.cards() if card.level or card.spent))
    if names:
        yield Problem(
            f"Above level 0: {', '.join(names)}.", f"Replace them with level 0 cards{_unmarked(tally)}.", names
        )


@ARKHAM.check(f"{ULTIMATUMS}/orthodoxy", TABOO, family="choice", when=lambda tally: tally.framed)
def orthodoxy(tally: Tally) -> Iterator[Problem]:
    """Ultimatum of Orthodoxy: the taboo list is in force."""
    if "orthodoxy" in tally.frame.ultimatums and tally.profile.taboo is None:
        yield Problem("The deck names no taboo list.", f"Use taboo list {max(tally.profile.facts.taboos, default=0)}.")


@ARKHAM.check(f"{ULTIMATUMS}/chaos", family="choice", severity="note", when=lambda tally: tally.framed)
def chaos(tally: Tally) -> Iterator[Problem]:
    """Ultimatum of Chaos: the starting deck is chosen at random, which a deck file cannot show."""
    if "chaos" in tally.frame.ultimatums:
        yield Problem("Whether the starting deck was chosen at random cannot be seen from the file.")
