"""Says where a write failed: a full disk names no file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def named(place: Path | str) -> Iterator[None]:
    """Let an OSError of what is written in this block say where; it is raised again."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(place)
        raise
