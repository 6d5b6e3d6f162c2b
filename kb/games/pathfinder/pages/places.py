"""What the Pathfinder Adventure Card Game adds to the site, its part `pages`; and the page of a deck: its character, verdict, cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.decks.deckfile import DeckFile
from kb.decks.games import Records
from kb.decks.report import Report
from kb.games.pathfinder.decks.counts import lines as lines_of
from kb.games.pathfinder.decks.counts import wanted
from kb.games.pathfinder.decks.deckfile import read_deck
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import ADVENTURES, FEAT_KINDS, PLURALS, SET_TITLES, Card, Deck, product_title
from kb.games.pathfinder.decks.ruleset import Subject
from kb.site.addresses import SUFFIX
from kb.site.decks.charts import Bar, Chart, Part, bar, filled
from kb.site.decks.page import DeckPage
from kb.site.places import Place
from kb.sources.cards import slug

if TYPE_CHECKING:
    from kb.site.library import Library, Record, Shelf
    from kb.site.pages import Writer

__all__ = ["deck_page", "has_page", "original", "places", "row", "write"]


def write(writer: Writer) -> None:
    """Write the pages of characters, cards and adventures."""
    from kb.games.pathfinder.pages.cards import write_pathfinder

    write_pathfinder(writer)


def has_page(card: Record) -> bool:
    """A boon has a page only when an entry names it; else its row says all that is known."""
    return False


def row(card: Record) -> str | None:
    """The row in the table of the card's type."""
    return f"pathfinder/{card['set']}/cards/types/{card['type'] or 'other'}{SUFFIX}#{slug(str(card['name']))}"


def original(card: Record) -> str | None:
    """No card of a set is a reprint."""
    return None


def places(library: Library, shelf: Shelf) -> list[Place]:
    """Characters, cards and adventures of a set, and what changed between the sets."""
    from kb.games.pathfinder.pages.cards import of_set

    if not shelf.set:
        return []
    characters, cards = (len(of_set(library, kind, shelf)) for kind in ("character", "card"))
    return [
        (f"{shelf.id}/characters/index", "Characters", f"{characters} with Cards List and suggested deck"),
        (f"{shelf.id}/cards/index", "Cards", f"{cards} boons"),
        (f"{shelf.id}/adventures/index", "Adventures", "scenarios and rewards"),
        (f"{shelf.game}/topics/index", "What changed", "the sets side by side"),
    ]


TITLE = "Pathfinder Adventure Card Game"
RANKS = ("Basic", "Elite")  # traits that say how far a card goes, told as marks


@dataclass(frozen=True, slots=True)
class Line:
    """A card with its copies."""

    name: str
    copies: int
    set: str
    traits: tuple[str, ...]
    marks: tuple[str, ...]
    severity: str


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards of a type; `list` is how many there must be, None where nothing is said."""

    title: str
    lines: tuple[Line, ...]
    list: int | None = None

    @property
    def copies(self) -> int:
        """Number of cards."""
        return sum(line.copies for line in self.lines)


def deck_page(file: DeckFile, facts: Facts, report: Report, records: Records) -> DeckPage:
    """The page of a deck; its character's skills and class stand in the records. Raises DeckFileError."""
    deck = read_deck(file, facts)
    named = (each for each in records("character") if (each["set"], each["name"]) == (deck.set, deck.character.name))
    character = next(named, {})
    subject = Subject(deck, facts)
    held = [(kind, cards, wanted(subject, kind)[0]) for kind, cards in lines_of(subject).items()]
    unknown = deck.of_type(None)
    return DeckPage(
        template="deck/pathfinder.html.j2",
        game=TITLE,
        title=deck.character.name,
        description=f"Deck of {deck.character.name}, {SET_TITLES[deck.set]}, for {TITLE}",
        tone="pathfinder",
        content={
            "character": character,
            "set_title": SET_TITLES[deck.set],
            "facts": list(heading(deck, sum(number for _, _, number in held))),
            "skills": skills(deck, character),
            "charts": (against_the_list(held, len(unknown)), from_where(deck.cards), ranks(deck)),
            "piles": [
                Pile(PLURALS[kind].capitalize(), lines(cards, report), number)
                for kind, cards, number in held
                if cards or number
            ]
            + ([Pile("Type unknown", lines(unknown, report))] if unknown else []),
            "beside": [
                Pile(title, lines(pile, report))
                for title, pile in (
                    ("Taken from the box", deck.from_box or ()), ("Left over", deck.left_over),
                    ("Received", deck.received), ("Given away", deck.gave),
                )
                if pile
            ],
        },
    )  # fmt: skip


def heading(deck: Deck, listed: int) -> Iterable[tuple[str, str]]:
    """Labels and values below the character's name."""
    yield "Cards", f"{len(deck.cards)} of {listed}"
    played = "base set" if deck.adventure == "B" else f"adventure {deck.adventure}"
    yield "Playing", played + (f", after scenario {deck.after_scenario}" if deck.after_scenario else "")
    yield "Stage", deck.stage
    if feats := [f"{number} {kind}" for kind in FEAT_KINDS if (number := deck.feats(kind))]:
        yield "Feats", ", ".join(feats)
    if deck.role:
        yield "Role", deck.role
    if deck.cohorts:
        yield "Cohorts", ", ".join(deck.cohorts)


def skills(deck: Deck, character: Record) -> list[tuple[str, str]]:
    """Skills with their dice and what the skill feats add."""
    dice = character.get("skills") or {}
    return [
        (skill, f"{die} +{len(boxes)}" if (boxes := deck.skill_feats.get(skill, ())) else str(die))
        for skill, die in dice.items()
    ]


def against_the_list(held: list[tuple[str, tuple[Card, ...], int]], unknown: int) -> Chart:
    """Cards by type against the Cards List with its card feats."""
    bars = [
        bar(PLURALS[kind].capitalize(), len(cards), "pathfinder" if len(cards) == number else "off", goal=number)
        for kind, cards, number in held
    ]
    return Chart(
        "Cards against the Cards List",
        (*bars, *filled([bar("Unknown", unknown, "neutral")])),
        "The mark is the number that the Cards List asks for.",
    )


def from_where(cards: tuple[Card, ...]) -> Chart:
    """Cards by the product that they are first in."""
    number = Counter("Class" if card.class_deck else card.deck or "?" for card in cards)
    spoken = {"Class": "class decks", "?": "unknown", **{each: product_title(each) for each in (*ADVENTURES, "C", "P")}}
    order = [*spoken, *sorted(set(number) - set(spoken))]
    bars = [Bar(each, (Part(number[each], "pathfinder"),), spoken=spoken.get(each, each)) for each in order]
    always = [each for each in bars if each.value or each.label in ADVENTURES]
    note = "B: the base set" + ("; C: the Character Add-On Deck" if number["C"] else "")
    return Chart("Set indicator", tuple(always) if cards else (), note)


def rank(card: Card) -> str:
    """`Basic`, `Elite`, `Loot` or `Other`."""
    return "Loot" if card.loot else "Basic" if card.basic else "Elite" if card.elite else "Other"


def ranks(deck: Deck) -> Chart:
    """Basic, Elite and loot cards; a card that is none of them counts as other."""
    number = Counter(map(rank, deck.cards))
    tones = {"Basic": "pathfinder", "Elite": "diplomacy", "Loot": "loot", "Other": "neutral"}
    return Chart(
        "Basic, Elite, loot", tuple(bar(each, number[each], tone) for each, tone in tones.items()) if number else ()
    )


def lines(cards: Iterable[Card], report: Report) -> tuple[Line, ...]:
    """A line for each name, in the order of the alphabet."""
    number = Counter(card.name for card in cards)
    found = []
    for name, card in sorted({card.name: card for card in cards}.items(), key=lambda each: each[0].casefold()):
        severities = {each.severity for each in report.findings if name in each.cards}
        marks = [rank(card).lower(), f"of {card.owner}" if card.owner else ""]
        found.append(
            Line(
                name,
                number[name],
                card.class_deck or card.deck or "",
                tuple(trait for trait in card.traits or () if trait not in RANKS),
                tuple(mark for mark in marks if mark not in ("", "other")),
                next((level for level in ("error", "warning") if level in severities), ""),
            )
        )
    return tuple(found)
