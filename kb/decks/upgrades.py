"""What becomes of a deck between two sessions, for the games whose decks buy better cards: what a step costs, what to buy when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Annotated, Any, Protocol, TypedDict, cast

from kb import registry
from kb.decks.contract import CitedJson, Cites, FindingJson, cited, finding_json
from kb.decks.deckfile import DeckFile
from kb.decks.form import Line as FormLine
from kb.decks.games import NO_FRAME, RulesOf, game_of
from kb.decks.nodes import DeckFileError
from kb.decks.party import part_for, readable
from kb.decks.report import Finding
from kb.frozen import frozen

SIDE = "side"
"""The wish for all of the side deck."""
RECORDED = "**Upgrade**"
"""What the account of a step begins with, in the words of the deck."""
EXILED = "exiled"
"""The key of a deck file that says which cards were lost before a step, copies by card."""


@frozen
class Line:
    """One line: what was done with how many copies of a card, what all of them cost, why, by which entries."""

    action: str
    card: str
    copies: int
    cost: int
    why: str
    cites: tuple[str, ...]
    source: str = ""

    @property
    def text(self) -> str:
        """The line as a sentence for people."""
        copies = f"{self.copies}x " if self.copies > 1 else ""
        source = f" {'for' if self.action == 'swap in' else 'from'} {self.source}" if self.source else ""
        cost = f": {self.cost} experience" if self.action not in ("exile", "remove") else ""
        why = f" ({self.why})" if self.why else ""
        return f"{self.action.capitalize()} {copies}{self.card}{source}{cost}{why}."


@frozen
class StepReport:
    """What is to be said about one step. `judged_by` says by which rules, in words; `available` is None when nothing tells it."""

    old: str
    new: str
    character: str
    cost: int
    available: int | None
    lines: tuple[Line, ...]
    findings: tuple[Finding, ...]
    judged_by: Mapping[str, str] = field(default_factory=dict)

    @property
    def legal(self) -> bool:
        """Whether no finding is an error."""
        return not any(finding.severity == "error" for finding in self.findings)

    @property
    def unspent(self) -> int | None:
        """Experience left after the step."""
        return None if self.available is None else max(0, self.available - self.cost)


@frozen
class Upgrade:
    """The steps from a deck to the next, and so on: one at least."""

    steps: tuple[StepReport, ...]

    @property
    def cost(self) -> int:
        """Experience that all of it takes at least."""
        return sum(step.cost for step in self.steps)

    @property
    def legal(self) -> bool:
        """Whether every step is."""
        return all(step.legal for step in self.steps)

    @property
    def cited(self) -> set[str]:
        """The entries (ids) that lines and findings cite."""
        lines = {cite for step in self.steps for line in step.lines for cite in line.cites}
        return lines | {cite for step in self.steps for finding in step.findings for cite in finding.cites}


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
class Purchase:
    """What is bought after one scenario (0: now), of how much, which wishes come true by it, and what is to be known of it."""

    scenario: int
    available: int
    cost: int
    wishes: tuple[str, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()

    @property
    def left(self) -> int:
        """Experience left after it."""
        return self.available - self.cost


@frozen
class PurchasePlan:
    """What to buy after which scenario so that wishes come true soonest; `missed` are those that do not.

    `errors_before` is how many errors the deck has as it is now, `proposed` the cards that leave without anybody having said that they may.
    `exact`: no other order is sooner, or as soon and cheaper; a list that is too long for that is planned wish by wish.
    """

    file: str
    character: str
    purchases: tuple[Purchase, ...]
    missed: tuple[str, ...]
    errors_before: int
    judged_by: Mapping[str, str]
    proposed: tuple[str, ...] = ()
    exact: bool = True

    @property
    def cost(self) -> int:
        """Experience that all of it takes."""
        return sum(one.cost for one in self.purchases)

    @property
    def cited(self) -> set[str]:
        """The entries (ids) that lines cite."""
        return {cite for one in self.purchases for line in one.lines for cite in line.cites}


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
    found: Iterable[DeckFile | DeckFileError],
    rules_of: RulesOf,
    earned: Sequence[int] = (),
    frame: Mapping[str, Any] = NO_FRAME,
) -> Upgrade:
    """Judge the steps of a chain of decks. Raises PartyError, and what `Upgrading.upgrade` raises."""
    decks = readable(found)
    part = part_for(decks[0], "deck upgrade", upgrading_of)
    return part.upgrade(decks, rules_of(game_of(decks[0]).id)[1], earned, frame)


def plan_purchases(
    file: DeckFile, rules_of: RulesOf, wishes: WishList, frame: Mapping[str, Any] = NO_FRAME
) -> PurchasePlan:
    """Plan purchases for a deck. Raises PartyError, and what `Upgrading.plan` raises."""
    part = part_for(file, "deck plan", upgrading_of)
    return part.plan(file, rules_of(game_of(file).id)[1], wishes, frame)


def taken_back(
    line: Line, now: Sequence[FormLine], before: Sequence[FormLine], lost: Mapping[str, int]
) -> list[dict[str, Any]]:
    """The changes of a deck's form (see `kb.decks.form.changed`) that take one line of a step back, with the boxes marked on a card's sheet.

    `now` and `before` are the lines of the deck after and before the step, `lost` the copies exiled by key.
    """
    held = {each.label: each for each in (*before, *now)}
    copies = {each.key: each.copies for each in now}
    came = line.action not in ("exile", "remove")
    card = held.get(line.card)
    if card is None or (came and copies.get(card.key, 0) < line.copies):
        return []
    there = [each for each in before if each.key == card.key]
    blank = {field.key: field.value for each in there for field in each.sheet}
    sheet = [field for each in now if each.key == card.key for field in each.sheet]
    boxes: list[dict[str, Any]] = [
        {"key": each.key, "value": value} for each in sheet if each.value != (value := blank.get(each.key, ""))
    ]
    if line.action == "mark boxes":
        return boxes
    back = [] if there else boxes
    back.append({"card": card.key, "copies": copies.get(card.key, 0) + (-line.copies if came else line.copies)})
    if line.action == "exile":
        back.append({"key": f"{EXILED}.{card.key}", "value": lost.get(card.key, 0) - line.copies})
    if source := held.get(line.source):
        gone = sum(each.copies for each in before if each.key == source.key) - copies.get(source.key, 0)
        back.append({"card": source.key, "copies": copies.get(source.key, 0) + max(0, min(line.copies, gone))})
    return back


# "from" is no name in Python: such an object is written as a call.
UpgradeLineJson = TypedDict(
    "UpgradeLineJson",
    {
        "action": Annotated[str, "What is done: purchase, upgrade, swap in, exile, remove and the like."],
        "card": Annotated[str, "The card, with its level."],
        "from": Annotated[str, "What it is made of or comes for; empty: nothing."],
        "copies": Annotated[int, "How many."],
        "cost": Annotated[int, "Experience that all copies take."],
        "why": Annotated[str, "What makes the price."],
        "text": Annotated[str, "The line as a sentence."],
        "cites": Annotated[list[CitedJson], "The entries that state the price."],
    },
)
UpgradeLineJson.__doc__ = "One line of what is bought, swapped or taken out."


class StepLineJson(UpgradeLineJson):
    """A line of one of several steps."""

    step: int
    """Number of the step."""


class StepFindingJson(FindingJson):
    """A finding on one of several steps."""

    step: int
    """Number of the step."""


class UpgradeStepJson(TypedDict):
    """The step from a deck to the next."""

    old: str
    """File of the deck before."""
    new: str
    """File of the deck after."""
    character: str
    """Whose deck it is."""
    cost: int
    """Experience that the step takes at least."""
    legal: bool
    """Whether no finding is an error."""
    available: int | None
    """Experience there is; null when nothing tells it."""
    unspent: int | None
    """Experience left after it."""
    judged_by: dict[str, str]
    """By which rules, in words."""
    lines: list[UpgradeLineJson]
    """What it costs, line by line."""
    findings: list[FindingJson]
    """What was found on the step, and on the deck after it."""


class UpgradeChainJson(TypedDict):
    """Several steps taken together."""

    cost: int
    """Experience that all of them take at least."""
    legal: bool
    """Whether every step is legal."""
    available: int | None
    """Experience there is before the last step."""
    unspent: int | None
    """Experience left after it."""
    lines: list[StepLineJson]
    """The lines of all steps."""
    findings: list[StepFindingJson]
    """The findings of all steps."""
    steps: list[UpgradeStepJson]
    """Each step by itself."""


class PurchaseJson(TypedDict):
    """What is bought after one scenario."""

    scenario: int
    """After which; 0: now."""
    available: int
    """Experience there is."""
    spent: int
    """Experience it takes."""
    left: int
    """Experience left."""
    wishes: list[str]
    """The wishes that come true."""
    lines: list[UpgradeLineJson]
    """What is bought, line by line."""
    notes: list[str]
    """What is to be known of it: cards that are to be added for nothing, prices that no document settles, trauma."""


class PurchasePlanJson(TypedDict):
    """What to buy after which scenario so that wishes come true soonest."""

    deck: str
    """The deck's file."""
    character: str
    """Whose deck it is."""
    cost: int
    """Experience that all of it takes."""
    scenarios: list[PurchaseJson]
    """What is bought now and after each scenario."""
    missed: list[str]
    """The wishes that do not come true."""
    proposed: list[str]
    """What leaves though nobody said that it may: a proposal."""
    exact: bool
    """Whether no other order is sooner or cheaper; false for a list too long to try all orders."""
    errors_before: int
    """How many errors the deck has as it is now."""
    judged_by: dict[str, str]
    """By which rules, in words."""


def upgrade_json(upgrade: Upgrade, cites: Cites) -> UpgradeStepJson | UpgradeChainJson:
    """The JSON of an upgrade: of one step it, of several all taken together, and each by itself."""
    parts = [_step_json(step, cites) for step in upgrade.steps]
    if len(parts) == 1:
        return parts[0]
    last = upgrade.steps[-1]
    return {
        "cost": upgrade.cost,
        "legal": upgrade.legal,
        "available": last.available,
        "unspent": last.unspent,
        "lines": [{"step": number, **line} for number, part in enumerate(parts, 1) for line in part["lines"]],
        "findings": [{"step": number, **row} for number, part in enumerate(parts, 1) for row in part["findings"]],
        "steps": parts,
    }


def plan_json(plan: PurchasePlan, cites: Cites) -> PurchasePlanJson:
    """The JSON of a plan."""
    scenarios = [
        _keys_of(PurchaseJson, one, spent=one.cost, lines=[_line_json(line, cites) for line in one.lines])
        for one in plan.purchases
    ]
    return cast(PurchasePlanJson, _keys_of(PurchasePlanJson, plan, deck=plan.file, scenarios=scenarios))


def _step_json(step: StepReport, cites: Cites) -> UpgradeStepJson:
    lines = [_line_json(line, cites) for line in step.lines]
    findings = [finding_json(finding, cites) for finding in step.findings]
    return cast(UpgradeStepJson, _keys_of(UpgradeStepJson, step, lines=lines, findings=findings))


def _line_json(line: Line, cites: Cites) -> UpgradeLineJson:
    cited_entries = [cited(cite, cites) for cite in line.cites]
    return cast(UpgradeLineJson, _keys_of(UpgradeLineJson, line, cites=cited_entries, **{"from": line.source}))


def _keys_of(contract: Any, found: Any, **others: Any) -> dict[str, Any]:
    """The keys of a JSON object, from the attributes of the same names but for those that are given."""
    told = {key: others[key] if key in others else getattr(found, key) for key in contract.__annotations__}
    return {key: list(each) if isinstance(each, tuple) else each for key, each in told.items()}
