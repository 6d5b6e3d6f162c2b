"""Cuts the lines that every reader of a file makes into passages: one for each heading, long ones in parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kb.errors import KbError
from kb.sources.own import MOST_PASSAGES, Passage

# About a screen: what a hit can show, and what one answer is long.
LONGEST = 2_500
LONGEST_TITLE = 200


class RulebookError(KbError, ValueError):
    """A file cannot be taken in as a rulebook; the message is a sentence, and nothing has changed."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text on a page (counted from 1, None where a file has no pages).

    `level` is that of a heading, 1 the highest; 0 is running text. `ends` says that a paragraph ends here.
    """

    text: str
    page: int | None = None
    level: int = 0
    ends: bool = False


def passages(lines: Iterable[Line]) -> list[Passage]:
    """The passages of a file, in its order. Text before the first heading, and of a file without headings, is named by its page.

    Raises RulebookError when there is no text, or far too much.
    """
    found: list[Passage] = []
    title, page, paragraphs, row = "", None, [], ""  # type: str, int | None, list[str], str
    level = 0

    def end_paragraph() -> None:
        nonlocal row
        if row:
            paragraphs.append(row)
        row = ""

    def end_section() -> None:
        end_paragraph()
        if paragraphs:
            found.extend(_parts(title or (f"Page {page}" if page else "Beginning"), page, paragraphs))
        paragraphs.clear()

    for line in lines:
        if line.level:
            if paragraphs or row or line.level != level or not title:
                end_section()
                title, page, level = line.text[:LONGEST_TITLE], line.page, line.level
            else:  # a heading that runs over two rows
                title = f"{title} {line.text}"[:LONGEST_TITLE]
            continue
        if page is None and line.page and not title:
            page = line.page
        elif not title and line.page != page:  # no headings: a passage for each page
            end_section()
            page = line.page
        level = 0
        joined = row[:-1] + line.text if row.endswith("-") and line.text[:1].islower() else f"{row} {line.text}".strip()
        row = joined
        if line.ends:
            end_paragraph()
        if len(found) > MOST_PASSAGES:
            raise RulebookError(
                f"The file has more than {MOST_PASSAGES:,} sections, more than kb takes. Import a part of it."
            )
    end_section()
    if not found:
        raise RulebookError("The file holds no text.")
    return found


def _parts(title: str, page: int | None, paragraphs: list[str]) -> list[Passage]:
    """A section as passages of at most LONGEST letters, cut between paragraphs or sentences."""
    texts, text = [], ""
    for paragraph in paragraphs:
        for piece in _pieces(paragraph):
            if text and len(text) + len(piece) > LONGEST:
                texts.append(text)
                text = ""
            text = f"{text}\n\n{piece}" if text else piece
    texts.append(text)
    return [
        Passage(title=title if not number else f"{title} ({number + 1})", page=page, text=part)
        for number, part in enumerate(texts)
    ]


def _pieces(paragraph: str) -> list[str]:
    pieces = []
    while len(paragraph) > LONGEST:
        cut = max(paragraph.rfind(". ", 0, LONGEST) + 1, 0) or paragraph.rfind(" ", 0, LONGEST)
        cut = cut if cut > 0 else LONGEST
        pieces.append(paragraph[:cut].strip())
        paragraph = paragraph[cut:].strip()
    return [piece for piece in [*pieces, paragraph] if piece]
