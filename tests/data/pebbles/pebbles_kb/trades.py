"""Upgrades of Pebbles: between two games, a player may pay bounces for heavier stones, as many as a stone weighs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.form import CardChange, FormLine
from kb.decks.games import NO_OPTIONS
from kb.decks.upgrades import Price, StepChanges, StepReport, Upgrade, UpgradeLine
from kb.errors import KbError
from pebbles_kb.pouch import check


def upgrade(
    files: Sequence[DeckFile], facts: Any, earned: Sequence[int], options: Mapping[str, Any] = NO_OPTIONS
) -> Upgrade:
    if len(files) < 2:
        raise KbError("A trade needs two pouches.")
    steps = []
    for number, (old, new) in enumerate(pairwise(files)):
        bought = Counter(new.value()["pouch"]) - Counter(old.value()["pouch"])
        lines = tuple(
            UpgradeLine("buy", name, copies, copies * facts[name], "its weight", ("pebbles/weight",))
            for name, copies in bought.items()
        )
        report, cost = check(new, facts, options), sum(line.cost for line in lines)
        available = earned[number] if number < len(earned) else None
        steps.append(
            StepReport(old.name, new.name, "the pouch", cost, available, lines, report.findings, unit="bounces")
        )
    return Upgrade(tuple(steps))


def prices(
    old: DeckFile, new: DeckFile, facts: Any, keys: Sequence[str], options: Mapping[str, Any] = NO_OPTIONS
) -> dict[str, Price]:
    return {key: Price(facts[key]) for key in keys}


def begun(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: each for key, each in value.items() if key != "paid"}


def recorded(value: Mapping[str, Any], step: StepReport) -> dict[str, Any]:
    return {**value, "paid": step.cost}


def records(value: Mapping[str, Any]) -> list[str]:
    return [f"{value['paid']} bounces paid."] if "paid" in value else []


def changes(
    step: StepReport, old: DeckFile, new: Sequence[FormLine], value: Mapping[str, Any], facts: Any
) -> StepChanges:
    held = value["cards"]
    undo = [(line.text, (CardChange(line.card, held[line.card] - line.copies),)) for line in step.lines]
    return StepChanges(undo, {})
