"""Decks at the limit of each rule, with the checks that must report something (tests/data/arkham-verdicts.yaml)."""

from dataclasses import replace

import pytest

from kb.games.arkham.decks.agreement import Agreement
from kb.games.arkham.decks.card import Mark
from tests.games.arkham.decks.conftest import by_code, changed, check, deck, errors, found, named, notes
from tests.tables import read

VERDICTS = read("arkham-verdicts.yaml")
AS_WRITTEN = ("choices", "taboo", "experience", "adjustment", "rules", "pool", "oddities")


def fields(row):
    """Return the deck fields that a row of the table sets. Codes replace the names of cards."""
    found = {key: row[key] for key in AS_WRITTEN if key in row}
    found |= {key: named(row[key]) for key in ("investigator", "front", "back", "transformed") if key in row}
    found |= {key: by_code(row[key]) for key in ("ignored", "side_deck", "extra") if key in row}
    sheets = row.get("customizations")
    if sheets is not None:
        found["customizations"] = {named(name): tuple(Mark(*mark) for mark in sheet) for name, sheet in sheets.items()}
    attached = {named(name): tuple(map(named, cards)) for name, cards in row.get("attachments", {}).items()}
    exiled = {"exiled": tuple(map(named, row["exiled"]))} if "exiled" in row else {}
    return found | exiled | {"attachments": attached}


def deck_of(row):
    given = fields(row)
    sides = {key: given[key] for key in ("front", "back", "choices") if key in given}
    return changed(replace(deck(row["deck"], row.get("cards"), **sides), **given), row.get("changed", {}))


def judged(row):
    """Return the deck of a row, and the agreement (options of the check) for it."""
    given = {key: tuple(value) if isinstance(value, list) else value for key, value in row.get("agreement", {}).items()}
    sets = ("ultimatums", "boons")
    return deck_of(row), Agreement(**{key: frozenset(value) if key in sets else value for key, value in given.items()})


@pytest.mark.parametrize("rule", VERDICTS)
def test_a_deck_breaks_these_rules_and_no_others(rule):
    for row in VERDICTS[rule]:
        made, agreement = judged(row)
        report = check(made, agreement)
        assert errors(made, agreement) == {*row.get("errors", ())}, row
        assert {*row.get("notes", ())} <= notes(made, agreement), row
        assert {*row.get("quiet", ())}.isdisjoint(each.check.id for each in report.findings), row
        assert report.details.items() >= row.get("details", {}).items(), row
        if "slots" in row:
            texts = [slots["text"] + str(slots["cards"]) for slots in report.details["slots"]]
            assert all(part in text for part, text in zip(row["slots"], texts, strict=True)), (row, texts)
        for name, text in row.get("says", {}).items():
            assert any(text in each.message for each in report.findings if each.check.id == name), row
        for name, text in row.get("silent", {}).items():
            assert not any(text in each.message for each in report.findings if each.check.id == name), row
        for name, wanted in row.get("remedies", {}).items():
            remedy = found(made, name, agreement).remedies[0]
            assert {key: getattr(remedy, key) for key in wanted} == wanted, row
        for name, entry in row.get("cites", {}).items():
            assert entry in found(made, name, agreement).cites, row
