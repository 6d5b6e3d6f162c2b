"""The addresses of the service, and their OpenAPI description, made from their parameters and the types of their answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, TypedDict

from kb.api.card_lists import CardsJson
from kb.api.schema import schema
from kb.api.searching import AnswerJson, ResultsJson
from kb.api.showing import NamedJson, Shown
from kb.decks.contract import ProblemJson, ReportJson
from kb.version import __version__
from kb.web import asked, work
from kb.web.settings import LONGEST_QUESTION

INFO = {
    "title": "kb",
    "version": __version__,
    "description": "Rules reference and deck checker for adventure card games. The texts: CC BY 4.0.",
    "license": {"name": "MIT", "identifier": "MIT"},
}
TYPES = {str: "string", int: "integer", bool: "boolean"}


class ErrorJson(TypedDict):
    """What is wrong."""

    error: Annotated[str, "A sentence."]
    candidates: NotRequired[Annotated[list[NamedJson], "Which ones, where several have this name."]]
    problems: NotRequired[Annotated[list[ProblemJson], "Why a deck cannot be read."]]


class HealthJson(TypedDict):
    """A service that answers."""

    kb: Annotated[str, "Version of kb."]


@dataclass(frozen=True)
class Address:
    """An address of the service: what is done there in a session, with which parameters (and the text that `text` describes), what it gives
    (described by a type, or else a schema), and whether that may take `long`."""

    path: str
    do: Callable[..., Any]
    says: str
    gives: Any
    parameters: Callable[[], Sequence[asked.Parameter]] = tuple
    text: str = ""
    long: bool = False


REBUILT = {"type": "object", "description": "The JSON of `kb party rebuild`: what the game tells, and `findings`."}
ADDRESSES = (
    Address("/search", work.search, "Entries and cards that answer a question.", ResultsJson, lambda: asked.SEARCH),
    Address("/ask", work.ask, "The entry that answers a question, whole.", AnswerJson, lambda: asked.ASK),
    Address("/show", work.show, "An entry, a card or a list by its name.", Shown, lambda: asked.SHOW),
    Address("/entries/{id}", work.entry, "An entry, a card or a list by its id.", Shown),
    Address("/cards", work.cards, "Cards by their facts.", CardsJson, lambda: asked.CARDS, long=True),
    Address("/health", work.health, "Whether questions are answered.", HealthJson),
    Address(
        "/deck/check", work.check_deck, "The report on a deck.", ReportJson, asked.frame,
        "The text of a deck file, in any format that kb reads.", True,
    ),
    Address(
        "/party/rebuild", work.rebuild_party, "The decks of a table, rebuilt.", REBUILT, lambda: asked.REBUILD,
        "The text of a table file.", True,
    ),
)  # fmt: skip


def description() -> dict[str, Any]:
    """The OpenAPI 3.1 document."""
    named: dict[str, Any] = {}

    def described(shape: Any) -> dict[str, Any]:
        found = shape if isinstance(shape, dict) else schema(shape, named, "#/components/schemas/")
        return {"application/json": {"schema": found}}

    wrong = {"description": "What is wrong, in a sentence.", "content": described(ErrorJson)}
    paths: dict[str, Any] = {}
    for each in ADDRESSES:
        call: dict[str, Any] = {
            "operationId": each.do.__name__,
            "summary": each.says,
            "parameters": [parameter(told) for told in each.parameters()],
            "responses": {
                "200": {"description": each.says, "content": described(each.gives)},
                "4XX": wrong,
                "5XX": wrong,
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


def parameter(told: asked.Parameter) -> dict[str, Any]:
    """A parameter as OpenAPI describes it."""
    kind: dict[str, Any] = {"type": TYPES[told.kind]}
    if told.kind is int:
        kind |= {"minimum": 1, "maximum": told.most}
    if told.kind is str:
        kind |= {"maxLength": LONGEST_QUESTION}
    if told.default is not None:
        kind["default"] = told.default
    if told.many:
        kind = {"type": "array", "items": kind}
    return {"name": told.name, "in": "query", "required": told.needed, "description": told.help, "schema": kind}
