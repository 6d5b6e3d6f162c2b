"""Applies remedies to a loaded deck file, as a player who edits the file would."""

import copy
import re

import yaml

from kb.decks import remedies as ways
from kb.decks.deckfile import parse_deck
from kb.decks.names import name_key, split_quantity
from kb.games.pathfinder.decks.deck_check import check_deck
from kb.games.pathfinder.decks.deckfile import read_deck

from .decks.conftest import FACTS

PILES = ("cards", "from_box", "left_over", "had", "received", "gave", "cohorts")


class NoAliases(yaml.SafeDumper):
    """A YAML dumper that writes a repeated card in full instead of as an alias."""

    def ignore_aliases(self, data):
        return True


def spread(item):
    """Return a list with an item for each copy in `item`, an entry of a list of cards."""
    if isinstance(item, dict):
        return [item]
    copies, name = split_quantity(item)
    return [name] * copies


def draft(text):
    """Load a deck file, and split every list of cards into one item per copy. A card given as a mapping stays
    one item.
    """
    loaded = yaml.safe_load(text)
    for key in (*PILES, "party", "owns"):
        if key in loaded:
            listed = loaded[key] if isinstance(loaded[key], list) else [loaded[key]]
            loaded[key] = [each for item in listed for each in (spread(item) if key in PILES else [item])]
    return loaded


def check(deck):
    text = yaml.dump(deck, Dumper=NoAliases, sort_keys=False)
    return check_deck(read_deck(parse_deck(text, "deck.yaml"), FACTS), FACTS, "deck")


def called(item):
    return name_key(item["name"] if isinstance(item, dict) else str(item))


def drop(deck, pile, name):
    """Remove one copy of the card `name` from the list `pile` of the deck. Return False if the list does not contain
    it.
    """
    keys = [called(item) for item in deck.get(pile, [])]
    if name_key(name) not in keys:
        return False
    del deck[pile][len(keys) - 1 - keys[::-1].index(name_key(name))]
    return True


def leave(deck, name):
    """Remove one copy of the card `name` from the deck, and from the list that records its origin (from_box, received
    or had).
    """
    assert drop(deck, "cards", name), f"{name} is not in the deck"
    if deck.get("stage") != "rebuilt" and name_key(name) in map(called, deck["cards"]):
        return  # the deck still has the received copy
    if not drop(deck, "from_box", name) and not drop(deck, "received", name):
        drop(deck, "had", name)


def enter(deck, name):
    """Add the card `name` to the deck. It comes from the party's remaining cards or, if it is not among them, from the
    box.
    """
    deck["cards"].append(name)
    if not drop(deck, "left_over", name) and deck.get("stage") == "rebuilt" and "from_box" in deck:
        had = [called(each) for each in deck.get("had", [])].count(name_key(name))
        if [called(each) for each in deck["cards"]].count(name_key(name)) > had:
            deck["from_box"].append(name)


def can_be_applied(remedy):
    """Return True if a program can apply the remedy. Return False if the players must look something up or agree on
    something.
    """
    match remedy:
        case ways.Advice() | ways.Act():
            return False
        case ways.Set(value=value, choices=choices):
            return bool(value or choices)
        case ways.Exchange(copies=copies, into=into, have=have):
            return len((*have, *into)) >= copies
        case ways.Steps(steps=steps):
            return all(map(can_be_applied, steps))
    return True


def applied(deck, remedy, first=0):
    """Return a copy of the deck after the remedy. If the remedy offers several cards, take them from the position
    `first` on.
    """
    new = copy.deepcopy(deck)
    match remedy:
        case ways.Steps(steps=steps):
            for step in steps:
                new = applied(new, step)
        case ways.Remove(copies=copies, of=of, pile=pile):
            for name in of[len(of) - copies :]:
                if pile:
                    drop(new, pile, name) or drop(new, "cards", name)
                else:
                    leave(new, name)
        case ways.Add(cards=cards):
            for name in cards:
                enter(new, name)
        case ways.Fill(copies=copies, have=have, among=among):
            for name in (*have, *among)[:copies]:
                enter(new, name)
        case ways.Exchange(copies=copies, out=out, into=into, have=have):
            coming = (*have, *into[first:], *into[:first])[:copies]
            gone = sorted(out, key=lambda name: name not in map(str, new.get("from_box", ())))
            for number, name in enumerate(coming):
                leave(new, gone[min(number, len(gone) - 1)])
                enter(new, name)
        case ways.Set(key=key, value=value, choices=choices):
            new[key] = value or choices[0]
        case ways.Clear(clears=clears):
            for key in clears:
                new.pop(key, None)
        case ways.ListUnder(key=key, cards=cards):
            new[key] = [*new.get(key, ["base", "add-on"] if key == "owns" else []), *cards]
        case ways.Unlist(key=key, cards=cards):
            for name in cards:
                drop(new, key, name)
        case ways.Boxes(key=key, number=number, checked=checked, first=label):
            change_boxes(new, *key.partition(".")[::2], number, label if checked else "")
        case _:
            raise AssertionError(f"this remedy cannot change a deck file: {remedy}")
    return new


def change_boxes(new, key, line, number, label):
    """Uncheck `number` boxes of the feats in `new[key]`. If `label` is given, replace the last box by the box called
    `label` instead.
    """
    if isinstance(new[key], int):
        new[key] -= number
        return
    lines = [line] if line else list(new[key])
    for each in lines:
        boxes = new[key][each]
        if label:
            new[key][each] = [*boxes[:-1], re.sub(r"^\+", "", label)]
        elif isinstance(boxes, list):
            new[key][each], number = boxes[: max(0, len(boxes) - number)], max(0, number - len(boxes))
        else:
            new[key][each], number = max(0, boxes - number), max(0, number - boxes)


def follow(deck, finding):
    """Return a copy of the deck after the first remedy of `finding` that a program can apply."""
    ways_out = [remedy for remedy in finding.remedies if can_be_applied(remedy)]
    assert ways_out, f"a program can apply no remedy of this finding: {finding.message} {finding.fix}"
    return applied(deck, ways_out[0])


def followed(deck, most=40):
    """Follow the remedy of the first error until the deck is legal, and return the deck. Fails if the deck is illegal
    after `most` remedies.
    """
    for _ in range(most):
        errors = [finding for finding in check(deck).findings if finding.severity == "error"]
        if not errors:
            return deck
        deck = follow(deck, errors[0])
    raise AssertionError(f"still not legal after {most} remedies: {errors[0]}\n{deck}")
