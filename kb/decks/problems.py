"""Problems and findings: the results of a check, as data. Each user interface adds its own words to the data."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, TypeVar, get_args

from kb.citation import Cites
from kb.decks.remedies import AnyRemedy, KeyWords, Remedy, fitting, in_words
from kb.frozen import frozen
from kb.shapes import Jsonable, computed, key

Subject = TypeVar("Subject")
Family = Literal["count", "copies", "access", "required", "choice", "pool", "feat", "experience", "campaign"]
"""The subject of a check."""
Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)


@frozen
class At:
    """A place in a file: a key, and optionally a name below it (`decks` and `Kyra`)."""

    key: str
    name: str = ""

    def __str__(self) -> str:
        """Return the place as one string, such as `decks Kyra`. File readers look up the line of a place by this
        string.
        """
        return f"{self.key} {self.name}" if self.name else self.key


# Not frozen: creating a frozen dataclass takes several times as long, and checks mostly create these. They are never changed.
@dataclass(slots=True, unsafe_hash=True)
class Problem:
    """A problem that a check found.

    message: the problem, in one plain sentence that names no key of a file and no control of a form. who: the person
    that it concerns, if several play. cards: labels of the cards concerned (with codes if the game has codes). count,
    limit: the actual number and the number that the rule asks for - a maximum, a minimum or an exact number, as the
    message says. at: its place in the file; if there are several, the first one that exists counts. remedies: changes
    that each fix the problem. severity, cites: replace the check's severity and cites for this problem. names_owner:
    True if the message begins with the name of the deck's owner, so that a report on several decks need not add it.
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
    names_owner: bool = False


Problems = Iterator[Problem]
"""The problems that a check yields."""
Rule = Callable[[Subject], Iterable[Problem]]
"""A function that takes a subject and yields its problems."""


@frozen
class Check(Generic[Subject]):
    """A legality rule of a game. Two checks are equal if they are the same rule of the same game (in any set).

    id: its name in JSON, unique within the game. cites: ids of the entries that state the rule, most important first.
    summary: the first paragraph of the function's docstring. when: a function that returns a false value for subjects
    that the check does not apply to (None: it always applies).
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
        """Return the id of the check, which JSON prints for it."""
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

    check: Check[Any] = key("named")
    """Id of the check within its game."""
    problem: Problem = key("hidden")
    deck: str = key("hidden", default="")
    """In a report on several decks: the owner of the deck it was found in."""
    place: str = key("hidden", default="")
    """In a report on several files or games: where it was found, in words."""

    @computed
    def family(self) -> Family:
        """The subject of the check."""
        return self.check.family

    @computed
    def severity(self) -> Severity:
        """Severity; an error makes the deck illegal."""
        return self.problem.severity or self.check.severity

    @computed
    def message(self) -> str:
        """The problem, in a sentence."""
        owner = "" if self.problem.names_owner else self.deck
        return ": ".join(part for part in (self.place, owner, self.problem.message) if part)

    @computed
    def who(self) -> str:
        """The player concerned, if there are several players; otherwise empty."""
        return self.problem.who or self.deck

    @computed
    def cards(self) -> tuple[str, ...]:
        """Labels of the cards concerned (with codes if the game has codes)."""
        return self.problem.cards

    @computed
    def cites(self) -> Cites:
        """The entries that state the rule, most important first."""
        return self.check.cites if self.problem.cites is None else self.problem.cites

    @computed
    def fix(self) -> str:
        """All remedies in words; empty if there are none."""
        return in_words(self.problem.remedies)

    @computed
    def remedies(self) -> tuple[AnyRemedy, ...]:
        """Changes that each fix the problem."""
        return self.problem.remedies

    @computed
    def count(self) -> int | None:
        """The actual number, if the finding is about a number."""
        return self.problem.count

    @computed
    def limit(self) -> int | None:
        """The number that the rule requires: a maximum, a minimum or an exact number, as the message says."""
        return self.problem.limit

    @computed
    def code(self) -> str:
        """A stable name for the check, unique across games: game/check."""
        return f"{self.check.game}/{self.check.id}"

    @property
    def game(self) -> str:
        """Id of the game."""
        return self.check.game

    def fix_for(self, key_words: KeyWords, only: Iterable[str] | None = None) -> str:
        """Return the remedies in the words of one user interface, which `key_words` provides. With `only`, leave out
        remedies that change other keys.
        """
        remedies = self.remedies if only is None else fitting(self.remedies, only)
        return in_words(remedies, key_words)

    @property
    def subject(self) -> tuple[Hashable, ...]:
        """Return a tuple that identifies the problem in every report on the deck. The tuple contains the check and the
        person, cards, numbers and location concerned.
        """
        problem = self.problem
        return (self.check, problem.who, problem.cards, problem.count, problem.limit, self.at)

    @property
    def at(self) -> tuple[At, ...]:
        """Return the places in the file; the first one that exists counts."""
        return self.problem.at if isinstance(self.problem.at, tuple) else (self.problem.at,)

    def by(self, *checks: Check[Any]) -> bool:
        """Return True if one of `checks` found this problem."""
        return self.check in checks

    def altered(self, **changes: Any) -> Finding:
        """Return a copy of this finding with new values for fields of its problem."""
        return replace(self, problem=replace(self.problem, **changes))
