"""Import a rulebook into the user's own data.

PDF files are read with PDFium. Columns are recognized by gaps, and headings by the size and weight of their font.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from kb.files.bounded import Limits, TooMuchWorkError, bounded
from kb.files.text import writable
from kb.frozen import frozen
from kb.personal.passages import TextLine, of_html, of_markdown, of_text, passages
from kb.personal.store import Imported, ImportStore, NotTakenError
from kb.sources.own import Book, OwnPassage

MOST_PAGES = 1_500
MOST_LETTERS = 100_000
"""The most characters on a page: ten times as many as on the densest printed page."""
READING = Limits(seconds=120, memory=2_000_000_000)
"""The limits for reading a rulebook."""
# A scanned page contains at most a page number as text.
LETTERS_OF_A_SCAN = 20
# LARGER: the font of a heading is larger than that of body text by this factor. BOLD: the least font weight that is bold.
LARGER, BOLD = 1.12, 600
# A gap of this many font sizes between two words separates columns.
GAP = 1.2
# A gutter is a vertical strip that few rows cross, with at least EACH_SIDE of the rows on each side.
STEP, REACH_OVER, EACH_SIDE, FEWEST = 2.0, 0.12, 0.12, 8
LARGEST_PAGE = 14_400.0
"""The largest width or height of a page in points that the PDF specification allows."""
LINE, WORD = re.compile(r"[^\r\n]+"), re.compile(r"\S+")


@frozen
class PageRow:
    """A row of text on a page of a PDF.

    `x` and `end` are its left and right ends, in points from the left edge. `y` is its baseline, in points from the
    bottom. `size` is its font size.
    """

    x: float
    end: float
    y: float
    size: float
    bold: bool
    text: str


def of_pdf(data: bytes, progress: Callable[[float], None] | None = None) -> list[TextLine]:
    """Return the lines of a PDF file in reading order. `progress` is called with the finished share (0 to 1).

    Raises NotTakenError if the file is damaged, encrypted, too long, or a scan without text.
    """
    try:
        import pypdfium2
    except ImportError:
        raise NotTakenError(
            "PDF files need the package pypdfium2: pip install pypdfium2. kb reads text, Markdown and HTML without it."
        ) from None
    try:
        document = pypdfium2.PdfDocument(data)
        number = len(document)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).casefold():
            raise NotTakenError(
                "This PDF is locked with a password. Save a copy without one and import that."
            ) from error
        raise NotTakenError("This cannot be read as a PDF: the file is damaged, or is not a PDF.") from error
    try:
        if number > MOST_PAGES:
            raise NotTakenError(
                f"The PDF has {number:,} pages; kb reads at most {MOST_PAGES:,}. Import only part of the file."
            )
        pages = list(_pages(document, number, progress))
    finally:
        document.close()
    letters = sum(len(row.text) for page in pages for row in page)
    if letters < LETTERS_OF_A_SCAN * number:
        raise NotTakenError(
            "This PDF is a scan without text. Run it through text recognition first, for instance with `ocrmypdf`."
        )
    return list(_lines(pages))


def _pages(document: Any, number: int, progress: Callable[[float], None] | None) -> Iterator[list[PageRow]]:
    import pypdfium2

    for at in range(number):
        try:
            page = document[at]
            text = page.get_textpage()
            if text.count_chars() > MOST_LETTERS:
                raise NotTakenError(
                    f"Page {at + 1} has more than {MOST_LETTERS:,} characters, which is too many for a page. Import the other pages."
                )
            rows = list(_rows(text, *page.get_size()))
            text.close()
            page.close()
        except pypdfium2.PdfiumError:  # a damaged page is skipped, and the other pages are kept
            rows = []
        yield in_reading_order(rows)
        if progress:
            progress((at + 1) / number)


def _rows(page: Any, width: float, height: float) -> Iterator[PageRow]:
    """Yield the rows of text on a PDFium page. A row is split at wide gaps, where PDFium has read two columns as one
    row.

    Coordinates outside the page (`width` by `height`, in points) are clamped to its edge.
    """
    import pypdfium2.raw as raw

    # Characters are read one by one, because PDFium's text of the whole page omits what it takes for hyphens.
    text = "".join(_sign(raw.FPDFText_GetUnicode(page.raw, at)) for at in range(page.count_chars()))
    size, bold = 0.0, False

    def row(words: list[re.Match[str]]) -> PageRow:
        first, last = page.get_charbox(words[0].start()), page.get_charbox(words[-1].end() - 1)
        x, end = sorted((_within(first[0], width), _within(last[2], width)))
        return PageRow(x, end, _within(first[1], height), size, bold, " ".join(word[0] for word in words))

    for line in LINE.finditer(text):
        words: list[re.Match[str]] = []
        for word in WORD.finditer(text, *line.span()):
            if words and page.get_charbox(word.start())[0] - page.get_charbox(words[-1].end() - 1)[2] > GAP * size + 6:
                yield row(words)
                words = []
            if not words:
                size, bold = _font(page, word.start())
            words.append(word)
        if words:
            yield row(words)


def _within(place: float, size: float) -> float:
    """Return a coordinate limited to a page of width or height `size`. NaN becomes 0."""
    return min(max(place, 0.0), size, LARGEST_PAGE) if place == place else 0.0


def _sign(code: int) -> str:
    """Return the character for a PDFium character code. The code 2 is a hyphen at the end of a row; 0 and surrogates
    become a space.
    """
    if code in (2, 0xFFFE):
        return "-"
    return chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else " "


def _font(page: Any, at: int) -> tuple[float, bool]:
    """Return the font size of a character as printed, and True if the character is bold.

    The size is a height in points. The font's own size would ignore scaling.
    """
    import ctypes

    import pypdfium2.raw as raw

    matrix = raw.FS_MATRIX()
    scaled = raw.FPDFText_GetMatrix(page.raw, at, ctypes.byref(matrix))
    size = float(raw.FPDFText_GetFontSize(page.raw, at)) * (abs(matrix.d) or abs(matrix.b) or 1.0 if scaled else 1.0)
    name = ctypes.create_string_buffer(200)
    raw.FPDFText_GetFontInfo(page.raw, at, name, 200, None)
    heavy = any(word in name.value.lower() for word in (b"bold", b"black", b"heavy"))
    return round(size, 1), heavy or int(raw.FPDFText_GetFontWeight(page.raw, at)) >= BOLD


def _lines(pages: list[list[PageRow]]) -> Iterator[TextLine]:
    usual = _usual_size(pages)
    larger = sorted({row.size for page in pages for row in page if row.size >= usual * LARGER}, reverse=True)
    levels = {size: 1 + min(4, rank) for rank, size in enumerate(larger)}
    for number, (page, running) in enumerate(zip(pages, _running(pages, usual), strict=True), 1):
        rows = [row for at, row in enumerate(page) if at not in running]
        for at, row in enumerate(rows):
            after = rows[at + 1] if at + 1 < len(rows) else None
            apart = after is not None and (after.y > row.y or row.y - after.y > 1.75 * max(row.size, 1))
            ends = apart and not (after is not None and after.y > row.y and row.text[-1:] not in ".!?:")
            last = after is None and row.text[-1:] in ".!?:"
            yield TextLine(row.text, number, _level(row, usual, levels), ends=ends or last)


def _level(row: PageRow, usual: float, levels: dict[float, int]) -> int:
    """Return the heading level of a row, or 0 for body text. A heading is larger than body text, or is short and bold.

    `usual` is the font size of body text, and `levels` has the level for each larger size.
    """
    if len(row.text) > 90 or not any(sign.isalpha() for sign in row.text):
        return 0
    if row.size >= usual * LARGER:
        return levels[row.size]
    short = len(row.text) <= 60 and not row.text.endswith((".", ",", ";"))
    return 6 if row.bold and short and row.size >= usual * 0.95 else 0


def _usual_size(pages: list[list[PageRow]]) -> float:
    """Return the font size of body text: the size of most characters."""
    letters: Counter[float] = Counter()
    for page in pages:
        for row in page:
            letters[row.size] += len(row.text)
    return letters.most_common(1)[0][0] if letters else 10.0


def _running(pages: list[list[PageRow]], usual: float) -> list[set[int]]:
    """Return the positions of running titles and page numbers for each page. Such rows recur at the edge of many pages."""
    edges = [_edge(page, usual) for page in pages]
    often = Counter(
        key for page, edge in zip(pages, edges, strict=True) for key in {_key(page[at].text) for at in edge}
    )
    common = {key for key, number in often.items() if number > max(2, len(pages) * 0.4)}
    return [
        {at for at in edge if not (key := _key(page[at].text)) or key in common}
        for page, edge in zip(pages, edges, strict=True)
    ]


def _edge(page: list[PageRow], usual: float) -> set[int]:
    """Return the positions of the two highest and the two lowest rows of a page, ignoring large and long rows."""
    small = (at for at, row in enumerate(page) if row.size < usual * 1.3 and len(row.text) <= 50)
    by_height = sorted(small, key=lambda at: page[at].y)
    return {*by_height[:2], *by_height[-2:]}


def _key(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalpha())


def in_reading_order(rows: list[PageRow]) -> list[PageRow]:
    """Return the rows of a page in reading order, column by column.

    The columns above a row that extends across several columns come before that row.
    """
    gutters = _gutters(rows)
    ordered: list[PageRow] = []
    band: list[PageRow] = []
    for row in sorted(rows, key=lambda row: (-row.y, row.x)):
        if any(row.x < gutter - 1 and row.end > gutter + 1 for gutter in gutters):
            ordered += _by_columns(band, gutters)
            band = []
            ordered.append(row)
        else:
            band.append(row)
    return ordered + _by_columns(band, gutters)


def _by_columns(band: list[PageRow], gutters: list[float]) -> list[PageRow]:
    def place(row: PageRow) -> tuple[int, float, float]:
        return sum(row.x >= gutter - 1 for gutter in gutters), -row.y, row.x

    return sorted(band, key=place)


def _gutters(rows: list[PageRow]) -> list[float]:
    """Return the horizontal positions of the gaps between columns: the middle of each vertical strip that few rows
    cross.
    """
    if len(rows) < FEWEST:
        return []
    begins, ends = sorted(row.x for row in rows), sorted(row.end for row in rows)
    left, right = begins[0], ends[-1]
    free: list[list[float]] = []
    x = left + 0.15 * (right - left)
    while x < left + 0.85 * (right - left):
        before, after = bisect_right(ends, x), len(rows) - bisect_left(begins, x)
        over = len(rows) - before - after
        if over <= REACH_OVER * len(rows) and min(before, after) >= EACH_SIDE * len(rows):
            if free and x - free[-1][-1] <= STEP * 1.5:
                free[-1].append(x)
            else:
                free.append([x])
        x += STEP
    # A narrow strip is no gutter: it can be a ragged indent, inside which rows begin.
    return [stretch[len(stretch) // 2] for stretch in free if stretch[-1] - stretch[0] >= STEP * 2]


LARGEST_PDF = 300_000_000
LARGEST_TEXT = 20_000_000
READERS: dict[str, Callable[[str], Iterable[TextLine]]] = {
    ".txt": of_text,
    ".md": of_markdown,
    ".markdown": of_markdown,
    ".html": of_html,
    ".htm": of_html,
}
RULEBOOKS = ImportStore(Book, "kb import rulebook", "rulebook", "No rulebook has been imported.")


def read_rulebook(file: Path, progress: Callable[[float], None] | None) -> tuple[str, list[OwnPassage]]:
    """Read the rulebook in `file`. Return its SHA-256 and its passages. Raises NotTakenError and OSError."""
    suffix = file.suffix.casefold()
    raw = RULEBOOKS.read(file, LARGEST_PDF if suffix == ".pdf" else LARGEST_TEXT)
    text = "" if suffix == ".pdf" else RULEBOOKS.text(raw, file)
    try:
        lines = of_pdf(raw, progress) if suffix == ".pdf" else READERS[suffix](text)
        read = passages(TextLine(writable(line.text), line.page, line.level, line.ends) for line in lines)
    except NotTakenError as error:
        raise NotTakenError(f"{file}: {error}") from error
    return hashlib.sha256(raw).hexdigest(), read


def import_rulebook(
    file: Path,
    data: Path,
    game: str,
    title: str,
    name: str | None = None,
    progress: Callable[[float], None] | None = None,
) -> Book:
    """Read the rulebook in `file` and store it below `data` as a rulebook of `game`.

    An older rulebook with the same `name` is replaced. By default, the name is made from the title, and only an older
    rulebook with the same title is replaced. Raises NotTakenError if the file cannot be read or contains no text, or if
    the name belongs to another rulebook. Raises OSError if the rulebook cannot be written. After an error, nothing has
    changed.
    """
    target, title = RULEBOOKS.place(data, file, game, title, name)
    suffix = file.suffix.casefold()
    if suffix != ".pdf" and suffix not in READERS:
        raise NotTakenError(f"{file}: kb reads rulebooks in .pdf, .txt, .md and .html.")
    try:
        digest, read = bounded(read_rulebook, file, limits=READING, tell=progress)
    except TooMuchWorkError as error:
        raise NotTakenError(f"{file}: {error} Save the file again, or import only part of it.") from None
    book = Book(id=target.stem, game=game, title=title, file=writable(file.name)[:300], sha256=digest, passages=read)
    RULEBOOKS.keep(book, target, data)
    return book


@frozen
class Rulebook(Imported):
    """An imported rulebook."""

    passages: int
    """Number of passages into which the rulebook was divided."""


@frozen
class TakenRulebook(Rulebook):
    """The result of importing a rulebook."""

    private: bool = True
    """Always true: only searches on this machine find it."""


def in_short(book: Book) -> Rulebook:
    """Return a rulebook's entry for the list of imports."""
    return Rulebook(book.id, book.title, book.game, book.file, len(book.passages))
