"""Builds the page of a Tainted Grail character sheet. The game has no other pages, because kb has no card facts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.games import Records
from kb.decks.report import Report
from kb.games.tainted_grail.decks.character_sheet import ATTRIBUTES, RESOURCES, Sheet
from kb.games.tainted_grail.decks.check import LEAST_CARDS, MOST_OF_A_RESOURCE
from kb.games.tainted_grail.decks.growth import next_point, pairs_of
from kb.games.tainted_grail.decks.sheet import read_sheet
from kb.games.tainted_grail.decks.sheet_form import piles
from kb.site.decks.charts import Chart, bar
from kb.site.decks.page import DeckPage
from kb.site.places import NoCards

TITLE = "Tainted Grail: The Fall of Avalon"
ICONS = (*ATTRIBUTES, *RESOURCES)


def heading(sheet: Sheet, report: Report) -> Iterable[tuple[str, str]]:
    """Yield pairs of label and value to show below the character's name, such as `Mode` and `standard`."""
    yield "Mode", sheet.mode + (", free play" if sheet.free_play else "")
    spent = report.details["experience"]
    yield "EXP spent", "not given" if spent["spent"] is None else str(spent["spent"])
    yield "EXP accounted for", str(spent["cost"])
    if sheet.deck_color:
        yield "Deck color", sheet.deck_color
    if sheet.tray:
        yield "Tray", sheet.tray


def decks(sheet: Sheet) -> Chart:
    """Return the chart that compares the size of the combat and diplomacy decks with the minimum of 15 cards."""
    bars = [bar(f"{deck.name.capitalize()} deck", len(deck.cards), deck.name, goal=LEAST_CARDS) for deck in sheet.decks]
    return Chart("Decks", tuple(bars), f"The mark shows the minimum number of cards, {LEAST_CARDS}.", "at least")


def attributes(sheet: Sheet) -> Chart:
    """Return the chart of the six attributes. The two attributes of an opposed pair are next to each other."""
    values = sheet.attributes or {}
    bars = [
        bar(name.capitalize(), values.get(name, 0), "tainted-grail", name) for pair in pairs_of(sheet) for name in pair
    ]
    return Chart("Attributes", tuple(bars))


def resources(sheet: Sheet) -> Chart:
    """Return the chart that compares the resources on the sheet with the carrying limit."""
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
    return Chart("Resources", tuple(bars), f"At most {MOST_OF_A_RESOURCE} of each, except experience.", "at most")


def prices(sheet: Sheet) -> list[tuple[str, int]]:
    """Return the two attributes of each opposed pair with the EXP that the pair's next point costs.

    The list is empty if the sheet does not give the attributes.
    """
    return [(" and ".join(pair), next_point(sheet, pair)) for pair in pairs_of(sheet) if sheet.attributes]


class TaintedGrailPages(NoCards):
    """The site pages of Tainted Grail: only the page of a character sheet."""

    def deck_page(self, file: DeckFile, facts: Any, report: Report, records: Records) -> DeckPage | None:
        """Return the page of the character sheet in `file`. Raises DeckFileError if it cannot be read."""
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
                "piles": [
                    {"title": title.capitalize(), "number": sum(line.copies for line in lines), "lines": lines}
                    for title, lines in piles(sheet).items()
                ],
            },
        )
