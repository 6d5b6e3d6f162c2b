"""Upgrades of real decks with the experience that another checker counts, where that folder is at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kb.games.arkham.decks.json_deck import json_deck
from tests.conftest import SHARED
from tests.games.arkham.decks.upgrade.steps import cost

CASES = sorted((SHARED / "cases/arkham/upgrades").glob("*.json"))


@pytest.mark.skipif(not CASES, reason="the folder with the cases is not here")
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    case: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    expected = case.get("intended_xp_spent", case["expected"].get("intended_xp_spent", case["expected"]["xp_spent"]))
    assert cost(json_deck(case["prev"]), json_deck(case["next"])) == expected
