"""The contents of a catalog held packed: what a whole site is made of is in reach, and a tenth of it in memory.

Records and the texts of entries are unpacked when they are asked for. What was asked for last is kept for a while.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache, partial
from typing import Any, overload

from kb.catalog.reader import Catalog, EntryView
from kb.files.packed import Texts

Record = dict[str, Any]

KEPT = 1_000
"""How many records, and fields of how many entries, are kept unpacked."""


class Records(Sequence[Record]):
    """Records in their order, each given as JSON."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = Texts(texts)

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, at: int) -> Record: ...
    @overload
    def __getitem__(self, at: slice) -> list[Record]: ...
    def __getitem__(self, at: int | slice) -> Record | list[Record]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        return fields_in(self.texts, range(len(self))[at])

    def __iter__(self) -> Iterator[Record]:
        return map(json.loads, self.texts)

    def by(self, key: str) -> Mapping[str, Record]:
        """The records by what stands in them under a key; of several with the same the last."""
        return Named({str(record[key]): number for number, record in enumerate(self)}, self.texts)


class Named(Mapping[str, Record]):
    """Records by a name. None that is asked for is to be changed."""

    def __init__(self, numbers: dict[str, int], texts: Texts) -> None:
        """`numbers` says where the record of a name stands among `texts`."""
        self._numbers, self._texts = numbers, texts
        self._record = lru_cache(KEPT)(partial(fields_in, texts))

    def __getitem__(self, name: str) -> Record:
        return self._record(self._numbers[name])

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


class Cards(Named):
    """Cards by id: each is a record with its id, game, set, number (deck or level), and copies that the user owns, if any."""

    def __init__(self, rows: Iterable[tuple[str, str]]) -> None:
        """`rows` are ids and records as JSON."""
        numbers, texts = {}, Texts()
        for number, (card, text) in enumerate(rows):
            numbers[card] = number
            texts.add(text)
        texts.close()
        super().__init__(numbers, texts)

    def of_game(self, game: str) -> Iterator[Record]:
        """The cards of a game, whose ids begin with the game's."""
        return (self[card] for card in self._numbers if card.startswith(f"{game}/"))

    def only(self, wanted: Callable[[str], bool]) -> Cards:
        """Those whose ids are wanted."""
        found = copy(self)
        found._numbers = {card: number for card, number in self._numbers.items() if wanted(card)}
        return found


class Bodies:
    """The texts and fields of entries, packed. `read` is told of each entry whose text is asked for."""

    def __init__(self) -> None:
        self.texts = Texts()
        self.read: Callable[[str], None] | None = None
        self.fields = lru_cache(KEPT)(partial(fields_in, self.texts))

    def body(self, entry: HeldEntry) -> str:
        """The text of an entry."""
        if self.read:
            self.read(entry.id)
        return self.texts[entry.number]


class HeldEntry(EntryView):
    """An entry whose `body` and `data` are unpacked when they are asked for."""

    __slots__ = ("_bodies", "number")
    number: int
    _bodies: Bodies

    def __init__(self, plain: Mapping[str, Any], bodies: Bodies, number: int) -> None:
        """`plain` are the other fields, `number` is the place of its text among `bodies`, and its fields come next."""
        for name, value in (*plain.items(), ("_bodies", bodies), ("number", number)):
            object.__setattr__(self, name, value)

    @property
    def body(self) -> str:
        """The text in Markdown."""
        return self._bodies.body(self)

    @property
    def data(self) -> dict[str, Any]:
        """The fields of the front matter; not to be changed."""
        return self._bodies.fields(self.number + 1)


class Entries(Mapping[str, EntryView]):
    """Entries by id, in reading order."""

    def __init__(self, rows: Iterable[tuple[Mapping[str, Any], str, str]] = ()) -> None:
        """`rows` are the plain fields of an entry, its text, and its `data` as JSON."""
        self.bodies = Bodies()
        self._entries: dict[str, EntryView] = {}
        told: dict[Any, Any] = {}  # what many entries say is held once
        for plain, body, data in rows:
            number = len(self.bodies.texts)
            self.bodies.texts.add(body)
            self.bodies.texts.add(data)
            once = {name: told.setdefault(value, value) for name, value in plain.items()}
            self._entries[plain["id"]] = HeldEntry(once, self.bodies, number)
        self.bodies.texts.close()

    def __getitem__(self, entry: str) -> EntryView:
        return self._entries[entry]

    def __contains__(self, entry: object) -> bool:
        return entry in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def only(self, wanted: Callable[[EntryView], bool]) -> Entries:
        """Those that are wanted."""
        found = copy(self)
        found._entries = {key: entry for key, entry in self._entries.items() if wanted(entry)}
        return found


def fields_in(texts: Texts, number: int) -> dict[str, Any]:
    """What one of some texts says as JSON. No method: who remembers what it gave does not keep all the rest with it."""
    found: dict[str, Any] = json.loads(texts[number])
    return found


def held_cards(catalog: Catalog) -> Cards:
    """All cards of a catalog."""
    return Cards(catalog.card_texts())


def held_records(catalog: Catalog, game: str, kind: str) -> Records:
    """The records of a game of one kind."""
    return Records(catalog.record_texts(game, kind))


def held_entries(catalog: Catalog) -> Entries:
    """All entries of a catalog."""
    return Entries(catalog.entry_texts())
