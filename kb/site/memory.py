"""Memory between the steps of a build: what one of them leaves goes back to the system before the next one begins."""

from __future__ import annotations

import contextlib
import ctypes
import gc


def give_back() -> None:
    """Let go of what nobody holds any more. The C library of Linux keeps freed memory for itself unless it is told."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError, TypeError):  # other systems' libraries have no such call
        ctypes.CDLL(None).malloc_trim(0)
