"""Cuts the body of an entry into sentences: what a hit shows, and what a question of `asked:` can name as its answer."""

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
# Stops after these end no sentence; "No." and its like only before a number.
SHORT = re.compile(r"(?:\b(?:Dr|St|Mr|Mrs|Ms|Prof|Jr|Sr|Mt|vs|cf|approx|resp)|\be\.g|\bi\.e|\b[A-Z])\.$")
BEFORE_NUMBER = re.compile(r"\b(?:[Nn]o|[Nn]r|pp?|[Vv]ol|[Ff]ig|[Cc]h)\.$")
LONGEST_SHORT = 12  # letters with which what these look for ends, and the one before
END = re.compile(r"[.!?…][)\]\"”’']*(?=\s+[\"“‘(\[A-Z0-9])")
# A piece of fewer words ("Yes.", "Restored.") says nothing alone: it is kept with its neighbour.
FEWEST_WORDS = 3
PLAIN_SIGNS = str.maketrans("’‘“”–—", "''\"\"--")


@frozen
class Sentence:
    """A sentence as a hit shows it, and as it is `written` in the body: they differ for a table row, which is shown with its header."""

    text: str
    written: str


def sentences(body: str) -> list[Sentence]:
    """The sentences of a body (Markdown with wiki links) as plain text, in order.

    A paragraph, a list item, a table row and a line of a note each begin a new one; headings, the titles of notes, header rows, code
    and diagrams are none.
    """
    return list(read(body))


def without(body: str, said: AbstractSet[str]) -> str:
    """Return a body without the sentences in `said`, and without headings below which nothing is left.

    A table stays whole unless all its rows are said.
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
    for number in range(len(kept) - 1, -1, -1):  # a heading above nothing, or above one of its rank
        line = kept[number].strip()
        if HEADING.match(line) or NOTE.match(line):
            rank = line.split(" ")[0]
            if not last or (last[0] in "#!?" and len(last.split(" ")[0]) <= len(rank) and HEADING.match(last + " ")):
                del kept[number]
                continue
        last = line or last
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def blocks(body: str) -> list[str]:
    """Cut a body into empty lines, headings, tables, code, list items and paragraphs, each with its lines."""
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
    """Read the sentences of a body one after the other; see `sentences`."""
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
    """The cells of a table row as plain text."""
    text = inline(line).strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", text)]


def row(filled: Sequence[str], header: Sequence[str]) -> Iterator[Sentence]:
    """A table row as `first: second; header third`.

    A header stands before what would say too little alone: a first cell that is no word, a later cell of a wide table or of
    a single word.
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


@lru_cache(maxsize=1_000)  # each question of an entry is looked for in all its sentences
def folded(text: str) -> str:
    """Plain text as sentences are compared: markup, case, kinds of quotes and of white space make no difference."""
    plain = inline(text).casefold().translate(PLAIN_SIGNS)
    return " ".join(plain.split())


def comparable(among: Sequence[Sentence]) -> list[str]:
    """Sentences as `find` looks through them: folded, a line as it is shown and one as it is written where that differs."""
    return [
        folded(sentence.text)
        if sentence.written is sentence.text
        else f"{folded(sentence.text)}\n{folded(sentence.written)}"
        for sentence in among
    ]


def find(words: str, among: Sequence[str]) -> list[int]:
    """Numbers of the sentences (made `comparable`) that hold `words` as they stand (see `folded`)."""
    wanted = folded(words)
    return [number for number, sentence in enumerate(among) if wanted in sentence]


def nearest(words: str, among: Sequence[Sentence]) -> str:
    """The sentence of `among` that shares most words with `words`; empty when none shares any."""
    wanted = set(re.findall(r"\w+", folded(words)))
    shares = [len(wanted & set(re.findall(r"\w+", folded(sentence.text)))) for sentence in among]
    return among[shares.index(max(shares))].text if any(shares) else ""
