"""Writes a deck in the formats that are read: ArkhamDB and arkham.build JSON, a text list, our YAML.

What is written is read again; what then differs from the deck is what the format cannot hold.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from kb.decks.deckfile import parse_deck
from kb.decks.nodes import DeckFileError, whole
from kb.games.arkham.decks.adapter import read_deck
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.model import Card, Customization, Deck
from kb.games.arkham.decks.yaml_deck import CARRIED

FORMATS = ("arkhamdb", "arkham.build", "text", "yaml")

_CALLED = {
    "investigator": "the investigator",
    "cards": "cards",
    "name": "the name",
    "front": "the front in use",
    "back": "the back in use",
    "side_deck": "the side deck",
    "extra": "the extra deck",
    "ignored": "copies that do not count",
    "choices": "selections",
    "customizations": "upgrade sheets",
    "attachments": "cards set beside the deck",
    "transformed": "the transformed investigator",
    "taboo": "the taboo list",
    "experience": "experience",
    "adjustment": "the adjustment of experience",
    "exiled": "exiled cards",
    "previous": "the deck before",
    "id": "the deck's id",
    "pool": "the card pool",
    "sealed": "the sealed pool",
}
_SETTINGS = {"faction_selected": "Class", "deck_size_selected": "Deck size", "option_selected": "Option"}
_SECTIONS = (("asset", "Assets"), ("event", "Events"), ("skill", "Skills"), ("", "Others"))
_BUILD_ONLY = ("source", "fan_made_data", "fanMadeData", "versions")
# keys of a JSON deck that are written from the deck itself
_WRITTEN = {
    *("id", "name", "investigator_code", "investigator_name", "slots", "sideSlots", "ignoreDeckLimitSlots", "xp"),
    *("xp_adjustment", "exile_string", "taboo_id", "meta", "previous_deck"),
}
_OF_NO_ACCOUNT = {"problem", "user_id", "description"}  # what a site works out, and a copy of `description_md`


@dataclass(frozen=True, slots=True)
class Written:
    """A deck's text in a format, and what of the deck the format cannot hold (in words)."""

    text: str
    lost: tuple[str, ...]


def write_deck(deck: Deck, to: str, facts: Facts) -> Written:
    """The deck in one of FORMATS. Raises KeyError for another format."""
    writers: dict[str, Callable[[Deck, Facts], str]] = {
        "arkhamdb": _arkhamdb,
        "arkham.build": _arkham_build,
        "text": _text,
        "yaml": _yaml,
    }
    text = writers[to](deck, facts)
    return Written(text, tuple(_lost(deck, text, to, facts)))


def _lost(deck: Deck, text: str, to: str, facts: Facts) -> Iterator[str]:
    """What reading the text again does not give back."""
    try:
        again = read_deck(parse_deck(text, "deck.txt" if to == "text" else "deck"), facts)
    except DeckFileError as error:
        yield f"the deck as a whole, which cannot be read again: {error}"
        return
    for each in fields(Deck):
        if each.name in _CALLED and _order_apart(getattr(deck, each.name)) != _order_apart(getattr(again, each.name)):
            yield _CALLED[each.name]
    if to in ("text", "yaml"):
        for key, value in deck.rest.items():
            if key not in _WRITTEN and key not in _OF_NO_ACCOUNT and value and not (to == "yaml" and key in CARRIED):
                yield f"`{key}`"
        for key in _foreign_meta(deck):
            yield f"`{key}` of `meta`"
    elif to == "arkhamdb":
        for key in _BUILD_ONLY:
            if deck.rest.get(key):
                yield f"`{key}`, which only arkham.build knows"
    for oddity in deck.oddities:
        yield f"what could not be read: {oddity}"


def _order_apart(value: Any) -> Any:
    """A value without the order of its codes, which means nothing."""
    if isinstance(value, tuple):
        return sorted(value, key=repr)
    if isinstance(value, Mapping):
        return {key: _order_apart(part) for key, part in value.items()}
    return value


def _arkhamdb(deck: Deck, facts: Facts) -> str:
    data = _json_deck(deck, facts)
    data["id"] = whole(deck.id)
    data["previous_deck"] = whole(deck.previous)
    for key in _BUILD_ONLY:
        data.pop(key, None)
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _arkham_build(deck: Deck, facts: Facts) -> str:
    data = _json_deck(deck, facts)
    data["id"] = deck.id or None
    data["previous_deck"] = deck.previous or None
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _json_deck(deck: Deck, facts: Facts) -> dict[str, Any]:
    """The keys of ArkhamDB's deck JSON, with whatever else a JSON deck had that was read."""
    card = facts.card(deck.investigator)
    data: dict[str, Any] = {
        "id": None,
        "name": deck.name,
        "description_md": "",
        **{key: value for key, value in deck.rest.items() if isinstance(key, str)},
    }
    meta = {**_foreign_meta(deck), **_meta(deck)}
    data |= {
        "name": deck.name,
        "investigator_code": deck.investigator,
        "investigator_name": card.name if card else deck.rest.get("investigator_name", ""),
        "slots": dict(deck.cards),
        "sideSlots": dict(deck.side_deck) or [],
        "ignoreDeckLimitSlots": dict(deck.ignored) or None,
        "xp": deck.experience,
        "xp_adjustment": deck.adjustment,
        "exile_string": ",".join(deck.exiled) or None,
        "taboo_id": deck.taboo or None,
        "meta": json.dumps(meta, ensure_ascii=False, separators=(",", ":")),
    }
    return data


def _meta(deck: Deck) -> dict[str, str]:
    """What ArkhamDB keeps in `meta`."""
    meta = {
        "alternate_front": deck.front,
        "alternate_back": deck.back,
        **deck.choices,
        "extra_deck": ",".join(code for code, copies in deck.extra.items() for _ in range(copies)),
        "transform_into": deck.transformed,
        "card_pool": ",".join(deck.pool),
        "sealed_deck": ",".join(f"{code}:{copies}" for code, copies in deck.sealed.items()),
        **{f"cus_{code}": _marks(marks) for code, marks in deck.customizations.items()},
        **{f"attachments_{code}": ",".join(codes) for code, codes in deck.attachments.items()},
    }
    return {key: value for key, value in meta.items() if value}


def _foreign_meta(deck: Deck) -> dict[str, Any]:
    """Keys of a JSON deck's `meta` that mean nothing to us, which go along unchanged."""
    raw = deck.rest.get("meta")
    if isinstance(raw, str) and raw.strip():
        try:
            raw = json.loads(raw)
        except (ValueError, RecursionError):
            return {}
    if not isinstance(raw, Mapping):
        return {}
    known = {
        "alternate_front",
        "alternate_back",
        "extra_deck",
        "transform_into",
        "card_pool",
        "sealed_deck",
        *deck.choices,
    }
    return {
        key: value
        for key, value in raw.items()
        if value and key not in known and not key.startswith(("cus_", "attachments_"))
    }


def _marks(marks: Customization) -> str:
    return ",".join(
        f"{mark.index}|{mark.spent}|{mark.chosen}" if mark.chosen else f"{mark.index}|{mark.spent}" for mark in marks
    )


def _text(deck: Deck, facts: Facts) -> str:
    """A list for people: name, investigator, settings, then the cards by type."""
    lines = [f"Name: {deck.name}"] if deck.name else []
    lines.append(f"Investigator: {_label(deck.investigator, facts)}")
    for called, code in (("Front", deck.front), ("Back", deck.back)):
        if code:
            lines.append(f"{called}: {_label(code, facts)}")
    lines += [f"{called}: {deck.choices[key]}" for key, called in _SETTINGS.items() if key in deck.choices]
    if deck.taboo:
        lines.append(f"Taboo: {deck.taboo}")
    if deck.experience is not None:
        lines.append(f"Experience: {deck.experience}")
    for kind, heading in _SECTIONS:
        rows = [row for row in _rows(deck.cards, facts) if _section(row[0]) == kind]
        if rows:
            lines += ["", f"{heading} ({sum(copies for _, _, copies in rows)})", *_counted(rows)]
    for heading, pile in (("Side deck", deck.side_deck), ("Spirit deck", deck.extra)):
        if pile:
            lines += ["", heading, *_counted(_rows(pile, facts))]
    return "\n".join(lines) + "\n"


_Row = tuple[Card | None, str, int]


def _rows(pile: Mapping[str, int], facts: Facts) -> list[_Row]:
    rows = [(facts.card(code), code, copies) for code, copies in pile.items()]
    return sorted(rows, key=lambda row: ((row[0].level or 0, row[0].name) if row[0] else (9, ""), row[1]))


def _section(card: Card | None) -> str:
    return card.type if card and not card.weakness and card.type in ("asset", "event", "skill") else ""


def _counted(rows: Iterable[_Row]) -> list[str]:
    return [f"{copies}x {card.label if card else code}" for card, code, copies in rows]


def _label(code: str, facts: Facts) -> str:
    card = facts.card(code)
    return card.label if card else code


def _yaml(deck: Deck, facts: Facts) -> str:
    """Our own format; cards by code, their names as comments."""
    lines = ["game: arkham"]
    for key, value in (("name", deck.name), ("id", deck.id), ("previous", deck.previous)):
        if value:
            lines.append(f"{key}: {json.dumps(value, ensure_ascii=False)}")
    for key, code in (
        ("investigator", deck.investigator),
        ("front", deck.front),
        ("back", deck.back),
        ("transformed", deck.transformed),
    ):
        if code:
            lines.append(f'{key}: "{code}"{_comment(code, facts)}')
    for key, number in (("taboo", deck.taboo), ("experience", deck.experience), ("adjustment", deck.adjustment)):
        if number or (key == "experience" and number is not None):
            lines.append(f"{key}: {number}")
    if deck.choices:
        lines += ["choices:", *(f"  {key}: {json.dumps(value)}" for key, value in deck.choices.items())]
    exiled = {code: deck.exiled.count(code) for code in dict.fromkeys(deck.exiled)}
    for key, pile in (
        ("cards", deck.cards),
        ("uncounted", deck.ignored),
        ("side_deck", deck.side_deck),
        ("spirit_deck", deck.extra),
        ("exiled", exiled),
        ("sealed", deck.sealed),
    ):
        if pile or key == "cards":
            lines += [f"{key}:", *_yaml_rows(pile, facts, "  ")]
    if deck.customizations:
        lines.append("upgrades:")
        for code, marks in deck.customizations.items():
            lines.append(f'  "{code}":{_comment(code, facts)}')
            lines += [f"    {mark.index + 1}: {_yaml_mark(mark.spent, mark.chosen)}" for mark in marks]
    if deck.attachments:
        lines.append("attached:")
        for code, codes in deck.attachments.items():
            counts = {other: codes.count(other) for other in dict.fromkeys(codes)}
            lines += [f'  "{code}":{_comment(code, facts)}', *_yaml_rows(counts, facts, "    ")]
    for key in CARRIED:
        if deck.rest.get(key) not in (None, ""):
            value = deck.rest[key]
            lines.append(f"{key}: {json.dumps(value if key == 'xp_spent' else str(value), ensure_ascii=False)}")
    if deck.pool:
        lines.append(f"pool: {json.dumps(list(deck.pool), ensure_ascii=False)}")
    return "\n".join(lines) + "\n"


def _yaml_mark(spent: int, chosen: str) -> str:
    return f"{{boxes: {spent}, chosen: {json.dumps(chosen, ensure_ascii=False)}}}" if chosen else str(spent)


def _yaml_rows(pile: Mapping[str, int], facts: Facts, indent: str) -> list[str]:
    return [f'{indent}"{code}": {copies}{_comment(code, facts)}' for _, code, copies in _rows(pile, facts)]


def _comment(code: str, facts: Facts) -> str:
    card = facts.card(code)
    return f"  # {card.name}{f' ({card.level})' if card.level else ''}" if card else ""
