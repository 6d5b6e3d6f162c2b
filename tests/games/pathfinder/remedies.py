"""Applies remedies to a deck file as data, like a player who edits the file."""

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
    """A dumper that writes a repeated card again, instead of an alias."""

    def ignore_aliases(self, data):
        return True


def spread(item):
    """Return a line of a list as one item per copy."""
    if isinstance(item, dict):
        return [item]
    copies, name = split_quantity(item)
    return [name] * copies


def draft(text):
    """Load a deck file with every list of cards as one item per copy; a described card stays a mapping."""
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
    """Remove one copy of a card from a list; return False if it is not there."""
    keys = [called(item) for item in deck.get(pile, [])]
    if name_key(name) not in keys:
        return False
    del deck[pile][len(keys) - 1 - keys[::-1].index(name_key(name))]
    return True


def leave(deck, name):
    """Remove one copy of a card from the deck, and from the file's list of where its cards came from."""
    assert drop(deck, "cards", name), f"{name} is not in the deck"
    if deck.get("stage") != "rebuilt" and name_key(name) in map(called, deck["cards"]):
        return  # the received copy stays
    if not drop(deck, "from_box", name) and not drop(deck, "received", name):
        drop(deck, "had", name)


def enter(deck, name):
    """Add a card to the deck: from the party's remaining cards, or else from the box."""
    deck["cards"].append(name)
    if not drop(deck, "left_over", name) and deck.get("stage") == "rebuilt" and "from_box" in deck:
        had = [called(each) for each in deck.get("had", [])].count(name_key(name))
        if [called(each) for each in deck["cards"]].count(name_key(name)) > had:
            deck["from_box"].append(name)


def can_be_applied(remedy):
    """Return True if a program can apply the remedy; False if players must look something up or agree on it."""
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
    """Return the deck after a remedy. Cards to choose from are taken starting at the position `first`."""
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
            raise AssertionError(f"no file can be changed by {remedy}")
    return new


def change_boxes(new, key, line, number, label):
    """Uncheck boxes of a kind of feat, or replace the last one by the box with a label."""
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
    """Apply the first remedy of a finding that changes the file, and return the new deck."""
    ways_out = [remedy for remedy in finding.remedies if can_be_applied(remedy)]
    assert ways_out, f"nobody could follow this: {finding.message} {finding.fix}"
    return applied(deck, ways_out[0])


def followed(deck, most=40):
    """Follow the first error's remedy until the deck is legal, and return it. Fails after `most` remedies."""
    for _ in range(most):
        errors = [finding for finding in check(deck).findings if finding.severity == "error"]
        if not errors:
            return deck
        deck = follow(deck, errors[0])
    raise AssertionError(f"still not legal after {most} remedies: {errors[0]}\n{deck}")
