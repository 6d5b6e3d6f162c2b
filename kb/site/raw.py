"""An extension of Python-Markdown: a page that kb wrote is finished HTML, and goes through as it is.

Markdown would else read every tag of it to find where the block ends, which took two thirds of a build.
"""

from __future__ import annotations

from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

RAW = '<div class="kb-raw">'
"""How such a page begins; main.html takes the wrapper off."""


class WholePage(Preprocessor):  # type: ignore[misc]
    """Puts a page that begins with `RAW` aside whole, before anything looks into it."""

    def run(self, lines: list[str]) -> list[str]:
        """The lines of a page, or what stands for it until the end."""
        at = next((number for number, line in enumerate(lines) if line), None)
        if at is None or lines[at] != RAW:
            return lines
        return [self.md.htmlStash.store("\n".join(lines[at:]).strip())]


class Raw(Extension):  # type: ignore[misc]
    """The extension."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Look at a page once its lines are tidied (priority 30), before anything looks for code and tags in them (25, 20)."""
        md.preprocessors.register(WholePage(md), "kb_raw", 28)


def makeExtension(**_options: Any) -> Raw:
    """What Python-Markdown calls."""
    return Raw()
