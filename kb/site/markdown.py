"""Render a source's Markdown as HTML from the parser's tokens. Text that is not a known token stays text.

Raw HTML and pictures are not rendered, and links may lead only to pages (see SAFE_TARGET). MkDocs receives finished
HTML (see `Writer.write`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import escape
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.anchors import anchors_plugin

from kb.files.text import slug
from kb.markup import ICON, LINK


def drawing_name(source: str) -> str:
    """Return the name of a diagram's drawing: a hash of the diagram's text, so that an outdated drawing is never shown."""
    return hashlib.sha256(source.strip().encode("utf-8")).hexdigest()[:16]


class Drawings:
    """The drawings of diagrams in `site/diagrams/`. `python tests/site/draw_diagrams.py` draws missing ones."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cache  # noqa: B019 - one instance lives as long as a build
    def html(self, source: str) -> str | None:
        """Return the drawing of the diagram `source` as SVG that uses the page's colours. None if there is no drawing."""
        path = self._folder / f"{drawing_name(source)}.svg"
        return path.read_text(encoding="utf-8").strip() if path.is_file() else None


ANCHOR = re.compile(r"\s*\{#([a-z0-9][\w.-]*)\}\s*$")
# Allowed targets of a link: a page on the web, a part of this page, another page of the site. `//host` is not allowed.
SAFE_TARGET = re.compile(r"https?://[^\s\\]+|#[\w.-]*|(?!/)(?:[\w.-]+/)*[\w.-]+(?:[#?][^\s\\]*)?", re.I)
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
TABLE_ROW = re.compile(r"^[ \t]*\|.*$", re.M)
DEEPEST = 20

Address = Callable[[str, str | None, bool], str | None]
Hint = Callable[[str, bool], str]
Icon = Callable[[str], str | None]
Drawing = Callable[[str], str | None]


class BodyRenderer:
    """Converts the Markdown of entries to HTML.

    `icon(name)` returns an icon's HTML, or None for an unknown name. `drawing(text)` returns a diagram's drawing, or
    None if there is none.
    """

    def __init__(self, icon: Icon, drawing: Drawing = lambda _source: None) -> None:
        self._icon = icon
        self._drawing = drawing
        self._parser = MarkdownIt("commonmark", {"html": False, "maxNesting": DEEPEST})
        self._parser.enable("table").disable(["html_block", "html_inline", "image"]).use(admon_plugin)
        self._parser.use(anchors_plugin, max_level=6, slug_func=heading_id)
        self._parser.validateLink = is_safe_target  # type: ignore[method-assign, assignment]
        self._parser.inline.ruler.before("link", "kb_bracket", self._bracket)
        self._parser.core.ruler.push("kb_ids", without_ids)
        self._parser.core.ruler.push("kb_corners", free_corners)
        self._parser.add_render_rule("kb_icon", lambda _self, tokens, at, _options, _env: tokens[at].content)
        self._parser.add_render_rule("fence", lambda _self, *args: self._fence(*args))
        self._parser.add_render_rule("link_open", link_open)

    def render(self, text: str, address: Address, hint: Hint = lambda _target, _is_card: "") -> str:
        """Return a Markdown text as HTML.

        `address(target, anchor, is_card)` returns the address for a wiki link, or None if its target does not exist.
        `hint(target, is_card)` returns the tooltip of a link.
        """
        text = TABLE_ROW.sub(lambda row: LINK.sub(one_cell, row[0]), CONTROL.sub("", text))
        return str(self._parser.render(text, {"address": address, "hint": hint}))

    def _fence(self, tokens: Sequence[Token], at: int, _options: Any, _env: Any) -> str:
        """Render a code block. A diagram is shown as its drawing, or as its text if there is no drawing."""
        code = escape(tokens[at].content.rstrip("\n"))
        if tokens[at].info.strip() != "mermaid":
            return f"<pre><code>{code}\n</code></pre>\n"
        if drawn := self._drawing(tokens[at].content):
            words = "Flowchart of the steps on this page"
            return f'<figure class="kb-diagram" role="img" aria-label="{words}">{drawn}</figure>\n'
        return f'<pre class="kb-diagram">{code}</pre>\n'

    def _bracket(self, state: StateInline, silent: bool) -> bool:
        """Parse a wiki link or an icon that begins at `[`, as a rule of the inline parser. Return False if neither
        begins there.
        """
        if state.src[state.pos] != "[":
            return False
        if match := LINK.match(state.src, state.pos, state.posMax):
            if not silent:
                wiki_link(state, match)
            state.pos = match.end()
            return True
        match = ICON.match(state.src, state.pos)
        html = self._icon(match[1]) if match and match.end() <= state.posMax else None
        if match is None or html is None:
            return False
        if not silent:
            state.push("kb_icon", "", 0).content = html
        state.pos = match.end()
        return True


def one_cell(match: re.Match[str]) -> str:
    r"""Escape the bar of a matched wiki link as `\|`, so that it does not divide the cells of a table."""
    return f"[[{match[1]}\\|{match[2]}]]" if match[2] else match[0]


def wiki_link(state: StateInline, match: re.Match[str]) -> None:
    """Add the wiki link `[[target#anchor|words]]` to the parser's tokens. If its target does not exist, the words are
    emphasized instead.
    """
    target, is_card = match[1].removeprefix("card:"), match[1].startswith("card:")
    path, _, anchor = (target, "", "") if is_card else target.partition("#")
    address = state.env["address"](path, anchor or None, is_card)
    kind, tag = ("em", "em") if address is None else ("link", "a")
    opening = state.push(f"{kind}_open", tag, 1)
    if address is not None:
        hint = state.env["hint"](path, is_card)
        opening.attrs = {
            "href": address,
            **({"class": "kb-card"} if is_card else {}),
            **({"title": hint} if hint else {}),
        }
        opening.meta = {"ours": True}
    ended, most, level = match.end(), state.posMax, state.linkLevel
    state.pos, state.posMax, state.linkLevel = (match.start(2), match.end(2), level + 1) if match[2] else (0, 0, level)
    if match[2]:
        state.md.inline.tokenize(state)
    else:
        state.push("text", "", 0).content = target
    state.push(f"{kind}_close", tag, -1)
    state.pos, state.posMax, state.linkLevel = ended, most, level


def is_safe_target(target: str) -> bool:
    """Return True if a text may link to the address `target`. Addresses such as `javascript:` are not allowed."""
    return SAFE_TARGET.fullmatch(target) is not None


def link_open(_self: Any, tokens: Sequence[Token], at: int, _options: Any, _env: Any) -> str:
    """Render the tag `<a …>`. Links to other sites send no referrer."""
    attributes = dict(tokens[at].attrs)
    if str(attributes.get("href", "")).casefold().startswith("http") and not tokens[at].meta.get("ours"):
        attributes["rel"] = "noreferrer"
    return "<a" + "".join(f' {name}="{escape(value)}"' for name, value in attributes.items()) + ">"


def free_corners(state: StateCore) -> None:
    """Turn empty header cells of tables into plain cells, because they do not label a column."""
    for opened, words, closed in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        if opened.type == "th_open" and not words.content.strip():
            opened.tag = closed.tag = "td"


def heading_id(title: str) -> str:
    """Return the id of a heading: the one in `{#id}` at the end of `title`, or else one made from its words."""
    named = ANCHOR.search(title)
    return named[1] if named else slug(title) or "part"


def without_ids(state: StateCore) -> None:
    """Remove `{#id}` from the text of headings, after the headings have received these ids."""
    for heading, inline in zip(state.tokens, state.tokens[1:], strict=False):
        if heading.type == "heading_open" and inline.children and inline.children[-1].type == "text":
            inline.children[-1].content = ANCHOR.sub("", inline.children[-1].content)
