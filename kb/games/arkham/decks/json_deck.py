"""Reads a deck as ArkhamDB and arkham.build write it in JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from kb.decks.nodes import whole
from kb.errors import KbError
from kb.games.arkham.decks.model import Customization, Deck, Mark
from kb.records import NOTHING

# choices of the card data have these names; a key of that form that nothing asks for does no harm
_CHOICE_SUFFIX, _CHOICE_PREFIX = "_selected", "faction_"
_CODE = 5  # the fewest figures of a card's code
_MOST_NAMED = 5
_HIGHEST = 10**9


def fan_made(deck: Deck) -> Mapping[str, str]:
    """Names by code of the fan-made cards that the deck brings along (`fan_made_content` of its `meta`)."""
    meta = _meta(deck.rest.get("meta"), [])
    content = meta.get("fan_made_content")
    cards = content.get("cards") if isinstance(content, dict) else None
    if isinstance(cards, dict):
        cards = [{"code": code, **card} for code, card in cards.items() if isinstance(card, dict)]
    rows = [card for card in cards if isinstance(card, dict)] if isinstance(cards, list) else []
    return {str(card.get("code", "")): str(card.get("name") or card.get("code")) for card in rows}


class DeckFormatError(KbError, ValueError):
    """The text is no deck of any format that is read. The message is a sentence."""


def is_json_deck(data: Mapping[str, Any]) -> bool:
    """Whether the mapping has keys that only a deck of ArkhamDB has; one of them may be missing, which is told then."""
    return "investigator_code" in data or "slots" in data


def json_deck(data: Mapping[str, Any]) -> Deck:
    """The deck of a JSON object.

    Numbers that make no sense are kept as `oddities` of the deck, for the report. Raises DeckFormatError when the
    object has no slots or no investigator.
    """
    slots, investigator = _named(data)
    oddities: list[str] = []
    raw_meta = data.get("meta")
    meta = _meta(raw_meta, oddities) if raw_meta else NOTHING
    choices: dict[str, str] = {}
    customizations: dict[str, Customization] = {}
    attachments: dict[str, tuple[str, ...]] = {}
    for key, value in meta.items():
        if type(value) is int and key.endswith(_CHOICE_SUFFIX):
            value = str(value)
        if not value or not isinstance(value, str):
            if value and key.startswith("cus_"):
                oddities.append(f"`{key}` is {_shown(value)}, no text of upgrades and boxes.")
            continue
        if key.startswith("cus_"):
            customizations[key[4:]] = _marks(key, value, oddities)
        elif key.startswith("attachments_"):
            attachments[key[12:]] = _codes(value)
        elif key.endswith(_CHOICE_SUFFIX) or key.startswith(_CHOICE_PREFIX):
            choices[key] = value
    extra = meta.get("extra_deck")
    return Deck(
        investigator=investigator,
        cards=_counts(slots, "slots", oddities),
        name=_text(data.get("name")),
        front=_side(meta.get("alternate_front")),
        back=_side(meta.get("alternate_back")),
        side_deck=_counts(data.get("sideSlots"), "sideSlots", oddities),
        extra=_tally(_codes(extra)) if isinstance(extra, str) else NOTHING,
        ignored=_counts(data.get("ignoreDeckLimitSlots"), "ignoreDeckLimitSlots", oddities),
        choices=choices,
        customizations=customizations,
        attachments=attachments,
        transformed=_side(meta.get("transform_into")),
        taboo=_number(data.get("taboo_id"), "taboo_id", oddities) or 0,
        experience=_number(data.get("xp"), "xp", oddities),
        adjustment=_number(data.get("xp_adjustment"), "xp_adjustment", oddities) or 0,
        exiled=_codes(_text(data.get("exile_string"))),
        previous=_text(data.get("previous_deck")),
        id=_text(data.get("id")),
        pool=_codes(_text(meta.get("card_pool"))),
        sealed=_sealed(_text(meta.get("sealed_deck")), oddities),
        oddities=tuple(oddities),
        rest=data,
    )


def _named(data: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """The slots and the investigator of a deck. Raises DeckFormatError."""
    slots, investigator = data.get("slots"), data.get("investigator_code")
    if missing := next((key for key in ("investigator_code", "slots") if key not in data), None):
        raise DeckFormatError(f"The key `{missing}` is missing, which every deck of ArkhamDB has.")
    if slots == []:
        slots = {}  # so PHP writes a table without rows
    if not isinstance(slots, dict):
        raise DeckFormatError("`slots` must map card codes to numbers of copies.")
    if type(investigator) is int or (isinstance(investigator, str) and len(investigator) < _CODE):
        investigator = padded(str(investigator))
    if not isinstance(investigator, str):
        raise DeckFormatError("`investigator_code` must be the code of the investigator, as text.")
    return slots, investigator


def padded(code: str) -> str:
    """A code with the zeros that a number loses: 1001 is 01001."""
    return code.zfill(_CODE) if code.isdecimal() else code


def _meta(raw: Any, oddities: list[str]) -> Mapping[str, Any]:
    if isinstance(raw, str) and raw.strip():
        try:
            raw = json.loads(raw)
        except (ValueError, RecursionError):
            oddities.append(
                "The deck's `meta` is not valid JSON and was left out: selections and upgrades are missing."
            )
            return NOTHING
    if isinstance(raw, dict):
        return raw
    if raw and not isinstance(raw, str):
        oddities.append("The deck's `meta` is not a JSON object and was left out: selections and upgrades are missing.")
    return NOTHING


def _counts(raw: Any, key: str, oddities: list[str]) -> Mapping[str, int]:
    """Copies by code; a list names each copy. Numbers in other clothes (`"1"`, `1.0`) are read; the rest is one oddity."""
    if not raw:
        return NOTHING
    if isinstance(raw, list) and all(isinstance(code, str) or type(code) is int for code in raw):
        return _tally(tuple(padded(str(code)) for code in raw))
    if not isinstance(raw, dict):
        oddities.append(f"`{key}` does not map card codes to numbers of copies.")
        return NOTHING
    written = raw.values()
    if set(map(type, written)) == {int} and min(map(len, raw)) >= _CODE:
        low, high = min(written), max(written)
        if low >= -_HIGHEST and high <= _HIGHEST:
            return raw
    counts: dict[str, int] = {}
    strange: list[str] = []
    for code, copies in raw.items():
        number = _whole(copies)
        if number is None:
            strange.append(f"{code[:40]}: {_shown(copies)}")
        else:
            counts[padded(code)] = counts.get(padded(code), 0) + number
    if strange:
        more = f" and {len(strange) - _MOST_NAMED} more" if len(strange) > _MOST_NAMED else ""
        oddities.append(
            f"Copies in `{key}` that are not whole numbers were left out: {', '.join(strange[:_MOST_NAMED])}{more}."
        )
    return counts


def _whole(value: Any) -> int | None:
    """The whole number that a value of JSON means, None when it means none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return max(-_HIGHEST, min(value, _HIGHEST))  # far more than any deck has; sums of it can still be printed
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) <= _HIGHEST else None
    return whole(value) if isinstance(value, str) else None


def _marks(key: str, value: str, oddities: list[str]) -> Customization:
    """`0|1,4|2|willpower` as marks: upgrade, boxes, choice."""
    marks = []
    for part in value.split(","):
        index, _, rest = part.partition("|")
        spent, _, chosen = rest.partition("|")
        number, boxes = whole(index), whole(spent or "0")
        if number is not None and boxes is not None:
            marks.append(Mark(number, boxes, chosen))
        else:
            oddities.append(f"`{key}` holds {part!r}, which is not an upgrade and a number of boxes.")
    return tuple(marks)


def _sealed(value: str, oddities: list[str]) -> Mapping[str, int]:
    if not value:
        return NOTHING
    counts: dict[str, int] = {}
    for part in _codes(value):
        code, _, number = part.partition(":")
        if (copies := whole(number)) is not None and copies >= 0:
            counts[code] = counts.get(code, 0) + copies
        else:
            oddities.append(f"`sealed_deck` holds {part!r}, which is not a code and a number of copies.")
    return counts or NOTHING


def _codes(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if value else ()


def _tally(codes: tuple[str, ...]) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for code in codes:
        counts[code] = counts.get(code, 0) + 1
    return counts


def _number(value: Any, key: str, oddities: list[str]) -> int | None:
    if value is None or value == "":
        return None
    number = _whole(value)
    if number is not None:
        return number
    oddities.append(f"`{key}` is {_shown(value)}, no whole number.")
    return None


def _shown(value: Any) -> str:
    """A value as it is written, cut where it is long; Python writes no number of more than 4,300 digits."""
    try:
        said = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return said if len(said) <= 80 else f"{said[:80]}…"


def _side(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _text(value: Any) -> str:
    return "" if value is None else str(value)
