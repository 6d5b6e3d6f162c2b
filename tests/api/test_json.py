"""JSON Schema out of the types that describe what commands print."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

import jsonschema
import pytest

from kb.api.card_lists import CardsJson
from kb.api.schema import document, schema


def test_a_key_that_is_not_described_is_missed():
    good = {"query": "a", "read_as": None, "unread": [], "total": 0, "unknown": {}, "cards": [], "notes": []}
    jsonschema.validate(good, document(CardsJson))
    for bad in ({**good, "more": 1}, {**good, "total": "0"}, {"query": "a"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, document(CardsJson))


class Below(TypedDict):
    """Below."""

    word: Annotated[str | None, "A word."]


class Above(TypedDict):
    """Above."""

    one: Annotated[Below, "One."]
    some: NotRequired[Annotated[list[Below], "Some."]]


def test_objects_are_described_once_and_what_json_cannot_say_is_refused():
    named = {}
    assert schema(Above, named) == {"$ref": "#/$defs/Above"}
    assert set(named) == {"Above", "Below"}
    assert named["Above"]["required"] == ["one"]
    with pytest.raises(TypeError):
        schema(bytes, {})
