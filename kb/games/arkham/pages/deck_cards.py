"""The cards of an Arkham Horror deck as its page lists them: lines with everything worth knowing, in piles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kb.decks.report import Report
from kb.games.arkham.decks.customize import customized
from kb.games.arkham.decks.model import Card, Deck
from kb.games.arkham.decks.profile import Profile
from kb.games.arkham.schema.cards import BASIC_WEAKNESS, SKILLS

SLOTS = ("hand", "arcane", "accessory", "body", "ally", "tarot")
TYPES = {"asset": "Assets", "event": "Events", "skill": "Skills"}


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
    """Makes lines of the cards of one deck."""

    deck: Deck
    profile: Profile
    report: Report

    def lines(self, slots: Mapping[str, int], spent: bool = False) -> tuple[Line, ...]:
        """A line for every card of which there are copies, by name and level; `spent` tells the experience of each."""
        costs = self.report.details.get("experience_by_card", {}) if spent else {}
        found = [self.line(code, copies, costs.get(code, 0)) for code, copies in slots.items() if copies > 0]
        return tuple(sorted(found, key=lambda line: (line.name.casefold(), line.level or 0, line.code)))

    def line(self, code: str, copies: int, experience: int) -> Line:
        """A card with its copies, as it is in this deck."""
        card = self.profile.card(code)
        if card is None:
            name = self.profile.facts.encounter(code)
            return Line(code, copies, name or "Unknown card", marks=(code,), severity=self.severity(code))
        marks = self.deck.customizations.get(code, ())
        card = customized(card, marks) if card.sheet else card
        full = {mark.index for mark in marks if 0 <= mark.index < len(card.sheet)
                and mark.spent >= card.sheet[mark.index].cost}  # fmt: skip
        change = sum(box.card_cost for index, box in enumerate(card.sheet) if index in full)
        return Line(
            code=code,
            copies=copies,
            name=card.name,
            subtitle=card.subtitle if card.type != "investigator" else "",
            type=card.type,
            classes=card.classes,
            level=card.level,
            cost=cost_of(card, change),
            icons=tuple((skill, number) for skill in SKILLS if (number := card.skills.get(skill))),
            traits=traits_of(card),
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


def cost_of(card: Card, change: int = 0) -> str | None:
    """What a card costs as it is printed: a number, `X`, `–` for a dash; None where there is no cost to pay."""
    if card.cost == "" or card.permanent:
        return None
    return "–" if card.cost is None else str(max(0, card.cost + change)) if isinstance(card.cost, int) else card.cost


def traits_of(card: Card) -> tuple[str, ...]:
    """Traits as they are printed; those that an upgrade changes, in the order of the alphabet."""
    if {trait.casefold() for trait in card.printed_traits} == card.traits:
        return card.printed_traits
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
