"""What Tainted Grail adds to the site: the page of a character sheet. It has no card facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import Records
from kb.decks.report import Report
from kb.frozen import frozen
from kb.games.tainted_grail.decks.adapter import runs_of
from kb.games.tainted_grail.decks.check import LEAST_CARDS, MOST_OF_A_RESOURCE
from kb.games.tainted_grail.decks.growth import next_point, pairs_of
from kb.games.tainted_grail.decks.model import ATTRIBUTES, BASIC_CARDS, RESOURCES, Deck, Item, Sheet
from kb.games.tainted_grail.decks.sheet import read_sheet
from kb.site.decks.charts import Chart, bar
from kb.site.decks.page import DeckPage
from kb.site.places import NoCards

TITLE = "Tainted Grail: The Fall of Avalon"
ICONS = (*ATTRIBUTES, *RESOURCES)


@frozen
class Line:
    """A card, skill, item or secret; `more` stands behind it."""

    name: str
    copies: int = 1
    more: str = ""


@frozen
class Pile:
    """What is listed together; `number` counts it, `unit` says in what."""

    title: str
    lines: tuple[Line, ...]
    number: int


def heading(sheet: Sheet, report: Report) -> Iterable[tuple[str, str]]:
    """Labels and values below the character's name."""
    yield "Mode", sheet.mode + (", free play" if sheet.free_play else "")
    spent = report.details["experience"]
    yield "EXP spent", "not said" if spent["spent"] is None else str(spent["spent"])
    yield "EXP accounted for", str(spent["cost"])
    if sheet.deck_color:
        yield "Deck color", sheet.deck_color
    if sheet.tray:
        yield "Tray", sheet.tray


def decks(sheet: Sheet) -> Chart:
    """Cards in both decks against the least number."""
    bars = [bar(f"{deck.name.capitalize()} deck", len(deck.cards), deck.name, goal=LEAST_CARDS) for deck in sheet.decks]
    return Chart("Decks", tuple(bars), f"The mark is the least number of cards, {LEAST_CARDS}.", "at least")


def attributes(sheet: Sheet) -> Chart:
    """The six attributes, pair by pair."""
    values = sheet.attributes or {}
    bars = [
        bar(name.capitalize(), values.get(name, 0), "tainted-grail", name) for pair in pairs_of(sheet) for name in pair
    ]
    return Chart("Attributes", tuple(bars))


def resources(sheet: Sheet) -> Chart:
    """The resources that the sheet gives, against the most that can be carried."""
    bars = [
        bar(
            name.capitalize(),
            sheet.resources[name],
            "resource",
            name,
            None if name == "experience" else MOST_OF_A_RESOURCE,
        )
        for name in RESOURCES
        if name in sheet.resources
    ]
    return Chart("Resources", tuple(bars), f"At most {MOST_OF_A_RESOURCE} of each, experience excepted.", "at most")


def prices(sheet: Sheet) -> list[tuple[str, int]]:
    """What the next point of each pair costs; nothing where the sheet gives no attributes."""
    return [(" and ".join(pair), next_point(sheet, pair)) for pair in pairs_of(sheet) if sheet.attributes]


def piles(sheet: Sheet) -> Iterable[Pile]:
    """Cards of both decks, skills, items and secrets, where there are any."""
    for deck in sheet.decks:
        yield Pile(f"{deck.name.capitalize()} deck", tuple(cards(deck)), len(deck.cards))
    skills = tuple(Line(f"Skill {skill}", more=name) for name in ATTRIBUTES for skill in sheet.skills.get(name, ()))
    for title, lines in (
        ("Skills", skills),
        ("Items", tuple(map(possession, sheet.items))),
        ("Secrets", tuple(map(possession, sheet.secrets))),
    ):
        if lines:
            yield Pile(title, lines, len(lines))


def cards(deck: Deck) -> Iterable[Line]:
    """The numbered cards of a deck as runs of numbers, then those with a name."""
    gained = {card.key for card in deck.gained}
    for first, last in runs_of(deck.cards):
        more = f"of {BASIC_CARDS} basic cards"
        yield Line(f"No. {first}" if first == last else f"No. {first}–{last}", last - first + 1, more)
    named = Counter(card.name for card in deck.cards if not card.number)
    graded = {card.name: card for card in deck.cards}
    for name, copies in named.items():
        card = graded[name]
        words = [*([card.grade] if card.grade else []), *(["gained"] if card.key in gained else [])]
        yield Line(name, copies, ", ".join(words))


def possession(item: Item) -> Line:
    """An item or a secret with its keywords."""
    words = [*item.marks, *([f"of {item.owner}"] if item.owner else [])]
    return Line(item.name, more=", ".join(words))


class TaintedGrailPages(NoCards):
    """The game's part `pages`."""

    def deck_page(self, file: DeckFile, facts: Any, report: Report, records: Records) -> DeckPage | None:
        """The page of a character sheet. Raises DeckFileError."""
        sheet = read_sheet(file)
        return DeckPage(
            template="deck/tainted-grail.html.j2",
            game=TITLE,
            title=sheet.character,
            description=f"Character sheet of {sheet.character} for {TITLE}",
            tone="tainted-grail",
            thing="sheet",
            symbols=ICONS,
            content={
                "lead": sheet.known.title if sheet.known else "",
                "facts": list(heading(sheet, report)),
                "charts": (decks(sheet), attributes(sheet), resources(sheet)),
                "prices": prices(sheet),
                "piles": list(piles(sheet)),
            },
        )
