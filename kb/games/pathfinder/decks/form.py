"""A Pathfinder deck as the form of kb.decks.form: the Cards List, feats and role, and what may come from the box."""

from __future__ import annotations

from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.form import Field, Line, Offer, Person, text_of
from kb.games.pathfinder.decks.deckfile import HIGHEST_COUNT, read_deck
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.may_have import FromTheBox, verdict
from kb.games.pathfinder.decks.model import ADVENTURES, CARD_TYPES, PLURALS, SET_TITLES, Card
from kb.games.pathfinder.decks.ruleset import Subject

UNKNOWN = "type unknown"


def people(facts: Facts) -> list[Person]:
    """The characters of each set."""
    return [
        Person(each.name, set_id, each.name, SET_TITLES[set_id])
        for (set_id, _), each in sorted(facts.characters.items())
    ]


def value(file: DeckFile, facts: Facts) -> dict[str, Any]:
    """The keys of the deck file with its cards by name. Raises DeckFileError."""
    deck = read_deck(file, facts, without_cards=True)
    held = {key: each for key, each in file.value().items() if key not in (*CARD_TYPES, *PLURALS.values(), "cards")}
    cards: dict[str, int] = {}
    for card in deck.cards:
        cards[card.name] = cards.get(card.name, 0) + 1
    first = {"game": "pathfinder", "set": deck.set, "character": deck.character.name, "adventure": deck.adventure}
    feats = {kind: len(boxes) for kind, boxes in deck.card_feats.items()}
    return {**first, "stage": deck.stage, **held, **({"card_feats": feats} if feats else {}), "cards": cards}


def lines(file: DeckFile, facts: Facts) -> list[Line]:
    """The deck's cards by type. Raises DeckFileError."""
    cards = read_deck(file, facts, without_cards=True).cards
    order = {kind: number for number, kind in enumerate(CARD_TYPES)}
    each = sorted(set(cards), key=lambda card: (order.get(card.type or "", len(order)), card.name))
    return [Line(card.name, card.name, card.name, card.type or UNKNOWN, cards.count(card)) for card in each]


def fields(file: DeckFile, facts: Facts) -> list[Field]:
    """Where the deck stands, its role and its feats. Raises DeckFileError."""
    deck = read_deck(file, facts, without_cards=True)
    names = {each.deck: each.name for each in facts.adventures.get(deck.set, ())}
    adventures = tuple((number, f"{number} {names[number]}" if number in names else number) for number in ADVENTURES)
    found = [
        Field("stage", "The deck is", "choice", deck.stage, (("new", "new"), ("rebuilt", "rebuilt after a scenario"))),
        Field("adventure", "Adventure being played", "choice", deck.adventure, adventures),
    ]
    if deck.stage == "new":
        return found
    adventure = facts.adventure(deck.set, deck.adventure)
    played = [("", "not said"), ("0", "none yet")]
    played += [(str(number), each.name) for number, each in enumerate(adventure.scenarios, 1)] if adventure else []
    last = "" if deck.after_scenario is None else str(deck.after_scenario)
    found.append(Field("after_scenario", "Last scenario played of it", "choice", last, tuple(played)))
    roles = (("", "no role yet"), *((role, role) for role in deck.character.roles))
    found.append(Field("role", "Role", "choice", deck.role or "", roles))
    for kind in CARD_TYPES:
        listed = deck.character.cards_list[kind]
        boxes = HIGHEST_COUNT if listed.maximum is None else listed.maximum - listed.base
        if boxes > 0:
            checked = len(deck.card_feats.get(kind, ()))
            shown = tuple((str(number) if number else "", str(number)) for number in range(min(boxes, 9) + 1))
            found.append(
                Field(f"card_feats.{kind}", f"Card feats: {kind}", "choice", str(checked) if checked else "", shown)
            )
    power = "" if deck.power_feats is None else str(deck.power_feats)
    return [*found, Field("power_feats", "Power feats", "number", power)]


def offers(file: DeckFile, facts: Facts) -> list[Offer]:
    """The cards of the set that the character may take from the box, or keep when they were found. Raises DeckFileError."""
    subject = Subject(read_deck(file, facts, without_cards=True), facts)
    box = FromTheBox((subject,), ())
    found = []
    for (set_id, _), card in facts.cards.items():
        if set_id != subject.deck.set:
            continue
        allowed = verdict(*known) if (known := box.found(record_of(card, set_id))) else False
        if allowed is not False:
            found.append(Offer(card.name, card.name, card.type or UNKNOWN, detail(card), allowed is True))
        elif subject.deck.stage == "rebuilt" and card.type is not None:
            found.append(Offer(card.name, card.name, card.type, f"{detail(card)}, only if found in play", False))
    return sorted(found, key=lambda offer: offer.name)


def formats() -> dict[str, str]:
    """Other programs read no decks of this game."""
    return {"kb's YAML": ".yaml"}


def written(file: DeckFile, facts: Facts, to: str) -> str:
    """The deck as kb's YAML, which is the only format. Raises DeckFileError."""
    return text_of(value(file, facts))


def record_of(card: Card, set_id: str) -> dict[str, str]:
    """What tells a card among the records."""
    return {"game": "pathfinder", "set": set_id, "name": card.name}


def detail(card: Card) -> str:
    """Type and adventure deck number."""
    return f"{card.type or UNKNOWN}, {card.deck or 'number unknown'}"
