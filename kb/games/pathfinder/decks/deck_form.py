"""Implements the protocol `kb.decks.form.DeckForm` for Pathfinder, so that users can edit a deck in a form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kb.decks.deckfile import DeckFile
from kb.decks.form import PERHAPS, Field, FormLine, Offer, Person, text_of
from kb.decks.games import NO_OPTIONS
from kb.decks.nodes import key_name
from kb.files.text import slug
from kb.games.pathfinder.decks.deck import DECK_KEYS, STAGES, PathfinderDeck
from kb.games.pathfinder.decks.deck_check import view
from kb.games.pathfinder.decks.deckfile import HIGHEST_COUNT, keys_of, read_deck
from kb.games.pathfinder.decks.facts import ADVENTURES, SET_TITLES, Facts, PathfinderCard, names
from kb.games.pathfinder.decks.feats import POWER_FEAT_BOXES, POWER_FEAT_BOXES_WITH_ROLE
from kb.games.pathfinder.decks.may_take import verdict
from kb.games.pathfinder.decks.power_feats import OTHER, PowerFeats, as_boxes, collapsed, known_boxes, on_the_card
from kb.games.pathfinder.decks.table import seat_of
from kb.games.pathfinder.records import CARD_TYPES

UNKNOWN = "type unknown"


def people(facts: Facts) -> list[Person]:
    """Return the characters of all sets. The label of a character includes the set if several sets have the name."""
    sets = Counter(each.name for each in facts.characters.values())
    return [
        Person(
            each.name,
            set_id,
            each.name,
            f"{each.name} ({SET_TITLES[set_id]})" if sets[each.name] > 1 else each.name,
            SET_TITLES[set_id],
            f"pathfinder/{set_id}/characters/{each.name.casefold().replace(' ', '-')}",
        )
        for (set_id, _), each in sorted(facts.characters.items())
    ]


def value(file: DeckFile, facts: Facts) -> dict[str, Any]:
    """Return the keys of the deck file as the form edits them, with the copies of each card under `cards`.

    Raises DeckFileError if the deck cannot be read.
    """
    deck = read_deck(file, facts, without_cards=True)
    notes = {key: each for key, each in file.value().items() if key_name(key) in ("player", "notes")}
    boxed = as_boxes(deck.powers or PowerFeats(0), deck.character, deck.role)
    powers = {"power_feats": boxed} if boxed else {}
    return {**keys_of(deck), **powers, **notes, "cards": dict(Counter(names(deck.cards)))}


def keys(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of the deck file, given the keys that the form edits (see `value`). Only the power feats are
    written differently.
    """
    powers = value.get("power_feats")
    return {**value, "power_feats": collapsed(powers)} if isinstance(powers, Mapping) else dict(value)


def lines(file: DeckFile, facts: Facts) -> list[FormLine]:
    """Return the cards of the deck, sorted by type and name. Raises DeckFileError if the deck cannot be read."""
    cards = read_deck(file, facts, without_cards=True).cards
    order = (*CARD_TYPES, None)
    each = sorted(set(cards), key=lambda card: (order.index(card.type), card.name))
    return [
        FormLine(card.name, card.name, card.name, card.type or UNKNOWN, cards.count(card), shown=shown(card))
        for card in each
    ]


def shown(card: PathfinderCard) -> str:
    """Return the id of `card` in the catalog."""
    return f"pathfinder/{card.set}/cards/{slug(card.name)}"


def adventure_titles(set_id: str, facts: Facts) -> dict[str, str]:
    """Return a label for each adventure of a set, such as `1 Burnt Offerings`, by the adventure's number."""
    named = {each.deck: each.name for each in facts.adventures.get(set_id, ())}
    return {
        number: f"{number}{' (base set)' if number == 'B' else ''} {named.get(number, '')}".strip()
        for number in ADVENTURES
    }


def fields(file: DeckFile, facts: Facts) -> list[Field]:
    """Return the form fields for the deck's settings: campaign progress, role and feats.

    Raises DeckFileError if the deck cannot be read.
    """

    def choice(name: str, current: object, *choices: tuple[str, str], of: str = "") -> Field:
        key = DECK_KEYS[name]
        at, label = (f"{key.name}.{of}", f"{key.asks}: {of}") if of else (key.name, key.asks)
        return Field(at, label, "choice", "" if current is None else str(current), choices)

    def boxes(name: str, of: str, there: int) -> list[Field]:
        numbers = [(str(number), str(number)) for number in range(1, min(there, 9) + 1)]
        checked = getattr(deck, name).get(of, ())
        return [choice(name, len(checked) or None, ("", "0"), *numbers, of=of)] if numbers else []

    deck = read_deck(file, facts, without_cards=True)
    stages = ((each, f"{each}{' after a scenario' if each == 'rebuilt' else ''}") for each in STAGES)
    inputs = [
        choice("stage", deck.stage, *stages),
        replace(
            choice("adventure", deck.adventure, *adventure_titles(deck.set, facts).items()), clears="after_scenario"
        ),
    ]
    if deck.stage == "new":
        return inputs
    adventure = facts.adventure(deck.set, deck.adventure)
    played = [(str(number), each.name) for number, each in enumerate(adventure.scenarios if adventure else (), 1)]
    first = (("", "not given"), ("0", "none yet"))
    inputs.append(choice("after_scenario", deck.after_scenario, *first, *played))
    roles = ((role, role) for role in deck.character.roles)
    inputs.append(choice("role", deck.role, ("", "no role yet"), *roles))
    for kind in CARD_TYPES:
        listed = deck.character.cards_list[kind]
        there = HIGHEST_COUNT if listed.maximum is None else listed.maximum - listed.base
        inputs += boxes("card_feats", kind, there)
    for skill, there in (deck.character.skill_feat_boxes or {}).items():
        inputs += boxes("skill_feats", skill, there)
    return [*inputs, *power_fields(deck)]


def power_fields(deck: PathfinderDeck) -> list[Field]:
    """Return the form fields for power feats.

    These are a checkbox for each box in the card facts, text fields for the wording of other boxes, and a number
    field. The number field counts the checked boxes whose wording is not given.
    """
    who, group, powers = deck.character, DECK_KEYS["powers"].asks, deck.powers or PowerFeats(0)
    boxes = as_boxes(powers, who, deck.role)
    inputs = [
        Field(f"power_feats.{box}", box.capitalize(), "flag", boxes.get(box, ""), group=group)
        for box in known_boxes(who, deck.role)
    ]
    most = POWER_FEAT_BOXES_WITH_ROLE if deck.role else POWER_FEAT_BOXES
    lines = range(1, min(most, len(on_the_card(powers, who, deck.role)) + 1) + 1)
    inputs += [
        Field(
            f"power_feats.power {number}",
            f"Power {number}, from the card",
            "text",
            boxes.get(f"power {number}", ""),
            group=group,
        )
        for number in lines
    ]
    other = Field(f"power_feats.{OTHER}", "More boxes checked", "number", str(boxes.get(OTHER, "")), group=group)
    return [*inputs, replace(other, most=POWER_FEAT_BOXES_WITH_ROLE)]


def text(value: Mapping[str, Any]) -> str:
    """Return the text of the deck file, given the keys that the form edits (see `value`)."""
    return text_of(keys(value))


def agreed(facts: Facts) -> list[Field]:
    """Return an empty list, because the checks have no options that players must agree on."""
    return []


def offers(file: DeckFile, facts: Facts, agreed: Mapping[str, Any] = NO_OPTIONS) -> list[Offer]:
    """Return the cards in the set that can be added to the deck.

    Cards that a character may not take from the box are included for a rebuilt deck, because they may have been found
    in play. Raises DeckFileError if the deck cannot be read.
    """
    seat = seat_of(read_deck(file, facts, without_cards=True), facts)
    offered = []
    for card in sorted(facts.of_set(seat.deck.set), key=lambda card: card.name):
        allowed = verdict(seat, card)
        if allowed is False and (seat.deck.stage != "rebuilt" or card.type is None):
            continue
        detail = f"{card.type or UNKNOWN}, {card.deck or 'number unknown'}"
        detail += {True: "", False: ", if found in play: it cannot come from the box", None: PERHAPS}[allowed]
        words = " ".join(card.traits or ())
        offered.append(
            Offer(card.name, card.name, card.type or UNKNOWN, detail, allowed is True, words=words, shown=shown(card))
        )
    return offered


def aside(file: DeckFile, facts: Facts) -> list[FormLine]:
    """Return an empty list: a deck file has no cards apart from the deck."""
    return []


def counts(file: DeckFile, facts: Facts) -> list[tuple[str, ...]]:
    """Return rows with a card type, the number of its cards in the deck, and the number on the Cards List.

    Raises DeckFileError if the deck cannot be read.
    """
    return [row[:-1] for row in view(read_deck(file, facts, without_cards=True), facts).rows]


def always(file: DeckFile, facts: Facts) -> dict[str, int]:
    """Return the cards that the character card requires in the deck, by name, each with 1 copy.

    Raises DeckFileError if the deck cannot be read.
    """
    return dict.fromkeys(read_deck(file, facts, without_cards=True).character.must_hold, 1)


def formats() -> dict[str, str]:
    """Return the only format that a deck can be saved in, kb's YAML, with its file extension."""
    return {"kb's YAML": ".yaml"}


def written(file: DeckFile, facts: Facts, to: str) -> str:
    """Return the deck as YAML, the only format, whatever `to` is. Raises DeckFileError if it cannot be read."""
    return text(value(file, facts))
