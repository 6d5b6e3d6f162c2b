"""Citations, which every interface uses to name the entry that states a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated

from kb.frozen import frozen
from kb.shapes import Jsonable, PrintedAs


@frozen
class Citation(Jsonable):
    """An entry that states a rule."""

    id: str
    """Id of the entry."""
    title: str
    """Title of the entry, or its id if the catalog does not contain the entry."""
    source: str
    """Document and page."""

    @property
    def in_words(self) -> str:
        """Return the citation in words: `Mulligan, Grimoire p. 3 (ID)`."""
        return f"{self.title}{self.source and f', {self.source}'} ({self.id})"


class Citations(dict[str, Citation]):
    """A mapping from ids of entries to citations. `look_up` finds a citation on first use. If an entry is missing, its
    citation has the id as title.
    """

    def __init__(self, look_up: Callable[[Iterable[str]], Mapping[str, Citation]] = lambda _ids: {}) -> None:
        super().__init__()
        self._look_up = look_up

    def __missing__(self, entry: str) -> Citation:
        self.update(self._look_up([entry]))
        return self.get(entry) or Citation(entry, entry, "")


Cite = Annotated[str, PrintedAs(Citation | None)]
"""Id of an entry, printed as a citation; null if there is none."""
Cites = Annotated[tuple[str, ...], PrintedAs(list[Citation])]
"""Ids of entries that state a rule, most important first, printed as citations."""
