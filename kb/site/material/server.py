"""Additions to MkDocs' own server: compressed responses, and several requests over one connection."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any
from wsgiref.headers import Headers
from wsgiref.simple_server import ServerHandler, WSGIRequestHandler
from wsgiref.util import FileWrapper

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

TEXTS = ("text/", "application/javascript", "application/json", "image/svg+xml")
SMALL = 1_000
"""Responses of at most this many bytes are not compressed."""


class ServerAnswer(ServerHandler):
    """An HTTP/1.1 response that keeps the connection open."""

    http_version = "1.1"


class Connected(WSGIRequestHandler):
    """A request handler that answers several requests over one connection, until the browser closes it."""

    protocol_version = "HTTP/1.1"

    def handle(self) -> None:
        """Answer all requests of the connection. A browser that disconnects is no error."""
        try:
            BaseHTTPRequestHandler.handle(self)
        except ConnectionError:
            self.close_connection = True

    def handle_one_request(self) -> None:
        """Answer one request. A request with a body ends the connection, because bodies are not read."""
        self.raw_requestline = self.rfile.readline(65_537)
        if len(self.raw_requestline) > 65_536 or not self.parse_request():
            self.close_connection = True
            return
        if self.command != "GET" or self.headers.get("Content-Length") or self.headers.get("Transfer-Encoding"):
            self.close_connection = True
        answer = ServerAnswer(self.rfile, self.wfile, sys.stderr, self.get_environ(), multithread=True)  # type: ignore[arg-type]
        answer.request_handler = self  # type: ignore[attr-defined]
        answer.run(self.server.get_app())  # type: ignore[attr-defined]


def compressed(app: WSGIApplication) -> WSGIApplication:
    """Wrap a WSGI application so that it sends texts compressed to browsers that accept gzip."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if "gzip" not in environ.get("HTTP_ACCEPT_ENCODING", ""):
            return app(environ, start_response)
        started: list[Any] = []
        read = app(environ, lambda *args: started.extend(args))  # type: ignore[arg-type]
        body = b"".join(read)
        if isinstance(read, FileWrapper):
            read.close()
        headers = Headers(list(started[1]))
        if len(body) > SMALL and (headers["Content-Type"] or "").startswith(TEXTS):
            body = gzip.compress(body, 5)
            headers["Content-Encoding"] = "gzip"
            headers["Content-Length"] = str(len(body))
        start_response(started[0], headers.items())
        return [body]

    return answer
