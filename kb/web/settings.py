"""How the HTTP service is set: where it listens, whom it answers, and its limits."""

from __future__ import annotations

import re

from kb.errors import KbError
from kb.frozen import frozen

LARGEST_BODY = 1_000_000
LARGEST_HEAD = 16_384
LONGEST_QUESTION = 300
OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")
ORIGIN = re.compile(r"https?://[^/\s]+")


class ServiceError(KbError):
    """The service cannot be started; the message is a sentence."""


@frozen
class Settings:
    """`hosts` are the names that a request may call the service by, besides those of this machine; `origins` the pages elsewhere
    that may read its answers. `seconds` is how long one answer may take, `connections` how many each process holds open."""

    host: str = "127.0.0.1"
    port: int = 8001
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    workers: int = 1
    seconds: float = 10.0
    connections: int = 200

    def __post_init__(self) -> None:
        """Raises ServiceError for an origin that is not one."""
        for origin in self.origins:
            if not ORIGIN.fullmatch(origin):
                raise ServiceError(
                    f"--origin takes an address without a path, such as https://example.org; {origin!r} is not one."
                )

    @property
    def names(self) -> frozenset[str]:
        """Every name that a request may call the service by."""
        return frozenset(name.casefold() for name in (*OWN_NAMES, *self.hosts))
