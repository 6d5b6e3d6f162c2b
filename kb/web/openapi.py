"""The addresses of the service: the question that each address asks, its parameters, and their description in OpenAPI."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from inspect import getdoc, signature
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model

from kb.errors import KbError
from kb.files.text import one_line, writable
from kb.json_schema import document, schemas
from kb.registry import games
from kb.version import __version__
from kb.web import questions, work
from kb.web.questions import Text


class WrongQuestion(KbError, ValueError):
    """A parameter of a request is missing, unknown or invalid."""


Asked = Callable[..., Any]
ADDRESSES: dict[str, Asked] = {
    "/search": questions.search,
    "/ask": questions.ask,
    "/show": questions.show,
    "/entries/{id}": questions.entry,
    "/cards": questions.cards,
    "/health": questions.health,
    "/deck/check": questions.check_deck,
    "/party/rebuild": questions.rebuild_party,
}
LONG = (questions.cards, questions.check_deck, questions.rebuild_party)
"""The questions whose answers can take several seconds."""
NAMES = {"question": "q", "query": "q", "game": "in"}
"""Parameters that have another name in an address than in the function of the question."""
Texts = Annotated[list[Text], BeforeValidator(lambda value: value if isinstance(value, list) else [value])]


def takes_text(question: Asked) -> bool:
    """Return True if a question has the parameter `text`. Its value is the body of the request."""
    return "text" in signature(question).parameters


@cache
def parameters(question: Asked) -> type[BaseModel]:
    """Return the parameters of a question as a Pydantic model. A deck check has the options of all games."""
    fields: dict[str, Any] = {}
    for each in signature(question, eval_str=True).parameters.values():
        if each.kind is each.VAR_KEYWORD:
            for about in games().values():
                for option in about.options:
                    kind: Any = (Texts if option.many else Text) | None if option.metavar else bool
                    words = Field(None if option.metavar else False, description=f"{about.short}: {option.help}")
                    fields.setdefault(option.name, (kind, words))
        elif each.name not in ("session", "text"):
            fields[each.name] = (each.annotation, ... if each.default is each.empty else each.default)
    config = ConfigDict(extra="forbid", alias_generator=lambda name: NAMES.get(name, name))
    return create_model(question.__name__, __config__=config, **fields)


def read(question: Asked, query: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the query of a request to the arguments of `question`. Raises WrongQuestion if a parameter is wrong."""
    known = parameters(question)
    try:
        return known.model_validate(query).model_dump(exclude_unset=True)
    except ValidationError as error:
        names = [NAMES.get(name, name) for name in known.model_fields]
        raise WrongQuestion(f"{wrong_argument(error, names)}. Only a list may be given more than once.") from None


def wrong_argument(error: ValidationError, names: Sequence[str]) -> str:
    """Return a sentence, without its final full stop, about the first wrong argument in `error`. It lists the valid `names`."""
    wrong = error.errors()[0]
    where = one_line(writable(str(wrong["loc"][0])[:40]))
    return f"`{where}`: {wrong['msg']}. Parameters are {', '.join(names) or 'none'}"


INFO = {
    "title": "kb",
    "version": __version__,
    "description": "Rules reference and deck checker for adventure card games. The texts: CC BY 4.0.",
    "license": {"name": "MIT", "identifier": "MIT"},
}


def description() -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of the service."""
    gives = [signature(question, eval_str=True).return_annotation for question in ADDRESSES.values()]
    generated, named = schemas([*gives, work.Error], "#/components/schemas/{model}")
    *answers, wrong = ({"application/json": {"schema": says}} for says in generated)
    failed = {"description": "What is wrong, in a sentence.", "content": wrong}
    paths: dict[str, Any] = {}
    for (path, question), answer in zip(ADDRESSES.items(), answers, strict=True):
        says = document(parameters(question))
        call: dict[str, Any] = {
            "operationId": question.__name__,
            "summary": getdoc(question),
            "parameters": [
                {
                    "name": name,
                    "in": "path" if f"{{{name}}}" in path else "query",
                    "required": name in says.get("required", ()),
                    "description": schema.pop("description", ""),
                    "schema": schema,
                }
                for name, schema in says["properties"].items()
            ],
            "responses": {"200": {"description": getdoc(question), "content": answer}, "4XX": failed, "5XX": failed},
        }
        if takes_text(question):
            call["requestBody"] = {"required": True, "content": {"text/plain": {"schema": {"type": "string"}}}}
        paths[path] = {"post" if takes_text(question) else "get": call}
    return {
        "openapi": "3.1.0",
        "info": INFO,
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": named},
    }
