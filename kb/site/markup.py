"""Draws the icons within text, and finds the first sentence of a text."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

from markupsafe import escape

from kb.markup import ICON
from kb.sentences import sentences

ICON_WORDS = {
    "fast": "fast",
    "free": "free triggered ability",
    "reaction": "reaction",
    "elder_sign": "elder sign",
    "auto_fail": "automatic failure",
    "elder_thing": "elder thing",
    "per_investigator": "per investigator",
}


class Icons:
    """The drawings in `site/theme/icons/`, for use within text.

    If `apart` is set, `html` only refers to a symbol, which the page must define once (see `symbol`).
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.apart = False
        self.names = frozenset(path.stem for path in folder.glob("*.svg"))

    @cache  # noqa: B019 - one instance lives as long as a build
    def html(self, name: str) -> str:
        """Return an icon as inline SVG on one line, with its name as text alternative."""
        words = escape(ICON_WORDS.get(name, name.replace("_", " ")))
        svg = " ".join((self._folder / f"{name}.svg").read_text(encoding="utf-8").split())
        svg = svg.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1)
        if self.apart:
            svg = f'<svg aria-hidden="true"><use href="#kb-{name}"/></svg>'
        return f'<span class="kb-icon kb-icon-{name}" role="img" aria-label="{words}" title="{words}">{svg}</span>'

    def symbol(self, name: str) -> str:
        """Return an icon as an SVG symbol, which a page can use repeatedly with `<use href="#kb-NAME">`."""
        svg = " ".join((self._folder / f"{name}.svg").read_text(encoding="utf-8").split())
        return re.sub(
            r"^<svg [^>]*?(viewBox=\"[^\"]*\")[^>]*>(.*)</svg>$", rf'<symbol id="kb-{name}" \1>\2</symbol>', svg
        )

    def inline(self, text: str) -> str:
        """Replace each `[icon]` in a text with its drawing. Unknown names in brackets stay unchanged."""
        return ICON.sub(lambda match: self.html(match[1]) if match[1] in self.names else match[0], text)


@lru_cache(maxsize=10_000)  # many pages name the same entry
def summary(body: str, limit: int = 220) -> str:
    """Return the first sentence of an entry's body, or the first two if the first is as short as "Yes.".

    After a sentence that ends in a colon, as much of the following list is added as fits. A text longer than `limit` is
    cut between words.
    """
    text, listing = "", False
    for sentence in sentences(body):
        gap = ";" if text[-1:].isalnum() else ""
        longer = f"{text}{gap} {sentence.text}".strip()
        if listing and len(longer) > limit - 2:
            text = longer if text.endswith(":") else text.rstrip(";") + " …"
            break
        text, listing = longer, listing or longer.endswith(":")
        if len(text) > 45 and not listing:
            break
    text = text.removesuffix(";")
    if text[-1:].isalnum() or text.endswith("]"):  # ends with an icon
        text += "."
    return text if len(text) <= limit else text[:limit].rsplit(" ", 1)[0].rstrip(" ,;:-") + " …"
