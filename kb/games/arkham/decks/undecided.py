"""Finds choices that a deck file does not record although they affect legality or cost, such as the branded spell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice, product

from kb.frozen import frozen
from kb.games.arkham.decks.card import ArkhamCard
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.facts import ArkhamFacts

_MOST_TRIED = 200


@frozen
class Undecided:
    """A choice that a deck file does not record: `card` needs the only copy of another card in the deck.

    - `called`: the name for the chosen card, such as "branded spell".
    - `copies`: the cards that may be chosen, each with the copies of its title in the deck.
    """

    card: ArkhamCard
    called: str
    copies: tuple[tuple[ArkhamCard, int], ...]

    @property
    def legal(self) -> tuple[ArkhamCard, ...]:
        """Return the cards that may be chosen legally: those with only one copy of their title in the deck."""
        return tuple(card for card, copies in self.copies if copies == 1)


def undecided(deck: ArkhamDeck, facts: ArkhamFacts, special: Iterable[ArkhamCard]) -> Iterator[Undecided]:
    """Yield the choices that a deck leaves open. `special` contains the cards in the deck that may require a choice."""
    for card in special:
        attach = card.special.attach
        if attach is None or not attach.only_copy or deck.attachments.get(card.code):
            continue
        held = list(facts.held(deck.cards))
        titles = Counter[str]()
        for each, copies in held:
            titles[each.title] += copies
        admitted = {each.title: each for each, copies in held if copies > 0 and attach.admits(each)}
        yield Undecided(card, attach.called, tuple((each, titles[title]) for title, each in admitted.items()))


def decided(deck: ArkhamDeck, facts: ArkhamFacts) -> Iterator[ArkhamDeck]:
    """Yield a copy of the deck for each legal combination of its open choices.

    If no choice is open, or none can be made legally, yield only the unchanged deck.
    """
    cards = [
        card
        for code in facts.deck_choosing.intersection(deck.cards)
        if (card := facts.card(code)) and deck.cards[code] > 0
    ]
    ways = [
        [(each.card.code, card.code) for card in each.legal] for each in undecided(deck, facts, cards) if each.legal
    ]
    for choices in islice(product(*ways), _MOST_TRIED):
        attachments = {**deck.attachments, **{card: (chosen,) for card, chosen in choices}}
        yield replace(deck, attachments=attachments) if choices else deck
