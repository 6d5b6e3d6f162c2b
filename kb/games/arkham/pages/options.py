"""Deckbuilding in words: an investigator's requirements and options, and what a taboo list changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kb.decks.names import either
from kb.games.arkham.pages.known import Known, card_id
from kb.games.arkham.schema.cards import CardRecord, TabooRow
from kb.games.arkham.schema.options import CLASSES, Choice, Option, Wanted

CHANGED = {
    "forbidden": "forbidden",
    "campaign_only": "for campaigns only",
    "text_changed": "text changed",
    "build": "deckbuilding changed",
}


def latest_taboos(rows: Iterable[TabooRow], newest: int) -> dict[str, list[str]]:
    """What a taboo list does to cards, in words, by their codes."""
    return {row.code: list(change_words(row)) or ["changed"] for row in rows if row.list == newest}


def change_words(row: TabooRow) -> Iterator[str]:
    """What a row of a taboo list changes."""
    if row.experience:
        yield f"{abs(row.experience)} experience {'more' if row.experience > 0 else 'less'}"
    if row.exceptional is not None:
        yield "exceptional" if row.exceptional else "no longer exceptional"
    yield from (words for name, words in CHANGED.items() if getattr(row, name))
    if row.limit is not None:
        yield f"deck limit {row.limit}"


def requirements(card: CardRecord, known: Known) -> dict[str, Any] | None:
    """An investigator's deckbuilding in readable form; None for a card that builds no deck."""
    if card.build is None:
        return None
    return {
        "size": card.build.size,
        "weaknesses": card.build.random_weaknesses,
        "cards": [standing_in(codes, known) for codes in card.build.required],
        "options": [option_words(option) for option in card.build.options],
    }


def standing_in(codes: Iterable[str], known: Known) -> list[tuple[str, str]]:
    """Ids of the cards that fill one place; of several with one name the product tells which is meant."""
    found = [(card_id(code), known.cards[card_id(code)]) for code in codes if card_id(code) in known.cards]
    names = [card.name for _, card in found]
    return [(at, f" ({known.pack_name(card.pack)})" if names.count(card.name) > 1 else "") for at, card in found]


def option_words(option: Option) -> str:
    """One deckbuilding option as a sentence fragment: `guardian, neutral · level 0–5`."""
    said = ["not:"] if option.forbids else []
    said += wanted_words(option.wanted)
    if option.limit:
        said += [f"up to {option.limit} cards", *(["other"] if option.other else [])]
    if option.demand:
        said.append(
            f"at least {option.demand.number} cards"
            + (f" of each of {n} classes" if (n := option.demand.classes) else "")
        )
    if option.only_counts:
        said.append("only counts")
    if option.choice:
        said.append(choice_words(option.choice))
    return " · ".join(said)


def choice_words(choice: Choice) -> str:
    """What a player settles at deck creation."""
    if choice.options:
        return "one of: " + "; ".join(" · ".join(wanted_words(option.wanted)) for option in choice.options)
    return f"choose {'a class' if choice.classes else 'a deck size'}: {either(choice.values)}"


def wanted_words(wanted: Wanted) -> Iterator[str]:
    """What an option asks of a card, a fragment each."""
    if wanted.classes:
        yield ", ".join(name for name in (*CLASSES, "neutral", "mythos") if name in wanted.classes)
    for label, names in (
        ("trait", wanted.traits),
        ("type", wanted.types),
        ("uses", wanted.uses),
        ("cards that", wanted.tags),
        ("slot", wanted.slots),
    ):
        if names:
            words = ", ".join(sorted(names))
            yield words if label == "type" else f"{label}: {words}"
    if wanted.permanent is not None:
        yield "permanent" if wanted.permanent else "not permanent"
    if wanted.level:
        least, most = wanted.level
        yield f"level {least}" if least == most else f"level {least}–{most}"
