"""Splits the body of an entry into sentences. A search hit shows one of them, and a question under `asked:` can name
one of them as its answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import zip_longest

from kb.frozen import frozen
from kb.markup import inline

HEADING = re.compile(r"\s*#+\s")
NOTE = re.compile(r"\s*(?:!!!|\?\?\?\+?)\s")
ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
RULER = re.compile(r"\s*\|?(?=[^|]*\|)[\s:|-]+$")
# A full stop after these words does not end a sentence. After "No." and the like, it does not if a number follows.
SHORT = re.compile(r"(?:\b(?:Dr|St|Mr|Mrs|Ms|Prof|Jr|Sr|Mt|vs|cf|approx|resp)|\be\.g|\bi\.e|\b[A-Z])\.$")
BEFORE_NUMBER = re.compile(r"\b(?:[Nn]o|[Nn]r|pp?|[Vv]ol|[Ff]ig|[Cc]h)\.$")
LONGEST_SHORT = 12  # the length of the longest match of these two, plus one
END = re.compile(r"[.!?…][)\]\"”’']*(?=\s+[\"“‘(\[A-Z0-9])")
# A piece of fewer words ("Yes.", "Restored.") is unclear alone and stays with its neighbour.
FEWEST_WORDS = 3
PLAIN_SIGNS = str.maketrans("’‘“”–—", "''\"\"--")


@frozen
class Sentence:
    """A sentence of an entry: the `text` that a hit shows, and the text as `written` in the body. The two texts differ
    for a table row, which is shown with its header.
    """

    text: str
    written: str


def sentences(body: str) -> list[Sentence]:
    """Return the sentences of a body (Markdown with wiki links) as plain text, in order.

    Paragraphs, list items, table rows and the lines of a note each begin a new sentence. Headings, titles of notes,
    header rows, code and diagrams are left out.
    """
    return list(read(body))


def without(body: str, said: AbstractSet[str]) -> str:
    """Return a body without the sentences in `said`, and without headings that are then empty.

    A table is kept whole unless all its rows are in `said`.
    """
    kept: list[str] = []
    for block in blocks(body):
        found = [sentence.text for sentence in sentences(block)]
        left = [text for text in found if text not in said]
        if len(left) == len(found) or (left and block.lstrip().startswith("|")):
            kept.append(block)
        elif left:
            marker = ITEM.match(block)
            kept.append((marker[0] if marker else "") + " ".join(left))
    last = ""
    for number in range(len(kept) - 1, -1, -1):  # a heading above nothing, or above a heading of the same level
        line = kept[number].strip()
        if HEADING.match(line) or NOTE.match(line):
            rank = line.split(" ")[0]
            if not last or (last[0] in "#!?" and len(last.split(" ")[0]) <= len(rank) and HEADING.match(last + " ")):
                del kept[number]
                continue
        last = line or last
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def blocks(body: str) -> list[str]:
    """Split a body into blocks: empty lines, headings, tables, code, list items and paragraphs. A block keeps all its
    lines.
    """
    found: list[str] = []
    fence = goes_on = False
    for line in body.split("\n"):
        alone = not line.strip() or bool(HEADING.match(line) or NOTE.match(line))
        is_row = line.lstrip().startswith("|")
        if fence or (goes_on and not alone and not ITEM.match(line) and is_row == found[-1].lstrip().startswith("|")):
            found[-1] += f"\n{line}"
        else:
            found.append(line)
        if line.strip().startswith("```"):
            fence = not fence
        goes_on = not alone
    return found


def read(body: str) -> Iterator[Sentence]:
    """Yield the sentences of a body one after the other; see `sentences`."""
    paragraph: list[str] = []
    header: list[str] = []

    def flushed() -> Iterator[Sentence]:
        text = inline(" ".join(line.strip() for line in paragraph)).strip()
        paragraph.clear()
        header.clear()
        for sentence in split(text):
            yield Sentence(sentence, sentence)

    lines = body.split("\n")
    fence = False
    for number, line in enumerate(lines):
        if line.strip().startswith("```"):
            yield from flushed()
            fence = not fence
        elif fence:
            continue
        elif not line.strip() or (line.lstrip()[0] in "#!?" and (HEADING.match(line) or NOTE.match(line))):
            yield from flushed()
        elif line.lstrip().startswith("|"):
            if paragraph:
                yield from flushed()
            if RULER.match("".join(lines[number + 1 : number + 2])):
                header[:] = cells(line)
            elif not RULER.match(line):
                yield from row(cells(line), header)
        else:
            first = line.lstrip()[0]
            if (first in "-*+" or first.isdecimal()) and (match := ITEM.match(line)):
                yield from flushed()
                line = line[match.end() :]
            paragraph.append(line)
    yield from flushed()


def cells(line: str) -> list[str]:
    """Return the cells of a table row as plain text."""
    text = inline(line).strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", text)]


def row(filled: Sequence[str], header: Sequence[str]) -> Iterator[Sentence]:
    """Yield a table row as one sentence: `first: second; header third`. An empty row yields nothing.

    A cell that would be unclear alone has its header before it. This applies to a first cell that does not begin with a
    letter. It also applies to a later cell that is a single word or is in a table with more than two columns.
    """
    texts = []
    for number, (cell, head) in enumerate(zip_longest(filled, header[: len(filled)], fillvalue="")):
        needs_head = (len(filled) > 2 or " " not in cell) if number else not re.match(r"[^\W\d]", cell)
        if cell:
            texts.append(f"{head} {cell}" if head and needs_head else cell)
    if texts:
        yield Sentence(": ".join(filter(None, (texts[0], "; ".join(texts[1:])))), " | ".join(filled))


def split(block: str) -> list[str]:
    """Split a block of plain text into sentences."""
    pieces, start = [], 0
    for match in END.finditer(block):
        end = match.end()
        before = block[max(start, end - LONGEST_SHORT) : end]
        if not SHORT.search(before) and not (BEFORE_NUMBER.search(before) and block[end:].lstrip()[0].isdigit()):
            pieces.append(block[start:end].strip())
            start = end
    pieces.append(block[start:].strip())
    whole: list[str] = []
    for piece in filter(None, pieces):
        if whole and len(whole[-1].split()) < FEWEST_WORDS:
            whole[-1] += f" {piece}"
        else:
            whole.append(piece)
    if len(whole) > 1 and len(whole[-1].split()) < FEWEST_WORDS:
        last = whole.pop()
        whole[-1] += f" {last}"
    return whole


@lru_cache(maxsize=1_000)  # each question of an entry is searched for in all its sentences
def folded(text: str) -> str:
    """Return a text normalized for comparing sentences: without markup, in lower case, and with uniform quotation marks
    and white space.
    """
    plain = inline(text).casefold().translate(PLAIN_SIGNS)
    return " ".join(plain.split())


def comparable(among: Sequence[Sentence]) -> list[str]:
    """Return the normalized text of each sentence, for `find`. A sentence that is written differently from how it is
    shown has two lines: one as shown and one as written.
    """
    return [
        folded(sentence.text)
        if sentence.written is sentence.text
        else f"{folded(sentence.text)}\n{folded(sentence.written)}"
        for sentence in among
    ]


def find(words: str, among: Sequence[str]) -> list[int]:
    """Return the positions of the sentences in `among` that contain `words`; `among` is the result of `comparable`."""
    wanted = folded(words)
    return [number for number, sentence in enumerate(among) if wanted in sentence]


def nearest(words: str, among: Sequence[Sentence]) -> str:
    """Return the sentence in `among` that shares the most words with `words`, or "" if none shares a word."""
    wanted = set(re.findall(r"\w+", folded(words)))
    shares = [len(wanted & set(re.findall(r"\w+", folded(sentence.text)))) for sentence in among]
    return among[shares.index(max(shares))].text if any(shares) else ""
