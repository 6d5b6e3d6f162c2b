"""The page of an Arkham Horror deck: its investigator, verdict, charts and cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date

from kb.decks.report import Report
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.model import Deck
from kb.games.arkham.decks.profile import Profile, profile_of
from kb.games.arkham.pages.deck_cards import CardReader, Pile, piles
from kb.games.arkham.pages.deck_charts import charts, common_traits
from kb.games.arkham.schema.cards import SKILLS
from kb.games.arkham.schema.options import CLASSES
from kb.site.decks.page import DeckPage

TITLE = "Arkham Horror: The Card Game"
SYMBOLS = (*SKILLS, *CLASSES, "neutral", "unique", "health", "horror")


def arkham_page(deck: Deck, facts: Facts, report: Report) -> DeckPage:
    """The page of a deck."""
    profile = profile_of(facts, deck)
    reader = CardReader(deck, profile, report)
    lines = reader.lines(deck.cards, spent=True)
    drawn = tuple(line for line in lines if line.known and not line.subtype)
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
            "traits": common_traits(drawn),
            "piles": piles(lines),
            "beside": beside(deck, reader, facts),
        },
    )


def heading(deck: Deck, facts: Facts, profile: Profile, report: Report) -> Iterable[tuple[str, str]]:
    """Labels and values below the deck's name."""
    details = report.details
    yield "Deck size", f"{details['size']} of {details['size_required']}"
    yield "Cards in all", str(details["copies"])
    yield "Experience", str(details["experience"])
    taboo = facts.taboos.get(deck.taboo)
    yield "Taboo list", readable(taboo.start) if taboo else "none" if not deck.taboo else f"unknown ({deck.taboo})"
    for label, code in (("Front", deck.front), ("Back", deck.back)):
        side = facts.card(code)
        if side and code != deck.investigator:
            pack = facts.packs.get(side.pack)
            yield label, pack.name if pack else side.pack
    options = profile.build.options if profile.build else ()
    chosen = [deck.choices.get(option.choice.name, "") for option in options if option.choice]
    if said := ", ".join(value.replace("_", " ") for value in chosen if value):
        yield "Chosen", said


def readable(day: str) -> str:
    """`20 April 2019` for `2019-04-20`."""
    try:
        parsed = date.fromisoformat(day)
    except ValueError:
        return day
    return f"{parsed.day} {parsed:%B %Y}"


def beside(deck: Deck, reader: CardReader, facts: Facts) -> list[Pile]:
    """What lies beside the deck: a deck of its own, cards set aside by cards, candidates, exiled cards."""
    found = [Pile("Spirit deck", reader.lines(deck.extra, spent=True))] if deck.extra else []
    for code, chosen in deck.attachments.items():
        card = facts.card(code)
        if card and chosen and deck.cards.get(code, 0) > 0:
            attach = card.special.attach
            found.append(Pile(f"{card.name}: {attach.called if attach else 'attached'}", reader.lines(Counter(chosen))))
    for title, held in (("Side deck", deck.side_deck), ("Exiled", Counter(deck.exiled))):
        found.append(Pile(title, reader.lines(held)))
    return [pile for pile in found if pile.lines]
