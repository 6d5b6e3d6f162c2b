"""Draws random basic weaknesses from the pool of one group; the same seed repeats a draw."""

from __future__ import annotations

import random
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import nullcontext

from kb.api.decks import Deck
from kb.api.session import Session
from kb.citation import Cites
from kb.errors import KbError
from kb.frozen import frozen
from kb.games.arkham.decks.agreement import agreement_of
from kb.games.arkham.decks.card import ArkhamCard
from kb.games.arkham.decks.card_finder import CardFinder
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.edition import edition_of_all
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.party import basic_weaknesses, drawn_in, pool
from kb.games.arkham.decks.profile import profile_of
from kb.games.arkham.party import GAME, named_decks
from kb.plural import counted
from kb.registry.editions import chosen_edition
from kb.shapes import Jsonable, key

RULE = "arkham/faq/searching-collection-basic-weakness"
"""The id of the rule in FAQ 2.5. Other editions have another entry for it."""


class DrawError(KbError, ValueError):
    """The draw is impossible, because the pool has too few weaknesses. The message is written for users."""


@frozen
class Drawer:
    """The conditions of a draw.

    - `classes`: the classes of the investigator to draw for; None: unknown.
    - `standalone`: leave out weaknesses that are only for campaigns.
    - `trait`: draw only weaknesses with this trait (in lower case); empty: any.
    """

    classes: frozenset[str] | None = None
    standalone: bool = False
    trait: str = ""

    def admits(self, card: ArkhamCard) -> bool:
        """Return True if the weakness `card` may be drawn.

        A weakness that is only for some classes needs an investigator who is known to have one of them.
        """
        if card.only_classes and (self.classes is None or card.only_classes.isdisjoint(self.classes)):
            return False
        return not (self.standalone and "campaign_only" in card.keywords) and (
            not self.trait or self.trait in card.traits
        )


@frozen
class Drawn(Jsonable):
    """A basic weakness that was drawn."""

    code: str
    """Code of the card."""
    name: str
    """Name of the card."""
    traits: tuple[str, ...]
    """Traits of the card."""
    label: str = key("hidden")


@frozen
class Weaknesses(Jsonable):
    """The result of a draw of random basic weaknesses."""

    seed: int
    """The seed of the draw; the same seed repeats the draw."""
    pool: int
    """The number of weaknesses that could be drawn."""
    drawn: tuple[Drawn, ...]
    """The drawn weaknesses with code, name and traits."""
    cites: Cites
    """The entry that defines the pool of weaknesses."""


def draw_weaknesses(
    *decks: Deck,
    number: int | None = None,
    investigator: str | None = None,
    owned: Iterable[str] = (),
    drawn: Iterable[str] = (),
    trait: str = "",
    standalone: bool = False,
    seed: int | None = None,
    session: Session | None = None,
) -> Weaknesses:
    """Draw random basic weaknesses from one copy of each product owned (Arkham Horror).

    Draw for the first of `decks`, or for an `investigator` by name. Weaknesses in any of the decks and those already
    `drawn` are not in the pool. Without `number`, draw as many as the first deck still needs, at least one. With
    `trait`, draw only weaknesses with this trait; with `standalone`, leave out campaign-only weaknesses. The same
    `seed` repeats a draw. Raises a KbError if a name is unknown or the pool is too small.

    >>> weaknesses = draw_weaknesses(Deck.load("roland.yaml"), number=2, owned=["core"], seed=7)
    >>> weaknesses.pool, [card.name for card in weaknesses.drawn]
    (9, ['Paranoia', 'Amnesia'])
    """
    chosen = secrets.randbelow(1_000_000_000) if seed is None else seed
    with nullcontext(session) if session is not None else Session() as opened:
        facts: ArkhamFacts = opened.deck_rules.game(GAME)[1]
        deck_contents = [each.deck for each in named_decks((deck.file for deck in decks), facts)]
        facts = facts.with_cards_of(*deck_contents)
        played = chosen_edition(GAME, None, "")
        by = edition_of_all([played.id] if played else [])
        finder = CardFinder(facts)
        named = Counter(finder.find(name).root for name in drawn)
        for root, copies in named.items():
            if copies > (most := pool(facts).get(root, 0)):
                raise DrawError(
                    f"{facts.label(root)} cannot have been drawn {counted(copies, 'time')}: the products contain "
                    f"{counted(most, 'copy')}."
                )
        products = agreement_of({"owned": list(owned)}, facts).products
        there = Counter(pool(facts, products)) - Counter(drawn_in(deck_contents, facts)) - named
        card = None
        if investigator:
            card = finder.find(investigator, investigator=True)
        elif deck_contents:
            card = facts.card(deck_contents[0].front or deck_contents[0].investigator)
        drawer = Drawer(frozenset(card.classes) if card else None, standalone, trait.casefold())
        cards = draw(there, facts, drawer, number or _needed(deck_contents, facts), chosen)
    may_be_drawn = sum(copies for root, copies in there.items() if (card := facts.card(root)) and drawer.admits(card))
    found = tuple(Drawn(card.code, card.name, tuple(sorted(card.traits)), card.label) for card in cards)
    return Weaknesses(chosen, may_be_drawn, found, tuple(by.entries([RULE])))


def _needed(decks: list[ArkhamDeck], facts: ArkhamFacts) -> int:
    """Return the number of basic weaknesses that the first deck still needs, at least one."""
    if not decks:
        return 1
    build = profile_of(facts, decks[0]).build
    return max(1, still_to_draw(decks[0], facts, build.random_weaknesses if build else 0))


def still_to_draw(deck: ArkhamDeck, facts: ArkhamFacts, required: int) -> int:
    """Return the number of random basic weaknesses that `deck` still needs.

    The result is the number of placeholders, or the number missing from the `required` weaknesses, if that is higher.
    """
    replaced = sum(copies for card, copies in facts.held(deck.cards) if card.special.stands_for_basic)
    missing = required - basic_weaknesses(deck, facts, hidden=False).total() - replaced
    return max(basic_weaknesses(deck, facts, hidden=True).total(), missing)


def draw(there: Mapping[str, int], facts: ArkhamFacts, drawer: Drawer, number: int, seed: int) -> list[ArkhamCard]:
    """Return `number` random cards from the pool `there`, which maps first printings to copies.

    A drawn copy is not put back. The same pool, drawer and seed always give the same cards. Raises DrawError if too few
    copies may be drawn for this investigator.
    """
    copies = [
        card
        for root, count in sorted(there.items())
        for card in [facts.card(root)] * count
        if card and drawer.admits(card)
    ]
    if number > len(copies):
        raise DrawError(
            f"The pool contains {counted(len(copies), 'basic weakness')} that may be drawn, but the draw needs {number}."
        )
    chance = random.Random(seed)
    drawn = []
    for _ in range(number):
        # random() gives the same numbers in every version of Python; choice() may not
        drawn.append(copies.pop(int(chance.random() * len(copies))))
    return drawn
