"""The deck rules of Pebbles: a deck is a pouch of stones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import NO_OPTIONS, DeckView, Records
from kb.decks.problems import Problem
from kb.decks.remedies import Advice, Fill
from kb.decks.report import Report
from kb.decks.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Pouch:
    stones: tuple[str, ...]
    weights: Mapping[str, int]
    fewest: int


RULESET = Ruleset("pebbles", "Pebbles")


@RULESET.check("pebbles/pouch", family="count")
def enough_stones(pouch: Pouch) -> Iterator[Problem]:
    """A pouch holds seven stones, or four in the short game."""
    if len(pouch.stones) < pouch.fewest:
        remedy = Fill(pouch.fewest - len(pouch.stones), "stone")
        yield Problem(f"{len(pouch.stones)} stones; a pouch holds {pouch.fewest}.", remedies=(remedy,))


@RULESET.check("pebbles/weight", family="pool")
def not_too_heavy(pouch: Pouch) -> Iterator[Problem]:
    """Together, the stones of a pouch weigh at most 20."""
    weight = sum(pouch.weights.get(stone, 0) for stone in pouch.stones)
    if weight > 20:
        message, remedy = f"The stones weigh {weight}; the most is 20.", Advice("take lighter stones")
        yield Problem(message, cards=pouch.stones, count=weight, limit=20, remedies=(remedy,))


def load_facts(records: Records) -> dict[str, int]:
    return {record["name"]: record["weight"] for record in records("card")}


def check(file: DeckFile, facts: Any, options: Mapping[str, Any] = NO_OPTIONS) -> Report:
    pouch = Pouch(tuple(file.value()["pouch"]), facts, 4 if options.get("short") else 7)
    return Report(file.name, "pebbles", "the pouch", tuple(RULESET.run(pouch)))


def show(file: DeckFile, facts: Any) -> DeckView:
    return DeckView("pouch", ("stone", "weight"), tuple((name, str(facts[name])) for name in file.value()["pouch"]))


def new_deck(character: str, set_id: str | None, facts: Any) -> str | None:
    return None


def rulesets() -> Mapping[str, Ruleset[Any]]:
    return {"pebbles": RULESET}
