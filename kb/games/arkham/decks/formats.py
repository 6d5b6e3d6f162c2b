"""Reads and writes decks in the ArkhamDB and arkham.build JSON formats."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from kb.decks.deckfile import in_lines
from kb.decks.nodes import whole
from kb.errors import KbError
from kb.frozen import NOTHING
from kb.games.arkham.decks.card import Customization, Mark
from kb.games.arkham.decks.deck import KEYS, ArkhamDeck, Brought, Pile, each_copy
from kb.games.arkham.decks.facts import ArkhamFacts

# Keys of choices in the card data end or begin like this. An unknown key of this form does no harm.
_CHOICE_SUFFIX, _CHOICE_PREFIX = "_selected", "faction_"
_SHEET, _ATTACHED = "cus_", "attachments_"
_CODE = 5  # the fewest digits of a card's code
_MOST_NAMED = 5
_HIGHEST = 10**9
HIDDEN = "hidden_slots"
"""The key in a deck's `meta` for data that ArkhamDB does not support. This data is merged into the deck when the deck
is read.
"""
FAN_MADE_CONTENT = "fan_made_content"
"""The key in a JSON deck's `meta` for the fan-made cards in the deck."""
OF_THE_DECK = "the deck's fan-made content"
BUILD_ONLY = ("source", "fan_made_data", "fanMadeData", "versions")


class DeckFormatError(KbError, ValueError):
    """The text is not a deck in any known format. The message is written for users."""


def is_json_deck(data: Mapping[str, Any]) -> bool:
    """Return True if `data` has a key that only ArkhamDB decks have. `json_deck` reports other keys that are missing."""
    return "investigator_code" in data or "slots" in data


def json_deck(data: Mapping[str, Any]) -> ArkhamDeck:
    """Return the deck in a JSON object from ArkhamDB or arkham.build.

    Invalid numbers are reported in the deck's `oddities`. Raises DeckFormatError if `slots` or the investigator is
    missing.
    """
    oddities: list[str] = []
    meta = _meta(data.get("meta"), oddities)
    data = _with_hidden(data, meta)
    read: dict[str, Callable[[Any, str, list[str]], Any]] = {
        "text": lambda raw, key, problems: "" if raw is None else str(raw),
        "code": lambda raw, key, problems: raw if isinstance(raw, str) else "",
        "number": _number,
        "pile": _counts,
        "codes": lambda raw, key, problems: _codes(raw),
        "packs": lambda raw, key, problems: _codes(raw),
    }
    fields: dict[str, Any] = {}
    for row in KEYS:
        place, _, key = row.json.rpartition(".")
        if row.kind in read:
            value = read[row.kind]((meta if place else data).get(key), key, oddities)
            fields[row.field] = 0 if value is None and row.field != "experience" else value
    fields["cards"], fields["investigator"] = _required(data, fields["cards"])
    content = meta.get(FAN_MADE_CONTENT)
    fields["brought"] = tuple(brought(content.get("cards"))) if isinstance(content, dict) else ()
    return ArkhamDeck(**fields, **_of_meta(meta, oddities), oddities=tuple(oddities), rest=data)


def _required(data: Mapping[str, Any], cards: Pile) -> tuple[Pile, str]:
    """Return the cards and the investigator's code, without which a deck is invalid. Raises DeckFormatError."""
    for key in ("investigator_code", "slots"):
        if key not in data:
            raise DeckFormatError(f"The key `{key}` is missing, but every ArkhamDB deck has this key.")
    investigator = data["investigator_code"]
    if data["slots"] != [] and not isinstance(data["slots"], dict):  # PHP writes an empty mapping as a list
        raise DeckFormatError("`slots` must map card codes to numbers of copies.")
    if type(investigator) is int or (isinstance(investigator, str) and len(investigator) < _CODE):
        investigator = padded(str(investigator))
    if not isinstance(investigator, str):
        raise DeckFormatError("`investigator_code` must be the code of the investigator, as text.")
    return cards, investigator


def padded(code: str) -> str:
    """Return a code with the leading zeros that it lost when it was stored as a number: `1001` becomes `01001`."""
    return code.zfill(_CODE) if code.isdecimal() else code


def _meta(raw: Any, oddities: list[str]) -> Mapping[str, Any]:
    """Return the object that a deck's `meta` stores as a JSON text. Report an invalid one in `oddities`."""
    what = "a JSON object"
    if isinstance(raw, str):
        try:
            raw = in_lines(json.loads(raw)) if raw.strip() else None
        except (ValueError, RecursionError):
            what = "valid JSON"
        else:
            raw = raw if isinstance(raw, dict) else None
    if raw and not isinstance(raw, dict):
        oddities.append(f"The deck's `meta` is not {what} and was left out: selections and upgrades are missing.")
    return raw if isinstance(raw, dict) else NOTHING


def _with_hidden(data: Mapping[str, Any], meta: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the deck's data with its fan-made cards and investigator.

    For decks on ArkhamDB, arkham.build stores them in `hidden_slots` of `meta`.
    """
    hidden = meta.get(HIDDEN)
    if not isinstance(hidden, dict):
        return data
    merged = dict(data)
    for pile in ("slots", "sideSlots", "ignoreDeckLimitSlots"):
        if (cards := hidden.get(pile)) and isinstance(cards, dict):
            there = data.get(pile)
            merged[pile] = {**(there if isinstance(there, dict) else {}), **cards}
    if (investigator := hidden.get("investigator_code")) and isinstance(investigator, str):
        merged["investigator_code"] = investigator
    return merged


def _of_meta(meta: Mapping[str, Any], oddities: list[str]) -> dict[str, Any]:
    """Return the choices, upgrade sheets and attached cards. `meta` has a separate key for each choice or card."""
    choices: dict[str, str] = {}
    customizations: dict[str, Customization] = {}
    attachments: dict[str, tuple[str, ...]] = {}
    for key, value in meta.items():
        if type(value) is int and key.endswith(_CHOICE_SUFFIX):
            value = str(value)
        if not value or not isinstance(value, str):
            if value and key.startswith(_SHEET):
                oddities.append(f"`{key}` is {_shown(value)}, not a text of upgrades and boxes.")
        elif key.startswith(_SHEET):
            customizations[key.removeprefix(_SHEET)] = _marks(key, value, oddities)
        elif key.startswith(_ATTACHED):
            attachments[key.removeprefix(_ATTACHED)] = _codes(value)
        elif key.endswith(_CHOICE_SUFFIX) or key.startswith(_CHOICE_PREFIX):
            choices[key] = value
    return {"choices": choices, "customizations": customizations, "attachments": attachments}


def _counts(raw: Any, key: str, oddities: list[str]) -> Pile:
    """Return copies by code from `raw`, an object, a text or a list with an item for each copy.

    Numbers in other forms (`"1"`, `1.0`) are accepted. Any other value is reported in `oddities`, with the name `key`.
    """
    if not raw:
        return NOTHING
    if isinstance(raw, str):
        return _sealed(raw, oddities) if key == "sealed_deck" else Counter(_codes(raw))
    if isinstance(raw, list) and all(isinstance(code, str) or type(code) is int for code in raw):
        return Counter(padded(str(code)) for code in raw)
    if not isinstance(raw, dict):
        oddities.append(f"`{key}` does not map card codes to numbers of copies.")
        return NOTHING
    counts: Counter[str] = Counter()
    strange: list[str] = []
    for code, copies in raw.items():
        number = _whole(copies)
        if number is None:
            strange.append(f"{code[:40]}: {_shown(copies)}")
        else:
            counts[padded(code)] += number
    if strange:
        more = f" and {len(strange) - _MOST_NAMED} more" if len(strange) > _MOST_NAMED else ""
        oddities.append(
            f"Copies in `{key}` that are not whole numbers were left out: {', '.join(strange[:_MOST_NAMED])}{more}."
        )
    return counts


def _whole(value: Any) -> int | None:
    """Return the whole number that a JSON value means; None if it means none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return max(-_HIGHEST, min(value, _HIGHEST))  # far more than any deck has, and sums can still be printed
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) <= _HIGHEST else None
    return whole(value) if isinstance(value, str) else None


def _marks(key: str, value: str, oddities: list[str]) -> Customization:
    """Convert `0|1,4|2|willpower` to marks: for each, the index of the upgrade, the boxes and the choice."""
    marks = []
    for part in value.split(","):
        index, _, rest = part.partition("|")
        spent, _, chosen = rest.partition("|")
        number, boxes = whole(index), whole(spent or "0")
        if number is not None and boxes is not None:
            marks.append(Mark(number, boxes, chosen))
        else:
            oddities.append(f"`{key}` contains {part!r}, which is not an upgrade and a number of boxes.")
    return tuple(marks)


def _sealed(value: str, oddities: list[str]) -> Pile:
    """Convert `01020:2,01022:1` to copies by code."""
    counts: Counter[str] = Counter()
    for part in _codes(value):
        code, _, number = part.partition(":")
        if (copies := whole(number)) is not None and copies >= 0:
            counts[code] += copies
        else:
            oddities.append(f"`sealed_deck` contains {part!r}, which is not a code and a number of copies.")
    return counts


def _codes(value: Any) -> tuple[str, ...]:
    return tuple(part.strip() for part in str(value).split(",") if part.strip()) if value else ()


def _number(value: Any, key: str, oddities: list[str]) -> int | None:
    if value is None or value == "":
        return None
    number = _whole(value)
    if number is None:
        oddities.append(f"`{key}` is {_shown(value)}, not a whole number.")
    return number


def _shown(value: Any) -> str:
    """Return a value for a message: written as in code, and shortened if it is long."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}…"


def meta_of(deck: ArkhamDeck) -> Mapping[str, Any]:
    """Return the object in the `meta` of the JSON deck that was read, including keys that kb does not use."""
    return _meta(deck.rest.get("meta"), [])


def brought(cards: Any) -> Iterator[Brought]:
    """Yield the fan-made cards of a deck file.

    `cards` are in ArkhamDB's form, as a list or by code, or rows of the user's own cards.
    """
    if isinstance(cards, dict):
        cards = [{"code": code, **card} for code, card in cards.items() if isinstance(card, dict)]
    for card in cards if isinstance(cards, list) else ():
        if isinstance(card, dict) and card.get("code"):
            from kb.games.arkham.own_cards import (
                readable,
            )  # imported here, because it loads the importer, which few decks need

            code = str(card["code"])
            raw = {"code": code, "name": code, **card} | {"code": code}
            row, record = next(readable([raw]), (NOTHING, NOTHING))
            yield Brought(code, str(raw["name"]), row, record and {**record, "own": OF_THE_DECK})


def foreign_meta(deck: ArkhamDeck) -> dict[str, Any]:
    """Return the keys in the `meta` of the JSON deck that kb does not use and keeps unchanged."""
    known = {row.json.removeprefix("meta.") for row in KEYS} | {*deck.choices, HIDDEN}
    return {
        key: value
        for key, value in meta_of(deck).items()
        if value and key not in known and not key.startswith((_SHEET, _ATTACHED))
    }


def arkhamdb_text(deck: ArkhamDeck, facts: ArkhamFacts) -> str:
    """Return the deck in ArkhamDB's form: ids are numbers, and keys that only arkham.build supports are left out."""
    data = _written(deck, facts)
    numbered = {"id": whole(deck.id), "previous_deck": whole(deck.previous)}
    return _text({key: value for key, value in data.items() if key not in BUILD_ONLY} | numbered)


def arkham_build_text(deck: ArkhamDeck, facts: ArkhamFacts) -> str:
    """Return the deck in arkham.build's form."""
    return _text(_written(deck, facts))


def _text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _written(deck: ArkhamDeck, facts: ArkhamFacts) -> dict[str, Any]:
    """Return the deck as an object of ArkhamDB's JSON, with all other keys of the JSON deck that was read."""
    card = facts.card(deck.investigator)
    data: dict[str, Any] = {
        "id": None,
        "name": deck.name,
        "description_md": "",
        **{key: value for key, value in deck.rest.items() if isinstance(key, str)},
        "investigator_name": card.name if card else deck.rest.get("investigator_name", ""),
    }
    meta: dict[str, Any] = {}
    for row in KEYS:
        value = getattr(deck, row.field)
        if row.json.startswith("meta."):
            meta[row.json.removeprefix("meta.")] = _joined(row.field, value)
        elif row.json != "meta":
            data[row.json] = (
                _joined(row.field, value) if row.kind == "codes" else dict(value) if row.kind == "pile" else value
            )
    data |= {
        key: data[key] or None for key in ("id", "previous_deck", "ignoreDeckLimitSlots", "exile_string", "taboo_id")
    }
    data["sideSlots"] = data["sideSlots"] or []
    meta |= deck.choices
    meta |= {f"{_SHEET}{code}": ",".join(map(_mark, marks)) for code, marks in deck.customizations.items()}
    meta |= {f"{_ATTACHED}{code}": ",".join(codes) for code, codes in deck.attachments.items()}
    own = {key: value for key, value in meta.items() if value}
    data["meta"] = json.dumps(foreign_meta(deck) | own, ensure_ascii=False, separators=(",", ":"))
    return data


def _joined(field: str, value: Any) -> str:
    """Return the `value` of a deck's field as the text that JSON decks use for it."""
    if field == "sealed":
        return ",".join(f"{code}:{copies}" for code, copies in value.items())
    codes: Iterable[str] = each_copy(value) if field == "extra" else value
    return value if isinstance(value, str) else ",".join(codes)


def _mark(mark: Mark) -> str:
    return f"{mark.index}|{mark.spent}" + (f"|{mark.chosen}" if mark.chosen else "")
