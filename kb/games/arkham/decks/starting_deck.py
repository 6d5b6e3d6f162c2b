"""Builds a legal deck that an investigator can start a campaign with."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, product

from kb.decks.games import NewDeckError
from kb.decks.names import either
from kb.games.arkham.decks.agreement import Agreement
from kb.games.arkham.decks.card import ArkhamCard
from kb.games.arkham.decks.card_finder import CardFinder, UnknownName
from kb.games.arkham.decks.card_pool import DISCRETION
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.deck_reading import _edition
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.judging import check_deck
from kb.games.arkham.decks.profile import Kind, Profile, profile_of
from kb.games.arkham.decks.yaml_deck import yaml_text
from kb.games.arkham.schema.options import CLASSES, NOT_SPECIAL

_START = Agreement(start=True)

_MOST_CHOICES = 40


def new_deck(character: str, set_id: str | None, facts: ArkhamFacts) -> str | None:
    """Return the text of a deck file that is legal at the start of a campaign; None if no investigator is called
    `character`.

    If several versions share the name, `set_id` gives the pack of the version to use. Raises NewDeckError.
    """
    try:
        card = CardFinder(facts).find(f"{character} ({set_id})" if set_id else character, investigator=True)
    except UnknownName as error:
        if set_id and facts.named(character):
            raise NewDeckError(str(error)) from None
        return None
    if card.build is None:
        raise NewDeckError(f"{card.name} [{card.code}] cannot build decks.")
    deck, wrong = starting_deck(card, facts, _edition(None, ""))
    offered = {
        option.chosen_as: either(option.values) for option in card.build.choices if option.chosen_as in deck.choices
    }
    said = [f"deck size {profile_of(facts, deck).size}, level 0"]
    said += [f"kb did not find a legal deck: {message}" for message in wrong]
    said += [f"{name} may be {values}" for name, values in offered.items()]
    return "".join(f"# {line}\n" for line in said) + yaml_text(deck, facts)


def starting_deck(card: ArkhamCard, facts: ArkhamFacts, rules: str = "") -> tuple[ArkhamDeck, tuple[str, ...]]:
    """Return a deck for the investigator `card`, and the errors that remain in it (normally none).

    The values of the investigator's choices are tried in order. Cards of the investigator's own class, product and
    cycle come first.
    """
    choices = card.build.choices if card.build else ()
    tried = []
    for values in islice(product(*(option.values for option in choices)), _MOST_CHOICES):
        chosen = {option.chosen_as: value for option, value in zip(choices, values, strict=True)}
        for spread in (False, True):
            deck = _filled(ArkhamDeck(card.code, {}, choices=chosen, rules=rules), facts, spread)
            findings = check_deck(deck, facts, agreement=_START).findings
            tried.append((deck, tuple(each.message for each in findings if each.severity == "error")))
            if not tried[-1][1]:
                return tried[-1]
    return min(tried, key=lambda each: len(each[1]))


def _filled(deck: ArkhamDeck, facts: ArkhamFacts, spread: bool) -> ArkhamDeck:
    profile = profile_of(facts, deck)
    deck.cards = _fill(required(profile), profile, 2, spread)
    if profile.extra is not None:
        deck.extra = _fill(_signatures(profile.extra), profile.extra, 1, spread)
    return deck


def required(profile: Profile) -> dict[str, int]:
    """Return the cards that every deck of the investigator starts with, by code.

    These cards are signature cards and placeholders for random basic weaknesses.
    """
    counts = _signatures(profile)
    if profile.build is not None and profile.build.random_weaknesses:
        counts[profile.facts.placeholder()] = profile.build.random_weaknesses
    return counts


def _signatures(profile: Profile) -> dict[str, int]:
    """Return the copies of the signature cards that a deck requires. If there are alternative sets, the original one
    is used.
    """
    counts: dict[str, int] = {}
    for need in profile.needs:
        if need.set in ("", "original"):
            counts[need.root] = need.most
    for demand in profile.demands:
        for code in demand.codes[: demand.at_start or demand.least]:
            counts[code] = 1
    for need in profile.needs:
        if need.rule and need.rule.as_many_as and need.root in counts:
            counts[need.root] = sum(counts.get(code, 0) for code in need.rule.as_many_as)
    return {code: copies for code, copies in counts.items() if copies}


def _fill(cards: dict[str, int], profile: Profile, most: int, spread: bool) -> dict[str, int]:
    """Add level 0 cards to `cards` until the deck is full, and return `cards`. Required kinds of cards come first.

    There are at most `most` copies of each card, and no cards that take a limited slot. With `spread`, the cards come
    from each class in turn.
    """
    titles = {card.title for code in cards if (card := profile.facts.card(code))}
    left = profile.size
    offered = _offered(profile)
    queue: list[ArkhamCard] = []
    for demand in profile.at_least:
        if not demand.of_classes:
            queue += [card for card in offered if demand.admits(card)][: (demand.number + 1) // 2]
    for card in (*queue, *(_by_class(offered) if spread else offered)):
        if left and card.title not in titles:
            titles.add(card.title)
            cards[card.code] = min(most, card.limit or 1, left)
            left -= cards[card.code]
    return cards


def _offered(profile: Profile) -> list[ArkhamCard]:
    """Return the level 0 cards that the options allow without a limited slot.

    Cards of the investigator's own class, product and cycle come first.
    """
    facts, who = profile.facts, profile.investigator
    assert who is not None
    cards = []
    for code in facts.codes():
        status = profile.status(code)
        card = status.card
        if card is None or card.root != code or status.kind is not Kind.PLAYER or status.mask or card.level:
            continue
        if (
            status.counts
            and card.special is NOT_SPECIAL
            and not ("researched" in card.keywords or card.story or card.sheet)
        ):
            cards.append(card)

    def far(card: ArkhamCard) -> tuple[object, ...]:
        cycles = [facts.packs[each.pack].cycle for each in (card, who)]
        return (
            cycles[0] in DISCRETION,
            set(card.classes).isdisjoint(who.classes),
            card.pack != who.pack,
            cycles[0] != cycles[1],
            card.code,
        )

    return sorted(cards, key=far)


def _by_class(cards: Iterable[ArkhamCard]) -> list[ArkhamCard]:
    """Return the cards that have only one class, taking one of each class in turn, for investigators who need several
    classes.
    """
    piles = [[card for card in cards if card.classes == (name,)] for name in CLASSES]
    turns = max(map(len, piles), default=0)
    return [pile[turn] for turn in range(turns) for pile in piles if turn < len(pile)]
