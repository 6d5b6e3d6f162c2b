"""The decks of an Arkham Horror table as `kb.decks.party` and `kb.decks.pull` ask for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import NO_FRAME, game_of
from kb.decks.nodes import DeckFileError, DeckProblem
from kb.decks.party import PartyError, PartyReport
from kb.decks.pull import Collection, HeldCard
from kb.decks.report import Located
from kb.games.arkham.decks.adapter import read_framed
from kb.games.arkham.decks.check import check_deck
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.frame import FrameError, frame_of
from kb.games.arkham.decks.json_deck import with_fan_made
from kb.games.arkham.decks.model import Card, Deck
from kb.games.arkham.decks.names import CardFinder, UnknownName
from kb.games.arkham.decks.party import check_party
from kb.games.arkham.decks.products import copies_by_product
from kb.games.arkham.decks.upgrade.campaign import NamedDeck

GAME = "arkham"


def named_decks(
    files: Iterable[DeckFile | DeckFileError], facts: Facts, frame: Mapping[str, Any] = NO_FRAME
) -> list[NamedDeck]:
    """The decks of files (as `kb.decks.reading` reads them), in the frame that options describe.

    Raises PartyError that says what is wrong with each that cannot be read.
    """
    found: list[NamedDeck] = []
    wrong: list[DeckFileError] = []
    for file in files:
        try:
            if isinstance(file, DeckFileError):
                raise file
            if game_of(file).id != GAME:
                problem = DeckProblem(0, "This is done for decks of Arkham Horror: The Card Game only.")
                raise DeckFileError(file.name, [problem])
            found.append(NamedDeck(file.name, *read_framed(file, facts, frame)))
        except DeckFileError as error:
            wrong.append(error)
    if wrong:
        raise PartyError("\n".join(map(str, wrong)))
    return found


def collection(files: Sequence[DeckFile], facts: Facts, owned: Sequence[str]) -> Collection:
    """Investigators, decks and spirit decks; without `owned` one of every product. Raises PartyError."""
    try:
        products = Counter(frame_of({"owned": owned}, facts).products)
    except FrameError as error:
        raise PartyError(str(error)) from None
    titles: dict[str, str] = {}
    wanted: dict[str, Counter[str]] = {}
    decks = named_decks(files, facts)
    facts = with_fan_made(facts, *(each.deck for each in decks))
    for named in decks:
        title = _title(named.deck, facts, titles)
        cards = _cards(named.deck, facts)
        titles[title] = f"{named.deck.name or named.file}, {sum(cards.values())} cards"
        for code, copies in cards.items():
            wanted.setdefault(code, Counter())[title] += copies
    rows = [_wanted(card, decks, products, facts) for code, decks in wanted.items() if (card := facts.card(code))]
    said = "the products named" if products else "one of every product"
    return Collection(titles, tuple(sorted(rows, key=lambda row: row.name)), said)


def _title(deck: Deck, facts: Facts, taken: Mapping[str, str]) -> str:
    """The investigator's name; with a number where several decks have it."""
    card = facts.card(deck.investigator)
    name = card.name if card else deck.investigator
    others = sum(title == name or title.startswith(f"{name} (") for title in taken)
    return f"{name} ({others + 1})" if others else name


def _cards(deck: Deck, facts: Facts) -> Counter[str]:
    """Copies by first printing: the investigator cards in use and all cards; a weakness still to be drawn is none."""
    found: Counter[str] = Counter()
    for code in dict.fromkeys((deck.investigator, deck.front, deck.back)):
        if facts.card(code):
            found[facts.root(code)] += 1
    for pile in (deck.cards, deck.extra):
        for code, copies in pile.items():
            card = facts.card(code)
            if copies > 0 and card is not None and not card.hidden:
                found[card.root] += copies
    return found


def _wanted(card: Card, decks: Mapping[str, int], products: Mapping[str, int], facts: Facts) -> HeldCard:
    stock: dict[str, int | None] = {}
    for code, copies in copies_by_product(card.root, products, facts).items():
        pack = facts.packs.get(code)
        name = pack.name if pack else code
        stock[name] = (stock.get(name) or 0) + copies
    return HeldCard(card.label, tuple(_facts(card, facts)), dict(decks), stock)


def _facts(card: Card, facts: Facts) -> list[str]:
    """Type, class, level, traits and slots: what tells the card apart, nothing of its text."""
    kind = " ".join([*sorted(card.classes), card.subtype, card.type]).replace("  ", " ").strip()
    level = f"level {card.level}" if card.level is not None else ""
    traits = ". ".join(sorted(trait.title() for trait in card.traits))
    slots = f"slot: {', '.join(card.slots)}" if card.slots else ""
    pack = facts.packs.get(card.pack)
    return [line for line in (kind, level, traits, slots, pack.name if pack else "") if line]


def check(files: Sequence[DeckFile], facts: Facts, owned: Sequence[str], out: Sequence[str]) -> PartyReport:
    """Check the decks of one table together, and each by itself. Raises PartyError.

    One of each investigator by name, copies over the products owned (name a product twice when there are two of it), one
    weakness pool, nobody who was killed or driven insane.
    """
    named = named_decks(files, facts)
    facts = with_fan_made(facts, *(each.deck for each in named))
    try:
        products = Counter(frame_of({"owned": owned}, facts).products)
        gone = [CardFinder(facts).find(name, investigator=True).name for name in out]
    except (FrameError, UnknownName) as error:
        raise PartyError(str(error)) from None
    together = check_party([each.deck for each in named], [each.file for each in named], facts, products, gone)
    reports = tuple(check_deck(each.deck, facts, each.file) for each in named)
    return PartyReport(tuple(map(Located, together)), reports)
