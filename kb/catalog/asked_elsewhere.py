"""Finds questions that an entry is asked in the words of another entry's heading."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kb.authority import RULED
from kb.retrieval.analysis import index_words
from kb.sources.problems import SourceProblem
from kb.sources.references import Content

# A heading of fewer words stands in too many questions; one that is a smaller share of a question is not what it asks for.
FEWEST, SHARE = 2, 0.6
# What restates rules; the rest gathers, shows or advises, and is asked in the words of the rules it is about.
ELSEWHERE = {*RULED, "example", "strategy", "reference", "product", "variant", "character"}


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of an outline: its id, its title, the index words of that in order, and the entries that cover it."""

    id: str
    title: str
    words: Sequence[str]
    entries: tuple[str, ...]


def asked_elsewhere(content: Content) -> list[SourceProblem]:
    """Questions whose nearest heading is another entry's: its title is most of the question, and the entry neither covers it nor points there.

    Such an entry answers the heading without saying so (`covers:`), or the question is another entry's, to which `see:` should lead.
    """
    headings = _headings(content)
    found = []
    for entry in content.entries:
        if entry.fields.kind in ELSEWHERE or not entry.fields.covers:
            continue
        own = set(index_words(" ".join([entry.fields.title, *entry.fields.aliases])))
        near = {link.target for link in entry.links} | {entry.id}  # `see:` is among the links
        for question, _sentence in entry.answers:
            for heading in _nearest(index_words(question), own, headings[entry.id.rpartition("/")[0]]):
                if not near.intersection(heading.entries):
                    message = (
                        f"is asked {question!r}, in the words of the heading {heading.title!r}, which {heading.entries[0]} covers: if"
                        f" this entry states it too, list {heading.id} in covers; else point there in see, or ask the question there"
                    )
                    found.append(SourceProblem(entry.path, entry.line, message))
    return sorted(found)


def _headings(content: Content) -> Mapping[str, list[Heading]]:
    """The headings of two words and more that entries cover, by the folders in which entries cover one of the same document."""
    covered: dict[str, list[str]] = defaultdict(list)
    folders: dict[str, set[str]] = defaultdict(set)
    for entry in content.entries:
        for heading in entry.fields.covers:
            covered[heading].append(entry.id)
            folders[entry.id.rpartition("/")[0]].add(heading.partition(".")[0])
    by_document: dict[str, list[Heading]] = defaultdict(list)
    for heading, entries in covered.items():
        title = content.headings[heading][1].title if heading in content.headings else ""
        words = index_words(title)
        if len(words) >= FEWEST:
            by_document[heading.partition(".")[0]].append(Heading(heading, title, words, tuple(entries)))
    found: dict[str, list[Heading]] = defaultdict(list)
    for folder, documents in folders.items():
        found[folder] = [heading for document in sorted(documents) for heading in by_document[document]]
    return found


def _nearest(asked: Sequence[str], own: set[str], headings: Sequence[Heading]) -> list[Heading]:
    """The headings whose title stands in a question, makes up most of it and is no name of the entry."""
    text = f" {' '.join(asked)} "
    return [
        heading
        for heading in headings
        if len(heading.words) >= SHARE * len(asked)
        and f" {' '.join(heading.words)} " in text
        and not own.issuperset(heading.words)
    ]
