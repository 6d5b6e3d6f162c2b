"""The form of a pouch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.form import Field, FormLine, Offer, Person, text_of
from kb.decks.games import NO_OPTIONS


def people(facts: Any) -> list[Person]:
    return []


def value(file: DeckFile, facts: Any) -> dict[str, Any]:
    others = {key: each for key, each in file.value().items() if key != "pouch"}
    return {**others, "cards": dict(Counter(file.value()["pouch"]))}


def keys(value: Mapping[str, Any]) -> dict[str, Any]:
    others = {key: each for key, each in value.items() if key != "cards"}
    return {"pouch": list(Counter(value["cards"]).elements()), **others}


def text(value: Mapping[str, Any]) -> str:
    return text_of(keys(value))


def lines(file: DeckFile, facts: Any) -> list[FormLine]:
    return [FormLine(name, name, name, "stones", copies) for name, copies in Counter(file.value()["pouch"]).items()]


def aside(file: DeckFile, facts: Any) -> list[FormLine]:
    return []


def fields(file: DeckFile, facts: Any) -> list[Field]:
    return []


def agreed(facts: Any) -> list[Field]:
    return []


def offers(file: DeckFile, facts: Any, agreed: Mapping[str, Any] = NO_OPTIONS) -> list[Offer]:
    return [Offer(name, name, "stones", f"weight {weight}", True) for name, weight in facts.items()]


def counts(file: DeckFile, facts: Any) -> list[tuple[str, ...]]:
    return [("stones", str(len(file.value()["pouch"])))]


def always(file: DeckFile, facts: Any) -> dict[str, int]:
    return {}


def formats() -> dict[str, str]:
    return {"kb's YAML": ".yaml"}


def written(file: DeckFile, facts: Any, to: str) -> str:
    return text(value(file, facts))
