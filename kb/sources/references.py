"""Finish the entries once all are read: check ids, headings, sources and cards, resolve links, and sort the entries."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from kb.authority import in_words as authority_in_words
from kb.files.folders import is_plain_path
from kb.frozen import frozen
from kb.markup import LINK, anchors
from kb.sentences import Sentence, comparable, find, nearest, sentences
from kb.sources.cards import CardNames
from kb.sources.entries import (
    ChangeFields,
    CitationFields,
    EarlierFields,
    EntryFields,
    LoadedEntry,
    LoadedLink,
    LoadedTable,
    OutlineHeading,
    SourceFields,
)
from kb.sources.frontmatter import YamlPlace
from kb.sources.problems import Problems, near

if TYPE_CHECKING:
    from kb.sources.own import LoadedPassage

CODE = re.compile(r"```.*?```|`[^`\n]+`", re.S)
SHOWN = 100
# A sentence that only refers elsewhere answers nothing: "For the whole rule see Costs.", "More on piles: dealing-with-cards."
POINTER = re.compile(r"\(?(?:See (?!whether|how|if\b)|More (?:in|on|about) |For [^.]*\bsee |[^:.]{1,30}: see )")
LONGEST_POINTER = 16  # words


@dataclass(slots=True)
class Content:
    """The data in `content/`, and the `passages` of the user's own rulebooks.

    `sources` and `headings` are in the order of their files. `synonyms` are groups of phrases by game. `called` are
    further names of a game or set, by its id. `changes` are the changes to a game's entries. `earlier` says how an
    edition affects earlier ones, by the edition's id prefix. `anchors` are the parts of each entry that a link can
    name.
    """

    games: dict[str, str] = field(default_factory=dict)
    sources: dict[tuple[str, str], SourceFields] = field(default_factory=dict)
    headings: dict[str, tuple[str, OutlineHeading]] = field(default_factory=dict)
    entries: list[LoadedEntry] = field(default_factory=list)
    tables: list[LoadedTable] = field(default_factory=list)
    synonyms: dict[str, list[list[str]]] = field(default_factory=dict)
    called: dict[str, list[str]] = field(default_factory=dict)
    passages: list[LoadedPassage] = field(default_factory=list)
    changes: dict[str, list[ChangeFields]] = field(default_factory=dict)
    anchors: dict[str, set[str]] = field(default_factory=dict)
    earlier: dict[str, list[EarlierFields]] = field(default_factory=dict)


@dataclass(slots=True)
class EntryDraft:
    """An entry whose links are not resolved yet.

    `place` is the location of its fields in the file. `line` is the entry's first line, and `body_line` is the first
    line of its text.
    """

    id: str
    game: str
    fields: EntryFields
    body: str
    path: Path
    place: YamlPlace
    line: int
    body_line: int
    problems: Problems
    table: str | None = None

    def wrong(self, message: str, *way: str, line: int | None = None) -> None:
        """Report a problem with the entry: at the key that `way` leads to, or at `line` if given."""
        self.problems.add(self.path, self.place.line(*way) if line is None else line, message)


def finished(root: Path, drafts: list[EntryDraft], content: Content, names: CardNames) -> list[LoadedEntry]:
    """Check all entries, resolve their links, and return them in the order of their documents.

    `names` finds the cards that the entries name.
    """
    finisher = Finisher(root, content, check_ids(drafts, content), names)
    drafts.sort(key=lambda draft: (draft.game, position(draft, content), draft.id))
    return [finisher.entry(draft) for draft in drafts]


def position(draft: EntryDraft, content: Content) -> int:
    """Return the position of an entry in its game: the position of the first heading that it covers.

    Further headings do not count, because they may be rules on other pages that the entry also states.
    """
    headings = content.headings
    return next((headings[heading][1].position for heading in draft.fields.covers if heading in headings), 100_000)


def check_ids(drafts: Sequence[EntryDraft], content: Content) -> dict[str, str]:
    """Check the current and former ids of the entries, and record the anchors of each entry in `content`. Return the
    titles by id.
    """
    titles: dict[str, str] = {table.id: table.title for table in content.tables}
    old_ids: dict[str, str] = {}
    places = {table.casefold(): table for table in titles}
    for draft in drafts:
        if draft.id in titles:
            draft.wrong(f"the id {draft.id!r} occurs twice", "id")
        elif (other := places.setdefault(draft.id.casefold(), draft.id)) != draft.id:
            draft.wrong(
                f"the ids {draft.id!r} and {other!r} differ only in capitals, which many systems treat as the same; rename one of them",
                "id",
            )
        titles[draft.id] = draft.fields.title
        if parts := set(anchors(draft.body)):
            content.anchors[draft.id] = parts
        for old in draft.fields.formerly:
            if not is_plain_path(old) or "/" not in old:
                draft.wrong(f"{old!r} cannot be an id: use letters, digits and . _ + - between slashes", "formerly")
            if old_ids.setdefault(old, draft.id) != draft.id:
                draft.wrong(f"{old!r} is also the old id of {old_ids[old]}", "formerly")
    for old in old_ids.keys() & titles.keys():
        owner = next(draft for draft in drafts if draft.id == old_ids[old])
        owner.wrong(f"the old id {old!r} is now the id of an entry", "formerly")
    return titles


@frozen
class Finisher:
    """Turns drafts into entries: resolves links, checks references, and reports problems.

    `titles` are the titles of all entries, by id.
    """

    root: Path
    content: Content
    titles: dict[str, str]
    names: CardNames

    def entry(self, draft: EntryDraft) -> LoadedEntry:
        """Return the finished entry for a draft, with its references checked and its cards and links resolved."""
        fields = draft.fields
        self.check_headings(draft)
        self.check_answer(draft)
        source = self.source(draft)
        cards = self.cards(draft)
        body, links = self.body(draft)
        see, later = self.named(draft, "see", fields.see), self.named(draft, "superseded_by", fields.superseded_by)
        links.extend(LoadedLink(target, "see") for target in (*see, *later))
        body_sentences = sentences(body)
        below = draft.path.is_relative_to(self.root.parent)
        return LoadedEntry(
            id=draft.id,
            game=draft.game,
            # From here on, questions are in `answers`, with the sentences that answer them.
            fields=fields.finished(cards, see, later),
            body=body,
            citation=in_words(fields.source, source, fields),
            path=draft.path.relative_to(self.root.parent).as_posix() if below else str(draft.path),
            line=draft.line,
            table=draft.table,
            position=position(draft, self.content),
            links=links,
            sentences=[sentence.text for sentence in body_sentences],
            answers=self.answers(draft, body_sentences),
        )

    def check_headings(self, draft: EntryDraft) -> None:
        """Check that the headings that an entry covers or is about are in an outline of its game."""
        for key, ids in (("covers", draft.fields.covers), ("about", draft.fields.about)):
            for heading in ids:
                if heading not in self.content.headings or self.content.headings[heading][0] != draft.game:
                    known = [each for each, (of, _) in self.content.headings.items() if of == draft.game]
                    draft.wrong(
                        f"{heading!r} is not a heading of any outline of {draft.game} (a new one is a line of the document's outline.tsv)"
                        + near(heading, known, least=0.85),
                        key,
                    )

    def check_answer(self, draft: EntryDraft) -> None:
        """Check the date and signature of an answer that is quoted on a web page.

        The answer must not be newer than the page's last edit. It counts as signed only if the page names a person.
        """
        fields, place = draft.fields, draft.fields.source
        if not place.edited:
            return
        if fields.date and fields.date > place.edited:
            what = f"the answer is dated {fields.date}, but the page that it cites was last edited in {place.edited}"
            draft.wrong(what, "date")
        if fields.authority in ("designer", "developer") and (fields.signed is False) == bool(place.answered_by):
            what = (
                f"the page names {place.answered_by} for the answer: leave out `signed: false`"
                if place.answered_by
                else "the page does not say who answered: add `signed: false`, or name them with `answered_by` in `source`"
            )
            draft.wrong(what, "source")

    def source(self, draft: EntryDraft) -> SourceFields | None:
        """Return the document that an entry cites. None, with a problem reported, if it is unknown."""
        doc = draft.fields.source.doc
        source = self.content.sources.get((draft.game, doc))
        if source is None:
            known = ", ".join(doc for game, doc in self.content.sources if game == draft.game) or "none"
            what = f"{doc!r} is not a source of {draft.game}; the sources are {known}"
            draft.wrong(what, "source")
        return source

    def cards(self, draft: EntryDraft) -> list[str]:
        """Return the ids of the cards that an entry names. Unknown names are reported."""
        cards: list[str] = []
        for name in draft.fields.cards:
            ids = self.names.find_all(name, draft.id)
            cards.extend(ids)
            if not ids:
                what = f"there is no card {name!r} in {draft.game}{self.names.hint(name, draft.id)}"
                draft.wrong(what, "cards")
        return cards

    def body(self, draft: EntryDraft) -> tuple[str, list[LoadedLink]]:
        """Return the body with full ids and words in its wiki links (`[[full/id#anchor|words]]`), and the list of its
        links.

        Links inside code are unchanged. Links to an unknown entry or card are reported and replaced by their words.
        """
        links: list[LoadedLink] = []
        code = [match.span() for match in CODE.finditer(draft.body)]

        def resolved(match: re.Match[str]) -> str:
            if any(start <= match.start() < end for start, end in code):
                return match[0]
            target, words = match[1].strip(), match[2]
            if target.startswith("card:"):
                name = target[5:].strip()
                if card := self.names.find(name, draft.id):
                    links.append(LoadedLink(card, "card"))
                    return f"[[card:{card}|{words or name}]]"
                words = words or name
            else:
                path, mark, anchor = target.partition("#")
                if full := resolve_entry(path, draft.id, self.titles) if path else draft.id:
                    links.append(LoadedLink(full, anchor=anchor or None))
                    return f"[[{full}{mark}{anchor}|{words or self.titles[full]}]]"
            line = draft.body_line + (draft.body.count("\n", 0, match.start()) if draft.table is None else 0)
            draft.wrong(f"the link [[{target}]] leads nowhere{self.nearest(target)}", line=line)
            return words or target

        body = LINK.sub(resolved, draft.body)
        for link in links:
            part = link.anchor and link.anchor not in self.content.anchors.get(link.target, ())
            if part and f"{link.target}/{link.anchor}" not in self.titles:
                what = f"the link to {link.target}#{link.anchor} points to a part that does not exist"
                draft.wrong(what, line=draft.body_line)
        return body, links

    def answers(self, draft: EntryDraft, body_sentences: Sequence[Sentence]) -> list[tuple[str, int | None]]:
        """Return each question of an entry, paired with the number of the sentence that answers it. The number is
        None if the entry quotes no sentence for the question.
        """
        questions, compared = draft.fields.asked, comparable(body_sentences)
        numbers: dict[str | None, int | None] = {}
        for words in filter(None, dict.fromkeys(item.says for item in questions)):
            matches = find(words, compared)
            quoted = [f"“{shorten(body_sentences[number].text, SHOWN, placeholder='…')}”" for number in matches[:3]]
            if len(matches) > 1:
                what = f"{words!r} is in {len(matches)} sentences: {' and '.join(quoted)}; quote more words of the one you mean"
            elif not matches:
                near = nearest(words, body_sentences)
                what = f"no sentence of the text says {words!r} (the words must match exactly)"
                what += f"; the nearest sentence is “{near}”" if near else ""
            elif is_pointer(body_sentences[matches[0]].text):
                what = (
                    f"{words!r} is in {quoted[0]}, which only refers to another entry. "
                    "Quote a sentence that answers, or put the question in that entry"
                )
            else:
                numbers[words] = matches[0]
                continue
            draft.wrong(f"asked: {what}", "asked", words)
        return [(item.question, numbers.get(item.says)) for item in questions]

    def nearest(self, target: str) -> str:
        """Return `; did you mean ID?` with the id most similar to `target`, or with the id whose last part is most
        similar. Empty if none is similar.
        """
        target = target.split("#")[0]
        last = {entry_id.rpartition("/")[2]: entry_id for entry_id in self.titles}
        return near(target, self.titles.keys(), least=0.8) or near(target.rpartition("/")[2], last, least=0.75)

    def named(self, draft: EntryDraft, key: str, targets: Sequence[str]) -> list[str]:
        """Return the full ids of the entries that an entry lists under `key`. Unknown entries are reported."""
        ids = []
        for target in targets:
            full = resolve_entry(target.split("#")[0], draft.id, self.titles)
            if full is None:
                draft.wrong(f"{key}: there is no entry {target!r}{self.nearest(target)}", key)
            elif full != draft.id:
                ids.append(full)
        return ids


def in_words(place: CitationFields, source: SourceFields | None, fields: EntryFields) -> str:
    """Return a citation in words: `Mummy's Mask rulebook, p. 19`, `FAQ v2.5, Card Errata (since v2.4)`."""
    parts = [(source.short or source.title) if source else place.doc]
    version = place.version or (source.version if source else None)
    if version:
        parts[0] += f" v{version}"
    if place.section:
        parts.append(place.section)
    pages = place.pages or ([place.page] if place.page else [])
    if pages:
        parts.append(("p. " if len(pages) == 1 else "pp. ") + ", ".join(map(str, pages)))
    if place.answered_by:
        parts.append(f"answered by {place.answered_by}")
    if fields.authority:
        parts.append(authority_in_words(fields.authority, fields.date, fields.signed, fields.confidence))
    if fields.superseded_by:
        parts.append("superseded")
    text = ", ".join(parts)
    came = [f"since v{place.since}"] if place.since else []
    came += [f"added: {place.added}"] if place.added else []
    return f"{text} ({'; '.join(came)})" if came else text


def resolve_entry(target: str, from_id: str, known: Collection[str]) -> str | None:
    """Return the full id that `target` means in the entry `from_id`. None if there is no such entry.

    The entry's own folder is searched first, then each folder above, and finally `target` is taken as a full id.
    """
    folder = from_id.split("/")[:-1]
    while folder:
        candidate = "/".join([*folder, target])
        if candidate in known:
            return candidate
        folder.pop()
    return target if target in known else None


def is_pointer(sentence: str) -> bool:
    """Return True if a sentence answers nothing and only refers to another entry."""
    return POINTER.match(sentence) is not None and len(sentence.split()) <= LONGEST_POINTER
