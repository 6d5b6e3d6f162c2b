"""Checks on the investigator, the sides in use and what is chosen at deck creation."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.names import either
from kb.decks.report import Problem
from kb.games.arkham.decks.ruleset import ARKHAM, DECKBUILDING, TABOO, TRANSFIGURED
from kb.games.arkham.decks.tally import Tally


@ARKHAM.check(DECKBUILDING, family="choice")
def one_investigator(tally: Tally) -> Iterator[Problem]:
    """A deck has exactly one investigator, who can build decks."""
    profile, deck = tally.profile, tally.deck
    if profile.investigator is None:
        named = f"The deck's investigator, {deck.investigator}," if deck.investigator else "The deck's investigator"
        yield Problem(f"{named} is not known.", "Name an investigator by code or exact name.")
    elif profile.investigator.type != "investigator":
        yield Problem(f"{profile.investigator.label} is not an investigator.", "Name an investigator.")
    elif profile.build is None and profile.front and profile.back and not profile.facts.own(profile.back.code):
        yield Problem(
            f"{profile.back.label} has no deckbuilding requirements: no deck is built for this card.",
            "Choose an investigator whose back lists a deck size.",
        )


@ARKHAM.check(DECKBUILDING, family="choice")
def sides_of_one_investigator(tally: Tally) -> Iterator[Problem]:
    """Front and back belong to the same investigator (the original, a parallel or a promotional version)."""
    facts, deck = tally.profile.facts, tally.deck
    for side, code in (("front", deck.front), ("back", deck.back)):
        if not code or code == deck.investigator:
            continue
        card = facts.card(code)
        if card is None or card.type != "investigator":
            yield Problem(
                f"The {side} in use, {code}, is not an investigator.", f"Choose the {side} of an investigator."
            )
        elif facts.family(code) != facts.family(deck.investigator):
            yield Problem(
                f"The {side} in use is of {card.label}, not of the deck's investigator.",
                f"Use the {side} of a version of the same investigator.",
                (card.label,),
            )


@ARKHAM.check(DECKBUILDING, family="choice")
def choices_made(tally: Tally) -> Iterator[Problem]:
    """What is to be chosen at deck creation is chosen, among what is offered."""
    for unsettled in tally.profile.unsettled:
        choice, value = unsettled.choice, unsettled.value
        what = "class" if choice.classes else "deck size" if choice.sizes else "option"
        offered = either(choice.values)
        if not value:
            yield Problem(f"No {what} is chosen ({choice.name}).", f"Choose {offered}.")
        elif value in choice.values:
            yield Problem(f"The {what} {value} is chosen twice.", f"Choose two different ones from {offered}.")
        else:
            yield Problem(f"The {what} {value} cannot be chosen ({choice.name}).", f"Choose {offered}.")


@ARKHAM.check(TABOO, family="choice")
def taboo_list_known(tally: Tally) -> Iterator[Problem]:
    """The taboo list that the deck names is one of those known."""
    deck = tally.deck
    if deck.taboo and tally.profile.taboo is None:
        known = ", ".join(map(str, tally.profile.facts.taboos))
        yield Problem(f"Taboo list {deck.taboo} is not known.", f"Name one of the lists {known}, or none.")


@ARKHAM.check(TRANSFIGURED, DECKBUILDING, family="choice", severity="note", when=lambda tally: tally.deck.transformed)
def transformed(tally: Tally) -> Iterator[Problem]:
    """An investigator transformed during the campaign keeps the deck, which the own back still judges."""
    deck, facts = tally.deck, tally.profile.facts
    card = facts.card(deck.transformed)
    if card is None or card.type != "investigator":
        yield Problem(
            f"The deck's investigator became {deck.transformed}, which is not an investigator.", severity="error"
        )
    else:
        yield Problem(f"The investigator became {card.label}: the deck is judged by the back it was built with.")
