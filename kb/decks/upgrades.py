"""What becomes of a deck between two sessions, for the games whose decks buy better cards: what a step costs, what to buy when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol, cast

from kb import registry
from kb.citation import Cites
from kb.decks.deckfile import DeckFile
from kb.decks.form import Line as FormLine
from kb.decks.games import NO_FRAME, RulesOf
from kb.decks.nodes import DeckFileError
from kb.decks.party import part_for, readable
from kb.decks.problems import Finding
from kb.frozen import frozen
from kb.jsonable import FLAT, Jsonable, called, key

SIDE = "side"
"""The wish for all of the side deck."""
RECORDED = "**Upgrade**"
"""What the account of a step begins with, in the words of the deck."""
EXILED = "exiled"
"""The key of a deck file that says which cards were lost before a step, copies by card."""


@frozen
class Line(Jsonable):
    """One line of what is bought, swapped or taken out."""

    action: str
    """What is done: purchase, upgrade, swap in, exile, remove and the like."""
    card: str
    """The card, with its level."""
    copies: int
    """How many."""
    cost: int
    """Experience that all copies take."""
    why: str
    """What makes the price."""
    cites: Cites
    """The entries that state the price."""
    source: str = field(default="", metadata=called("from"))
    """What it is made of or comes for; empty: nothing."""

    @key
    def text(self) -> str:
        """The line as a sentence."""
        copies = f"{self.copies}x " if self.copies > 1 else ""
        source = f" {'for' if self.action == 'swap in' else 'from'} {self.source}" if self.source else ""
        cost = f": {self.cost} experience" if self.action not in ("exile", "remove") else ""
        why = f" ({self.why})" if self.why else ""
        return f"{self.action.capitalize()} {copies}{self.card}{source}{cost}{why}."


@frozen
class StepReport(Jsonable):
    """The step from a deck to the next."""

    old: str
    """File of the deck before."""
    new: str
    """File of the deck after."""
    character: str
    """Whose deck it is."""
    cost: int
    """Experience that the step takes at least."""
    available: int | None
    """Experience there is; null when nothing tells it."""
    lines: tuple[Line, ...]
    """What it costs, line by line."""
    findings: tuple[Finding, ...]
    """What was found on the step, and on the deck after it."""
    judged_by: Mapping[str, str] = field(default_factory=dict)
    """By which rules, in words."""

    @key
    def legal(self) -> bool:
        """Whether no finding is an error."""
        return not any(finding.severity == "error" for finding in self.findings)

    @key
    def unspent(self) -> int | None:
        """Experience left after it."""
        return None if self.available is None else max(0, self.available - self.cost)


@frozen
class StepLine(Jsonable):
    """A line of one of several steps."""

    step: int
    """Number of the step."""
    line: Line = field(metadata=FLAT)


@frozen
class WishList:
    """What is wished for (cards, a deck file to get to, or `side`), the experience there is now and what each scenario brings, the cards that
    may leave first and those that stay."""

    want: Sequence[str | DeckFile]
    now: int
    each: int
    out: Sequence[str]
    keep: Sequence[str]


@frozen
class StepFinding(Jsonable):
    """A finding on one of several steps."""

    step: int
    """Number of the step."""
    finding: Finding = field(metadata=FLAT)


@frozen
class Upgrade(Jsonable):
    """Several steps taken together, from a deck to the next, and so on; of a single one the step itself is printed."""

    steps: tuple[StepReport, ...]
    """Each step by itself."""

    @key
    def cost(self) -> int:
        """Experience that all of them take at least."""
        return sum(step.cost for step in self.steps)

    @key
    def legal(self) -> bool:
        """Whether every step is legal."""
        return all(step.legal for step in self.steps)

    @key
    def available(self) -> int | None:
        """Experience there is before the last step."""
        return self.steps[-1].available

    @key
    def unspent(self) -> int | None:
        """Experience left after it."""
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
        """The object that is printed."""
        return self.steps[0].as_json(cites) if len(self.steps) == 1 else Jsonable.as_json(self, cites)


@frozen
class Purchase(Jsonable):
    """What is bought after one scenario."""

    scenario: int
    """After which; 0: now."""
    available: int
    """Experience there is."""
    cost: int = field(metadata=called("spent"))
    """Experience it takes."""
    wishes: tuple[str, ...]
    """The wishes that come true."""
    lines: tuple[Line, ...]
    """What is bought, line by line."""
    notes: tuple[str, ...] = ()
    """What is to be known of it: cards that are to be added for nothing, prices that no document settles, trauma."""

    @key
    def left(self) -> int:
        """Experience left."""
        return self.available - self.cost


@frozen
class PurchasePlan(Jsonable):
    """What to buy after which scenario so that wishes come true soonest."""

    file: str = field(metadata=called("deck"))
    """The deck's file."""
    character: str
    """Whose deck it is."""
    purchases: tuple[Purchase, ...] = field(metadata=called("scenarios"))
    """What is bought now and after each scenario."""
    missed: tuple[str, ...]
    """The wishes that do not come true."""
    errors_before: int
    """How many errors the deck has as it is now."""
    judged_by: Mapping[str, str]
    """By which rules, in words."""
    proposed: tuple[str, ...] = ()
    """What leaves though nobody said that it may: a proposal."""
    exact: bool = True
    """Whether no other order is sooner or cheaper; false for a list too long to try all orders."""

    @key
    def cost(self) -> int:
        """The experience that all purchases cost together."""
        return sum(one.cost for one in self.purchases)


@frozen
class Price:
    """What one more copy of a card costs besides what a step holds already; `instead` is the key of the lower version that it replaces."""

    cost: int
    instead: str = ""


class Upgrading(Protocol):
    """What a game whose decks buy better cards offers: its part `upgrades`. `facts` is what its part `decks` made of the records."""

    def upgrade(
        self, files: Sequence[DeckFile], facts: Any, earned: Sequence[int], frame: Mapping[str, Any] = NO_FRAME
    ) -> Upgrade:
        """Judge the steps of a chain of decks; `earned` is the experience earned before the first steps, `frame` options of a check.

        Raises DeckFileError, and another KbError when the decks are no chain.
        """

    def plan(self, file: DeckFile, facts: Any, wishes: WishList, frame: Mapping[str, Any] = NO_FRAME) -> PurchasePlan:
        """Plan the purchases that let wishes come true soonest. Raises DeckFileError, and another KbError when that cannot be planned."""

    def begun(self, file: DeckFile, facts: Any) -> dict[str, Any]:
        """The keys of the deck file with which a step from this deck begins: the same cards, and no experience yet. Raises DeckFileError."""

    def prices(
        self, old: DeckFile, new: DeckFile, facts: Any, keys: Sequence[str], frame: Mapping[str, Any] = NO_FRAME
    ) -> dict[str, Price]:
        """What one more copy of each of these cards would cost in the step, by key. Raises DeckFileError."""

    def may_be_lost(self, file: DeckFile, facts: Any) -> list[str]:
        """Keys of the deck's cards that may be exiled in play. Raises DeckFileError."""

    def recorded(
        self, old: DeckFile, new: DeckFile, facts: Any, earned: Sequence[int], frame: Mapping[str, Any] = NO_FRAME
    ) -> dict[str, Any]:
        """The keys of the deck file after, with the account of the step: what there was, what it took, what was bought for what."""


def upgrading_of(game: str) -> Upgrading | None:
    """The part of a game that judges upgrades; None when it has none."""
    return cast(Upgrading | None, registry.part(game, "upgrades"))


def upgrade_decks(
    files: Iterable[DeckFile | DeckFileError],
    rules_of: RulesOf,
    earned: Sequence[int] = (),
    frame: Mapping[str, Any] = NO_FRAME,
) -> Upgrade:
    """Judge the steps of a chain of decks. Raises PartyError, and what `Upgrading.upgrade` raises."""
    decks = readable(files)
    part, facts = part_for(decks[0], rules_of, "deck upgrade", upgrading_of)
    return part.upgrade(decks, facts, earned, frame)


def plan_purchases(
    file: DeckFile, rules_of: RulesOf, wishes: WishList, frame: Mapping[str, Any] = NO_FRAME
) -> PurchasePlan:
    """Plan purchases for a deck. Raises PartyError, and what `Upgrading.plan` raises."""
    part, facts = part_for(file, rules_of, "deck plan", upgrading_of)
    return part.plan(file, facts, wishes, frame)


def taken_back(
    line: Line, now: Sequence[FormLine], before: Sequence[FormLine], lost: Mapping[str, int]
) -> list[dict[str, Any]]:
    """The changes of a deck's form (see `kb.decks.form.changed`) that take one line of a step back, with the boxes marked on a card's sheet.

    `now` and `before` are the lines of the deck after and before the step, `lost` the copies exiled by key.
    """
    by_label = {each.label: each for each in (*before, *now)}
    old, copies = {each.key: each for each in before}, Counter({each.key: each.copies for each in now})
    came = line.action not in ("exile", "remove")
    card = by_label.get(line.card)
    if card is None or (came and copies[card.key] < line.copies):
        return []
    blank = {field.key: field.value for field in old[card.key].sheet} if card.key in old else {}
    boxes: list[dict[str, Any]] = [
        {"key": field.key, "value": value} for field in card.sheet if field.value != (value := blank.get(field.key, ""))
    ]
    if line.action == "mark boxes":
        return boxes
    back = [] if card.key in old else boxes
    back.append({"card": card.key, "copies": copies[card.key] + (-line.copies if came else line.copies)})
    if line.action == "exile":
        back.append({"key": f"{EXILED}.{card.key}", "value": lost.get(card.key, 0) - line.copies})
    if source := by_label.get(line.source):
        gone = old[source.key].copies - copies[source.key] if source.key in old else 0
        back.append({"card": source.key, "copies": copies[source.key] + max(0, min(line.copies, gone))})
    return back
