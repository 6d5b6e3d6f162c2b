"""The OpenAPI description of the service, made from its parameters and from the types of its answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NotRequired, TypedDict

from kb.api.card_lists import CardsJson
from kb.api.schema import schema
from kb.api.searching import AnswerJson, ResultsJson
from kb.api.showing import NamedJson, Shown
from kb.decks.contract import ProblemJson, ReportJson
from kb.version import __version__
from kb.web import asked
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


DECK = "The text of a deck file, in any format that kb reads."
TABLE = "The text of a table file."
REBUILT = {"type": "object", "description": "The JSON of `kb party rebuild`: what the game tells, and `findings`."}


def description() -> dict[str, Any]:
    """The OpenAPI 3.1 document."""
    named: dict[str, Any] = {}
    results, answer, shown, cards, report, error, health = (
        schema(shape, named, "#/components/schemas/")
        for shape in (ResultsJson, AnswerJson, Shown, CardsJson, ReportJson, ErrorJson, HealthJson)
    )

    def call(
        name: str, says: str, parameters: Sequence[asked.Parameter], told: dict[str, Any], text: str = ""
    ) -> dict[str, Any]:
        wrong = {"description": "What is wrong, in a sentence.", "content": {"application/json": {"schema": error}}}
        found: dict[str, Any] = {
            "operationId": name,
            "summary": says,
            "parameters": [parameter(each) for each in parameters],
            "responses": {
                "200": {"description": says, "content": {"application/json": {"schema": told}}},
                "4XX": wrong,
                "5XX": wrong,
            },
        }
        if text:
            content = {"text/plain": {"schema": {"type": "string"}}}
            found["requestBody"] = {"required": True, "description": text, "content": content}
        return found

    entry = call("entry", "An entry, a card or a list by its id.", (), shown)
    entry["parameters"] = [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]
    paths = {
        "/search": {"get": call("search", "Entries and cards that answer a question.", asked.SEARCH, results)},
        "/ask": {"get": call("ask", "The entry that answers a question, whole.", asked.ASK, answer)},
        "/show": {"get": call("show", "An entry, a card or a list by its name.", asked.SHOW, shown)},
        "/entries/{id}": {"get": entry},
        "/cards": {"get": call("cards", "Cards by their facts.", asked.CARDS, cards)},
        "/health": {"get": call("health", "Whether questions are answered.", (), health)},
        "/deck/check": {"post": call("check_deck", "The report on a deck.", asked.frame(), report, DECK)},
        "/party/rebuild": {
            "post": call("rebuild_party", "The decks of a table, rebuilt.", asked.REBUILD, REBUILT, TABLE)
        },
    }
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
