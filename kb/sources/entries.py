"""Loaded entries, and the validated form of their front matter."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import BeforeValidator, StringConstraints

from kb.authority import Authority
from kb.frozen import frozen

LONGEST_BODY = 40_000
Kind = Literal[
    "rule", "step", "term", "setup", "card-type", "character", "decklist", "reference", "product", "example",
    "strategy", "sidebar-rule", "sidebar-new", "ruling", "faq", "erratum", "taboo", "variant",
]  # fmt: skip
KINDS: tuple[str, ...] = get_args(Kind)
Confidence = Literal["high", "medium", "low"]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=8_000)]
Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
Url = Annotated[str, StringConstraints(max_length=2_000, pattern=r"^https?://[^\s\\]+$")]
Day = Annotated[str, StringConstraints(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$")]


def questions(raw: Any) -> list[dict[str, Any]]:
    """Parse `asked:`: words of a sentence with the questions it answers, or a list of questions without a sentence."""
    groups = raw.items() if isinstance(raw, dict) else [(None, raw)]
    rows = []
    for says, listed in groups:
        if says is not None and not (isinstance(says, str) and says.strip()):
            raise ValueError(f"{says!r} must be words of a sentence; put them in quotes")
        where = f"the questions of {says!r}" if says is not None else "the questions"
        if not isinstance(listed, list) or not listed:
            raise ValueError(f"{where} must be a list, each after a hyphen on a line of its own")
        for question in listed:
            if not isinstance(question, str) or not question.strip():
                raise ValueError(f"{where} must be text, not {question!r}; put it in quotes")
            rows.append({"question": question, "says": says})
    return rows


def some(value: Any) -> Any:
    """Check that a list is not empty. Raises ValueError."""
    if value == []:
        raise ValueError("name at least one entry")
    return value


class SourceRecord:
    """A record of a source file: unknown keys are errors."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}


@frozen
class CitationFields(SourceRecord):
    """The place in a document that an entry comes from.

    `version` is that of the document read (from `sources.yaml`, unless the entry restates another one). `since` is the
    version that added the rule; `added` says it in words if it was another document or a product. `edited` is the month
    of the last edit of the pages that quote an answer, when they were read, and `answered_by` the person they name.
    """

    doc: Text
    page: int | None = None
    pages: list[int] = field(default_factory=list)
    section: Text | None = None
    version: Text | None = None
    since: Text | None = None
    added: Text | None = None
    url: Url | None = None
    edited: Text | None = None
    answered_by: Text | None = None


@frozen
class Superseded(SourceRecord):
    """A wording that was valid until `until`, in words; `since` is the version of the document with the present wording."""

    until: Text
    text: Text
    since: Text | None = None


@frozen
class AskedLine:
    """A question that an entry answers, and some words of the sentence that answers it (`says`; None: not given yet)."""

    question: Text
    says: Text | None = None


@frozen
class EntryFields(SourceRecord):
    """Front matter of an entry, or a row of a YAML list."""

    title: Title
    kind: Kind
    source: CitationFields
    covers: list[Text] = field(default_factory=list)
    aliases: list[Text] = field(default_factory=list)
    asked: Annotated[list[AskedLine], BeforeValidator(questions)] = field(default_factory=list)
    see: list[Text] = field(default_factory=list)
    topic: Text | None = None
    topic_note: Text | None = None
    history: list[Superseded] = field(default_factory=list)
    cards: list[Text] = field(default_factory=list)
    about: list[Text] = field(default_factory=list)
    authority: Authority | None = None
    signed: bool | None = None
    confidence: Confidence | None = None
    superseded_by: list[Text] = field(default_factory=list)
    date: Text | None = None
    changes_text: bool = False
    reworded: Text | None = None
    scope: list[Text] = field(default_factory=list)
    spoiler: Text | None = None
    formerly: list[Text] = field(default_factory=list)

    def finished(self, cards: list[str], see: list[str], superseded_by: list[str]) -> EntryFields:
        """Return the fields with the ids for these lists of names, and without questions."""
        return replace(self, cards=cards, see=see, superseded_by=superseded_by, asked=[])


@frozen
class RowFields(EntryFields):
    """A row of a YAML list: an entry with its text and the last part of its id."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]*$")] = field(kw_only=True)
    body: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_BODY)] = field(
        kw_only=True
    )


@frozen
class TableFields(SourceRecord):
    """A YAML list of entries: defaults, and the rows."""

    title: Title
    entries: list[dict[str, Any]]
    kind: Kind | None = None
    source: CitationFields | None = None
    intro: Text | None = None
    spoiler: Text | None = None
    authority: Authority | None = None
    cards: list[Text] = field(default_factory=list)


@frozen
class ChangeFields(SourceRecord):
    """A row of `changes.yaml`: a change to our entries, its date, and the entries changed."""

    date: Day
    text: Text
    entries: Annotated[list[Text], BeforeValidator(some)]


@frozen
class EarlierFields(SourceRecord):
    """A row of `earlier.yaml`: `stands` says whether an edition kept, changed or dropped an earlier edition's rule
    under a heading. The headings `by` contain the new rule, and `says` is a sentence with it.
    """

    heading: Text
    stands: Literal["kept", "changed", "dropped"]
    by: list[Text] = field(default_factory=list)
    says: Text | None = None


@frozen
class SourceFields(SourceRecord):
    """A document as described in `sources.yaml`. `short` is its name in citations."""

    id: Text
    title: Title
    short: Text | None = None
    edition: Text | None = None
    version: Text | None = None
    date: Text | None = None
    publisher: Text | None = None
    url: Url | None = None
    outline: Text | None = None


@frozen
class OutlineHeading(SourceRecord):
    """A heading of a document's outline, in the document's order."""

    id: Text
    doc: Text
    title: Title
    kind: str
    section: str
    page: int | None
    position: int


@frozen
class LoadedLink:
    """A link from an entry to an entry (`link`, with an anchor; `see`) or to a `card`."""

    target: str
    kind: Literal["link", "see", "card"] = "link"
    anchor: str | None = None


@frozen
class LoadedEntry:
    """An entry ready for the catalog.

    `body` is Markdown whose wiki links contain full ids (`[[full/id#anchor|words]]`, `[[card:CARD-ID|words]]`);
    `citation` is the source in words; `table` is the id of the YAML list that contains the entry, `position` the
    reading order in its folder. `sentences` is the body as plain text; `answers` has each question with the number of
    the sentence that answers it.
    """

    id: str
    game: str
    fields: EntryFields
    body: str
    citation: str
    path: str
    line: int
    table: str | None = None
    position: int = 0
    links: list[LoadedLink] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    answers: list[tuple[str, int | None]] = field(default_factory=list)


@frozen
class LoadedTable:
    """A YAML list, which has its own page."""

    id: str
    game: str
    title: str
    intro: str | None = None
