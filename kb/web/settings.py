"""The settings of the HTTP service: its address, the requests that it accepts, and its limits."""

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
    """The service cannot be started. The message is written for users."""


@frozen
class Settings:
    """The settings of the service.

    `hosts` are further host names that requests can address the service by. `origins` are other sites whose pages can
    read the answers. `seconds` is the longest time for an answer. `connections` is the largest number of open
    connections per process.
    """

    host: str = "127.0.0.1"
    port: int = 8001
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    workers: int = 1
    seconds: float = 10.0
    connections: int = 200

    def __post_init__(self) -> None:
        """Check the origins. Raises ServiceError if one is not a web address without a path."""
        for origin in self.origins:
            if not ORIGIN.fullmatch(origin):
                raise ServiceError(
                    f"--origin takes an address without a path, such as https://example.org; {origin!r} is not one."
                )

    @property
    def names(self) -> frozenset[str]:
        """All host names that requests can address the service by."""
        return frozenset(name.casefold() for name in (*OWN_NAMES, *self.hosts))
