"""The user's own cards among the facts: cards that kb does not know, what it does not know of others, copies that are owned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from kb.decks.names import name_key, split_quantity
from kb.games.pathfinder.decks.facts import Facts, card_of, character_of
from kb.games.pathfinder.decks.model import SET_TITLES, Card

MOST_COPIES = 15
Records = Iterable[Mapping[str, Any]]


def with_own(
    records: Mapping[str, Iterable[Mapping[str, Any]]],
    cards: Records,
    told: Records,
    copies: Records,
    characters: Records = (),
) -> Facts:
    """Facts from the records by kind (`card`, `character`, `deck`, `adventure`) and from the user's own: `cards`, what they have
    `told` of cards of which the facts do not know it, their `copies` and `characters`."""
    facts = Facts.from_records(
        filled(records["card"], told), records["character"], records["deck"], records["adventure"]
    )
    boons, other_names = dict(facts.cards), dict(facts.other_names)
    printings = brought(boons, other_names, cards)
    owned: dict[tuple[str, str], int] = {}
    for record in copies:
        at = record["set"], name_key(record["name"])
        owned[at] = owned.get(at, 0) + record["copies"]
    made = replace(facts, cards=boons, other_names=other_names, class_printings=printings, owned=owned)
    return with_characters(made, characters)


def with_characters(facts: Facts, records: Records) -> Facts:
    """The facts with the user's own characters, in the sets they are used with. One whose name a character of any set has is called
    by its Class Deck too, `Kyra (Cleric)`: the plain name means who had it before, whether or not a deck says its set."""
    characters, suggested, unknown = dict(facts.characters), dict(facts.suggested), dict(facts.unknown)
    shipped = {key for _, key in facts.characters}
    for record in records:
        for set_id in SET_TITLES if record["set"] == "own" else (record["set"],):
            made = character_of({**record, "set": set_id})
            must_hold = tuple(card.name if (card := facts.card(set_id, name)) else name for name in made.must_hold)
            made = replace(made, must_hold=must_hold)
            whole = f"{made.name} ({record['class_deck'] or record['own']})"
            if name_key(made.name) in shipped or (set_id, name_key(made.name)) in characters:
                made = replace(made, name=whole, trait=made.name)
            if characters.setdefault((set_id, name_key(made.name)), made) is not made:
                continue  # another list brings the same one
            characters.setdefault((set_id, name_key(whole)), made)
            counted = [(line, *split_quantity(line)) for line in record["deck_list"]]
            found = [(line, number, facts.card(set_id, name)) for line, number, name in counted]
            suggested[set_id, made.name] = tuple(
                card for _line, number, card in found if card is not None for _ in range(min(number, MOST_COPIES))
            )
            unknown[set_id, made.name] = tuple(line for line, _number, card in found if card is None)
    return replace(facts, characters=characters, suggested=suggested, unknown=unknown)


def filled(cards: Records, told: Records) -> Records:
    """The records of cards with what the user knows where they know nothing."""
    known = {(record["set"], record["name"]): record for record in told}
    if not known:
        return cards
    return [
        {**card, **{key: value for key, value in known[at].items() if key in card and card[key] is None}}
        if (at := (card["set"], card["name"])) in known
        else card
        for card in cards
    ]


def brought(
    boons: dict[tuple[str, str], Card], other_names: dict[tuple[str, str], Card], records: Iterable[Mapping[str, Any]]
) -> dict[tuple[str, str], tuple[Card, ...]]:
    """Put the user's own cards among those of the sets they are used with. Those whose name a card there has are returned."""
    printings: dict[tuple[str, str], tuple[Card, ...]] = {}
    for record in records:
        for set_id in SET_TITLES if record["set"] == "own" else (record["set"],):
            card = card_of({**record, "set": set_id})
            for name in (record["name"], *record["also_called"]):
                at = set_id, name_key(name)
                if name == record["name"] and at not in boons and at not in other_names:
                    boons[at] = card
                elif name == record["name"]:
                    printings[at] = (*printings.get(at, ()), card)
                else:
                    other_names.setdefault(at, card)
    return printings
