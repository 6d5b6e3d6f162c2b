"""These tests name cards, so that they can be read; codes stand only where a file format holds them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.games.arkham.decks.conftest import CODE, FACTS, named

HERE = Path(__file__).parent
FORMATS = {"test_json_deck.py", "test_text_decks.py", "test_writers.py"}
NAMELESS = {"01104", "01121b", "08011b", "89005"}  # scenario cards and printings that a name does not tell apart
FILES = sorted(path for path in HERE.rglob("*.py") if path.name not in FORMATS | {Path(__file__).name})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_cards_are_named(path: Path) -> None:
    constants = [
        node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Constant)
    ]
    codes = {each.value for each in constants if isinstance(each.value, str) and CODE.fullmatch(each.value)}
    assert {code for code in codes - NAMELESS if FACTS.card(code)} == set()


def test_a_card_is_found_by_what_deck_files_say() -> None:
    assert named("Machete") == named("01020") == "01020"
    assert named("Shrivelling (3)") == "02154"
    assert named("Machete (rcore)") == "01520"
    assert named("Roland Banks") == "01001"
