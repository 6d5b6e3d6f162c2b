"""What `kb doctor` advises on entries: questions asked in the words of another entry's heading, and what an entry names without a link."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from kb.authority import RULING_KINDS
from kb.frozen import frozen
from kb.markup import LINK
from kb.retrieval.analysis import index_words
from kb.sources.entries import LoadedEntry
from kb.sources.problems import SourceProblem
from kb.sources.references import Content

# A heading of fewer words stands in too many questions; one that is a smaller share of a question is not what it asks for.
FEWEST, SHARE = 2, 0.6
# What restates rules; the rest gathers, shows or advises, and is asked in the words of the rules it is about.
ELSEWHERE = {*RULING_KINDS, "example", "strategy", "reference", "product", "variant", "character"}


@frozen
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


PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s)")
# "ruling 1.22", "(1.18)": a plain 1.22 may be a step of a phase, or a version.
NUMBER = re.compile(r"(?:\brulings? |\()(\d{1,2})\.(\d{1,2})(?=\)|[\s,;:.](?!\d))")
# "FAQ 2.5" and "FAQ of version 2.5" name the document; "(FAQ)" and "the FAQ adds" cite what it says.
CITES_FAQ = re.compile(
    r"\bFAQ(?=\)|,[^.)]*\)| (?:adds?|says?|counts?|gives?|names?|treats?|rewords?|rewrote|rewrites|ends|has|lists) )"
)


def unlinked(content: Content, names: Mapping[str, str]) -> list[SourceProblem]:
    """What the entries name without a link; `names` are the cards' names by id.

    A ruling, question, erratum or taboo that names a card which others of them are about has that card in `cards:` or as a link,
    so that each is listed with the others ("Same card"). A cited number or FAQ answer is a link, so that a reader gets there.
    """
    ruled_on = _ruled_on(content, names)
    kinds = {entry.id: entry.fields.kind for entry in content.entries}
    faq = {entry.id for entry in content.entries if entry.fields.source.doc == "faq"}
    linkable = {entry_id for entry_id, kind in kinds.items() if kind in RULING_KINDS} | faq
    found = []
    for entry in content.entries:
        messages = [*_cards(entry, ruled_on, names), *_numbers(entry, kinds), *_answers(entry, linkable)]
        found += [SourceProblem(entry.path, entry.line, message) for message in messages]
    return sorted(found)


def _ruled_on(content: Content, names: Mapping[str, str]) -> dict[str, dict[str, set[str]]]:
    """By game and name of a card: the rulings, questions, errata and taboos about it. Names of one word are left out: they
    are words of other sentences too."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for entry in content.entries:
        if entry.fields.kind in RULING_KINDS:
            for card in entry.fields.cards:
                if " " in (name := names.get(card, "")):
                    found[entry.game][name].add(entry.id)
    return found


def _cards(
    entry: LoadedEntry, ruled_on: Mapping[str, Mapping[str, set[str]]], names: Mapping[str, str]
) -> Iterator[str]:
    if entry.fields.kind not in RULING_KINDS:
        return
    linked = {link.target for link in entry.links}
    known = {names.get(card) for card in (*entry.fields.cards, *linked)}
    text = f"{entry.fields.title}\n{LINK.sub('|', entry.body)}"
    # "The Unspeakable Oath", "Interlude IV: Twist of Fate" are no cards called Unspeakable Oath and Twist of Fate.
    for name, others in ruled_on.get(entry.game, {}).items():
        if name not in text or name in known or not re.search(rf"(?<!The )(?<!: )\b{re.escape(name)}\b", text):
            continue
        if rest := sorted(others - linked - {entry.id}):
            yield f"{entry.id} names {name}, as {rest[0]} does; link the card, or list it in cards:"


def _numbers(entry: LoadedEntry, kinds: Mapping[str, str]) -> Iterator[str]:
    if entry.fields.kind == "step":  # steps cite one another: "(1.2)"
        return
    linked = {link.target for link in entry.links}
    for number in dict.fromkeys(NUMBER.findall(LINK.sub("|", entry.body))):
        cited = f"{entry.game}/rulings/{'-'.join(number)}"
        if cited in kinds and cited != entry.id and cited not in linked:
            yield f"{entry.id} cites {'.'.join(number)} without a link to {cited}"


def _answers(entry: LoadedEntry, linkable: set[str]) -> Iterator[str]:
    if entry.id in linkable:
        return
    for paragraph in PARAGRAPH.split(entry.body):
        targets = {found[1].partition("#")[0] for found in LINK.finditer(paragraph)}
        if not targets & linkable and (cited := CITES_FAQ.search(LINK.sub("|", paragraph))):
            start = " ".join(LINK.sub(lambda link: link[2] or link[1], paragraph).split())[:60]
            yield f"{entry.id} cites {cited[0]} without a link to the answer: “{start}…”"
