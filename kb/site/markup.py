"""Turns the body of an entry into the Markdown that MkDocs renders: links, icons, diagrams; everything else is text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from markupsafe import Markup, escape

from kb.markup import render_links

CODE = re.compile(r"(```.*?```|`[^`\n]+`)", re.S)
DIAGRAM = re.compile(r"^([ \t]*)```mermaid[ \t]*\n(.*?)^[ \t]*```[ \t]*$", re.M | re.S)
ICON = re.compile(r"\[([a-z][a-z_]*)\](?![(\[])")
ANCHOR = re.compile(r"\{(#[a-z0-9][\w.-]*)\}")
UNSAFE_TARGET = re.compile(r"(\]\()\s*(?!https?://|#|[\w./-]+(?:[#?)]|\.html))[^)]*\)")
ICON_WORDS = {
    "fast": "fast",
    "free": "free triggered ability",
    "reaction": "reaction",
    "elder_sign": "elder sign",
    "auto_fail": "automatic failure",
    "elder_thing": "elder thing",
    "per_investigator": "per investigator",
}

Link = Callable[[str, str | None, bool, str], str]


class Icons:
    """The drawings in `site/theme/icons/`, for use within text."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.names = frozenset(path.stem for path in folder.glob("*.svg"))

    @cache  # noqa: B019 - one instance lives as long as a build
    def html(self, name: str) -> str:
        """An icon as inline SVG with its name as text alternative, on one line."""
        words = escape(ICON_WORDS.get(name, name.replace("_", " ")))
        svg = " ".join((self._folder / f"{name}.svg").read_text(encoding="utf-8").split())
        svg = svg.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1)
        return f'<span class="kb-icon kb-icon-{name}" role="img" aria-label="{words}" title="{words}">{svg}</span>'

    def symbol(self, name: str) -> str:
        """An icon to be drawn many times on a page with `<use href="#kb-NAME">`."""
        svg = " ".join((self._folder / f"{name}.svg").read_text(encoding="utf-8").split())
        return re.sub(
            r"^<svg [^>]*?(viewBox=\"[^\"]*\")[^>]*>(.*)</svg>$", rf'<symbol id="kb-{name}" \1>\2</symbol>', svg
        )

    def inline(self, text: str) -> str:
        """Text with `[icon]` replaced; unknown names in brackets stay words."""
        return ICON.sub(lambda found: self.html(found[1]) if found[1] in self.names else found[0], text)


def has_diagram(body: str) -> bool:
    """Whether a body holds a diagram."""
    return "```mermaid" in body


def to_markdown(body: str, icons: Icons, link: Link) -> str:
    """The body as Markdown for MkDocs.

    Raw HTML in it is shown as text (nothing that a source says may become markup), attribute lists are kept to anchors, wiki
    links are written by `link`, diagrams become `<pre class="kb-diagram">`.
    """
    diagrams: list[str] = []

    def keep(found: re.Match[str]) -> str:
        diagrams.append(
            f'<pre class="kb-diagram" role="img" aria-label="Flow diagram of the steps on this page">{escape(found[2].rstrip())}</pre>'
        )
        return f"{found[1]}\x02{len(diagrams) - 1}\x03"

    parts = CODE.split(DIAGRAM.sub(keep, body.replace("\x02", "").replace("\x03", "")))
    for number in range(0, len(parts), 2):
        parts[number] = text_part(parts[number], icons, link)
    return re.sub("\x02(\\d+)\x03", lambda found: diagrams[int(found[1])], "".join(parts))


def text_part(text: str, icons: Icons, link: Link) -> str:
    """Markdown outside code: HTML and attribute lists disarmed, then links and icons put in."""
    text = text.replace("<", "&lt;")
    text = ANCHOR.sub("\x04\\1\x05", text).replace("{", "&#123;").replace("\x04", "{").replace("\x05", "}")
    text = UNSAFE_TARGET.sub(r"\1#)", text)
    written: list[str] = []

    def write(target: str, anchor: str | None, is_card: bool, words: str) -> str:
        written.append(link(target, anchor, is_card, words))
        return f"\x06{len(written) - 1}\x07"

    text = icons.inline(render_links(text, write))
    return re.sub("\x06(\\d+)\x07", lambda found: written[int(found[1])], text)


def summary(text: str, limit: int = 170) -> str:
    """The first sentence of running text (and the next one after a bare "Yes."), cut at a word when it is long."""
    sentences = re.split(r"(?<=[.!?:])\s+(?=[A-Z\"“(\[0-9-])|\n", text.strip())
    said = ""
    for sentence in sentences:
        said = f"{said} {sentence.strip()}".strip()
        if len(said) > 45:
            break
    return said if len(said) <= limit else said[:limit].rsplit(" ", 1)[0].rstrip(" ,;:-") + " …"


def indented(markdown: str, depth: int = 1) -> str:
    """Markdown as the content of an admonition."""
    return "\n".join("    " * depth + line if line else "" for line in markdown.split("\n"))


def safe(html: str) -> Markup:
    """Markdown or HTML that was made here and needs no escaping."""
    return Markup(html)
