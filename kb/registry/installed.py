"""Finds games that other packages bring (entry point group `kb.games`), and remembers them: looking takes 50 ms.

What was found is kept in the cache until a folder of installed packages changes.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from kb import paths

GROUP = "kb.games"
REMEMBERED = "games.json"


def installed() -> Iterator[tuple[str, Path]]:
    """Package and folder of every game that another package brings."""
    if sys.platform == "emscripten":  # a browser: nothing but what the page brought
        return
    places = _places()
    found = _remembered(places)
    if found is None:
        found = [list(pair) for pair in _found()]
        _remember(places, found)
    for package, folder in found:
        yield package, Path(folder)


def _places() -> dict[str, int]:
    """The folders that may hold packages, each with the time of its last change."""
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    places = [place for place in sys.path if place and (place in named or place.endswith("-packages"))]
    return {place: Path(place).stat().st_mtime_ns for place in dict.fromkeys(places) if Path(place).is_dir()}


def _found() -> Iterator[tuple[str, str]]:
    from importlib.metadata import entry_points
    from importlib.util import find_spec

    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            spec = find_spec(point.value)
        except ImportError:
            spec = None
        if spec and spec.origin:
            yield point.value, str(Path(spec.origin).parent)


def _remembered(places: dict[str, int]) -> list[list[str]] | None:
    try:
        kept = json.loads((paths.cache_dir() / REMEMBERED).read_text(encoding="utf-8"))
        return [[str(package), str(folder)] for package, folder in kept["games"]] if kept["places"] == places else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _remember(places: dict[str, int], found: list[list[str]]) -> None:
    """Keep what was found; where the cache cannot be written, it is looked for again next time."""
    target = paths.cache_dir() / REMEMBERED
    beside = target.with_suffix(f".{os.getpid()}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps({"places": places, "games": found}), encoding="utf-8")
        beside.replace(target)
    except OSError:
        return
