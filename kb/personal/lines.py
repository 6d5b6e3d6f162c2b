"""What every reader of a file makes: lines that know their page, and whether they look like a heading."""

from __future__ import annotations

from dataclasses import dataclass

from kb.errors import KbError


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
