"""The HTTP service: each address, what it asks of a session, and its answer."""

from __future__ import annotations

import gc
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kb.api.session import Session
from kb.service import asked, work
from kb.service.guards import Guards, Refused, body_of
from kb.service.helper import BusyError, Helper
from kb.service.openapi import description
from kb.service.settings import Settings
from kb.service.work import Answered, answered, encoded, failure
from kb.version import __version__

KEPT = 2_000
LARGEST_KEPT = 32_000
JSON = "application/json"

Endpoint = Callable[[Request], Awaitable[Response]]


def respond(told: Answered) -> Response:
    """An answer as a response."""
    return Response(told[1], told[0], media_type=JSON)


class Service:
    """One process of the service: a session for what is quick, a helper process for what may take long.

    The same question has the same answer until the sources change, so the last answers are kept as they were sent.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.session = Session(own=False)
        self.helper = Helper(settings.seconds)
        self._kept: OrderedDict[tuple[str, bytes], Answered] = OrderedDict()

    def quick(self, name: str, parameters: tuple[asked.Parameter, ...]) -> Endpoint:
        """Answers from the session."""
        do = getattr(work, name)

        async def endpoint(request: Request) -> Response:
            key = (name, request.scope["query_string"])
            if (told := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
                return respond(told)
            told = answered(self.session, do, asked.read(parameters, given(request)))
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
        return respond(answered(self.session, entry_with, request.path_params["id"]))


def settle() -> None:
    """Look through memory for rubbish less often: what is open stays, what a request makes is gone with it, and a look takes as long
    as many searches."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


def entry_with(session: Session, exact_id: str) -> Any:
    """The entry, card or list with an id. Raises NotFound."""
    from kb.api.showing import NotFound

    found = session.get(exact_id.strip("/"))
    if found is None:
        raise NotFound(f"There is no entry with the id {exact_id[:200]!r}; /show finds it by its name.")
    return found


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
        with service.session as session:
            session.search("mulligan")  # opens the index, so that the first question is as quick as the others
            settle()
            yield
        service.helper.close()

    routes = [
        Route("/", index),
        Route("/openapi.json", openapi),
        Route("/search", service.quick("search", asked.SEARCH)),
        Route("/ask", service.quick("ask", asked.ASK)),
        Route("/show", service.quick("show", asked.SHOW)),
        Route("/entries/{id:path}", service.entry),
        Route("/cards", service.long("cards", asked.CARDS, False)),
        Route("/deck/check", service.long("check_deck", asked.frame(), True), methods=["POST"]),
        Route("/party/rebuild", service.long("rebuild_party", asked.REBUILD, True), methods=["POST"]),
    ]
    handlers: dict[Any, Any] = {
        Exception: wrong,
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
