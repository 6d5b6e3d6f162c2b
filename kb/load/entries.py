"""What an entry is once it is loaded, and the validated shape of its front matter."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator
from pydantic.dataclasses import dataclass as validated

from kb.authority import Authority

Kind = Literal[
    "rule", "step", "term", "setup", "card-type", "character", "decklist", "reference", "product", "example",
    "strategy", "sidebar-rule", "sidebar-new", "ruling", "faq", "erratum", "taboo", "variant",
]  # fmt: skip
KINDS: tuple[str, ...] = get_args(Kind)
Confidence = Literal["high", "medium", "low"]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=8_000)]
Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
Url = Annotated[str, StringConstraints(pattern=r"^https?://[^\s\\]+$", max_length=2_000)]


NOTHING: Final[list[Any]] = []
"""What fields of records that never change hold when they list nothing: of tens of thousands, lists of their own would take megabytes."""


def nothing() -> list[Any]:
    """NOTHING, for each field."""
    return NOTHING


GIVEN: Final[set[str]] = set()


class Strict(BaseModel):
    """A record of a source file: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class CitationFields(Strict):
    """Where in a document an entry comes from.

    `version` is the document's that was read (as `sources.yaml` has it, unless the entry restates another one); `since` is the
    version that brought the rule, `added` says it in words where it was another document or a product.
    """

    doc: Text
    page: int | None = None
    pages: list[int] = Field(default_factory=nothing)
    section: Text | None = None
    version: Text | None = None
    since: Text | None = None
    added: Text | None = None
    url: Url | None = None


class Superseded(Strict):
    """A wording that was current until `until`, in words; `since` is the version of the document that brought today's."""

    until: Text
    text: Text
    since: Text | None = None


@validated(frozen=True, slots=True)
class Asked:
    """A question that an entry answers, and some words of the one sentence that answers it (`says`; None: not named yet)."""

    question: Text
    says: Text | None = None


class EntryFields(Strict):
    """Front matter of an entry, or a row of a YAML list."""

    title: Title
    kind: Kind
    source: CitationFields
    covers: list[Text] = Field(default_factory=nothing)
    aliases: list[Text] = Field(default_factory=nothing)
    asked: list[Asked] = Field(default_factory=nothing)
    see: list[Text] = Field(default_factory=nothing)
    topic: Text | None = None
    topic_note: Text | None = None
    history: list[Superseded] = Field(default_factory=nothing)
    cards: list[Text] = Field(default_factory=nothing)
    about: list[Text] = Field(default_factory=nothing)
    authority: Authority | None = None
    signed: bool | None = None
    confidence: Confidence | None = None
    superseded_by: list[Text] = Field(default_factory=nothing)
    date: Text | None = None
    changes_text: bool = False
    scope: list[Text] = Field(default_factory=nothing)
    spoiler: Text | None = None
    formerly: list[Text] = Field(default_factory=nothing)

    def finished(self, cards: list[str], see: list[str], superseded_by: list[str]) -> EntryFields:
        """The fields with the ids that these lists of names stand for, and without questions."""
        named = {"cards": cards, "see": see, "superseded_by": superseded_by}
        return self.model_copy(update={key: ids or NOTHING for key, ids in named.items()} | {"asked": NOTHING}).lean()

    def lean(self) -> EntryFields:
        """These fields, without what Pydantic keeps of each record: which fields were given (nobody asks), and of the questions of one
        sentence each that sentence. Of tens of thousands of entries that takes 40 MB."""
        for record in (self, self.source):
            object.__setattr__(record, "__pydantic_fields_set__", GIVEN)
        for before, asked in pairwise(self.asked):
            if asked.says == before.says:
                object.__setattr__(asked, "says", before.says)
        return self

    @field_validator("asked", mode="before")
    @classmethod
    def questions(cls, given: Any) -> list[dict[str, Any]]:
        """Read `asked:`: words of a sentence with the questions it answers, or (as long as no sentence is named) a list of questions."""
        groups = given.items() if isinstance(given, dict) else [(None, given)]
        found = []
        for says, listed in groups:
            if says is not None and not (isinstance(says, str) and says.strip()):
                raise ValueError(f"{says!r} must be words of a sentence; put them in quotes")
            where = f"the questions of {says!r}" if says is not None else "the questions"
            if not isinstance(listed, list) or not listed:
                raise ValueError(f"{where} must be a list, each after a hyphen on a line of its own")
            for question in listed:
                if not isinstance(question, str) or not question.strip():
                    raise ValueError(f"{where} must be text, not {question!r}; put it in quotes")
                found.append({"question": question, "says": says})
        return found


class TableFields(Strict):
    """A YAML list of entries: defaults, and the rows."""

    title: Title
    kind: Kind | None = None
    source: CitationFields | None = None
    intro: Text | None = None
    spoiler: Text | None = None
    authority: Authority | None = None
    cards: list[Text] = Field(default_factory=nothing)
    entries: list[dict[str, Any]]


class ChangeFields(Strict):
    """A row of `changes.yaml`: what we changed in our entries, on which day, and which entries these are."""

    date: Annotated[str, StringConstraints(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$")]
    text: Text
    entries: list[Text] = Field(min_length=1)


class SourceFields(Strict):
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


class OutlineHeading(Strict):
    """One heading of a document's outline, in the document's order."""

    id: Text
    doc: Text
    title: Title
    kind: str
    section: str
    page: int | None
    position: int


@dataclass(frozen=True, slots=True)
class LoadedLink:
    """A link from an entry: to an entry (with an anchor) or to a card."""

    target: str
    anchor: str | None = None
    is_card: bool = False
    is_see: bool = False


@dataclass(frozen=True, slots=True)
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


class LoadedTable(Strict):
    """A YAML list as a page of its own."""

    id: str
    game: str
    title: str
    intro: str | None = None
