"""Checks a deck by the rules of its set. Importing this module registers all checks, in the order of their families."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from kb.decks.report import Family, Report
from kb.games.pathfinder.decks import access, campaign, counts  # noqa: F401  (registers the checks)
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import CARD_TYPES, SETS, Card, Deck
from kb.games.pathfinder.decks.ruleset import RULESETS, Subject

MOST_NAMED = 6


def unchecked(subject: Subject) -> list[str]:
    """Sentences on what was taken as it stands; empty when everything could be checked."""
    return [*unknown_facts(subject), *unsaid(subject)]


def unknown_facts(subject: Subject) -> Iterator[str]:
    """What the card facts do not know of this deck's cards and this character."""
    deck = subject.deck
    cards = list(dict.fromkeys(deck.cards))
    if described := [card for card in cards if not card.own and (card.class_deck or not card.copies)]:
        yield f"{named(described)}: taken as the deck file describes them."
    own: dict[str, list[Card]] = {}
    for card in cards:
        if card.own:
            own.setdefault(card.own, []).append(card)
    if deck.character.own:
        yield f"{subject.name}: taken as your own cards describe this character ({deck.character.own})."
    for title, listed in own.items():
        yield f"{named(listed)}: taken as your own cards describe them ({title})."
    if uncounted := [card for card in cards if card not in described and subject.copies(card) is None]:
        yield f"How many copies of {named(uncounted)} the box has is unknown."
    if unnumbered := [card for card in cards if card.deck is None]:
        yield f"Which adventure deck {named(unnumbered)} is of is unknown."
    if deck.skill_feats and deck.character.skill_feat_boxes is None:
        yield f"How many boxes each skill of {subject.name} has is unknown."
    if deck.stage == "rebuilt" and deck.deck_adjustments and deck.role and SETS[deck.set].roles_adjust:
        yield f"What the role card {deck.role} changes in the Cards List is taken from `deck_adjustments`."
    given = {name for found in subject.facts.adventures.get(deck.set, ()) for name in found.reward.loot}
    given |= {
        name for found in subject.facts.adventures.get(deck.set, ()) for part in found.scenarios for name in part.loot
    }
    kept = [card for card in cards if card.loot and card not in subject.taken_from_box()]
    if strays := [card for card in kept if card.name not in given and not subject.owned(card)]:
        yield f"Which reward gives {named(strays)} is unknown."


def unsaid(subject: Subject) -> Iterator[str]:
    """What the deck file leaves open."""
    deck = subject.deck
    if deck.stage != "rebuilt":
        return
    if deck.had is None and deck.from_box is None:
        yield "Where the cards came from: the deck file names neither `had` nor `from_box`."
    elif deck.had is None and not deck.left_over:
        yield "Whether the party had cards left where the box filled a hole: the deck file names neither `had` nor `left_over`."
    if deck.after_scenario is None and (deck.card_feats or deck.skill_feats or deck.power_feats or deck.role):
        yield f"Feats are counted as if all of adventure {deck.adventure} had been played: `after_scenario` is not given."


def named(cards: list[Card]) -> str:
    """`Cure, Dagger and 3 more`."""
    first = ", ".join(card.name for card in cards[:MOST_NAMED])
    return first + (f" and {len(cards) - MOST_NAMED} more" if len(cards) > MOST_NAMED else "")


__all__ = ["RULESETS", "check_deck"]

for _ruleset in RULESETS.values():
    _ruleset.checks.sort(key=lambda each: get_args(Family).index(each.family))


def check_deck(deck: Deck, facts: Facts, file: str) -> Report:
    """All findings on a deck by the ruleset of its character's set. `file` names the deck file in the report.

    `details` holds the set, stage and adventure, the number of cards and per type how many there are and must be, and what
    could not be checked, as sentences.
    """
    subject = Subject(deck, facts)
    by_line = counts.lines(subject)
    return Report(
        file=file,
        game="pathfinder",
        character=deck.character.name,
        findings=tuple(RULESETS[deck.set].run(subject)),
        details={
            "set": deck.set,
            "stage": deck.stage,
            "adventure": deck.adventure,
            "cards": len(deck.cards),
            "types": {
                kind: {"cards": len(by_line[kind]), "list": counts.wanted(subject, kind)[0]} for kind in CARD_TYPES
            },
            "not_checked": unchecked(subject),
        },
    )
