"""JSON Schema of what the library and the commands give, made from the types that describe it: a TypedDict, with a docstring below each key."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from itertools import pairwise
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

_PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"}, int: {"type": "integer"}, float: {"type": "number"}, bool: {"type": "boolean"},
    NoneType: {"type": "null"}, Any: {}, object: {},
}  # fmt: skip


def name_of(shape: Any) -> str:
    """What a described object is called in a schema: `Report` for ReportJson."""
    return str(shape.__name__).removesuffix("Json")


def schema(shape: Any, named: dict[str, Any], at: str = "#/$defs/") -> dict[str, Any]:
    """The schema of a type; described objects are put into `named` by their names and referred to below `at`.

    Raises TypeError for a type that JSON has no word for.
    """
    if is_typeddict(shape):
        name = name_of(shape)
        if name not in named:
            named[name] = {}  # an object may hold its like
            named[name].update(_object(shape, named, at))
        return {"$ref": f"{at}{name}"}
    origin, args = get_origin(shape), get_args(shape)
    if origin is Annotated:
        inner = schema(args[0], named, at)
        words = {"description": args[1]}
        return {"allOf": [inner], **words} if "$ref" in inner else {**inner, **words}
    if origin in (NotRequired, Required):
        return schema(args[0], named, at)
    if origin is Literal:
        return {"enum": list(args)}
    if origin in (Union, UnionType):
        return {"anyOf": [schema(each, named, at) for each in args]}
    if origin is list:
        return {"type": "array", "items": schema(args[0], named, at)}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema(args[1], named, at)}
    if shape in _PLAIN:
        return dict(_PLAIN[shape])
    raise TypeError(f"{shape!r} is nothing that a JSON schema can say")


def document(shape: Any) -> dict[str, Any]:
    """A whole JSON Schema (2020-12) of a type."""
    named: dict[str, Any] = {}
    root = schema(shape, named)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **root, "$defs": named}


@cache
def keys_of(shape: Any) -> dict[str, tuple[Any, str, bool]]:
    """The keys of a described object: the type of each, what it says in words, and whether it is always there."""
    hints, docs = get_type_hints(shape, include_extras=True), docs_of(shape)
    found = {}
    for key, hint in hints.items():
        bare = get_args(hint)[0] if get_origin(hint) in (NotRequired, Required) else hint
        kind, *words = get_args(bare) if get_origin(bare) is Annotated else (bare,)
        found[key] = (kind, docs.get(key) or "".join(map(str, words)), get_origin(hint) is not NotRequired)
    return found


def docs_of(shape: Any) -> dict[str, str]:
    """The docstrings that stand below the keys of a described object, and of those that it extends."""
    module = sys.modules[shape.__module__]
    found: dict[str, str] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef) and node.name == shape.__name__:
            for base in map(ast.unparse, node.bases):
                found |= docs_of(getattr(module, base)) if base != "TypedDict" else {}
            for key, below in pairwise(node.body):
                if isinstance(key, ast.AnnAssign) and isinstance(below, ast.Expr):
                    found[ast.unparse(key.target)] = " ".join(str(ast.literal_eval(below.value)).split())
    return found


def _object(shape: Any, named: dict[str, Any], at: str) -> dict[str, Any]:
    properties = {
        key: schema(Annotated[kind, words] if words else kind, named, at)
        for key, (kind, words, _) in keys_of(shape).items()
    }
    return {
        "type": "object",
        "description": " ".join((shape.__doc__ or "").split()),
        "properties": properties,
        "required": [key for key, (_, _, always) in keys_of(shape).items() if always],
        "additionalProperties": False,
    }
