"""Tools for AI assistants: a Model Context Protocol (MCP) server over standard input and output.

The tools return the commands' JSON in a shorter form.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import wraps
from inspect import signature
from typing import Annotated, Any, BinaryIO

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools.base import Tool
from mcp.types import ToolAnnotations, jsonrpc_message_adapter
from pydantic import Field, ValidationError

from kb.api.session import Session
from kb.catalog.postgres import without_secrets
from kb.decks.report import Report
from kb.errors import KbError
from kb.registry import games
from kb.settings import chosen_game
from kb.version import __version__
from kb.web import questions
from kb.web.openapi import Asked, read, wrong_argument
from kb.web.settings import LARGEST_BODY

PAGE = re.compile(r",? pp?\. ([\d, -]+)$")
CARD_FACTS = "kb's card facts"
# UNSAID: keys of an entry that an assistant does not need. LONG: lists of which only the first MOST items are kept.
UNSAID = {"body", "covers", "aliases", "asked", "linked_from", "checks"}
LONG, MOST = {"rulings", "see", "same_card", "rulebooks", "bears_on"}, 10


def in_short(value: Any, key: str = "") -> Any:
    """Return a JSON value without the keys that an assistant does not need. `key` is the key of `value` in its object.

    In each object with an id, the page is separated from the text of `source` and becomes the key `page`.
    """
    if isinstance(value, list):
        return [in_short(each, key) for each in (value[:MOST] if key in LONG else value)]
    if not isinstance(value, dict):
        return value
    if key in ("cards", "facts"):  # kb compiled the facts of cards itself
        known = {name: each for name, each in value.items() if each not in (None, [], {}, "")}
        return {**known, "title": known.get("name", known["id"]), "source": CARD_FACTS, "page": None}
    short = {name: in_short(each, name) for name, each in value.items() if name not in UNSAID}
    if "facts" in short:
        return {name: short["facts"][name] for name in ("id", "title", "source", "page")} | short
    if "answer" in short:
        short["certain"] = short["answer"] is not None
    if "entries" in short:  # this is a list of entries, which has no source of its own
        short |= {"source": short["title"], "page": None}
    elif isinstance(source := short.get("source"), str):
        page = PAGE.search(source)
        short |= {"source": PAGE.sub("", source), "page": page[1] if page else None}
    return short


INSTRUCTIONS = (
    "Rules of adventure card games ({games}), restated in plain words with their sources. Answer questions about these games "
    "with these tools, not from memory: `ask` first, then `search` for more, and `show` for a whole entry or card. Cite the id, "
    "source and page of each answer. If `certain` is false, say so. `answers` is the question that a result answers: check that it matches "
    "the user's. `check_deck` checks a deck against the rules."
)
ONLY_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)


def check_deck(
    session: Session,
    deck: Annotated[
        str,
        Field(
            max_length=LARGEST_BODY, description="The text of a deck file: YAML, JSON from another program, or a list."
        ),
    ],
    options: Annotated[
        dict[str, str | bool | list[str]] | None,
        Field(description='Options for `kb deck check`, by name, such as {"taboo": "latest"}.'),
    ] = None,
) -> Report:
    """Check a deck against the rules of its game. Each finding says what is wrong, how to correct it, and which rule
    (with page) applies.
    """
    return questions.check_deck(session, deck, **read(questions.check_deck, options or {}))


TOOLS: dict[Asked, dict[str, int]] = {
    questions.ask: {},
    questions.search: {"limit": 5},
    questions.show: {},
    questions.cards: {"limit": 20},
    check_deck: {},
}
"""The questions that an assistant can ask, each with default arguments for a shorter answer."""


def tools(own: bool) -> dict[str, Callable[..., dict[str, Any]]]:
    """Return the tools by name, as functions that return JSON. With `own`, the user's own rulebooks are searched too.

    All calls run one after another in a single thread, each with its own session. The SDK would run them in 40 threads,
    and each thread would load the tables into memory.
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
            raise ToolError("This is a bug in kb. The log has the details.") from None

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
    """Return a server of the Model Context Protocol with kb's tools. With `own`, the user's own rulebooks are searched
    too.
    """
    titles = ", ".join(about.title for about in games().values())
    return MCPServer(
        "kb",
        version=__version__,
        instructions=INSTRUCTIONS.format(games=titles),
        tools=[strict(Strict.from_function(tool, annotations=ONLY_READS)) for tool in tools(own).values()],
        log_level="CRITICAL",  # messages of lower levels are tracebacks
    )


class Strict(Tool):
    """A tool whose error names the first wrong argument in a sentence."""

    async def run(self, arguments: dict[str, Any], context: Any, convert_result: bool = False) -> Any:
        """Run the tool and return its result. Raises ToolError if an argument is wrong or the question fails."""
        try:
            self.fn_metadata.validate_arguments(arguments)
        except ValidationError as error:
            raise ToolError(f"{wrong_argument(error, list(self.parameters['properties']))}.") from None
        return await super().run(arguments, context, convert_result)


def strict(tool: Tool) -> Tool:
    """Change a tool so that it refuses unknown arguments instead of ignoring them. Return the same tool."""
    model = tool.fn_metadata.arg_model
    model.model_config["extra"] = "forbid"
    model.model_rebuild(force=True)
    tool.parameters["additionalProperties"] = False
    return tool


LONGEST_LINE, LONGEST_ID = 8 * LARGEST_BODY, 100
"""Greatest size in bytes of a request (each letter of a deck may be an escape sequence) and of its id. The rest of a
longer request is skipped.
"""
UNREADABLE = "kb/unreadable"
"""A method that no server has. The SDK answers a request for it with an error that contains this name."""


def answerable(line: bytes) -> bytes:
    """Return a line of JSON-RPC in a form that the SDK answers.

    The SDK ignores requests that it cannot read, so the client would wait forever. Therefore unpaired surrogates are
    replaced, and a request that cannot be read but has an id becomes a request for the method UNREADABLE.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        known = id_in(line)
        return line if known is None else unreadable(known)
    if not isinstance(message, dict) or "method" not in message or not isinstance(message.get("id"), str | int):
        return line
    whole = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")
    try:
        jsonrpc_message_adapter.validate_json(whole, by_name=False)
    except ValueError:
        return unreadable(json.dumps(message["id"], ensure_ascii=False).encode("utf-8", "replace"))
    return whole + b"\n"


def unreadable(known: bytes) -> bytes:
    """Return a request for the method `UNREADABLE`. `known` is the id of the request, as the client wrote it."""
    return b'{"jsonrpc":"2.0","id":%s,"method":"%s"}\n' % (known, UNREADABLE.encode())


PIECE = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[{]++|[\]}]++|[^"\[\]{}]++')
"""A pattern for the next piece of JSON: a string, opening or closing brackets, or the text between them."""
WHOLE_ID = re.compile(rb"\s*:\s*(-?\d{1,18})\s*(?:,|$)")


def id_in(line: bytes) -> bytes | None:
    """Find the id of a request in a line that cannot be read as JSON, for example because it is nested too deeply.

    Return the id as the client wrote it. None if there is no id, or if the line is not a request.
    """
    found, called, key, deep = None, False, b"", 0
    for piece in PIECE.finditer(line):
        text = piece[0]
        if text[:1] in b"[{":
            deep += len(text)
        elif text[:1] in b"]}":
            deep -= len(text)
        elif deep == 1 and text[:1] == b'"':
            if key == b'"id":' and len(text) <= LONGEST_ID:
                with suppress(ValueError):
                    json.loads(text)
                    found = text
            called, key = called or text == b'"method"', text
            continue
        elif deep == 1 and key == b'"id"':
            if number := WHOLE_ID.match(text):
                found = number[1]
            key = b'"id":' if text.strip() == b":" else b""
            continue
        key = b""
    return found if called else None


class Requests(io.BufferedIOBase):
    """Standard input, with every line passed through `answerable`."""

    def __init__(self, source: BinaryIO) -> None:
        self._source, self._left = source, b""

    def readable(self) -> bool:
        """Return True: the stream is open for reading."""
        return True

    def read1(self, size: int = -1, /) -> bytes:
        """Return the next bytes, at most `size` of them. Empty at the end of the input."""
        if not self._left and (line := self._source.readline(LONGEST_LINE)):
            if len(line) == LONGEST_LINE and line[-1:] != b"\n":
                while (more := self._source.readline(LARGEST_BODY)) and more[-1:] != b"\n":
                    pass
                line += b"\n"
            self._left = answerable(line)
        given, self._left = (self._left, b"") if size < 0 else (self._left[:size], self._left[size:])
        return given

    def read(self, size: int | None = -1, /) -> bytes:
        """Return the next bytes, as `read1` does."""
        return self.read1(-1 if size is None else size)


def run(own: bool) -> None:
    """Serve the tools over standard input and output until the input ends. With `own`, the user's own rulebooks are
    searched too.
    """
    sys.stdin = io.TextIOWrapper(Requests(sys.stdin.buffer))
    server(own).run("stdio")
