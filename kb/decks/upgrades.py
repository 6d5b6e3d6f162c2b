"""Prices and plans deck upgrades between sessions, for games whose players buy better cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol, cast

from kb import registry
from kb.citation import Cites
from kb.decks.contract import options_for
from kb.decks.deckfile import DeckFile
from kb.decks.form import CardChange, Change, FormLine, KeyChange
from kb.decks.games import NO_OPTIONS, RulesOf
from kb.decks.names import CardLabel
from kb.decks.nodes import DeckFileError
from kb.decks.party import part_for, readable
from kb.decks.problems import Finding
from kb.frozen import frozen
from kb.jsonable import FLAT, Jsonable, called, key

SIDE = "side"
"""The wish that means every card of the side deck."""
RECORDED = "**Upgrade**"
"""The first words of the record of an upgrade step. The record is in the deck's description, which other deck builders
show too.
"""
EXILED = "exiled"
"""The key of a deck file that lists the cards exiled before an upgrade step, with the number of copies of each."""


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
    """Experience for all copies."""
    why: str
    """The reason for the price."""
    cites: Cites
    """The entries that state the price."""
    source: str = field(default="", metadata=called("from"))
    """The card that it replaces or comes from; empty: none."""

    @key
    def text(self) -> str:
        """The line as a sentence."""
        return self.text_with(str)

    def text_with(self, name_of: Callable[[str], str]) -> str:
        """Return the line as a sentence with the names that `name_of` gives to its cards."""
        copies = f"{self.copies}x " if self.copies > 1 else ""
        source = f" {'for' if self.action == 'swap in' else 'from'} {name_of(self.source)}" if self.source else ""
        cost = f": {self.cost} experience" if self.action not in ("exile", "remove") else ""
        why = f" ({self.why})" if self.why else ""
        return f"{self.action.capitalize()} {copies}{name_of(self.card)}{source}{cost}{why}."


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
    """The least experience that the step costs."""
    available: int | None
    """Experience available; null if unknown."""
    lines: tuple[UpgradeLine, ...]
    """The costs, line by line."""
    findings: tuple[Finding, ...]
    """Findings on the step and on the new deck."""
    judged_by: Mapping[str, str] = field(default_factory=dict)
    """The rules used, in words."""

    @key
    def legal(self) -> bool:
        """True if no finding is an error."""
        return not any(finding.severity == "error" for finding in self.findings)

    @key
    def unspent(self) -> int | None:
        """Experience left after the step."""
        return None if self.available is None else max(0, self.available - self.cost)


@frozen
class StepLine(Jsonable):
    """A line of an upgrade step, with the number of the step."""

    step: int
    """Number of the step."""
    line: UpgradeLine = field(metadata=FLAT)


@frozen
class WishList:
    """The wishes of a player for a plan of purchases.

    `want` contains cards, deck files to reach, or `side`. `now` is the experience available, and `each` the experience
    gained from each scenario. `out` lists cards that may be removed first, and `keep` lists cards that stay.
    """

    want: Sequence[str | DeckFile]
    now: int
    each: int
    out: Sequence[str]
    keep: Sequence[str]


@frozen
class StepFinding(Jsonable):
    """A finding on an upgrade step, with the number of the step."""

    step: int
    """Number of the step."""
    finding: Finding = field(metadata=FLAT)


@frozen
class Upgrade(Jsonable):
    """Several upgrade steps in a row, each from one deck to the next. A single step is printed without this wrapper."""

    steps: tuple[StepReport, ...]
    """The upgrade steps, in order."""

    @key
    def cost(self) -> int:
        """The least experience that all steps cost."""
        return sum(step.cost for step in self.steps)

    @key
    def legal(self) -> bool:
        """True if every step is legal."""
        return all(step.legal for step in self.steps)

    @key
    def available(self) -> int | None:
        """Experience available before the last step."""
        return self.steps[-1].available

    @key
    def unspent(self) -> int | None:
        """Experience left after the last step."""
        return self.steps[-1].unspent

    @key
    def lines(self) -> tuple[StepLine, ...]:
        """The lines of all steps."""
        return tuple(StepLine(number, line) for number, step in enumerate(self.steps, 1) for line in step.lines)

    @key
    def findings(self) -> tuple[StepFinding, ...]:
        """The findings of all steps."""
        return tuple(StepFinding(number, row) for number, step in enumerate(self.steps, 1) for row in step.findings)

    def as_json(self, cites: Mapping[str, Jsonable]) -> dict[str, Any]:
        """Return the object to print; `cites` contains the cited entries by their ids."""
        return self.steps[0].as_json(cites) if len(self.steps) == 1 else Jsonable.as_json(self, cites)


@frozen
class Purchase(Jsonable):
    """The purchases after one scenario."""

    scenario: int
    """The number of the scenario; 0: now."""
    available: int
    """Experience available."""
    cost: int = field(metadata=called("spent"))
    """Experience spent."""
    wishes: tuple[str, ...]
    """The wishes that are fulfilled."""
    lines: tuple[UpgradeLine, ...]
    """The purchases, line by line."""
    notes: tuple[str, ...] = ()
    """Notes: cards to add for free, prices that no source states, and trauma."""

    @key
    def left(self) -> int:
        """Experience left."""
        return self.available - self.cost


@frozen
class PurchasePlan(Jsonable):
    """A plan of purchases after each scenario that fulfils wishes as early as possible."""

    file: str = field(metadata=called("deck"))
    """The deck's file."""
    character: str
    """The deck's owner."""
    purchases: tuple[Purchase, ...] = field(metadata=called("scenarios"))
    """The purchases now and after each scenario."""
    missed: tuple[str, ...]
    """The wishes that are not fulfilled."""
    errors_before: int
    """The number of errors in the current deck."""
    judged_by: Mapping[str, str]
    """The rules used, in words."""
    proposed: tuple[str, ...] = ()
    """Cards that kb proposes to remove although the user did not list them."""
    exact: bool = True
    """True if the plan is the best one; false if the list of wishes is too long to try all orders."""

    @key
    def cost(self) -> int:
        """The experience that all purchases cost together."""
        return sum(one.cost for one in self.purchases)


@frozen
class Price:
    """The cost of one more copy of a card in an upgrade step; `instead` is the key of the lower version that it
    replaces.
    """

    cost: int
    instead: str = ""


class Upgrading(Protocol):
    """Interface of a game's `upgrades` part, for games whose players buy better cards. `facts` is the value that the
    `decks` part loaded.
    """

    def upgrade(
        self, files: Sequence[DeckFile], facts: Any, earned: Sequence[int], options: Mapping[str, Any] = NO_OPTIONS
    ) -> Upgrade:
        """Check the upgrade steps in a chain of decks. `earned` is the experience earned before each of the first
        steps, and `options` are check options.

        Raises DeckFileError if a file cannot be read, and another KbError if the decks are not a chain.
        """

    def plan(
        self, file: DeckFile, facts: Any, wishes: WishList, options: Mapping[str, Any] = NO_OPTIONS
    ) -> PurchasePlan:
        """Plan purchases that fulfil `wishes` as early as possible. Raises DeckFileError if the file cannot be read,
        and another KbError if the plan is impossible.
        """

    def begun(self, file: DeckFile, facts: Any) -> dict[str, Any]:
        """Return the keys and values of a deck file for the next step. The new file has the cards from the deck in
        `file` and no experience. Raises DeckFileError if the file cannot be read.
        """

    def prices(
        self, old: DeckFile, new: DeckFile, facts: Any, keys: Sequence[str], options: Mapping[str, Any] = NO_OPTIONS
    ) -> dict[str, Price]:
        """Return the price of one more copy of each card in `keys` in the step from `old` to `new`, by card key. Raises
        DeckFileError if a file cannot be read.
        """

    def may_be_lost(self, file: DeckFile, facts: Any) -> list[str]:
        """Return the keys of the deck's cards that may be exiled in play. Raises DeckFileError if the file cannot be
        read.
        """

    def recorded(
        self, old: DeckFile, new: DeckFile, facts: Any, earned: Sequence[int], options: Mapping[str, Any] = NO_OPTIONS
    ) -> dict[str, Any]:
        """Return the keys and values of the deck file `new`, including a record of the step from `old`: the experience
        available and spent, and the purchases.
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
    """Check the upgrade steps in a chain of decks. Raises PartyError if a deck cannot be read or its game has no
    upgrades, and the errors of `Upgrading.upgrade`.
    """
    decks = readable(files)
    part, facts = part_for(decks[0], rules_of, "deck upgrade", upgrading_of)
    return part.upgrade(decks, facts, earned, options_for(decks[0], options))


def plan_purchases(
    file: DeckFile, rules_of: RulesOf, wishes: WishList, options: Mapping[str, Any] = NO_OPTIONS
) -> PurchasePlan:
    """Plan purchases for a deck. Raises PartyError if its game has no upgrades, and the errors of `Upgrading.plan`."""
    part, facts = part_for(file, rules_of, "deck plan", upgrading_of)
    return part.plan(file, facts, wishes, options_for(file, options))


def step_record(step: StepReport) -> str:
    """Return the record of an upgrade step for the description of the new deck: a line with the experience and a list
    of the purchases.
    """
    there = "" if step.available is None else f"{step.available} experience, "
    return "\n".join([f"{RECORDED}: {there}{step.cost} spent.", *(f"- {line.text}" for line in step.lines)])


def steps_recorded(description: str) -> list[str]:
    """Return the lines that `step_record` added to a deck's description, without markup and card codes."""
    _, mark, steps = description.partition(RECORDED)
    lines = re.sub(r"\*\*| \[\w+\]", "", f"{mark}{steps}").splitlines()
    return [line.removeprefix("- ") for line in lines if line]


def taken_back(
    line: UpgradeLine, now: Sequence[FormLine], before: Sequence[FormLine], lost: Mapping[str, int]
) -> list[Change]:
    """Return the changes to a deck's form that undo one line of an upgrade step. The changes include the boxes marked
    on a card's sheet.

    `now` and `before` are the lines of the new and the old deck. `lost` contains the exiled copies by card key.
    """
    old, copies = {each.key: each for each in before}, Counter({each.key: each.copies for each in now})
    lines = {each.key: each for each in (*before, *now)}
    came = line.action not in ("exile", "remove")
    card = lines.get(CardLabel.of(line.card).key)
    if card is None or (came and copies[card.key] < line.copies):
        return []
    blank = {field.key: field.value for field in old[card.key].sheet} if card.key in old else {}
    boxes: list[Change] = [
        KeyChange(field.key, value) for field in card.sheet if field.value != (value := blank.get(field.key, ""))
    ]
    if line.action == "mark boxes":
        return boxes
    back = [] if card.key in old else boxes
    back.append(CardChange(card.key, copies[card.key] + (-line.copies if came else line.copies)))
    if line.action == "exile":
        back.append(KeyChange(f"{EXILED}.{card.key}", lost.get(card.key, 0) - line.copies))
    if source := lines.get(CardLabel.of(line.source).key):
        gone = old[source.key].copies - copies[source.key] if source.key in old else 0
        back.append(CardChange(source.key, copies[source.key] + max(0, min(line.copies, gone))))
    return back
