"""Card facts of every game, read by each game's own loader, and the lookup of cards by a name or code in a text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, cast

from kb import registry
from kb.files.text import slug as slug
from kb.frozen import frozen
from kb.jsonable import OPTIONAL, Jsonable
from kb.sources.own_cards import OwnCards
from kb.sources.problems import Problems, near

Record = dict[str, Any]


@dataclass(slots=True)  # not frozen: tens of thousands are created, and their place is set afterwards
class CardFacts:
    """A card in the catalog's terms. `set` is a set (`rotr`) or pack code, `number` the deck number or level, and
    `counts` says which of the two. `kind` and `position` are its place among the game's records. `own` is the title of
    the user's list that it is from. `spoiler` is the campaign that its name gives away. A `character` is a card with
    the requirements of a deck. If it is not a card of the game (`is_card`), it has no page and no search finds it.
    """

    id: str
    game: str
    set: str
    code: str | None
    name: str
    subtitle: str | None
    type: str | None
    number: str | None
    traits: tuple[str, ...]
    counts: str = "level"
    character: bool = False
    is_card: bool = True
    kind: str = "card"
    position: int = 0
    own: str = ""
    spoiler: str | None = None


@frozen
class FactTable(Jsonable):
    """A table of facts that is shown with a card."""

    title: str
    """The subject of the table."""
    columns: tuple[str, ...]
    """The headings of its columns."""
    rows: tuple[tuple[str, ...], ...]
    """Its rows."""
    instead: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    """Keys of the card that the table replaces."""


@dataclass(slots=True)
class LoadedCards:
    """All records under `cards/` by game and kind, and the cards and characters among them."""

    records: dict[str, dict[str, list[Record]]] = field(default_factory=dict)
    cards: list[CardFacts] = field(default_factory=list)
    characters: list[CardFacts] = field(default_factory=list)


class CardsPart(Protocol):
    """Protocol of the part `cards`, for games with records in `cards/<id>/`."""

    def load(self, root: Path, problems: Problems, imported: Path | None, /) -> dict[str, list[Record]]:
        """Return validated records by kind from `root`/<id> (`root` is the folder `cards`); problems go to `problems`.

        The user's own records below `imported`/<id> replace those shipped, if the game supports such an import.
        """

    def facts(self, kind: str, record: Record) -> CardFacts | None:
        """Return a record as a row of catalog and search; None if it is neither a card nor a character.

        A game that supports the user's own cards also has `own` (kb.sources.own_cards.OwnCards).
        """


class CardTables(Protocol):
    """Protocol of the part `tables`, for games whose cards are best shown in tables."""

    def tables(self, card: Record, records: Callable[[str], list[Record]], /) -> Iterable[FactTable]:
        """Yield the tables of a card; `records(kind)` returns the records of the game."""


def cards_of(game: str) -> CardsPart | None:
    """Return the game's part that reads its cards; None if it has none."""
    return cast("CardsPart | None", registry.part(game, "cards"))


def load_facts(root: Path, problems: Problems, own: Path | None = None) -> LoadedCards:
    """Read `cards/` and the user's own imports below `own`; all problems go to `problems`."""
    from kb.sources.own import own_records  # which needs this module

    facts = LoadedCards()
    for top in (root, *(folder / "cards" for folder in registry.sources())):
        for folder in sorted(top.iterdir()) if top.is_dir() else ():
            if not folder.is_dir() or folder.name in facts.records:
                continue
            part = cards_of(folder.name)
            if part is None:
                problems.add(folder, 0, f"no game reads cards from here: kb knows no game {folder.name!r} with cards")
                continue
            records = part.load(top, problems, own)
            if own is not None and (brought := own_part(part)) is not None:
                records = records | own_records(folder.name, brought, records, own, problems)
            facts.records[folder.name] = records
            for kind, listed in records.items():
                for position, record in enumerate(listed):
                    note(part, kind, position, record, facts)
    return facts


def note(part: CardsPart, kind: str, position: int, record: Record, facts: LoadedCards) -> None:
    """Add a record that is a card or a character to `facts`."""
    if loaded := part.facts(kind, record):
        loaded.kind, loaded.position = kind, position
        if loaded.is_card:
            facts.cards.append(loaded)
        if loaded.character:
            facts.characters.append(loaded)


def tables_of(card: Record, records: Callable[[str], list[Record]]) -> list[FactTable]:
    """Return the tables that a game shows with one of its cards; none for games without tables."""
    part = cast("CardTables | None", registry.part(str(card["game"]), "tables"))
    return list(part.tables(card, records)) if part else []


def own_part(part: CardsPart | None) -> OwnCards | None:
    """Return the game's part for the user's own cards; None if it has none."""
    return cast("OwnCards | None", getattr(part, "own", None))


class CardNames:
    """Finds the card meant by a name or code in an entry."""

    def __init__(self, cards: Iterable[CardFacts]) -> None:
        self._games: dict[str, dict[str, list[CardFacts]]] = {}
        for card in cards:
            by_key = self._games.setdefault(card.game, {})
            for key in {slug(card.name), (card.code or "").casefold()} - {""}:
                by_key.setdefault(key, []).append(card)

    def find_all(self, name: str, from_id: str) -> list[str]:
        """Return ids of the cards called `name` (or with that code) in the game of the entry `from_id`: those of the
        entry's own set if there are any, or else of every set.
        """
        parts = from_id.split("/")
        by_key = self._games.get(parts[0], {})
        cards = by_key.get(name.casefold()) or by_key.get(slug(name)) or []
        own = [card for card in cards if card.set in parts[1:]]
        return [card.id for card in own or cards]

    def find(self, name: str, from_id: str) -> str | None:
        """Return the id of the card called `name` (or with that code) that an entry most likely means, or None."""
        return next(iter(self.find_all(name, from_id)), None)

    def hint(self, name: str, from_id: str) -> str:
        """Return `; did you mean …?` if a card's name is similar, or else an empty string."""
        by_key = self._games.get(from_id.split("/")[0], {})
        return near(name, (listed[0].name for listed in by_key.values()), least=0.75)
