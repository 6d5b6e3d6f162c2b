"""A ruleset: the registry of a game's checks, each a function with a citation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar, get_args

from kb.decks.report import Family, Finding, Problem, Severity
from kb.frozen import frozen

Subject = TypeVar("Subject")
Rule = Callable[[Subject], Iterable[Problem]]
"""What looks at a subject and yields what is wrong with it."""


@frozen
class Check(Generic[Subject]):
    """One legality rule of a game. `cites` are entry ids; `summary` is the first line of the function's docstring.

    when: what there must be in a subject for the check to have anything to look at (None: it always looks).
    """

    id: str
    family: Family
    cites: tuple[str, ...]
    summary: str
    severity: Severity
    run: Rule[Subject]
    game: str
    when: Callable[[Subject], object] | None = None

    def found(self, problem: Problem) -> Finding:
        """The finding for a problem that this check yielded; a severity or entries of the problem replace those of the check."""
        return Finding(
            self.id,
            self.family,
            problem.severity or self.severity,
            problem.message,
            problem.cards,
            self.cites if problem.cites is None else problem.cites,
            problem.fix,
            self.game,
            problem.count,
            problem.limit,
            (problem.at,) if isinstance(problem.at, str) else problem.at,
            problem.adds,
        )


class Ruleset(Generic[Subject]):
    """The checks of one game (or one set of it), in the order in which they are reported."""

    def __init__(self, game: str, title: str) -> None:
        self.game = game
        self.title = title
        self.checks: list[Check[Subject]] = []

    def check(
        self,
        *cites: str,
        family: Family,
        severity: Severity = "error",
        when: Callable[[Subject], object] | None = None,
    ) -> Callable[[Rule[Subject]], Rule[Subject]]:
        """Register a function as a check.

        The function takes a subject (a frozen dataclass: deck with the facts of its cards) and yields `Problem`s; its name
        becomes the check's id (`deck-size` from `deck_size`), the first line of its docstring the check's summary. A check
        with `when` is passed over where that finds nothing to look at.

        Raises ValueError when the function has no docstring, no citation, a family that there is not, or a name that is taken.
        """

        def register(run: Rule[Subject]) -> Rule[Subject]:
            name = run.__name__.replace("_", "-")
            summary = (run.__doc__ or "").strip().split("\n")[0]
            if not summary or not cites or any(known.id == name for known in self.checks):
                raise ValueError(f"check {name} of {self.game} needs a docstring, a citation and a name of its own")
            if family not in get_args(Family):
                raise ValueError(
                    f"check {name} of {self.game}: {family!r} is no `Family` of kb/decks/report.py: {', '.join(get_args(Family))}"
                )
            self.checks.append(Check(name, family, cites, summary, severity, run, self.game, when))
            return run

        return register

    def run(self, subject: Subject) -> Iterator[Finding]:
        """Run every check on a subject and yield the findings in the checks' order."""
        for check in self.checks:
            if check.when is None or check.when(subject):
                for problem in check.run(subject):
                    yield check.found(problem)
