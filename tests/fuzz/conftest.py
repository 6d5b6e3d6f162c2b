"""How long and how hard the readers are fuzzed.

A plain run tries 30 inputs for each test. `KB_FUZZ=100000 pytest tests/fuzz` tries as many as it says, and then holds every
single input to one second (a plain run asserts no times: a busy machine is no fault).
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator

from hypothesis import HealthCheck, Phase, settings

ASKED = int(os.environ.get("KB_FUZZ", "0"))
SECONDS = float(os.environ.get("KB_FUZZ_SECONDS", "1"))

fuzzed = settings(
    max_examples=ASKED or 30,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
)


@contextlib.contextmanager
def quick(what: object) -> Iterator[None]:
    """In a long run: fail when what is done takes more than a second of this process."""
    started = time.process_time()
    yield
    took = time.process_time() - started
    assert not ASKED or took < SECONDS, f"{took:.1f} s for {str(what)[:500]!r}"
