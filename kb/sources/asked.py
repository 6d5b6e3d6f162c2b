"""Finds the sentence that each question of `asked:` names, and says what is wrong where there is none or more than one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from kb.sentences import Sentence, comparable, find, nearest
from kb.sources.entries import Asked

SHOWN = 100
# A sentence that only says where to read on answers nothing: "For the whole rule see Costs.", "More on piles: dealing-with-cards."
POINTER = re.compile(r"\(?(?:See (?!whether|how|if\b)|More (?:in|on|about) |For [^.]*\bsee |[^:.]{1,30}: see )")
LONGEST_POINTER = 16  # words


def answers(
    asked: Sequence[Asked], sentences: Sequence[Sentence], wrong: Callable[[str, str], None]
) -> list[tuple[str, int | None]]:
    """Each question with the number of the sentence that answers it (None where none is named).

    `wrong(words, message)` is told of words that stand in no sentence or in several, or in one that only points elsewhere.
    """
    numbers: dict[str | None, int | None] = {None: None}
    compared: list[str] | None = None
    for item in asked:
        if item.says is not None and item.says not in numbers:
            compared = comparable(sentences) if compared is None else compared
            found = find(item.says, compared)
            numbers[item.says] = found[0] if len(found) == 1 else None
            if len(found) != 1:
                wrong(item.says, said(item.says, found, sentences))
            elif is_pointer(sentences[found[0]].text):
                wrong(item.says, points_elsewhere(item.says, sentences[found[0]].text))
    return [(item.question, numbers[item.says]) for item in asked]


def is_pointer(sentence: str) -> bool:
    """Whether a sentence says only where to read on."""
    return POINTER.match(sentence) is not None and len(sentence.split()) <= LONGEST_POINTER


def points_elsewhere(words: str, sentence: str) -> str:
    """What is wrong with words of a sentence that is a pointer."""
    return (
        f"asked: {words!r} stands in “{shortened(sentence)}”, which only says where to read on; "
        "take words of a sentence that answers, or ask in the entry it points to"
    )


def said(words: str, found: list[int], sentences: Sequence[Sentence]) -> str:
    """What is wrong with words that name no sentence, or several."""
    if found:
        listed = " and ".join(f"“{shortened(sentences[number].text)}”" for number in found[:3])
        return f"asked: {words!r} stands in {len(found)} sentences: {listed}; take more words of the one you mean"
    near = nearest(words, sentences)
    hint = f"; the nearest sentence is “{near}”" if near else ""
    return f"asked: no sentence of the text says {words!r} (the words must stand in it just so){hint}"


def shortened(sentence: str) -> str:
    """A sentence, cut where it is long."""
    return sentence if len(sentence) <= SHOWN else f"{sentence[:SHOWN]}…"
