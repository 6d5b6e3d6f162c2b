"""Read plain text, Markdown and HTML as lines, and divide the lines of a file into passages, one for each heading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import unescape

from kb.frozen import frozen
from kb.personal.store import NotTakenError
from kb.sources.own import MOST_PASSAGES, OwnPassage

# About one screen, which is the most that a search result can show.
LONGEST = 2_500
LONGEST_TITLE = 200


@frozen
class TextLine:
    """A line of text. `page` is the number of its page (from 1), or None if the file has no pages.

    `level` is the level of a heading (1 is the highest), or 0 for body text. `ends` is True if a paragraph ends with
    the line.
    """

    text: str
    page: int | None = None
    level: int = 0
    ends: bool = False


def passages(lines: Iterable[TextLine]) -> list[OwnPassage]:
    """Return the passages of a file in order. The title of text before the first heading, or of text in a file
    without headings, is its page.

    Raises NotTakenError if there is no text, or if there are too many passages.
    """
    sections: list[OwnPassage] = []
    title, page, paragraphs, row = "", None, [], []  # type: str, int | None, list[str], list[str]
    level = 0

    def end_paragraph() -> None:
        if whole := "".join(row).strip():
            paragraphs.append(whole)
        row.clear()

    def end_section() -> None:
        end_paragraph()
        if paragraphs:
            sections.extend(_parts(title or (f"Page {page}" if page else "Beginning"), page, paragraphs))
        paragraphs.clear()

    for line in lines:
        if line.level:
            if paragraphs or row or line.level != level or not title:
                end_section()
                title, page, level = line.text[:LONGEST_TITLE], line.page, line.level
            else:  # the second line of a heading
                title = f"{title} {line.text}"[:LONGEST_TITLE]
            continue
        if page is None and line.page and not title:
            page = line.page
        elif not title and line.page != page:  # no headings: a passage for each page
            end_section()
            page = line.page
        level = 0
        if row and row[-1].endswith("-") and line.text[:1].islower():  # a word hyphenated at the end of a row
            row[-1] = row[-1][:-1]
        elif row and line.text:
            row.append(" ")
        if line.text:
            row.append(line.text)
        if line.ends:
            end_paragraph()
        if len(sections) > MOST_PASSAGES:
            break
    end_section()
    if len(sections) > MOST_PASSAGES:
        raise NotTakenError(
            f"The file has too many sections: kb reads at most {MOST_PASSAGES:,}. Import only part of the file."
        )
    if not sections:
        raise NotTakenError("The file contains no text.")
    return sections


def _parts(title: str, page: int | None, paragraphs: list[str]) -> list[OwnPassage]:
    """Split a section into passages of at most LONGEST characters, between paragraphs or sentences."""
    texts, text = [], ""
    for paragraph in paragraphs:
        for piece in _pieces(paragraph):
            if text and len(text) + 2 + len(piece) > LONGEST:
                texts.append(text)
                text = ""
            text = f"{text}\n\n{piece}" if text else piece
    texts.append(text)
    return [
        OwnPassage(title=title if not number else f"{title} ({number + 1})", page=page, text=part)
        for number, part in enumerate(texts)
    ]


def _pieces(paragraph: str) -> list[str]:
    """Split a paragraph into pieces of at most LONGEST characters, between sentences or words."""
    pieces, at = [], 0
    while len(paragraph) - at > LONGEST:
        cut = paragraph.rfind(". ", at, at + LONGEST) + 1 or paragraph.rfind(" ", at, at + LONGEST)
        cut = cut if cut > at else at + LONGEST
        pieces.append(paragraph[at:cut].strip())
        at = cut
    return [piece for piece in [*pieces, paragraph[at:].strip()] if piece]


_TITLE_END = re.compile(r"[.,;:!?]$")
_HEADING = re.compile("h[1-6]")
# Tags inside a block. Every other tag ends the block.
_WITHIN = {
    "a",
    "abbr",
    "b",
    "cite",
    "code",
    "em",
    "font",
    "i",
    "img",
    "mark",
    "q",
    "s",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "u",
}
_SILENT = {"title", "script", "style", "head", "template", "noscript", "svg", "nav"}


def of_text(text: str) -> Iterator[TextLine]:
    """Yield the lines of plain text. A form feed begins a new page.

    A heading is a short line after a blank line. It is in capitals or underlined, or it has no final stop and a blank
    line after it.
    """
    pages = text.split("\f")
    for number, page in enumerate(pages, 1):
        at = number if len(pages) > 1 else None
        rows = [row.strip() for row in page.splitlines()]
        for index, row in enumerate(rows):
            before = rows[index - 1] if index else ""
            after = rows[index + 1] if index + 1 < len(rows) else ""
            if row and not _is_rule(row):
                yield TextLine(row, at, _level(row, before, after), ends=not after)


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
    """Return True if a line is a horizontal rule drawn with characters, such as `-----`."""
    return len(row) >= 3 and set(row) <= set("=-~_*")


def of_markdown(text: str) -> Iterator[TextLine]:
    """Yield the headings of a Markdown text, and the text of all other blocks, as lines. Markup is removed."""
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
                yield TextLine(shown, None, level, ends=True)
        elif token.type in {"fence", "code_block"}:
            yield from (TextLine(row, None, 0, ends=True) for row in token.content.splitlines() if row.strip())


_MARK = re.compile(r"<(?:(!--)|([!?])|(/?)([a-zA-Z][^\s/>]*+))")
"""A pattern for the beginning of a comment, a declaration or a tag."""
_REST = re.compile(r"""(?:[^>="']++|=\s*+(?:"[^"]*+"|'[^']*+')?+|["'])*+>?""")
"""A pattern for the rest of a tag. Quoted values can contain `>`. The pattern does not backtrack, so it runs in linear
time.
"""
_RAW = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in ("script", "style")}
"""The closing tags of elements with raw text. Nothing else in these elements is a tag."""


def of_html(text: str) -> Iterator[TextLine]:
    """Yield the headings of an HTML text, and the text of all other blocks, as lines. Scripts, styles and navigation
    are left out.

    Python's own parser is not used, because it takes quadratic time for unclosed constructs and keeps all attributes.
    """
    reader, at = _Blocks(), 0
    while mark := _MARK.search(text, at):
        reader.text(text[at : mark.start()])
        comment, declaration, closing, tag = mark.groups()
        if comment:
            at = _after(text, "-->", mark.end())
        elif declaration:
            at = _after(text, ">", mark.end())
        else:
            rest = _REST.match(text, mark.end())
            at = rest.end() if rest else mark.end()
            name = tag.lower()
            if closing:
                reader.end(name)
                continue
            reader.start(name)
            if text.endswith("/>", mark.end(), at):
                reader.end(name)
            elif name in _RAW:
                ends = _RAW[name].search(text, at)
                at = ends.start() if ends else len(text)
        yield from reader.lines
        reader.lines.clear()
    reader.text(text[at:])
    reader.flush()
    yield from reader.lines


def _after(text: str, sign: str, at: int) -> int:
    """Return the position after the next `sign`, searching from `at`. If there is none, return the end of the text."""
    found = text.find(sign, at)
    return len(text) if found < 0 else found + len(sign)


class _Blocks:
    """Joins the texts between tags into blocks. `lines` are the finished blocks."""

    def __init__(self) -> None:
        self.lines: list[TextLine] = []
        self._text: list[str] = []
        self._level = self._silent = 0

    def start(self, tag: str) -> None:
        """Process the opening tag `tag`."""
        self._silent += tag in _SILENT
        self._block(tag, int(tag[1]) if _HEADING.fullmatch(tag) else self._level)

    def end(self, tag: str) -> None:
        """Process the closing tag `tag`."""
        self._silent = max(0, self._silent - (tag in _SILENT))
        self._block(tag, 0 if _HEADING.fullmatch(tag) else self._level)

    def _block(self, tag: str, level: int) -> None:
        """End the current block, unless `tag` only marks up text inside a block. `level` is the heading level of the
        next block.
        """
        if tag not in _WITHIN:
            self.flush()
            self._level = level

    def text(self, text: str) -> None:
        """Add the text between two tags to the current block."""
        if text and not self._silent:
            self._text.append(unescape(text))

    def flush(self) -> None:
        """End the current block: add it to `lines` if it has text."""
        if shown := " ".join("".join(self._text).split()):
            self.lines.append(TextLine(shown, None, self._level, ends=True))
        self._text.clear()
