"""The types of loaded entries and of their front matter."""

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
    """Convert the value of `asked:` to rows. Each row has a question and `says`: words of the sentence that answers
    it.

    The value is a mapping from such words to lists of questions, or simply a list of questions. Raises ValueError for
    any other value.
    """
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
    """Return `value` unchanged. Raises ValueError if it is an empty list."""
    if value == []:
        raise ValueError("name at least one entry")
    return value


class SourceRecord:
    """Base class for the records of source files. Unknown keys are errors."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}


@frozen
class CitationFields(SourceRecord):
    """The part of a document that an entry is based on.

    `version` is the version of the document that was read. It is the version in `sources.yaml`, unless the entry
    restates another one. `since` is the version that added the rule. If another document or a product added the rule,
    `added` says so in words. `edited` is the month in which the pages that quote an answer were last edited.
    `answered_by` is the person named on these pages.
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
    """An earlier wording of a rule. `until` says in words until when it was valid. `since` is the version of the
    document that has the present wording.
    """

    until: Text
    text: Text
    since: Text | None = None


@frozen
class AskedLine:
    """A question that an entry answers. `says` contains some words of the sentence that answers it. `says` is None if
    no sentence is given yet.
    """

    question: Text
    says: Text | None = None


@frozen
class EntryFields(SourceRecord):
    """The front matter of an entry, or a row of a YAML list."""

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
        """Return a copy with the given ids in place of names, and without questions."""
        return replace(self, cards=cards, see=see, superseded_by=superseded_by, asked=[])


@frozen
class RowFields(EntryFields):
    """A row of a YAML list: an entry with its text (`body`) and the last part of its id (`id`)."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]*$")] = field(kw_only=True)
    body: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_BODY)] = field(
        kw_only=True
    )


@frozen
class TableFields(SourceRecord):
    """A YAML list of entries: its title, default values for all rows, and the rows (`entries`)."""

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
    """A row of `changes.yaml`: the date and description of a change to kb's entries, and the entries that changed."""

    date: Day
    text: Text
    entries: Annotated[list[Text], BeforeValidator(some)]


@frozen
class EarlierFields(SourceRecord):
    """A row of `earlier.yaml`: how an edition affects the rule under a heading of an earlier edition.

    `stands` says whether the rule is kept, changed or dropped. `by` are the headings that contain the new rule, and
    `says` is a sentence with the new rule.
    """

    heading: Text
    stands: Literal["kept", "changed", "dropped"]
    by: list[Text] = field(default_factory=list)
    says: Text | None = None


@frozen
class SourceFields(SourceRecord):
    """A document, as described in `sources.yaml`. `short` is its name in citations."""

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
    """A heading in the outline of a document. `position` is its position in the document."""

    id: Text
    doc: Text
    title: Title
    kind: str
    section: str
    page: int | None
    position: int


@frozen
class LoadedLink:
    """A link from an entry. A `link` leads from the text to another entry, with an optional anchor. Links from the
    key `see` have the kind `see`, and links to a card have the kind `card`.
    """

    target: str
    kind: Literal["link", "see", "card"] = "link"
    anchor: str | None = None


@frozen
class LoadedEntry:
    """An entry that is ready for the catalog.

    `body` is Markdown whose wiki links contain full ids (`[[full/id#anchor|words]]`, `[[card:CARD-ID|words]]`).
    `citation` is the source in words. `table` is the id of the YAML list that contains the entry. `position` is its
    position in reading order. `sentences` are the sentences of the body as plain text. `answers` pairs each question
    with the number of the sentence that answers it, or with None.
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
    """A YAML list of entries. The list has its own page."""

    id: str
    game: str
    title: str
    intro: str | None = None
