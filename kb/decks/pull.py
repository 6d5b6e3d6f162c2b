"""Which cards of several decks to take from which product of one collection, and which there are too few of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypedDict, cast

from kb import registry
from kb.decks.deckfile import DeckFile
from kb.decks.games import Desk, game_of
from kb.decks.nodes import DeckFileError
from kb.decks.party import PartyError, readable


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card that decks hold.

    name: as people know it; facts: what is printed on a stand-in for it, line by line; decks: copies by deck; stock: copies
    by product owned, None where nobody knows how many.
    """

    name: str
    facts: tuple[str, ...]
    decks: Mapping[str, int]
    stock: Mapping[str, int | None]

    @property
    def copies(self) -> int:
        """Copies in all decks."""
        return sum(self.decks.values())


@dataclass(frozen=True, slots=True)
class Collection:
    """Decks by their titles (with a line on each), the cards they want, and what is said of the products owned."""

    decks: Mapping[str, str]
    cards: tuple[HeldCard, ...]
    owned: str


@dataclass(frozen=True, slots=True)
class Take:
    """Copies of a card to take from a product, and for which decks. uncertain: nobody knows whether it has so many."""

    card: HeldCard
    copies: int
    decks: Mapping[str, int]
    uncertain: bool = False


@dataclass(frozen=True, slots=True)
class Pull:
    """What to take from each product, and what no product has: those copies are to be shared or replaced."""

    collection: Collection
    products: Mapping[str, tuple[Take, ...]]
    missing: tuple[Take, ...]

    @property
    def copies(self) -> int:
        """Cards that are taken."""
        return sum(take.copies for takes in self.products.values() for take in takes)


class TakeJson(TypedDict):
    """Copies of a card to take from a product."""

    card: str
    """The card."""
    copies: int
    """How many."""
    decks: dict[str, int]
    """For which decks, by their titles."""
    uncertain: bool
    """Nobody knows whether the product has so many."""


class PullJson(TypedDict):
    """Which cards of several decks to take from which product."""

    decks: dict[str, str]
    """The decks by their titles, with a line on each."""
    owned: str
    """Which products are taken to be owned, in words."""
    products: dict[str, list[TakeJson]]
    """What to take from each product, the first to open first."""
    missing: list[TakeJson]
    """What no product has: copies to be shared or replaced."""


def pull_json(pulled: Pull) -> PullJson:
    """A pull list as JSON."""
    return {
        "decks": dict(pulled.collection.decks),
        "owned": pulled.collection.owned,
        "products": {product: _takes(takes) for product, takes in pulled.products.items()},
        "missing": _takes(pulled.missing),
    }


def _takes(takes: Sequence[Take]) -> list[TakeJson]:
    return [
        {"card": take.card.name, "copies": take.copies, "decks": dict(take.decks), "uncertain": take.uncertain}
        for take in takes
    ]


class Pulling(Protocol):
    """What the part `party` of a game offers whose cards come in products. `facts` is what its part `decks` made of the records."""

    def collection(self, files: Sequence[DeckFile], facts: Any, owned: Sequence[str]) -> Collection:
        """The cards of decks with the products that hold them. Raises DeckFileError, and PartyError for unknown products."""


def pulling_of(game: str) -> Pulling | None:
    """That part of a game; None when its cards come in no products that are known."""
    found = registry.part(game, "party")
    return cast(Pulling, found) if hasattr(found, "collection") else None


def pull_together(found: Iterable[DeckFile | DeckFileError], desk: Desk, owned: Sequence[str]) -> Pull:
    """The pull list of several decks. Raises DeckFileError, and PartyError for decks that cannot be read, of several games, or of one
    whose products nobody knows."""
    decks = readable(found)
    games = {game_of(file).id: game_of(file).title for file in decks}
    if len(games) != 1:
        raise PartyError(f"The decks are of {' and '.join(games.values())}; one game has one collection.")
    ((game, title),) = games.items()
    part = pulling_of(game)
    if part is None:
        raise PartyError(f"Which products hold the cards of {title} is not known here.")
    return pull(part.collection(decks, desk(game)[1], owned))


def pull(collection: Collection) -> Pull:
    """From the products that have most of the cards first, so that few have to be opened; the decks are served in their order."""
    supply: dict[str, int] = {}
    for card in collection.cards:
        for product, there in card.stock.items():
            supply[product] = supply.get(product, 0) + min(card.copies, card.copies if there is None else there)
    ranked = sorted(supply, key=lambda product: -supply[product])
    products: dict[str, list[Take]] = {product: [] for product in ranked}
    missing: list[Take] = []
    for card in collection.cards:
        left = {deck: copies for deck, copies in card.decks.items() if copies > 0}
        # products of which the number of copies is known come first: the others may not have any more
        for product in sorted(card.stock, key=lambda each: (card.stock[each] is None, ranked.index(each))):
            there = card.stock[product]
            number = sum(left.values()) if there is None else min(there, sum(left.values()))
            if number:
                products[product].append(Take(card, number, _served(left, number), there is None))
        if left:
            missing.append(Take(card, sum(left.values()), dict(left)))
    full = {product: tuple(takes) for product, takes in products.items() if takes}
    return Pull(collection, full, tuple(missing))


def _served(left: dict[str, int], number: int) -> dict[str, int]:
    """Take so many copies off what the decks still want, the first deck first."""
    served: dict[str, int] = {}
    for deck in list(left):
        take = min(left[deck], number)
        if take:
            served[deck] = take
            number -= take
            left[deck] -= take
        if not left[deck]:
            del left[deck]
    return served
