"""Problems and findings: what a check yields, and what a report shows of it. Both are data; windows add the words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, TypeVar, get_args

from kb.citation import Cites
from kb.decks.remedies import AnyRemedy, KeyWords, Remedy, fitting, in_words
from kb.frozen import frozen
from kb.jsonable import HIDDEN, NAMED, Jsonable, key

Subject = TypeVar("Subject")
Family = Literal["count", "copies", "access", "required", "choice", "pool", "feat", "experience", "campaign"]
"""What a check is about."""
Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)


@frozen
class At:
    """A place in a file: a key, and a name below it (`decks` and `Kyra`) or none."""

    key: str
    name: str = ""

    def __str__(self) -> str:
        """Return the place as readers index their lines: `decks Kyra`."""
        return f"{self.key} {self.name}" if self.name else self.key


# Not frozen: frozen dataclasses take several times as long to make, and checks make little else. Nobody changes one.
@dataclass(slots=True, unsafe_hash=True)
class Problem:
    """One thing that a check found.

    message: what is wrong, in one plain sentence that names no key of a file and no control of a form.
    who: the person whom it is about, where several play.
    cards: labels of the cards that it is about (with codes where a game has codes).
    count, limit: what there is and what the rule asks for - the most, the least or exactly that many, as the message says.
    at: where in the file it is; of several places the first one that is there.
    remedies: changes each of which fixes it.
    severity, cites: replace those of the check where one problem differs.
    """

    message: str
    cards: tuple[str, ...] = ()
    severity: Severity | None = None
    cites: tuple[str, ...] | None = None
    count: int | None = None
    limit: int | None = None
    at: At | tuple[At, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    who: str = ""


Problems = Iterator[Problem]
"""What a check yields."""
Rule = Callable[[Subject], Iterable[Problem]]
"""A function that takes a subject and yields its problems."""


@frozen
class Check(Generic[Subject]):
    """One legality rule of a game; two checks are equal when they are the same rule of the same game (in whichever set).

    id: its name in JSON, unique within the game. cites: ids of the entries that state the rule, the most important first.
    summary: the first line of the function's docstring. when: a function that returns a false value for subjects that
    have nothing to check (None: the check always runs).
    """

    id: str
    family: Family = field(compare=False)
    cites: tuple[str, ...] = field(compare=False)
    summary: str = field(compare=False)
    severity: Severity = field(compare=False)
    run: Rule[Subject] = field(compare=False)
    game: str
    when: Callable[[Subject], object] | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """Its id, as JSON prints a check."""
        return self.id

    def __call__(self, subject: Subject) -> Iterable[Problem]:
        """Yield the problems of a subject."""
        return self.run(subject)

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield a finding for each problem of a subject."""
        if self.when is None or self.when(subject):
            for problem in self.run(subject):
                yield Finding(self, problem)


@dataclass(slots=True, unsafe_hash=True)
class Finding(Jsonable):
    """A problem, the check that found it, and the entries that state the rule."""

    check: Check[Any] = field(metadata=NAMED)
    """Id of the check within its game."""
    problem: Problem = field(metadata=HIDDEN)
    deck: str = field(default="", metadata=HIDDEN)
    """In a report on several decks: whose deck it was found in."""

    @key
    def family(self) -> Family:
        """What the check is about."""
        return self.check.family

    @key
    def severity(self) -> Severity:
        """An error makes the deck illegal."""
        return self.problem.severity or self.check.severity

    @key
    def message(self) -> str:
        """What is wrong, in a sentence."""
        message = self.problem.message
        where, _, name = self.deck.rpartition(": ")
        if name and re.match(rf"{re.escape(name)}\b", message):  # the sentence begins with the name already
            return f"{where}: {message}" if where else message
        return f"{self.deck}: {message}" if self.deck else message

    @key
    def who(self) -> str:
        """The person whom it is about, where several play; else empty."""
        return self.problem.who or self.deck

    @key
    def cards(self) -> tuple[str, ...]:
        """Labels of the cards that it is about (with codes where a game has codes)."""
        return self.problem.cards

    @key
    def cites(self) -> Cites:
        """The entries that state the rule, the most important first."""
        return self.check.cites if self.problem.cites is None else self.problem.cites

    @key
    def fix(self) -> str:
        """All remedies in words; empty when there is nothing to do."""
        return in_words(self.problem.remedies)

    @key
    def remedies(self) -> tuple[AnyRemedy, ...]:
        """Changes each of which fixes the problem."""
        return self.problem.remedies

    @key
    def count(self) -> int | None:
        """How many there are, where the finding is about a number."""
        return self.problem.count

    @key
    def limit(self) -> int | None:
        """How many the rule asks for: the most, the least or exactly that many, as the message says."""
        return self.problem.limit

    @key
    def code(self) -> str:
        """A stable name of the check over all games: game/check."""
        return f"{self.check.game}/{self.check.id}"

    @property
    def game(self) -> str:
        """Id of the game."""
        return self.check.game

    def fix_for(self, key_words: KeyWords, only: Iterable[str] | None = None) -> str:
        """Return the remedies in the words of a window; with `only`, those alone that change these keys."""
        remedies = self.remedies if only is None else fitting(self.remedies, only)
        return in_words(remedies, key_words)

    @property
    def at(self) -> tuple[At, ...]:
        """Where in the file it is; of several places the first one that is there."""
        return self.problem.at if isinstance(self.problem.at, tuple) else (self.problem.at,)

    def by(self, *checks: Check[Any]) -> bool:
        """Return True if one of `checks` found it."""
        return self.check in checks

    def altered(self, **changes: Any) -> Finding:
        """Return this finding with other values for fields of its problem."""
        return replace(self, problem=replace(self.problem, **changes))
