"""Shows an Arkham Horror deck as a form to fill in (see kb.decks.form)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from kb.decks.deckfile import DeckFile, parse_deck
from kb.decks.form import PERHAPS, Field, FormLine, Offer, Person, text_of
from kb.decks.games import NO_OPTIONS
from kb.games.arkham.decks.agreement import BOONS, CAMPAIGN, ULTIMATUMS
from kb.games.arkham.decks.card import ArkhamCard, Customization, customized
from kb.games.arkham.decks.card_pool import copies_owned
from kb.games.arkham.decks.deck import BY_NAME, ArkhamDeck
from kb.games.arkham.decks.deck_counts import DeckCounts, Row, count_deck
from kb.games.arkham.decks.deck_reading import read_deck, read_with_options
from kb.games.arkham.decks.deck_rules import OUTSIDE, SECTIONS, view
from kb.games.arkham.decks.deck_writing import FORMATS, write_deck
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.may_take import ByOptions, access
from kb.games.arkham.decks.profile import Kind, Status, profile_of
from kb.games.arkham.decks.starting_deck import required
from kb.plural import counted
from kb.registry.editions import editions_of

FEW = 10
"""A second copy of a product is offered if at least this many of its cards have fewer copies than a deck may contain.
"""
text = text_of
keys = dict
CHOICES = {"faction_selected": "Class", "deck_size_selected": "Deck size", "option_selected": "Option"}


def people(facts: ArkhamFacts) -> list[Person]:
    """Return all investigators who can build decks, sorted by class.

    If several versions of an investigator share a name, their labels include the product.
    """
    cards = [card for code in facts.codes() if facts.root(code) == code and (card := facts.card(code))]
    investigators = [card for card in cards if card.type == "investigator" and card.build is not None]
    names = [card.name for card in investigators]
    persons = [
        Person(
            card.code,
            "",
            card.name,
            said(card, facts, names.count(card.name) > 1),
            " / ".join(card.classes),
            f"arkham/cards/{card.code}",
        )
        for card in investigators
    ]
    return sorted(persons, key=lambda each: (each.group, each.label))


def said(card: ArkhamCard, facts: ArkhamFacts, namesakes: bool) -> str:
    """Return an investigator's name. If `namesakes` is True, add the product in parentheses."""
    return f"{card.name} ({facts.pack_name(card.pack)})" if namesakes else card.name


def value(file: DeckFile, facts: ArkhamFacts) -> dict[str, Any]:
    """Return the deck in `file` as the keys of kb's YAML format. Raises DeckFileError."""
    deck = read_deck(file, facts)
    keys = parse_deck(write_deck(deck, "yaml", facts).text, "deck.yaml").value()
    return {**keys, "cards": dict(deck.cards)}


def lines(file: DeckFile, facts: ArkhamFacts) -> list[FormLine]:
    """Return the lines of the form for the deck's cards, by type and level. Raises DeckFileError."""
    return lines_of(read_deck(file, facts), facts)


def lines_of(deck: ArkhamDeck, facts: ArkhamFacts) -> list[FormLine]:
    """Return the lines of the form for the cards of `deck`, by type and level."""
    by_section: dict[str, list[FormLine]] = {kind: [] for kind in (*SECTIONS, "")}
    for card, code, copies in facts.with_cards_of(deck).in_order(deck.cards):
        if card is None:
            by_section[""].append(FormLine(code, code, f"Unknown card {code}", "unknown", copies))
        else:
            code_in_file = next((other for other in deck.customizations if facts.root(other) == card.root), card.code)
            marks = deck.customizations.get(code_in_file, ())
            label = (customized(card, marks) if marks else card).label
            sheet, marked = tuple(boxes(card, code_in_file, marks)), sum(mark.spent for mark in marks)
            folded = f"Upgrade sheet{f', {marked} marked' if marked else ''}"
            line = FormLine(
                code,
                label,
                label.name,
                card.section,
                copies,
                sheet,
                folded,
                f"arkham/cards/{card.root}",
            )
            by_section.get(card.section, by_section[""]).append(line)
    return [line for kind in by_section.values() for line in kind]


def aside(file: DeckFile, facts: ArkhamFacts) -> list[FormLine]:
    """Return the lines of the form for the spirit deck and the side deck. Raises DeckFileError."""
    deck = read_deck(file, facts)
    known, listed = facts.with_cards_of(deck), []
    for name, key, pile in zip(OUTSIDE, ("spirit_deck", "side_deck"), (deck.extra, deck.side_deck), strict=False):
        for card, code, copies in known.in_order(pile):
            label = card.label.name if card else f"Unknown card {code}"
            shown = f"arkham/cards/{card.root}" if card else ""
            listed.append(FormLine(f"{key}.{code}", label, label, name, copies, shown=shown))
    return listed


def boxes(card: ArkhamCard, code_in_file: str, marks: Customization) -> Iterator[Field]:
    """Yield a field for each upgrade on a card's sheet, in order: the number of its boxes that are marked.

    `code_in_file` is the code that the file uses for the card. If a choice was already recorded with the boxes, it is
    kept.
    """
    marked = {mark.index: mark for mark in marks}
    for index, box in enumerate(card.sheet):
        mark = marked.get(index)
        chosen = mark is not None and mark.chosen
        numbers = [(str(number), f"{number} of {counted(box.cost, 'box')}") for number in range(1, box.cost + 1)]
        key = f"upgrades.{code_in_file}.{index + 1}{'.boxes' if chosen else ''}"
        none = () if chosen else (("", f"none of {counted(box.cost, 'box')}"),)
        label = f"Upgrade {index + 1}{f': {box.name}' if box.name else ''}"
        yield Field(key, label, "choice", str(mark.spent) if mark else "", (*none, *numbers))


def fields(file: DeckFile, facts: ArkhamFacts) -> list[Field]:
    """Return the fields for edition, taboo list, experience and the investigator's choices. Raises DeckFileError."""
    deck = read_deck(file, facts)
    editions, taboos = judges(facts)
    experience = "" if deck.experience is None else str(deck.experience)
    inputs = [
        Field("rules", BY_NAME["rules"].asks, "choice", deck.rules, editions),
        Field("taboo", BY_NAME["taboo"].asks, "choice", str(deck.taboo or ""), (("", "none"), *taboos)),
        Field("experience", BY_NAME["experience"].asks, "number", experience),
    ]
    build = profile_of(facts.with_cards_of(deck), deck).build
    for choice in build.choices if build else ():
        offered = (("", "open"), *((each, each) for each in choice.values))
        label = CHOICES.get(choice.chosen_as, choice.chosen_as.replace("_", " ").capitalize())
        inputs.append(
            Field(f"choices.{choice.chosen_as}", label, "choice", deck.choices.get(choice.chosen_as, ""), offered)
        )
    return inputs


def judges(facts: ArkhamFacts) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Return the editions, and the taboo lists, that a user can choose; each has a value and a label."""
    editions = tuple((each.id, each.title) for each in editions_of("arkham"))
    return editions, tuple((str(number), f"of {each.start}") for number, each in reversed(facts.taboos.items()))


def agreed(facts: ArkhamFacts) -> list[Field]:
    """Return the fields for the options of a check.

    The fields are edition and taboo list (which override the deck's keys), start of a campaign, standalone mode,
    environment, expansions, products, ultimatums and boons.
    """
    editions, taboos = judges(facts)
    environments = (("", "legacy: all products"), ("current", "current"), ("limited", "limited"))
    cycles = sorted((cycle for cycle in facts.cycles.values() if cycle.expansion), key=lambda cycle: cycle.position)
    return [
        Field("rules", BY_NAME["rules"].asks, "choice", "", (("", "as the deck says"), *editions)),
        Field("taboo", BY_NAME["taboo"].asks, "choice", "", (("", "as the deck says"), ("none", "none"), *taboos)),
        Field("start", "Starting deck of a campaign", "flag", ""),
        Field("standalone", "For a single scenario, not a campaign", "flag", ""),
        Field("environment", "Environment", "choice", "", environments),
        Field(
            "expansion",
            "Expansions of the limited environment",
            "many",
            "",
            tuple((each.code, each.name) for each in cycles),
        ),
        Field("owned", "Products owned (if you choose none: all)", "many", "", tuple(owned(facts))),
        Field("ultimatum", "Ultimatums in force", "many", "", tuple(ULTIMATUMS.items())),
        Field("boon", "Boons in force", "many", "", tuple(BOONS.items())),
    ]


def owned(facts: ArkhamFacts) -> Iterator[tuple[str, str, str]]:
    """Yield each product that contains cards for decks: code, name and cycle.

    If the product has too few copies of many cards, also yield it as a second copy.
    """
    cards = [card for code in facts.codes() if (card := facts.card(code)) is not None and card.section in SECTIONS]
    few = Counter(card.pack for card in cards if card.quantity < (card.limit or 0))
    holding = {card.pack for card in cards}
    cycles = sorted(facts.cycles.values(), key=lambda cycle: cycle.position)
    for cycle in cycles:
        for pack in facts.packs.values():
            if pack.cycle == cycle.code and (pack.code in holding or pack.reprints):
                yield pack.code, pack.name, cycle.name
                if few[pack.code] >= FEW:
                    yield pack.code, f"{pack.name}: a second copy", cycle.name


def offers(file: DeckFile, facts: ArkhamFacts, agreed: Mapping[str, Any] = NO_OPTIONS) -> list[Offer]:
    """Return the cards that a user can add to the deck, in their first printing. Raises DeckFileError.

    They are signature cards, weaknesses, cards that a campaign may give, and cards that the deckbuilding options allow.
    If `agreed` names the owned products, only cards in these products are offered, apart from signature cards and
    placeholders.
    """
    may = access(file, {}, facts)
    if not isinstance(may, ByOptions):
        return []
    deck, agreement = read_with_options(file, facts, agreed)
    products, new = Counter(agreement.products), not deck.experience and not deck.previous
    offered: list[Offer] = []
    held = _by_title(count_deck(deck, may.profile, agreement))
    there: set[tuple[str, str]] = set()
    for code in facts.codes():
        card = facts.card(code)
        if card is None or facts.root(code) != code or card.section not in SECTIONS:
            continue
        status = may.profile.status(code)
        kind = status.kind
        own = kind is Kind.SIGNATURE or card.hidden
        if products and not own and not _owned(products, code, facts):
            continue
        allowed = kind is Kind.BASIC or may.may_have({"game": "arkham", "code": code})
        if allowed is False and kind in (Kind.WEAKNESS, Kind.STORY):
            allowed = None  # depends on the campaign
        if allowed is not False:
            level = "" if card.level is None else f", level {card.level}"
            name = card.label.name
            kinds = kind.value if kind in (Kind.BASIC, Kind.WEAKNESS, Kind.STORY) else "/".join(card.classes)
            detail = f"{card.type}{level}, {kinds}{'' if allowed else PERHAPS}"
            if (name, detail) in there:  # a card of the same name, for another version of the investigator
                detail += f", {facts.pack_name(card.pack)}"
            there.add((name, detail))
            offered.append(
                Offer(
                    code,
                    name,
                    card.section,
                    detail,
                    allowed is True,
                    words=" ".join(card.printed_traits),
                    later=new and bool(card.level),
                    shown=f"arkham/cards/{code}",
                    full=_is_full(status, held.get(status.title, [])),
                )
            )
    return sorted(offered, key=lambda offer: offer.name)


def _by_title(deck_counts: DeckCounts) -> dict[str, list[Row]]:
    """Return the cards of a deck that are limited by title: for each title, the copies that count toward the limit."""
    held: defaultdict[str, list[Row]] = defaultdict(list)
    for status, copies in deck_counts.rows:
        if status.title:
            held[status.title].append((status, copies - deck_counts.ignored.get(status.code, 0)))
    return held


def _is_full(status: Status, held: list[Row]) -> bool:
    """Return True if a deck that contains `held`, the cards with the same title, cannot take another copy of a card.

    A card of a higher level than one of these cards is an upgrade of that card, for which there is always room.
    """
    if not held or sum(copies for _, copies in held) < min(status.limit, *(each.limit for each, _ in held)):
        return False
    level = (status.card and status.card.level) or 0
    return all(((each.card and each.card.level) or 0) >= level for each, _ in held)


def _owned(products: Mapping[str, int], root: str, facts: ArkhamFacts) -> bool:
    """Return True if the products contain any printing of the card with the first printing `root`."""
    return any(copies_owned(products, printing, facts) for printing in facts.printings(root))


def counts(file: DeckFile, facts: ArkhamFacts) -> list[tuple[str, ...]]:
    """Return the number of cards of each type, and the number that count toward the deck size. Raises DeckFileError."""
    deck = read_deck(file, facts)
    deck_counts = count_deck(deck, profile_of(facts.with_cards_of(deck), deck), CAMPAIGN)
    size = ("deck size", str(deck_counts.size), str(deck_counts.profile.size))
    return [*(row[:-1] for row in view(deck, facts).rows if row[0] not in OUTSIDE), size]


def always(file: DeckFile, facts: ArkhamFacts) -> dict[str, int]:
    """Return the cards that every deck of the investigator contains, with copies. Raises DeckFileError.

    A placeholder stands for random basic weaknesses still to be drawn.
    """
    return required(profile_of(facts, read_deck(file, facts)))


def formats() -> dict[str, str]:
    """Return the formats for saving a deck: name and file suffix."""
    return {"kb's YAML": ".yaml", "ArkhamDB": ".json", "arkham.build": ".json", "text": ".txt"}


def written(file: DeckFile, facts: ArkhamFacts, to: str) -> str:
    """Return the deck's text in the format `to`, or as kb's YAML if the format is unknown. Raises DeckFileError."""
    return write_deck(read_deck(file, facts), to.casefold() if to.casefold() in FORMATS else "yaml", facts).text
