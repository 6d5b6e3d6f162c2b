"""The HTTP service: each address, what it asks of a session, and its answer."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from kb.version import __version__
from kb.web import asked, work
from kb.web.guards import Guards, Refused, body_of
from kb.web.helper import BusyError, Helper
from kb.web.openapi import description
from kb.web.settings import Settings
from kb.web.work import Answered, encoded, failure

KEPT = 2_000
LARGEST_KEPT = 32_000
JSON = "application/json"
FIRST_QUESTION = "mulligan"

Endpoint = Callable[[Request], Awaitable[Response]]


def respond(told: Answered) -> Response:
    """An answer as a response."""
    return Response(told[1], told[0], media_type=JSON)


class Service:
    """One process of the service, which only reads requests: one helper process searches, another does what may take long.

    The same question has the same answer until the sources change, so the last answers are kept as they were sent.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.searches = Helper(settings.seconds, settings.connections)
        self.helper = Helper(settings.seconds)
        self._kept: OrderedDict[tuple[str, bytes], Answered] = OrderedDict()

    def quick(self, name: str, parameters: tuple[asked.Parameter, ...]) -> Endpoint:
        """Answers from the process that searches."""
        do = getattr(work, name)

        async def endpoint(request: Request) -> Response:
            key = (name, request.scope["query_string"])
            if (told := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
                return respond(told)
            told = await self.searches.ask(do, asked.read(parameters, given(request)))
            if len(told[1]) <= LARGEST_KEPT and told[0] == 200:
                self._kept[key] = told
                if len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            return respond(told)

        return endpoint

    def long(self, name: str, parameters: tuple[asked.Parameter, ...], with_text: bool) -> Endpoint:
        """Answers from the helper process; `with_text`: about the text that the request brings."""
        do = getattr(work, name)

        async def endpoint(request: Request) -> Response:
            values = asked.read(parameters, given(request))
            texts = [await body_of(request, self.settings.seconds)] if with_text else []
            return respond(await self.helper.ask(do, values, *texts))

        return endpoint

    async def entry(self, request: Request) -> Response:
        """An entry, card or list by its id."""
        asked.read((), given(request))
        return respond(await self.searches.ask(work.entry, request.path_params["id"]))

    async def health(self, request: Request) -> Response:
        """Whether questions are answered: one is asked, of the process that answers them all."""
        asked.read((), given(request))
        status, told = await self.searches.ask(work.search, asked.read(asked.SEARCH, {"q": [FIRST_QUESTION]}))
        return respond((200, encoded({"kb": __version__})) if status == 200 else (status, told))


def given(request: Request) -> dict[str, list[str]]:
    """The parameters of a request."""
    found: dict[str, list[str]] = {}
    for name, value in request.query_params.multi_items():
        found.setdefault(name, []).append(value)
    return found


async def wrong(_request: Request, error: Exception) -> Response:
    """Every error as a status and a sentence."""
    if isinstance(error, Refused):
        # What was not read of the request must not be taken for the next one.
        return Response(encoded({"error": error.sentence}), error.status, {"connection": "close"}, JSON)
    if isinstance(error, HTTPException):
        said = {404: "There is no such address; /openapi.json lists them.", 405: "This address takes another method."}
        return Response(
            encoded({"error": said.get(error.status_code, error.detail)}), error.status_code, error.headers, JSON
        )
    if isinstance(error, ClientDisconnect):
        return Response(status_code=400)  # nobody reads it
    if isinstance(error, BusyError):
        return Response(encoded({"error": str(error)}), 503, {"retry-after": "1"}, JSON)
    return respond(failure(error))


def application(settings: Settings) -> Starlette:
    """The service as an ASGI application."""
    service = Service(settings)
    told = encoded(description())
    home = encoded({"kb": __version__, "openapi": "/openapi.json"})

    async def openapi(_request: Request) -> Response:
        return respond((200, told))

    async def index(_request: Request) -> Response:
        return respond((200, home))

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        # The index is opened, so that the first question is as quick as the others.
        await service.searches.ask(work.search, asked.read(asked.SEARCH, {"q": [FIRST_QUESTION]}))
        yield
        service.searches.close()
        service.helper.close()

    routes = [
        Route("/", index),
        Route("/openapi.json", openapi),
        Route("/health", service.health),
        Route("/search", service.quick("search", asked.SEARCH)),
        Route("/ask", service.quick("ask", asked.ASK)),
        Route("/show", service.quick("show", asked.SHOW)),
        Route("/entries/{id:path}", service.entry),
        Route("/cards", service.long("cards", asked.CARDS, False)),
        Route("/deck/check", service.long("check_deck", asked.frame(), True), methods=["POST"]),
        Route("/party/rebuild", service.long("rebuild_party", asked.REBUILD, True), methods=["POST"]),
    ]
    handlers: dict[Any, Any] = {
        ClientDisconnect: wrong,
        HTTPException: wrong,
        Refused: wrong,
        BusyError: wrong,
        asked.WrongQuestion: wrong,
    }
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guards, settings=settings)],
        exception_handlers=handlers,
        lifespan=lifespan,
    )
