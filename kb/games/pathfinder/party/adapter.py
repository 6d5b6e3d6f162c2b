"""The decks of a Pathfinder table as `kb.decks.party` asks for them: judged together, and rebuilt between scenarios."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from kb.decks.deckfile import DeckFile
from kb.decks.names import did_you_mean, name_key
from kb.decks.nodes import DeckFileError
from kb.decks.party import PartyError, PartyReport, Rebuilding
from kb.decks.pull import Collection, HeldCard
from kb.decks.report import Located
from kb.games.pathfinder.decks.adapter import check_deck
from kb.games.pathfinder.decks.deckfile import PRODUCT_HINT, product_names, read_deck
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import ADVENTURES, SET_TITLES, Card, Deck, product_title
from kb.games.pathfinder.party.checks import check_party, judge
from kb.games.pathfinder.party.rebuild import rebuild_party
from kb.games.pathfinder.party.serialize import as_json, deck_file, steps
from kb.games.pathfinder.party.table import read_table


def collection(files: Sequence[DeckFile], facts: Facts, owned: Sequence[str]) -> Collection:
    """The cards of decks. What is owned is what `owned` says, else what all decks say (`owns:`), else everything.

    Raises PartyError for decks that cannot be read, and for a product that nobody knows.
    """
    decks = readable_decks(files, facts)
    products = _products(owned, decks)
    titles: dict[str, str] = {}
    wanted: dict[Card, Counter[str]] = {}
    for deck in decks:
        others = sum(title.split(" (")[0] == deck.character.name for title in titles)
        title = f"{deck.character.name} ({others + 1})" if others else deck.character.name
        titles[title] = f"{SET_TITLES[deck.set]}, adventure {deck.adventure}, {len(deck.cards)} cards"
        for card in deck.cards:
            wanted.setdefault(card, Counter())[title] += 1
    rows = [
        HeldCard(card.name, tuple(_facts(card)), dict(by), _stock(card, products, facts)) for card, by in wanted.items()
    ]
    said = "every product" if products is None else "the products named"
    return Collection(titles, tuple(sorted(rows, key=lambda row: row.name)), said)


def readable_decks(files: Sequence[DeckFile], facts: Facts) -> list[Deck]:
    """The decks of several files. Raises PartyError, which tells what is wrong with each that cannot be read."""
    decks: list[Deck] = []
    wrong: list[str] = []
    for file in files:
        try:
            decks.append(read_deck(file, facts))
        except DeckFileError as error:
            wrong.append(str(error))
    if wrong:
        raise PartyError("\n".join(wrong))
    return decks


def _products(owned: Sequence[str], decks: Sequence[Deck]) -> frozenset[str] | None:
    """What is owned: products, and sets for all of their products; None when nothing says so."""
    names = [part.strip() for name in owned for part in name.split(",") if part.strip()]
    if not names:
        said = [deck.owns for deck in decks if deck.owns is not None]
        return frozenset[str]().union(*said) if said and len(said) == len(decks) else None
    known = product_names()
    found = {"B", "1"}
    for name in names:
        product = known.get(name_key(name))
        if product is None:
            hint = did_you_mean(name, known) or f" {PRODUCT_HINT}"
            raise PartyError(f"There is no product {name!r}.{hint}")
        found |= {*ADVENTURES, "C", product} if product in SET_TITLES else {product}
    return frozenset(found)


def _stock(card: Card, products: frozenset[str] | None, facts: Facts) -> dict[str, int | None]:
    """Copies by product owned; of Class Decks that a deck file describes, and where a source is silent, nobody knows how many.

    An own card lies with the list that names it. Where the user has told how many copies there are, what the products do not hold of
    them lies somewhere else.
    """
    at = card.set, name_key(card.name)
    found: dict[str, int | None] = {}
    if card.class_deck is None:
        for product, copies in card.copies or (((card.deck, None),) if card.deck else ()):
            if products is None or product in products:
                set_title = SET_TITLES.get(card.set, card.set)
                where = f"Your own cards: {card.own}" if card.own else f"{set_title}: {product_title(product)}"
                found[where] = copies
        if at in facts.owned:
            left, counted = facts.owned[at], dict(found)
            found = {}
            for where, copies in counted.items():
                if copies is not None and left > 0:
                    found[where] = min(copies, left)
                    left -= min(copies, left)
            if left:
                found["Your collection"] = left
    if products is None or "class decks" in products:
        for each in dict.fromkeys([*([card] if card.class_deck else []), *facts.class_printings.get(at, ())]):
            copies = sum(number or 0 for _, number in each.copies) if each.copies else None
            found[f"{each.class_deck} Class Deck"] = copies
    return found


def _facts(card: Card) -> list[str]:
    """Type, deck number, traits, loot and owner: what tells the card apart, nothing of its text."""
    marks = ["loot"] if card.loot else []
    marks += [f"owner: {card.owner}"] if card.owner else []
    lines = (card.type or "", f"deck {card.deck}" if card.deck else "", ", ".join(card.traits or ()), ", ".join(marks))
    return [line for line in (*lines, SET_TITLES.get(card.set, "")) if line]


def rebuild(file: DeckFile, facts: Facts, fill: bool) -> Rebuilding:
    """Rebuild the decks of the table that a file describes. Raises DeckFileError."""
    read = read_table(file, facts)
    rebuilt = None if read.strangers else rebuild_party(read.table, facts, fill)
    found, told = judge(read, rebuilt, facts), as_json(read.table, rebuilt)
    if rebuilt is None:
        return Rebuilding(file.name, found, told=told)
    decks = {member.name: deck_file(member, read.table, rebuilt) for member in read.table.members}
    return Rebuilding(file.name, found, tuple(steps(read.table, rebuilt)), decks, told)


def example() -> str:
    """A table after a scenario in which somebody died."""
    return Path(__file__).with_name("example.yaml").read_text(encoding="utf-8")


def check(files: Sequence[DeckFile], facts: Facts, owned: Sequence[str], out: Sequence[str]) -> PartyReport:
    """Check the decks of one table by themselves and together. Raises PartyError."""
    if owned or out:
        raise PartyError(
            "--owned and --out are not for Pathfinder; list the products owned under `owns:` in a deck file."
        )
    decks = readable_decks(files, facts)
    reports = tuple(check_deck(deck, facts, file.name) for deck, file in zip(decks, files, strict=True))
    return PartyReport(tuple(map(Located, check_party(decks, facts))), reports)
