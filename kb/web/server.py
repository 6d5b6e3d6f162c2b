"""The HTTP service: which requests it accepts, how it answers each address, and how it runs in one or several
processes.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.supervisors import Multiprocess

from kb.errors import KbError
from kb.files.text import unicode_text
from kb.version import __version__
from kb.web.openapi import ADDRESSES, LONG, Asked, WrongQuestion, description, read, takes_text
from kb.web.questions import health
from kb.web.settings import LARGEST_BODY, LARGEST_HEAD, ServiceError, Settings
from kb.web.work import Answered, BusyError, Helper, encoded, failure

PORT = re.compile(r":\d+$")
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}


class Refused(KbError):
    """A request is refused. `status` is the HTTP status of the answer, and the message is a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Guards:
    """Middleware that refuses requests with unknown host names or origins, and adds security headers to all answers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the application, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host", "").casefold(), headers.get("origin", "")
        refused = None
        # The host name is checked because of DNS rebinding: a page of another site whose host name resolves to this
        # machine could otherwise read the answers.
        if (
            sum(len(name) + len(value) for name, value in headers.raw) > LARGEST_HEAD
        ):  # uvicorn checks the size only of headers that arrive in several pieces
            refused = (431, f"The headers are larger than {LARGEST_HEAD:,} bytes.")
        elif PORT.sub("", host) not in self.settings.names:
            refused = (403, "This service only answers requests for its own host names. Add a name with --allow-host.")
        elif origin and origin not in self.settings.origins and origin.partition("://")[2].casefold() != host:
            refused = (403, "Pages from other origins may not read this answer. Allow an origin with --origin.")
        if refused:
            await said(*refused)(scope, receive, send)
            return
        begun = False

        async def send_with_headers(message: Message) -> None:
            nonlocal begun
            begun = True
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        try:
            await self.app(scope, receive, send_with_headers)
        except Exception as error:  # every request is answered, and no traceback is printed
            status, body = failure(error)
            if not begun:
                await Response(body, status, HEADERS, JSON)(scope, receive, send)


class Preflights(CORSMiddleware):
    """Middleware that answers the preflight requests of browsers from other origins. Refusals are JSON, like all other
    errors.
    """

    def preflight_response(self, request_headers: Headers) -> Response:
        """Return the answer to a preflight request with the given headers."""
        response = super().preflight_response(request_headers)
        if response.status_code < 400:
            return response
        return said(400, "Pages from other origins may only send GET and POST requests, with the header content-type.")


JSON = "application/json"
LATER = {"retry-after": "1"}
"""The header for answers that ask the client to try again."""


def said(status: int, sentence: str, more: dict[str, str] | None = None) -> Response:
    """Return a response with the given status and the JSON `{"error": sentence}`. `more` are further headers."""
    return Response(encoded({"error": sentence}), status, HEADERS | (more or {}), JSON)


async def too_many(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer any request with status 503. This application is used while `--connections` connections are open."""
    busy = said(503, "Too many connections are open. Try again in a moment.", {**LATER, "connection": "close"})
    await busy(scope, receive, send)


async def body_of(request: Request, seconds: float) -> str:
    """Return the text in the body of a request.

    Raises Refused if the text is too large, empty, not UTF-8, or not received within `seconds`.
    """
    length = request.headers.get("content-length", "0")
    if length.isdigit() and int(length) > LARGEST_BODY:
        raise Refused(413, f"The text is larger than {LARGEST_BODY:,} bytes.")
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                body += part
                if len(body) > LARGEST_BODY:
                    raise Refused(413, f"The text is larger than {LARGEST_BODY:,} bytes.")
    except TimeoutError:
        raise Refused(408, f"The text did not arrive within {seconds:g} seconds.") from None
    if not body:
        raise Refused(400, "Send the text of a deck file as the body of the request.")
    try:
        return unicode_text(bytes(body))
    except UnicodeDecodeError:
        raise Refused(400, "The text is not UTF-8.") from None


def respond(answer: Answered) -> Response:
    """Convert an answer (status and JSON) to a response."""
    return Response(answer[1], answer[0], LATER if answer[0] == 503 else None, JSON)


def given(request: Request) -> dict[str, str | list[str]]:
    """Return the query parameters of a request. A parameter that occurs several times has a list of values."""
    listed = {name: request.query_params.getlist(name) for name in request.query_params}
    return {name: values if values[1:] else values[0] for name, values in listed.items()}


async def wrong(_request: Request, error: Exception) -> Response:
    """Convert an error in the handling of a request to a JSON response."""
    if isinstance(error, Refused):
        # The unread part of the request must not be read as the next request.
        return said(error.status, str(error), {"connection": "close"})
    if isinstance(error, HTTPException):
        words = {
            404: "There is no such address. /openapi.json lists all addresses.",
            405: "This address does not allow this method.",
        }
        return said(error.status_code, words.get(error.status_code, error.detail), dict(error.headers or {}))
    if isinstance(error, ClientDisconnect):
        return Response(status_code=400)  # the client is gone
    if isinstance(error, BusyError):
        return said(503, str(error), LATER)
    return respond(failure(error))


def application(settings: Settings) -> Starlette:
    """Return the service as an ASGI application.

    The process itself only reads requests. One helper process searches, and another one answers the questions that take
    longer.
    """
    searches = Helper(settings.seconds, settings.connections)
    helper = Helper(settings.seconds)

    def answers(question: Asked) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            arguments = read(question, given(request) | request.path_params)
            if takes_text(question):
                arguments["text"] = await body_of(request, settings.seconds)
            return respond(await (helper if question in LONG else searches).ask(question, **arguments))

        return endpoint

    def says(value: Any) -> Callable[[Request], Awaitable[Response]]:
        body = encoded(value)

        async def endpoint(_request: Request) -> Response:
            return respond((200, body))

        return endpoint

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await searches.ask(health)  # opens the index, so that the first question takes no longer than later ones
        yield
        searches.close()
        helper.close()

    routes = [
        Route("/", says({"kb": __version__, "openapi": "/openapi.json"})),
        Route("/openapi.json", says(description())),
        *(
            Route(path.replace("}", ":path}"), answers(question), methods=["POST" if takes_text(question) else "GET"])
            for path, question in ADDRESSES.items()
        ),
    ]
    guards = [
        Middleware(Guards, settings=settings),
        Middleware(
            Preflights,
            allow_origins=settings.origins,
            allow_methods=["GET", "POST"],
            allow_headers=["content-type"],
        ),
    ]
    errors = (ClientDisconnect, HTTPException, Refused, BusyError, WrongQuestion)
    handlers: dict[Any, Any] = dict.fromkeys(errors, wrong)
    app = Starlette(routes=routes, middleware=guards, exception_handlers=handlers, lifespan=lifespan)
    app.router.redirect_slashes = False  # behind a TLS server, a redirect would lead to http instead of https
    return app


PATIENCE = 10.0
KEEP_ALIVE = 15


class Patient(H11Protocol):
    """A connection that is closed if the client completes no request within PATIENCE seconds, so that slow clients
    cannot occupy all connections.
    """

    _asked: Any = None
    _timer: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._most, self.limit_concurrency = self.limit_concurrency, None  # uvicorn's own refusal is not JSON
        self._answering = self.app

    def connection_made(self, transport: Any) -> None:
        """Start the timer when the connection is opened."""
        super().connection_made(transport)
        self._timer = self.loop.call_later(PATIENCE, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timer when the connection is closed."""
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Process the received data. An address that is not text is answered like any other invalid request."""
        full = self._most is not None and max(len(self.connections), len(self.tasks) + 1) > self._most
        self.app = too_many if full else self._answering
        try:
            super().handle_events()
        except UnicodeDecodeError:
            self.send_400_response("")

    def send_400_response(self, msg: str) -> None:
        """Answer in JSON that the data is not a valid request, unless another answer is being sent. Then close the
        connection.
        """
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE) and (
            self.cycle is None or self.cycle.response_complete
        ):
            body = encoded({"error": "This is not an HTTP request, or its headers are too large."})
            headers = [
                ("content-type", JSON),
                ("content-length", str(len(body))),
                ("connection", "close"),
            ]
            for event in (h11.Response(status_code=400, headers=headers), h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _look(self) -> None:
        """Close the connection if no request has been completed since the last call. A connection with an unfinished
        answer stays open.
        """
        answering = self.cycle is not None and not self.cycle.response_complete
        if not answering and self.cycle is self._asked:
            self.transport.close()
            return
        self._asked = self.cycle
        self._timer = self.loop.call_later(PATIENCE, self._look)


def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Run the service until it is interrupted. Call `ready(address)` as soon as it listens.

    Raises ServiceError if the address or port cannot be used.
    """
    config = uvicorn.Config(
        partial(application, settings),
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        http=Patient,
        ws="none",
        loop="asyncio",
        access_log=False,
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        limit_concurrency=settings.connections,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=LARGEST_HEAD,
    )
    try:
        sock = config.bind_socket()
    except SystemExit:  # uvicorn has printed the reason
        raise ServiceError(f"kb cannot listen on {settings.host}:{settings.port}. Choose another --port.") from None
    sock.listen(config.backlog)  # early requests wait until the service is ready, instead of being refused
    name = f"[{settings.host}]" if ":" in settings.host else settings.host
    ready(f"http://{name}:{sock.getsockname()[1]}/")
    server = uvicorn.Server(config)
    try:
        if settings.workers > 1:
            Multiprocess(config, [sock]).run()
        else:
            server.run(sockets=[sock])
    except KeyboardInterrupt:
        return
    finally:
        sock.close()
    if not server.started and settings.workers == 1:
        sys.exit(2)
