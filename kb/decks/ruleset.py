"""Rulesets: a ruleset registers the checks of a game, each a function with a citation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, get_args

from kb.decks.problems import Check, Family, Finding, Rule, Severity, Subject


class Ruleset(Generic[Subject]):
    """The checks for one game, or for one set of a game, in the order of the report."""

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
    ) -> Callable[[Rule[Subject]], Check[Subject]]:
        """Register a function as a check. The decorator returns the `Check`, which other code uses to refer to the
        check.

        The function takes a subject (a frozen dataclass, such as a deck with the facts of its cards) and yields
        `Problem`s. The function's name becomes the check's id (`deck-size` from `deck_size`), and the first paragraph
        of its docstring becomes the summary. `cites` are the ids of the entries that state the rule. If `when` is
        given, the check is skipped for subjects where `when` returns a false value.

        Raises ValueError if the function has no docstring, no citation, an unknown family, or a name that is taken.
        """

        def register(run: Rule[Subject]) -> Check[Subject]:
            name = run.__name__.replace("_", "-")
            summary = " ".join((run.__doc__ or "").strip().split("\n\n")[0].split())
            if not summary or not cites or any(known.id == name for known in self.checks):
                raise ValueError(f"check {name} of {self.game} needs a docstring, a citation and a name of its own")
            if family not in get_args(Family):
                raise ValueError(
                    f"check {name} of {self.game}: {family!r} is not a `Family` of kb/decks/problems.py: "
                    f"{', '.join(get_args(Family))}"
                )
            check = Check(name, family, cites, summary, severity, run, self.game, when)
            self.checks.append(check)
            return check

        return register

    def run(self, subject: Subject) -> Iterator[Finding]:
        """Run every check on a subject and yield the findings in the checks' order."""
        for check in self.checks:
            yield from check.findings(subject)
