"""kb as tools of an assistant (Model Context Protocol, over standard input and output): the JSON of the commands in fewer words."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from inspect import signature
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from kb.api.session import Session
from kb.catalog.postgres import without_secrets
from kb.decks.report import Report
from kb.errors import KbError
from kb.registry import games
from kb.settings import chosen_game
from kb.version import __version__
from kb.web import questions
from kb.web.openapi import Asked, read
from kb.web.settings import LARGEST_BODY

PAGE = re.compile(r",? pp?\. ([\d, -]+)$")
CARD_FACTS = "kb's card facts"
# Of an entry, what an assistant has no use for, and the lists that may be long.
UNSAID = {"body", "covers", "aliases", "asked", "linked_from", "checks"}
LONG, MOST = {"rulings", "see", "same_card", "rulebooks", "bears_on"}, 10


def in_short(value: Any, key: str = "") -> Any:
    """JSON without what an assistant has no use for; whatever has an id has its source, parted into document and page."""
    if isinstance(value, list):
        return [in_short(each, key) for each in (value[:MOST] if key in LONG else value)]
    if not isinstance(value, dict):
        return value
    if key in ("cards", "facts"):  # what is known of a card is kb's own compilation
        known = {name: each for name, each in value.items() if each not in (None, [], {}, "")}
        return {**known, "title": known.get("name", known["id"]), "source": CARD_FACTS, "page": None}
    short = {name: in_short(each, name) for name, each in value.items() if name not in UNSAID}
    if "facts" in short:
        return {name: short["facts"][name] for name in ("id", "title", "source", "page")} | short
    if "answer" in short:
        short["certain"] = short["answer"] is not None
    if "entries" in short:  # a list of them
        short |= {"source": short["title"], "page": None}
    elif isinstance(source := short.get("source"), str):
        page = PAGE.search(source)
        short |= {"source": PAGE.sub("", source), "page": page[1] if page else None}
    return short


INSTRUCTIONS = (
    "Rules of adventure card games ({games}), restated in plain words with their sources. Answer questions about these games "
    "from these tools, not from memory: `ask` first, then `search` for more, `show` for an entry or card whole. Name the id, "
    "source and page of what you answer with. Where `certain` is false, say so; `answers` is the question that a result answers: check "
    "that it is the user's. `check_deck` judges a deck by the rules."
)
ONLY_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)


def check_deck(
    session: Session,
    deck: Annotated[
        str,
        Field(
            max_length=LARGEST_BODY, description="The text of a deck file: YAML, JSON of another program, or a list."
        ),
    ],
    options: Annotated[
        dict[str, str | bool | list[str]] | None,
        Field(description='Options of `kb deck check` by name, such as {"taboo": "latest"}.'),
    ] = None,
) -> Report:
    """Judge a deck by the rules of its game: each finding with what is wrong, what mends it, and the rule with its page."""
    return questions.check_deck(session, deck, **read(questions.check_deck, options or {}))


TOOLS: dict[Asked, dict[str, int]] = {
    questions.ask: {}, questions.search: {"limit": 5}, questions.show: {}, questions.cards: {"limit": 20}, check_deck: {},
}  # fmt: skip
"""The questions that an assistant may ask, each with defaults that give it less to read."""


def tools(own: bool) -> dict[str, Callable[..., dict[str, Any]]]:
    """The tools by their names; `own`: the user's own rulebooks may be found too.

    One thread answers one call after the other, each with a session of its own: the SDK's forty would hold the tables forty times.
    """
    thread = ThreadPoolExecutor(1)

    def answer(question: Asked, arguments: Mapping[str, Any]) -> dict[str, Any]:
        try:
            with Session(chosen=chosen_game(), own=own, files=False) as session:
                return dict(in_short(session.as_json(question(session, **arguments))))
        except KbError as error:
            raise ToolError(str(error)) from None
        except Exception as error:
            print(f"kb mcp: {type(error).__name__}: {without_secrets(error)[:300]!r}", file=sys.stderr)
            raise ToolError("This is a bug in kb; its log says more.") from None

    def tool(question: Asked, defaults: dict[str, int]) -> Callable[..., dict[str, Any]]:
        @wraps(question)
        def call(**arguments: Any) -> dict[str, Any]:
            return thread.submit(answer, question, defaults | arguments).result()

        _session, *given = signature(question, eval_str=True).parameters.values()
        given = [each.replace(default=defaults.get(each.name, each.default)) for each in given]
        call.__signature__ = signature(call).replace(parameters=given, return_annotation=dict[str, Any])  # type: ignore[attr-defined]
        return call

    return {question.__name__: tool(question, defaults) for question, defaults in TOOLS.items()}


def server(own: bool) -> MCPServer[Any]:
    """The tools as a server that speaks the protocol."""
    titles = ", ".join(about.title for about in games().values())
    made: MCPServer[Any] = MCPServer(
        "kb", version=__version__, instructions=INSTRUCTIONS.format(games=titles), log_level="ERROR"
    )
    for tool in tools(own).values():
        made.add_tool(tool, annotations=ONLY_READS)
    return made


def run(own: bool) -> None:
    """Serve the tools over standard input and output until the input ends."""
    server(own).run("stdio")
