"""A catalog that is held packed says what the catalog says."""

from __future__ import annotations

import gc
import json
import weakref
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from kb.catalog import held
from kb.catalog.held import Cards, Entries, Records, held_cards, held_entries, held_records
from kb.catalog.reader import Catalog, EntryView
from kb.catalog.store import open_catalog


@pytest.fixture
def catalog(real: Path) -> Any:
    with open_catalog() as found:
        yield found


def test_entries_are_the_catalogs(catalog: Catalog) -> None:
    entries = held_entries(catalog)
    told = {entry.id: entry for entry in catalog.entries()}
    assert list(entries) == list(told)
    names = [field.name for field in fields(EntryView)]
    for entry in reversed(told.values()):
        assert [getattr(entries[entry.id], name) for name in names] == [getattr(entry, name) for name in names]
        assert entries[entry.id].listed("asked") == entry.listed("asked")
    of_luxor = entries.only(lambda entry: entry.game == "luxor")
    assert set(of_luxor) == {entry for entry in told if entry.startswith("luxor/")}
    assert "arkham/glossary/hunter" in entries
    assert "arkham/glossary/hunter" not in of_luxor


def test_who_reads_a_text_is_told_of_and_of_nothing_else(catalog: Catalog) -> None:
    entries = held_entries(catalog)
    read: list[str] = []
    entries.bodies.read = read.append
    entry = entries["arkham/glossary/hunter"]
    assert entry.title
    assert entry.listed("asked")
    assert read == []
    assert entry.body == catalog.entry(entry.id).body  # type: ignore[union-attr]
    assert read == [entry.id]


def test_cards_and_records_are_the_catalogs(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "KEPT", 7)
    cards = held_cards(catalog)
    told = {str(card["id"]): card for card in catalog.all_cards()}
    assert list(cards) == list(told)
    assert dict(cards) == told
    assert [list(card) for card in cards.values()] == [list(card) for card in told.values()]
    assert list(cards.of_game("pathfinder")) == [card for card in told.values() if card["game"] == "pathfinder"]
    assert set(cards.only(lambda card: card.endswith("0"))) == {card for card in told if card.endswith("0")}
    by_id = [card["id"] for card in catalog.all_cards(game="arkham", by_id=True)]
    assert by_id == sorted(card for card in told if card.startswith("arkham/"))
    for game, kind in catalog.kinds():
        records = held_records(catalog, game, kind)
        assert list(records) == catalog.records(game, kind)
        assert records[-1] == catalog.records(game, kind)[-1]
        assert records[1:3] == catalog.records(game, kind)[1:3]


def test_records_are_found_by_a_key_the_last_of_several() -> None:
    given = [{"code": "b", "n": 1}, {"code": "a", "n": 2}, {"code": "b", "n": 3}]
    found = Records(map(json.dumps, given)).by("code")
    assert dict(found) == {record["code"]: record for record in given}
    assert list(found) == ["b", "a"]
    assert "c" not in found
    with pytest.raises(KeyError):
        found["c"]
    with pytest.raises(IndexError):
        Records(())[0]


def test_what_nobody_has_any_more_goes_at_once(catalog: Catalog) -> None:
    gc.disable()
    try:
        for make in (held_cards, held_entries):
            made: Cards | Entries = make(catalog)
            some = next(iter(made.values()))
            assert some["name"] if isinstance(some, dict) else some.body
            seen = weakref.ref(made)
            texts = weakref.ref(made.bodies.texts if isinstance(made, Entries) else made._texts)
            del made, some
            assert seen() is None
            assert texts() is None
    finally:
        gc.enable()


def test_nothing_is_held_as_nothing() -> None:
    assert dict(Entries()) == dict(Cards(())) == {}
    assert list(Records(())) == []
