"""Collect all problems in the sources before a build fails. Each is shown as `path:line: sentence`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kb.errors import KbError


def near(word: str, known: Iterable[str], most: int = 1, least: float = 0.6) -> str:
    """Return `; did you mean …?` with the known names that are most similar to `word`. Empty if none is similar.

    If `known` is a mapping, its keys are compared and its values are shown. `most` is the greatest number of names,
    `least` the lowest similarity.
    """
    from difflib import get_close_matches  # needed only for problems

    matches = get_close_matches(word, list(known), most, least)
    shown = [known[each] for each in matches] if isinstance(known, Mapping) else matches
    return f"; did you mean {' or '.join(shown)}?" if shown else ""


@dataclass(frozen=True, slots=True, order=True)
class SourceProblem:
    """A problem in a source file. `line` counts from 1. It is 0 if the problem belongs to no line."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.message}"


class SourceError(KbError):
    """The sources cannot be loaded; `problems` lists all problems found."""

    def __init__(self, problems: list[SourceProblem]) -> None:
        self.problems = sorted(problems)
        super().__init__("\n".join(map(str, self.problems)))


@dataclass(slots=True)
class Problems:
    """Collects the problems that loaders find. Paths are shown relative to `root`.

    `cut_off` are problems that leave records unread. References to these records then look wrong although they are not.
    """

    root: Path
    found: list[SourceProblem] = field(default_factory=list)
    cut_off: list[SourceProblem] = field(default_factory=list)

    def add(self, path: Path, line: int, message: str) -> None:
        """Add a problem with the file `path` at `line`. `message` is a sentence without its final full stop."""
        shown = path.relative_to(self.root) if path.is_relative_to(self.root) else path
        self.found.append(SourceProblem(shown.as_posix(), line, message))

    def add_cut_off(self, path: Path, line: int, message: str) -> None:
        """Add a problem, as `add` does, in a file whose later records cannot be read."""
        self.add(path, line, message)
        self.cut_off.append(self.found[-1])

    def told(self) -> list[SourceProblem]:
        """Return the problems to report, sorted. If some records could not be read, return only the problems that
        caused this.

        A single missing comma would otherwise cause many problems.
        """
        return sorted(self.cut_off or self.found)
