"""Reads rulebooks in plain text, Markdown and HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from kb.personal.passages import Line

_TITLE_END = re.compile(r"[.,;:!?]$")
_BLOCKS = {
    "p",
    "div",
    "li",
    "tr",
    "dt",
    "dd",
    "blockquote",
    "pre",
    "section",
    "article",
    "table",
    "ul",
    "ol",
    "br",
    "hr",
    "body",
}
_SILENT = {"title", "script", "style", "head", "template", "noscript", "svg", "nav"}


def of_text(text: str) -> Iterator[Line]:
    """Lines of plain text. A form feed begins a page; a short line between blank ones, in capitals or without a full stop, is a heading."""
    pages = text.split("\f")
    for number, page in enumerate(pages, 1):
        at = number if len(pages) > 1 else None
        rows = [row.strip() for row in page.splitlines()]
        for here, row in enumerate(rows):
            before = rows[here - 1] if here else ""
            after = rows[here + 1] if here + 1 < len(rows) else ""
            if row and not _is_rule(row):
                yield Line(row, at, _level(row, before, after), ends=not after)


def _level(row: str, before: str, after: str) -> int:
    if len(row) > 70 or not any(sign.isalpha() for sign in row) or before:
        return 0
    if row.isupper():
        return 1
    if _is_rule(after):  # underlined
        return 1 if after[0] == "=" else 2
    begins = row[0].isupper() or row[0].isdigit()
    return 2 if not after and begins and not _TITLE_END.search(row) and len(row.split()) <= 10 else 0


def _is_rule(row: str) -> bool:
    """Whether a row is a line drawn with signs."""
    return len(row) >= 3 and set(row) <= set("=-~_*")


def of_markdown(text: str) -> Iterator[Line]:
    """Lines of Markdown: its headings, and the text of every other block without its marks."""
    from markdown_it import MarkdownIt

    level = 0
    for token in MarkdownIt("commonmark", {"html": False}).enable("table").parse(text):
        if token.type == "heading_open":
            level = int(token.tag[1])
        elif token.type == "heading_close":
            level = 0
        elif token.type == "inline":
            shown = "".join(
                child.content if child.type in {"text", "code_inline"} else " " if "break" in child.type else ""
                for child in token.children or []
            ).strip()
            if shown:
                yield Line(shown, None, level, ends=True)
        elif token.type in {"fence", "code_block"}:
            yield from (Line(row, None, 0, ends=True) for row in token.content.splitlines() if row.strip())


def of_html(text: str) -> Iterator[Line]:
    """Lines of HTML: its headings, and the text of every other block. Scripts, styles and navigation are left out."""
    reader = _Html()
    reader.feed(text)
    reader.close()
    reader.flush()
    yield from reader.lines


class _Html(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[Line] = []
        self._text: list[str] = []
        self._level = 0
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._silent.append(tag)
        elif re.fullmatch("h[1-6]", tag):
            self.flush()
            self._level = int(tag[1])
        elif tag in _BLOCKS:
            self.flush()

    def handle_endtag(self, tag: str) -> None:
        if self._silent:
            if tag == self._silent[-1]:
                self._silent.pop()
        elif re.fullmatch("h[1-6]", tag):
            self.flush()
            self._level = 0
        elif tag in _BLOCKS:
            self.flush()

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._text.append(data)

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """Pass over `<![…]>`; one that Python knows no meaning of ends at the next `>`, as browsers read it."""
        try:
            return super().parse_marked_section(i, report)
        except AssertionError:
            return self.parse_bogus_comment(i, report)

    def flush(self) -> None:
        """End the block that was read."""
        shown = " ".join("".join(self._text).split())
        self._text.clear()
        if shown:
            self.lines.append(Line(shown, None, self._level, ends=True))
