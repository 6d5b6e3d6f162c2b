"""Listens, in one process or in several that share the address."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.supervisors import Multiprocess

from kb.web.app import application
from kb.web.guards import too_many
from kb.web.settings import LARGEST_HEAD, ServiceError, Settings
from kb.web.work import encoded

PATIENCE = 10.0
KEEP_ALIVE = 15


class Patient(H11Protocol):
    """A connection on which no request comes to its end is let go after a while: a slow head must not hold a place."""

    _asked: Any = None
    _timer: asyncio.TimerHandle | None = None

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._most, self.limit_concurrency = self.limit_concurrency, None  # uvicorn's own refusal is no JSON
        self._answering = self.app

    def connection_made(self, transport: Any) -> None:
        """Begin to wait."""
        super().connection_made(transport)
        self._timer = self.loop.call_later(PATIENCE, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Take in what has come; an address that is no text is told as whatever else is no request."""
        full = self._most is not None and max(len(self.connections), len(self.tasks) + 1) > self._most
        self.app = too_many if full else self._answering
        try:
            super().handle_events()
        except UnicodeDecodeError:
            self.send_400_response("")

    def send_400_response(self, msg: str) -> None:
        """Say in JSON that this is no request. Who asks so while another answer is being sent is let go."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE) and (
            self.cycle is None or self.cycle.response_complete
        ):
            body = encoded({"error": "This is not an HTTP request, or one with too large a head."})
            headers = [
                ("content-type", "application/json"),
                ("content-length", str(len(body))),
                ("connection", "close"),
            ]
            for event in (h11.Response(status_code=400, headers=headers), h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _look(self) -> None:
        """Let go when no request has come since the last look; one that is being answered may take its time."""
        answering = self.cycle is not None and not self.cycle.response_complete
        if not answering and self.cycle is self._asked:
            self.transport.close()
            return
        self._asked = self.cycle
        self._timer = self.loop.call_later(PATIENCE, self._look)


def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve until interrupted; `ready(address)` is called when it listens. Raises ServiceError when the address cannot be had."""
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
    except SystemExit:  # uvicorn has said why
        raise ServiceError(f"{settings.host}:{settings.port} cannot be listened on; take another --port.") from None
    sock.listen(config.backlog)  # who asks before all is open waits, and is not turned away
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
