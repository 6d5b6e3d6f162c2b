"""Finds the cards of several Pathfinder decks in the products that the players own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kb.decks import nodes
from kb.decks.deckfile import DeckFile
from kb.decks.names import name_key
from kb.decks.nodes import DeckFileError, Scalar
from kb.decks.party import Collection, HeldCard, PartyError, UnreadableDecksError
from kb.games.pathfinder.decks.deck import PathfinderDeck
from kb.games.pathfinder.decks.deckfile import DeckReader, read_deck
from kb.games.pathfinder.decks.facts import ADVENTURES, SET_TITLES, Facts, PathfinderCard, product_title
from kb.plural import counted


def collection(files: Sequence[DeckFile], facts: Facts, owned: Sequence[str]) -> Collection:
    """Return the cards of all decks in `files`, with the copies in the decks and in the products owned.

    `owned` names the products. If `owned` is empty, the products are those that the decks list under `owns:`, or all
    products if a deck has no `owns:`. Raises PartyError for a deck that cannot be read, and for an unknown product.
    """
    decks = readable_decks(files, facts)
    products = _products(owned, decks, facts)
    titles: dict[str, str] = {}
    wanted: dict[PathfinderCard, Counter[str]] = {}
    for deck in decks:
        others = sum(title.split(" (")[0] == deck.character.name for title in titles)
        title = f"{deck.character.name} ({others + 1})" if others else deck.character.name
        titles[title] = f"{SET_TITLES[deck.set]}, adventure {deck.adventure}, {counted(len(deck.cards), 'card')}"
        for card in deck.cards:
            wanted.setdefault(card, Counter())[title] += 1
    rows = [
        HeldCard(card.name, tuple(_facts(card)), dict(by), _stock(card, products, facts)) for card, by in wanted.items()
    ]
    scope = "every product" if products is None else "the products named"
    return Collection(titles, tuple(sorted(rows, key=lambda row: row.name)), scope)


def readable_decks(files: Sequence[DeckFile], facts: Facts) -> list[PathfinderDeck]:
    """Return the decks in `files`. Raises PartyError with the problems of all files that cannot be read."""
    decks: list[PathfinderDeck] = []
    wrong: list[DeckFileError] = []
    for file in files:
        try:
            decks.append(read_deck(file, facts))
        except DeckFileError as error:
            wrong.append(error)
    if wrong:
        raise UnreadableDecksError(wrong)
    return decks


def _products(owned: Sequence[str], decks: Sequence[PathfinderDeck], facts: Facts) -> frozenset[str] | None:
    """Return the products owned, as named in `owned` or else in the decks; None if a deck does not list any.

    If `owned` names a set, all its products are included. Raises PartyError for an unknown product.
    """
    named = tuple(Scalar(part.strip(), 0) for name in owned for part in name.split(",") if part.strip())
    if not named:
        owned_by_deck = [deck.owns for deck in decks if deck.owns is not None]
        return frozenset[str]().union(*owned_by_deck) if owned_by_deck and len(owned_by_deck) == len(decks) else None
    reader = DeckReader(nodes.Mapping(((Scalar("owns", 0), nodes.Sequence(named, 0)),), 0), facts)
    products = reader.products("owns") or frozenset()
    if reader.problems:
        raise PartyError(reader.problems[0].message)
    return products | {*ADVENTURES, "C"} if products & SET_TITLES.keys() else products


def _stock(card: PathfinderCard, products: frozenset[str] | None, facts: Facts) -> dict[str, int | None]:
    """Return the number of copies of `card` in each product owned. A number is None if no source gives it.

    For a card that the user made, the product is the user's card data. If the user entered more copies of a card than
    the products contain, the other copies are under `Your collection`.
    """
    at = card.set, name_key(card.name)
    stock: dict[str, int | None] = {}
    if card.class_deck is None:
        for product, copies in card.copies or (((card.deck, None),) if card.deck else ()):
            if products is None or product in products:
                set_title = SET_TITLES.get(card.set, card.set)
                where = f"Your own cards: {card.own}" if card.own else f"{set_title}: {product_title(product)}"
                stock[where] = copies
        if at in facts.owned:
            left, counted = facts.owned[at], dict(stock)
            stock = {}
            for where, copies in counted.items():
                if copies is not None and left > 0:
                    stock[where] = min(copies, left)
                    left -= min(copies, left)
            if left:
                stock["Your collection"] = left
    if products is None or "class decks" in products:
        for each in dict.fromkeys([*([card] if card.class_deck else []), *facts.class_printings.get(at, ())]):
            copies = sum(number or 0 for _, number in each.copies) if each.copies else None
            stock[f"{each.class_deck} Class Deck"] = copies
    return stock


def _facts(card: PathfinderCard) -> list[str]:
    """Return the facts that identify a card: type, deck number, traits, loot, Owner and set, each as a text."""
    marks = ["loot"] if card.loot else []
    marks += [f"owner: {card.owner}"] if card.owner else []
    lines = (card.type or "", f"deck {card.deck}" if card.deck else "", ", ".join(card.traits or ()), ", ".join(marks))
    return [line for line in (*lines, SET_TITLES.get(card.set, "")) if line]
