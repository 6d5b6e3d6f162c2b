"""JSON Schema of kb's output, which Pydantic derives from the types (see kb.jsonable and kb.records)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from kb.jsonable import meanings_of
from kb.records import name_of


class Untitled(GenerateJsonSchema):
    """Generates Pydantic's JSON Schemas without titles for keys, because a title only repeats the key's name."""

    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012 - Pydantic declares it of the instance

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return False: no key gets a title."""
        return False

    def dataclass_schema(self, schema: Any) -> dict[str, Any]:
        """Return an object's schema from its dataclass, with the docstring below each key as its description."""
        says, meanings = super().dataclass_schema(schema), meanings_of(schema["cls"])
        for each in fields(schema["cls"]):
            if each.name in meanings:
                says["properties"][name_of(each)]["description"] = meanings[each.name]
        return says


def document(shape: Any) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a type, with all the definitions that it needs."""
    return {"$schema": GenerateJsonSchema.schema_dialect, **TypeAdapter(shape).json_schema(schema_generator=Untitled)}


def schemas(shapes: Sequence[Any], at: str = "#/$defs/{model}") -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the JSON Schemas of several types as a list. Also return the schemas of the objects that they refer to,
    as a dict by name. `at` is the pattern of a reference to such an object.
    """
    inputs: list[Any] = [(number, "serialization", TypeAdapter(shape)) for number, shape in enumerate(shapes)]
    schemas_by_key, named = TypeAdapter.json_schemas(inputs, ref_template=at, schema_generator=Untitled)
    return [schemas_by_key[number, "serialization"] for number in range(len(shapes))], named.get("$defs", {})
