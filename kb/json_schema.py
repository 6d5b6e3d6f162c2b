"""JSON Schemas of records and printed objects, with descriptions of their keys. Pydantic derives them from the types (see
kb.shapes). A deck checker in a browser does without this module.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import is_dataclass
from functools import cache
from types import GenericAlias
from typing import Annotated, Any, get_type_hints

from pydantic import Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from kb.shapes import Jsonable, Record, Texts, keys, types

for base in (Record, Texts, Jsonable):  # only schemas need the docstrings; reading them would slow down validation
    base.__pydantic_config__["use_attribute_docstrings"] = True


class Described(GenerateJsonSchema):
    """Generates Pydantic's JSON Schemas of dataclasses. A Jsonable has the keys that kb prints, and inherited keys have
    the docstrings of their base class.
    """

    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012 - Pydantic declares it of the instance

    def dataclass_schema(self, schema: Any) -> dict[str, Any]:
        """Return an object's schema from the Pydantic schema of its dataclass."""
        shape = schema["cls"]
        if issubclass(shape, Jsonable):
            printed = dict(_printed(schema))
            return self.typed_dict_schema(core_schema.typed_dict_schema(printed, cls=shape, extra_behavior="forbid"))
        fields: Any = {**schema["schema"], "fields": [*_described(schema).values()]}
        return super().dataclass_schema(schema | {"schema": fields})


class Untitled(Described):
    """Generates schemas without titles for keys, because a title only repeats the key's name."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return False: no key gets a title."""
        return False


def _described(schema: Any) -> dict[str, Any]:
    """Return Pydantic's schemas of a dataclass's fields by name. Pydantic only reads the docstrings in the class itself,
    so the descriptions of inherited fields are taken from the schemas of the base classes.
    """
    described = {each["name"]: each for each in schema["schema"]["fields"]}
    bases: list[Any] = [base for base in schema["cls"].__mro__[1:] if is_dataclass(base)]
    for base in bases:
        for each in _plain(base)["schema"]["fields"]:
            own = described[each["name"]]
            described[each["name"]] = {**own, "metadata": own.get("metadata") or each.get("metadata")}
    return described


@cache
def _plain(shape: Any) -> Any:
    """Return Pydantic's schema of a dataclass without the definitions around it."""
    schema: Any = TypeAdapter(shape).core_schema
    inside = (schema, schema.get("schema"), *schema.get("definitions", ()))
    return next(each for each in inside if each and each.get("cls") is shape)


def _printed(schema: Any) -> Iterator[tuple[str, core_schema.TypedDictField]]:
    """Yield the name and the schema of each key that is printed for a Jsonable."""
    shape, fields = schema["cls"], _described(schema)
    for key in keys(shape):
        if key.how == "flat":
            yield from _printed(_plain(types(shape)[key.attribute]))
        elif key.attribute not in fields:
            getter = getattr(shape, key.attribute)
            kind = get_type_hints(getter.fget, include_extras=True)["return"]
            kind = Annotated[kind, Field(description=inspect.getdoc(getter))]
            yield key.name, core_schema.typed_dict_field(TypeAdapter(kind).core_schema, required=True)
        elif key.how != "hidden":
            field = fields[key.attribute]
            value = field["schema"]["schema"] if field["schema"]["type"] == "default" else field["schema"]
            if key.how == "optional" and value["type"] == "nullable":  # null is left out
                value = value["schema"]
            elif key.how == "or null":
                value = core_schema.nullable_schema(value)
            elif key.how == "named":
                value = core_schema.str_schema()
            required = key.how != "optional"
            yield key.name, core_schema.typed_dict_field(value, required=required, metadata=field.get("metadata"))


def document(shape: Any) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a type, with all the definitions that it needs."""
    return {"$schema": GenerateJsonSchema.schema_dialect, **TypeAdapter(shape).json_schema(schema_generator=Untitled)}


def schemas(shapes: Sequence[Any], at: str = "#/$defs/{model}") -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the JSON Schemas of several types as a list. Also return the schemas of the objects that they refer to,
    as a dict by name. `at` is the pattern of a reference to such an object.
    """
    together: Any = GenericAlias(tuple, tuple(shapes))
    says = TypeAdapter(together).json_schema(ref_template=at, schema_generator=Untitled, mode="serialization")
    return says["prefixItems"], says.get("$defs", {})
