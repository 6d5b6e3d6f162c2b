"""Requests from the page to the checker. Each kind of request is a dataclass, which is read from JSON. Wrong fields are
reported.

The answers are in kb.site.checker.answers, and kb.site.checker.schema makes the JSON Schema of both.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from kb.decks.form import Change
from kb.errors import KbError

AnyRequest = TypeVar("AnyRequest", bound="Request")
Answers = Mapping[str, str]
"""A user's input in a form, by the keys of the questions."""


class MessageError(KbError, ValueError):
    """A request from the page is unknown, or a field is wrong. The error's message is a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request. `rules` are the editions for checking decks that name no edition, or None for the defaults."""

    DO: ClassVar[str] = ""

    rules: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckRequest(Request):
    """A request about one deck.

    `text` and `name` are the deck file's text and name. For a list of cards that names no character, `who` is the
    name and set of the character in the game `game`. `agreed` has the party's taboo list, card pool and house rules:
    by game, as answers in a form. `options` are options of `kb deck check`, by name.
    """

    text: str = ""
    name: str = "deck"
    game: str = ""
    who: tuple[str, str] | None = None
    agreed: Mapping[str, Answers] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRequest(DeckRequest):
    """Check a deck, and draw its page."""

    DO: ClassVar[str] = "check"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRequest(DeckRequest):
    """A request about an upgrade from the deck `old` to the deck of the request.

    `earned` is the experience earned before the upgrade, as the user typed it, or null if unknown. The form reports an
    invalid value.
    """

    old: str | None = None
    earned: int | float | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FormRequest(StepRequest):
    """Draw a deck as a form after making `changes`.

    For a new deck, `begin` is the name and set of its character. With `empty`, the new deck has no suggested cards.
    """

    DO: ClassVar[str] = "form"
    changes: tuple[Change, ...] = ()
    begin: tuple[str, str] | None = None
    empty: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OffersRequest(StepRequest):
    """List the cards that the character may take."""

    DO: ClassVar[str] = "offers"


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteRequest(DeckRequest):
    """Write a deck in the format `to`."""

    DO: ClassVar[str] = "write"
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradeRequest(StepRequest):
    """Begin an upgrade of the requested deck, and draw it as a form."""

    DO: ClassVar[str] = "upgrade"


@dataclass(frozen=True, slots=True, kw_only=True)
class PricesRequest(StepRequest):
    """Ask what one more copy of each of the cards in `keys` costs in an upgrade."""

    DO: ClassVar[str] = "prices"
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRequest(StepRequest):
    """Record a legal upgrade, and draw the resulting deck as a form."""

    DO: ClassVar[str] = "record"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A party member `who` refuses to give the card `card` away. If `refuses` is false, the refusal is withdrawn."""

    who: str
    card: str
    refuses: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuildRequest(Request):
    """Rebuild the decks of a party file.

    `asked` are the answers that the file was written from, if the user filled in a form. With `fill`, cards that are
    still needed come from the box. `refuse` adds or withdraws a refusal first.
    """

    DO: ClassVar[str] = "rebuild"
    text: str
    name: str = "table"
    fill: bool = False
    refuse: Refusal | None = None
    asked: Answers | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRequest(Request):
    """Ask the questions about a party, and write its file once no answer is missing. With `whole`, missing answers are
    reported.
    """

    DO: ClassVar[str] = "table"
    game: str
    answers: Answers = field(default_factory=dict)
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedText:
    """A file: its name and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckFix:
    """Changes that fix a finding on one of several decks. `deck` is that deck's position, `words` is the label of the
    button.
    """

    deck: int
    changes: tuple[Change, ...]
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TogetherRequest(Request):
    """Check the decks in one party together.

    `owned` are the products that the party owns. `out` are characters that are out of the campaign. `mend` is a fix to
    apply first.
    """

    DO: ClassVar[str] = "together"
    files: tuple[NamedText, ...]
    owned: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    mend: DeckFix | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRequest(Request):
    """Open a shared deck. `share` is the part of its link after the #."""

    DO: ClassVar[str] = "open"
    share: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRequest(Request):
    """Score a final position, given as the text of a file (`text`) or as answers in a form (`answers`)."""

    DO: ClassVar[str] = "score"
    game: str
    text: str | None = None
    name: str = "position.yaml"
    answers: Answers = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignRequest(Request):
    """Do something with a campaign. `folder` contains the texts of its files, by path.

    `what` is the action. `begin` asks the questions about the setup, and `record` those about the next game. With
    `preview`, the answer shows the resulting changes; with `write`, they are saved. `unpack` reads a `zip` in base64,
    and `pack` creates one. `refuse` adds or withdraws a refusal to give a card away.
    """

    DO: ClassVar[str] = "campaign"
    what: Literal["show", "begin", "record", "undo", "pack", "unpack"]
    folder: Mapping[str, str] = field(default_factory=dict)
    game: str = ""
    answers: Answers | None = None
    preview: bool = False
    write: bool = False
    refuse: Refusal | None = None
    zip: str = ""


REQUESTS: Mapping[str, type[Request]] = {
    each.DO: each
    for each in (
        CheckRequest,
        FormRequest,
        OffersRequest,
        WriteRequest,
        UpgradeRequest,
        PricesRequest,
        RecordRequest,
        RebuildRequest,
        TableRequest,
        TogetherRequest,
        OpenRequest,
        ScoreRequest,
        CampaignRequest,
    )
}
"""The kinds of requests, by the name in the message's field `do`."""


def request_in(message: str) -> Request:
    """Return the request in `message`, which is JSON. Raises MessageError for an unknown request or a wrong field."""
    try:
        data = json.loads(message)
    except ValueError:
        raise MessageError("The message is not JSON.") from None
    done = str(data.pop("do", None)) if isinstance(data, dict) else ""
    if done not in REQUESTS:
        raise MessageError(f"`do` is {done!r}; it must be one of {', '.join(REQUESTS)}.")
    return cast(Request, _read(REQUESTS[done], data, done))


@cache
def _shape(shape: type) -> dict[str, tuple[Any, bool]]:
    """Return the type of each field of a dataclass, and True if the field is required."""
    hints = get_type_hints(shape)
    return {
        each.name: (hints[each.name], each.default is MISSING and each.default_factory is MISSING)
        for each in fields(cast(Any, shape))
    }


def _read(hint: Any, value: Any, at: str) -> Any:
    """Return a JSON value converted to the type `hint`. Raises MessageError, which names the field `at`, if the value
    does not fit.
    """
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        if value is None and NoneType in args:
            return None
        for each in args:
            try:
                return _read(each, value, at)
            except MessageError as error:
                wrong = error
        raise wrong
    if hasattr(hint, "__dataclass_fields__"):
        known = _shape(hint)
        if not isinstance(value, dict):
            raise MessageError(f"{at}: this must be an object.")
        if strange := [name for name in value if name not in known]:
            raise MessageError(f"{at}: unknown field {strange[0]!r}; it has {', '.join(known)}.")
        if lacking := [name for name, (_, needed) in known.items() if needed and name not in value]:
            raise MessageError(f"{at}: the field {lacking[0]!r} is missing.")
        return hint(**{name: _read(known[name][0], each, f"{at}.{name}") for name, each in value.items()})
    if origin is tuple and isinstance(value, list):
        if args[-1] is not Ellipsis and len(args) != len(value):
            raise MessageError(f"{at}: this must be a list of {len(args)} values.")
        kinds = args[:1] * len(value) if args[-1] is Ellipsis else args
        return tuple(
            _read(kind, each, f"{at}[{number}]") for number, (kind, each) in enumerate(zip(kinds, value, strict=True))
        )
    if isinstance(origin, type) and issubclass(origin, Mapping) and isinstance(value, dict):
        return {name: _read(args[1], each, f"{at}.{name}") for name, each in value.items()}
    if (origin is Literal and value in args) or hint is Any or (type(value) is hint):
        return value
    wanted = {str: "text", int: "a whole number", bool: "true or false"}.get(hint, "a list or an object")
    if origin is Literal:
        wanted = f"one of {', '.join(map(str, args))}"
    raise MessageError(f"{at}: this must be {wanted}.")
