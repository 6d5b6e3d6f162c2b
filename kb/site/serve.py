"""Serves a built site to this machine only."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line for each."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def serve_folder(folder: Path, port: int, ready: Callable[[str], None]) -> None:
    """Serve `folder` on 127.0.0.1 until interrupted; `ready(address)` is called when it listens.

    Raises OSError when the port is taken.
    """
    with ThreadingHTTPServer(("127.0.0.1", port), partial(Quiet, directory=str(folder))) as server:
        ready(f"http://127.0.0.1:{server.server_address[1]}/")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return
