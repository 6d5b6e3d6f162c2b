"""Memory between the steps of a build: what one of them leaves goes back to the system before the next one begins."""

from __future__ import annotations

import contextlib
import ctypes
import gc
from collections.abc import Iterator

SOON = (20_000, 10, 50)
"""How many objects come before cyclic garbage is looked for. Templates leave much of it: at a command's 100,000 (kb.cli) a build holds
10 MB more, and is no quicker."""


def give_back() -> None:
    """Let go of what nobody holds any more. The C library of Linux keeps freed memory for itself unless it is told."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError, TypeError):  # other systems' libraries have no such call
        ctypes.CDLL(None).malloc_trim(0)


@contextlib.contextmanager
def swept_soon() -> Iterator[None]:
    """Meanwhile garbage is looked for soon; afterwards as before, and what was frozen is looked through again."""
    before = gc.get_threshold()
    gc.set_threshold(*SOON)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
