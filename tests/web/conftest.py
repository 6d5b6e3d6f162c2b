"""The service `kb serve` in a separate process, and requests to it over the local network."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import socket
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")


@dataclass(frozen=True)
class Served:
    """A running service, with its port and its process."""

    port: int
    process: subprocess.Popen[str]

    def ask(self, path, body=None, method="", **headers):
        """Send a request, and return the answer as Told. The method is GET, or POST if there is a `body`, unless
        `method` is given.
        """
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            sent = body.encode() if isinstance(body, str) else body
            # A service that refuses a request may stop reading it.
            with contextlib.suppress(BrokenPipeError):
                connection.request(method or ("GET" if body is None else "POST"), path, sent, named)
            response = connection.getresponse()
            text = response.read().decode()
            return Told(
                response.status, json.loads(text) if text not in ("", "OK") else None, dict(response.getheaders())
            )
        finally:
            connection.close()

    def ask_bare(self, path):
        """Send a GET request for `path` without checking or encoding it, and return the raw answer as text."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            connection.sendall(
                f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode(
                    "utf-8", "surrogateescape"
                )
            )
            return connection.makefile("rb").read().decode()


@dataclass(frozen=True)
class Told:
    """An answer of the service: status code, JSON and headers."""

    status: int
    json: Any
    headers: dict[str, str]


@contextmanager
def running(home, *options):
    """Run `kb serve` on a free port, with KB_HOME set to `home`, while the block runs. Yields a Served."""
    environment = {**os.environ, "KB_HOME": str(home)}
    for name in ("KB_SOURCES", "KB_DATABASE_URL"):
        environment.pop(name, None)
    program = [sys.executable, "-c", "from kb.cli import run; run()", "serve", "--port", "0", *options]
    process = subprocess.Popen(program, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        found = re.search(r":(\d+)/", process.stdout.readline())
        assert found
        yield Served(int(found[1]), process)
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture(scope="session")
def service(real_home):
    """Yield a service shared by all tests that do not change it."""
    with running(real_home, "--origin", "https://friend.example", "--allow-host", "table.local") as served:
        yield served


@pytest.fixture
def start(real_home):
    """Return a function that starts another service with the given options, for use in a `with` statement."""
    return lambda *options: running(real_home, *options)


@pytest.fixture
def start_in():
    """Return a function that starts a service with another KB_HOME, for use in a `with` statement."""
    return running


@pytest.fixture
def kb_home_with_book(real, kb, tmp_path, monkeypatch):
    """Return a KB_HOME into which a rulebook was imported."""
    home = tmp_path / "home"
    monkeypatch.setenv("KB_HOME", str(home))
    book = tmp_path / "book.md"
    book.write_text(
        "# House rules\n\n## Zanzibar gambit\n\nThe zanzibar gambit lets a player skip the whole turn, once in a game.\n"
    )
    done = kb("import rulebook {} --game arkham --title 'House rules'", book)
    assert done.code == 0, done
    return home
