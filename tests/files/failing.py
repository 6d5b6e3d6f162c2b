"""A rename that fails, as on a broken disk, in the middle of what a module writes."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest


def fail_at(step: int, module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the rename number `step` (from 1) fail of those that a module does by its `replace`; the others are done."""
    calls, really = 0, module.replace

    def replace(source: Path, there: Path) -> None:
        nonlocal calls
        calls += 1
        if calls == step:
            raise OSError(5, "Input/output error")
        really(source, there)

    monkeypatch.setattr(module, "replace", replace)
