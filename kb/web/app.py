"""The HTTP service: each address, what it asks of a session, and its answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from kb.version import __version__
from kb.web import asked, work
from kb.web.guards import Guards, Refused, body_of
from kb.web.helper import BusyError, Helper
from kb.web.openapi import ADDRESSES, Address, description
from kb.web.settings import Settings
from kb.web.work import Answered, encoded, failure

JSON = "application/json"


def respond(told: Answered) -> Response:
    """An answer as a response."""
    return Response(told[1], told[0], media_type=JSON)


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
    """The service as an ASGI application: this process only reads requests; one helper searches, another does what may take long."""
    searches = Helper(settings.seconds, settings.connections)
    helper = Helper(settings.seconds)

    def answers(address: Address) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            values = asked.read(address.parameters(), given(request)) | request.path_params
            texts = [await body_of(request, settings.seconds)] if address.text else []
            return respond(await (helper if address.long else searches).ask(address.do, values, *texts))

        return endpoint

    def says(value: Any) -> Callable[[Request], Awaitable[Response]]:
        told = encoded(value)

        async def endpoint(_request: Request) -> Response:
            return respond((200, told))

        return endpoint

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await searches.ask(work.health, {})  # the index is opened, so that the first question is as quick as the others
        yield
        searches.close()
        helper.close()

    routes = [
        Route("/", says({"kb": __version__, "openapi": "/openapi.json"})),
        Route("/openapi.json", says(description())),
        *(
            Route(each.path.replace("}", ":path}"), answers(each), methods=["POST" if each.text else "GET"])
            for each in ADDRESSES
        ),
    ]
    guards = [
        Middleware(Guards, settings=settings),
        Middleware(
            CORSMiddleware,
            allow_origins=settings.origins,
            allow_methods=["GET", "POST"],
            allow_headers=["content-type"],
        ),
    ]
    told = (ClientDisconnect, HTTPException, Refused, BusyError, asked.WrongQuestion)
    handlers: dict[Any, Any] = dict.fromkeys(told, wrong)
    return Starlette(routes=routes, middleware=guards, exception_handlers=handlers, lifespan=lifespan)
