"""Makes the page of an Arkham Horror deck: its investigator, verdict, charts and cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from kb.decks.deckfile import DeckFile
from kb.decks.games import Records
from kb.decks.report import Report
from kb.frozen import frozen
from kb.games.arkham.decks.card import ArkhamCard, customized
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.deck_reading import read_deck
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.profile import Profile, profile_of
from kb.games.arkham.schema.cards import BASIC_WEAKNESS, SKILLS
from kb.games.arkham.schema.keywords import KEYWORDS
from kb.games.arkham.schema.options import CLASSES, HIGHEST_LEVEL
from kb.site.decks.charts import Bar, BarPart, Chart, bar, filled
from kb.site.decks.page import DeckPage
from kb.site.places import Place

if TYPE_CHECKING:
    from kb.site.library import Library, Record, Volume
    from kb.site.pages import Writer


K = TypeVar("K")
SLOTS = ("hand", "arcane", "accessory", "body", "ally", "tarot")
TYPES = {"asset": "Assets", "event": "Events", "skill": "Skills"}


@frozen
class DeckPageLine:
    """A card with its number of copies, as a deck's page lists it.

    - `cost`: the printed cost; empty for a card without a cost to pay.
    - `experience`: the experience spent on the copies.
    - `marks`: short notes, such as `signature`.
    - `severity`: the highest severity of the findings that name the card.

    If the card is unknown, it has no classes.
    """

    copies: int
    card: ArkhamCard
    cost: str
    experience: int
    marks: tuple[str, ...]
    severity: str

    @property
    def tone(self) -> str:
        """Return the word for the colour of the line: the card's class, `multi` for several classes, or `unknown` for
        none.
        """
        classes = self.card.classes
        return classes[0] if len(classes) == 1 else "multi" if classes else "unknown"

    @property
    def icons(self) -> list[tuple[str, int]]:
        """Return the number of icons of each skill on the card, in the order of the skills."""
        return [(skill, number) for skill in SKILLS if (number := self.card.skills.get(skill))]

    @property
    def traits(self) -> tuple[str, ...]:
        """Return the card's traits as printed. If an upgrade changed them, they are in alphabetical order."""
        printed, now = self.card.printed_traits, self.card.traits
        if {trait.casefold() for trait in printed} == now:
            return printed
        return tuple(sorted(trait.title() for trait in now))


@frozen
class Pile:
    """Cards that the page of a deck lists together, under a title."""

    title: str
    lines: list[DeckPageLine]

    @property
    def copies(self) -> int:
        """Return the number of copies of all cards."""
        return sum(line.copies for line in self.lines)


@dataclass(slots=True)
class CardStateReader:
    """Makes the lines for the cards of one deck."""

    deck: ArkhamDeck
    profile: Profile
    report: Report

    def lines(self, slots: Mapping[str, int], spent: bool = False) -> list[DeckPageLine]:
        """Return a line for each card in `slots`, which maps codes to copies, by name and level.

        With `spent`, the lines show the experience of the cards.
        """
        costs = self.report.details.get("experience_by_card", {}) if spent else {}
        lines = [self.line(code, copies, costs.get(code, 0)) for code, copies in slots.items() if copies > 0]
        return sorted(lines, key=lambda line: (line.card.name.casefold(), line.card.level or 0, line.card.code))

    def line(self, code: str, copies: int, experience: int) -> DeckPageLine:
        """Return the line of the card with the code, as the taboo list and the marked upgrades of this deck change it."""
        card, cost = self.profile.card(code), ""
        if card is None:
            name = self.profile.facts.encounters.get(code, "Unknown card")
            card = ArkhamCard(
                code=code, name=name, type="story", classes=(), quantity=0, pack="", position=0, root=code, title=""
            )
            marks = [code]
        else:
            marked = self.deck.customizations.get(code, ()) if card.sheet else ()
            boxes = [(card.sheet[mark.index], mark) for mark in marked if 0 <= mark.index < len(card.sheet)]
            card = customized(card, marked) if card.sheet else card
            cost = cost_of(card, sum(box.card_cost for box, mark in boxes if mark.spent >= box.cost))
            marks = list(self.marks(card))
        return DeckPageLine(copies, card, cost, experience, tuple(marks), self.severity(code))

    def marks(self, card: ArkhamCard) -> Iterable[str]:
        """Yield the notes to show after a card, each in a few words, such as `signature`."""
        if card.root in self.profile.signatures and not card.weakness:
            yield "signature"
        yield from (word.name for word in KEYWORDS if word.on_deck_page and word.name in card.keywords)
        if card.sheet:
            yield f"{card.spent} of {sum(box.cost for box in card.sheet)} boxes"
        if card.surcharge:
            yield f"taboo {card.surcharge:+} XP"
        if card.forbidden:
            yield "taboo: forbidden"
        if ignored := self.deck.ignored.get(card.code, 0):
            yield f"{ignored} not counted"

    def severity(self, code: str) -> str:
        """Return `error` or `warning`, the highest severity of the findings that name the card with the code; empty if
        there are none.
        """
        named = {each.severity for each in self.report.findings if any(f"[{code}]" in card for card in each.cards)}
        return next((level for level in ("error", "warning") if level in named), "")


def cost_of(card: ArkhamCard, change: int) -> str:
    """Return a card's cost as text: the printed number plus `change`, `X`, or `–` for a printed dash.

    The text is empty if there is no cost to pay.
    """
    if card.cost == "" or "permanent" in card.keywords:
        return ""
    return "–" if card.cost is None else str(max(0, card.cost + change)) if isinstance(card.cost, int) else card.cost


def piles(lines: Iterable[DeckPageLine]) -> list[Pile]:
    """Return the lines in groups: assets by slot, other cards by type. Permanents, weaknesses and unknown cards have
    groups of their own.
    """
    grouped: dict[tuple[int, str], list[DeckPageLine]] = {}
    for line in lines:
        grouped.setdefault(pile_of(line.card), []).append(line)
    return [Pile(title, pile_lines) for (_, title), pile_lines in sorted(grouped.items())]


def pile_of(card: ArkhamCard) -> tuple[int, str]:
    """Return the position and the title of the group that a card belongs to."""
    if not card.classes:
        return 99, "Not a player card"
    if card.subtype:
        return (91, "Basic weaknesses") if card.subtype == BASIC_WEAKNESS else (90, "Weaknesses")
    if "permanent" in card.keywords:
        return 80, "Permanent"
    if card.type == "asset":
        named = Counter(card.slots)
        words = " + ".join(f"{slot} ×{count}" if count > 1 else slot for slot, count in named.items())
        place = SLOTS.index(card.slots[0]) if card.slots and card.slots[0] in SLOTS else len(SLOTS)
        return (place + (10 if len(named) > 1 else 0), f"Asset: {words}") if words else (30, "Asset: no slot")
    return (40 + list(TYPES).index(card.type), TYPES[card.type]) if card.type in TYPES else (70, card.type.capitalize())


DEAREST = 6  # the last column of the cost curve contains this cost and all higher ones


def charts(lines: Sequence[DeckPageLine]) -> tuple[Chart, ...]:
    """Return the four charts of a deck: cost, level, skill icons and class.

    `lines` are the cards of the deck except weaknesses. Types and slots have no chart, because headings show their
    numbers.
    """
    return cost_curve(lines), levels(lines), skill_icons(lines), classes(lines)


def cost_curve(lines: Iterable[DeckPageLine]) -> Chart:
    """Return the chart of copies by cost, with assets and events shown separately. A note gives the number of cards
    without a cost.
    """
    columns = {label: Counter[str]() for label in (*map(str, range(DEAREST)), f"{DEAREST}+")}
    free, costs = 0, []
    for line in lines:
        label = line.cost
        if label.isdecimal():
            costs += [int(label)] * line.copies
            label = label if label in columns else f"{DEAREST}+"
        if label:
            columns.setdefault(label, Counter())["asset" if line.card.type == "asset" else "event"] += line.copies
        else:
            free += line.copies
    bars = (
        Bar(
            label,
            tuple(BarPart(by_type[kind], kind, f"{kind}s") for kind in ("asset", "event")),
            spoken=f"cost {label}",
        )
        for label, by_type in columns.items()
    )
    notes = [f"{sum(costs) / len(costs):.1f} on average"] if costs else []
    notes += [f"{free} without a cost"] if free else []
    return Chart("Cost", tuple(bars), "; ".join(notes))


def levels(lines: Sequence[DeckPageLine]) -> Chart:
    """Return the chart of copies by level, with a note on the experience spent."""
    by_level = copies_by(lines, lambda line: [line.card.level])
    bars = [
        Bar(str(level), (BarPart(by_level[level], "upgraded" if level else "neutral"),), spoken=f"level {level}")
        for level in range(HIGHEST_LEVEL + 1)
    ]
    if by_level[None]:
        bars.append(Bar("none", (BarPart(by_level[None], "neutral"),), spoken="no level"))
    spent = sum(line.experience for line in lines)
    return Chart("Level", tuple(bars), f"{spent} experience" if spent else "")


def skill_icons(lines: Iterable[DeckPageLine]) -> Chart:
    """Return the chart of skill icons on all copies."""
    number = copies_by(lines, lambda line: [skill for skill, icons in line.icons for _ in range(icons)])
    bars = tuple(bar(skill.capitalize(), number[skill], f"skill-{skill}", skill) for skill in SKILLS)
    return Chart("Skill icons", bars if sum(number.values()) else ())


def classes(lines: Iterable[DeckPageLine]) -> Chart:
    """Return the chart of copies by class. A card of several classes counts once, under "Several"."""
    number = copies_by(lines, lambda line: [line.tone])
    bars = [bar(name.capitalize(), number[name], name, name) for name in (*CLASSES, "neutral")]
    return Chart("Class", filled([*bars, bar("Several", number["multi"], "multi")]))


def copies_by(lines: Iterable[DeckPageLine], keys: Callable[[DeckPageLine], Iterable[K]]) -> Counter[K]:
    """Count the copies in `lines` for each key. The function `keys` returns the keys of a line."""
    number = Counter[K]()
    for line in lines:
        for key in keys(line):
            number[key] += line.copies
    return number


TITLE = "Arkham Horror: The Card Game"
SYMBOLS = (*SKILLS, *CLASSES, "neutral", "unique", "health", "horror")


def arkham_page(deck: ArkhamDeck, facts: ArkhamFacts, report: Report) -> DeckPage:
    """Return the page of a deck with its report."""
    profile = profile_of(facts, deck)
    reader = CardStateReader(deck, profile, report)
    lines = reader.lines(deck.cards, spent=True)
    drawn = [line for line in lines if line.card.classes and not line.card.subtype]
    investigator = facts.card(deck.front or deck.investigator) or facts.card(deck.investigator)
    name = investigator.name if investigator else deck.investigator
    tone = investigator.classes[0] if investigator and investigator.classes else "neutral"
    return DeckPage(
        template="deck/arkham.html.j2",
        game=TITLE,
        title=deck.name or f"A deck of {name}",
        description=f"Deck of {name} for {TITLE}",
        tone=tone if tone in CLASSES else "neutral",
        symbols=SYMBOLS,
        content={
            "investigator": investigator,
            "name": name,
            "skills": SKILLS,
            "facts": list(heading(deck, facts, profile, report)),
            "slots": report.details.get("slots", ()),
            "charts": charts(drawn),
            "number": sum(line.copies for line in drawn),
            "piles": piles(lines),
            "beside": beside(deck, reader, facts),
        },
    )


def heading(deck: ArkhamDeck, facts: ArkhamFacts, profile: Profile, report: Report) -> Iterable[tuple[str, str]]:
    """Yield labels and values to show below the deck's name, such as its size and its taboo list."""
    details = report.details
    yield "Deck size", f"{details['size']} of {details['size_required']}"
    yield "All cards", str(details["copies"])
    yield "Experience", str(details["experience"])
    taboo = facts.taboos.get(deck.taboo)
    yield "Taboo list", f"of {taboo.start}" if taboo else "none" if not deck.taboo else f"unknown ({deck.taboo})"
    for label, code in (("Front", deck.front), ("Back", deck.back)):
        side = facts.card(code)
        if side and code != deck.investigator:
            yield label, facts.pack_name(side.pack)
    chosen = [deck.choices.get(option.chosen_as, "") for option in profile.build.choices] if profile.build else []
    if choices := ", ".join(value.replace("_", " ") for value in chosen if value):
        yield "Chosen", choices


def beside(deck: ArkhamDeck, reader: CardStateReader, facts: ArkhamFacts) -> list[Pile]:
    """Return the cards that are not in the deck itself, in groups.

    The groups are the spirit deck, cards that other cards set aside, the side deck, and exiled cards.
    """
    listed = [Pile("Spirit deck", reader.lines(deck.extra, spent=True))] if deck.extra else []
    for code, chosen in deck.attachments.items():
        card = facts.card(code)
        if card and chosen and deck.cards.get(code, 0) > 0:
            attach = card.special.attach
            listed.append(
                Pile(f"{card.name}: {attach.called if attach else 'attached'}", reader.lines(Counter(chosen)))
            )
    for title, cards in (("Side deck", deck.side_deck), ("Exiled", Counter(deck.exiled))):
        listed.append(Pile(title, reader.lines(cards)))
    return [pile for pile in listed if pile.lines]


__all__ = ["deck_page", "has_page", "original", "places", "row", "write"]


def write(writer: Writer) -> None:
    """Write the pages of cards, investigators, packs and traits."""
    from kb.games.arkham.pages.cards import write_arkham

    write_arkham(writer)


def has_page(card: Record) -> bool:
    """Return True for the record of a player card. Encounter cards have pages only if an entry names them."""
    return "class" in card and not card.get("encounter")


def row(card: Record) -> str | None:
    """Return None: tables do not show cards that have no page."""
    return None


def original(card: Record) -> str | None:
    """Return the id of the card that `card` reprints under another number; None if it is not a reprint."""
    return f"arkham/cards/{card['duplicate_of']}" if card.get("duplicate_of") else None


def places(library: Library, volume: Volume) -> list[Place]:
    """Return the pages to link next to the rules: investigators, cards, packs and traits.

    Each has an address, a title and a note on how much it contains. The result is empty if there are no card facts.
    """
    types: Counter[str] = Counter()
    packs: set[str] = set()
    traits: set[str] = set()
    for card in library.of_kind("arkham", "card"):
        if has_page(card):
            packs.add(card["pack"])
            if not card.get("duplicate_of"):
                types[card["type"]] += 1
                traits.update(card.get("traits") or ())
    if not packs:
        return []
    investigators = types["investigator"]
    return [
        ("arkham/investigators/index", "Investigators", f"{investigators} with deckbuilding"),
        ("arkham/cards/index", "Player cards", f"{types.total() - investigators:,} with filters"),
        ("arkham/packs/index", "Packs", f"{len(packs)} products"),
        ("arkham/traits/index", "Traits", f"{len(traits)} traits"),
    ]


def deck_page(file: DeckFile, facts: Any, report: Report, records: Records) -> DeckPage | None:
    """Return the page of the deck in `file` with its report. Raises DeckFileError."""
    deck = read_deck(file, facts)
    return arkham_page(deck, facts.with_cards_of(deck), report)
