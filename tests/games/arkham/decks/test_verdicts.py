"""Decks at the edge of each rule, and the checks that find something (tests/data/arkham-verdicts.yaml)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import yaml

from kb.games.arkham.decks.frame import Frame
from kb.games.arkham.decks.model import Deck, Mark
from tests.conftest import ROOT
from tests.games.arkham.decks.conftest import by_code, changed, deck, errors, found, named, notes

VERDICTS = yaml.safe_load((ROOT / "tests/data/arkham-verdicts.yaml").read_text(encoding="utf-8"))


def judged(row: dict[str, Any]) -> tuple[Deck, Frame]:
    """The deck of a row, and the frame that judges it."""
    sides = {key: named(row[key]) for key in ("front", "back") if key in row}
    made = deck(row["deck"], row.get("cards"), **sides, choices=row.get("choices", {}))
    more: dict[str, Any] = {key: by_code(row[key]) for key in ("ignored", "side_deck", "extra") if key in row}
    sheets = row.get("customizations", {})
    more["customizations"] = {named(name): tuple(Mark(*mark) for mark in sheet) for name, sheet in sheets.items()}
    made = changed(replace(made, taboo=row.get("taboo", made.taboo), **more), row.get("changed", {}))
    given = {key: tuple(value) if isinstance(value, list) else value for key, value in row.get("frame", {}).items()}
    sets = ("ultimatums", "boons")
    return made, Frame(**{key: frozenset(value) if key in sets else value for key, value in given.items()})


@pytest.mark.parametrize("rule", VERDICTS)
def test_a_deck_breaks_these_rules_and_no_others(rule: str) -> None:
    for row in VERDICTS[rule]:
        made, frame = judged(row)
        assert errors(made, frame) == {*row.get("errors", ())}, row
        assert {*row.get("notes", ())} <= notes(made, frame), row
        for check, text in row.get("says", {}).items():
            assert text in found(made, check, frame).message, row
