"""A deck to begin with for any investigator: signatures, choices, and level 0 cards that are legal together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from kb.games.arkham.decks.check import check_deck
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import Frame
from kb.games.arkham.decks.model import Card, Deck
from kb.games.arkham.decks.profile import Profile, profile_of
from kb.games.arkham.decks.status import Kind
from kb.games.arkham.schema.options import CLASSES
from kb.games.arkham.schema.special import NOT_SPECIAL

_START = Frame(start=True)
_MOST_CHOICES = 40


def starting_deck(card: Card, facts: Facts, rules: str = "") -> tuple[Deck, tuple[str, ...]]:
    """A deck for an investigator, and what is still not legal about it (nothing, as a rule).

    Choices are tried in their order, cards of the investigator's own product, cycle and class come first.
    """
    best: tuple[Deck, tuple[str, ...]] | None = None
    choices = [option.choice for option in (card.build.options if card.build else ()) if option.choice]
    for values in list(product(*(choice.values for choice in choices)))[:_MOST_CHOICES]:
        chosen = {choice.name: value for choice, value in zip(choices, values, strict=True)}
        for spread in (False, True):
            deck = _filled(Deck(card.code, {}, choices=chosen, rules=rules), facts, spread)
            report = check_deck(deck, facts, frame=_START)
            wrong = tuple(each.message for each in report.findings if each.severity == "error")
            if best is None or len(wrong) < len(best[1]):
                best = deck, wrong
            if not wrong:
                return best
    assert best is not None
    return best


def _filled(deck: Deck, facts: Facts, spread: bool) -> Deck:
    profile = profile_of(facts, deck)
    cards = _signatures(profile)
    build = profile.build
    if build is not None and build.random_weaknesses:
        cards[facts.placeholder()] = build.random_weaknesses
    _fill(cards, profile, profile.size, 2, spread)
    deck.cards = cards
    if profile.extra is not None:
        extra = _signatures(profile.extra)
        _fill(extra, profile.extra, profile.extra.size, 1, spread)
        deck.extra = extra
    return deck


def _signatures(profile: Profile) -> dict[str, int]:
    """The cards that the investigator requires, the original set of those in sets."""
    found: dict[str, int] = {}
    for need in profile.needs:
        if need.set in ("", "original"):
            found[need.root] = need.rule.by_size.get(profile.base_size, need.most) if need.rule else need.most
    for demand in profile.demands:
        for code in demand.codes[: demand.at_start or demand.least]:
            found[code] = 1
    for need in profile.needs:
        if need.rule and need.rule.as_many_as and need.root in found:
            found[need.root] = sum(found.get(code, 0) for code in need.rule.as_many_as)
    return {code: copies for code, copies in found.items() if copies}


def _fill(cards: dict[str, int], profile: Profile, size: int, most: int, spread: bool) -> None:
    """Add level 0 cards that take no limited slot until the deck has its size: first those of which some are required."""
    titles = {card.title for code in cards if (card := profile.facts.card(code))}
    number = 0
    wanted = [(each.wanted, each.number) for each in profile.at_least if not each.classes]
    offered = list(_offered(profile))
    queue = [
        card for kind, least in wanted for card in [each for each in offered if kind.admits(each)][: (least + 1) // 2]
    ]
    for card in (*queue, *(_by_class(offered) if spread else offered)):
        if number >= size:
            return
        if card.title not in titles:
            titles.add(card.title)
            cards[card.code] = min(most, card.limit or 1, size - number)
            number += cards[card.code]


def _offered(profile: Profile) -> Iterator[Card]:
    """The level 0 cards that the options let in without a slot, the nearest to the investigator first."""
    facts, who = profile.facts, profile.investigator
    found = []
    for code in facts.codes():
        status = profile.status(code)
        card = status.card
        if card is None or card.root != code or status.kind is not Kind.PLAYER or status.mask or card.level:
            continue
        if status.counts and card.special is NOT_SPECIAL and not (card.researched or card.story or card.sheet):
            found.append(card)
    cycle = {code: pack.cycle for code, pack in facts.packs.items()}
    apart = {"promotional", "parallel"}

    def far(card: Card) -> tuple[bool, bool, bool, bool, str]:
        return (
            cycle.get(card.pack, "") in apart,
            who is None or not set(card.classes) & set(who.classes),
            who is None or card.pack != who.pack,
            who is None or cycle.get(card.pack) != cycle.get(who.pack),
            card.code,
        )

    yield from sorted(found, key=far)


def _by_class(cards: Iterable[Card]) -> list[Card]:
    """The cards in turn by class, for who needs some of several classes."""
    piles = [[card for card in cards if card.classes == (name,)] for name in CLASSES]
    turns = max(map(len, piles), default=0)
    return [pile[turn] for turn in range(turns) for pile in piles if turn < len(pile)]
