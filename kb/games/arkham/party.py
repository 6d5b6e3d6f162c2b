"""Checks the decks of one Arkham Horror group together, and lists the cards to collect for them (for `kb.decks.party`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kb.decks.deckfile import DeckFile, refusal
from kb.decks.games import NO_OPTIONS, game_of
from kb.decks.nodes import DeckFileError
from kb.decks.party import Collection, HeldCard, PartyError, PartyReport, UnreadableDecksError
from kb.decks.report import Located
from kb.games.arkham.decks.agreement import AgreementError, NamedDeck, agreement_of
from kb.games.arkham.decks.card import ArkhamCard
from kb.games.arkham.decks.card_finder import CardFinder, UnknownName
from kb.games.arkham.decks.card_pool import copies_by_product
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.deck_reading import read_with_options
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.judging import check_deck
from kb.games.arkham.decks.party import check_party
from kb.plural import counted

GAME = "arkham"


def named_decks(
    files: Iterable[DeckFile | DeckFileError], facts: ArkhamFacts, options: Mapping[str, Any] = NO_OPTIONS
) -> list[NamedDeck]:
    """Return the decks in `files`, with the agreement that `options` describe (see `read_with_options`).

    `files` come from `kb.decks.reading`. Raises PartyError with a message about each file that cannot be read.
    """
    decks: list[NamedDeck] = []
    wrong: list[DeckFileError] = []
    for file in files:
        try:
            if isinstance(file, DeckFileError):
                raise file
            if game_of(file).id != GAME:
                raise refusal(file.name, "This only works for Arkham Horror: The Card Game decks.")
            decks.append(NamedDeck(file.name, *read_with_options(file, facts, options)))
        except DeckFileError as error:
            wrong.append(error)
    if wrong:
        raise UnreadableDecksError(wrong)
    return decks


def collection(files: Sequence[DeckFile], facts: ArkhamFacts, owned: Sequence[str]) -> Collection:
    """Return every card that the decks in `files` need, including investigators and spirit decks, with the products to
    take it from.

    If `owned` is empty, the user is assumed to own one of every product. Raises PartyError.
    """
    try:
        products = Counter(agreement_of({"owned": owned}, facts).products)
    except AgreementError as error:
        raise PartyError(str(error)) from None
    titles: dict[str, str] = {}
    wanted: dict[tuple[str, bool], Counter[str]] = {}
    first: dict[tuple[str, bool], ArkhamCard] = {}
    decks = named_decks(files, facts)
    facts = facts.with_cards_of(*(each.deck for each in decks))
    for named in decks:
        title = _title(named.deck, facts, titles)
        cards = _cards(named.deck, facts)
        titles[title] = f"{named.deck.name or named.file}, {counted(sum(copies for _, copies in cards), 'card')}"
        for card, copies in cards:
            wanted.setdefault(card.version, Counter())[title] += copies
            first.setdefault(card.version, card)
    rows = [_wanted(first[version], decks, products, facts) for version, decks in wanted.items()]
    scope = "the products named" if products else "one of every product"
    return Collection(titles, tuple(sorted(rows, key=lambda row: row.name)), scope)


def _title(deck: ArkhamDeck, facts: ArkhamFacts, taken: Mapping[str, str]) -> str:
    """Return the name of the deck's investigator, with a number if one of the `taken` titles already has this name."""
    name = facts.name(deck.investigator)
    others = sum(title == name or title.startswith(f"{name} (") for title in taken)
    return f"{name} ({others + 1})" if others else name


def _cards(deck: ArkhamDeck, facts: ArkhamFacts) -> list[tuple[ArkhamCard, int]]:
    """Return the investigator cards in use and all cards in the deck and its extra deck, each with its number of
    copies.

    Placeholders for weaknesses still to be drawn are left out.
    """
    sides = dict.fromkeys((deck.investigator, deck.front, deck.back), 1)
    piles = (*facts.held(sides), *facts.held(deck.cards), *facts.held(deck.extra))
    return [(card, copies) for card, copies in piles if not card.hidden]


def _wanted(card: ArkhamCard, decks: Mapping[str, int], products: Mapping[str, int], facts: ArkhamFacts) -> HeldCard:
    stock: dict[str, int | None] = {}
    for code, copies in copies_by_product(card, products, facts).items():
        name = facts.pack_name(code)
        stock[name] = (stock.get(name) or 0) + copies
    return HeldCard(card.label, tuple(_facts(card, facts)), dict(decks), stock)


def _facts(card: ArkhamCard, facts: ArkhamFacts) -> list[str]:
    """Return the facts that help to find a card in a box: type, class, level, traits, slots and product."""
    kind = " ".join([*sorted(card.classes), card.subtype, card.type]).replace("  ", " ").strip()
    level = f"level {card.level}" if card.level is not None else ""
    traits = ". ".join(sorted(trait.title() for trait in card.traits))
    slots = f"slot: {', '.join(card.slots)}" if card.slots else ""
    return [line for line in (kind, level, traits, slots, facts.pack_name(card.pack)) if line]


def check(files: Sequence[DeckFile], facts: ArkhamFacts, owned: Sequence[str], out: Sequence[str]) -> PartyReport:
    """Check the decks of one group together, and each deck alone. Raises PartyError.

    The group's checks include: all investigators are different; the products in `owned` contain enough copies (name a
    product twice if you own two of it); the basic weaknesses fit in one pool; no investigator is in `out`, the names of
    those who were killed or driven insane.
    """
    named = named_decks(files, facts)
    facts = facts.with_cards_of(*(each.deck for each in named))
    try:
        products = Counter(agreement_of({"owned": owned}, facts).products)
        gone = [CardFinder(facts).find(name, investigator=True).name for name in out]
    except (AgreementError, UnknownName) as error:
        raise PartyError(str(error)) from None
    together = check_party(named, facts, products, gone)
    reports = tuple(check_deck(each.deck, facts, each.file) for each in named)
    return PartyReport(tuple(map(Located, together)), reports)
