"""What stands before every request: whom the service answers, how much it reads, and what it says of itself to browsers."""

from __future__ import annotations

import asyncio
import re

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kb.errors import KbError
from kb.files.text import unicode_text
from kb.web.settings import LARGEST_BODY, LARGEST_HEAD, Settings
from kb.web.work import encoded, failure

PORT = re.compile(r":\d+$")
HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
]


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
        headers: dict[bytes, bytes] = {}
        size = 0
        for name, value in scope["headers"]:
            headers.setdefault(name, value)
            size += len(name) + len(value)
        host = headers.get(b"host", b"").decode("latin-1").casefold()
        origin = headers.get(b"origin", b"").decode("latin-1")
        extra = list(HEADERS)
        # A page elsewhere whose name leads to this machine would else read the answers as its own (DNS rebinding).
        if size > LARGEST_HEAD:  # one that comes in pieces is refused before
            refused = (431, f"The headers are larger than {LARGEST_HEAD:,} bytes.")
        elif PORT.sub("", host) not in self.settings.names:
            refused = (403, "This service answers to its own names only; --allow-host adds one.")
        elif origin and origin not in self.settings.origins and origin.partition("://")[2].casefold() != host:
            refused = (403, "Pages of other origins may not read this; --origin names those that may.")
        elif not is_utf8(scope.get("query_string", b"")):
            refused = (400, "The address is not in UTF-8; write its other letters as %XX.")
        else:
            refused = None
        if origin in self.settings.origins:
            extra += [(b"access-control-allow-origin", origin.encode("latin-1")), (b"vary", b"origin")]
        if refused:
            await answer(send, refused[0], encoded({"error": refused[1]}), extra)
        elif scope["method"] == "OPTIONS" and origin in self.settings.origins:
            allowed = [
                (b"access-control-allow-methods", b"GET, POST"), (b"access-control-allow-headers", b"content-type"),
                (b"access-control-max-age", b"600"),
            ]  # fmt: skip
            await send({"type": "http.response.start", "status": 204, "headers": [*extra, *allowed]})
            await send({"type": "http.response.body", "body": b""})
        else:
            begun = False

            async def told(message: Message) -> None:
                nonlocal begun
                begun = True
                if message["type"] == "http.response.start":
                    message["headers"] = [*message.get("headers", ()), *extra]
                await send(message)

            try:
                await self.app(scope, receive, told)
            except Exception as error:  # no request leaves a traceback, nor is without an answer
                status, body = failure(error)
                if not begun:
                    await answer(send, status, body, extra)


def is_utf8(text: bytes) -> bool:
    """Whether bytes are text, as everything behind takes an address to be."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


async def answer(send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    """Send JSON with a status."""
    told = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *headers]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": body})


async def too_many(_scope: Scope, _receive: Receive, send: Send) -> None:
    """The application that answers while `--connections` are open: 503."""
    busy = encoded({"error": "Too many connections are open; ask again in a moment."})
    await answer(send, 503, busy, [*HEADERS, (b"retry-after", b"1"), (b"connection", b"close")])


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
