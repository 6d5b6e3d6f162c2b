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
"""The greatest number of bytes that is not worth compressing."""


class ServerAnswer(ServerHandler):
    """A response in HTTP/1.1, which keeps the connection open."""

    http_version = "1.1"


class Connected(WSGIRequestHandler):
    """Answers the requests of a connection until the browser closes it."""

    protocol_version = "HTTP/1.1"

    def handle(self) -> None:
        """Answer all requests; ignore a browser that disconnects."""
        try:
            BaseHTTPRequestHandler.handle(self)
        except ConnectionError:
            self.close_connection = True

    def handle_one_request(self) -> None:
        """Answer one request. Request bodies are not read; such a request ends the connection."""
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
    """Wrap an application so that its texts are sent compressed to browsers that accept gzip."""

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
