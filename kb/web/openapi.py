"""The addresses of the service: what each takes and gives, their OpenAPI description, and how the parameters of a request are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, StringConstraints, ValidationError

from kb.api.card_lists import Cards
from kb.api.schema import schemas
from kb.api.showing import Answer, Shown
from kb.decks.report import Report
from kb.errors import KbError
from kb.frozen import frozen
from kb.registry import games
from kb.retrieval.engine import Results
from kb.sources.validation import adapter
from kb.version import __version__
from kb.web import work
from kb.web.settings import LONGEST_QUESTION


class WrongQuestion(KbError, ValueError):
    """A parameter is missing, unknown or makes no sense."""


Text = Annotated[str, StringConstraints(max_length=LONGEST_QUESTION, pattern=r"^[^\x00-\x1f\x7f]*$")]


@frozen
class Parameter:
    """A parameter of an address: its name, what it is, and of which type its value is, as Pydantic reads and describes it; `many` may be
    given. One that is not `needed` may be left out, for the `default`."""

    name: str
    help: str
    kind: Any = Text
    needed: bool = False
    default: str | int | bool | None = None
    many: bool = False

    def read(self, values: Sequence[str]) -> Any:
        """Convert the texts of a query parameter to its type; one left out gives the default. Raises WrongQuestion."""
        if not values and not self.needed and not self.many:
            return self.default
        if not self.many and len(values) != 1:
            raise WrongQuestion(f"Give `{self.name}` once, not {len(values)} times: {self.help}")
        try:
            converted = [adapter(self.kind).validate_python(value) for value in values]
        except ValidationError as error:
            raise WrongQuestion(f"`{self.name}`: {error.errors()[0]['msg']}.") from None
        return converted if self.many else converted[0]

    def described(self) -> dict[str, Any]:
        """The parameter object of OpenAPI that describes this one."""
        kind = dict(adapter(self.kind).json_schema())
        if self.default is not None:
            kind["default"] = self.default
        kind = {"type": "array", "items": kind} if self.many else kind
        return {"name": self.name, "in": "query", "required": self.needed, "description": self.help, "schema": kind}


Question = Annotated[Text, StringConstraints(strip_whitespace=True, min_length=1)]
Q = Parameter("q", "What you want to know, in your own words.", Question, True)
IN = Parameter("in", "Only in this game, set or folder, by any of its names; all: everywhere.")
RULES = Parameter("rules", "By this edition of a game's rules, by any of its names; else by the newest.")
KIND = Parameter("kind", "Only entries of this kind (rule, term, ruling, faq, card …).")
SPOILERS = Parameter("spoilers", "Whether entries that give away a campaign are found.", bool, default=True)
LIMIT = Parameter("limit", "How many results at the most.", Annotated[int, Field(ge=1, le=50)], default=10)
SEARCH = (Q, IN, RULES, KIND, LIMIT, SPOILERS)
ASK = (Q, IN, RULES, KIND, SPOILERS)
SHOW = (Parameter("name", "A title, name, code or id.", Question, True), IN, RULES)
CARDS = (
    Parameter("q", "A query such as `type:weapon set:mm deck<=2`.", Question, True),
    Parameter("limit", "How many cards at the most.", Annotated[int, Field(ge=1, le=1000)], default=50),
)
REBUILD = (Parameter("fill", "Choose the cards from the box too.", bool, default=False),)


def frame() -> tuple[Parameter, ...]:
    """The options of a deck check, of all games."""
    by_name: dict[str, Parameter] = {}
    for about in games().values():
        for option in about.frame:
            words = f"{about.short}: {option.help}"
            by_name.setdefault(
                option.name, Parameter(option.name, words, Text if option.metavar else bool, many=option.many)
            )
    return tuple(by_name.values())


def read(parameters: Sequence[Parameter], query: Mapping[str, list[Any]]) -> dict[str, object]:
    """The values of a request's parameters by name, those left out as None. Raises WrongQuestion."""
    known = {parameter.name: parameter for parameter in parameters}
    if unknown := [name for name in query if name not in known]:
        listed = ", ".join(f"`{name[:40]}`" for name in unknown[:3])
        raise WrongQuestion(f"There is no parameter {listed}; known are {', '.join(known) or 'none'}.")
    return {name: parameter.read(query.get(name, ())) for name, parameter in known.items()}


def options(arguments: Mapping[str, object]) -> dict[str, Any]:
    """The options of a deck check that an assistant gives: those there are, each of its kind. Raises WrongQuestion."""
    query = {
        name: value if isinstance(value, list) else [str(value).lower() if isinstance(value, bool) else value]
        for name, value in arguments.items()
    }
    return {name: value for name, value in read(frame(), query).items() if value}


INFO = {
    "title": "kb",
    "version": __version__,
    "description": "Rules reference and deck checker for adventure card games. The texts: CC BY 4.0.",
    "license": {"name": "MIT", "identifier": "MIT"},
}


@dataclass(frozen=True)
class Address:
    """An address of the service: what is done there in a session, with which parameters (and the text that `text` describes), what it gives
    (a type), and whether that may take `long`."""

    path: str
    do: Callable[..., Any]
    says: str
    gives: Any
    parameters: Callable[[], Sequence[Parameter]] = tuple
    text: str = ""
    long: bool = False


ADDRESSES = (
    Address("/search", work.search, "Entries and cards that answer a question.", Results, lambda: SEARCH),
    Address("/ask", work.ask, "The entry that answers a question, whole.", Answer, lambda: ASK),
    Address("/show", work.show, "An entry, a card or a list by its name.", Shown, lambda: SHOW),
    Address("/entries/{id}", work.entry, "An entry, a card or a list by its id.", Shown),
    Address("/cards", work.cards, "Cards by their facts.", Cards, lambda: CARDS, long=True),
    Address("/health", work.health, "Whether questions are answered.", work.Health),
    Address(
        "/deck/check", work.check_deck, "The report on a deck.", Report, frame,
        "The text of a deck file, in any format that kb reads.", True,
    ),
    Address(
        "/party/rebuild", work.rebuild_party, "The decks of a table, rebuilt.", dict[str, Any], lambda: REBUILD,
        "The text of a table file.", True,
    ),
)  # fmt: skip


def description() -> dict[str, Any]:
    """The OpenAPI 3.1 document of the service."""
    generated, named = schemas([*(each.gives for each in ADDRESSES), work.Error], "#/components/schemas/{model}")
    *gives, wrong = ({"application/json": {"schema": says}} for says in generated)
    failed = {"description": "What is wrong, in a sentence.", "content": wrong}
    paths: dict[str, Any] = {}
    for each, media_types in zip(ADDRESSES, gives, strict=True):
        call: dict[str, Any] = {
            "operationId": each.do.__name__,
            "summary": each.says,
            "parameters": [parameter.described() for parameter in each.parameters()],
            "responses": {
                "200": {"description": each.says, "content": media_types},
                "4XX": failed,
                "5XX": failed,
            },
        }
        if "{id}" in each.path:
            call["parameters"] = [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]
        if each.text:
            content = {"text/plain": {"schema": {"type": "string"}}}
            call["requestBody"] = {"required": True, "description": each.text, "content": content}
        paths[each.path] = {"post" if each.text else "get": call}
    return {
        "openapi": "3.1.0",
        "info": INFO,
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": named},
    }
