"""Describes JSON with dataclasses, whose fields are the keys: records that kb reads, and objects that kb prints. A
docstring below each field describes the key.

    @record
    class Product(Record):
        '''A product.'''

        code: str
        '''Short name of the product.'''
        year: int | None = key(default=None, ge=1900)
        '''Year in which it was first sold.'''

    build(Product, {"code": "core"})

A type of printed objects is a `Jsonable`; `as_json` returns the object to print. Reading and printing need only the
standard library, because deck rules also run in a browser. Pydantic reads the same classes to validate records
(kb.sources.validation) and to make JSON Schemas and tables of keys (kb.json_schema).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache, partial
from types import MappingProxyType, NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

T = TypeVar("T")
How = Literal["", "optional", "or null", "named", "flat", "hidden"]


def key(
    how: How = "",
    *,
    name: str | None = None,
    small: bool = False,
    ge: int | None = None,
    le: int | None = None,
    **default: Any,
) -> Any:
    """Define a key of a record or of a printed object. `name` is its name if that differs from the attribute. `default`
    or `default_factory` provides the value if a record lacks the key.

    In a record, `ge` and `le` limit a number; with `small`, text values are converted to lower case. `how` says how the
    key is printed. An `optional` key is left out if its value is empty, and an `or null` key is null then. For a
    `named` key, only the `name` of its object is printed. A `flat` key contains an object whose keys are printed among
    the keys of the outer object. A `hidden` key is not printed.
    """
    limits = {word: limit for word, limit in (("ge", ge), ("le", le)) if limit is not None}
    # Pydantic reads the alias and the limits
    return field(**default, metadata={"alias": name, "small": small, "how": how, **limits})


if TYPE_CHECKING:
    computed = property
else:

    class computed(property):
        """A property that is printed as a key; its docstring describes the key."""


class JsonKey(NamedTuple):
    """A key of a type: the `attribute` with its value, its `name` in JSON, how it is printed, its `default` (MISSING:
    none), and the `arguments` of the function `key`.
    """

    attribute: str
    name: str
    how: How = ""
    default: Any = MISSING
    arguments: Mapping[str, Any] = MappingProxyType({})


@cache
def keys(shape: Any) -> list[JsonKey]:
    """Return the keys of a dataclass, followed by its computed properties. `flat` keys come first, so that the object's
    own keys replace those of contained objects.
    """
    found = []
    for each in fields(shape):
        name, how = each.metadata.get("alias") or each.name, each.metadata.get("how", "")
        found.append(JsonKey(each.name, name, how, each.default, each.metadata))
    found.sort(key=lambda each: each.how != "flat")
    properties = [name for base in shape.__mro__ for name, each in vars(base).items() if isinstance(each, computed)]
    return found + [JsonKey(name, name) for name in properties]


types = cache(get_type_hints)
"""A function that returns the types of a dataclass's attributes, by name."""


class Record:
    """Base class of records. A record may contain neither empty texts nor keys that its class does not describe."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {
        "extra": "forbid",
        "strict": True,
        "str_min_length": 1,
        "str_strip_whitespace": True,
    }


class Texts(Record):
    """Base class of records of printed texts, which may be empty."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid", "strict": True}


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(key, field))
def record(shape: type[T]) -> type[T]:
    """Make a class a type of records: a frozen dataclass with keyword arguments."""
    return dataclass(frozen=True, slots=True, kw_only=True)(shape)


def build(shape: type[T], record: Mapping[str, Any]) -> T:
    """Return the object of type `shape` for a `record` that has been validated. A null value counts as missing, unless
    the type of the key includes None.
    """
    made = {}
    for attribute, name, may_be_none, convert in _converters(cast(Any, shape)):
        value = record.get(name)
        if value is not None:
            made[attribute] = convert(value)
        elif may_be_none and name in record:
            made[attribute] = None
    return shape(**made)


@cache
def _converters(shape: Any) -> list[tuple[str, str, bool, Callable[[Any], Any]]]:
    made = []
    for each in keys(shape):
        hint, small = types(shape)[each.attribute], each.arguments.get("small", False)
        made.append((each.attribute, each.name, NoneType in get_args(hint), _converter(hint, small)))
    return made


def _converter(hint: Any, small: bool) -> Callable[[Any], Any]:
    """Return the function that converts a JSON value to the type `hint`; with `small`, texts become lower case."""
    origin, args = get_origin(hint), get_args(hint)
    if is_dataclass(hint):
        return partial(build, cast(Any, hint))
    if origin in (Union, UnionType):
        return _converter(args[0], small)
    if origin in (tuple, frozenset):
        one = _converter(args[0], small)
        return lambda value: origin(map(one, value))
    if origin is not None and origin is not Literal:
        of_key, of_value = int if args[0] is int else str, _converter(args[1], small)
        return lambda value: {of_key(name): of_value(each) for name, each in value.items()}
    return str.casefold if small else lambda value: value


def fits(hint: Any, value: Any) -> bool:
    """Return True if a JSON value matches the type `hint`. Null is accepted for a key with a default."""
    origin, args = get_origin(hint), get_args(hint)
    if is_dataclass(hint):
        shape = cast(Any, hint)
        known = {each.name: each for each in keys(shape)}
        return (
            isinstance(value, Mapping)
            and value.keys() <= known.keys()
            and all(
                each.default is not MISSING
                if (member := value.get(name)) is None
                else fits(types(shape)[each.attribute], member) and _within(member, each.arguments)
                for name, each in known.items()
            )
        )
    if origin is Literal:
        return isinstance(value, str | int) and value in args
    if origin in (Union, UnionType):
        return any(fits(each, value) for each in args)
    if origin in (tuple, frozenset, list):
        return isinstance(value, list) and all(fits(args[0], each) for each in value)
    if origin is not None:
        return isinstance(value, Mapping) and all(
            isinstance(name, str) and fits(args[1], each) for name, each in value.items()
        )
    return type(value) is hint and (hint is not str or bool(value.strip()))


def _within(value: Any, limits: Mapping[str, Any]) -> bool:
    """Return True if a number is within the `limits` (`ge`, `le`) of its key; always True for other values."""
    return not isinstance(value, int) or limits.get("ge", value) <= value <= limits.get("le", value)


class PrintedAs:
    """Marks a value that is printed as another type, `shape`, as in `Annotated[str, PrintedAs(Citation)]`."""

    def __init__(self, shape: Any) -> None:
        self.shape = shape

    def __get_pydantic_core_schema__(self, _source: Any, handler: Any) -> Any:
        """Return the schema that Pydantic uses for this type."""
        return handler.generate_schema(self.shape)


class Jsonable:
    """A dataclass that is printed as a JSON object. The keys are its fields, followed by its `computed` properties.

    Ids of entries in the fields `cites` and `cite` are printed as citations, with title and source.
    """

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {"arbitrary_types_allowed": True}

    def as_json(self, cites: Mapping[str, Jsonable]) -> dict[str, Any]:
        """Return the object to print; `cites` contains the cited entries by their ids."""
        members: dict[str, Any] = {}
        for attribute, name, how, *_ in keys(cast(Any, type(self))):
            value = getattr(self, attribute)
            if attribute == "cites":
                value = [cites[entry] for entry in value]
            elif attribute == "cite":
                value = cites[value] if value else None
            if how == "flat":
                members |= plain_json(value, cites)
            elif how == "named":
                members[name] = value.name
            elif how != "hidden" and (value or how != "optional"):
                members[name] = None if how == "or null" and not value else plain_json(value, cites)
        return members


def plain_json(value: Any, cites: Mapping[str, Jsonable] = MappingProxyType({})) -> Any:
    """Convert a value to plain JSON: objects and dataclasses to mappings, tuples to lists. Fractions have at most six
    decimals. `cites` contains the cited entries by their ids.
    """
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, Jsonable):
        return value.as_json(cites)
    if is_dataclass(value):
        attributes = [each.attribute for each in keys(cast(Any, type(value)))]
        return {name: plain_json(getattr(value, name), cites) for name in attributes}
    if isinstance(value, Mapping):
        return {name: plain_json(each, cites) for name, each in value.items()}
    return [plain_json(each, cites) for each in value] if isinstance(value, tuple | list) else value
