"""The tables of the catalog, as SQLModel classes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column
from sqlmodel import Field, SQLModel


class GameRow(SQLModel, table=True):
    """A game whose rules kb restates."""

    __tablename__ = "game"

    id: str = Field(primary_key=True)
    title: str


class Source(SQLModel, table=True):
    """A published document that entries cite."""

    game: str = Field(primary_key=True)
    id: str = Field(primary_key=True)
    title: str
    short: str
    edition: str | None = None
    version: str | None = None
    date: str | None = None
    publisher: str | None = None
    url: str | None = None


class Heading(SQLModel, table=True):
    """A heading in the outline of a document; `position` is its number in the document."""

    id: str = Field(primary_key=True)
    game: str = Field(index=True)
    source: str
    title: str
    kind: str
    section: str
    page: int | None = None
    position: int


class EntryRow(SQLModel, table=True):
    """A rules entry. `data` contains the remaining fields of its front matter as JSON."""

    __tablename__ = "entry"

    id: str = Field(primary_key=True)
    game: str = Field(index=True)
    kind: str = Field(index=True)
    title: str
    body: str
    source: str
    citation: str
    topic: str | None = Field(default=None, index=True)
    spoiler: str | None = None
    authority: str | None = None
    path: str
    line: int
    list_id: str | None = Field(default=None, index=True)
    position: int
    data: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class EntryList(SQLModel, table=True):
    """A YAML list whose rows are entries. The list has its own page."""

    id: str = Field(primary_key=True)
    game: str
    title: str
    intro: str | None = None


class ChangeRow(SQLModel, table=True):
    """A change to our entries on one day. `position` counts from the newest change, and `entries` contains ids."""

    __tablename__ = "change"

    game: str = Field(primary_key=True)
    position: int = Field(primary_key=True)
    date: str
    text: str
    entries: list[str] = Field(sa_column=Column(JSON, nullable=False))


class Covers(SQLModel, table=True):
    """A heading that an entry restates (`about` = 0) or, for a ruling, is about (`about` = 1)."""

    entry: str = Field(primary_key=True)
    heading: str = Field(primary_key=True, index=True)
    about: int = Field(primary_key=True, default=0)


class Link(SQLModel, table=True):
    """A link from an entry to an entry or card; `kind` is `link`, `see` or `card`."""

    entry: str = Field(primary_key=True)
    target: str = Field(primary_key=True, index=True)
    kind: str = Field(primary_key=True)


class Alias(SQLModel, table=True):
    """Another name of an entry (`kind` = `name`), a question it answers (`asked`), or its old id (`formerly`)."""

    entry: str = Field(primary_key=True)
    text: str = Field(primary_key=True)
    kind: str = Field(primary_key=True)


class CardRow(SQLModel, table=True):
    """A card's facts. `number` is the adventure deck number or the level; the whole record is in `record`."""

    __tablename__ = "card"

    id: str = Field(primary_key=True)
    game: str = Field(index=True)
    set: str = Field(index=True)
    code: str | None = None
    name: str = Field(index=True)
    subtitle: str | None = None
    type: str | None = Field(default=None, index=True)
    number: str | None = None
    record_kind: str
    record_position: int


class CharacterRow(SQLModel, table=True):
    """A card that sets requirements for a deck: a character or an investigator."""

    __tablename__ = "character"

    id: str = Field(primary_key=True)
    game: str = Field(index=True)
    set: str
    name: str
    subtitle: str | None = None


class RecordRow(SQLModel, table=True):
    """A record of `cards/`, unchanged. Deck checks use it."""

    __tablename__ = "record"

    game: str = Field(primary_key=True)
    kind: str = Field(primary_key=True)
    position: int = Field(primary_key=True)
    data: str


class PassageRow(SQLModel, table=True):
    """A section of a rulebook that the user imported. Only searches on this machine use it."""

    __tablename__ = "passage"

    id: str = Field(primary_key=True)
    game: str
    book: str
    title: str
    source: str
    text: str


class PassageCovers(SQLModel, table=True):
    """A heading of our documents that is also the heading of a passage in the user's rulebook."""

    passage: str = Field(primary_key=True)
    heading: str = Field(primary_key=True, index=True)


class Meta(SQLModel, table=True):
    """A fact about the build of the catalog, such as the hash of the sources."""

    key: str = Field(primary_key=True)
    value: str
