"""An Arkham Horror deck as the form of kb.decks.form, and which cards its investigator may take by the deckbuilding options (kb.decks.games)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from kb.decks.deckfile import DeckFile, parse_deck
from kb.decks.form import PERHAPS, Field, Line, Offer, Person, text_of
from kb.decks.games import NO_FRAME, AccessError
from kb.decks.names import either
from kb.frozen import frozen
from kb.games.arkham.decks.adapter import (
    FORMATS,
    SECTIONS,
    read_deck,
    read_framed,
    required,
    show,
    taboo_number,
    write_deck,
)
from kb.games.arkham.decks.facts import CardFinder, Facts, UnknownName
from kb.games.arkham.decks.frame import BOONS, CAMPAIGN, ULTIMATUMS, FrameError, copies_owned
from kb.games.arkham.decks.model import Card, Customization, Deck, customized
from kb.games.arkham.decks.profile import Kind, Profile, profile_of
from kb.games.arkham.decks.tally import count_deck
from kb.plural import counted
from kb.registry.editions import editions_of

FEW = 10
"""As many cards with fewer copies than a deck may hold make it worth while to own a product twice."""
text = text_of
keys = dict
CHOICES = {"faction_selected": "Class", "deck_size_selected": "Deck size", "option_selected": "Option"}


def people(facts: Facts) -> list[Person]:
    """The investigators who build decks, by class; versions of one name with their product."""
    cards = [card for code in facts.codes() if facts.root(code) == code and (card := facts.card(code))]
    investigators = [card for card in cards if card.type == "investigator" and card.build is not None]
    names = [card.name for card in investigators]
    persons = [
        Person(
            card.code,
            "",
            said(card, facts, names.count(card.name) > 1),
            " / ".join(card.classes),
            f"arkham/cards/{card.code}",
        )
        for card in investigators
    ]
    return sorted(persons, key=lambda each: (each.group, each.label))


def said(card: Card, facts: Facts, namesakes: bool) -> str:
    """An investigator's name, with the product where others share the name."""
    return f"{card.name} ({facts.pack_name(card.pack)})" if namesakes else card.name


def value(file: DeckFile, facts: Facts) -> dict[str, Any]:
    """The deck as the keys of kb's YAML. Raises DeckFileError."""
    deck = read_deck(file, facts)
    keys = parse_deck(write_deck(deck, "yaml", facts).text, "deck.yaml").value()
    return {**keys, "cards": dict(deck.cards)}


def lines(file: DeckFile, facts: Facts) -> list[Line]:
    """The deck's cards by type and level. Raises DeckFileError."""
    deck = read_deck(file, facts)
    by_section: dict[str, list[Line]] = {kind: [] for kind in (*SECTIONS, "")}
    for card, code, copies in facts.with_cards_of(deck).in_order(deck.cards):
        if card is None:
            by_section[""].append(Line(code, code, f"Unknown card {code}", "unknown", copies))
        else:
            code_in_file = next((other for other in deck.customizations if facts.root(other) == card.root), card.code)
            marks = deck.customizations.get(code_in_file, ())
            label = (customized(card, marks) if marks else card).label
            sheet, marked = tuple(boxes(card, code_in_file, marks)), sum(mark.spent for mark in marks)
            folded = f"Upgrade sheet{f', {marked} marked' if marked else ''}"
            line = Line(
                code,
                label,
                label.removesuffix(f" [{code}]"),
                card.section,
                copies,
                sheet,
                folded,
                f"arkham/cards/{card.root}",
            )
            by_section.get(card.section, by_section[""]).append(line)
    return [line for kind in by_section.values() for line in kind]


def boxes(card: Card, code_in_file: str, marks: Customization) -> Iterator[Field]:
    """The boxes of the upgrade sheet of a card that the file calls `code_in_file`, in order. What was chosen with them stays as
    the file says it."""
    marked = {mark.index: mark for mark in marks}
    for index, box in enumerate(card.sheet):
        mark = marked.get(index)
        chosen = mark is not None and mark.chosen
        numbers = [(str(number), f"{number} of {counted(box.cost, 'box')}") for number in range(1, box.cost + 1)]
        key = f"upgrades.{code_in_file}.{index + 1}{'.boxes' if chosen else ''}"
        none = () if chosen else (("", f"none of {counted(box.cost, 'box')}"),)
        yield Field(key, f"Upgrade {index + 1}", "choice", str(mark.spent) if mark else "", (*none, *numbers))


def fields(file: DeckFile, facts: Facts) -> list[Field]:
    """Edition, taboo list, experience, and what the investigator chooses. Raises DeckFileError."""
    deck = read_deck(file, facts)
    editions, taboos = judges(facts)
    experience = "" if deck.experience is None else str(deck.experience)
    inputs = [
        Field("rules", "Rules", "choice", deck.rules, editions),
        Field("taboo", "Taboo list", "choice", str(deck.taboo or ""), (("", "none"), *taboos)),
        Field("experience", "Experience there was in all", "number", experience),
    ]
    build = profile_of(facts.with_cards_of(deck), deck).build
    for choice in build.choices if build else ():
        offered = (("", "open"), *((each, each) for each in choice.values))
        label = CHOICES.get(choice.chosen_as, choice.chosen_as.replace("_", " ").capitalize())
        inputs.append(
            Field(f"choices.{choice.chosen_as}", label, "choice", deck.choices.get(choice.chosen_as, ""), offered)
        )
    return inputs


def judges(facts: Facts) -> tuple[tuple[tuple[str, str], ...], ...]:
    """The editions and the taboo lists to choose from."""
    editions = tuple((each.id, each.title) for each in editions_of("arkham"))
    return editions, tuple((str(number), f"of {each.start}") for number, each in reversed(facts.taboos.items()))


def agreed(facts: Facts) -> list[Field]:
    """Edition and taboo list in place of the deck's, the frame of a campaign, environment, products, ultimatums and boons."""
    editions, taboos = judges(facts)
    environments = (("", "legacy: all products"), ("current", "current"), ("limited", "limited"))
    cycles = sorted((cycle for cycle in facts.cycles.values() if cycle.expansion), key=lambda cycle: cycle.position)
    return [
        Field("rules", "Rules", "choice", "", (("", "as the deck says"), *editions)),
        Field("taboo", "Taboo list", "choice", "", (("", "as the deck says"), ("none", "none"), *taboos)),
        Field("start", "The deck begins a campaign", "flag", ""),
        Field("standalone", "For a single scenario, not a campaign", "flag", ""),
        Field("environment", "Environment", "choice", "", environments),
        Field(
            "expansion",
            "Expansions of the limited environment",
            "many",
            "",
            tuple((each.code, each.name) for each in cycles),
        ),
        Field("owned", "Products owned; with none chosen, all are", "many", "", tuple(owned(facts))),
        Field("ultimatum", "Ultimatums in force", "many", "", tuple(ULTIMATUMS.items())),
        Field("boon", "Boons in force", "many", "", tuple(BOONS.items())),
    ]


def owned(facts: Facts) -> Iterator[tuple[str, str, str]]:
    """The products with cards for decks: code, name and cycle; a second copy of those that hold fewer copies than a deck may."""
    cards = [card for code in facts.codes() if (card := facts.card(code)) is not None and card.section in SECTIONS]
    few = Counter(card.pack for card in cards if card.quantity < (card.limit or 0))
    holding = {card.pack for card in cards}
    cycles = sorted(facts.cycles.values(), key=lambda cycle: cycle.position)
    for cycle in cycles:
        for pack in facts.packs.values():
            if pack.cycle == cycle.code and (pack.code in holding or pack.reprints):
                yield pack.code, pack.name, cycle.name
                if few[pack.code] >= FEW:
                    yield f" {pack.code}", f"{pack.name}: a second copy", cycle.name  # the space tells the two apart


def offers(file: DeckFile, facts: Facts, agreed: Mapping[str, Any] = NO_FRAME) -> list[Offer]:
    """The cards that may come in, of printings the first: those that the deckbuilding options let in and the products owned hold, signature
    cards, weaknesses, and what a campaign may give. Raises DeckFileError."""
    may = access(file, {}, facts)
    if not isinstance(may, ByOptions):
        return []
    deck, frame = read_framed(file, facts, agreed)
    products, new = Counter(frame.products), not deck.experience and not deck.previous
    offered: list[Offer] = []
    there: set[tuple[str, str]] = set()
    for code in facts.codes():
        card = facts.card(code)
        if card is None or facts.root(code) != code or card.section not in SECTIONS:
            continue
        kind = may.profile.status(code).kind
        own = kind is Kind.SIGNATURE or card.hidden
        if products and not own and not copies_owned(products, code, facts):
            continue
        allowed = kind is Kind.BASIC or may.may_have({"game": "arkham", "code": code})
        if allowed is False and kind in (Kind.WEAKNESS, Kind.STORY):
            allowed = None  # the campaign gives it, or not
        if allowed is not False:
            level = "" if card.level is None else f", level {card.level}"
            name = card.label.removesuffix(f" [{code}]")
            kinds = kind.value if kind in (Kind.BASIC, Kind.WEAKNESS, Kind.STORY) else "/".join(card.classes)
            detail = f"{card.type}{level}, {kinds}{'' if allowed else PERHAPS}"
            if (name, detail) in there:  # of another version of the investigator
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
                )
            )
    return sorted(offered, key=lambda offer: offer.name)


def counts(file: DeckFile, facts: Facts) -> list[tuple[str, ...]]:
    """Cards by type, and those that count towards the deck size. Raises DeckFileError."""
    deck = read_deck(file, facts)
    deck_tally = count_deck(deck, profile_of(facts.with_cards_of(deck), deck), CAMPAIGN)
    size = ("deck size", str(deck_tally.size), str(deck_tally.profile.size))
    return [*(row[:-1] for row in show(file, facts).rows), size]


def always(file: DeckFile, facts: Facts) -> dict[str, int]:
    """The cards that the investigator requires, with random basic weaknesses still to be drawn. Raises DeckFileError."""
    return required(profile_of(facts, read_deck(file, facts)))


def formats() -> dict[str, str]:
    """What `kb deck convert` writes."""
    return {"kb's YAML": ".yaml", "ArkhamDB": ".json", "arkham.build": ".json", "text": ".txt"}


def written(file: DeckFile, facts: Facts, to: str) -> str:
    """The deck in one of the formats. Raises DeckFileError."""
    return write_deck(read_deck(file, facts), to.casefold() if to.casefold() in FORMATS else "yaml", facts).text


MOST_CHOICES = 60
TAKEN = (Kind.PLAYER, Kind.SIGNATURE)


@frozen
class ByOptions:
    """What an investigator may take; `others` are the profiles of choices that are open, `held` levels by title in the deck."""

    profile: Profile
    others: tuple[Profile, ...]
    held: Mapping[str, int]
    notes: tuple[str, ...]

    def may_have(self, record: Mapping[str, Any]) -> bool | None:
        """Whether the deckbuilding options let the card in; None where that depends on a choice that is not made."""
        code = str(record.get("code", ""))
        if record.get("game") != "arkham" or self.profile.facts.card(code) is None:
            return False
        if takes(self.profile, code):
            return True
        return None if any(takes(other, code) for other in self.others) else False

    def better(self, record: Mapping[str, Any]) -> bool:
        """Whether the deck holds a lower level of the card."""
        card = self.profile.facts.card(str(record.get("code", ""))) if record.get("game") == "arkham" else None
        return card is not None and card.level is not None and card.level > self.held.get(card.title, card.level)


def takes(profile: Profile, code: str) -> bool:
    """Whether decks of a profile may hold a card by its options."""
    return profile.status(code).kind in TAKEN


def access(who: str | DeckFile, terms: Mapping[str, str], facts: Facts) -> ByOptions | None:
    """What the investigator of a name (also the first word of it), a code or a deck file may take. Raises AccessError, DeckFileError."""
    deck = read_deck(who, facts) if isinstance(who, DeckFile) else named(who, facts)
    if deck is None:
        return None
    facts = facts.with_cards_of(deck)
    if "taboo" in terms:
        try:
            deck = replace(deck, taboo=taboo_number(terms["taboo"], facts))
        except FrameError as error:
            raise AccessError(str(error)) from None
    profile = profile_of(facts, deck)
    if profile.build is None:
        raise AccessError(f"{profile.investigator.label if profile.investigator else who} cannot build decks.")
    if (value := terms.get("choice")) is not None:
        offered = sorted({value for choice in profile.build.choices for value in choice.values})
        if value not in offered:
            raise AccessError(f"choice:{value} is not offered." + (f" There are {either(offered)}." if offered else ""))
        made = {option.chosen_as: value for option, _ in profile.unsettled if value in option.values}
        deck = replace(deck, choices={**deck.choices, **made})
        profile = profile_of(facts, deck)
    others = tuple(
        profile_of(facts, replace(deck, choices={**deck.choices, option.chosen_as: value}))
        for option, _ in profile.unsettled
        for value in option.values[:MOST_CHOICES]
    )
    levels: dict[str, int] = {}
    for card, _, copies in facts.in_order(deck.cards):
        if copies > 0 and card is not None and card.level is not None:
            levels.setdefault(card.title, card.level)
    return ByOptions(profile, others, levels, notes(profile, deck))


def named(who: str, facts: Facts) -> Deck | None:
    """A deck without cards of the investigator who is meant; of several versions the first printing."""
    try:
        return Deck(CardFinder(facts).find(who, investigator=True).code, {})
    except UnknownName:
        first = (name for name in facts.names if name.casefold().split()[0] == who.casefold())
        cards = (card for name in first for card in facts.named(name) if card.build is not None)
        return next((Deck(card.code, {}) for card in cards), None)


def notes(profile: Profile, deck: Deck) -> tuple[str, ...]:
    """Whose options they are, and which choices are open."""
    back = profile.back
    sentences = [
        f"By the deckbuilding options of {back.label if back else deck.investigator}, "
        f"{f'with taboo list {deck.taboo}' if deck.taboo else 'without a taboo list'} (arkham/glossary/deckbuilding-options). "
        "How many copies and how many cards of limited options a deck holds is for `kb deck check`."
    ]
    for option, _ in profile.unsettled:
        if not option.choose_size:
            sentences.append(f"The choice is open: choice:{' or choice:'.join(option.values)} makes it.")
    return tuple(sentences)
