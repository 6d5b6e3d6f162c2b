"""The card facts of every game, read by the game's own loader, and the lookup of cards by name or code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, cast

from kb import registry
from kb.files.text import slug as slug
from kb.frozen import frozen
from kb.shapes import Jsonable, key
from kb.sources.own_cards import OwnCards
from kb.sources.problems import Problems, near

Record = dict[str, Any]


@dataclass(slots=True)  # not frozen: tens of thousands are created, and their place is set afterwards
class CardFacts:
    """A card or character as a row of the catalog.

    `set` is the code of a set (`rotr`) or pack. `number` is the deck number or the level, and `counts` says which of
    the two. `kind` and `position` locate its record among the game's records. `own` is the title of the user's imported
    list that contains it. `spoiler` is the campaign that its name gives away. A `character` defines what decks may
    contain. If `is_card` is False, the record is not one of the game's cards: it has no page, and no search finds it.
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
    """The headings of the columns."""
    rows: tuple[tuple[str, ...], ...]
    """The rows, each with a text for each column."""
    instead: tuple[str, ...] = key("optional", default=())
    """Keys of the card's facts that the table replaces."""


@dataclass(slots=True)
class LoadedCards:
    """All records under `cards/` by game and kind, and the cards and characters made from them."""

    records: dict[str, dict[str, list[Record]]] = field(default_factory=dict)
    cards: list[CardFacts] = field(default_factory=list)
    characters: list[CardFacts] = field(default_factory=list)


class CardsPart(Protocol):
    """Protocol of a game's `cards` part, for games with records in `cards/<id>/`."""

    def load(self, root: Path, problems: Problems, imported: Path | None, /) -> dict[str, list[Record]]:
        """Return the validated records below `root`/<id>, by kind (`root` is the `cards` folder). Problems are added to
        `problems`.

        The user's own records below `imported`/<id> replace those that kb ships, if the game supports such an import.
        """

    def facts(self, kind: str, record: Record) -> CardFacts | None:
        """Convert a record to a row of the catalog. Return None if the record is neither a card nor a character.

        A game that supports the user's own cards also has an `own` attribute (kb.sources.own_cards.OwnCards).
        """


class CardTables(Protocol):
    """Protocol of a game's `tables` part, for games whose cards are best shown in tables."""

    def tables(self, card: Record, records: Callable[[str], list[Record]], /) -> Iterable[FactTable]:
        """Yield the tables to show with a card. `records(kind)` returns the game's records of one kind."""


def cards_of(game: str) -> CardsPart | None:
    """Return the game's `cards` part, which reads its cards. None if the game has no such part."""
    return cast("CardsPart | None", registry.part(game, "cards"))


def load_facts(root: Path, problems: Problems, own: Path | None = None) -> LoadedCards:
    """Read all card facts below `root` (the `cards` folder) and the user's own imports below `own`. Problems are added
    to `problems`.
    """
    from kb.sources.own import own_records  # which needs this module

    facts = LoadedCards()
    for top in (root, *(folder / "cards" for folder in registry.sources())):
        for folder in sorted(top.iterdir()) if top.is_dir() else ():
            if not folder.is_dir() or folder.name in facts.records:
                continue
            part = cards_of(folder.name)
            if part is None:
                problems.add(folder, 0, f"kb has no game {folder.name!r} with cards, so nothing reads this folder")
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
    """Add `record` to the cards or characters of `facts`, if it is one. `position` is its position among the records of
    its kind.
    """
    if loaded := part.facts(kind, record):
        loaded.kind, loaded.position = kind, position
        if loaded.is_card:
            facts.cards.append(loaded)
        if loaded.character:
            facts.characters.append(loaded)


def tables_of(card: Record, records: Callable[[str], list[Record]]) -> list[FactTable]:
    """Return the tables that a game shows with one of its cards. Empty for games without such tables."""
    part = cast("CardTables | None", registry.part(str(card["game"]), "tables"))
    return list(part.tables(card, records)) if part else []


def own_part(part: CardsPart | None) -> OwnCards | None:
    """Return the `own` attribute of a game's `cards` part, which supports the user's own cards. None if there is no
    such attribute.
    """
    return cast("OwnCards | None", getattr(part, "own", None))


class CardNames:
    """Finds cards by a name or code that an entry uses."""

    def __init__(self, cards: Iterable[CardFacts]) -> None:
        self._games: dict[str, dict[str, list[CardFacts]]] = {}
        for card in cards:
            by_key = self._games.setdefault(card.game, {})
            for name in {slug(card.name), (card.code or "").casefold()} - {""}:
                by_key.setdefault(name, []).append(card)

    def find_all(self, name: str, from_id: str) -> list[str]:
        """Return the ids of the cards whose name or code is `name`, in the game of the entry `from_id`.

        Cards of the entry's own set are preferred: other sets count only if that set has no such card.
        """
        parts = from_id.split("/")
        by_key = self._games.get(parts[0], {})
        cards = by_key.get(name.casefold()) or by_key.get(slug(name)) or []
        own = [card for card in cards if card.set in parts[1:]]
        return [card.id for card in own or cards]

    def find(self, name: str, from_id: str) -> str | None:
        """Return the id of the card that the entry `from_id` most likely means by `name` (a name or code). None if
        there is none.
        """
        return next(iter(self.find_all(name, from_id)), None)

    def hint(self, name: str, from_id: str) -> str:
        """Return `; did you mean …?` with the most similar name of a card. Empty if no name is similar."""
        by_key = self._games.get(from_id.split("/")[0], {})
        return near(name, (listed[0].name for listed in by_key.values()), least=0.75)
