"""An extension of Python-Markdown: a page that kb wrote is finished HTML, and goes through as it is.

Markdown would else read every tag of it to find where the block ends, which took two thirds of a build.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension

RAW = '<div class="kb-raw">'
"""How such a page begins; main.html takes the wrapper off."""


def convert(md: Markdown, otherwise: Callable[[str], str], source: str) -> str:
    """A page as HTML: one that begins with `RAW` with its lines tidied as Markdown does (`otherwise`) and nothing else done to it."""
    lines = md.preprocessors["normalize_whitespace"].run(source.split("\n"))
    at = next((number for number, line in enumerate(lines) if line), None)
    if at is None or lines[at] != RAW:
        return otherwise(source)
    return "\n".join(lines[at:]).strip()


class Raw(Extension):  # type: ignore[misc]
    """The extension."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Look at a page before anything looks for code and tags in it."""
        md.convert = partial(convert, md, md.convert)


def makeExtension(**_options: Any) -> Raw:
    """What Python-Markdown calls."""
    return Raw()
