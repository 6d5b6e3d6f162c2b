"""Typed records: frozen dataclasses convert and check the values of source files, and mistakes are reported."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from importlib import import_module
from typing import Literal, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.cli.keys import filled, table
from kb.frozen import NOTHING
from kb.games.arkham.schema.options import Special, Wanted
from kb.shapes import Record, build, key, keys
from kb.sources.validation import faults
from tests.conftest import ROOT
from tests.tables import rows_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Record):
    colours: frozenset[str] = key(name="colour", default=frozenset(), small=True)
    """One of these colours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stone(Asked):
    code: str
    """Its number."""
    kind: Literal["", "ruby", "opal"] = ""
    """Its kind."""
    carats: int = key(default=1, ge=1, le=9)
    price: int | Literal["X", ""] | None = ""
    span: tuple[int, int] | None = None
    by_size: Mapping[int, int] = NOTHING
    parts: tuple[Asked, ...] = ()

    def __post_init__(self):
        if self.kind == "opal" and self.carats == 9:
            raise ValueError("an opal is never so heavy")


def test_a_record_becomes_what_its_type_says():
    record = {
        "code": "1",
        "kind": "opal",
        "price": None,
        "span": [1, 2],
        "by_size": {"30": 2},
        "parts": [{"colour": ["Red"]}],
        "colour": ["BLUE"],
    }
    assert faults(Stone, record) == []
    made = build(Stone, record)
    assert (made.kind, made.price, made.span, made.by_size, made.carats) == ("opal", None, (1, 2), {30: 2}, 1)
    assert (made.parts[0].colours, made.colours) == ({"red"}, {"blue"})


def test_missing_keys_and_null_get_the_default():
    record = {"code": "1", "carats": None, "parts": None, "kind": None}
    assert faults(Stone, record) == []
    assert build(Stone, record) == Stone(code="1")


@rows_of("records", "test_what_is_wrong_is_named")
def test_what_is_wrong_is_named(change, said):
    assert faults(Stone, {"code": "1", **change}) == [said]


def test_all_mistakes_are_reported_at_once():
    assert set(faults(Stone, {"carats": 0, "colour": 1})) == {
        "`carats` is 0; it must be a whole number of at least 1",
        "`colour` is 1; it must be a list",
        "`code` is missing",
    }
    assert faults(Stone, ["no", "mapping"]) == ["this is ['no', 'mapping']; it must be a mapping of keys to values"]


def test_the_default_mapping_cannot_be_changed():
    with pytest.raises(TypeError):
        build(Stone, {"code": "1"}).by_size[1] = 1


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(
    st.sampled_from(["code", "kind", "carats", "price", "span", "by_size", "parts", "colour", "x"]) | st.integers(), inner)))  # fmt: skip
def test_any_value_is_read_or_refused(record):
    if not faults(Stone, record):
        assert 1 <= build(Stone, record).carats <= 9


READMES = sorted((ROOT / "cards").glob("*/README.md"))


@pytest.mark.parametrize(
    "path",
    [*READMES, *(ROOT / "site" / "using" / f"{page}.md" for page in ("campaign", "deck-files"))],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_the_tables_of_keys_are_up_to_date(path):
    text = path.read_text("utf-8")
    assert filled(text) == text, f"run: python -m kb.cli.keys {path.relative_to(ROOT)}"


@pytest.mark.extended
@pytest.mark.parametrize("path", READMES, ids=lambda path: path.parent.name)
def test_every_key_of_every_record_has_a_meaning(path):
    """The README of each folder has a table for each record, including records inside records."""
    told = {
        getattr(import_module(module), name)
        for module, name in re.findall(r"<!-- keys: ([\w.]+):(\w+) -->", path.read_text("utf-8"))
    }
    assert told
    for shape in told:
        assert [each.name for each in keys(shape) if f"`{each.name}`" not in table(shape)] == []
        module = import_module(shape.__module__)
        inner = {name for hint in get_type_hints(shape).values() for name in re.findall(r"\.(\w+)", str(hint))}
        inside = {
            found for name in inner if isinstance(found := getattr(module, name, None), type) and is_record(found)
        }
        assert inside <= told | {Special, Wanted}, (
            f"the README has no table for {inside - told}, which {shape.__name__} contains"
        )


def test_a_table_marks_required_keys():
    assert "| **`code`** | text | Its number. |\n" in table(Stone)
    assert "| `kind` | ruby, opal | Its kind. |\n" in table(Stone)


def is_record(found):
    return is_dataclass(found) or hasattr(found, "model_fields")
