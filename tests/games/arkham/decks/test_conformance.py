"""The verdicts of another checker on real decks: ours agrees, or differs where the rules differ."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kb.games.arkham.decks.check import check_deck
from kb.games.arkham.decks.json_deck import json_deck
from tests.conftest import SHARED
from tests.games.arkham.decks.conftest import FACTS

FAMILIES = {
    "TOO_FEW_CARDS": {"count"}, "TOO_MANY_CARDS": {"count"}, "INVALID_CARD_COUNT": {"copies"}, "FORBIDDEN": {"access"},
    "INVALID_DECK_OPTION": {"access", "required"}, "DECK_REQUIREMENTS_NOT_MET": {"required"}, "INVALID_INVESTIGATOR": {"choice"},
}  # fmt: skip
CASES = sorted((SHARED / "cases/arkham/validation").glob("*.json"))
# the other checker counts the spirit deck's missing signature only once, we also say that its size is wrong
SIZE_SAID_TWICE = {"extra_slots_valid__extra_deck_is_missing_signature"}


@pytest.mark.skipif(not CASES, reason="the folder with the cases is not here")
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    case: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    expected = case["expected"]
    report = check_deck(json_deck(case["deck"]), FACTS, path.name)
    if case.get("caveats") and report.legal != expected["valid"]:
        pytest.skip(f"the rules differ from that checker: {'; '.join(case['caveats'])}")
    assert report.legal == expected["valid"], [finding.message for finding in report.findings]
    found = {finding.family for finding in report.findings if finding.severity == "error"}
    wanted = [FAMILIES[error["code"]] for error in expected["errors"]]
    assert all(families & found for families in wanted)
    assert case["id"] in SIZE_SAID_TWICE or found <= set().union(*wanted)
    assert report.details["size"] == expected["deck_size"]
    assert report.details["experience"] == expected["xp_required"]
