"""Reads the text of entries (Markdown with wiki links): finds links and converts text to plain text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

ANCHOR = re.compile(r"\{#[^}]*\}")
MARKS = re.compile(r"\*\*|__|(?<!\w)(?:\*(?=\S)|_(?=\w))|(?<=\S)\*(?!\w)|(?<=[\w.,!?])_(?!\w)|`")
# A table row without words. The pattern stays within its line, so that many such rows take little time.
RULERS = re.compile(r"^(?=[ \t:-]*\|)[ \t:|-]{2,}$(?:\n(?=[ \t:-]*\|)[ \t:|-]{2,}$)*", re.M)
# `[fast]` is an icon, unless it is the text of a link.
ICON = re.compile(r"\[([a-z][a-z_]*)\](?![(\[])")
# The vertical bar in a link may have a backslash, which it needs in a table cell.
LINK = re.compile(r"\[\[([^\[\]|\\\n]+)(?:\\?\|([^\[\]\n]+))?\]\]")


def render_links(body: str, write: Callable[[str, str | None, bool, str], str]) -> str:
    """Replace each link in the body of an entry with the result of `write(target, anchor, is_card, words)`. The links
    were already resolved when the entry was loaded.
    """

    def replace(match: re.Match[str]) -> str:
        target, words = match[1], match[2] or match[1]
        if target.startswith("card:"):
            return write(target[5:], None, True, words)
        path, _, anchor = target.partition("#")
        return write(path, anchor or None, False, words)

    return LINK.sub(replace, body)


def plain(body: str) -> str:
    """Convert the body of an entry to plain text. Links become their words. Markdown markup and diagrams are removed;
    other code is kept.
    """
    text = re.sub(r"```mermaid\n.*?```", " ", body, flags=re.S)
    text = re.sub(r"^```\w*[ \t]*\n?", "", text, flags=re.M)
    text = render_links(text, lambda _target, _anchor, _card, words: words)
    text = re.sub(r"^!!!\s+\w+\s*(?:\"([^\"]*)\")?", r"\1.", text, flags=re.M)
    text = ANCHOR.sub("", text)
    text = re.sub(r"^#+\s*(.*?)\s*$", r"\1.", text, flags=re.M)
    text = RULERS.sub("", text)
    text = re.sub(r"^[ \t]*(?:[-*+]|\d+\.)\s+", "", text, flags=re.M)
    return MARKS.sub("", text).strip()


def inline(text: str) -> str:
    """Remove the markup of a line or paragraph: links become their words; emphasis, anchors and code marks are removed."""
    if "[[" in text:
        text = render_links(text, lambda _target, _anchor, _card, words: words)
    if "{#" in text:
        text = ANCHOR.sub("", text)
    return MARKS.sub("", text) if "*" in text or "_" in text or "`" in text else text


def anchors(body: str) -> Iterator[str]:
    """Yield the anchors that a body defines (`## Words {#anchor}`)."""
    for match in re.finditer(r"\{#([a-z0-9][\w.-]*)\}", body):
        yield match[1]
