"""What an entry is once it is loaded, and the validated shape of its front matter."""

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
    """Read `asked:`: words of a sentence with the questions it answers, or (as long as no sentence is named) a list of questions."""
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


class Record:
    """A record of a source file: unknown keys are errors."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}


@frozen
class CitationFields(Record):
    """Where in a document an entry comes from.

    `version` is the document's that was read (as `sources.yaml` has it, unless the entry restates another one); `since` is the
    version that brought the rule, `added` says it in words where it was another document or a product. `edited` is the month of the
    last edit of the pages that quote an answer, as they were read, and `answered_by` whom they name for it.
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
class Superseded(Record):
    """A wording that was current until `until`, in words; `since` is the version of the document that brought today's."""

    until: Text
    text: Text
    since: Text | None = None


@frozen
class Asked:
    """A question that an entry answers, and some words of the one sentence that answers it (`says`; None: not named yet)."""

    question: Text
    says: Text | None = None


@frozen
class EntryFields(Record):
    """Front matter of an entry, or a row of a YAML list."""

    title: Title
    kind: Kind
    source: CitationFields
    covers: list[Text] = field(default_factory=list)
    aliases: list[Text] = field(default_factory=list)
    asked: Annotated[list[Asked], BeforeValidator(questions)] = field(default_factory=list)
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
        """The fields with the ids that these lists of names stand for, and without questions."""
        return replace(self, cards=cards, see=see, superseded_by=superseded_by, asked=[])


@frozen
class RowFields(EntryFields):
    """A row of a YAML list: an entry with its text and the last part of its id."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]*$")] = field(kw_only=True)
    body: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_BODY)] = field(
        kw_only=True
    )


@frozen
class TableFields(Record):
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
class ChangeFields(Record):
    """A row of `changes.yaml`: what we changed in our entries, on which day, and which entries these are."""

    date: Day
    text: Text
    entries: Annotated[list[Text], BeforeValidator(some)]


@frozen
class EarlierFields(Record):
    """A row of `earlier.yaml`: whether an edition kept, changed or dropped what an earlier one says under a heading (`stands`), the headings
    `by` which it says so, and in a sentence what it `says` instead."""

    heading: Text
    stands: Literal["kept", "changed", "dropped"]
    by: list[Text] = field(default_factory=list)
    says: Text | None = None


@frozen
class SourceFields(Record):
    """A document, as `sources.yaml` describes it. `short` names it in citations."""

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
class OutlineHeading(Record):
    """One heading of a document's outline, in the document's order."""

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

    `body` is Markdown whose wiki links name full ids (`[[full/id#anchor|words]]`, `[[card:CARD-ID|words]]`); `citation` is
    the source in words; `table` is the id of the YAML list the entry is a row of, `position` the reading order in its folder.
    `sentences` is the body as plain text; `answers` holds each question with the number of the sentence that answers it.
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
    """A YAML list as a page of its own."""

    id: str
    game: str
    title: str
    intro: str | None = None
