"""Prices deck upgrades between sessions: the interface of a game's `upgrades` part, and the report that it returns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol, cast

from kb import registry
from kb.citation import Cites
from kb.decks.contract import options_for
from kb.decks.deckfile import DeckFile
from kb.decks.form import Change, FormLine
from kb.decks.games import NO_OPTIONS, RulesOf
from kb.decks.nodes import DeckFileError
from kb.decks.party import part_for, readable
from kb.decks.problems import Finding
from kb.frozen import frozen
from kb.shapes import Jsonable, computed, key


@frozen
class UpgradeLine(Jsonable):
    """One line of an upgrade step: cards that are bought, swapped or removed."""

    action: str
    """The action: purchase, upgrade, swap in, exile, remove and so on."""
    card: str
    """The card, with its level."""
    copies: int
    """The number of copies."""
    cost: int
    """The price of all copies, such as experience."""
    why: str
    """The reason for the price."""
    cites: Cites
    """The entries that state the price."""
    source: str = key(name="from", default="")
    """The card that it replaces or comes from; empty: none."""

    @computed
    def text(self) -> str:
        """The line as a sentence."""
        return self.text_with(str)

    def text_with(self, name_of: Callable[[str], str]) -> str:
        """Return the line as a sentence with the names that `name_of` gives to its cards."""
        copies = f"{self.copies}x " if self.copies > 1 else ""
        source = f" from {name_of(self.source)}" if self.source else ""
        why = f" ({self.why})" if self.why else ""
        return f"{self.action.capitalize()} {copies}{name_of(self.card)}{source}: {self.cost}{why}."


@frozen
class StepReport(Jsonable):
    """The report on an upgrade step: the changes from one deck to the next."""

    old: str
    """File of the old deck."""
    new: str
    """File of the new deck."""
    character: str
    """The deck's owner."""
    cost: int
    """The lowest price of the step, such as experience."""
    available: int | None
    """The amount available for the price; null if unknown."""
    lines: tuple[UpgradeLine, ...]
    """The costs, line by line."""
    findings: tuple[Finding, ...]
    """Findings on the step and on the new deck."""
    judged_by: Mapping[str, str] = field(default_factory=dict)
    """The rules used, in words."""
    unit: str = key("hidden", default="")
    """The unit of the price, such as `experience`."""
    rules: str = key("hidden", default="")
    """A sentence about the rules used."""

    @computed
    def legal(self) -> bool:
        """True if no finding is an error."""
        return not any(finding.severity == "error" for finding in self.findings)

    @computed
    def unspent(self) -> int | None:
        """The amount left after the step."""
        return None if self.available is None else max(0, self.available - self.cost)


@frozen
class StepLine(Jsonable):
    """A line of an upgrade step, with the number of the step."""

    step: int
    """Number of the step."""
    line: UpgradeLine = key("flat")


@frozen
class StepFinding(Jsonable):
    """A finding on an upgrade step, with the number of the step."""

    step: int
    """Number of the step."""
    finding: Finding = key("flat")


@frozen
class Upgrade(Jsonable):
    """Several upgrade steps in a row, each from one deck to the next. A single step is printed without this wrapper."""

    steps: tuple[StepReport, ...]
    """The upgrade steps, in order."""

    @computed
    def cost(self) -> int:
        """The lowest price of all steps."""
        return sum(step.cost for step in self.steps)

    @computed
    def legal(self) -> bool:
        """True if every step is legal."""
        return all(step.legal for step in self.steps)

    @computed
    def available(self) -> int | None:
        """The amount available before the last step."""
        return self.steps[-1].available

    @computed
    def unspent(self) -> int | None:
        """The amount left after the last step."""
        return self.steps[-1].unspent

    @computed
    def lines(self) -> tuple[StepLine, ...]:
        """The lines of all steps."""
        return tuple(StepLine(number, line) for number, step in enumerate(self.steps, 1) for line in step.lines)

    @computed
    def findings(self) -> tuple[StepFinding, ...]:
        """The findings of all steps."""
        return tuple(StepFinding(number, row) for number, step in enumerate(self.steps, 1) for row in step.findings)

    def as_json(self, cites: Mapping[str, Jsonable]) -> dict[str, Any]:
        """Return the object to print; `cites` contains the cited entries by their ids."""
        return self.steps[0].as_json(cites) if len(self.steps) == 1 else Jsonable.as_json(self, cites)


@frozen
class Price:
    """The cost of one more copy of a card in an upgrade step; `instead` is the key of the lower version that it
    replaces.
    """

    cost: int
    instead: str = ""


@frozen
class StepChanges:
    """The changes to a deck's form that an upgrade step offers.

    `lines` contains, for each line of the step, its text on the form and the changes that undo it (none if it cannot be
    undone alone). `lost` contains, by the key of each card that may be lost in play, the changes that record the loss
    of one copy.
    """

    lines: Sequence[tuple[str, tuple[Change, ...]]]
    lost: Mapping[str, tuple[Change, ...]]


class Upgrading(Protocol):
    """Interface of a game's `upgrades` part, for games whose players buy better cards. `facts` is the value that the
    `decks` part loaded, and `value` the keys and values of a deck as its form has them.
    """

    def upgrade(
        self, files: Sequence[DeckFile], facts: Any, earned: Sequence[int], options: Mapping[str, Any] = NO_OPTIONS
    ) -> Upgrade:
        """Check the upgrade steps in a chain of decks. `earned` is the amount earned before each of the first steps,
        and `options` are check options.

        Raises DeckFileError if a file cannot be read, and another KbError if the decks are not a chain.
        """

    def prices(
        self, old: DeckFile, new: DeckFile, facts: Any, keys: Sequence[str], options: Mapping[str, Any] = NO_OPTIONS
    ) -> dict[str, Price]:
        """Return the price of one more copy of each card in `keys` in the step from `old` to `new`, by card key. Raises
        DeckFileError if a file cannot be read.
        """

    def begun(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Return the keys and values of a deck that begins a step from the deck `value`: it has the same cards."""

    def recorded(self, value: Mapping[str, Any], step: StepReport) -> dict[str, Any]:
        """Return the deck `value` with a record of the step that led to it."""

    def records(self, value: Mapping[str, Any]) -> Sequence[str]:
        """Return the lines of all records in the deck `value`, for people."""

    def changes(
        self, step: StepReport, old: DeckFile, new: Sequence[FormLine], value: Mapping[str, Any], facts: Any
    ) -> StepChanges:
        """Return the changes that a step from the deck `old` offers in the form of the new deck, whose lines are `new`
        and whose keys are `value`. Raises DeckFileError if the old deck cannot be read.
        """


def upgrading_of(game: str) -> Upgrading | None:
    """Return the `upgrades` part of a game, which checks upgrades; None if the game has none."""
    return cast(Upgrading | None, registry.part(game, "upgrades"))


def upgrade_decks(
    files: Iterable[DeckFile | DeckFileError],
    rules_of: RulesOf,
    earned: Sequence[int] = (),
    options: Mapping[str, Any] = NO_OPTIONS,
) -> Upgrade:
    """Check the upgrade steps in a chain of decks. Raises PartyError if a deck cannot be read, if the decks
    are for several games, or if their game has no upgrades, and the errors of `Upgrading.upgrade`.
    """
    decks = readable(files)
    part, facts = part_for(decks, rules_of, "deck upgrade", upgrading_of)
    return part.upgrade(decks, facts, earned, options_for(decks[0], options))
