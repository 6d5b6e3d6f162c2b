"""Finds the sentence that each question of `asked:` names, and says what is wrong where there is none or more than one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import yaml

from kb.load.entries import Asked
from kb.load.frontmatter import FRONT, UniqueKeys
from kb.sentences import Sentence, find, nearest

SHOWN = 100


def answers(
    asked: Sequence[Asked], sentences: Sequence[Sentence], wrong: Callable[[str, str], None]
) -> list[tuple[str, int | None]]:
    """Each question with the number of the sentence that answers it (None where none is named).

    `wrong(words, message)` is told of words that stand in no sentence or in several.
    """
    numbers: dict[str | None, int | None] = {None: None}
    for item in asked:
        if item.says is not None and item.says not in numbers:
            found = find(item.says, sentences)
            numbers[item.says] = found[0] if len(found) == 1 else None
            if len(found) != 1:
                wrong(item.says, said(item.says, found, sentences))
    return [(item.question, numbers[item.says]) for item in asked]


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


def line_of_words(text: str, row: str | None, words: str) -> int:
    """The line of a source file at which `asked:` of its entry (of the row with the id `row`, in a list) names `words`."""
    found = FRONT.match(text)
    first = 2 if found else 1
    entry = composed(found[1] if found else text)
    if row is not None:
        rows = value(entry, "entries")[1]
        entry = next((item for item in rows.value if value(item, "id")[1].value == row), entry)
    key, asked = value(entry, "asked")
    named = value(asked, words)[0] if isinstance(asked, yaml.MappingNode) else None
    return first + int((named or key).start_mark.line)


@lru_cache(maxsize=8)
def composed(text: str) -> Any:
    """The nodes of a YAML text that was read without an error."""
    return yaml.compose(text, Loader=UniqueKeys)


def value(node: Any, key: str) -> tuple[Any, Any]:
    """The nodes of a key of a mapping and of its value."""
    found: tuple[Any, Any] = next(pair for pair in node.value if pair[0].value.strip() == key.strip())
    return found
