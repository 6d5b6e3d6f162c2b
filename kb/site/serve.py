"""Serves a built site to this machine only."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from socket import socket
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")
PORT = re.compile(r":\d+$")
WRONG_ADDRESS = "404.html"
MOST_CLIENTS = 32
IDLE_SECONDS = 10


class Pages(SimpleHTTPRequestHandler):
    """Serves the files of a folder: no listings, nothing outside it, and to none but this machine's own names."""

    timeout = IDLE_SECONDS

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def send_head(self) -> Any:
        """The file asked for; an error in words for everything else."""
        # A page elsewhere whose name leads to this machine would else read the site as its own (DNS rebinding).
        if PORT.sub("", self.headers.get("Host") or "") not in OWN_NAMES:
            self.send_error(HTTPStatus.FORBIDDEN, "This server answers to 127.0.0.1 and localhost only")
            return None
        asked = unquote_to_bytes(urlsplit(self.path).path)
        if min(asked, default=0x20) < 0x20 or b"\\" in asked:
            self.send_error(HTTPStatus.BAD_REQUEST, "That is not the address of a page")
            return None
        try:
            path = Path(self.translate_path(self.path))
            page = path / "index.html" if path.is_dir() else path
            if not page.is_file() or not page.resolve().is_relative_to(Path(self.directory).resolve()):
                return self.no_such_page()
            return super().send_head()
        except (OSError, ValueError):
            return self.no_such_page()

    def no_such_page(self) -> Any:
        """The site's own page for wrong addresses; a line where it has none."""
        try:
            page = (Path(self.directory) / WRONG_ADDRESS).read_bytes()
        except OSError:
            self.send_error(HTTPStatus.NOT_FOUND, "There is no such page")
            return None
        self.send_response(HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        return BytesIO(page)

    def end_headers(self) -> None:
        """Headers of every answer: nothing is guessed, framed or told to others."""
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()


class LocalServer(ThreadingHTTPServer):
    """A server with a limit of clients; who says nothing for a while is let go."""

    daemon_threads = True

    def __init__(self, *args: Any) -> None:
        self._free = threading.BoundedSemaphore(MOST_CLIENTS)
        super().__init__(*args)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread, or hang up at once when too many wait."""
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: socket | Any, client_address: Any) -> None:
        """Answer, then make room for another."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away in the middle of an answer is no news."""


def serve_folder(folder: Path, port: int, ready: Callable[[str], None]) -> None:
    """Serve `folder` on 127.0.0.1 until interrupted; `ready(address)` is called when it listens.

    Raises OSError when the port is taken.
    """
    with LocalServer(("127.0.0.1", port), partial(Pages, directory=str(folder))) as server:
        ready(f"http://127.0.0.1:{server.server_address[1]}/")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return
