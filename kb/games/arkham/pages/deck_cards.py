"""The cards of an Arkham Horror deck as its page lists them: lines with everything worth knowing, in piles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kb.decks.report import Report
from kb.games.arkham.decks.customize import customized
from kb.games.arkham.decks.model import BASIC_WEAKNESS, Card, Deck
from kb.games.arkham.decks.profile import Profile

SKILLS = ("willpower", "intellect", "combat", "agility", "wild")
SLOTS = ("hand", "arcane", "accessory", "body", "ally", "tarot")
TYPES = {"asset": "Assets", "event": "Events", "skill": "Skills"}
Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """A card of the deck with its copies, as the page lists it. `cost` is None for cards that are not paid for."""

    code: str
    copies: int
    name: str
    subtitle: str = ""
    type: str = ""
    classes: tuple[str, ...] = ()
    level: int | None = None
    cost: str | None = None
    icons: tuple[tuple[str, int], ...] = ()
    traits: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    subtype: str = ""
    unique: bool = False
    permanent: bool = False
    experience: int = 0
    marks: tuple[str, ...] = ()
    severity: str = ""

    @property
    def tone(self) -> str:
        """The colour of the card: its class, `multi` for several, `unknown` without one."""
        return self.classes[0] if len(self.classes) == 1 else "multi" if self.classes else "unknown"

    @property
    def known(self) -> bool:
        """Whether there are facts about the card."""
        return bool(self.type)


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards that are listed together."""

    title: str
    lines: tuple[Line, ...]

    @property
    def copies(self) -> int:
        """Number of cards."""
        return sum(line.copies for line in self.lines)


@dataclass(slots=True)
class CardReader:
    """Makes lines of the cards of one deck. `printed` are records by code, with facts that no check needs."""

    deck: Deck
    profile: Profile
    printed: Mapping[str, Record]
    report: Report

    def lines(self, slots: Mapping[str, int], spent: bool = False) -> tuple[Line, ...]:
        """A line for every card of which there are copies, by name and level; `spent` tells the experience of each."""
        costs = self.report.details.get("experience_by_card", {}) if spent else {}
        found = [self.line(code, copies, costs.get(code, 0)) for code, copies in slots.items() if copies > 0]
        return tuple(sorted(found, key=lambda line: (line.name.casefold(), line.level or 0, line.code)))

    def line(self, code: str, copies: int, experience: int) -> Line:
        """A card with its copies, as it is in this deck."""
        card = self.profile.card(code)
        record = self.printed.get(code)
        if card is None or record is None:
            name = self.profile.facts.encounter(code)
            return Line(code, copies, name or "Unknown card", marks=(code,), severity=self.severity(code))
        marks = self.deck.customizations.get(code, ())
        card = customized(card, marks) if card.sheet else card
        full = {mark.index for mark in marks if 0 <= mark.index < len(card.sheet)
                and mark.spent >= card.sheet[mark.index].cost}  # fmt: skip
        change = sum(row.get("cost", 0) for index, row in enumerate(record.get("sheet", ())) if index in full)
        skills = record.get("skills", {})
        return Line(
            code=code,
            copies=copies,
            name=card.name,
            subtitle=card.subtitle if card.type != "investigator" else "",
            type=card.type,
            classes=tuple(record["class"]),
            level=card.level,
            cost=cost_of(record, change),
            icons=tuple((skill, skills[skill]) for skill in SKILLS if skills.get(skill)),
            traits=traits_of(card, record),
            slots=card.slots,
            subtype=card.subtype,
            unique=card.unique,
            permanent=card.permanent,
            experience=experience,
            marks=tuple(self.marks(card)),
            severity=self.severity(code),
        )

    def marks(self, card: Card) -> Iterable[str]:
        """What is worth knowing about a card besides, in a word or two each."""
        if card.root in self.profile.signatures and not card.weakness:
            yield "signature"
        for name in ("exceptional", "myriad", "permanent", "exile"):
            if getattr(card, name):
                yield name
        if card.sheet:
            yield f"{card.spent} of {sum(box.cost for box in card.sheet)} boxes"
        if card.surcharge:
            yield f"taboo {card.surcharge:+} XP"
        if card.forbidden:
            yield "taboo: forbidden"
        if ignored := self.deck.ignored.get(card.code, 0):
            yield f"{ignored} not counted"

    def severity(self, code: str) -> str:
        """The gravest severity of the findings that name the card; empty when none does."""
        named = {each.severity for each in self.report.findings if any(f"[{code}]" in card for card in each.cards)}
        return next((level for level in ("error", "warning") if level in named), "")


def cost_of(record: Record, change: int = 0) -> str | None:
    """What a card costs as it is printed: a number, `X`, `–` for a dash; None where there is no cost to pay."""
    if "cost" not in record or record.get("permanent"):
        return None
    cost = record["cost"]
    return "–" if cost is None else str(max(0, cost + change)) if isinstance(cost, int) else str(cost)


def traits_of(card: Card, record: Record) -> tuple[str, ...]:
    """Traits as they are printed; those that an upgrade changes, in the order of the alphabet."""
    printed = tuple(map(str, record.get("traits", ())))
    if {trait.casefold() for trait in printed} == card.traits:
        return printed
    return tuple(sorted(trait.title() for trait in card.traits))


def piles(lines: tuple[Line, ...]) -> list[Pile]:
    """The cards by type, assets by slot; permanents, weaknesses and what is unknown by themselves."""
    grouped: dict[tuple[int, str], list[Line]] = {}
    for line in lines:
        grouped.setdefault(pile_of(line), []).append(line)
    return [Pile(title, tuple(held)) for (_, title), held in sorted(grouped.items())]


def pile_of(line: Line) -> tuple[int, str]:
    """Place and title of the pile that a card is listed in."""
    if not line.known:
        return 99, "Not a player card"
    if line.subtype:
        return (91, "Basic weaknesses") if line.subtype == BASIC_WEAKNESS else (90, "Weaknesses")
    if line.permanent:
        return 80, "Permanent"
    if line.type == "asset":
        named = dict.fromkeys(line.slots)
        words = " + ".join(f"{slot} ×{count}" if (count := line.slots.count(slot)) > 1 else slot for slot in named)
        place = SLOTS.index(line.slots[0]) if line.slots and line.slots[0] in SLOTS else len(SLOTS)
        return (place + (10 if len(named) > 1 else 0), f"Asset: {words}") if words else (30, "Asset: no slot")
    return (40 + list(TYPES).index(line.type), TYPES[line.type]) if line.type in TYPES else (70, line.type.capitalize())
