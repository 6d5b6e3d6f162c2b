"""Drawings of the diagrams in entries: SVG files that were drawn beforehand, each named by the text it was drawn from."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path


def drawing_name(source: str) -> str:
    """Name of the drawing of a diagram's text: it changes with the text, so that an old drawing is never shown."""
    return hashlib.sha256(source.strip().encode("utf-8")).hexdigest()[:16]


class Drawings:
    """The drawings in `site/diagrams/`. `python tests/site/draw_diagrams.py` draws what is missing there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cache  # noqa: B019 - one instance lives as long as a build
    def html(self, source: str) -> str | None:
        """A diagram as SVG in the colours of the page; None when it is not drawn."""
        path = self._folder / f"{drawing_name(source)}.svg"
        return path.read_text(encoding="utf-8").strip() if path.is_file() else None
