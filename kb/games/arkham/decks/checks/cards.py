"""Checks on whether the cards and numbers of a deck file make sense at all."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.report import Problem
from kb.games.arkham.decks.json_deck import fan_made
from kb.games.arkham.decks.ruleset import ARKHAM, BONDED, CARDTYPES, DECKBUILDING, INVESTIGATOR_DECK, PURCHASING, TRAUMA
from kb.games.arkham.decks.status import Denial
from kb.games.arkham.decks.tally import Tally
from kb.games.arkham.decks.wording import labels, trauma


@ARKHAM.check(DECKBUILDING, family="copies", when=lambda tally: tally.deck.oddities or tally.strange)
def numbers_make_sense(tally: Tally) -> Iterator[Problem]:
    """Numbers of copies are whole numbers from 0."""
    for oddity in tally.deck.oddities:
        yield Problem(oddity, "Correct it in the file, or export the deck again.")
    facts = tally.profile.facts
    for code in tally.strange:
        card = facts.card(code)
        name = card.label if card else f"[{code}]"
        number = tally.deck.cards[code]
        yield Problem(
            f"{number} copies of {name} are not possible.", "Write 0 or a positive number of copies.", (name,)
        )


@ARKHAM.check(DECKBUILDING, family="access", when=lambda tally: tally.unknown)
def cards_known(tally: Tally) -> Iterator[Problem]:
    """Every card of the deck is a known card."""
    made = fan_made(tally.deck)
    own = tuple(f"{made[status.code]} [{status.code}]" for status, _ in tally.unknown if status.code in made)
    if own:
        yield Problem(
            f"Fan-made cards, about which no rule here says anything: {', '.join(own)}.",
            "Check the deck without them, or make sure that your group plays with them.",
            own,
        )
    names = labels([row for row in tally.unknown if row[0].code not in made], tally.profile.facts)
    if names:
        yield Problem(
            f"No card has the code or name {', '.join(names)}.",
            "Correct the code, take the card out, or import newer card data with `kb import arkhamdb`.",
            names,
        )


@ARKHAM.check(INVESTIGATOR_DECK, CARDTYPES, family="access", when=lambda tally: tally.denied)
def cards_of_decks(tally: Tally) -> Iterator[Problem]:
    """Only assets, events, skills and weaknesses are cards of an investigator deck."""
    rows = tally.denied.get(Denial.TYPE, [])
    rows = [row for row in rows if row[0].code != tally.deck.transformed]
    if rows:
        names = labels(rows, tally.profile.facts)
        yield Problem(f"{', '.join(names)}: not for an investigator deck.", "Take it out of the deck.", names)


@ARKHAM.check(BONDED, family="access", when=lambda tally: tally.denied)
def bonded_stay_out(tally: Tally) -> Iterator[Problem]:
    """Bonded cards are set aside at the start of each game; they are not part of the deck."""
    for status, _ in tally.denied.get(Denial.BONDED, []):
        if status.card:
            name = status.card.label
            yield Problem(
                f"{name} is bonded to {status.card.bonded_to} and is not part of the deck.", "Set it aside.", (name,)
            )


@ARKHAM.check(TRAUMA, PURCHASING, family="campaign", severity="note", when=lambda tally: tally.special)
def trauma_of_cards(tally: Tally) -> Iterator[Problem]:
    """Cards that give trauma when they are purchased, at deck creation or later, are pointed out."""
    for card, copies in tally.special_cards():
        if any(points > 0 for points in card.special.buying.trauma.values()):
            yield Problem(trauma(card, copies), "Check that the campaign log says so.", (card.label,))
