"""Find summaries that disagree with their entries: an item of a summary states a number, but no entry linked in the
item states it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kb.frozen import frozen
from kb.sources.entries import LoadedEntry

ITEM = re.compile(r"^\s*(?:\d+\.|[-*])\s+(.+)$", re.M)
LINK = re.compile(r"\[\[(?!card:)([^\]|#]+)[^\]]*\]\]")
COUNTS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
WORDS = {word: str(number) for number, word in enumerate(COUNTS)} | {"once": "1", "twice": "2"}
FENCE = re.compile(r"^```.*?^```", re.M | re.S)
COUNTER = re.compile(r"\*\*[^*]*\*\*|\b(?:step|phase|page|part) \d+\w*|\d+(?:\.\d+)+", re.I)
"""Numbers that count the parts of a page: a heading in bold, "step 2", "3.1"."""


@frozen
class LooseNumber:
    """A number in an `item` of the entry `summary` that none of the linked `entries` states."""

    summary: str
    item: str
    number: str
    entries: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.summary} says {self.number} in {self.item!r}, but {', '.join(self.entries)} does not. "
            "Check which of them is right."
        )


def loose_numbers(entries: Iterable[LoadedEntry]) -> Iterator[LooseNumber]:
    """Yield each number that an item of a summary states, but the entries linked in that item do not. Entries linked
    from those entries are searched too.
    """
    known = {entry.id: entry for entry in entries}
    for entry in known.values():
        if entry.fields.kind != "reference":
            continue
        for match in ITEM.finditer(FENCE.sub("", entry.body)):
            targets = tuple(dict.fromkeys(id for id in LINK.findall(match[1]) if id in known and id != entry.id))
            if not targets:
                continue
            behind = {link.target for id in targets for link in known[id].links if link.kind == "link"}
            stated = set[str]().union(*(numbers(full_text(known[id])) for id in {*targets, *behind} if id in known))
            item = plain(match[1])
            for number in sorted(set(re.findall(r"(?<![\w.])\d+(?![\w.])", COUNTER.sub("", item))) - stated):
                yield LooseNumber(entry.id, item, number, targets)


def full_text(entry: LoadedEntry) -> str:
    """Return the title and body of an entry. Links are replaced by their words."""
    return f"{entry.fields.title}\n{plain(entry.body)}"


def plain(text: str) -> str:
    """Replace the links in `text` by their words."""
    return re.sub(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]", r"\1", text)


def numbers(text: str) -> set[str]:
    """Return the numbers in `text`, written as digits or as words up to ten."""
    return {
        *re.findall(r"\d+", text),
        *(WORDS[word] for word in re.findall(r"[a-z]+", text.casefold()) if word in WORDS),
    }
