"""What stands before every request: whom the service answers, how much it reads, and what it says of itself to browsers."""

from __future__ import annotations

import asyncio
import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kb.errors import KbError
from kb.files.text import unicode_text
from kb.web.settings import LARGEST_BODY, LARGEST_HEAD, Settings
from kb.web.work import encoded, failure

PORT = re.compile(r":\d+$")
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}


class Refused(KbError):
    """A request that is refused: its status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


class Guards:
    """Refuses foreign names and origins; gives each answer the headers that browsers need."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host", "").casefold(), headers.get("origin", "")
        refused = None
        # A page elsewhere whose name leads to this machine would else read the answers as its own (DNS rebinding).
        if sum(len(name) + len(value) for name, value in headers.raw) > LARGEST_HEAD:  # one in pieces is refused before
            refused = (431, f"The headers are larger than {LARGEST_HEAD:,} bytes.")
        elif PORT.sub("", host) not in self.settings.names:
            refused = (403, "This service answers to its own names only; --allow-host adds one.")
        elif origin and origin not in self.settings.origins and origin.partition("://")[2].casefold() != host:
            refused = (403, "Pages of other origins may not read this; --origin names those that may.")
        elif not is_utf8(scope.get("query_string", b"")):
            refused = (400, "The address is not in UTF-8; write its other letters as %XX.")
        if refused:
            await said(*refused)(scope, receive, send)
            return
        begun = False

        async def told(message: Message) -> None:
            nonlocal begun
            begun = True
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        try:
            await self.app(scope, receive, told)
        except Exception as error:  # no request leaves a traceback, nor is without an answer
            status, body = failure(error)
            if not begun:
                await Response(body, status, HEADERS, "application/json")(scope, receive, send)


def is_utf8(text: bytes) -> bool:
    """Whether bytes are text, as everything behind takes an address to be."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def said(status: int, sentence: str, more: dict[str, str] | None = None) -> Response:
    """What is wrong, as JSON with a status."""
    return Response(encoded({"error": sentence}), status, HEADERS | (more or {}), "application/json")


async def too_many(scope: Scope, receive: Receive, send: Send) -> None:
    """The application that answers while `--connections` are open: 503."""
    busy = said(
        503, "Too many connections are open; ask again in a moment.", {"retry-after": "1", "connection": "close"}
    )
    await busy(scope, receive, send)


async def body_of(request: Request, seconds: float) -> str:
    """The text that a request brings. Raises Refused when it is too large, too slow, empty or no text."""
    told = request.headers.get("content-length", "0")
    if told.isdigit() and int(told) > LARGEST_BODY:
        raise Refused(413, f"The text is larger than {LARGEST_BODY:,} bytes.")
    found = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                found += part
                if len(found) > LARGEST_BODY:
                    raise Refused(413, f"The text is larger than {LARGEST_BODY:,} bytes.")
    except TimeoutError:
        raise Refused(408, f"The text did not arrive within {seconds:g} seconds.") from None
    if not found:
        raise Refused(400, "Send the text of a deck file as the body of the request.")
    try:
        return unicode_text(bytes(found))
    except UnicodeDecodeError:
        raise Refused(400, "The text is not UTF-8.") from None
